//! What `check` says of documents, one file per output format.
//!
//! The caller builds a [`Report`] and [`write()`] turns it into bytes. A format decides how things
//! are said and never what the verdict is: verdicts and counts are computed here, once.

mod audit;
mod audit_markdown;
mod audit_text;
mod certificate;
mod certificate_badge;
mod certificate_html;
mod certificate_junit;
mod certificate_markdown;
mod certificate_text;
mod comparison;
mod comparison_entry;
mod comparison_html;
mod comparison_json;
mod comparison_markdown;
mod comparison_text;
mod diff;
mod excerpt;
mod github;
mod json;
mod junit;
mod markdown;
mod page;
mod project;
mod project_markdown;
mod project_text;
mod sarif;
mod text;
mod uri;

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;

use crate::diagnostic::{Diagnostic, Severity, Verdict};
use crate::protocol::ProtocolVersion;
use crate::rules::Checked;
use crate::source::Source;

pub use audit::{AuditFormat, summary as audit_summary, write as write_audit};
pub use certificate::{CertificateFormat, write as write_certificate};
pub use comparison::{ComparisonFormat, write as write_comparison};
pub use diff::{summary as diff_summary, write as write_diff};
pub use project::{ChangeFormat, summary as project_summary, write as write_projections};
pub(crate) use text::visible_whole;

/// The most characters of a message or a pointer in the formats that people read: both can hold a
/// member's name, and a name can be as long as the document.
const MOST_SHOWN: usize = 300;

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Snippets for people at a terminal
    #[default]
    Text,
    /// One JSON object, with a published schema
    Json,
    /// SARIF 2.1.0 for code scanning
    Sarif,
    /// `JUnit` XML: a suite per document, a case per protocol version
    Junit,
    /// Workflow commands of GitHub Actions: annotations on the changed files
    Github,
    /// A job summary
    Markdown,
}

/// How the text format looks.
#[derive(Clone, Debug)]
pub struct Style {
    /// Whether to use ANSI colours.
    pub color: bool,
    /// Whether to name documents in which nothing was found.
    pub verbose: bool,
    /// How many columns a line of source may take.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            color: false,
            verbose: false,
            width: 100,
        }
    }
}

/// Everything that a run of `check` found out.
#[derive(Debug, Default)]
pub struct Report {
    /// The documents, in the order in which they were named.
    pub documents: Vec<DocumentReport>,
    /// How long it took.
    pub elapsed: Duration,
}

/// What was found out about one file.
#[derive(Debug, Default)]
pub struct DocumentReport {
    /// Its path as the user wrote it, joined with what a walk found below it.
    pub path: String,
    /// The kind of document that it is, as far as that is known.
    pub kind: Option<&'static str>,
    /// Its text, to show lines of; a report without it names places only.
    pub source: Option<Source>,
    /// What the rules found.
    pub checked: Checked,
    /// Why it is no document at all, as a clause: a missing file, an unknown kind.
    pub unreadable: Option<String>,
}

/// The figures of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Documents by verdict.
    pub documents: Documents,
    /// Tools that the documents define.
    pub tools: usize,
    /// Tools among them that declare an `outputSchema`.
    pub typed_output: usize,
    /// Diagnostics that are errors.
    pub errors: usize,
    /// Diagnostics that are warnings.
    pub warnings: usize,
    /// Diagnostics that were found and not kept.
    #[serde(skip_serializing_if = "is_zero")]
    pub omitted: usize,
}

/// Documents by verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Documents {
    /// Nothing was found.
    pub valid: usize,
    /// Warnings at worst.
    pub warning: usize,
    /// Errors.
    pub invalid: usize,
    /// No document.
    pub unreadable: usize,
}

impl DocumentReport {
    /// The worst verdict over the versions, or that there is no document.
    pub fn verdict(&self) -> Verdict {
        match self.unreadable {
            Some(_) => Verdict::Unreadable,
            None => self.checked.verdict(),
        }
    }

    /// The verdict on each version that the document was judged on, oldest first.
    pub fn verdicts(&self) -> impl Iterator<Item = (ProtocolVersion, Verdict)> {
        let judged = self.unreadable.is_none();
        let versions = self.checked.versions.iter().filter(move |_| judged);
        versions.map(|version| (version, self.checked.verdict_on(version)))
    }

    /// How many diagnostics weigh this much.
    fn count(&self, severity: Severity) -> usize {
        let all = self.checked.diagnostics.iter();
        all.filter(|diagnostic| diagnostic.severity == severity)
            .count()
    }

    /// The versions of a diagnostic, where they are not all on which the document was judged.
    fn narrower_scope(&self, diagnostic: &Diagnostic) -> Option<String> {
        (!self.checked.versions.is_subset(diagnostic.versions))
            .then(|| diagnostic.versions.names().join(", "))
    }
}

impl Report {
    /// The worst verdict over the documents.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.documents.iter().map(DocumentReport::verdict);
        verdicts.max().unwrap_or(Verdict::Valid)
    }

    /// The figures.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for document in &self.documents {
            *summary.documents.of(document.verdict()) += 1;
            summary.tools += document.checked.tools;
            summary.typed_output += document.checked.typed_output;
            summary.errors += document.count(Severity::Error);
            summary.warnings += document.count(Severity::Warning);
            summary.omitted += document.checked.omitted;
        }
        summary
    }
}

impl Documents {
    fn of(&mut self, verdict: Verdict) -> &mut usize {
        match verdict {
            Verdict::Valid => &mut self.valid,
            Verdict::Warning => &mut self.warning,
            Verdict::Invalid => &mut self.invalid,
            Verdict::Unreadable => &mut self.unreadable,
        }
    }

    /// Each verdict with its count, best first.
    fn counts(&self) -> [(Verdict, usize); 4] {
        [
            (Verdict::Valid, self.valid),
            (Verdict::Warning, self.warning),
            (Verdict::Invalid, self.invalid),
            (Verdict::Unreadable, self.unreadable),
        ]
    }

    fn total(&self) -> usize {
        self.counts().map(|(_, count)| count).iter().sum()
    }
}

/// As "4 documents: 3 valid, 1 invalid".
impl fmt::Display for Documents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plural(self.total(), "document"))?;
        let counts = self.counts().into_iter().filter(|(_, count)| *count > 0);
        for (index, (verdict, count)) in counts.enumerate() {
            let before = if index == 0 { ": " } else { ", " };
            write!(f, "{before}{count} {verdict}")?;
        }
        Ok(())
    }
}

/// Writes `report` as `format`; `style` is for [`Format::Text`] alone.
pub fn write(
    report: &Report,
    format: Format,
    style: &Style,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::write(report, style, out),
        Format::Json => json::write(report, out),
        Format::Sarif => sarif::write(report, out),
        Format::Junit => junit::write(report, out),
        Format::Github => github::write(report, out),
        Format::Markdown => markdown::write(report, out),
    }
}

/// A count with its noun.
fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// A duration as people say it.
fn spoken(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        millis if millis < 1_000 => format!("{millis} ms"),
        _ => format!("{:.2} s", elapsed.as_secs_f64()),
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
