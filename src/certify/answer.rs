//! Reads the answers of adapters, and takes nothing for granted.

use serde_json::{Map, Value};

use super::outcome::{Answer, Outcome};
use crate::gate::{Branch, RejectionReason};
use crate::schema::type_of;
use crate::source::{Limits, cut, parse_json};

/// The most characters of a line that a detail repeats.
const MOST_SHOWN: usize = 120;
/// The members of an answer to `run`.
const KNOWN: &[&str] = &[
    "seq",
    "verdict",
    "branch",
    "reason",
    "at",
    "keyword",
    "usable",
    "delivered",
    "skip",
    "issue",
    "error",
];

/// What an answer says of its request.
#[derive(Debug)]
pub(super) enum Said {
    /// The answer to this request.
    Answer(u64, Outcome),
    /// A line that is no answer, and why.
    Nothing(String),
}

/// Reads a line that should answer a `run`.
pub(super) fn run(line: &[u8]) -> Said {
    let members = match object(line) {
        Ok(members) => members,
        Err(fault) => return Said::Nothing(fault),
    };
    let seq = match members.get("seq") {
        Some(Value::Number(seq)) if seq.is_u64() => seq.as_u64().unwrap_or_default(),
        Some(other) => return Said::Nothing(wrong("seq", other, "the request's number")),
        None => return Said::Nothing("the answer lacks `seq`".to_owned()),
    };
    match outcome(&members) {
        Ok(outcome) => Said::Answer(seq, outcome),
        Err(fault) => Said::Answer(seq, Outcome::error(fault)),
    }
}

fn outcome(members: &Map<String, Value>) -> Result<Outcome, String> {
    if let Some(unknown) = members.keys().find(|name| !KNOWN.contains(&name.as_str())) {
        return Err(format!(
            "the answer has the unknown member `{}`",
            cut(unknown, 40)
        ));
    }
    let text = |name: &'static str| match members.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(wrong(name, other, "a string")),
    };
    let of = (text("verdict")?, text("skip")?, text("error")?);
    let answer = match &of {
        (Some(verdict), None, None) => match verdict.as_str() {
            "accept" => Answer::Accept,
            "reject" => Answer::Reject,
            other => {
                let other = cut(other, 40);
                return Err(format!(
                    "`verdict` is {other:?}, neither \"accept\" nor \"reject\""
                ));
            }
        },
        (None, Some(_), None) => Answer::Skip,
        (None, None, Some(_)) => Answer::Error,
        (None, None, None) => {
            return Err("the answer has neither `verdict`, `skip` nor `error`".to_owned());
        }
        _ => return Err("the answer has more than one of `verdict`, `skip`, `error`".to_owned()),
    };
    let named = |name: &str, what: &str| format!("`{name}` is {what:?}, which is not known");
    let reason = match text("reason")? {
        None => None,
        Some(name) => {
            let known = RejectionReason::named(&name);
            Some(known.ok_or_else(|| named("reason", &cut(&name, 40)))?)
        }
    };
    let branch = match text("branch")? {
        None => None,
        Some(name) => {
            let known = Branch::ALL
                .into_iter()
                .find(|branch| branch.as_str() == name);
            Some(known.ok_or_else(|| named("branch", &cut(&name, 40)))?)
        }
    };
    let at = text("at")?;
    if let Some(pointer) = at
        .as_deref()
        .filter(|at| !(at.is_empty() || at.starts_with('/')))
    {
        return Err(format!(
            "`at` is {:?}, which is no JSON Pointer",
            cut(pointer, 40)
        ));
    }
    Ok(Outcome {
        answer,
        reason,
        at,
        keyword: text("keyword")?,
        branch,
        usable: names(members, "usable")?,
        delivered: text("delivered")?,
        detail: of.1.or(of.2),
        issue: text("issue")?,
        ..Outcome::default()
    })
}

pub(super) fn names(
    members: &Map<String, Value>,
    name: &str,
) -> Result<Option<Vec<String>>, String> {
    let Some(value) = members.get(name) else {
        return Ok(None);
    };
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    let texts: Option<Vec<_>> = items
        .iter()
        .map(|item| item.as_str().map(str::to_owned))
        .collect();
    match texts {
        Some(texts) if value.is_array() => Ok(Some(texts)),
        _ => Err(format!("`{name}` is no array of strings")),
    }
}

pub(super) fn object(line: &[u8]) -> Result<Map<String, Value>, String> {
    let Ok(text) = std::str::from_utf8(line) else {
        let shown = String::from_utf8_lossy(line);
        return Err(format!(
            "the line is not UTF-8: {:?}",
            cut(&shown, MOST_SHOWN)
        ));
    };
    let shown = || cut(text, MOST_SHOWN);
    let parsed = parse_json(text, &Limits::default())
        .map_err(|fault| format!("the line is no JSON ({}): {:?}", fault.message, shown()))?;
    if let Some(twice) = parsed.duplicates.first() {
        return Err(format!(
            "the answer has two members at {:?}",
            twice.pointer.as_str()
        ));
    }
    match parsed.value {
        Value::Object(members) => Ok(members),
        other => Err(format!(
            "the line is JSON but no object ({})",
            type_of(&other)
        )),
    }
}

pub(super) fn wrong(name: &str, value: &Value, wanted: &str) -> String {
    let shown = value.to_string();
    format!("`{name}` is {}, not {wanted}", cut(&shown, 40))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::schema::{Bounds, Instance, Schema};

    /// Whether the published schema accepts `line`.
    pub(in crate::certify) fn fits(schema: &str, line: &str) -> bool {
        let schema: Value = serde_json::from_str(schema).expect("a published schema is JSON");
        let compiled = Schema::new(&schema, Bounds::default())
            .compiled()
            .expect("and a schema");
        let line = serde_json::from_str(line).expect("the line is JSON");
        compiled.fits(Instance::plain(&line)) == Ok(true)
    }

    #[test]
    fn an_answer_is_read_as_its_schema_says() {
        let schema = include_str!("../../docs/schemas/adapter/run.answer.schema.json");
        for (line, expected) in [
            (r#"{"seq":7,"verdict":"accept"}"#, true),
            (
                r#"{"seq":7,"verdict":"reject","reason":"structured-mismatch","at":"/0","keyword":"enum"}"#,
                true,
            ),
            (r#"{"seq":7,"verdict":"accept","branch":"missing"}"#, true),
            (r#"{"seq":7,"verdict":"accept","usable":[]}"#, true),
            (r#"{"seq":7,"verdict":"accept","delivered":"null"}"#, true),
            (
                r#"{"seq":7,"skip":"not yet","issue":"https://issues.example/7"}"#,
                true,
            ),
            (r#"{"seq":7,"error":"TypeError"}"#, true),
            (r#"{"seq":7}"#, false),
            (r#"{"verdict":"accept"}"#, false),
            (r#"{"seq":"7","verdict":"accept"}"#, false),
            (r#"{"seq":7.5,"verdict":"accept"}"#, false),
            (r#"{"seq":7,"verdict":"valid"}"#, false),
            (r#"{"seq":7,"verdict":true}"#, false),
            (r#"{"seq":7,"verdict":null}"#, false),
            (r#"{"seq":7,"verdict":"accept","error":"no"}"#, false),
            (r#"{"seq":7,"verdict":"reject","reason":"bad"}"#, false),
            (r#"{"seq":7,"verdict":"reject","at":"status"}"#, false),
            (r#"{"seq":7,"verdict":"reject","keyword":["enum"]}"#, false),
            (r#"{"seq":7,"verdict":"accept","usable":"all"}"#, false),
            (r#"{"seq":7,"verdict":"accept","usable":[1]}"#, false),
            (r#"{"seq":7,"verdict":"accept","branch":"root"}"#, false),
            (r#"{"seq":7,"verdict":"accept","note":"fine"}"#, false),
            (r#"[{"seq":7,"verdict":"accept"}]"#, false),
        ] {
            let read = match run(line.as_bytes()) {
                Said::Answer(7, outcome) => {
                    let is_ours = line.contains("\"error\":\"TypeError\"");
                    outcome.answer != Answer::Error || is_ours
                }
                _ => false,
            };
            assert_eq!(read, expected, "{line}");
            assert_eq!(fits(schema, line), expected, "the schema, of {line}");
        }
    }
}
