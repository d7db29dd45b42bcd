//! Mutants that read text which is no JSON.

use mcp_conform::certify::Verdict::Fail;
use mcp_conform::certify::{Implementation, Outcome, Request};
use mcp_conform::corpus::GateName::{Definition, Result};
use serde_json::Value;

use crate::change::{asking, with_text};
use crate::mutant::Matter::Rule;
use crate::mutant::Mutant;

const SYNTAX: &str = "json.syntax";

/// Why generation does not reach text that is no JSON.
const UNGENERATED: &str = "everything that is generated is JSON";

pub fn mutants() -> Vec<Mutant> {
    let known = |mutant: Mutant, gate| {
        mutant
            .ungenerated(UNGENERATED)
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

/// Reads every text as `repair` leaves it.
fn mending(
    repair: fn(&str) -> String,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
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
