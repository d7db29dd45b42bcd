//! mcpdesc.tool.revision: a tool has only members that the protocol version knows.

use crate::diagnostic::Finding;
use crate::document::Description;
use crate::protocol::ProtocolVersion::{self, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::rules::context::{Context, ToolView};
use crate::rules::tool_header;
use crate::source::Pointer;

/// The members that not every version has, with the first and the last that do.
const MEMBERS: &[(&str, ProtocolVersion, ProtocolVersion)] = &[
    ("annotations", V2025_03_26, V2026_07_28),
    ("title", V2025_06_18, V2026_07_28),
    ("outputSchema", V2025_06_18, V2026_07_28),
    ("_meta", V2025_06_18, V2026_07_28),
    ("icons", V2025_11_25, V2026_07_28),
    // Tasks came with this version, and left the tool with the next.
    ("execution", V2025_11_25, V2025_11_25),
];

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    // Versions that nobody has named promise nothing.
    if description.assumed {
        return;
    }
    for tool in &description.tools {
        if let Some(view) = context.tool(Some(tool.tool)) {
            check_tool(view, context.version, out);
        }
    }
}

fn check_tool(view: &ToolView<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    let tool = &view.tool.at;
    for (name, first, last) in MEMBERS {
        if let Some(member) = tool.get(name)
            && !(*first..=*last).contains(&version)
        {
            out.push(finding(member.pointer, name, *first, *last));
        }
    }
    if version < V2025_11_25 {
        for at in view.schemas(version) {
            if at.schema.get("$schema").is_some() {
                let place = at.pointer.join("$schema");
                out.push(finding(place, "$schema", V2025_11_25, V2026_07_28));
            }
        }
    }
    if version < V2026_07_28 {
        for header in tool_header::annotations(view) {
            let place = header.pointer;
            out.push(finding(place, "x-mcp-header", V2026_07_28, V2026_07_28));
        }
    }
}

fn finding(pointer: Pointer, name: &str, first: ProtocolVersion, last: ProtocolVersion) -> Finding {
    let message = if last == V2026_07_28 {
        format!("`{name}` exists since {first}")
    } else {
        format!("`{name}` exists on {first} alone")
    };
    Finding::new(pointer, message)
}
