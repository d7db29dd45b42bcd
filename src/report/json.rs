//! The JSON format. Its schema is `docs/schemas/check.schema.json`; the order of members is fixed,
//! and the same documents give the same bytes: no times, no names of machines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::{DocumentReport, Report, Summary, is_zero};
use crate::diagnostic::{Diagnostic, Severity, Verdict};
use crate::source::Pointer;

#[derive(Serialize)]
struct Check<'a> {
    verdict: Verdict,
    documents: Vec<Document<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    path: &'a str,
    kind: Option<&'a str>,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// By date, which is how text sorts them too.
    verdicts: BTreeMap<&'static str, Verdict>,
    tools: usize,
    typed_output: usize,
    diagnostics: Vec<Entry<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    omitted: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    rule: &'a str,
    severity: Severity,
    protocol_versions: Vec<&'static str>,
    pointer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    keyword: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema_pointer: Option<&'a str>,
    line: usize,
    column: usize,
    message: &'a str,
    help: &'a str,
}

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let check = Check {
        verdict: report.verdict(),
        documents: report.documents.iter().map(document).collect(),
        summary: report.summary(),
    };
    serde_json::to_writer_pretty(&mut *out, &check)?;
    writeln!(out)
}

fn document(document: &DocumentReport) -> Document<'_> {
    let checked = &document.checked;
    Document {
        path: &document.path,
        kind: document.kind,
        verdict: document.verdict(),
        reason: document.unreadable.as_deref(),
        verdicts: document
            .verdicts()
            .map(|(version, verdict)| (version.as_str(), verdict))
            .collect(),
        tools: checked.tools,
        typed_output: checked.typed_output,
        diagnostics: checked.diagnostics.iter().map(entry).collect(),
        omitted: checked.omitted,
    }
}

fn entry(diagnostic: &Diagnostic) -> Entry<'_> {
    Entry {
        rule: diagnostic.rule,
        severity: diagnostic.severity,
        protocol_versions: diagnostic.versions.names(),
        pointer: diagnostic.pointer.as_str(),
        keyword: diagnostic.keyword.as_deref(),
        schema_pointer: diagnostic.schema_pointer.as_ref().map(Pointer::as_str),
        line: diagnostic.line,
        column: diagnostic.column,
        message: &diagnostic.message,
        help: diagnostic.help,
    }
}
