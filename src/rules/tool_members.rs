//! The members of a tool that stand beside its schemas.

use super::shape::{Type, icons, one_of, optional, required};
use crate::diagnostic::Finding;
use crate::document::At;
use crate::protocol::ProtocolVersion::{self, V2025_03_26, V2025_06_18, V2025_11_25};

/// Reports those of the wrong JSON type for the version's `Tool`, which is an object.
pub(super) fn check(tool: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
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
