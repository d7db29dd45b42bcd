//! Catalogues: the example as it stands, and what a mistake in its samples comes to.

use mcp_conform::schema::{Bounds, Instance, Judgement, Schema};
use serde_json::{Value, json};

use crate::support::root;
use crate::team::{one, said, team, with, wrong};

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
            if !is_samples || name.contains(".snap") {
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
