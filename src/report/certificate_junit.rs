//! A certificate as `JUnit` XML: a suite per version and gate, a case per case.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report as Xml, TestCase, TestCaseStatus, TestSuite};

use super::certificate::{Matrix, expected, got};
use super::junit::clean;
use crate::certify::{Certificate, CertificateCase, Verdict};

pub(super) fn write(certificate: &Certificate, out: &mut impl Write) -> io::Result<()> {
    let implementation = &certificate.implementation;
    let name = format!("{} {}", implementation.name, implementation.version);
    let mut xml = Xml::new(clean(&name));
    let matrix = Matrix::of(certificate);
    for version in &matrix.versions {
        for gate in &matrix.gates {
            let cases = certificate.cases.iter();
            let here =
                |case: &&CertificateCase| case.gate == *gate && case.protocol_version == *version;
            let cases: Vec<_> = cases.filter(here).map(case).collect();
            if cases.is_empty() {
                continue;
            }
            let mut suite = TestSuite::new(format!("{version} {gate}"));
            suite.add_test_cases(cases);
            xml.add_test_suite(suite);
        }
    }
    if !certificate.complete {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status
            .set_type("incomplete")
            .set_message("the run was interrupted");
        let mut suite = TestSuite::new("run");
        suite.add_test_case(TestCase::new("complete", status));
        xml.add_test_suite(suite);
    }
    let xml = xml.to_string().map_err(io::Error::other)?;
    out.write_all(xml.as_bytes())
}

/// A must or a should that is missed fails; what broke is an error; what the baseline knows and
/// what the implementation does not do is skipped, with the reason.
fn case(case: &CertificateCase) -> TestCase {
    let why = clean(case.why.as_deref().unwrap_or_default());
    let status = match case.verdict {
        Verdict::Pass | Verdict::Informational => TestCaseStatus::success(),
        Verdict::Skipped => skipped(&why),
        _ if let Some(known) = &case.known => skipped(&format!("known: {}", clean(&known.reason))),
        verdict => {
            let kind = match verdict {
                Verdict::Errored | Verdict::Timeout | Verdict::Crashed => NonSuccessKind::Error,
                _ => NonSuccessKind::Failure,
            };
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(verdict.as_str()).set_message(why);
            status.set_description(details(case));
            status
        }
    };
    let mut xml = TestCase::new(clean(&case.id), status);
    xml.set_classname(format!("{}.{}", case.protocol_version, case.gate));
    xml.set_time(case.outcome.elapsed);
    xml
}

fn skipped(why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(why);
    status
}

fn details(case: &CertificateCase) -> String {
    let sent = case
        .sent
        .as_ref()
        .map_or_else(String::new, ToString::to_string);
    let smallest = case.shrunk.as_ref();
    let lines = [
        ("expected", expected(case)),
        ("got", got(case)),
        ("rules", case.rules.join(", ")),
        ("source", case.source.join("; ")),
        ("sent", sent),
        (
            "smallest",
            smallest.map_or_else(String::new, |small| small.payload.to_string()),
        ),
        ("again", case.rerun.clone().unwrap_or_default()),
    ];
    let lines = lines.iter().filter(|(_, text)| !text.is_empty());
    let lines: Vec<_> = lines
        .map(|(name, text)| format!("{name}: {}", clean(text)))
        .collect();
    lines.join("\n")
}
