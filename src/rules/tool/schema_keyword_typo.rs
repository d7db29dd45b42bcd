//! mcp.tool.schema.keyword-typo: no keyword is one slip away from a known one.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::schema::{is_keyword, keywords};
use crate::source::cut;

/// Words that authors use on purpose and that resemble a keyword.
const MEANT: &[&str] = &["example", "id", "note", "when", "cost"];

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for node in &at.schema.tree().nodes {
            for name in node.value.as_object().into_iter().flatten().map(|(name, _)| name) {
                if let Some(known) = near(name) {
                    let place = at.at(&node.pointer.join(name));
                    let message = format!(
                        "no dialect knows the keyword `{}`; it is one slip from `{known}`",
                        cut(name, 40)
                    );
                    out.push(Finding::new(place, message));
                }
            }
        }
    }
}

/// The keyword that `name` was probably meant to be.
fn near(name: &str) -> Option<&'static str> {
    if is_keyword(name) || name.starts_with("x-") || MEANT.contains(&name) {
        return None;
    }
    // A word of two letters resembles too much.
    keywords().find(|known| known.len() > 2 && is_one_edit(name, known))
}

/// Whether one insertion, deletion, substitution or swap of neighbours leads from `a` to `b`.
fn is_one_edit(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match (a, b) {
        ([], [_]) | ([_], []) => true,
        ([x, y, rest_a @ ..], [p, q, rest_b @ ..]) if x == q && y == p && rest_a == rest_b => true,
        ([_, rest_a @ ..], [_, rest_b @ ..]) => rest_a == rest_b || rest_a == b || a == rest_b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn one_slip_is_seen_and_more_is_not() {
        for (slip, keyword) in [
            ("item", "items"),
            ("propertes", "properties"),
            ("require", "required"),
            ("tpye", "type"),
            ("minlength", "minLength"),
            ("ref", "$ref"),
            ("additonalProperties", "additionalProperties"),
        ] {
            assert_eq!(near(slip), Some(keyword), "{slip}");
        }
        for word in ["x-typ", "example", "id", "note", "when", "cost", "nullable", "name", "type", ""] {
            assert_eq!(near(word), None, "{word}");
        }
    }
}
