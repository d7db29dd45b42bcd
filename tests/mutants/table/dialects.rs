//! Mutants that read a schema by another dialect than its own, or take `format` for a judge.

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::corpus::GateName::{Arguments, Definition, Result};
use mcp_conform::gate::RejectionReason::{
    ArgumentsMismatch, DialectUnsupported, SchemaInvalid, StructuredMismatch,
};
use mcp_conform::schema::{Bounds, Dialect, FORMATS, Instance, Schema};
use serde_json::{Value, json};

use super::DEFINITIONS;
use crate::change::{
    asking, edited, judges, read, read_part, reading, reading_whole, rejecting, schema_of, value_of,
};
use crate::mutant::Matter::{Keyword, Rule, Suite};
use crate::mutant::Mutant;
use crate::rules::forgiving;
use crate::walk::{any_schema, dialect_of};

const DRAFT_07: &str = "http://json-schema.org/draft-07/schema#";

pub fn mutants() -> Vec<Mutant> {
    let mut all = declared();
    all.extend(keywords());
    all.extend(formats());
    all
}

fn declared() -> Vec<Mutant> {
    vec![
        Mutant::new(
            "reads-2020-12-as-draft-07",
            "an engine of draft-07 reads every schema of 2020-12, declared or not",
            reading_whole("", |schema| {
                let newer = schema.is_object() && dialect_of(schema) == Dialect::Draft202012;
                newer && set(schema, "$schema", json!(DRAFT_07))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("dependentRequired")),
        Mutant::new(
            "reads-the-default-as-draft-07",
            "a schema that declares no dialect is read as draft-07",
            reading_whole("", |schema| {
                let silent = schema.is_object() && schema.get("$schema").is_none();
                silent && set(schema, "$schema", json!(DRAFT_07))
            }),
        )
        .known_by(Result, NonStrict, Keyword("unevaluatedProperties")),
        Mutant::new(
            "reads-draft-07-as-2020-12",
            "a declared draft-07 is read as 2020-12",
            reading_whole("draft-0", |schema| {
                schema.is_object()
                    && dialect_of(schema) == Dialect::Draft7
                    && set(schema, "$schema", json!(Dialect::Draft202012.uri()))
            }),
        )
        .known_by(Arguments, NonStrict, Suite("arguments/dialects")),
        Mutant::new(
            "reads-2019-09-as-2020-12",
            "a declared 2019-09 is read as 2020-12",
            reading_whole("2019-09", |schema| {
                schema.is_object()
                    && dialect_of(schema) == Dialect::Draft201909
                    && set(schema, "$schema", json!(Dialect::Draft202012.uri()))
            }),
        )
        .known_by(Arguments, NonStrict, Suite("arguments/dialects")),
        Mutant::new(
            "reads-draft-04-as-draft-07",
            "a declared draft-04 is read as draft-07, with `const` and `contains`",
            reading_whole("draft-04", |schema| {
                schema.is_object()
                    && dialect_of(schema) == Dialect::Draft4
                    && set(schema, "$schema", json!(DRAFT_07))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("const")),
        Mutant::new(
            "refuses-draft-07",
            "a schema that declares draft-07 is refused",
            rejecting(DialectUnsupported, |request| {
                declares(request, |dialect| dialect.contains("draft-07"))
            }),
        )
        .known_by(Definition, NonStrict, Suite("definition/dialects")),
        Mutant::new(
            "refuses-every-declared-dialect",
            "a schema with a `$schema` is refused",
            rejecting(DialectUnsupported, |request| declares(request, |_| true)),
        )
        .known_by(Definition, Fail, Suite("definition/dialects")),
        Mutant::new(
            "reads-an-unknown-dialect-as-the-default",
            "a `$schema` that nobody knows is read past",
            forgiving(&["mcp.tool.schema.dialect"]),
        )
        .sparing("definition/meta-schema")
        .known_by(Definition, Fail, Rule("mcp.tool.schema.dialect")),
    ]
}

/// Whether a schema of the request's tool declares a dialect for which `found`.
fn declares(request: &mcp_conform::certify::Request, found: fn(&str) -> bool) -> bool {
    let Some(tool) = read(request, "tool") else {
        return false;
    };
    ["inputSchema", "outputSchema"].iter().any(|side| {
        tool.get(*side)
            .and_then(|schema| schema.get("$schema"))
            .and_then(Value::as_str)
            .is_some_and(found)
    })
}

fn keywords() -> Vec<Mutant> {
    vec![
        Mutant::new(
            "applies-what-stands-beside-an-old-ref",
            "under draft-07 what stands beside `$ref` counts",
            reading("$ref", |schema, place| {
                let hides = place.dialect.ref_hides_siblings() && schema.len() > 1;
                let target = hides.then(|| schema.shift_remove("$ref")).flatten();
                target.is_some_and(|target| {
                    schema.insert("allOf".into(), json!([{"$ref": target}]));
                    true
                })
            }),
        )
        .known_by(Result, NonStrict, Suite("result/dialects")),
        Mutant::new(
            "hides-what-stands-beside-ref",
            "under 2020-12 what stands beside `$ref` does not count",
            reading("$ref", |schema, place| {
                let newer = !place.dialect.ref_hides_siblings() && place.depth > 0;
                let target = schema
                    .get("$ref")
                    .filter(|_| newer && schema.len() > 1)
                    .cloned();
                target.is_some_and(|target| {
                    schema.clear();
                    schema.insert("$ref".into(), target);
                    true
                })
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("maxLength")),
        Mutant::new(
            "honours-additional-items-under-2020-12",
            "`additionalItems` judges what follows `prefixItems`",
            reading("additionalItems", |schema, place| {
                let newer = place.dialect == Dialect::Draft202012 && !schema.contains_key("items");
                let rest = newer
                    .then(|| schema.shift_remove("additionalItems"))
                    .flatten();
                rest.is_some_and(|rest| schema.insert("items".into(), rest).is_none())
            }),
        )
        .known_by(Result, NonStrict, Suite("result/dialects")),
        Mutant::new(
            "honours-recursive-ref-under-2020-12",
            "`$recursiveRef` is followed in a dialect that has dropped it",
            reading("$recursiveRef", |schema, place| {
                let newer = place.dialect == Dialect::Draft202012 && !schema.contains_key("$ref");
                let target = newer
                    .then(|| schema.shift_remove("$recursiveRef"))
                    .flatten();
                target.is_some_and(|target| schema.insert("$ref".into(), target).is_none())
            }),
        )
        .known_by(Result, NonStrict, Suite("result/dialects")),
        Mutant::new(
            "honours-dependencies-under-2020-12",
            "`dependencies` judges in a dialect that has dropped it",
            reading("dependencies", |schema, place| {
                let newer = place.dialect >= Dialect::Draft201909;
                let Some(Value::Object(rules)) =
                    newer.then(|| schema.shift_remove("dependencies")).flatten()
                else {
                    return false;
                };
                let (names, schemas): (Vec<_>, Vec<_>) =
                    rules.into_iter().partition(|(_, rule)| rule.is_array());
                schema.insert(
                    "dependentRequired".into(),
                    Value::Object(names.into_iter().collect()),
                );
                schema.insert(
                    "dependentSchemas".into(),
                    Value::Object(schemas.into_iter().collect()),
                );
                true
            }),
        )
        .known_by(Arguments, NonStrict, Suite("arguments/dialects")),
        Mutant::new(
            "takes-a-list-under-items-for-a-tuple",
            "the list form of `items` is accepted under 2020-12",
            asking(|request| {
                if !request.field("tool").contains("\"items\":[") {
                    return None;
                }
                edited(request, ("tool", None), |tool| {
                    let mut changed = false;
                    for side in ["inputSchema", "outputSchema"] {
                        if let Some(schema) = tool
                            .get_mut(side)
                            .filter(|schema| dialect_of(schema) == Dialect::Draft202012)
                        {
                            changed |= crate::walk::edit_schemas(schema, &|schema, _| {
                                let list = schema.get("items").is_some_and(Value::is_array);
                                let list = list.then(|| schema.shift_remove("items")).flatten();
                                list.is_some_and(|list| {
                                    schema.insert("prefixItems".into(), list).is_none()
                                })
                            });
                        }
                    }
                    changed
                })
            }),
        )
        .ungenerated(DEFINITIONS)
        .sparing("definition/identifiers")
        .known_by(Definition, Fail, Rule("mcp.tool.schema.valid")),
    ]
}

fn formats() -> Vec<Mutant> {
    let asserts = |request: &mcp_conform::certify::Request| {
        let (schema, value) = (schema_of(request.gate), value_of(request.gate));
        if !judges(request.gate) || !request.field(schema.0).contains("\"format\"") {
            return false;
        }
        let Some((schema, value)) = read_part(request, schema).zip(read_part(request, value))
        else {
            return false;
        };
        let schema = Schema::new(&schema, Bounds::default());
        !schema.format_violations(Instance::plain(&value)).is_empty()
    };
    vec![
        Mutant::new(
            "asserts-format-of-arguments",
            "arguments that only `format` is against are refused",
            rejecting(ArgumentsMismatch, move |request| {
                request.gate == Arguments && asserts(request)
            }),
        )
        .known_by(Arguments, NonStrict, Suite("arguments/annotations")),
        Mutant::new(
            "asserts-format-of-results",
            "a result that only `format` is against is refused",
            rejecting(StructuredMismatch, move |request| {
                request.gate == Result && asserts(request)
            }),
        )
        .known_by(Result, NonStrict, Suite("result/format")),
        Mutant::new(
            "refuses-unknown-formats",
            "a schema that names a format of its own is refused, as by a strict engine",
            rejecting(SchemaInvalid, |request| {
                let Some(tool) =
                    read(request, "tool").filter(|_| request.field("tool").contains("\"format\""))
                else {
                    return false;
                };
                ["inputSchema", "outputSchema"].iter().any(|side| {
                    tool.get(*side).is_some_and(|schema| {
                        any_schema(schema, &|schema, _| {
                            let format = schema.get("format").and_then(Value::as_str);
                            format.is_some_and(|format| !FORMATS.contains(&format))
                        })
                    })
                })
            }),
        )
        .known_by(Definition, Fail, Suite("definition/advice-only")),
    ]
}

fn set(schema: &mut Value, member: &str, value: Value) -> bool {
    schema[member] = value;
    true
}
