//! JSON Schema as tools use it: bounds, references, violations, what is not judged, formats, and the
//! JSON Schema Test Suite.

#[path = "schema/bounds.rs"]
mod bounds;
#[path = "schema/cycles.rs"]
mod cycles;
#[path = "schema/dialects.rs"]
mod dialects;
#[path = "schema/formats.rs"]
mod formats;
#[path = "schema/judging.rs"]
mod judging;
#[path = "schema/places.rs"]
mod places;
#[path = "schema/references.rs"]
mod references;
#[path = "schema/suite.rs"]
mod suite;
mod support;
#[path = "schema/violations.rs"]
mod violations;

use mcp_conform::schema::{Bounds, Instance, Judgement, Schema, Unusable, Violation};
use serde_json::Value;

/// Why `schema` cannot be used; `None` where it can.
fn unusable(schema: &Value) -> Option<Unusable> {
    Schema::new(schema, Bounds::default()).compiled().err()
}

/// Judges `instance` by `schema`, which is usable.
fn judge(schema: &Value, instance: &Value) -> Judgement {
    let schema = Schema::new(schema, Bounds::default());
    let compiled = schema
        .compiled()
        .unwrap_or_else(|why| panic!("{why:?}: {schema:?}"));
    compiled.judge(Instance::plain(instance))
}

/// How `instance` violates `schema`.
fn violations(schema: &Value, instance: &Value) -> Vec<Violation> {
    match judge(schema, instance) {
        Judgement::DoesNotFit(violations) => violations,
        other => panic!("{other:?}: {instance} by {schema}"),
    }
}
