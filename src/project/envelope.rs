//! What stands around a projected schema: the table's template, filled in.
//!
//! A string `{member}` stands for the member's value, `{a|b}` for the first that is there; a member
//! of the template whose value is not there is left out. Names of members are filled in, too.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::source::Pointer;

/// A template filled in, and where each value went.
#[derive(Debug)]
pub(super) struct Filled {
    pub(super) value: Value,
    pub(super) places: BTreeMap<String, Pointer>,
}

/// Fills `template` with `values`.
pub(super) fn fill(template: &Value, values: &Map<String, Value>) -> Filled {
    let mut places = BTreeMap::new();
    let value = put(template, values, &Pointer::root(), &mut places);
    Filled {
        value: value.unwrap_or(Value::Null),
        places,
    }
}

/// The members that a template names.
pub(super) fn names(template: &Value) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![template];
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => found.extend(slot(text).into_iter().flatten()),
            Value::Array(items) => waiting.extend(items),
            Value::Object(members) => {
                for (name, member) in members {
                    found.extend(slot(name).into_iter().flatten());
                    waiting.push(member);
                }
            }
            _ => {}
        }
    }
    found
}

/// The members that a string stands for, if it does.
fn slot(text: &str) -> Option<impl Iterator<Item = &str>> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    Some(inside.split('|'))
}

/// What a string of a template stands for.
enum Slot<'v> {
    /// Itself.
    Text,
    /// A member that is not there.
    Empty,
    /// This member.
    Held(String, &'v Value),
}

fn first<'v>(text: &str, values: &'v Map<String, Value>) -> Slot<'v> {
    let Some(mut names) = slot(text) else {
        return Slot::Text;
    };
    match names.find_map(|name| Some((name.to_owned(), values.get(name)?))) {
        Some((name, value)) => Slot::Held(name, value),
        None => Slot::Empty,
    }
}

fn put(
    template: &Value,
    values: &Map<String, Value>,
    at: &Pointer,
    places: &mut BTreeMap<String, Pointer>,
) -> Option<Value> {
    match template {
        Value::String(text) => match first(text, values) {
            Slot::Text => Some(template.clone()),
            Slot::Empty => None,
            Slot::Held(name, value) => {
                places.entry(name).or_insert_with(|| at.clone());
                Some(value.clone())
            }
        },
        Value::Array(items) => {
            let mut filled = Vec::with_capacity(items.len());
            for item in items {
                let place = at.join(filled.len());
                filled.extend(put(item, values, &place, places));
            }
            Some(Value::Array(filled))
        }
        Value::Object(members) => {
            let mut filled = Map::new();
            for (name, member) in members {
                let name = match first(name, values) {
                    Slot::Text => name.clone(),
                    Slot::Empty => continue,
                    Slot::Held(_, value) => value.as_str().unwrap_or_default().to_owned(),
                };
                if let Some(value) = put(member, values, &at.join(&name), places) {
                    filled.insert(name, value);
                }
            }
            Some(Value::Object(filled))
        }
        other => Some(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_there_is_left_out() {
        let template = json!({
            "id": "{name}", "title": "{title|name}", "icons": "{icons}", "strict": true,
            "by": {"{name}": {"in": "{input}"}}
        });
        let values = json!({"name": "get_report", "input": {"type": "object"}});
        let filled = fill(&template, values.as_object().expect("an object"));
        let expected = json!({
            "id": "get_report", "title": "get_report", "strict": true,
            "by": {"get_report": {"in": {"type": "object"}}}
        });
        assert_eq!(filled.value, expected);
        assert_eq!(filled.places["input"].as_str(), "/by/get_report/in");
        assert!(names(&template).contains("icons"));
    }
}
