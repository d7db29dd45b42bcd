//! Mutants that see other members in an object than there are, or ask for others.

use mcp_conform::certify::Verdict::NonStrict;
use mcp_conform::corpus::GateName::{Arguments, Result};
use serde_json::Value;

use crate::change::{reading, seeing};
use crate::mutant::Matter::Keyword;
use crate::mutant::Mutant;
use crate::walk::edit_all;

/// Names that every object of JavaScript has from its prototype.
const INHERITED: [&str; 5] = [
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "__proto__",
];

pub fn mutants() -> Vec<Mutant> {
    vec![
        Mutant::new(
            "finds-required-members-in-the-prototype",
            "`required` is content with what every object inherits: constructor, toString",
            reading("required", |schema, _| {
                let Some(Value::Array(names)) = schema.get_mut("required") else {
                    return false;
                };
                let before = names.len();
                names.retain(|name| !INHERITED.iter().any(|inherited| name == inherited));
                names.len() < before
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("required")),
        Mutant::new(
            "loses-proto",
            "a member called __proto__ is dropped while the text is read",
            seeing(|value| {
                edit_all(value, &|value| {
                    value
                        .as_object_mut()
                        .is_some_and(|members| members.shift_remove("__proto__").is_some())
                })
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("additionalProperties")),
        Mutant::new(
            "fills-in-defaults",
            "a required member with a `default` need not be there",
            reading("default", |schema, _| {
                let filled: Vec<String> = match schema.get("properties") {
                    Some(Value::Object(declared)) => declared
                        .iter()
                        .filter(|(_, member)| member.get("default").is_some())
                        .map(|(name, _)| name.clone())
                        .collect(),
                    _ => return false,
                };
                let Some(Value::Array(names)) = schema.get_mut("required") else {
                    return false;
                };
                let before = names.len();
                names.retain(|name| !filled.iter().any(|filled| name == filled));
                names.len() < before
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("required")),
        Mutant::new(
            "closes-open-objects",
            "an object that declares members allows no others",
            reading("properties", |schema, _| {
                let open = schema.contains_key("properties")
                    && ![
                        "additionalProperties",
                        "unevaluatedProperties",
                        "patternProperties",
                        "$ref",
                    ]
                    .iter()
                    .any(|keyword| schema.contains_key(*keyword));
                open && schema
                    .insert("additionalProperties".into(), Value::Bool(false))
                    .is_none()
            }),
        )
        .broad()
        .known_by(Result, NonStrict, Keyword("additionalProperties")),
        Mutant::new(
            "requires-what-it-declares",
            "every declared member must be there",
            reading("properties", |schema, _| {
                let Some(Value::Object(declared)) = schema.get("properties") else {
                    return false;
                };
                let names: Vec<Value> = declared.keys().cloned().map(Value::String).collect();
                let all = Some(names.len())
                    == schema
                        .get("required")
                        .and_then(Value::as_array)
                        .map(Vec::len);
                if !all {
                    schema.insert("required".into(), Value::Array(names));
                }
                !all
            }),
        )
        .broad()
        .known_by(Arguments, NonStrict, Keyword("required")),
    ]
}
