//! JSON texts under test, written out only when they are needed: some are too large, too deep or
//! too exact to be held as values.

use std::sync::Arc;

use serde_json::Value;

use super::generate::Generate;

/// A JSON text of a case, or a text that is no JSON on purpose.
#[derive(Clone, Debug)]
pub enum Text {
    /// The text as it stands.
    Raw(Arc<str>),
    /// The text of a value.
    Value(Arc<Value>),
    /// The text of a value in which `{"generate": …}` stands for what it describes.
    Template(Arc<Value>),
    /// The listing `{"tools": […]}` of these tools.
    Listing(Vec<Text>),
}

impl Text {
    /// Appends the text to `out`.
    pub fn write(&self, out: &mut String) {
        match self {
            Self::Raw(text) => out.push_str(text),
            Self::Value(value) => write_value(value, out),
            Self::Template(value) => write_template(value, out),
            Self::Listing(tools) => {
                out.push_str("{\"tools\":[");
                for (index, tool) in tools.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    tool.write(out);
                }
                out.push_str("]}");
            }
        }
    }

    /// The value that the text was written from; `None` for a raw text.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(value) | Self::Template(value) => Some(value),
            Self::Raw(_) | Self::Listing(_) => None,
        }
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

/// Appends `text` as a JSON string.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}

/// Appends `text` as it stands inside a JSON string.
pub(super) fn write_escaped(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        plain = at + 1;
        if escape.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
    }
    out.push_str(&text[plain..]);
}

/// Appends the text of `value`.
pub(super) fn write_value(value: &Value, out: &mut String) {
    use std::fmt::Write as _;
    match value {
        Value::String(text) => write_string(text, out),
        Value::Object(_) | Value::Array(_) => write_parts(value, out, write_value),
        scalar => {
            let _ = write!(out, "{scalar}");
        }
    }
}

fn write_template(value: &Value, out: &mut String) {
    match Generate::placeholder(value) {
        // Whether it can be read was settled when the suite was.
        Some(Ok(generate)) => generate.write(out),
        Some(Err(_)) => out.push_str("null"),
        None if value.is_object() || value.is_array() => write_parts(value, out, write_template),
        None => write_value(value, out),
    }
}

fn write_parts(value: &Value, out: &mut String, write: fn(&Value, &mut String)) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(name, out);
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_written_as_json() {
        let value =
            json!({"a\"\u{1}": [1, 1.0, -0.0, "é\n", null, {}], "b": 9_007_199_254_740_993_u64});
        let text = Text::Value(Arc::new(value.clone())).to_string();
        assert_eq!(text, value.to_string());
    }

    #[test]
    fn a_listing_keeps_the_text_of_its_tools() {
        let tools = vec![
            Text::Raw("{\"name\":\"a\",\"name\":\"b\"}".into()),
            Text::Value(Arc::new(json!({"name": "c"}))),
        ];
        let text = Text::Listing(tools).to_string();
        assert_eq!(text, r#"{"tools":[{"name":"a","name":"b"},{"name":"c"}]}"#);
    }
}
