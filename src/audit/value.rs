//! The tape as the schema engine reads it: an implementation of the `Json` trait of the
//! `jsonschema` crate, whose validators are generic over it.

use std::borrow::Cow;
use std::sync::OnceLock;

use jsonschema::JsonType;
use jsonschema::json::{Json, JsonNumber, Node as EngineNode, NodeIdentity, Object};
use jsonschema_value::LazyInstance;
use serde_json::Value;

use super::container::{Elements, Members};
use super::number::Number;
use super::tape::{Doc, Kind, Slot};
use crate::gate::Readable;

/// The representation: `jsonschema::options_for::<Arena>()` builds a validator of it.
pub struct Arena;

/// A member name, as a compiled schema looks it up.
pub struct Key(Box<str>);

impl Key {
    #[inline]
    pub(super) fn is(&self, name: &str) -> bool {
        *self.0 == *name
    }
}

impl Json for Arena {
    type Node<'a> = Node<'a>;
    type PreparedKey = Key;
    type StringBuffer = String;

    // A lookup walks the members, so a few of them are best made in one walk: 3 % faster at 4
    // than at 1 on the audit workload, and no faster beyond.
    const KEYS_PER_LOOKUP: usize = 4;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> Key {
        Key(key.into())
    }

    /// Member names are nodes already, see [`Members`]; this is for a
    /// string from elsewhere.
    fn with_string_node<T>(text: &mut String, string: &str, f: impl FnOnce(Node<'_>) -> T) -> T {
        *text = Value::from(string).to_string();
        let tape = [Slot::pair(Kind::Decoded, 0, 0, string.len())];
        f(Doc::new(&tape, text, string, false).root())
    }
}

/// One value of a [`Doc`].
#[derive(Clone, Copy)]
pub struct Node<'a> {
    pub(super) doc: &'a Doc<'a>,
    pub(super) at: u32,
}

impl<'a> Node<'a> {
    #[inline]
    fn slot(&self) -> Slot {
        self.doc.visit(self.at)
    }

    /// The string, if it is one.
    #[inline]
    pub fn as_str(&self) -> Option<&'a str> {
        let slot = self.slot();
        slot.is_string().then(|| self.doc.string(slot))
    }

    /// The member called `name`, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        self.as_object()?
            .find(|member| member.0 == name)
            .map(|member| member.1)
    }

    fn build(&self) -> Value {
        let slot = self.slot();
        match slot.kind {
            Kind::Null => Value::Null,
            Kind::False => Value::Bool(false),
            Kind::True => Value::Bool(true),
            Kind::Int | Kind::Uint | Kind::Float | Kind::Decimal => Value::Number(
                Number {
                    doc: self.doc,
                    slot,
                }
                .to_number()
                .into_owned(),
            ),
            Kind::Plain | Kind::Decoded => Value::String(self.doc.string(slot).to_owned()),
            Kind::Array => Elements::of(self, slot).map(|node| node.build()).collect(),
            Kind::Object => Members::of(self, slot)
                .map(|(name, node)| (name.to_owned(), node.build()))
                .collect(),
        }
    }
}

/// As the guard reads a record and what was recorded.
impl Readable for Node<'_> {
    fn members(self) -> Option<usize> {
        Some(self.as_object()?.len())
    }

    fn member(self, name: &str) -> Option<Self> {
        self.get(name)
    }

    fn text(&self) -> Option<&str> {
        self.as_str()
    }

    fn flag(self) -> Option<bool> {
        self.as_boolean()
    }
}

impl<'a> EngineNode<'a, Arena> for Node<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = Number<'a>;

    #[inline]
    fn as_object(&self) -> Option<Members<'a>> {
        let slot = self.slot();
        (slot.kind == Kind::Object).then(|| Members::of(self, slot))
    }

    #[inline]
    fn as_array(&self) -> Option<Elements<'a>> {
        let slot = self.slot();
        (slot.kind == Kind::Array).then(|| Elements::of(self, slot))
    }

    /// A string costs a step for every 64 bytes too, as patterns and lengths read it through.
    #[inline]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        let slot = self.slot();
        slot.is_string().then(|| {
            self.doc.spend(u64::from(slot.low() / 64));
            Cow::Borrowed(self.doc.string(slot))
        })
    }

    #[inline]
    fn as_number(&self) -> Option<Number<'a>> {
        let slot = self.slot();
        slot.is_number().then_some(Number {
            doc: self.doc,
            slot,
        })
    }

    #[inline]
    fn as_boolean(&self) -> Option<bool> {
        match self.slot().kind {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    #[inline]
    fn is_null(&self) -> bool {
        self.slot().kind == Kind::Null
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        match self.slot().kind {
            Kind::Null => JsonType::Null,
            Kind::False | Kind::True => JsonType::Boolean,
            Kind::Int | Kind::Uint | Kind::Float | Kind::Decimal => JsonType::Number,
            Kind::Plain | Kind::Decoded => JsonType::String,
            Kind::Array => JsonType::Array,
            Kind::Object => JsonType::Object,
        }
    }

    /// A code point takes one to four bytes, so the number of bytes often settles it.
    #[inline]
    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let slot = self.slot();
        if !slot.is_string() {
            return None;
        }
        let most = u64::from(slot.low());
        let least = most.div_ceil(4);
        if most < min || least > max {
            return Some(false);
        }
        if least >= min && most <= max {
            return Some(true);
        }
        let length = self.as_string()?.chars().count() as u64;
        Some((min..=max).contains(&length))
    }

    fn equals_value(&self, expected: &Value) -> bool {
        let slot = self.slot();
        match expected {
            Value::Null => slot.kind == Kind::Null,
            Value::Bool(true) => slot.kind == Kind::True,
            Value::Bool(false) => slot.kind == Kind::False,
            Value::Number(number) => {
                slot.is_number()
                    && Number {
                        doc: self.doc,
                        slot,
                    }
                    .equals(number)
            }
            Value::String(string) => slot.is_string() && self.doc.string(slot) == string,
            Value::Array(items) => {
                slot.kind == Kind::Array
                    && slot.low() as usize == items.len()
                    && Elements::of(self, slot)
                        .zip(items)
                        .all(|(node, item)| node.equals_value(item))
            }
            Value::Object(map) => {
                slot.kind == Kind::Object
                    && slot.low() as usize == map.len()
                    && Members::of(self, slot).all(|(name, node)| {
                        map.get(name).is_some_and(|value| node.equals_value(value))
                    })
            }
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(self.build())
    }

    /// An error costs nothing until its instance is asked for, which is then read again from the
    /// text: a large instance may have many errors, and few of them are ever shown.
    fn lazy_value(&self) -> LazyInstance<'a> {
        fn read(text: &[u8], at: u32) -> Value {
            let rest = text.get(at as usize..).unwrap_or_default();
            let mut values = serde_json::Deserializer::from_slice(rest).into_iter();
            values.next().and_then(Result::ok).unwrap_or_default()
        }
        LazyInstance::Deferred {
            bytes: self.doc.text().as_bytes(),
            tag: self.doc.slot(self.at).at,
            make: read,
            cell: OnceLock::new(),
        }
    }

    #[inline]
    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::tagged(
            std::ptr::from_ref(self.doc) as usize,
            self.at,
        ))
    }
}
