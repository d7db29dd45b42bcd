//! Systematic damage: every value below a seed removed, replaced or given a member it does not know.

use serde_json::{Value, json};

/// What is done to one value.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Nothing: the seed itself.
    None,
    /// The value is taken out of its object or array.
    Removed,
    /// Another value stands in its place.
    Set(Value),
    /// The value, an object, gets a member that no version knows.
    MemberAdded,
}

impl Change {
    /// Whether another value of this JSON type (as `type` names it) stands there now.
    pub fn sets(&self, kind: &str) -> bool {
        matches!(self, Self::Set(value) if type_of(value) == kind)
    }
}

/// A seed with one thing changed.
#[derive(Clone, Debug)]
pub struct Damaged {
    pub value: Value,
    /// Where, as a JSON Pointer into the seed.
    pub pointer: String,
    pub change: Change,
}

/// A value of each JSON type; those of the types that hold others empty, and one that holds null.
fn replacements() -> [Value; 9] {
    [
        json!(null),
        json!(true),
        json!(0),
        json!(1.5),
        json!(""),
        json!("x"),
        json!([]),
        json!({}),
        json!([null]),
    ]
}

/// The seed, and everything that one change makes of it.
pub fn every(seed: &Value) -> Vec<Damaged> {
    let mut all = vec![Damaged {
        value: seed.clone(),
        pointer: String::new(),
        change: Change::None,
    }];
    for pointer in pointers(seed, String::new()) {
        let mut push = |change: Change, value: Option<Value>| {
            if let Some(value) = value.filter(|value| value != seed) {
                let pointer = pointer.clone();
                all.push(Damaged {
                    value,
                    pointer,
                    change,
                });
            }
        };
        push(Change::Removed, without(seed, &pointer));
        for replacement in replacements() {
            let value = with(seed, &pointer, |place| *place = replacement.clone());
            push(Change::Set(replacement), value);
        }
        let value = with(seed, &pointer, |place| {
            if let Value::Object(members) = place {
                members.insert("x-unknown".to_owned(), json!({"a": null}));
            }
        });
        push(Change::MemberAdded, value);
    }
    all
}

/// The pointers of `value` and of everything below it.
fn pointers(value: &Value, at: String) -> Vec<String> {
    let mut below = Vec::new();
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                below.extend(pointers(member, format!("{at}/{name}")));
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                below.extend(pointers(item, format!("{at}/{index}")));
            }
        }
        _ => {}
    }
    below.insert(0, at);
    below
}

fn with(seed: &Value, pointer: &str, change: impl FnOnce(&mut Value)) -> Option<Value> {
    let mut value = seed.clone();
    change(value.pointer_mut(pointer)?);
    Some(value)
}

fn without(seed: &Value, pointer: &str) -> Option<Value> {
    let (parent, token) = pointer.rsplit_once('/')?;
    let token = token.replace("~1", "/").replace("~0", "~");
    let mut value = seed.clone();
    match value.pointer_mut(parent)? {
        Value::Object(members) => members.shift_remove(&token).map(drop)?,
        Value::Array(items) => drop(items.remove(token.parse().ok()?)),
        _ => return None,
    }
    Some(value)
}

/// The JSON type, as JSON Schema names it.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
