//! Mutants that know a keyword and take it for something else, as engines in other languages do.

use mcp_conform::certify::Verdict::NonStrict;
use mcp_conform::corpus::GateName::{Arguments, Handoff, Result};
use serde_json::{Value, json};

use crate::change::{Members, reading, seeing, seeing_pairs};
use crate::mutant::Matter::{Keyword, Suite};
use crate::mutant::Mutant;
use crate::walk::{asks_for, edit_all};

/// Names that every object of JavaScript has from its prototype.
const INHERITED: [&str; 5] = [
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "__proto__",
];

pub fn mutants() -> Vec<Mutant> {
    [
        assertions(),
        patterns(),
        lengths(),
        types(),
        equality(),
        objects(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn assertions() -> Vec<Mutant> {
    let limits = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "minContains",
        "maxItems",
        "maxLength",
    ];
    vec![
        Mutant::new(
            "reads-one-of-as-any-of",
            "more than one branch of `oneOf` may fit",
            reading("oneOf", |schema, _| rename(schema, "oneOf", "anyOf")),
        )
        .known_by(Arguments, NonStrict, Keyword("oneOf")),
        Mutant::new(
            "includes-the-exclusive-bound",
            "`exclusiveMinimum` and `exclusiveMaximum` let the bound itself pass",
            reading("exclusiveM", |schema, _| {
                rename(schema, "exclusiveMinimum", "minimum")
                    | rename(schema, "exclusiveMaximum", "maximum")
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("exclusiveMinimum")),
        Mutant::new(
            "excludes-the-inclusive-bound",
            "`minimum` and `maximum` refuse the bound itself",
            reading("imum", |schema, _| {
                rename(schema, "minimum", "exclusiveMinimum")
                    | rename(schema, "maximum", "exclusiveMaximum")
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("exclusiveMinimum")),
        Mutant::new(
            "takes-a-limit-of-zero-for-none",
            "a limit is asked for by its truth, so that 0 is no limit",
            reading("0", move |schema, _| {
                let zero = |schema: &Members, limit: &str| {
                    schema.get(limit).and_then(Value::as_f64) == Some(0.0)
                };
                let found = limits.into_iter().filter(|limit| zero(schema, limit));
                let found: Vec<_> = found.collect();
                for limit in &found {
                    schema.shift_remove(*limit);
                }
                !found.is_empty()
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("exclusiveMinimum")),
        Mutant::new(
            "takes-a-falsy-const-for-none",
            "a `const` of false, 0, null or \"\" says nothing",
            reading("const", |schema, _| {
                let falsy = |value: &Value| {
                    matches!(value, Value::Null | Value::Bool(false)) || value == 0 || value == ""
                };
                schema.get("const").is_some_and(falsy) && schema.shift_remove("const").is_some()
            }),
        )
        .known_by(Result, NonStrict, Keyword("const")),
        Mutant::new(
            "takes-a-false-subschema-for-none",
            "`items`, `contains` and `not` say nothing where they are false",
            reading("false", |schema, _| {
                let mut changed = false;
                for keyword in [
                    "items",
                    "contains",
                    "not",
                    "unevaluatedItems",
                    "additionalItems",
                ] {
                    if schema.get(keyword) == Some(&Value::Bool(false)) {
                        changed |= schema.shift_remove(keyword).is_some();
                    }
                }
                changed
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("items")),
        Mutant::new(
            "divides-in-binary",
            "`multipleOf` takes the remainder of two doubles, so that 19.99 is no multiple of 0.01",
            seeing_pairs("multipleOf", |schema, value| {
                let step = schema.get("multipleOf").and_then(Value::as_f64);
                let Some((number, step)) = value.as_f64().zip(step) else {
                    return false;
                };
                #[expect(clippy::float_cmp, reason = "that is the mistake")]
                let inexact = number % step != 0.0;
                inexact && replace(value, json!(number + step / 2.0))
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("multipleOf")),
        Mutant::new(
            "judges-the-first-element-only",
            "of an array only the first element is held against `items`",
            seeing_pairs("items", |schema, value| {
                let elements = value.as_array_mut().filter(|elements| elements.len() > 1);
                let Some(elements) = elements.filter(|_| schema.contains_key("items")) else {
                    return false;
                };
                let first = elements[0].clone();
                elements[1..].fill(first);
                true
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("type")),
        Mutant::new(
            "judges-two-levels-only",
            "members of members are not held against anything",
            reading("properties", |schema, place| {
                let deep = place.depth >= 2 && !schema.is_empty();
                deep.then(|| schema.clear()).is_some()
            }),
        )
        .known_by(Result, NonStrict, Keyword("type")),
        Mutant::new(
            "evaluates-own-properties-only",
            "`unevaluatedProperties` sees what stands beside it, and nothing of `allOf` or `$ref`",
            reading("unevaluatedProperties", |schema, _| {
                rename(schema, "unevaluatedProperties", "additionalProperties")
            }),
        )
        .known_by(Result, NonStrict, Suite("result/keywords-unevaluated")),
        Mutant::new(
            "opens-closed-branches",
            "the branches of `allOf` are laid together, and none of them closes the object",
            reading("allOf", |schema, _| {
                let Some(Value::Array(branches)) = schema.get_mut("allOf") else {
                    return false;
                };
                let branches = branches.iter_mut().filter_map(Value::as_object_mut);
                let opened =
                    branches.filter_map(|branch| branch.shift_remove("additionalProperties"));
                opened.count() > 0
            }),
        )
        .known_by(Result, NonStrict, Keyword("additionalProperties")),
        Mutant::new(
            "depends-on-values-that-are-not-null",
            "`dependentRequired` takes a member of null for one that is not there",
            seeing_pairs("dependentRequired", |schema, value| {
                let triggers = schema.get("dependentRequired").and_then(Value::as_object);
                let (Some(triggers), Some(members)) = (triggers, value.as_object_mut()) else {
                    return false;
                };
                let before = members.len();
                members.retain(|name, member| !(member.is_null() && triggers.contains_key(name)));
                members.len() < before
            }),
        )
        .known_by(Result, NonStrict, Keyword("dependentRequired")),
    ]
}

fn patterns() -> Vec<Mutant> {
    fn other(
        change: fn(&str) -> String,
    ) -> impl Fn(&mut Members, crate::walk::Place) -> bool + Clone {
        move |schema, _| {
            let Some(Value::String(pattern)) = schema.get_mut("pattern") else {
                return false;
            };
            let changed = change(pattern);
            let differs = changed != *pattern;
            *pattern = changed;
            differs
        }
    }
    let known = |mutant: Mutant| mutant.known_by(Arguments, NonStrict, Keyword("pattern"));
    vec![
        known(Mutant::new(
            "matches-at-the-start-only",
            "`pattern` must match from the first character on",
            reading("pattern", other(|pattern| format!("^(?:{pattern})"))),
        )),
        known(Mutant::new(
            "matches-the-whole-text-only",
            "`pattern` must match the whole string",
            reading("pattern", other(|pattern| format!("^(?:{pattern})$"))),
        )),
        known(Mutant::new(
            "ends-before-a-final-line-break",
            "`$` in a `pattern` matches before a line break at the end, too",
            reading(
                "pattern",
                other(|pattern| match pattern.strip_suffix('$') {
                    Some(rest) => format!("{rest}\\n?$"),
                    None => pattern.to_owned(),
                }),
            ),
        )),
        known(Mutant::new(
            "matches-digits-of-every-script",
            "`\\d` in a `pattern` matches digits beyond 0 to 9",
            reading(
                "pattern",
                other(|pattern| pattern.replace("\\d", "\\p{Nd}")),
            ),
        )),
        known(Mutant::new(
            "matches-without-the-unicode-flag",
            "`\\p{L}` in a `pattern` is the text p{L}",
            reading(
                "pattern",
                other(|pattern| {
                    pattern
                        .replace("\\p{L}", "p\\{L\\}")
                        .replace("\\p{Lu}", "p\\{Lu\\}")
                }),
            ),
        )),
    ]
}

fn lengths() -> Vec<Mutant> {
    fn text(value: &mut Value, change: fn(&str) -> String) -> bool {
        edit_all(value, &|value| {
            let Value::String(text) = value else {
                return false;
            };
            let changed = change(text);
            changed != *text && replace(value, changed.into())
        })
    }
    vec![
        Mutant::new(
            "counts-code-units",
            "the length of a string is that of its UTF-16, two for an emoji",
            seeing(|value| {
                text(value, |text| {
                    let twice = |char: char| {
                        if char.len_utf16() == 2 {
                            vec!['\u{fffd}'; 2]
                        } else {
                            vec![char]
                        }
                    };
                    text.chars().flat_map(twice).collect()
                })
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("maxLength")),
        Mutant::new(
            "counts-bytes",
            "the length of a string is that of its UTF-8",
            seeing(|value| {
                text(value, |text| {
                    text.bytes()
                        .map(|byte| {
                            if byte.is_ascii() {
                                char::from(byte)
                            } else {
                                'x'
                            }
                        })
                        .collect()
                })
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("maxLength")),
        Mutant::new(
            "counts-what-a-reader-sees",
            "a letter and its combining accent are one character",
            seeing(|value| {
                text(value, |text| {
                    text.chars()
                        .filter(|char| !('\u{300}'..='\u{36f}').contains(char))
                        .collect()
                })
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("maxLength")),
    ]
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
                    (Value::Number(number), Value::Bool(flag)) | (Value::Bool(flag), Value::Number(number)) => {
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
                        !other.is_string() && other.to_string() == *text
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
                let printed = value.to_string();
                let equal = options(schema).into_iter().any(|option| option.is_object() && option == value && option.to_string() != printed);
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
            "`uniqueItems` takes 1 and 1.0 for two values, and an object in another order for another",
            seeing_pairs("uniqueItems", |schema, value| {
                distinct(schema, value, |one, other| {
                    mcp_conform::schema::equal(one, other) && one.to_string() != other.to_string()
                })
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("uniqueItems")),
        Mutant::new(
            "takes-true-and-1-for-repeated",
            "`uniqueItems` holds 1 and true for equal",
            seeing_pairs("uniqueItems", |schema, value| {
                let Some(elements) = value.as_array_mut().filter(|_| schema.contains_key("uniqueItems")) else {
                    return false;
                };
                let flag = elements.iter().position(|element| element == &Value::Bool(true));
                let one = elements.iter().any(|element| element.as_f64() == Some(1.0));
                flag.filter(|_| one).is_some_and(|flag| replace(&mut elements[flag], json!(1)))
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

fn objects() -> Vec<Mutant> {
    vec![
        Mutant::new(
            "finds-required-members-in-the-prototype",
            "`required` is content with what every object inherits: constructor, toString",
            reading("required", |schema, _| {
                let Some(Value::Array(names)) = schema.get_mut("required") else {
                    return false;
                };
                let before = names.len();
                names.retain(|name| !INHERITED.iter().any(|inherited| name == inherited));
                names.len() < before
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("required")),
        Mutant::new(
            "loses-proto",
            "a member called __proto__ is dropped while the text is read",
            seeing(|value| {
                edit_all(value, &|value| {
                    value
                        .as_object_mut()
                        .is_some_and(|members| members.shift_remove("__proto__").is_some())
                })
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("additionalProperties")),
        Mutant::new(
            "fills-in-defaults",
            "a required member with a `default` need not be there",
            reading("default", |schema, _| {
                let filled: Vec<String> = match schema.get("properties") {
                    Some(Value::Object(declared)) => declared
                        .iter()
                        .filter(|(_, member)| member.get("default").is_some())
                        .map(|(name, _)| name.clone())
                        .collect(),
                    _ => return false,
                };
                let Some(Value::Array(names)) = schema.get_mut("required") else {
                    return false;
                };
                let before = names.len();
                names.retain(|name| !filled.iter().any(|filled| name == filled));
                names.len() < before
            }),
        )
        .known_by(Arguments, NonStrict, Keyword("required")),
        Mutant::new(
            "closes-open-objects",
            "an object that declares members allows no others",
            reading("properties", |schema, _| {
                let open = schema.contains_key("properties")
                    && ![
                        "additionalProperties",
                        "unevaluatedProperties",
                        "patternProperties",
                        "$ref",
                    ]
                    .iter()
                    .any(|keyword| schema.contains_key(*keyword));
                open && schema
                    .insert("additionalProperties".into(), Value::Bool(false))
                    .is_none()
            }),
        )
        .broad()
        .known_by(Result, NonStrict, Keyword("additionalProperties")),
        Mutant::new(
            "requires-what-it-declares",
            "every declared member must be there",
            reading("properties", |schema, _| {
                let Some(Value::Object(declared)) = schema.get("properties") else {
                    return false;
                };
                let names: Vec<Value> = declared.keys().cloned().map(Value::String).collect();
                let all = Some(names.len())
                    == schema
                        .get("required")
                        .and_then(Value::as_array)
                        .map(Vec::len);
                if !all {
                    schema.insert("required".into(), Value::Array(names));
                }
                !all
            }),
        )
        .broad()
        .known_by(Arguments, NonStrict, Keyword("required")),
    ]
}

/// Gives the value under `from` to `to`, where that is free.
fn rename(schema: &mut Members, from: &str, to: &str) -> bool {
    if schema.contains_key(to) {
        return false;
    }
    let value = schema.shift_remove(from);
    value.is_some_and(|value| schema.insert(to.to_owned(), value).is_none())
}

fn replace(value: &mut Value, other: Value) -> bool {
    *value = other;
    true
}
