//! What `pattern` and the names under `patternProperties` say, as regular expressions.

use regex_syntax::hir::{Hir, HirKind};

use super::tree::Tree;
use crate::source::Pointer;

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// Not ECMA-262 with the `u` flag, as JSON Schema asks (2020-12 Core, section 6.4).
    NotEcma(String),
    /// ECMA-262, but not understood by the engine that judges here.
    Unsupported,
    /// A repetition of a repetition: a backtracking engine may take for ever.
    Explosive,
}

/// Every pattern with its place; that of a name under `patternProperties` is the member's.
pub(super) fn patterns<'a>(tree: &Tree<'a>) -> Vec<(Pointer, &'a str)> {
    let mut found = Vec::new();
    for node in &tree.nodes {
        if let Some(pattern) = node.get("pattern").and_then(|value| value.as_str()) {
            found.push((node.pointer.join("pattern"), pattern));
        }
        if let Some(members) = node.get("patternProperties").and_then(|v| v.as_object()) {
            let base = node.pointer.join("patternProperties");
            found.extend(members.keys().map(|name| (base.join(name), name.as_str())));
        }
    }
    found
}

/// What is wrong with `pattern`, as far as its text tells.
pub(super) fn fault(pattern: &str) -> Option<PatternFault> {
    if let Err(error) = regress::Regex::with_flags(pattern, "u") {
        return Some(PatternFault::NotEcma(error.text));
    }
    is_explosive(pattern).then_some(PatternFault::Explosive)
}

/// Whether the engine cannot compile `pattern`.
pub(super) fn is_unsupported(pattern: &str) -> bool {
    let schema = serde_json::json!({"pattern": pattern});
    super::compile::options::<super::reading::Metered>(super::Dialect::Draft202012)
        .build(&schema)
        .is_err()
}

/// Whether an unbounded repetition can consist of another's matches alone, as in `(a+)+`.
fn is_explosive(pattern: &str) -> bool {
    // Lookaround is beyond the parser, and what stands inside it backtracks as elsewhere.
    let plain = ["(?=", "(?!", "(?<=", "(?<!"]
        .iter()
        .fold(pattern.to_owned(), |text, group| text.replace(group, "(?:"));
    let Ok(parsed) = regex_syntax::Parser::new().parse(&plain) else {
        return false;
    };
    let mut stack = vec![&parsed];
    while let Some(part) = stack.pop() {
        match part.kind() {
            HirKind::Repetition(repetition) => {
                if repetition.max.is_none() && can_be_one_repetition(&repetition.sub) {
                    return true;
                }
                stack.push(&repetition.sub);
            }
            HirKind::Capture(capture) => stack.push(&capture.sub),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => stack.extend(parts),
            _ => {}
        }
    }
    false
}

/// Whether some match of `part` is nothing but a match of an unbounded repetition inside it.
fn can_be_one_repetition(part: &Hir) -> bool {
    let may_be_empty = |part: &Hir| part.properties().minimum_len() == Some(0);
    match part.kind() {
        HirKind::Repetition(repetition) => {
            repetition.max.is_none() && repetition.sub.properties().minimum_len() != Some(0)
                || can_be_one_repetition(&repetition.sub)
        }
        HirKind::Capture(capture) => can_be_one_repetition(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().any(can_be_one_repetition),
        HirKind::Concat(parts) => parts.iter().enumerate().any(|(at, part)| {
            can_be_one_repetition(part)
                && parts
                    .iter()
                    .enumerate()
                    .all(|(other, part)| other == at || may_be_empty(part))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ecma_262_with_the_u_flag_is_what_counts() {
        for pattern in [
            r"^A-[0-9]{4,}$",
            r"\p{L}+",
            r"(?<year>\d{4})",
            r"^(?!foo)",
            r"[\w.-]",
        ] {
            assert_eq!(fault(pattern), None, "{pattern}");
        }
        for pattern in [r"[\w-.]", r"\A\w+\z", r"(?i)abc", r"a++", r"\-", "("] {
            assert!(
                matches!(fault(pattern), Some(PatternFault::NotEcma(_))),
                "{pattern}"
            );
        }
    }

    #[test]
    fn a_repetition_of_a_repetition_explodes() {
        for pattern in [
            "^(a+)+$",
            r"(\w+\s?)*!",
            "(a*)*",
            "((ab)*|c)+",
            r"(?=(x+)+y)",
        ] {
            assert_eq!(fault(pattern), Some(PatternFault::Explosive), "{pattern}");
        }
        for pattern in [
            r"^(\d+\.)*\d+$",
            "(a|b)*",
            "a+b+",
            "(ab?)+",
            r"^([a-z]+,)+$",
            "(a{1,3})+",
        ] {
            assert_eq!(fault(pattern), None, "{pattern}");
        }
    }
}
