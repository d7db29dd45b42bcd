//! `JUnit` XML: a suite per document, a case per protocol version that it was judged on.

use std::fmt::Write as _;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report as Xml, TestCase, TestCaseStatus, TestSuite};

use super::{DocumentReport, MOST_SHOWN, Report, plural};
use crate::diagnostic::{Diagnostic, Severity};
use crate::protocol::ProtocolVersion;
use crate::source::cut;

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut xml = Xml::new("mcp-conform check");
    xml.set_time(report.elapsed);
    xml.add_test_suites(report.documents.iter().map(suite));
    // By way of a string, so that an error of `out` stays what it is: a closed pipe, a full disk.
    let xml = xml.to_string().map_err(io::Error::other)?;
    out.write_all(xml.as_bytes())
}

fn suite(document: &DocumentReport) -> TestSuite {
    let path = clean(&document.path);
    let mut cases: Vec<_> = document
        .verdicts()
        .map(|(version, _)| case(document, version))
        .collect();
    if let Some(reason) = &document.unreadable {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("unreadable").set_message(clean(reason));
        cases.push(TestCase::new("read", status));
    } else if cases.is_empty() {
        let mut status = TestCaseStatus::skipped();
        status.set_message("no protocol version to judge it on");
        cases.push(TestCase::new("judge", status));
    }
    for case in &mut cases {
        case.set_classname(path.as_str());
        case.extra.insert("file".into(), path.as_str().into());
    }
    let mut suite = TestSuite::new(path.as_str());
    let checked = &document.checked;
    suite.add_property(("tools", checked.tools.to_string().as_str()));
    suite.add_property(("typedOutput", checked.typed_output.to_string().as_str()));
    suite.add_test_cases(cases);
    if checked.omitted > 0 {
        let more = plural(checked.omitted, "more diagnostic");
        suite.set_system_out(format!("{more} not listed"));
    }
    suite
}

/// Errors fail the case; warnings go to its output, for no reader of this format knows the word.
fn case(document: &DocumentReport, version: ProtocolVersion) -> TestCase {
    let on = |severity| {
        let all = document.checked.diagnostics.iter();
        all.filter(move |d| d.severity == severity && d.versions.contains(version))
    };
    let lines = |severity| on(severity).map(line).collect::<Vec<_>>();
    let errors = lines(Severity::Error);
    let mut status = TestCaseStatus::success();
    if let Some(first) = errors.first() {
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        // Many readers show the message alone, so it says more than a number.
        status.set_type("invalid").set_message(match errors.len() {
            1 => first.clone(),
            all => format!("{first} (and {} more)", all - 1),
        });
        status.set_description(errors.join("\n"));
    }
    let mut case = TestCase::new(version.as_str(), status);
    let warnings = lines(Severity::Warning);
    if !warnings.is_empty() {
        case.set_system_out(warnings.join("\n"));
    }
    case
}

/// A diagnostic as compilers write it: place, severity, rule, message.
fn line(diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        rule,
        severity,
        line,
        column,
        ..
    } = diagnostic;
    let message = cut(&diagnostic.message, MOST_SHOWN);
    let pointer = cut(diagnostic.pointer.as_str(), MOST_SHOWN);
    let mut text = format!("{line}:{column}: {severity}[{rule}]: {message}");
    if !pointer.is_empty() {
        let _ = write!(text, " (at {pointer})");
    }
    clean(&text)
}

/// A text on one line, without the two characters that XML cannot hold and the writer lets pass.
pub(super) fn clean(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
        .replace(['\r', '\n'], " ")
}
