//! `format` asserted after all, to see which values some readers would refuse.
//!
//! JSON Schema makes `format` an annotation, and so does the rest of the suite. But draft-07
//! engines assert it by default and others when told to, so a value that fits its schema may still
//! be refused somewhere. Here a format means the same under every dialect: what 2020-12 defines.

use std::sync::OnceLock;

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use super::compile::{self, Options};
use super::dialect::Dialect;
use super::tree::Tree;
use super::violation::Violation;

/// The formats that are asserted: defined by JSON Schema, and engines agree on them.
pub const FORMATS: [&str; 13] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uuid",
    "json-pointer",
    "regex",
];

/// Formats that the engine, or a build of it with other features, would assert too. Readers differ
/// on them, so they mean nothing here.
const LEFT_ALONE: [&str; 6] = [
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "relative-json-pointer",
    "uri-template",
];

/// Whether a schema names a format that is asserted.
pub(super) fn is_named_in(tree: &Tree<'_>) -> bool {
    tree.nodes.iter().any(|node| {
        let format = node.get("format").and_then(Value::as_str);
        format.is_some_and(|format| FORMATS.contains(&format))
    })
}

/// The engine's options with the formats asserted.
pub(super) fn options(dialect: Dialect) -> Options {
    let mut options = compile::options(dialect).should_validate_formats(true);
    for name in LEFT_ALONE {
        options = options.with_format(name, |_: &str| true);
    }
    // Left to itself the engine knows fewer formats under the older drafts: no `uuid` in draft 7.
    for (index, name) in FORMATS.into_iter().enumerate() {
        options = options.with_format(name, move |text: &str| holds(index, text));
    }
    options
}

/// Whether `text` is of the format at `index`.
fn holds(index: usize, text: &str) -> bool {
    static ENGINES: [OnceLock<Option<Validator>>; FORMATS.len()] =
        [const { OnceLock::new() }; FORMATS.len()];
    let engine = ENGINES[index].get_or_init(|| {
        let options = jsonschema::options().with_draft(Draft::Draft202012).offline();
        let options = options.should_validate_formats(true);
        options.build(&json!({"format": FORMATS[index]})).ok()
    });
    let text = Value::String(text.to_owned());
    engine.as_ref().is_none_or(|engine| engine.is_valid(&text))
}

/// What is worth saying of the violations that asserting brought about. A member whose format
/// fails counts as unevaluated in some engines, which says nothing new.
pub(super) fn telling(mut violations: Vec<Violation>) -> Vec<Violation> {
    let is_echo = |violation: &Violation| violation.keyword.starts_with("unevaluated");
    if !violations.iter().all(is_echo) {
        violations.retain(|violation| !is_echo(violation));
    }
    violations
}
