//! Mutants that take one value for another: 1 for true, "5" for 5, null for nothing.

use mcp_conform::certify::Verdict::NonStrict;
use mcp_conform::corpus::GateName::{Arguments, Handoff, Result};
use mcp_conform::schema::equal;
use serde_json::{Value, json};

use crate::change::{Members, reading, replace, seeing, seeing_pairs};
use crate::mutant::Matter::{Keyword, Suite};
use crate::mutant::Mutant;
use crate::walk::{asks_for, edit_all};

pub fn mutants() -> Vec<Mutant> {
    [types(), equality()].into_iter().flatten().collect()
}

fn types() -> Vec<Mutant> {
    vec![
        Mutant::new(
            "takes-fractions-for-integers",
            "`integer` is any number",
            reading("integer", |schema, _| {
                schema.get("type") == Some(&json!("integer"))
                    && schema.insert("type".into(), "number".into()).is_some()
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("type")),
        Mutant::new(
            "refuses-an-integer-with-a-fraction-of-zero",
            "1.0 is no integer",
            seeing_pairs("integer", |schema, value| {
                let whole = value
                    .as_f64()
                    .filter(|number| number.fract() == 0.0 && value.is_f64());
                let Some(number) = whole.filter(|_| asks_for(schema, "integer")) else {
                    return false;
                };
                replace(value, json!(number + 0.5))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("type")),
        Mutant::new(
            "takes-true-for-a-number",
            "`integer` and `number` let true and false pass, as 1 and 0",
            seeing_pairs("type", |schema, value| {
                let number = asks_for(schema, "integer") || asks_for(schema, "number");
                let flag = value
                    .as_bool()
                    .filter(|_| number && !asks_for(schema, "boolean"));
                flag.is_some_and(|flag| replace(value, json!(u8::from(flag))))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("type")),
        Mutant::new(
            "coerces-text-to-numbers",
            "\"5\" passes where a number is asked for",
            seeing_pairs("type", |schema, value| {
                let number = asks_for(schema, "integer") || asks_for(schema, "number");
                let text = value
                    .as_str()
                    .filter(|_| number && !asks_for(schema, "string"));
                let read = text.and_then(|text| serde_json::from_str::<Value>(text).ok());
                read.filter(Value::is_number)
                    .is_some_and(|number| replace(value, number))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("type")),
        Mutant::new(
            "coerces-numbers-to-text",
            "5 passes where a string is asked for",
            seeing_pairs("string", |schema, value| {
                let scalar = value.is_number() || value.is_boolean();
                let wanted = asks_for(schema, "string")
                    && !asks_for(schema, "integer")
                    && !asks_for(schema, "number");
                scalar && wanted && replace(value, json!(value.to_string()))
            }),
        )
        .known_by(Result, NonStrict, Keyword("type")),
        Mutant::new(
            "coerces-one-value-to-a-list",
            "a single value passes where an array is asked for",
            seeing_pairs("array", |schema, value| {
                let single = !value.is_array() && !value.is_null();
                single
                    && schema.get("type") == Some(&json!("array"))
                    && replace(value, json!([value]))
            }),
        )
        .known_by(Result, NonStrict, Keyword("type")),
        Mutant::new(
            "reads-text-as-json",
            "the JSON text of an object or an array passes in its place",
            seeing_pairs("type", |schema, value| {
                let wanted = asks_for(schema, "object") || asks_for(schema, "array");
                let text = value
                    .as_str()
                    .filter(|_| wanted && !asks_for(schema, "string"));
                let read = text.and_then(|text| serde_json::from_str::<Value>(text).ok());
                let read = read.filter(|read| read.is_object() || read.is_array());
                read.is_some_and(|read| replace(value, read))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("type")),
        Mutant::new(
            "honours-nullable",
            "`nullable: true` lets null pass, as in OpenAPI 3.0",
            reading("nullable", |schema, _| {
                let kind = schema
                    .get("type")
                    .and_then(Value::as_str)
                    .map(str::to_owned);
                let Some(kind) =
                    kind.filter(|_| schema.get("nullable") == Some(&Value::Bool(true)))
                else {
                    return false;
                };
                schema.insert("type".into(), json!([kind, "null"]));
                true
            }),
        )
        .known_by(Result, NonStrict, Keyword("type")),
        Mutant::new(
            "takes-null-for-an-absent-member",
            "a member of null is as good as none",
            seeing(|value| {
                edit_all(value, &|value| {
                    let Value::Object(members) = value else {
                        return false;
                    };
                    let before = members.len();
                    members.retain(|_, member| !member.is_null());
                    members.len() < before
                })
            }),
        )
        .known_by(Result, NonStrict, Keyword("type")),
    ]
}

fn equality() -> Vec<Mutant> {
    fn options(schema: &Members) -> Vec<&Value> {
        let list = schema.get("enum").and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .chain(schema.get("const"))
            .collect()
    }
    fn stands_for(schema: &Members, value: &mut Value, same: fn(&Value, &Value) -> bool) -> bool {
        let options = options(schema);
        if options.contains(&&*value) {
            return false;
        }
        let found = options.into_iter().find(|option| same(option, value));
        found.cloned().is_some_and(|option| replace(value, option))
    }
    vec![
        Mutant::new(
            "takes-true-for-1",
            "`enum` and `const` hold 1 and true, and 0 and false, for equal",
            seeing_pairs("", |schema, value| {
                stands_for(schema, value, |option, value| match (option, value) {
                    (Value::Number(number), Value::Bool(flag))
                    | (Value::Bool(flag), Value::Number(number)) => {
                        number.as_f64() == Some(f64::from(u8::from(*flag)))
                    }
                    _ => false,
                })
            }),
        )
        .known_by(Result, NonStrict, Keyword("enum")),
        Mutant::new(
            "compares-values-as-text",
            "`enum` and `const` hold 1 and \"1\" for equal",
            seeing_pairs("", |schema, value| {
                stands_for(schema, value, |option, value| match (option, value) {
                    (Value::String(text), other) | (other, Value::String(text)) => {
                        !other.is_string() && written(other) == *text
                    }
                    _ => false,
                })
            }),
        )
        .known_by(Result, NonStrict, Keyword("enum")),
        Mutant::new(
            "compares-text-ignoring-case",
            "`enum` and `const` let the same word in other letters pass",
            seeing_pairs("", |schema, value| {
                stands_for(schema, value, |option, value| {
                    let texts = option.as_str().zip(value.as_str());
                    texts.is_some_and(|(option, value)| option.eq_ignore_ascii_case(value))
                })
            }),
        )
        .known_by(Handoff, NonStrict, Suite("handoff/triage-to-billing")),
        Mutant::new(
            "compares-objects-in-order",
            "`enum` and `const` refuse an object whose members come in another order",
            seeing_pairs("", |schema, value| {
                let printed = written(value);
                let mut objects = options(schema)
                    .into_iter()
                    .filter(|option| option.is_object());
                let equal = objects.any(|option| option == value && written(option) != printed);
                equal && replace(value, json!("another"))
            }),
        )
        .known_by(Result, NonStrict, Keyword("enum")),
        Mutant::new(
            "compares-elements-by-identity",
            "`uniqueItems` holds no two objects for equal",
            seeing_pairs("uniqueItems", |schema, value| {
                distinct(schema, value, |one, other| one.is_object() && one == other)
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("uniqueItems")),
        Mutant::new(
            "compares-elements-as-text",
            "`uniqueItems` takes 1 and 1.0, and two orders of one object, for two values",
            seeing_pairs("uniqueItems", |schema, value| {
                distinct(schema, value, |one, other| {
                    equal(one, other) && written(one) != written(other)
                })
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("uniqueItems")),
        Mutant::new(
            "takes-true-and-1-for-repeated",
            "`uniqueItems` holds 1 and true for equal",
            seeing_pairs("uniqueItems", |schema, value| {
                let asked = schema.contains_key("uniqueItems");
                let Some(elements) = value.as_array_mut().filter(|_| asked) else {
                    return false;
                };
                let flag = elements
                    .iter()
                    .position(|element| element == &Value::Bool(true));
                let one = elements.iter().any(|element| element.as_f64() == Some(1.0));
                flag.filter(|_| one)
                    .is_some_and(|flag| replace(&mut elements[flag], json!(1)))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("uniqueItems")),
    ]
}

/// Drops elements that are the `same` as an earlier one, so that they are not seen to be.
fn distinct(schema: &Members, value: &mut Value, same: fn(&Value, &Value) -> bool) -> bool {
    let Some(elements) = value.as_array_mut().filter(|elements| elements.len() < 100) else {
        return false;
    };
    if !schema.contains_key("uniqueItems") {
        return false;
    }
    let before = elements.len();
    let mut kept: Vec<Value> = Vec::new();
    for element in elements.drain(..) {
        if !kept.iter().any(|known| same(known, &element)) {
            kept.push(element);
        }
    }
    *elements = kept;
    elements.len() < before
}

/// The value as it is written, where its look and not its meaning counts.
fn written(value: &Value) -> String {
    value.to_string()
}
