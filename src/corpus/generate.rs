//! Placeholders of hostile suites: texts that are described instead of written, since they are too
//! large for a file, or too deep for a parser.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::text::{write_escaped, write_string, write_value};

/// A placeholder, read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generate<'a> {
    kind: Kind<'a>,
    n: usize,
}

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    NestedArrays(Option<&'a Value>),
    NestedObjects { keys: &'a [Value], leaf: &'a Value },
    RepeatedString { unit: &'a str, suffix: &'a str },
    RepeatedArray(&'a Value),
    CountingArray(Option<&'a str>),
    CountingMembers(&'a Value),
    Digits,
    RefChain(&'a Value),
    DoublingDefs { keyword: &'a str, leaf: &'a Value },
}

/// Nothing is repeated more often than this; the suite schema says so too.
const MOST: usize = 10_000_000;

impl<'a> Generate<'a> {
    /// The placeholder that `value` is: an object whose only member is `generate`.
    pub(super) fn placeholder(value: &'a Value) -> Option<Result<Self, String>> {
        let members = value.as_object().filter(|members| members.len() == 1)?;
        Some(Self::read(members.get("generate")?.as_object()?))
    }

    fn read(members: &'a Map<String, Value>) -> Result<Self, String> {
        let n = members.get("n").and_then(Value::as_u64);
        let n = n
            .and_then(|n| usize::try_from(n).ok())
            .filter(|n| *n <= MOST);
        let n = n.ok_or_else(|| format!("`n` is an integer from 0 to {MOST}"))?;
        let value = |name: &str| {
            members
                .get(name)
                .ok_or_else(|| format!("`{name}` is missing"))
        };
        let text = |name: &str| {
            let text = value(name)?.as_str();
            text.ok_or_else(|| format!("`{name}` is no string"))
        };
        let kind = match text("kind")? {
            "nested-arrays" => Kind::NestedArrays(members.get("leaf")),
            "nested-objects" => {
                let keys = value("keys")?.as_array().map_or(&[][..], Vec::as_slice);
                if keys.is_empty() || !keys.iter().all(Value::is_string) {
                    return Err("`keys` is no array of strings".to_owned());
                }
                let leaf = value("leaf")?;
                Kind::NestedObjects { keys, leaf }
            }
            "repeated-string" => Kind::RepeatedString {
                unit: text("unit")?,
                suffix: members.get("suffix").and_then(Value::as_str).unwrap_or(""),
            },
            "repeated-array" => Kind::RepeatedArray(value("item")?),
            "counting-array" => Kind::CountingArray(members.get("key").and_then(Value::as_str)),
            "counting-members" => Kind::CountingMembers(value("value")?),
            "digits" => Kind::Digits,
            "ref-chain" => Kind::RefChain(value("leaf")?),
            "doubling-defs" => Kind::DoublingDefs {
                keyword: text("keyword")?,
                leaf: value("leaf")?,
            },
            other => return Err(format!("no placeholder is of the kind {other:?}")),
        };
        Ok(Self { kind, n })
    }

    /// Appends the text that it stands for.
    pub(super) fn write(self, out: &mut String) {
        let n = self.n;
        match self.kind {
            Kind::NestedArrays(leaf) => {
                out.extend(std::iter::repeat_n('[', n));
                if let Some(leaf) = leaf {
                    write_value(leaf, out);
                }
                out.extend(std::iter::repeat_n(']', n));
            }
            Kind::NestedObjects { keys, leaf } => {
                for key in keys.iter().filter_map(Value::as_str).cycle().take(n) {
                    out.push('{');
                    write_string(key, out);
                    out.push(':');
                }
                write_value(leaf, out);
                out.extend(std::iter::repeat_n('}', n));
            }
            Kind::RepeatedString { unit, suffix } => {
                let mut escaped = String::new();
                write_escaped(unit, &mut escaped);
                out.push('"');
                out.extend(std::iter::repeat_n(escaped.as_str(), n));
                write_escaped(suffix, out);
                out.push('"');
            }
            Kind::RepeatedArray(item) => {
                let item = text(item);
                list(out, '[', ']', n, |out, _| out.push_str(&item));
            }
            Kind::CountingArray(key) => list(out, '[', ']', n, |out, index| match key {
                None => number(out, index),
                Some(key) => {
                    out.push('{');
                    write_string(key, out);
                    out.push(':');
                    number(out, index);
                    out.push('}');
                }
            }),
            Kind::CountingMembers(value) => {
                let value = text(value);
                list(out, '{', '}', n, |out, index| {
                    let _ = write!(out, "\"m{index}\":{value}");
                });
            }
            Kind::Digits => out.extend(std::iter::repeat_n('9', n)),
            Kind::RefChain(leaf) => definitions(out, n, leaf, |out, next| {
                let _ = write!(out, "{{\"$ref\":\"#/$defs/d{next}\"}}");
            }),
            Kind::DoublingDefs { keyword, leaf } => definitions(out, n, leaf, |out, next| {
                let reference = format!("{{\"$ref\":\"#/$defs/d{next}\"}}");
                out.push('{');
                write_string(keyword, out);
                let _ = write!(out, ":[{reference},{reference}]}}");
            }),
        }
    }
}

fn text(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

fn number(out: &mut String, number: usize) {
    let _ = write!(out, "{number}");
}

fn list(out: &mut String, open: char, close: char, n: usize, item: impl Fn(&mut String, usize)) {
    out.push(open);
    for index in 0..n {
        if index > 0 {
            out.push(',');
        }
        item(out, index);
    }
    out.push(close);
}

/// `d0` … `dn`, each but the last made from the number of the next; the last is `leaf`.
fn definitions(out: &mut String, n: usize, leaf: &Value, link: impl Fn(&mut String, usize)) {
    list(out, '{', '}', n + 1, |out, index| {
        let _ = write!(out, "\"d{index}\":");
        if index < n {
            link(out, index + 1);
        } else {
            write_value(leaf, out);
        }
    });
}

/// What is wrong with the placeholders in `value`: the first that cannot be read.
pub(super) fn fault(value: &Value) -> Option<String> {
    match (Generate::placeholder(value), value) {
        (Some(read), _) => read.err(),
        (None, Value::Array(items)) => items.iter().find_map(fault),
        (None, Value::Object(members)) => members.values().find_map(fault),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(mut generate: Value) -> String {
        generate["n"] = generate.get("n").cloned().unwrap_or(json!(2));
        let placeholder = json!({"generate": generate});
        let mut out = String::new();
        match Generate::placeholder(&placeholder) {
            Some(Ok(generate)) => generate.write(&mut out),
            other => panic!("{other:?}"),
        }
        out
    }

    /// The examples that the suite schema gives.
    #[test]
    fn each_kind_writes_what_the_suite_schema_says() {
        for (generate, expected) in [
            (json!({"kind": "nested-arrays", "leaf": 7}), "[[7]]"),
            (json!({"kind": "nested-arrays"}), "[[]]"),
            (
                json!({"kind": "nested-objects", "keys": ["items"], "leaf": {}}),
                r#"{"items":{"items":{}}}"#,
            ),
            (
                json!({"kind": "nested-objects", "keys": ["properties", "child"], "leaf": 0}),
                r#"{"properties":{"child":0}}"#,
            ),
            (
                json!({"kind": "repeated-string", "unit": "ab", "suffix": "!"}),
                r#""abab!""#,
            ),
            (
                json!({"kind": "repeated-string", "unit": "\""}),
                r#""\"\"""#,
            ),
            (
                json!({"kind": "repeated-array", "item": "x"}),
                r#"["x","x"]"#,
            ),
            (json!({"kind": "counting-array"}), "[0,1]"),
            (
                json!({"kind": "counting-array", "key": "id"}),
                r#"[{"id":0},{"id":1}]"#,
            ),
            (
                json!({"kind": "counting-members", "value": {}}),
                r#"{"m0":{},"m1":{}}"#,
            ),
            (json!({"kind": "digits"}), "99"),
            (
                json!({"kind": "ref-chain", "leaf": {}}),
                r##"{"d0":{"$ref":"#/$defs/d1"},"d1":{"$ref":"#/$defs/d2"},"d2":{}}"##,
            ),
            (
                json!({"kind": "doubling-defs", "n": 1, "keyword": "allOf", "leaf": {}}),
                r##"{"d0":{"allOf":[{"$ref":"#/$defs/d1"},{"$ref":"#/$defs/d1"}]},"d1":{}}"##,
            ),
        ] {
            assert_eq!(written(generate), expected);
        }
    }

    #[test]
    fn a_placeholder_that_cannot_be_read_is_found() {
        let value = json!({"plan": [{"generate": {"kind": "digit", "n": 1}}]});
        assert!(fault(&value).is_some_and(|fault| fault.contains("digit")));
        assert_eq!(fault(&json!({"generate": 1, "other": 2})), None);
    }
}
