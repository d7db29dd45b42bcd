//! Mutants that match and measure strings as engines of other languages do.

use mcp_conform::certify::Verdict::NonStrict;
use mcp_conform::corpus::GateName::Arguments;
use serde_json::Value;

use crate::change::{Members, reading, replace, seeing};
use crate::mutant::Matter::Keyword;
use crate::mutant::Mutant;
use crate::walk::edit_all;

pub fn mutants() -> Vec<Mutant> {
    [patterns(), lengths()].into_iter().flatten().collect()
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
