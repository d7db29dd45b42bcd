//! Catalogues: the example as it stands, and what a mistake in it comes to.

use mcp_conform::schema::{Bounds, Instance, Judgement, Schema};
use serde_json::{Value, json};

use crate::program::{Folder, rules, verdicts};
use crate::support::root;

/// A copy of the example catalogue, in the folder `team`.
fn team() -> Folder {
    let folder = Folder::with(&[]);
    let from = root().join("examples/catalogue");
    for part in ["schemas", "examples", "mcp-conform.toml"] {
        for entry in walkdir::WalkDir::new(from.join(part)) {
            let path = entry.unwrap().into_path();
            if path.is_file() {
                let name = path.strip_prefix(&from).unwrap();
                let text = std::fs::read_to_string(&path).unwrap();
                folder.write(std::path::Path::new("team").join(name), &text);
            }
        }
    }
    folder
}

/// The example with one text in one file replaced.
fn with(file: &str, old: &str, new: &str) -> Folder {
    let folder = team();
    let path = folder.path().join("team").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{file} does not hold {old}");
    folder.write(path, &text.replace(old, new));
    folder
}

/// What is said of the file whose path ends so: rule, pointer and keyword of each diagnostic.
fn said(report: &Value, file: &str) -> Vec<(String, String, String)> {
    let documents = report["documents"].as_array().unwrap();
    let document = documents
        .iter()
        .find(|document| document["path"].as_str().unwrap().ends_with(file))
        .unwrap_or_else(|| panic!("{file} has no entry"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    document["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                text(&it["rule"]),
                text(&it["pointer"]),
                text(&it["keyword"]),
            )
        })
        .collect()
}

fn one(rule: &str, pointer: &str, keyword: &str) -> Vec<(String, String, String)> {
    vec![(rule.to_owned(), pointer.to_owned(), keyword.to_owned())]
}

/// The paths that are not valid.
fn wrong(report: &Value) -> Vec<&str> {
    let documents = report["documents"].as_array().unwrap();
    documents
        .iter()
        .filter(|document| document["verdict"] != "valid")
        .map(|document| document["path"].as_str().unwrap())
        .collect()
}

#[test]
fn each_file_of_the_example_is_of_its_kind_and_valid() {
    let run = team().run(["check", "--format", "json", "team"]);
    let report = run.json();
    assert_eq!((wrong(&report), run.code), (Vec::new(), 0));
    let documents = report["documents"].as_array().unwrap();
    let mut kinds: Vec<_> = documents
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(
        kinds,
        [
            "contract",
            "conversation",
            "payloads",
            "recorded",
            "samples",
            "tool"
        ]
    );
    assert_eq!(report["summary"]["tools"], 3, "samples define no tools");
}

#[test]
fn a_sample_is_judged_from_wherever_the_program_is_started() {
    let folder = with(
        "examples/payloads.json",
        "\"T-1042\", \"title\": \"Invoice sent twice\", \"status\": \"open\"}",
        "\"T-1042\", \"title\": \"Invoice sent twice\", \"status\": \"new\"}",
    );
    let expected = one(
        "catalogue.sample.verdict",
        "/validate_these/structured_ok",
        "enum",
    );
    let whole = folder.run(["check", "--format", "json", "team"]);
    assert_eq!(said(&whole.json(), "search_tickets.output.json"), expected);
    assert_eq!(whole.code, 1);
    let mut program = folder.program();
    program.current_dir(folder.path().join("team/examples"));
    let alone = crate::program::finish(program.args([
        "check",
        "--format",
        "json",
        "search_tickets.output.json",
    ]));
    assert_eq!(said(&alone.json(), "search_tickets.output.json"), expected);
    let mut program = folder.program();
    program.current_dir(folder.path().join("team"));
    let inside = crate::program::finish(program.args(["check", "--format", "json", "."]));
    assert_eq!(said(&inside.json(), "search_tickets.output.json"), expected);
}

#[test]
fn a_schema_that_grows_a_hole_is_told_by_the_sample_that_should_fail() {
    let folder = with(
        "schemas/tools/create_refund.json",
        "\"required\": [\"order_id\", \"amount\", \"reason\"],\n    \"additionalProperties\": false",
        "\"required\": [\"order_id\", \"amount\", \"reason\"]",
    );
    let report = folder.report(&["team"]);
    assert_eq!(
        said(&report, "create_refund.input.json"),
        one(
            "catalogue.sample.verdict",
            "/validate_these/refund_injected_key",
            ""
        )
    );
    assert_eq!(wrong(&report), ["team/examples/create_refund.input.json"]);
}

#[test]
fn a_success_that_hides_a_wrong_branch_fails_where_the_sample_says_pass() {
    let folder = with(
        "examples/create_refund.output.json",
        "\"refunded_without_payment\": \"fail\"",
        "\"refunded_without_payment\": \"pass\"",
    );
    assert_eq!(
        said(&folder.report(&["team"]), "create_refund.output.json"),
        one(
            "catalogue.sample.verdict",
            "/validate_these/refunded_without_payment",
            "oneOf"
        )
    );
}

#[test]
fn names_that_lead_nowhere_are_errors() {
    let renamed = with(
        "schemas/tools/find_ticket.json",
        "\"name\": \"find_ticket\"",
        "\"name\": \"get_ticket\"",
    );
    assert_eq!(
        said(&renamed.report(&["team"]), "find_ticket.input.json"),
        one("catalogue.sample.ref", "/tool_ref", "")
    );
    let payload = with("examples/payloads.json", "\"by_both\":", "\"both\":");
    assert_eq!(
        said(&payload.report(&["team"]), "find_ticket.input.json"),
        one("catalogue.sample.ref", "/validate_these/by_both", "")
    );
}

#[test]
fn a_tool_of_two_files_is_ambiguous() {
    let folder = team();
    let tool = std::fs::read_to_string(folder.path().join("team/schemas/tools/find_ticket.json"));
    folder.write("team/schemas/tools/find_ticket_copy.json", &tool.unwrap());
    let report = folder.report(&["team", "--profile", "catalogue"]);
    assert_eq!(
        said(&report, "find_ticket.input.json"),
        one("catalogue.sample.ref", "/tool_ref", "")
    );
    let twin = one("policy.schema.id", "/$id", "$id");
    assert_eq!(said(&report, "tools/find_ticket.json"), twin);
    assert_eq!(said(&report, "find_ticket_copy.json"), twin);
}

#[test]
fn a_damaged_schema_is_reported_once_and_costs_its_own_samples_alone() {
    let folder = team();
    folder.write(
        "team/schemas/tools/find_ticket.json",
        "{\"name\": \"find_ticket\",",
    );
    let run = folder.run(["check", "--format", "json", "team"]);
    let report = run.json();
    assert_eq!(said(&report, "tools/find_ticket.json")[0].0, "json.syntax");
    assert_eq!(
        wrong(&report),
        [
            "team/examples/find_ticket.input.json",
            "team/schemas/tools/find_ticket.json"
        ]
    );
    assert_eq!(run.code, 1);
}

#[test]
fn a_schema_that_cannot_judge_lets_no_sample_pass() {
    let folder = with(
        "schemas/tools/find_ticket.json",
        "\"#/$defs/search\"}]",
        "\"#/$defs/query\"}]",
    );
    let report = folder.report(&["team"]);
    assert_eq!(
        said(&report, "find_ticket.input.json"),
        one("catalogue.sample.verdict", "/tool_ref", "")
    );
    assert_eq!(
        said(&report, "tools/find_ticket.json")[0].0,
        "mcp.tool.schema.ref-unresolved"
    );
}

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

#[test]
fn samples_may_name_their_file_of_payloads() {
    let folder = team();
    let samples = |file: &str| {
        let samples = json!({"tool_ref": "find_ticket.inputSchema", "payloads": file, "validate_these": {"by_id": "pass"}});
        folder.write("team/examples/tickets/find.json", &samples.to_string());
        said(&folder.report(&["team"]), "tickets/find.json")
    };
    assert_eq!(samples("../payloads.json"), Vec::new());
    folder.write(
        "team/examples/tickets/ticket-payloads.yaml",
        "payloads:\n  by_id: {ticket_id: T-1}\n",
    );
    assert_eq!(samples("ticket-payloads.yaml"), Vec::new());
    // Nothing outside the catalogue is read, and nothing that is not called payloads.
    folder.write("payloads.json", "{\"by_id\": {\"ticket_id\": \"T-1\"}}");
    let missing = one("catalogue.sample.ref", "/validate_these/by_id", "");
    for file in [
        "../../../payloads.json",
        "/etc/payloads.json",
        "../../schemas/tools/find_ticket.json",
        "none-payloads.json",
    ] {
        assert_eq!(samples(file), missing, "{file}");
    }
}

#[test]
fn the_published_schema_of_samples_says_what_the_rule_says() {
    let read = |path: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(root().join(path)).unwrap()).unwrap()
    };
    let schema = read("docs/schemas/samples.schema.json");
    let compiled = Schema::new(&schema, Bounds::default()).compiled().unwrap();
    let fits = |path: &str| compiled.judge(Instance::plain(&read(path))) == Judgement::Fits;
    let mut judged = 0;
    for folder in [
        "expected-valid",
        "expected-invalid",
        "examples/catalogue/examples",
    ] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = format!("{folder}/{name}");
            let is_samples = name.starts_with("samples-")
                || folder.ends_with("examples") && name.contains("put.json");
            if !is_samples || name.ends_with(".snap") {
                continue;
            }
            let snap = std::fs::read_to_string(root().join(format!("{path}.snap")));
            let breaks_it = snap.is_ok_and(|snap| snap.contains("catalogue.sample.shape"));
            assert_eq!(fits(&path), !breaks_it, "{path}");
            judged += 1;
        }
    }
    assert!(judged > 12, "{judged}");
}
