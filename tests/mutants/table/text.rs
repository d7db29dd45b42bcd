//! Mutants that read text which is no JSON, read JSON as something else, or lose parts of numbers.

use std::fmt;

use mcp_conform::certify::Request;
use mcp_conform::certify::Verdict::{Fail, NonStrict, WrongReason};
use mcp_conform::corpus::GateName::{Arguments, Definition, Result};
use mcp_conform::gate::RejectionReason::{LimitExceeded, ShapeInvalid};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, json};

use crate::change::{asking, judges, read_part, rejecting, seeing, value_of, with_text};
use crate::mutant::Matter::{Keyword, Rule, Suite};
use crate::mutant::Mutant;
use crate::walk::edit_all;

const SYNTAX: &str = "json.syntax";
/// Why generation does not reach text that is no JSON.
const UNGENERATED: &str = "everything that is generated is JSON";

pub fn mutants() -> Vec<Mutant> {
    let mut all: Vec<_> = repairs()
        .into_iter()
        .map(|mutant| mutant.ungenerated(UNGENERATED))
        .collect();
    all.extend(exactness());
    all
}

/// Reads every text as `repair` leaves it.
fn mending(
    repair: fn(&str) -> String,
) -> impl Fn(&Request, &mut dyn mcp_conform::certify::Implementation) -> mcp_conform::certify::Outcome
+ Clone {
    asking(move |request| {
        let mut mended = None;
        for (field, text) in &request.fields {
            if text.len() <= 64 << 10 {
                let repaired = repair(text);
                if repaired != *text {
                    mended = Some(with_text(
                        mended.as_ref().unwrap_or(request),
                        field,
                        repaired,
                    ));
                }
            }
        }
        mended
    })
}

/// The text with each part outside of strings as `change` leaves it.
fn outside_strings(text: &str, change: fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        out.push_str(&change(&rest[..start]));
        let mut escaped = false;
        let inside = &rest[start + 1..];
        let end = inside.find(|char| {
            let ends = char == '"' && !escaped;
            escaped = char == '\\' && !escaped;
            ends
        });
        let end = end.map_or(rest.len(), |end| start + 1 + end + 1);
        out.push_str(&rest[start..end]);
        rest = &rest[end..];
    }
    out + &change(rest)
}

fn repairs() -> Vec<Mutant> {
    let known = |mutant: Mutant, gate| {
        mutant
            .sparing("result/keywords-type")
            .known_by(gate, Fail, Rule(SYNTAX))
    };
    vec![
        known(
            Mutant::new(
                "reads-not-a-number-as-null",
                "NaN and Infinity, as some writers put them, are read",
                mending(|text| {
                    outside_strings(text, |part| {
                        part.replace("-Infinity", "null")
                            .replace("Infinity", "null")
                            .replace("NaN", "null")
                    })
                }),
            ),
            Result,
        ),
        known(
            Mutant::new(
                "reads-past-a-trailing-comma",
                "a comma before a closing bracket is read past",
                mending(|text| {
                    outside_strings(text, |part| {
                        let part: String = part.split_whitespace().collect();
                        part.replace(",}", "}").replace(",]", "]")
                    })
                }),
            ),
            Definition,
        ),
        known(
            Mutant::new(
                "reads-past-comments",
                "a comment is read past",
                mending(|text| {
                    outside_strings(text, |part| match part.find("/*").zip(part.find("*/")) {
                        Some((start, end)) if start < end => {
                            format!("{}{}", &part[..start], &part[end + 2..])
                        }
                        _ => match part.find("//") {
                            Some(start) => {
                                let end = part[start..]
                                    .find('\n')
                                    .map_or(part.len(), |end| start + end);
                                format!("{}{}", &part[..start], &part[end..])
                            }
                            None => part.to_owned(),
                        },
                    })
                }),
            ),
            Definition,
        ),
        known(
            Mutant::new(
                "reads-single-quotes",
                "a text in single quotes is read",
                mending(|text| {
                    if text.contains('"') {
                        text.to_owned()
                    } else {
                        text.replace('\'', "\"")
                    }
                }),
            ),
            Definition,
        ),
        known(
            Mutant::new(
                "reads-control-characters",
                "a line break inside a string is read",
                mending(|text| {
                    let Err(fault) = serde_json::from_str::<Value>(text) else {
                        return text.to_owned();
                    };
                    if fault.to_string().contains("control character") {
                        text.replace(['\n', '\t', '\0'], " ")
                    } else {
                        text.to_owned()
                    }
                }),
            ),
            Definition,
        ),
        known(
            Mutant::new(
                "reads-numbers-with-leading-zeros",
                "007 and +7 are read as 7",
                mending(|text| {
                    outside_strings(text, |part| {
                        let after = |part: &str, sign: char| {
                            let mut out = String::new();
                            let mut before = ':';
                            for (at, char) in part.char_indices() {
                                let digit = part[at + char.len_utf8()..]
                                    .starts_with(|next: char| next.is_ascii_digit());
                                let starts = !before.is_ascii_digit() && !".eE-+".contains(before);
                                if !(char == sign && digit && starts) {
                                    out.push(char);
                                    before = char;
                                }
                            }
                            out
                        };
                        after(&after(part, '+'), '0')
                    })
                }),
            ),
            Definition,
        ),
        known(
            Mutant::new(
                "closes-what-was-cut-off",
                "brackets that are still open at the end are closed",
                mending(|text| {
                    let mut open = Vec::new();
                    let (mut inside, mut escaped) = (false, false);
                    for char in text.chars() {
                        match char {
                            '"' if !escaped => inside = !inside,
                            '{' if !inside => open.push('}'),
                            '[' if !inside => open.push(']'),
                            '}' | ']' if !inside => drop(open.pop()),
                            _ => {}
                        }
                        escaped = inside && char == '\\' && !escaped;
                    }
                    let quote = if inside { "\"" } else { "" };
                    let closing: String = open.into_iter().rev().collect();
                    format!("{text}{quote}{closing}")
                }),
            ),
            Definition,
        )
        .known_by(Result, Fail, Rule(SYNTAX)),
        known(
            Mutant::new(
                "reads-the-first-value-only",
                "what follows the first value of a text is read past",
                mending(|text| {
                    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
                    match values.next() {
                        Some(Ok(_)) => text[..values.byte_offset()].to_owned(),
                        _ => text.to_owned(),
                    }
                }),
            ),
            Definition,
        ),
    ]
}

fn exactness() -> Vec<Mutant> {
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
