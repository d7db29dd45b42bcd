//! Profiles: policies that are off until somebody turns them on.

use crate::program::{Folder, rules, verdicts};

/// Open in, closed out, and a word that could be any.
const TOOL: &str = r#"{"tools": [{
  "name": "find_order",
  "inputSchema": {"type": "object", "properties": {"status": {"type": "string"}}},
  "outputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": false}
}]}"#;

fn said(folder: &Folder, profiles: &[&str]) -> Vec<String> {
    let mut words = vec!["tools.json"];
    for profile in profiles {
        words.extend(["--profile", profile]);
    }
    let report = folder.report(&words);
    let said = rules(&report["documents"][0]);
    said.into_iter().map(str::to_owned).collect()
}

#[test]
fn a_profile_turns_on_its_own_rules() {
    let folder = Folder::with(&[("tools.json", TOOL)]);
    assert!(said(&folder, &[]).is_empty());
    assert_eq!(
        said(&folder, &["closed"]),
        ["policy.schema.closed", "policy.schema.enum"]
    );
    assert_eq!(said(&folder, &["open"]), ["policy.output-schema.open"]);
    assert!(said(&folder, &["catalogue"]).is_empty());
    let both = said(&folder, &["closed", "open"]);
    assert_eq!(
        both,
        [
            "policy.schema.closed",
            "policy.schema.enum",
            "policy.output-schema.open"
        ]
    );
}

#[test]
fn with_both_closed_leaves_outputs_to_open() {
    let open_out = TOOL.replace("\"additionalProperties\": false", "\"title\": \"Order\"");
    let folder = Folder::with(&[("tools.json", &open_out)]);
    let report = folder.report(&["tools.json", "--profile", "closed"]);
    let places = |report: &serde_json::Value| {
        let found = report["documents"][0]["diagnostics"]
            .as_array()
            .unwrap()
            .iter();
        found
            .map(|it| it["pointer"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert!(places(&report).contains(&"/tools/0/outputSchema".to_owned()));
    let both = folder.report(&["tools.json", "--profile", "closed", "--profile", "open"]);
    assert!(
        places(&both)
            .iter()
            .all(|place| place.starts_with("/tools/0/inputSchema"))
    );
}

#[test]
fn a_project_turns_profiles_on_and_a_rule_off() {
    let config = "profiles = [\"closed\"]\n[rules]\n\"policy.schema.enum\" = \"off\"\n\"policy.schema.closed\" = \"error\"\n";
    let folder = Folder::with(&[("tools.json", TOOL), ("mcp-conform.toml", config)]);
    let run = folder.run(["check", "--format", "json", "tools.json"]);
    assert_eq!(rules(&run.json()["documents"][0]), ["policy.schema.closed"]);
    assert_eq!((verdicts(&run.json()), run.code), (vec!["invalid"], 1));
}

#[test]
fn a_single_policy_can_be_on_without_its_profile() {
    let folder = Folder::with(&[("tools.json", TOOL)]);
    let report = folder.report(&["tools.json", "--rule", "policy.schema.enum=warn"]);
    assert_eq!(rules(&report["documents"][0]), ["policy.schema.enum"]);
}

#[test]
fn a_profile_that_is_not_known_is_a_wrong_command_line() {
    let folder = Folder::with(&[
        ("tools.json", TOOL),
        ("p/mcp-conform.toml", "profiles = [\"shut\"]"),
        ("p/tools.json", TOOL),
    ]);
    assert_eq!(
        folder
            .run(["check", "--profile", "shut", "tools.json"])
            .code,
        2
    );
    let run = folder.run(["check", "p"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("closed, open, catalogue"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_explanation_says_what_the_profile_trades() {
    let folder = Folder::with(&[]);
    for (rule, words) in [
        ("policy.schema.closed", ["profile: closed", "-32602"]),
        ("policy.output-schema.open", ["profile: open", "injected"]),
    ] {
        let run = folder.run(["rules", "explain", rule]);
        for word in words {
            assert!(run.stdout.contains(word), "{rule}: {word}: {}", run.stdout);
        }
    }
}
