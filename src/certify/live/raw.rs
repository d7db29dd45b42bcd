//! JSON text edited as text: what is not replaced stays as it was, byte for byte, whatever a
//! parser would make of its numbers, its equal members and its escapes.

use std::fmt;
use std::ops::Range;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// The text of an object, and where the values of its members stand.
pub(super) struct Object<'t> {
    text: &'t str,
    members: Vec<(String, Range<usize>)>,
}

impl<'t> Object<'t> {
    /// Reads the members; `None` where the text is no object of JSON. What is inside the members
    /// is only skipped, so that no depth is too deep.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let members = deserializer.deserialize_map(Members).ok()?;
        deserializer.end().ok()?;
        let members = members.into_iter();
        Some(Self {
            text,
            members: members
                .map(|(name, value)| (name, place(text, value.get())))
                .collect(),
        })
    }

    /// How many members there are.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// The texts of all members of this name.
    pub(super) fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'t str> + 's {
        let named = self.members.iter().filter(move |(known, _)| known == name);
        named.map(|(_, value)| &self.text[value.clone()])
    }

    /// The text of the one member of this name; `None` where there is none, or more than one.
    pub(super) fn one(&self, name: &str) -> Option<&'t str> {
        let mut all = self.all(name);
        all.next().filter(|_| all.next().is_none())
    }

    /// The object with these members: a value takes the place of the one that is there, or comes
    /// first.
    pub(super) fn with(&self, values: &[(&str, &str)]) -> String {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let start = self.text.find('{').map_or(0, |at| at + 1);
        let mut new = Vec::new();
        for (name, value) in values {
            let places = self.members.iter().filter(|(known, _)| known == name);
            let before = edits.len();
            edits.extend(places.map(|(_, place)| (place.clone(), (*value).to_owned())));
            if edits.len() == before {
                new.push(format!("\"{name}\":{value}"));
            }
        }
        if !new.is_empty() {
            let comma = if self.members.is_empty() { "" } else { "," };
            edits.push((start..start, new.join(",") + comma));
        }
        replaced(self.text, edits)
    }
}

/// The places of the items of an array; `None` where the text is none.
pub(super) fn items(text: &str) -> Option<Vec<Range<usize>>> {
    let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    let items = items.into_iter();
    Some(items.map(|item| place(text, item.get())).collect())
}

/// The text with other text in these places, which do not overlap.
pub(super) fn replaced(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(place, _)| place.start);
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for (place, new) in edits {
        out.push_str(&text[kept..place.start]);
        out.push_str(&new);
        kept = place.end;
    }
    out.push_str(&text[kept..]);
    out
}

/// Where `part`, a piece of `text`, stands in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_replaced_stays_as_it_was() {
        let text =
            r#" { "name": "list_orders", "max": 1e400, "max":9007199254740993, "x":"\u0041" } "#;
        let object = Object::read(text).expect("an object");
        assert_eq!(object.all("max").count(), 2);
        assert_eq!(object.one("max"), None);
        assert_eq!(object.one("name"), Some("\"list_orders\""));
        assert_eq!(
            object.with(&[("name", "\"t1\""), ("description", "\"{}\"")]),
            r#" {"description":"{}", "name": "t1", "max": 1e400, "max":9007199254740993, "x":"\u0041" } "#
        );
        let empty = Object::read("{}").expect("an object");
        assert_eq!(empty.with(&[("a", "1"), ("b", "2")]), r#"{"a":1,"b":2}"#);
    }

    #[test]
    fn depth_is_skipped_and_no_object_is_none() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(
            Object::read(&deep).map(|object| object.members.len()),
            Some(1)
        );
        for text in ["[]", "7", "{\"a\":NaN}", "{\"a\":1} 2", "{", ""] {
            assert!(Object::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn items_are_found_where_they_stand() {
        let text = r#"[ {"a":1}, 1.0 ,"b"]"#;
        let places = items(text).expect("an array");
        let found: Vec<_> = places.iter().map(|place| &text[place.clone()]).collect();
        assert_eq!(found, ["{\"a\":1}", "1.0", "\"b\""]);
        assert!(items("{}").is_none());
    }
}
