//! Catalogues: contracts and what was recorded under them, and what else lies in a catalogue.

use serde_json::json;

use crate::program::{Folder, rules, verdicts};
use crate::team::{one, said, team, with, wrong};

#[test]
fn a_checkpoint_is_held_to_the_version_that_it_names() {
    let file = "examples/state/refund-approved.json";
    for (old, new, rule, pointer) in [
        (
            "\"version\": \"1.0.0\"",
            "\"version\": \"0.9.0\"",
            "contract.schema.known",
            "/schema",
        ),
        (
            ", \"version\": \"1.0.0\"",
            "",
            "contract.schema.named",
            "/schema",
        ),
        (
            "refund_flow",
            "refund_saga",
            "contract.schema.known",
            "/schema",
        ),
        (
            "\"schema\": ",
            "\"contract\": ",
            "contract.schema.named",
            "",
        ),
    ] {
        let report = with(file, old, new).report(&["team"]);
        assert_eq!(
            said(&report, "refund-approved.json"),
            one(rule, pointer, ""),
            "{new}"
        );
    }
    let hidden = with(file, ", \"approved_by\": \"m.lind\"", "");
    assert_eq!(
        said(&hidden.report(&["team"]), "refund-approved.json"),
        one("contract.value.schema", "/state", "required")
    );
    let unversioned = with(
        "schemas/state/refund_flow.json",
        "  \"version\": \"1.0.0\",\n",
        "",
    );
    assert_eq!(
        said(&unversioned.report(&["team"]), "refund-approved.json"),
        one("contract.schema.known", "/schema", "")
    );
}

#[test]
fn two_versions_of_a_contract_stand_side_by_side() {
    let folder = team();
    let path = folder.path().join("team/schemas/state/refund_flow.json");
    let old = std::fs::read_to_string(&path).unwrap();
    folder.write("team/schemas/state/refund_flow@1.0.0.json", &old);
    folder.write(
        &path,
        &old.replace("1.0.0", "2.0.0")
            .replace("\"approved\"", "\"granted\""),
    );
    let report = folder.report(&["team", "--profile", "catalogue"]);
    assert_eq!(wrong(&report), Vec::<&str>::new());
}

#[test]
fn a_contract_is_judged_as_a_schema_and_not_as_a_tool() {
    let file = "schemas/handoffs/triage_to_billing.json";
    let typo = with(file, "\"required\"", "\"require\"");
    assert_eq!(
        said(&typo.report(&["team"]), file),
        one("mcp.tool.schema.keyword-typo", "/require", "")
    );
    let open = with(file, ",\n  \"additionalProperties\": false", "");
    assert_eq!(said(&open.report(&["team"]), file), Vec::new());
    assert_eq!(
        said(&open.report(&["team", "--profile", "closed"]), file),
        one("policy.schema.closed", "", "additionalProperties")
    );
}

#[test]
fn eleven_tool_files_without_a_finder_are_one_finding() {
    let folder = team();
    for index in 0..8 {
        let name = format!("report_{index}");
        let tool = json!({
            "$id": format!("https://schemas.example.com/tools/{name}.json"), "version": "1.0.0", "name": name,
            "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}
        });
        folder.write(format!("team/schemas/tools/{name}.json"), &tool.to_string());
    }
    let report = folder.report(&["team", "--profile", "catalogue"]);
    assert_eq!(wrong(&report), ["team/schemas/tools/search_tickets.json"]);
    assert_eq!(
        said(&report, "tools/search_tickets.json"),
        one("policy.catalogue.size", "", "")
    );
}

#[test]
fn what_was_recorded_without_its_listing_is_judged_by_the_catalogue() {
    let folder = team();
    let call = |arguments: &str| {
        let params = format!("\"params\":{{\"name\":\"create_refund\",\"arguments\":{arguments}}}");
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",{params}}}\n")
    };
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}],
        "structuredContent":{"status":"refunded","because":"too_late"}}}"#;
    let log =
        call(r#"{"order_id":"A-1001","amount":-5,"reason":"late"}"#) + &answer.replace('\n', "");
    folder.write("team/examples/traffic.jsonl", &log);
    let report = folder.report(&["team", "--protocol", "2025-11-25"]);
    let said = said(&report, "traffic.jsonl");
    let found: Vec<_> = said
        .iter()
        .map(|(rule, pointer, keyword)| (rule.as_str(), pointer.as_str(), keyword.as_str()))
        .collect();
    let expected = [
        (
            "mcp.call.arguments.schema",
            "/0/params/arguments/amount",
            "exclusiveMinimum",
        ),
        (
            "mcp.result.structured-content.schema",
            "/1/result/structuredContent",
            "oneOf",
        ),
    ];
    assert_eq!(found, expected);
    // An exchange may name its tool.
    folder.write(
        "team/examples/exchange.json",
        r#"{"tool": "find_ticket", "arguments": {"ticket_id": "1042"}}"#,
    );
    let report = folder.report(&["team/examples/exchange.json"]);
    assert_eq!(
        rules(&report["documents"][0]),
        ["mcp.call.arguments.schema"]
    );
    assert_eq!(report["documents"][0]["tools"], 0);
}

#[test]
fn projections_are_left_to_their_own_check() {
    let folder = team();
    folder.write(
        "team/projections/openai-function/create_refund.json",
        "{\"type\": \"function\"}",
    );
    folder.write("projections/tools.json", crate::program::VALID);
    let report = folder.report(&["."]);
    let documents = report["documents"].as_array().unwrap();
    let made = |path: &str| {
        documents
            .iter()
            .any(|it| it["path"].as_str().unwrap().ends_with(path))
    };
    assert!(!made("openai-function/create_refund.json"));
    assert!(
        made("projections/tools.json"),
        "elsewhere the folder is like others"
    );
}

#[test]
fn a_schemas_folder_of_other_things_changes_nothing() {
    let tool = r#"{"name": "ping", "inputSchema": {"type": "object"}}"#;
    let folder = Folder::with(&[("schemas/ping.json", tool)]);
    let run = folder.run(["check", "--format", "json", "."]);
    assert_eq!((verdicts(&run.json()), run.code), (vec!["unreadable"], 2));
}

#[test]
fn a_listing_among_the_schemas_is_a_listing() {
    let folder = team();
    folder.write("team/schemas/tools/listed.json", crate::program::VALID);
    let report = folder.report(&["team/schemas/tools/listed.json"]);
    assert_eq!(report["documents"][0]["kind"], "listing");
    assert_eq!(verdicts(&report), ["valid"]);
}
