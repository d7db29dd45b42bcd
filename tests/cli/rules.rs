//! `rules list`, `rules explain` and `completions`.

use mcp_conform::rules::RULES;
use rstest::rstest;

use crate::program::Folder;

#[test]
fn the_list_has_every_rule_with_its_versions() {
    let run = Folder::with(&[]).run(["rules", "list"]);
    assert_eq!(run.code, 0);
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines.len(), RULES.len() + 1);
    for version in [
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28",
    ] {
        assert!(lines[0].contains(version), "{}", lines[0]);
    }
    for (rule, line) in RULES.iter().zip(&lines[1..]) {
        assert!(
            line.starts_with(rule.id) && line.contains(rule.title),
            "{line}"
        );
        let profile = rule.profile.map(|profile| format!("(profile {profile})"));
        assert_eq!(line.contains("(profile "), profile.is_some(), "{line}");
        assert!(
            line.ends_with(profile.as_deref().unwrap_or(rule.title)),
            "{line}"
        );
    }
}

#[test]
fn the_list_as_json_holds_the_catalogue() {
    let list = Folder::with(&[])
        .run(["rules", "list", "--format", "json"])
        .json();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), RULES.len());
    for (rule, entry) in RULES.iter().zip(list) {
        assert_eq!(entry["id"], rule.id);
        assert_eq!(entry["requirement"], rule.requirement);
        for name in ["severity", "level"] {
            let by_version = entry[name].as_object().unwrap();
            let applies = rule.severity.iter().flatten().count();
            assert_eq!(by_version.len(), applies, "{}: {name}", rule.id);
        }
        assert!(
            !entry["examples"]["valid"].as_array().unwrap().is_empty(),
            "{}",
            rule.id
        );
    }
}

#[test]
fn the_list_as_markdown_is_one_table() {
    let run = Folder::with(&[]).run(["rules", "list", "--format", "markdown"]);
    let rows: Vec<_> = run
        .stdout
        .lines()
        .filter(|line| line.starts_with('|'))
        .collect();
    assert_eq!(rows.len(), RULES.len() + 2);
    for row in rows {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 8, "{row}");
    }
}

#[test]
fn every_rule_explains_itself_with_examples_from_the_fixtures() {
    let folder = Folder::with(&[]);
    for rule in RULES {
        let run = folder.run(["rules", "explain", rule.id]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", rule.id);
        assert!(run.stdout.starts_with(rule.id), "{}", rule.id);
        for part in ["What to do: ", "Required by:", "Based on:"] {
            assert!(run.stdout.contains(part), "{}: {part}", rule.id);
        }
        for (heading, examples) in [
            ("Wrong", rule.examples.invalid),
            ("Right", rule.examples.valid),
            ("Not applicable", rule.examples.not_applicable),
        ] {
            let Some(example) = examples.first() else {
                continue;
            };
            let start = run
                .stdout
                .lines()
                .position(|line| line.starts_with(heading) && line.contains(example.file));
            let start = start.unwrap_or_else(|| panic!("{}: no {heading}", rule.id));
            let shown = run.stdout.lines().nth(start + 1).unwrap();
            assert!(
                shown.starts_with("    "),
                "{}: nothing under {heading}",
                rule.id
            );
        }
    }
}

#[test]
fn an_unknown_rule_is_no_rule() {
    let folder = Folder::with(&[]);
    let near = folder.run(["rules", "explain", "tool.native-shape"]);
    assert_eq!((near.code, near.stdout.as_str()), (2, ""));
    assert!(
        near.stderr
            .contains("did you mean mcp.tool.schema.native-shape"),
        "{}",
        near.stderr
    );
    let far = folder.run(["rules", "explain", "nothing.like.it"]);
    assert!(far.stderr.contains("rules list"), "{}", far.stderr);
}

#[rstest]
fn completions_name_the_commands(
    #[values("bash", "zsh", "fish", "elvish", "powershell")] shell: &str,
) {
    let run = Folder::with(&[]).run(["completions", shell]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for command in ["check", "rules", "completions"] {
        assert!(run.stdout.contains(command), "{shell}: {command}");
    }
}
