//! What a page of Markdown tells of one case: what was asked, who answered what, and how to see it
//! again.

use std::fmt::Write as _;

use super::certificate::{expected, texts};
use super::comparison::{answer, groups, names, said};
use super::markdown::{code, fenced, prose};
use crate::certify::{CertificateCase, Compared, Comparison, Verdict};

/// The entry of a case, which the cells of its row lead to.
pub(super) fn entry(comparison: &Comparison<'_>, one: &Compared<'_>) -> String {
    let asked = one.asked;
    let mut text = format!(
        "\n<a id=\"{}\"></a>\n<details><summary><code>{}</code> on {}</summary>\n\n",
        anchor(one),
        html(&asked.id),
        html(&one.versions.join(", "))
    );
    let mut line = |name: &str, said: &str| {
        if !said.is_empty() {
            let _ = writeln!(text, "- {name}: {said}");
        }
    };
    line(
        "case",
        &prose(asked.description.as_deref().unwrap_or_default()),
    );
    line("expected", &prose(&expected(asked)));
    line("source", &prose(&asked.source.join("; ")));
    line("note", &prose(asked.note.as_deref().unwrap_or_default()));
    for group in groups(one) {
        let case = group.case;
        let mut came = prose(&said(case));
        if let Some(asks) = &group.asks {
            let _ = write!(came, "; its suite asks for {}", prose(asks));
        }
        if let Some(known) = &case.known {
            let _ = write!(came, "; known: {}", prose(&known.reason));
        }
        line(
            &format!(
                "{}, **{}**",
                prose(&names(comparison, &group.columns)),
                case.verdict
            ),
            &came,
        );
    }
    let sent = one
        .cells
        .iter()
        .flatten()
        .find_map(|case| case.sent.as_ref());
    for (name, text) in sent.into_iter().flat_map(texts) {
        line(&format!("sent {name}"), &code(text));
    }
    let shrunk = one
        .cells
        .iter()
        .flatten()
        .find_map(|case| case.shrunk.as_ref());
    line(
        "smallest",
        &shrunk.map_or_else(String::new, |small| code(&small.payload.to_string())),
    );
    let again = one
        .cells
        .iter()
        .flatten()
        .filter_map(|case| case.rerun.as_deref());
    let again: Vec<_> = again.collect();
    if !again.is_empty() {
        let _ = write!(text, "\n{}", fenced("sh", &again.join("\n")));
    }
    text + "\n</details>\n"
}

/// A cell of a table of divergences, which leads to the case's own entry.
pub(super) fn divergence(case: Option<&CertificateCase>, anchor: &str) -> String {
    let Some(case) = case else {
        return "–".to_owned();
    };
    let sign = match case.verdict {
        Verdict::Pass => return "pass".to_owned(),
        Verdict::Skipped => return "skipped".to_owned(),
        Verdict::Informational => return answer(case).to_owned(),
        Verdict::Fail => "✕",
        Verdict::NonStrict => "△",
        Verdict::WrongReason => "≠",
        Verdict::Errored | Verdict::Timeout | Verdict::Crashed => "!",
    };
    let known = if case.known.is_some() { ", known" } else { "" };
    format!("[{sign} {}{known}](#{anchor})", case.verdict)
}

/// Where the entry of a case stands: a name that is made of the id and the first version alone.
pub(super) fn anchor(one: &Compared<'_>) -> String {
    let version = one.versions.first().unwrap_or(&"");
    let named = format!("{} {version}", one.asked.id);
    let plain = |char: char| {
        if char.is_ascii_alphanumeric() {
            char.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    named.chars().take(200).map(plain).collect()
}

/// Text between tags.
fn html(text: &str) -> String {
    super::page::escaped(text).replace(|char: char| char.is_control(), " ")
}
