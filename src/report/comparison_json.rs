//! A comparison as JSON. Its schema is `docs/schemas/comparison.schema.json`. Beside the figures it
//! has the cases that there is something to say about, and no others.

use serde_json::{Map, Value, json};

use super::comparison::{again, asks_otherwise};
use crate::certify::{CertificateCase, Compared, Comparison};

/// The members of a certificate's case that are about an answer; the rest is about the question.
const ANSWER: [&str; 6] = ["verdict", "outcome", "why", "shrunk", "rerun", "known"];

/// The JSON of `certify --compare … --format json`.
pub(super) fn value(comparison: &Comparison<'_>, files: &[String]) -> Value {
    let columns = comparison.implementations.iter().map(|column| {
        let certificate = column.certificate;
        let mut said = object(&certificate.implementation);
        for (name, value) in [
            ("label", json!(column.label)),
            ("date", json!(certificate.date)),
            ("suite", json!(certificate.suite)),
            ("tool", json!(certificate.tool)),
            ("complete", json!(certificate.complete)),
            ("selection", certificate.selection.clone()),
            ("counts", json!(certificate.counts)),
            (
                "known",
                json!(
                    certificate
                        .cases
                        .iter()
                        .filter(|case| case.known.is_some())
                        .count()
                ),
            ),
        ] {
            said.insert(name.to_owned(), value);
        }
        Value::Object(said)
    });
    let levels = comparison.levels.iter().map(|one| {
        let rows = one.rows.iter().map(|row| {
            let (row, judged) = (row.as_ref()?, row.as_ref()?.is_judged());
            let (must, should) = (row.must, row.should);
            Some(json!({"judged": judged, "core": row.core, "strict": row.strict, "must": must, "should": should}))
        });
        let rows: Vec<_> = rows.collect();
        json!({"protocolVersion": one.version, "gate": one.gate, "standings": rows})
    });
    let counts = comparison.counts;
    json!({
        "tool": {"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION")},
        "command": again(files),
        "sameSuite": comparison.is_of_one_suite(),
        "notices": comparison.notices(),
        "implementations": columns.collect::<Vec<_>>(),
        "levels": levels.collect::<Vec<_>>(),
        "counts": {
            "agreed": counts.agreed,
            "diverged": counts.diverged,
            "silent": counts.silent,
            "skipped": counts.skipped,
        },
        "divergences": comparison.divergences.iter().map(case).collect::<Vec<_>>(),
        "silent": comparison.silent.iter().map(case).collect::<Vec<_>>(),
    })
}

/// The question once, and the answers in the order of the implementations.
fn case(one: &Compared<'_>) -> Value {
    let mut said = object(one.asked);
    said.retain(|name, _| !ANSWER.contains(&name.as_str()) && name != "protocolVersion");
    said.insert("protocolVersions".to_owned(), json!(one.versions));
    // What was sent stands beside the answers that tell against somebody, and is the same in all.
    let sent = one
        .cells
        .iter()
        .flatten()
        .find_map(|case| case.sent.as_ref());
    if let Some(sent) = sent {
        said.insert("sent".to_owned(), sent.clone());
    }
    let answers = one
        .cells
        .iter()
        .map(|cell| cell.map(|case| answer(one, case)));
    said.insert("answers".to_owned(), answers.collect());
    Value::Object(said)
}

fn answer(one: &Compared<'_>, case: &CertificateCase) -> Value {
    let mut said = object(case);
    said.retain(|name, _| ANSWER.contains(&name.as_str()));
    if let Some(asks) = asks_otherwise(one, case) {
        said.insert("asks".to_owned(), json!(asks));
    }
    Value::Object(said)
}

fn object(value: impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}
