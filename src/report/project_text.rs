//! Projections for people at a terminal.

use std::io::{self, Write};

use super::project::summary;
use crate::project::report::{Entry, Proved, Report, Status};
use crate::source::cut;

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    // What is as it was committed has been read in review.
    let news = |entry: &&Entry| entry.status != Status::Unchanged;
    for entry in report.projections.iter().filter(news) {
        one(entry, out)?;
    }
    writeln!(out, "{}", summary(report))
}

fn one(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    let name = cut(&entry.name, 80);
    let (kind, target, status) = (entry.kind, &entry.target, entry.status.as_str());
    writeln!(out, "{kind} {} -> {target}: {status}", name.escape_debug())?;
    if let Some(refusal) = &entry.refusal {
        writeln!(out, "  {}", plain(&refusal.to_string()))?;
    }
    for loss in &entry.losses {
        let at = cut(&loss.pointer, 120);
        writeln!(
            out,
            "  {:<9} {:<8} {}: {}",
            loss.change.as_str(),
            loss.effect.as_str(),
            at.escape_debug(),
            plain(&loss.reason)
        )?;
    }
    for proof in &entry.proof {
        writeln!(out, "  {}", plain(&told(proof)))?;
    }
    if let Some(drift) = &entry.drift {
        writeln!(out, "  {}", drift.cause.clause())?;
        for difference in &drift.differences {
            let told = format!("at {}: {}", place(&difference.pointer), difference.message);
            writeln!(out, "  {}", plain(&told))?;
        }
        if let Some(shown) = &drift.counterexample {
            writeln!(out, "  as it is committed, {}", plain(&shown.clause()))?;
        }
    }
    Ok(())
}

/// A proof as a clause.
pub(super) fn told(proof: &Proved) -> String {
    let member = proof.member;
    match (proof.status, &proof.counterexample) {
        ("identical", _) => format!("{member}: the same schema"),
        (_, Some(shown)) => format!("{member}: the proof fails: {}", shown.clause()),
        ("held", None) => {
            let unjudged = match proof.not_judged {
                0 => String::new(),
                count => format!(", {count} not judged"),
            };
            format!(
                "{member}: proved on {} values, {} of them excused by the losses{unjudged}",
                proof.agreed + proof.excused,
                proof.excused
            )
        }
        _ => {
            let why = proof.reason.as_deref().unwrap_or("nothing was asked");
            format!("{member}: not proved: {why}")
        }
    }
}

/// A text that can hold names from a document, without what a terminal would obey.
pub(super) fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A pointer, or what to call the root.
pub(super) fn place(pointer: &str) -> &str {
    if pointer.is_empty() {
        "the root"
    } else {
        pointer
    }
}
