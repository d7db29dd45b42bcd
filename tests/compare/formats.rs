//! A comparison in each format.

use mcp_conform::certify::{Certificate, Comparison, Known};
use mcp_conform::report::{ComparisonFormat, write_comparison};
use serde_json::{Value, json};

use crate::certifying::{assert_fits, schema};
use crate::sample::{ENUM, ID, SILENT, faithful, loose, timid};

/// Three certificates, and what a baseline says of one divergence.
fn certificates() -> Vec<Certificate> {
    let mut all = vec![faithful(), loose(), timid()];
    for case in all[1].cases.iter_mut().filter(|case| case.id == ID) {
        case.known = Some(Known {
            reason: "the library reads `$id` as any text".to_owned(),
            issue: Some("https://example.org/loose/issues/7".to_owned()),
        });
    }
    all
}

fn written(certificates: &[Certificate], format: ComparisonFormat) -> String {
    let comparison = Comparison::new(certificates);
    let files = ["faithful.json", "loose.json", "timid.json"].map(str::to_owned);
    let mut out = Vec::new();
    write_comparison(&comparison, &files, format, &mut out).expect("it can be written");
    String::from_utf8(out).expect("it is text")
}

#[test]
fn markdown() {
    let page = written(&certificates(), ComparisonFormat::Markdown);
    // The version of this program is not the test's business.
    let page = page.replace(
        concat!("mcp-conform ", env!("CARGO_PKG_VERSION")),
        "mcp-conform VERSION",
    );
    insta::assert_snapshot!(page);
}

#[test]
fn every_link_of_the_markdown_leads_somewhere() {
    let page = written(&certificates(), ComparisonFormat::Markdown);
    let links: Vec<_> = page
        .split("](#")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    assert!(links.len() >= 4, "{links:?}");
    for link in links {
        let anchor = format!("<a id=\"{link}\"></a>");
        assert!(page.contains(&anchor), "{link}");
    }
}

#[test]
fn text() {
    insta::assert_snapshot!(written(&certificates(), ComparisonFormat::Text));
}

#[test]
fn json_fits_its_schema_and_has_every_answer() {
    let text = written(&certificates(), ComparisonFormat::Json);
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_fits(&schema("docs/schemas/comparison.schema.json"), &value);
    let divergence = &value["divergences"][0];
    assert_eq!(divergence["id"], ID);
    assert_eq!(divergence["rule"], "mcp.tool.schema.id");
    assert_eq!(
        divergence["protocolVersions"],
        json!(["2025-11-25", "2026-07-28"])
    );
    let verdicts = divergence["answers"].as_array().expect("answers").iter();
    let verdicts: Vec<_> = verdicts.map(|answer| answer["verdict"].clone()).collect();
    assert_eq!(verdicts, ["pass", "fail", "wrong-reason"]);
    assert_eq!(
        divergence["answers"][1]["rerun"],
        format!("mcp-conform certify --case {ID} --protocol 2025-11-25 -- ./loose")
    );
    assert_eq!(divergence["sent"]["op"], "run");
    assert_eq!(value["silent"][0]["id"], SILENT);
    assert_eq!(
        value["command"],
        "mcp-conform certify --compare faithful.json loose.json timid.json"
    );
}

#[test]
fn another_suite_that_asks_for_something_else_is_not_passed_over() {
    let mut all = certificates();
    all[2].suite.sha256 = "0".repeat(64);
    for case in all[2].cases.iter_mut().filter(|case| case.id == ENUM) {
        case.expected_keyword = Some("const".to_owned());
    }
    let text = written(&all, ComparisonFormat::Json);
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_fits(&schema("docs/schemas/comparison.schema.json"), &value);
    assert_eq!(value["sameSuite"], false);
    let list = value["divergences"].as_array().expect("a list");
    let one = list.iter().find(|one| one["id"] == ENUM).expect("listed");
    assert!(one["answers"][0]["asks"].is_null());
    let asks = one["answers"][2]["asks"].as_str().expect("it says so");
    assert!(
        asks.starts_with("should: reject") && asks.contains("by `const`"),
        "{asks}"
    );
    for format in [ComparisonFormat::Text, ComparisonFormat::Markdown] {
        let text = written(&all, format);
        assert!(text.contains("different suites"), "{text}");
        assert!(text.contains("by `const`"), "{text}");
    }
}

#[test]
fn what_a_certificate_holds_stays_text() {
    let mut all = certificates();
    all[0].implementation.name = String::from("</script><b>|a `b` @c\u{1b}[31m");
    all[0].cases[0].id = String::from("x</summary>#\u{202e}y|z");
    all[0].cases[0].verdict = mcp_conform::certify::Verdict::Fail;
    let markdown = written(&all, ComparisonFormat::Markdown);
    for line in markdown.lines() {
        // Between backticks it is code.
        let outside: String = line.split('`').step_by(2).collect();
        assert!(
            !outside.contains("<b>") && !outside.contains("x</"),
            "{line}"
        );
    }
    assert!(!markdown.contains(" @c") && !markdown.contains('\u{1b}'));
    let heads = markdown
        .lines()
        .filter(|line| line.starts_with("| Version"));
    for head in heads {
        let bars = head.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 6, "{head}");
    }
    let html = written(&all, ComparisonFormat::Html);
    assert_eq!(html.matches("</script").count(), 2);
    assert!(!html.contains("{{"));
    let text = written(&all, ComparisonFormat::Text);
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
}

/// A rule that everything violates does not crowd out the others, and what is cut is counted.
#[test]
fn long_lists_are_cut_with_a_count() {
    let mut all = certificates();
    let mut cases = all[1].cases.iter();
    let model = cases.find(|case| case.id == ID && case.protocol_version == "2025-11-25");
    let model = model.expect("the case").clone();
    for certificate in &mut all {
        for number in 0..400 {
            let mut case = model.clone();
            case.id = format!("definition/identifiers#generated_{number}");
            certificate.cases.push(case);
        }
    }
    let page = written(&all, ComparisonFormat::Markdown);
    assert!(
        page.contains("391 more cases not listed; see [all of it](#all-of-it)."),
        "{page}"
    );
    assert!(
        page.contains(ENUM),
        "the shoulds are there, however many the musts"
    );
    let text = written(&all, ComparisonFormat::Text);
    assert!(text.contains("302 more divergences not shown"), "{text}");
    let json = written(&all, ComparisonFormat::Json);
    assert!(json.contains("generated_399"));
}
