//! mcp.tool.x-mcp-header.unique: no two annotations of one schema name the same header.

use std::collections::HashSet;

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::tool_header::annotations;
use crate::source::cut;

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let mut seen = HashSet::new();
    for annotation in annotations(view) {
        if let Some(name) = annotation.value.as_str()
            && !seen.insert(name.to_ascii_lowercase())
        {
            let message = format!(
                "an earlier property has the header \"{}\" already; case does not tell them apart",
                cut(name, 40)
            );
            out.push(Finding::new(annotation.pointer, message));
        }
    }
}
