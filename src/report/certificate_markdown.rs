//! A certificate as a job summary in GitHub's Markdown.

use std::io::{self, Write};

use serde_json::Value;

use super::certificate::{Divergence, Matrix, counts, divergences, expected, got, notices, texts};
use super::markdown::{code, prose, whole_code};
use super::plural;
use crate::certify::Certificate;

/// The most divergences: GitHub refuses a summary of more than 1 MiB whole.
const MOST_LISTED: usize = 300;

pub(super) fn write(certificate: &Certificate, out: &mut impl Write) -> io::Result<()> {
    let (implementation, suite) = (&certificate.implementation, &certificate.suite);
    let sign = match certificate.failures().next() {
        None if certificate.complete => "✅",
        _ => "❌",
    };
    writeln!(
        out,
        "## {sign} mcp-conform certify: {} {}\n",
        prose(&implementation.name),
        prose(&implementation.version)
    )?;
    writeln!(
        out,
        "Suite {} (`{}`), {}. {}.\n",
        suite.version,
        suite.sha256,
        certificate.date,
        counts(certificate)
    )?;
    for notice in notices(certificate) {
        writeln!(out, "> {}\n", prose(&notice))?;
    }
    matrix(certificate, out)?;
    let groups = divergences(certificate);
    let all: usize = groups.iter().map(|(_, group)| group.len()).sum();
    let mut left = MOST_LISTED;
    for (rule, group) in &groups {
        if left == 0 {
            break;
        }
        match *rule {
            "" => writeln!(out, "\n### About no rule\n")?,
            rule => writeln!(out, "\n### {}\n", code(rule))?,
        }
        for divergence in group.iter().take(left) {
            item(divergence, out)?;
        }
        left = left.saturating_sub(group.len());
    }
    match all.saturating_sub(MOST_LISTED) {
        0 => Ok(()),
        more => writeln!(out, "\n{} not listed.", plural(more, "more divergence")),
    }
}

fn matrix(certificate: &Certificate, out: &mut impl Write) -> io::Result<()> {
    let matrix = Matrix::of(certificate);
    if matrix.gates.is_empty() {
        return Ok(());
    }
    writeln!(out, "| Gate | {} |", matrix.versions.join(" | "))?;
    writeln!(out, "| --- {}|", "| --- ".repeat(matrix.versions.len()))?;
    for gate in &matrix.gates {
        let cells = matrix.versions.iter().map(|version| {
            let Some((word, counts)) = Matrix::cell(certificate, gate, version) else {
                return "–".to_owned();
            };
            match word {
                "strict" => format!("✅ {word}, {counts}"),
                "core" => format!("☑️ {word}, {counts}"),
                _ if counts.is_empty() => word.to_owned(),
                _ => format!("❌ {word}, {counts}"),
            }
        });
        writeln!(
            out,
            "| {gate} | {} |",
            cells.collect::<Vec<_>>().join(" | ")
        )?;
    }
    Ok(())
}

fn item(divergence: &Divergence<'_>, out: &mut impl Write) -> io::Result<()> {
    let case = divergence.case;
    let versions = divergence.versions.join(", ");
    writeln!(
        out,
        "- **{}** {} on {versions}",
        case.verdict,
        code(&case.id)
    )?;
    let mut line = |name: &str, text: String| match text.as_str() {
        "" => Ok(()),
        text => writeln!(out, "  - {name}: {text}"),
    };
    line("why", prose(case.why.as_deref().unwrap_or_default()))?;
    line("expected", prose(&expected(case)))?;
    line("got", prose(&got(case)))?;
    // The original is worth its place where there is something smaller to hold against it.
    if let Some(shrunk) = &case.shrunk {
        for (name, text) in case.sent.iter().flat_map(texts) {
            if shrunk.sent.get(name).and_then(Value::as_str) != Some(text) {
                line(&format!("sent {name}"), code(text))?;
            }
        }
        line("smallest", code(&shrunk.payload.to_string()))?;
    }
    line("source", prose(&case.source.join("; ")))?;
    if let Some(known) = &case.known {
        line("known", prose(&known.reason))?;
    }
    line(
        "again",
        case.rerun.as_deref().map_or_else(String::new, whole_code),
    )
}
