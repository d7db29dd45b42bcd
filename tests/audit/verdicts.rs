//! Every line ends as a counted verdict: damaged ones, hostile ones, those of unknown tools.

use mcp_conform::audit::{Options, Place};
use rstest::rstest;
use serde_json::json;

use crate::logs::{Found, audit, audit_as, one};

const SCHEMA: &str = "mcp.result.structured-content.schema";

fn tickets(structured: &str) -> String {
    format!(
        r#"{{"tool":"search_tickets","result":{{"content":[],"structuredContent":{structured}}}}}"#
    )
}

#[test]
fn damaged_lines_are_located_and_counted_and_the_others_judged() {
    let fine = tickets(r#"{"status":"open"}"#);
    let mut log = format!("{fine}\n\n{{\"tool\":\n{fine}\n[]\n{{\"tool\":\"search_tickets\"}}\n")
        .into_bytes();
    log.extend_from_slice(b"\"\xff\"\n");
    log.extend_from_slice(
        format!("{fine} {fine}\n\u{feff}{fine}\n7\n{{\"result\":1}}\n{fine}").as_bytes(),
    );
    let (report, found) = audit(log);
    let damaged: Vec<_> = found
        .iter()
        .filter(|found| found.verdict == "damaged")
        .map(|found| (found.line, found.rules.join(" ")))
        .collect();
    let syntax = "json.syntax".to_owned();
    assert_eq!(
        damaged,
        [
            (3, syntax.clone()),
            (5, String::new()),
            (6, String::new()),
            (7, syntax.clone()),
            (8, syntax.clone()),
            (9, syntax),
            (10, String::new()),
            (11, String::new()),
        ]
    );
    assert_eq!((report.records, report.fits, report.damaged), (11, 3, 8));
    assert_eq!(report.rules["json.syntax"], 4);
    let located = report
        .counts
        .iter()
        .filter(|count| count.rule.as_deref() == Some("json.syntax"));
    let located: Vec<_> = located.flat_map(|count| &count.examples).collect();
    assert_eq!(located[0].line, 3);
    assert_eq!(
        located[0].message.as_deref(),
        Some("the text ends too early at byte 8")
    );
}

#[rstest]
#[case::not_a_number("NaN", "damaged", &["json.syntax"])]
#[case::infinity("[1,-Infinity]", "damaged", &["json.syntax"])]
#[case::trailing_comma("{\"status\":\"open\",}", "damaged", &["json.syntax"])]
#[case::half_a_pair("\"\\ud800\"", "damaged", &["json.syntax"])]
#[case::control_character("\"a\u{1}\"", "damaged", &["json.syntax"])]
#[case::larger_than_any_double("1e400", "damaged", &["json.bounds"])]
#[case::smaller_than_any_double("{\"status\":\"open\",\"total\":1e-400}", "does-not-fit", &[SCHEMA])]
#[case::whole_with_a_point("{\"status\":\"open\",\"total\":1.0}", "fits", &[])]
#[case::whole_with_an_exponent("{\"status\":\"open\",\"total\":1e2}", "fits", &[])]
#[case::two_to_the_53("{\"status\":\"open\",\"total\":9007199254740992}", "fits", &[])]
#[case::one_more("{\"status\":\"open\",\"total\":9007199254740993}", "does-not-fit", &[SCHEMA])]
#[case::one_more_with_a_point("{\"status\":\"open\",\"total\":9007199254740993.0}", "does-not-fit", &[SCHEMA])]
#[case::twenty_digits("{\"status\":\"open\",\"total\":18446744073709551615}", "does-not-fit", &[SCHEMA])]
#[case::thirty_digits("{\"status\":\"open\",\"total\":123456789012345678901234567890}", "does-not-fit", &[SCHEMA])]
#[case::minus_zero("{\"status\":\"open\",\"total\":-0}", "fits", &[])]
#[case::only_the_last_member_counts("{\"status\":7,\"status\":\"open\"}", "fits", &["json.duplicate-key"])]
#[case::and_violates("{\"status\":\"open\",\"\\u0073tatus\":7}", "does-not-fit", &["json.duplicate-key", SCHEMA])]
#[case::prototype("{\"status\":\"open\",\"__proto__\":{}}", "does-not-fit", &[SCHEMA])]
#[case::constructor("{\"constructor\":\"open\"}", "does-not-fit", &[SCHEMA])]
#[case::null_for_an_optional_member("{\"status\":\"open\",\"total\":null}", "does-not-fit", &[SCHEMA])]
fn hostile_values(#[case] structured: &str, #[case] verdict: &str, #[case] rules: &[&str]) {
    let (branch, found, broken) = one(&tickets(structured));
    assert_eq!((found, broken), (verdict, rules.to_vec()));
    assert_eq!(
        branch,
        if verdict == "damaged" {
            ""
        } else {
            "validate_root"
        }
    );
}

#[test]
fn depth_is_bounded_and_size_is() {
    let nested = |levels: usize| tickets(&format!("{}{}", "[".repeat(levels), "]".repeat(levels)));
    assert_eq!(one(&nested(125)).1, "does-not-fit");
    assert_eq!(one(&nested(126)).1, "damaged");
    assert_eq!(one(&nested(126)).2, ["json.bounds"]);
    assert_eq!(one(&nested(100_000)).2, ["json.bounds"]);
    let mut options = Options::default();
    options.stream.longest = 1 << 10;
    let long = format!(
        "{}\n{}",
        tickets(&format!("\"{}\"", "a".repeat(1 << 20))),
        tickets("1")
    );
    let (report, found) = audit_as(long, options);
    assert_eq!((report.damaged, report.does_not_fit), (1, 1));
    assert_eq!(found[0].rules, ["json.bounds"]);
}

#[test]
fn a_large_value_is_shown_in_a_few_characters_and_only_on_request() {
    let line = tickets(&format!("{{\"status\":\"{}\"}}", "secret ".repeat(1 << 16)));
    let (report, _) = audit(&line);
    assert!(
        !serde_json::to_string(&report)
            .expect("JSON")
            .contains("secret")
    );
    let options = Options {
        show_values: true,
        ..Options::default()
    };
    let (report, _) = audit_as(&line, options);
    let text = serde_json::to_string(&report).expect("JSON");
    assert!(
        text.contains("secret") && text.len() < 4_000,
        "{}",
        text.len()
    );
}

#[rstest]
#[case("lost_tool", "mcp.call.tool.known")]
#[case("read_page", "mcp.tool.schema.ref-external")]
#[case("read_note", "mcp.tool.schema.ref-unresolved")]
#[case("read_log", "mcp.tool.schema.dialect")]
#[case("read_id", "mcp.tool.schema.id")]
#[case("read_loop", "mcp.tool.schema.ref-cycle")]
#[case("read_type", "mcp.tool.schema.valid")]
#[case("read_shape", "mcp.tool.shape")]
#[case("read_any", "mcp.tool.shape")]
#[case("read_pattern", "mcp.tool.schema.pattern")]
#[case("read_levels", "mcp.tool.schema.bounds")]
fn what_cannot_be_judged_says_why(#[case] tool: &str, #[case] rule: &str) {
    let line = json!({"tool": tool, "result": {"content": [], "structuredContent": {}}});
    assert_eq!(
        one(&line.to_string()),
        ("validate_root", "not-judged", vec![rule])
    );
    // A tool's own error passes, whatever its schema is; of an unknown one nothing is known.
    let line = json!({"tool": tool, "result": {"content": [], "isError": true}});
    let verdict = if tool == "lost_tool" {
        "not-judged"
    } else {
        "fits"
    };
    assert_eq!(one(&line.to_string()).1, verdict);
}

#[test]
fn a_pattern_that_backtracks_without_end_is_not_judged() {
    let code = format!("{}!", "a".repeat(60));
    let line = json!({"tool": "match_code", "result": {"structuredContent": {"code": code}}});
    let (report, found) = audit(line.to_string());
    assert_eq!(
        (found[0].verdict, found[0].rules.as_slice()),
        ("not-judged", &[SCHEMA][..])
    );
    let examples: Vec<_> = report
        .counts
        .iter()
        .flat_map(|count| &count.examples)
        .collect();
    let message = examples[0].message.as_deref();
    assert_eq!(message, Some("a regular expression ran out of its budget"));
}

#[test]
fn a_tool_without_an_output_schema_owes_nothing() {
    for result in [
        json!({"content": []}),
        json!({"content": [], "structuredContent": [1]}),
    ] {
        let line = json!({"tool": "close_ticket", "result": result});
        let (_, verdict, rules) = one(&line.to_string());
        assert_eq!((verdict, rules), ("fits", vec![]));
    }
}

#[test]
fn an_example_names_places_from_the_root_of_its_line() {
    let line = json!({
        "tool": "search_tickets",
        "record": {"tool": "search_tickets", "protocol": "2025-11-25", "metaIdTool": true},
        "server": "desk",
        "result": {"structuredContent": {"result": {"status": "lost", "total": 1}}},
    });
    let (report, _) = audit(format!("\n{line}"));
    let count = report
        .counts
        .iter()
        .find(|count| count.rule.as_deref() == Some(SCHEMA));
    let count = count.expect("a count of the rule");
    assert_eq!(count.server.as_deref(), Some("desk"));
    assert_eq!(count.branch.as_deref(), Some("legacy_wrapper"));
    let example = &count.examples[0];
    assert_eq!((example.log.as_str(), example.line), ("calls.jsonl", 2));
    let place = Place {
        pointer: "/result/structuredContent/result/status".to_owned(),
        keyword: Some("enum".to_owned()),
        schema_pointer: Some("/properties/status/enum".to_owned()),
        value: None,
    };
    assert_eq!(example.places, [place]);
    assert_eq!(report.servers["desk"].does_not_fit, 1);
    assert_eq!(report.tools["search_tickets"].records, 1);
}

#[test]
fn records_are_told_in_the_order_of_the_log() {
    let lines: Vec<_> = (0..500)
        .map(|n| match n % 3 {
            0 => tickets(r#"{"status":"open"}"#),
            1 => json!({"tool": "list_queues", "result": {"structuredContent": [n]}}).to_string(),
            _ => "damaged".to_owned(),
        })
        .collect();
    let mut options = Options::default();
    options.stream.window = 1 << 10;
    for threads in 1..4 {
        options.stream.threads = threads;
        let (_, found) = audit_as(lines.join("\n"), options.clone());
        let expected = (1..).zip(["fits", "does-not-fit", "damaged"].into_iter().cycle());
        let found: Vec<_> = found
            .iter()
            .map(|Found { line, verdict, .. }| (*line, *verdict))
            .collect();
        assert_eq!(
            found,
            expected.take(500).collect::<Vec<_>>(),
            "{threads} threads"
        );
    }
}
