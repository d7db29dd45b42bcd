//! What `certify` says of an implementation, in each format.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::Value;

use super::{
    certificate_badge, certificate_html, certificate_junit, certificate_markdown, certificate_text,
};
use crate::certify::{Certificate, CertificateCase, Verdict};

/// How a certificate is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CertificateFormat {
    /// A matrix of gates and versions, then every divergence
    #[default]
    Text,
    /// One JSON object, with a published schema
    Json,
    /// `JUnit` XML: a suite per version and gate
    Junit,
    /// A job summary
    Markdown,
    /// One self-contained page, with filters
    Html,
    /// The endpoint format of shields.io
    Badge,
}

/// Writes `certificate` as `format`.
pub fn write(
    certificate: &Certificate,
    format: CertificateFormat,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        CertificateFormat::Text => certificate_text::write(certificate, out),
        CertificateFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, certificate)?;
            writeln!(out)
        }
        CertificateFormat::Junit => certificate_junit::write(certificate, out),
        CertificateFormat::Markdown => certificate_markdown::write(certificate, out),
        CertificateFormat::Html => {
            let certificate = serde_json::to_value(certificate)?;
            out.write_all(certificate_html::html(&certificate).as_bytes())
        }
        CertificateFormat::Badge => {
            serde_json::to_writer_pretty(&mut *out, &certificate_badge::badge(certificate))?;
            writeln!(out)
        }
    }
}

/// The version's rows as the matrix has them: gates down, versions across.
pub(super) struct Matrix {
    pub(super) versions: Vec<String>,
    pub(super) gates: Vec<String>,
}

impl Matrix {
    pub(super) fn of(certificate: &Certificate) -> Self {
        let mut matrix = Self {
            versions: Vec::new(),
            gates: Vec::new(),
        };
        for row in &certificate.levels {
            for (list, name) in [
                (&mut matrix.versions, &row.protocol_version),
                (&mut matrix.gates, &row.gate),
            ] {
                if !list.contains(name) {
                    list.push(name.clone());
                }
            }
        }
        matrix
    }

    /// What holds at `gate` on `version`: a word, and how many musts and shoulds have passed; nothing
    /// where none was judged.
    pub(super) fn cell(
        certificate: &Certificate,
        gate: &str,
        version: &str,
    ) -> Option<(&'static str, String)> {
        let mut rows = certificate.levels.iter();
        let row = rows.find(|row| row.gate == gate && row.protocol_version == version)?;
        if !row.is_judged() {
            return Some(("not judged", String::new()));
        }
        let word = match (row.core, row.strict) {
            (_, true) => "strict",
            (true, false) => "core",
            (false, false) => "fails",
        };
        let (must, should) = (row.must, row.should);
        let counts = if row.strict {
            format!("{}", must.total + should.total)
        } else {
            format!(
                "must {}/{}, should {}/{}",
                must.passed, must.total, should.passed, should.total
            )
        };
        Some((word, counts))
    }
}

/// Divergences of one case that are the same on several versions.
pub(super) struct Divergence<'c> {
    pub(super) case: &'c CertificateCase,
    pub(super) versions: Vec<&'c str>,
}

/// The divergences, by the rule that they are about, in the order of the corpus.
pub(super) fn divergences(certificate: &Certificate) -> Vec<(&str, Vec<Divergence<'_>>)> {
    let mut groups: Vec<(&str, Vec<Divergence<'_>>)> = Vec::new();
    for case in certificate
        .cases
        .iter()
        .filter(|case| case.verdict.is_failure())
    {
        let rule = case.rule.as_deref().unwrap_or("");
        let index = groups
            .iter()
            .position(|(known, _)| *known == rule)
            .unwrap_or_else(|| {
                groups.push((rule, Vec::new()));
                groups.len() - 1
            });
        let group = &mut groups[index].1;
        let same = |other: &&mut Divergence<'_>| {
            let other = other.case;
            other.id == case.id && other.verdict == case.verdict && other.why == case.why
        };
        match group.iter_mut().rev().take(3).find(same) {
            Some(divergence) => divergence.versions.push(&case.protocol_version),
            None => group.push(Divergence {
                case,
                versions: vec![&case.protocol_version],
            }),
        }
    }
    groups
}

/// What was expected, in one clause.
pub(super) fn expected(case: &CertificateCase) -> String {
    let mut said = case.expected.as_str().to_owned();
    let mut parts = Vec::new();
    if !case.expected_reason.is_empty() {
        let reasons = case.expected_reason.iter().map(|reason| reason.as_str());
        parts.push(reasons.collect::<Vec<_>>().join(" or "));
    }
    parts.extend(
        case.expected_branch
            .map(|branch| format!("branch {}", branch.as_str())),
    );
    parts.extend(
        case.expected_keyword
            .as_ref()
            .map(|keyword| format!("by `{keyword}`")),
    );
    parts.extend(case.expected_at.as_ref().map(|at| format!("at {at:?}")));
    parts.extend(
        case.expected_usable
            .as_ref()
            .map(|names| format!("usable {names:?}")),
    );
    if !parts.is_empty() {
        let _ = write!(said, " ({})", parts.join(", "));
    }
    said
}

/// What came back, in one clause.
pub(super) fn got(case: &CertificateCase) -> String {
    let outcome = &case.outcome;
    let mut said = match case.verdict {
        Verdict::Errored | Verdict::Timeout | Verdict::Crashed => case.verdict.to_string(),
        _ => outcome.answer.as_str().to_owned(),
    };
    let mut parts = Vec::new();
    parts.extend(outcome.reason.map(|reason| reason.as_str().to_owned()));
    parts.extend(
        outcome
            .branch
            .map(|branch| format!("branch {}", branch.as_str())),
    );
    parts.extend(
        outcome
            .keyword
            .as_ref()
            .map(|keyword| format!("by `{keyword}`")),
    );
    parts.extend(outcome.at.as_ref().map(|at| format!("at {at:?}")));
    parts.extend(
        outcome
            .usable
            .as_ref()
            .map(|names| format!("usable {names:?}")),
    );
    parts.extend(
        outcome
            .delivered
            .as_ref()
            .map(|text| format!("delivered {text}")),
    );
    if !parts.is_empty() {
        let _ = write!(said, " ({})", parts.join(", "));
    }
    said
}

/// The texts under test of a message as it was sent, by the names of their members.
pub(super) fn texts(sent: &Value) -> impl Iterator<Item = (&str, &str)> {
    let members = sent.as_object().into_iter().flatten();
    let texts = members.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    texts.filter(|(name, _)| !matches!(*name, "op" | "gate" | "version"))
}

/// The counts that are not nothing: "5079 cases: 5070 pass, 9 fail".
pub(super) fn counts(certificate: &Certificate) -> String {
    let counts = &certificate.counts;
    let mut said = super::plural(counts.total(), "case");
    let some = Verdict::ALL
        .into_iter()
        .filter(|verdict| counts.of(*verdict) > 0);
    for (index, verdict) in some.enumerate() {
        let before = if index == 0 { ": " } else { ", " };
        let _ = write!(said, "{before}{} {verdict}", counts.of(verdict));
    }
    said
}

/// What has to be said before any figure.
pub(super) fn notices(certificate: &Certificate) -> Vec<String> {
    use crate::certify::Smoke;
    let mut notices = Vec::new();
    if !certificate.complete {
        notices.push(
            "The run was interrupted: this certificate is partial and claims nothing.".to_owned(),
        );
    }
    match certificate.smoke {
        Some(Smoke::AcceptsAll) => notices.push(
            "The implementation accepts everything: does the adapter look at what it is sent?"
                .to_owned(),
        ),
        Some(Smoke::RejectsAll) => notices.push(
            "The implementation rejects everything: does the adapter look at what it is sent?"
                .to_owned(),
        ),
        None => {}
    }
    if certificate.restarts > 0 {
        let times = super::plural(certificate.restarts as usize, "time");
        notices.push(format!("The implementation was started again {times}."));
    }
    notices
}
