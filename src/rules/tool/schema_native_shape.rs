//! mcp.tool.schema.native-shape: a tool's schema has the shape that the version's schema.ts
//! writes down for it.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::protocol::ProtocolVersion::V2025_11_25;
use crate::rules::context::{Context, SchemaAt, ToolView};
use crate::rules::shape::article;
use crate::rules::tool_root::{Root, root};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.schemas(context.version) {
        properties(at, out);
        required(at, out);
    }
    if context.version == V2025_11_25
        && let Some(output) = &view.output
        && matches!(root(output), Root::Untyped | Root::ListWithObject)
    {
        let place = match output.schema.get("type") {
            Some(_) => output.pointer.join("type"),
            None => output.pointer.clone(),
        };
        let message = "schema.ts of this version writes the literal `\"type\": \"object\"` at the root of `outputSchema`";
        out.push(Finding::new(place, message).keyword("type"));
    }
}

fn properties(at: &SchemaAt<'_>, out: &mut Vec<Finding>) {
    let Some(properties) = at.schema.get("properties") else {
        return;
    };
    let place = at.pointer.join("properties");
    let Value::Object(members) = properties else {
        let message = format!("`properties` is {}, not an object", article(properties));
        out.push(Finding::new(place, message).keyword("properties"));
        return;
    };
    for (name, member) in members {
        if !member.is_object() {
            let message = format!(
                "the property `{}` is {}, and this version has objects there",
                crate::source::cut(name, 40),
                article(member)
            );
            out.push(Finding::new(place.join(name), message).keyword("properties"));
        }
    }
}

fn required(at: &SchemaAt<'_>, out: &mut Vec<Finding>) {
    let Some(required) = at.schema.get("required") else {
        return;
    };
    let strings = required
        .as_array()
        .is_some_and(|names| names.iter().all(Value::is_string));
    if !strings {
        let message = "`required` is not an array of strings";
        out.push(Finding::new(at.pointer.join("required"), message).keyword("required"));
    }
}
