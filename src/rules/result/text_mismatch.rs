//! mcp.result.text-mismatch: JSON in a text block is JSON, and says what the structured content says.

use crate::diagnostic::Finding;
use crate::document::{At, CallResult};
use crate::rules::context::Context;
use crate::rules::result_form;
use crate::schema::equal;
use crate::source::{Limits, parse_json};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    let Some(blocks) = result_form::texts(context, result) else {
        return;
    };
    let structured = result_form::structured(context, result);
    let mut different: Option<At<'_>> = None;
    let mut one_is_equal = false;
    for at in blocks.filter_map(|block| block.get("text")) {
        let Some(text) = at.value.as_str().filter(|text| looks_like_json(text)) else {
            continue;
        };
        let Ok(parsed) = parse_json(text, &Limits::default()) else {
            if let Some(word) = bare_word(text) {
                let message =
                    format!("the text looks like JSON and holds {word}, which is no JSON");
                out.push(Finding::new(at.pointer, message));
            }
            continue;
        };
        match &structured {
            Some(structured) if equal(structured.value, &parsed.value) => one_is_equal = true,
            Some(_) if different.is_none() => different = Some(at),
            _ => {}
        }
    }
    // Beside one block that repeats the value the others are free to say something else.
    if let Some(at) = different.filter(|_| !one_is_equal) {
        let message = "the text is JSON and differs from `structuredContent`";
        out.push(Finding::new(at.pointer, message));
    }
}

/// Whether a text can only be an object or an array, if it is JSON.
fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// The first number of JavaScript's that stands as a value, outside strings, and is none of JSON's.
fn bare_word(text: &str) -> Option<&'static str> {
    let mut before = None;
    let mut in_string = false;
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        if in_string {
            in_string = escaped || char != '"';
            escaped = !escaped && char == '\\';
            continue;
        }
        in_string = char == '"';
        if matches!(before, Some('[' | ',' | ':')) {
            let rest = &text[at..];
            let word = ["NaN", "Infinity", "-Infinity"].into_iter().find(|word| {
                let after = rest.strip_prefix(word).map(str::trim_start);
                after.is_some_and(|after| after.is_empty() || after.starts_with([',', ']', '}']))
            });
            if word.is_some() {
                return word;
            }
        }
        if !char.is_whitespace() {
            before = Some(char);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::bare_word;

    #[test]
    fn only_values_outside_strings_are_bare_words() {
        for (text, word) in [
            ("{\"mean\": NaN, \"samples\": 0}", Some("NaN")),
            ("[1, -Infinity]", Some("-Infinity")),
            ("[\n  Infinity\n]", Some("Infinity")),
            ("{\"cut\": \"short\", \"mean\": NaN", Some("NaN")),
            ("{\"note\": \"[NaN]\", cut", None),
            ("{\"quote\": \"\\\": NaN,\", cut", None),
            ("[Infinity War](https://films.example/4) is on", None),
            ("{\"NaNoseconds\": 4, cut", None),
        ] {
            assert_eq!(bare_word(text), word, "{text}");
        }
    }
}
