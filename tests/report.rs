//! Every output format over one report, and over texts that are hard to show.

#[path = "support/sample_report.rs"]
mod sample;

use std::time::Duration;

use mcp_conform::diagnostic::{Diagnostic, Severity, Verdict};
use mcp_conform::report::{self, DocumentReport, Format, Report, Style};
use mcp_conform::source::{Pointer, Span};
use sample::{checked, diagnostic, report, source};
use serde_json::Value;

fn written(report: &Report, format: Format, style: &Style) -> String {
    let mut out = Vec::new();
    report::write(report, format, style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn plain(format: Format) -> String {
    written(&report(), format, &Style::default())
}

/// The published schema of `--format json`, ready to judge.
fn schema() -> jsonschema::Validator {
    let schema: Value =
        serde_json::from_str(include_str!("../docs/schemas/check.schema.json")).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::draft202012::new(&schema).unwrap()
}

#[test]
fn text() {
    insta::assert_snapshot!(plain(Format::Text));
}

#[test]
fn text_names_every_document_when_asked_to() {
    let style = Style {
        verbose: true,
        ..Style::default()
    };
    insta::assert_snapshot!(written(&report(), Format::Text, &style));
}

#[test]
fn text_says_nothing_of_valid_documents() {
    let mut report = report();
    report
        .documents
        .retain(|document| document.verdict() == Verdict::Valid);
    let text = written(&report, Format::Text, &Style::default());
    assert_eq!(
        text,
        "checked 1 document in 12 ms: 1 valid\ntyped output: 3 of 3 tools\n"
    );
}

#[test]
fn colour_changes_no_word() {
    let style = Style {
        color: true,
        ..Style::default()
    };
    let mut bare = String::new();
    for (index, part) in written(&report(), Format::Text, &style)
        .split('\u{1b}')
        .enumerate()
    {
        let after = if index == 0 {
            part
        } else {
            part.split_once('m').unwrap().1
        };
        bare.push_str(after);
    }
    assert_eq!(bare, plain(Format::Text));
}

#[test]
fn json() {
    let text = plain(Format::Json);
    let value: Value = serde_json::from_str(&text).unwrap();
    let errors: Vec<_> = schema()
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    insta::assert_snapshot!(text);
}

#[test]
fn the_json_schema_is_closed() {
    let schema = schema();
    let value: Value = serde_json::from_str(&plain(Format::Json)).unwrap();
    for (place, member) in [
        ("", "more"),
        ("/documents/0", "reason"),
        ("/documents/0", "more"),
        ("/documents/0/verdicts", "next"),
        ("/documents/0/diagnostics/0", "more"),
        ("/summary", "more"),
        ("/summary/documents", "more"),
    ] {
        let mut value = value.clone();
        value.pointer_mut(place).unwrap()[member] = Value::from("valid");
        assert!(!schema.is_valid(&value), "{member} at {place:?}");
    }
}

#[test]
fn sarif() {
    let text = plain(Format::Sarif);
    let mut value: Value = serde_json::from_str(&text).unwrap();
    serde_json::from_str::<serde_sarif::sarif::Sarif>(&text).unwrap();
    assert_eq!(value["version"], "2.1.0");
    let run = &value["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let artifacts = run["artifacts"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let index = place["artifactLocation"]["index"].as_u64().unwrap();
        let artifact = &artifacts[usize::try_from(index).unwrap()];
        assert_eq!(
            artifact["location"]["uri"],
            place["artifactLocation"]["uri"]
        );
        assert!(place["region"]["startLine"].is_u64() && result["message"]["text"].is_string());
    }
    // What the catalogue says of rules is the catalogue's, and the version changes by release.
    let driver = &mut value["runs"][0]["tool"]["driver"];
    for name in ["version", "semanticVersion", "fullName"] {
        driver[name] = Value::from("…");
    }
    for rule in driver["rules"].as_array_mut().unwrap() {
        *rule = serde_json::json!({"id": rule["id"]});
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&value).unwrap());
}

#[test]
fn junit() {
    let xml = plain(Format::Junit);
    let read = quick_junit::Report::deserialize_from_str(&xml).unwrap();
    assert_eq!((read.tests, read.failures, read.errors), (13, 5, 1));
    insta::assert_snapshot!(xml);
}

#[test]
fn github() {
    insta::assert_snapshot!(plain(Format::Github));
}

#[test]
fn markdown() {
    insta::assert_snapshot!(plain(Format::Markdown));
}

#[test]
fn no_documents_are_no_failure_of_the_writer() {
    let report = Report::default();
    assert_eq!(report.verdict(), Verdict::Valid);
    for format in FORMATS {
        written(&report, format, &Style::default());
    }
    let value: Value =
        serde_json::from_str(&written(&report, Format::Json, &Style::default())).unwrap();
    assert!(schema().is_valid(&value));
}

const FORMATS: [Format; 6] = [
    Format::Text,
    Format::Json,
    Format::Sarif,
    Format::Junit,
    Format::Github,
    Format::Markdown,
];

/// A report on `text` with a diagnostic at `span`, whose words come from outside too.
fn hostile(text: &str, span: Span, words: &str) -> Report {
    let source = source(words, text);
    let diagnostic = Diagnostic {
        message: format!("the value has the undeclared member `{words}`"),
        pointer: Pointer::root().join(words),
        keyword: Some(words.to_owned()),
        ..diagnostic(
            &source,
            "mcp.result.structured-content.schema",
            Severity::Error,
            span,
        )
    };
    Report {
        documents: vec![DocumentReport {
            path: words.chars().take(40).collect(),
            kind: Some("listing"),
            checked: checked(vec![diagnostic], 0, 0),
            source: Some(source),
            unreadable: None,
        }],
        elapsed: Duration::ZERO,
    }
}

/// Empty texts, line ends of every sort, tabs, wide and composed characters, and what a terminal
/// would obey; spans anywhere, inside a character and beyond the end too.
#[test]
fn no_text_and_no_span_stops_a_format() {
    let texts = [
        "",
        "\n",
        "\r\n",
        "\r",
        "{}",
        "{\n}",
        "{\r\n\t\"a\":\t1,\r\n\r\n}\r\n",
        "\t\t\t\"ключ\": \"値段 👩‍👩‍👧\"\n",
        "\u{feff}{\"a\u{301}\": \"\u{202e}\u{9b}31m\u{1b}[31m\0\"}",
        "[1,\r\r\n2]",
    ];
    for text in texts {
        for start in 0..=text.len() + 1 {
            for end in [start, start + 1, text.len(), text.len() + 3] {
                let report = hostile(text, start..end, "a\u{1b}[31m,%\r\n::|`<b>\u{ffff}");
                for format in FORMATS {
                    let said = written(&report, format, &Style::default());
                    assert!(!said.contains(['\u{1b}', '\u{9b}']), "{format:?}: {said}");
                    assert!(!said.contains("\n::|"), "{format:?}: {said}");
                    if format == Format::Junit {
                        quick_junit::Report::deserialize_from_str(&said).unwrap();
                    }
                }
                let narrow = Style {
                    width: 0,
                    ..Style::default()
                };
                written(&report, Format::Text, &narrow);
            }
        }
    }
}

#[test]
fn a_document_on_one_line_is_never_printed_whole() {
    let name = "n".repeat(100_000);
    let text = format!("{{\"{name}\":[{}7]}}", "1,".repeat(500_000));
    let at = text.rfind('7').unwrap();
    let report = hostile(&text, at..at + 1, &name);
    for format in [
        Format::Text,
        Format::Junit,
        Format::Github,
        Format::Markdown,
    ] {
        let said = written(&report, format, &Style::default());
        let longest = said.lines().map(str::len).max().unwrap_or_default();
        assert!(longest < 2_000, "{format:?} has a line of {longest} bytes");
    }
    let said = written(&report, Format::Text, &Style::default());
    let column = at + 1;
    assert!(said.contains(&format!(":1:{column}\n")), "{said}");
}
