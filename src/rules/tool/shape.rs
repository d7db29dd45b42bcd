//! mcp.tool.shape: the members of a tool have the JSON types of the version's `Tool`.

use crate::diagnostic::Finding;
use crate::protocol::ProtocolVersion::{V2025_03_26, V2025_06_18, V2025_11_25};
use crate::rules::context::{Context, ToolView};
use crate::rules::shape::{Type, icons, is, one_of, optional, required};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let version = context.version;
    let tool = &view.tool.at;
    if !is(tool, "the tool", Type::Object, out) {
        return;
    }
    required(tool, "name", Type::String, out);
    optional(tool, "description", Type::String, out);
    if version >= V2025_03_26
        && let Some(annotations) = optional(tool, "annotations", Type::Object, out)
    {
        optional(&annotations, "title", Type::String, out);
        for hint in [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ] {
            optional(&annotations, hint, Type::Boolean, out);
        }
    }
    if version >= V2025_06_18 {
        optional(tool, "title", Type::String, out);
        optional(tool, "_meta", Type::Object, out);
        if let Some(output) = &view.tool.output {
            is(output, "`outputSchema`", Type::Object, out);
        }
    }
    if version >= V2025_11_25 {
        icons(tool, out);
    }
    // Tasks left the tool again with 2026-07-28.
    if version == V2025_11_25
        && let Some(execution) = optional(tool, "execution", Type::Object, out)
    {
        let support = ["forbidden", "optional", "required"];
        one_of(&execution, "taskSupport", &support, out);
    }
}
