//! `format` asserted after all, to see which values some readers would refuse.
//!
//! JSON Schema makes `format` an annotation, and so does the rest of the suite. But draft-07
//! engines assert it by default and others when told to, so a value that fits its schema may still
//! be refused somewhere. Here a format means the same under every dialect: what 2020-12 defines.

use std::sync::OnceLock;

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use super::compile::Options;
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

/// The same options with the formats asserted.
pub(super) fn asserting(options: Options) -> Options {
    let mut options = options.should_validate_formats(true);
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
        let options = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .offline();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Dialect;
    use crate::schema::{Bounds, Instance, Schema};

    /// Keyword and place of what is wrong with `value` once formats are asserted.
    fn judged(schema: &Value, value: &Value) -> Vec<(String, String)> {
        let schema = Schema::new(schema, Bounds::default());
        let violations = schema.format_violations(Instance::plain(value));
        let said = violations.into_iter();
        said.map(|violation| (violation.keyword, violation.instance.to_string()))
            .collect()
    }

    #[test]
    fn a_format_means_the_same_under_every_dialect() {
        let samples = [
            (
                "date-time",
                "2026-09-14T09:30:00+02:00",
                "2026-09-14T09:30:00",
            ),
            ("date", "2028-02-29", "2026-02-29"),
            ("time", "09:30:00Z", "09:30:00"),
            ("duration", "P3DT45M", "3 days"),
            ("email", "mara@example.com", "mara at example.com"),
            ("hostname", "desk.example.com", "desk_4.example.com"),
            ("ipv4", "192.0.2.7", "192.0.2.256"),
            ("ipv6", "2001:db8::7", "2001:db8::7::1"),
            ("uri", "https://example.com/rooms/4", "/rooms/4"),
            ("uri-reference", "../rooms/4", "rooms\\4"),
            ("uuid", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "3f2504e0"),
            ("json-pointer", "/rooms/4", "rooms/4"),
            ("regex", "^room-[0-9]+$", "^room-[0-9+$"),
        ];
        assert_eq!(samples.map(|(format, ..)| format), FORMATS);
        for dialect in Dialect::ALL {
            for (format, good, bad) in samples {
                let schema = json!({"$schema": dialect.uri(), "format": format});
                let fault = [("format".to_owned(), String::new())];
                assert_eq!(judged(&schema, &json!(good)), [], "{dialect} {format}");
                assert_eq!(judged(&schema, &json!(bad)), fault, "{dialect} {format}");
            }
        }
    }

    #[test]
    fn other_formats_are_left_alone() {
        let others = ["desk-number", "color", "phone"].into_iter();
        for format in others.chain(LEFT_ALONE) {
            // The second format makes sure that formats are asserted at all.
            let schema = json!({"format": format, "not": {"required": ["x"], "format": "date"}});
            assert_eq!(judged(&schema, &json!("\u{0} {% :")), [], "{format}");
        }
    }

    #[test]
    fn the_schema_decides_and_not_the_keyword_alone() {
        let when = json!({"anyOf": [{"format": "date-time"}, {"format": "date"}]});
        assert_eq!(judged(&when, &json!("2026-09-14")), []);
        let union = [("anyOf".to_owned(), String::new())];
        assert_eq!(judged(&when, &json!("next week")), union);
        // What is invalid anyhow is somebody else's finding.
        let day = json!({"format": "date", "maxLength": 4});
        assert_eq!(judged(&day, &json!("next week")), []);
        assert_eq!(judged(&json!({"format": "date"}), &json!(7)), []);
    }

    #[test]
    fn a_failing_format_is_told_once() {
        let schema = json!({
            "allOf": [{"properties": {"due": {"format": "date"}}}],
            "properties": {"paid": {"format": "date"}},
            "unevaluatedProperties": false
        });
        let at = |place: &str| ("format".to_owned(), place.to_owned());
        let value = json!({"due": "soon", "paid": "never"});
        let mut found = judged(&schema, &value);
        found.sort();
        assert_eq!(found, [at("/due"), at("/paid")]);
    }
}
