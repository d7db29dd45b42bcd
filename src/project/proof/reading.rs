//! A projected schema as plain JSON Schema, whole and without what only it asks for.

use serde_json::{Map, Value, json};

use crate::project::target::{Null, Target};
use crate::schema::{Dialect, Holds};
use crate::source::Pointer;

/// A projected schema as plain JSON Schema: what a target says in its own words, said in those of
/// 2020-12.
pub fn reading(projected: &Value, target: &Target) -> Value {
    match target.null {
        Null::Type => projected.clone(),
        Null::Nullable => plain(projected),
    }
}

fn plain(schema: &Value) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    let mut read = Map::new();
    for (keyword, value) in members {
        let value = match (Dialect::Draft202012.keyword(keyword), value) {
            (Some(Holds::Schema), value) => plain(value),
            (Some(Holds::Schemas), Value::Array(items)) => items.iter().map(plain).collect(),
            (Some(Holds::Named), Value::Object(named)) => {
                let named = named
                    .iter()
                    .map(|(name, member)| (name.clone(), plain(member)));
                Value::Object(named.collect())
            }
            _ => value.clone(),
        };
        read.insert(keyword.clone(), value);
    }
    if read.shift_remove("nullable") == Some(Value::Bool(true)) {
        if let Some(types) = read.get_mut("type") {
            *types = match types.take() {
                Value::Array(mut names) => {
                    names.push(json!("null"));
                    Value::Array(names)
                }
                name => json!([name, "null"]),
            };
        }
        for (keyword, null) in [("enum", Value::Null), ("anyOf", json!({"type": "null"}))] {
            if let Some(Value::Array(items)) = read.get_mut(keyword) {
                items.push(null);
            }
        }
    }
    Value::Object(read)
}

/// A projected schema without what only it asks for.
pub(super) fn without(schema: &Value, narrowed: &[Pointer]) -> Value {
    let mut value = schema.clone();
    for at in narrowed {
        let (Some(parent), Some(last)) = (at.parent(), at.last()) else {
            continue;
        };
        if let Some(Value::Object(members)) = value.pointer_mut(parent.as_str()) {
            members.shift_remove(last.as_ref());
        }
    }
    value
}
