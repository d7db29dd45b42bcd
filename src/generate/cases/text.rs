//! The same value as another text.

use std::fmt::Write as _;

use serde_json::Value;

use crate::generate::rng::Rng;

/// The value with strings escaped and integers written as other numbers, here and there: every
/// reader of JSON gets the same value.
pub(super) fn written_otherwise(value: &Value, rng: &mut Rng) -> String {
    let mut out = String::new();
    put(value, rng, &mut out);
    out
}

fn put(value: &Value, rng: &mut Rng, out: &mut String) {
    let space = if rng.chance(20) { " " } else { "" };
    out.push_str(space);
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                put(item, rng, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                string(name, rng, out);
                out.push(':');
                put(member, rng, out);
            }
            out.push('}');
        }
        Value::String(text) => string(text, rng, out),
        Value::Number(number) => {
            out.push_str(&number.to_string());
            // Within a double's exact integers, `7`, `7.0` and `7e0` are one number.
            let exact = number
                .as_i64()
                .is_some_and(|whole| whole.unsigned_abs() < 1 << 53);
            if exact && rng.chance(60) {
                out.push_str(if rng.chance(50) { ".0" } else { "e0" });
            }
        }
        other => out.push_str(&other.to_string()),
    }
    out.push_str(space);
}

fn string(text: &str, rng: &mut Rng, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        let must = matches!(char, '"' | '\\') || char < ' ';
        if must || rng.chance(25) {
            let mut units = [0_u16; 2];
            for unit in char.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(char);
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_value_stays_the_same() {
        let value =
            json!({"a\"b\\": [1, -20, 1.5, 9_007_199_254_740_993_u64, null, true], "é😀\n": {}});
        for seed in 0..200 {
            let text = written_otherwise(&value, &mut Rng::new(seed));
            let read: Value = serde_json::from_str(&text).unwrap();
            assert!(crate::schema::equal(&read, &value), "{text}");
        }
    }
}
