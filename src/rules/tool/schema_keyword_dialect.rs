//! mcp.tool.schema.keyword-dialect: no assertion is written in a keyword that the dialect ignores.

use crate::diagnostic::Finding;
use crate::protocol::ProtocolVersion::V2025_11_25;
use crate::rules::context::{Context, ToolView};
use crate::schema::{Declared, Dialect, Holds};
use crate::source::Pointer;

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        // 2025-06-18 states no default dialect: without `$schema` nothing is ignored for sure.
        if at.schema.declared() == Declared::Default && context.version < V2025_11_25 {
            continue;
        }
        for node in &at.schema.tree().nodes {
            let Some(members) = node.value.as_object() else {
                continue;
            };
            let hides = node.dialect.ref_hides_siblings() && members.contains_key("$ref");
            for keyword in members.keys() {
                let message = if hides && keyword != "$ref" && asserts(node.dialect, keyword) {
                    format!("`{keyword}` beside `$ref` is ignored under {}", node.dialect)
                } else if node.dialect.keyword(keyword).is_none()
                    && let Some(other) = Dialect::ALL.into_iter().find(|d| asserts(*d, keyword))
                {
                    format!(
                        "`{keyword}` is ignored under {}; it is a keyword of {other}",
                        node.dialect
                    )
                } else {
                    continue;
                };
                let place: Pointer = at.at(&node.pointer.join(keyword));
                out.push(Finding::new(place, message).keyword(keyword.as_str()));
            }
        }
    }
}

/// Whether `keyword` constrains instances under `dialect`.
fn asserts(dialect: Dialect, keyword: &str) -> bool {
    match dialect.keyword(keyword) {
        None => false,
        Some(Holds::Other) => matches!(keyword, "$dynamicRef" | "$recursiveRef"),
        Some(_) => !matches!(keyword, "$defs" | "definitions" | "contentSchema"),
    }
}
