//! Mutants that count a recorded call in the wrong branch, or judge it as another.

use mcp_conform::certify::Verdict::{Fail, NonStrict, WrongReason};
use mcp_conform::certify::{Answer, Outcome, Request};
use mcp_conform::corpus::GateName::Audit;
use mcp_conform::gate::Branch::{LegacyWrapper, Missing, ValidateRoot};
use serde_json::{Value, json};

use crate::change::{Members, answering, asking, edited, read};
use crate::mutant::Matter::Suite;
use crate::mutant::Mutant;

const SPARES: &str = "result/keywords-type";

pub fn mutants() -> Vec<Mutant> {
    envelopes().into_iter().chain(records()).collect()
}

/// The request of an audit with its record edited.
fn recording(
    change: fn(&mut Members) -> bool,
) -> impl Fn(&Request, &mut dyn mcp_conform::certify::Implementation) -> Outcome + Clone {
    asking(move |request| {
        (request.gate == Audit)
            .then(|| {
                edited(request, ("record", None), |record| {
                    record.as_object_mut().is_some_and(change)
                })
            })
            .flatten()
    })
}

/// Whether structured content of the recorded result is as `found` says.
fn structured(request: &Request, found: fn(&Value) -> bool) -> bool {
    let body = read(request, "body").unwrap_or_default();
    body.get("structuredContent").is_some_and(found)
}

fn envelopes() -> Vec<Mutant> {
    let known = |mutant: Mutant, verdict, suite| {
        mutant
            .sparing(SPARES)
            .known_by(Audit, verdict, Suite(suite))
    };
    let report = "audit/get-report";
    vec![
        known(
            Mutant::new(
                "never-opens-an-envelope",
                "a record's metaIdTool is not looked at, and the envelope is judged",
                recording(|record| {
                    record.get("metaIdTool") == Some(&json!(true))
                        && record.insert("metaIdTool".into(), json!(false)).is_some()
                }),
            ),
            NonStrict,
            report,
        ),
        known(
            Mutant::new(
                "opens-every-envelope",
                "the envelope is taken off calls that never had one",
                recording(|record| {
                    record.get("metaIdTool") == Some(&json!(false))
                        && record.insert("metaIdTool".into(), json!(true)).is_some()
                }),
            ),
            NonStrict,
            report,
        ),
        known(
            Mutant::new(
                "opens-envelopes-of-2026",
                "the envelope is taken off calls of 2026-07-28, too",
                recording(|record| {
                    let newer = record.get("metaIdTool") == Some(&json!(true))
                        && record.get("protocol") == Some(&json!("2026-07-28"));
                    newer
                        && record
                            .insert("protocol".into(), json!("2025-11-25"))
                            .is_some()
                }),
            ),
            NonStrict,
            "audit/list-reports",
        ),
        known(
            Mutant::new(
                "opens-an-envelope-beside-other-members",
                "an object with `result` and other members is taken for an envelope",
                asking(|request| {
                    (request.gate == Audit && request.field("record").contains("true"))
                        .then(|| {
                            edited(request, ("body", Some("structuredContent")), |value| {
                                let Some(members) =
                                    value.as_object_mut().filter(|members| members.len() > 1)
                                else {
                                    return false;
                                };
                                let inner = members
                                    .get("result")
                                    .filter(|inner| inner.is_object())
                                    .cloned();
                                inner.is_some_and(|inner| {
                                    *value = json!({"result": inner});
                                    true
                                })
                            })
                        })
                        .flatten()
                }),
            ),
            NonStrict,
            report,
        ),
        known(
            Mutant::new(
                "folds-the-envelope-into-the-root",
                "calls in an envelope are counted with those at the root",
                answering(|_, outcome| match outcome.branch {
                    Some(LegacyWrapper) => Outcome {
                        branch: Some(ValidateRoot),
                        ..outcome
                    },
                    _ => outcome,
                }),
            ),
            NonStrict,
            report,
        ),
        known(
            Mutant::new(
                "counts-what-is-missing-as-judged",
                "calls without structured content are counted with those that were judged",
                answering(|_, outcome| match outcome.branch {
                    Some(Missing) => Outcome {
                        branch: Some(ValidateRoot),
                        ..outcome
                    },
                    _ => outcome,
                }),
            ),
            WrongReason,
            report,
        ),
        known(
            Mutant::new(
                "counts-values-of-2026-as-missing",
                "a value that is no object is missing on 2026-07-28, too",
                answering(|request, outcome| {
                    let other = outcome.branch == Some(ValidateRoot)
                        && structured(request, |value| !value.is_object());
                    Outcome {
                        branch: if other { Some(Missing) } else { outcome.branch },
                        ..outcome
                    }
                }),
            ),
            NonStrict,
            "audit/list-reports",
        ),
        known(
            Mutant::new(
                "counts-errors-as-missing",
                "a tool's own error is counted with what is missing",
                answering(|request, outcome| {
                    let error =
                        request.gate == Audit && request.field("body").contains("\"isError\":true");
                    let counted = outcome.branch.filter(|branch| *branch == ValidateRoot);
                    Outcome {
                        branch: if error && counted.is_some() {
                            Some(Missing)
                        } else {
                            outcome.branch
                        },
                        ..outcome
                    }
                }),
            )
            .ungenerated("no recorded error is drawn"),
            NonStrict,
            report,
        ),
        known(
            Mutant::new(
                "blames-errors-for-what-they-lack",
                "a tool's own error without structured content does not fit",
                answering(|request, outcome| {
                    let error =
                        request.gate == Audit && request.field("body").contains("\"isError\":true");
                    if error && outcome.answer == Answer::Accept && outcome.branch == Some(Missing)
                    {
                        return crate::change::rejected(
                            &outcome,
                            mcp_conform::gate::RejectionReason::StructuredMissing,
                        );
                    }
                    outcome
                }),
            )
            .ungenerated("no recorded error is drawn"),
            NonStrict,
            report,
        ),
    ]
}

fn records() -> Vec<Mutant> {
    let known = |mutant: Mutant| {
        mutant
            .sparing("audit/list-reports")
            .known_by(Audit, Fail, Suite("audit/records"))
            .ungenerated("every generated record is complete")
    };
    vec![
        known(Mutant::new(
            "completes-a-record",
            "members that a record lacks are filled in",
            recording(|record| {
                let before = record.len();
                for (name, value) in [
                    ("tool", json!("any")),
                    ("protocol", json!("2026-07-28")),
                    ("metaIdTool", json!(false)),
                ] {
                    record.entry(name).or_insert(value);
                }
                record.len() > before
            }),
        )),
        known(Mutant::new(
            "takes-null-in-a-record-for-a-default",
            "a member of null in a record is as good as the default",
            recording(|record| {
                let mut changed = false;
                for (name, value) in [
                    ("tool", json!("any")),
                    ("protocol", json!("2026-07-28")),
                    ("metaIdTool", json!(false)),
                ] {
                    if record.get(name).is_some_and(Value::is_null) {
                        record.insert(name.into(), value);
                        changed = true;
                    }
                }
                changed
            }),
        )),
        known(Mutant::new(
            "reads-past-other-members-of-a-record",
            "a record may have members that nobody knows",
            recording(|record| {
                let before = record.len();
                record
                    .retain(|name, _| ["tool", "protocol", "metaIdTool"].contains(&name.as_str()));
                record.len() < before
            }),
        )),
        known(Mutant::new(
            "takes-a-flag-in-words",
            "metaIdTool may be \"true\", \"false\", 1 or 0",
            recording(|record| {
                let flag = match record.get("metaIdTool") {
                    Some(Value::String(text)) => text == "true",
                    Some(Value::Number(number)) => number.as_i64() != Some(0),
                    _ => return false,
                };
                record.insert("metaIdTool".into(), json!(flag)).is_some()
            }),
        )),
        known(Mutant::new(
            "takes-any-protocol",
            "a record may name a protocol version that has no structured content or does not exist",
            recording(|record| {
                let known = ["2025-11-25", "2026-07-28"];
                let other = record
                    .get("protocol")
                    .and_then(Value::as_str)
                    .is_some_and(|name| !known.contains(&name));
                other
                    && record
                        .insert("protocol".into(), json!("2026-07-28"))
                        .is_some()
            }),
        )),
        known(Mutant::new(
            "takes-an-empty-name",
            "a record may name no tool",
            recording(|record| {
                record.get("tool") == Some(&json!(""))
                    && record.insert("tool".into(), json!("any")).is_some()
            }),
        )),
    ]
}
