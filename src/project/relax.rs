//! A schema without what a loss report excuses, for the proof to ask what is left.

use serde_json::{Map, Value, json};

use crate::source::Pointer;

/// A keyword of a source schema that its projection does not ask for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edit {
    /// The keyword at this place is gone.
    Remove(Pointer),
    /// The `oneOf` of the schema at this place counts no more.
    OneOfToAnyOf(Pointer),
    /// The tuple of the schema at this place has lost its order.
    TupleToItems(Pointer),
}

impl Edit {
    fn place(&self) -> &Pointer {
        let (Self::Remove(at) | Self::OneOfToAnyOf(at) | Self::TupleToItems(at)) = self;
        at
    }
}

/// `schema` after all of `edits`, the deepest first, since an outer one may move an inner place.
pub(super) fn relaxed(schema: &Value, edits: &[Edit]) -> Value {
    let mut value = schema.clone();
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|edit| std::cmp::Reverse(edit.place().tokens().count()));
    for edit in ordered {
        apply(&mut value, edit);
    }
    value
}

fn members<'v>(value: &'v mut Value, at: &Pointer) -> Option<&'v mut Map<String, Value>> {
    value.pointer_mut(at.as_str())?.as_object_mut()
}

/// What is not there any more was removed with something around it.
fn apply(value: &mut Value, edit: &Edit) -> Option<()> {
    match edit {
        Edit::Remove(at) => {
            let keyword = at.last()?.into_owned();
            members(value, &at.parent()?)?.shift_remove(&keyword);
        }
        Edit::OneOfToAnyOf(at) => {
            let schema = members(value, at)?;
            let branches = schema.shift_remove("oneOf")?;
            match schema.get_mut("anyOf") {
                None => drop(schema.insert("anyOf".to_owned(), branches)),
                Some(_) => {
                    let all = schema.entry("allOf").or_insert_with(|| json!([]));
                    all.as_array_mut()?.push(json!({"anyOf": branches}));
                }
            }
        }
        Edit::TupleToItems(at) => {
            let schema = members(value, at)?;
            let (tuple, rest) = match schema.shift_remove("prefixItems") {
                Some(tuple) => (tuple, schema.shift_remove("items")),
                None => (
                    schema.shift_remove("items")?,
                    schema.shift_remove("additionalItems"),
                ),
            };
            let mut kinds = tuple.as_array()?.clone();
            let length = kinds.len();
            match rest {
                Some(Value::Bool(false)) => {
                    let most = schema.get("maxItems").and_then(Value::as_u64);
                    let most = most.map_or(length, |most| {
                        usize::try_from(most).unwrap_or(length).min(length)
                    });
                    schema.insert("maxItems".to_owned(), json!(most));
                }
                Some(rest) => kinds.push(rest),
                None => kinds.push(json!(true)),
            }
            schema.insert("items".to_owned(), json!({"anyOf": kinds}));
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_places_are_edited_before_outer_ones_move_them() {
        let schema = json!({"oneOf": [
            {"minLength": 3},
            {"prefixItems": [{"type": "string", "maxLength": 2}, {"type": "integer"}], "items": false}
        ]});
        let edits = [
            Edit::OneOfToAnyOf(Pointer::root()),
            Edit::TupleToItems(Pointer::from("/oneOf/1")),
            Edit::Remove(Pointer::from("/oneOf/0/minLength")),
            Edit::Remove(Pointer::from("/oneOf/1/prefixItems/0/maxLength")),
        ];
        let expected = json!({"anyOf": [
            {},
            {"maxItems": 2, "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}
        ]});
        assert_eq!(relaxed(&schema, &edits), expected);
    }
}
