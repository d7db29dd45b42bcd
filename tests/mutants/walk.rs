//! Walks through schemas, and through values beside their schemas.

use std::cell::Cell;

use mcp_conform::schema::{Dialect, Holds};
use serde_json::Value;

use crate::change::Members;

/// The most subschemas that are looked at beside one value: references may double at each step.
const FUEL: u32 = 2_000;

/// Where a subschema stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// What its document is read by.
    pub dialect: Dialect,
    /// How many subschemas it stands in.
    pub depth: u32,
}

/// The dialect that a schema is read by.
pub fn dialect_of(schema: &Value) -> Dialect {
    let declared = schema.get("$schema").and_then(Value::as_str);
    let declared = declared.and_then(Dialect::from_uri);
    declared.unwrap_or(Dialect::Draft202012)
}

/// Edits every subschema, the inner ones first, and no data. Returns whether anything changed.
pub fn edit_schemas(schema: &mut Value, edit: &dyn Fn(&mut Members, Place) -> bool) -> bool {
    let dialect = dialect_of(schema);
    edit_below(schema, Place { dialect, depth: 0 }, edit)
}

fn edit_below(
    schema: &mut Value,
    place: Place,
    edit: &dyn Fn(&mut Members, Place) -> bool,
) -> bool {
    let Some(members) = schema.as_object_mut() else {
        return false;
    };
    let mut changed = false;
    let below = Place {
        depth: place.depth + 1,
        ..place
    };
    for (keyword, value) in members.iter_mut() {
        let parts: Vec<&mut Value> = match (place.dialect.keyword(keyword), value) {
            (Some(Holds::Schemas | Holds::SchemaOrSchemas), Value::Array(items)) => {
                items.iter_mut().collect()
            }
            (Some(Holds::Named | Holds::NamedOrNames), Value::Object(named)) => {
                named.values_mut().collect()
            }
            (Some(Holds::Schema | Holds::SchemaOrSchemas), value) => vec![value],
            _ => continue,
        };
        for part in parts {
            changed |= edit_below(part, below, edit);
        }
    }
    edit(members, place) || changed
}

/// Edits each part of `value` that a subschema speaks of on its own, the inner ones first.
/// Alternatives are not followed: which one counts is what judging is about.
pub fn edit_pairs(
    schema: &Value,
    value: &mut Value,
    edit: &dyn Fn(&Members, &mut Value) -> bool,
) -> bool {
    let beside = Beside {
        root: schema,
        edit,
        fuel: Cell::new(FUEL),
    };
    beside.walk(schema, value)
}

/// A walk through a value beside its schema.
struct Beside<'s> {
    root: &'s Value,
    edit: &'s dyn Fn(&Members, &mut Value) -> bool,
    fuel: Cell<u32>,
}

impl Beside<'_> {
    fn walk(&self, schema: &Value, value: &mut Value) -> bool {
        let (Some(members), Some(fuel)) = (schema.as_object(), self.fuel.get().checked_sub(1))
        else {
            return false;
        };
        self.fuel.set(fuel);
        let mut changed = false;
        let target = members
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| self.root.pointer(reference.strip_prefix('#')?));
        let parts = members.get("allOf").and_then(Value::as_array);
        for part in target.into_iter().chain(parts.into_iter().flatten()) {
            changed |= self.walk(part, value);
        }
        match value {
            Value::Object(named) => {
                let declared = members.get("properties").and_then(Value::as_object);
                for (name, value) in named.iter_mut() {
                    let own = declared.and_then(|declared| declared.get(name));
                    if let Some(schema) = own.or_else(|| members.get("additionalProperties")) {
                        changed |= self.walk(schema, value);
                    }
                }
            }
            Value::Array(items) => {
                let of = |keyword: &str| members.get(keyword).and_then(Value::as_array);
                let first = of("prefixItems").or_else(|| of("items"));
                let rest = members.get("items");
                let rest = rest.or_else(|| members.get("additionalItems"));
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(schema) = first.and_then(|first| first.get(index)).or(rest) {
                        changed |= self.walk(schema, item);
                    }
                }
            }
            _ => {}
        }
        (self.edit)(members, value) || changed
    }
}

/// Edits every part of a value, the inner ones first.
pub fn edit_all(value: &mut Value, edit: &dyn Fn(&mut Value) -> bool) -> bool {
    let mut changed = false;
    match value {
        Value::Array(items) => {
            for item in items {
                changed |= edit_all(item, edit);
            }
        }
        Value::Object(members) => {
            for (_, member) in members.iter_mut() {
                changed |= edit_all(member, edit);
            }
        }
        _ => {}
    }
    edit(value) || changed
}

/// Whether `found` holds for any subschema.
pub fn any_schema(schema: &Value, found: &dyn Fn(&Members, Place) -> bool) -> bool {
    let mut schema = schema.clone();
    // An edit that changes nothing looks at everything.
    edit_schemas(&mut schema, &|members, place| found(members, place))
}

/// Whether the subschema asks for `kind`, alone or among others.
pub fn asks_for(schema: &Members, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name == kind),
        _ => false,
    }
}
