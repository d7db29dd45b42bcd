//! A committed projection against a fresh one, by structure.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::source::{Pointer, cut};

/// Differences that are listed of one projection.
const MOST: usize = 50;

/// One place at which a committed projection is not what it would be now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Where, from the root of the projection.
    pub pointer: String,
    /// What is there, and what would be, as a clause.
    pub message: String,
}

/// Why a committed projection may have drifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Source and table are as they were: somebody has changed the file.
    Edited,
    /// The source has changed since.
    Source,
    /// The target's table has changed since.
    Table,
    /// It was never written.
    Missing,
    /// It is of nothing that is in the source any more.
    Orphan,
}

impl Cause {
    /// The cause as a clause.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::Edited => {
                "the source and the target's table are as they were when it was written: it was edited by hand"
            }
            Self::Source => "the source has changed since it was written",
            Self::Table => "the target's table has changed since it was written",
            Self::Missing => "it was never written",
            Self::Orphan => "nothing in the source has this name",
        }
    }
}

/// Where `committed` is not `fresh`. The order of members says nothing, nor does that of the
/// elements of `required`, `type` and `enum`.
pub fn differences(fresh: &Value, committed: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(fresh, committed, &Pointer::root(), &mut found);
    found.truncate(MOST);
    found
}

fn compare(fresh: &Value, committed: &Value, at: &Pointer, found: &mut Vec<Difference>) {
    if found.len() >= MOST {
        return;
    }
    match (fresh, committed) {
        (Value::Object(wanted), Value::Object(have)) => {
            for (name, value) in wanted {
                let place = at.join(name);
                match have.get(name) {
                    Some(other) => compare(value, other, &place, found),
                    None => {
                        let (name, value) = (cut(name, 40), short(value));
                        add(
                            found,
                            &place,
                            format!("`{name}` is not there; it would be {value}"),
                        );
                    }
                }
            }
            for (name, value) in have.iter().filter(|(name, _)| !wanted.contains_key(*name)) {
                let (shown, value) = (cut(name, 40), short(value));
                let message = format!("`{shown}` is {value}; it would not be there");
                add(found, &at.join(name), message);
            }
        }
        (Value::Array(wanted), Value::Array(have)) if is_set(at) && same_set(wanted, have) => {}
        (Value::Array(wanted), Value::Array(have)) if wanted.len() == have.len() => {
            for (index, (value, other)) in wanted.iter().zip(have).enumerate() {
                compare(value, other, &at.join(index), found);
            }
        }
        (wanted, have) if wanted == have => {}
        (wanted, have) => {
            let (have, wanted) = (short(have), short(wanted));
            add(found, at, format!("it is {have}; it would be {wanted}"));
        }
    }
}

fn add(found: &mut Vec<Difference>, at: &Pointer, message: String) {
    found.push(Difference {
        pointer: at.to_string(),
        message,
    });
}

fn is_set(at: &Pointer) -> bool {
    at.last()
        .is_some_and(|name| matches!(name.as_ref(), "required" | "type" | "enum"))
}

fn same_set(left: &[Value], right: &[Value]) -> bool {
    left.len() == right.len()
        && left.iter().all(|value| right.contains(value))
        && right.iter().all(|value| left.contains(value))
}

fn short(value: &Value) -> String {
    cut(&value.to_string(), 60).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn order_says_nothing_and_a_missing_keyword_does() {
        let fresh =
            json!({"type": "object", "required": ["a", "b"], "additionalProperties": false});
        let reordered =
            json!({"required": ["b", "a"], "additionalProperties": false, "type": "object"});
        assert_eq!(differences(&fresh, &reordered), []);
        let opened = json!({"type": "object", "required": ["a", "b"]});
        let found = differences(&fresh, &opened);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].pointer, "/additionalProperties");
    }
}
