//! Mutants that know a keyword and take it for something else.

use mcp_conform::certify::Verdict::NonStrict;
use mcp_conform::corpus::GateName::{Arguments, Result};
use serde_json::{Value, json};

use crate::change::{Members, reading, rename, replace, seeing_pairs};
use crate::mutant::Matter::{Keyword, Suite};
use crate::mutant::Mutant;

pub fn mutants() -> Vec<Mutant> {
    let limits = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "minContains",
        "maxItems",
        "maxLength",
    ];
    vec![
        Mutant::new(
            "reads-one-of-as-any-of",
            "more than one branch of `oneOf` may fit",
            reading("oneOf", |schema, _| rename(schema, "oneOf", "anyOf")),
        )
        .known_by(Arguments, NonStrict, Keyword("oneOf")),
        Mutant::new(
            "includes-the-exclusive-bound",
            "`exclusiveMinimum` and `exclusiveMaximum` let the bound itself pass",
            reading("exclusiveM", |schema, _| {
                rename(schema, "exclusiveMinimum", "minimum")
                    | rename(schema, "exclusiveMaximum", "maximum")
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("exclusiveMinimum")),
        Mutant::new(
            "excludes-the-inclusive-bound",
            "`minimum` and `maximum` refuse the bound itself",
            reading("imum", |schema, _| {
                rename(schema, "minimum", "exclusiveMinimum")
                    | rename(schema, "maximum", "exclusiveMaximum")
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("exclusiveMinimum")),
        Mutant::new(
            "takes-a-limit-of-zero-for-none",
            "a limit is asked for by its truth, so that 0 is no limit",
            reading("0", move |schema, _| {
                let zero = |schema: &Members, limit: &str| {
                    schema.get(limit).and_then(Value::as_f64) == Some(0.0)
                };
                let found = limits.into_iter().filter(|limit| zero(schema, limit));
                let found: Vec<_> = found.collect();
                for limit in &found {
                    schema.shift_remove(*limit);
                }
                !found.is_empty()
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("exclusiveMinimum")),
        Mutant::new(
            "takes-a-falsy-const-for-none",
            "a `const` of false, 0, null or \"\" says nothing",
            reading("const", |schema, _| {
                let falsy = |value: &Value| {
                    matches!(value, Value::Null | Value::Bool(false)) || value == 0 || value == ""
                };
                schema.get("const").is_some_and(falsy) && schema.shift_remove("const").is_some()
            }),
        )
        .known_by(Result, NonStrict, Keyword("const")),
        Mutant::new(
            "takes-a-false-subschema-for-none",
            "`items`, `contains` and `not` say nothing where they are false",
            reading("false", |schema, _| {
                let mut changed = false;
                for keyword in [
                    "items",
                    "contains",
                    "not",
                    "unevaluatedItems",
                    "additionalItems",
                ] {
                    if schema.get(keyword) == Some(&Value::Bool(false)) {
                        changed |= schema.shift_remove(keyword).is_some();
                    }
                }
                changed
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("items")),
        Mutant::new(
            "divides-in-binary",
            "`multipleOf` takes the remainder of two doubles, so that 19.99 is no multiple of 0.01",
            seeing_pairs("multipleOf", |schema, value| {
                let step = schema.get("multipleOf").and_then(Value::as_f64);
                let Some((number, step)) = value.as_f64().zip(step) else {
                    return false;
                };
                let inexact = number % step != 0.0;
                inexact && replace(value, json!(number + step / 2.0))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("multipleOf")),
        Mutant::new(
            "judges-the-first-element-only",
            "of an array only the first element is held against `items`",
            seeing_pairs("items", |schema, value| {
                let elements = value.as_array_mut().filter(|elements| elements.len() > 1);
                let Some(elements) = elements.filter(|_| schema.contains_key("items")) else {
                    return false;
                };
                let first = elements[0].clone();
                elements[1..].fill(first);
                true
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("type")),
        Mutant::new(
            "judges-two-levels-only",
            "members of members are not held against anything",
            reading("properties", |schema, place| {
                let deep = place.depth >= 2 && !schema.is_empty();
                deep.then(|| schema.clear()).is_some()
            }),
        )
        .known_by(Result, NonStrict, Keyword("type")),
        Mutant::new(
            "evaluates-own-properties-only",
            "`unevaluatedProperties` sees what stands beside it, and nothing of `allOf` or `$ref`",
            reading("unevaluatedProperties", |schema, _| {
                rename(schema, "unevaluatedProperties", "additionalProperties")
            }),
        )
        .known_by(Result, NonStrict, Suite("result/keywords-unevaluated")),
        Mutant::new(
            "opens-closed-branches",
            "the branches of `allOf` are laid together, and none of them closes the object",
            reading("allOf", |schema, _| {
                let Some(Value::Array(branches)) = schema.get_mut("allOf") else {
                    return false;
                };
                let branches = branches.iter_mut().filter_map(Value::as_object_mut);
                let opened =
                    branches.filter_map(|branch| branch.shift_remove("additionalProperties"));
                opened.count() > 0
            }),
        )
        .known_by(Result, NonStrict, Keyword("additionalProperties")),
        Mutant::new(
            "depends-on-values-that-are-not-null",
            "`dependentRequired` takes a member of null for one that is not there",
            seeing_pairs("dependentRequired", |schema, value| {
                let triggers = schema.get("dependentRequired").and_then(Value::as_object);
                let (Some(triggers), Some(members)) = (triggers, value.as_object_mut()) else {
                    return false;
                };
                let before = members.len();
                members.retain(|name, member| !(member.is_null() && triggers.contains_key(name)));
                members.len() < before
            }),
        )
        .known_by(Result, NonStrict, Keyword("dependentRequired")),
    ]
}
