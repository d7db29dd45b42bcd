//! An instance that is judged within a budget.
//!
//! The engine reads instances through its `Json` trait. [`Metered`] is `serde_json::Value` behind
//! that trait with a counter: each read costs a step, and once the budget is spent every value
//! reads as null, so that whatever is left of the walk ends by itself. The verdict of such a walk
//! is worth nothing and says so. In the same way a comparison of a number that a double would
//! round is noticed instead of decided.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object, SerdeJson};
use serde_json::{Map, Number, Value};

use super::meter::Meter;
use super::tree::address;
use crate::source::is_integer;

/// The representation: values of `serde_json` under a [`Meter`].
pub(super) struct Metered;

/// A value and the meter that its reads are charged to.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    value: &'a Value,
    meter: &'a Meter<'a>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(value: &'a Value, meter: &'a Meter<'a>) -> Self {
        Self { value, meter }
    }

    /// The value, or null once the budget is spent.
    fn read(&self) -> &'a Value {
        const NULL: &Value = &Value::Null;
        if self.meter.pay(1) { self.value } else { NULL }
    }
}

impl Json for Metered {
    type Node<'a> = Reading<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    const KEYS_PER_LOOKUP: usize = SerdeJson::KEYS_PER_LOOKUP;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Reading<'_>) -> T) -> T {
        let name = Value::String(string.to_owned());
        let meter = Meter::unbounded();
        f(Reading::new(&name, &meter))
    }
}

impl<'a> Node<'a, Metered> for Reading<'a> {
    type Object = Members<'a>;
    type Array = Items<'a>;
    type Number = Measured<'a>;

    fn as_object(&self) -> Option<Members<'a>> {
        let members = self.read().as_object()?;
        Some(Members {
            members,
            meter: self.meter,
        })
    }

    fn as_array(&self) -> Option<Items<'a>> {
        let items = self.read().as_array()?;
        Some(Items {
            items,
            meter: self.meter,
        })
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        let text = self.read().as_str()?;
        // What reads the text reads all of it: a pattern, a format.
        self.meter.pay(text.len() / 16);
        Some(Cow::Borrowed(text))
    }

    fn as_number(&self) -> Option<Measured<'a>> {
        match self.read() {
            Value::Number(number) => Some(Measured {
                number,
                text: self.meter.inexact.get(&address(self.value)).copied(),
                meter: self.meter,
            }),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        self.read().as_bool()
    }

    fn is_null(&self) -> bool {
        self.read().is_null()
    }

    fn is_number(&self) -> bool {
        self.read().is_number()
    }

    fn json_type(&self) -> JsonType {
        self.read().json_type()
    }

    fn string_length(&self) -> Option<u64> {
        let value = self.read();
        self.meter.pay(value.as_str().map_or(0, str::len) / 64);
        value.string_length()
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let value = self.read();
        self.meter.pay(value.as_str().map_or(0, str::len) / 64);
        value.string_length_within(min, max)
    }

    fn equals_value(&self, expected: &Value) -> bool {
        let value = self.read();
        self.meter.pay(size(value).min(size(expected)));
        if !self.meter.inexact.is_empty() && self.meter.holds_inexact(value) {
            self.meter.rounded.set(true);
        }
        value.equals_value(expected)
    }

    fn to_value(&self) -> Cow<'a, Value> {
        // Errors carry the instance, so this counts them; the engine builds no other copies.
        let reports = &self.meter.reports;
        reports.set(reports.get().saturating_sub(1));
        Cow::Borrowed(self.value)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        self.value.identity()
    }
}

/// Members or elements at the top of a value: what a comparison reads before it can tell.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        Value::String(text) => text.len() / 64,
        _ => 0,
    }
}

/// The members of an object under a meter.
pub(super) struct Members<'a> {
    members: &'a Map<String, Value>,
    meter: &'a Meter<'a>,
}

/// Iterates members while the budget lasts.
pub(super) struct MembersIter<'a> {
    members: serde_json::map::Iter<'a>,
    meter: &'a Meter<'a>,
}

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, Reading<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if !self.meter.pay(1) {
            return None;
        }
        let (name, value) = self.members.next()?;
        Some((name.as_str(), Reading::new(value, self.meter)))
    }
}

impl<'a> Object<'a, Metered> for Members<'a> {
    type Node = Reading<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.members.len()
    }

    fn get(&self, key: &String) -> Option<Reading<'a>> {
        let value = Object::<SerdeJson>::get(&self.members, key)?;
        Some(Reading::new(value, self.meter))
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter {
            members: self.members.iter(),
            meter: self.meter,
        }
    }
}

/// The elements of an array under a meter.
pub(super) struct Items<'a> {
    items: &'a [Value],
    meter: &'a Meter<'a>,
}

/// Iterates elements while the budget lasts.
pub(super) struct ItemsIter<'a> {
    items: std::slice::Iter<'a, Value>,
    meter: &'a Meter<'a>,
}

impl<'a> Iterator for ItemsIter<'a> {
    type Item = Reading<'a>;

    fn next(&mut self) -> Option<Reading<'a>> {
        if !self.meter.pay(1) {
            return None;
        }
        Some(Reading::new(self.items.next()?, self.meter))
    }
}

impl<'a> Array<'a, Metered> for Items<'a> {
    type Node = Reading<'a>;
    type ElementsIter = ItemsIter<'a>;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn elements(&self) -> ItemsIter<'a> {
        ItemsIter {
            items: self.items.iter(),
            meter: self.meter,
        }
    }

    fn is_unique(&self) -> bool {
        self.meter.pay(self.items.len());
        if !self.meter.inexact.is_empty()
            && self.items.iter().any(|item| self.meter.holds_inexact(item))
        {
            self.meter.rounded.set(true);
        }
        jsonschema::json::unique::is_unique(self.items)
    }
}

/// A number and, where a double has rounded it, how it was written.
pub(super) struct Measured<'a> {
    number: &'a Number,
    text: Option<&'a str>,
    meter: &'a Meter<'a>,
}

impl Measured<'_> {
    /// The number for a comparison.
    fn compared(&self) -> &Number {
        if self.text.is_some() {
            self.meter.rounded.set(true);
        }
        self.number
    }
}

impl JsonNumber for Measured<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.compared().as_u64()
    }

    fn as_i64(&self) -> Option<i64> {
        self.compared().as_i64()
    }

    fn as_f64(&self) -> Option<f64> {
        self.compared().as_f64()
    }

    fn as_str(&self) -> Cow<'_, str> {
        match self.text {
            Some(text) => Cow::Borrowed(text),
            None => JsonNumber::as_str(self.number),
        }
    }

    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Borrowed(self.compared())
    }

    fn is_integer(&self) -> bool {
        match self.text {
            Some(text) => is_integer(text),
            None => JsonNumber::is_integer(self.number),
        }
    }
}
