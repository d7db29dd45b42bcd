//! Mutants that read JSON as something else: other members, other numbers, other names.

use std::fmt;

use mcp_conform::certify::Verdict::{Fail, NonStrict, WrongReason};
use mcp_conform::corpus::GateName::{Arguments, Result};
use mcp_conform::gate::RejectionReason::{LimitExceeded, ShapeInvalid};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, json};

use crate::change::{asking, judges, read_part, rejecting, seeing, value_of, with_text};
use crate::mutant::Matter::{Keyword, Suite};
use crate::mutant::Mutant;
use crate::walk::edit_all;

pub fn mutants() -> Vec<Mutant> {
    let largest = 9_007_199_254_740_992_u64;
    vec![
        Mutant::new(
            "reads-the-first-of-two-members",
            "of two members of one name the first counts",
            asking(|request| {
                let field = value_of(request.gate).0;
                let text = judges(request.gate).then(|| request.field(field))?;
                let plain: Value = serde_json::from_str(text).ok()?;
                let First(first) = serde_json::from_str(text).ok()?;
                (first != plain).then(|| with_text(request, field, first.to_string()))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("enum"))
        .ungenerated("no generated object has a member twice"),
        Mutant::new(
            "rounds-integers",
            "an integer beyond 2^53 is read as the double next to it",
            seeing(|value| {
                edit_all(value, &|value| {
                    let Some(number) = value
                        .as_u64()
                        .filter(|number| *number > 9_007_199_254_740_992)
                    else {
                        return false;
                    };
                    #[expect(
                        clippy::cast_precision_loss,
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "that is the mistake"
                    )]
                    let rounded = number as f64 as u64;
                    *value = json!(rounded);
                    rounded != number
                })
            }),
        )
        .known_by(Result, NonStrict, Keyword("const")),
        Mutant::new(
            "refuses-integers-beyond-2-to-53",
            "an integer that a double cannot hold is refused",
            rejecting(ShapeInvalid, move |request| {
                let place = value_of(request.gate);
                let value = judges(request.gate)
                    .then(|| read_part(request, place))
                    .flatten();
                value.is_some_and(|mut value| {
                    edit_all(&mut value, &|value| {
                        value.as_u64().is_some_and(|number| number > largest)
                    })
                })
            }),
        )
        .known_by(Arguments, NonStrict, Suite("arguments/large-integers")),
        Mutant::new(
            "reads-ten-levels",
            "a value of more than ten levels is refused",
            rejecting(LimitExceeded, |request| {
                let field = value_of(request.gate).0;
                let deepest =
                    request
                        .field(field)
                        .chars()
                        .fold((0_i32, 0), |(level, most), char| {
                            let level = match char {
                                '{' | '[' => level + 1,
                                '}' | ']' => level - 1,
                                _ => level,
                            };
                            (level, most.max(level))
                        });
                judges(request.gate) && deepest.1 > 13
            }),
        )
        .known_by(Result, NonStrict, Suite("hostile/values"))
        .ungenerated("generated values are kept shallow"),
        Mutant::new(
            "takes-escapes-as-they-stand",
            "a member name is compared before its escapes are read",
            asking(|request| {
                let field = value_of(request.gate).0;
                let text = judges(request.gate).then(|| request.field(field))?;
                text.contains("\\u00")
                    .then(|| with_text(request, field, text.replace("\\u00", "-u00")))
            }),
        )
        .known_by(Arguments, WrongReason, Keyword("enum")),
        Mutant::new(
            "refuses-escaped-emoji",
            "a pair of escapes for one character is refused",
            rejecting(ShapeInvalid, |request| {
                request.fields.iter().any(|(_, text)| {
                    text.len() < 64 << 10 && text.to_ascii_lowercase().contains("\\ud8")
                })
            }),
        )
        .known_by(Result, Fail, Suite("hostile/text")),
    ]
}

/// A value in which the first of two equal members counts.
struct First(Value);

impl<'de> Deserialize<'de> for First {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> std::result::Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_i64<E>(self, number: i64) -> std::result::Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> std::result::Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> std::result::Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(First(item)) = items.next_element()? {
            read.push(item);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> std::result::Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some((name, First(member))) = members.next_entry::<String, First>()? {
            read.entry(name).or_insert(member);
        }
        Ok(Value::Object(read))
    }
}
