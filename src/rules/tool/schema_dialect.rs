//! mcp.tool.schema.dialect: `$schema` names a dialect that is supported.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::shape::article;
use crate::schema::Dialect;
use crate::source::cut;

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.schemas(context.version) {
        for node in &at.schema.tree().nodes {
            let Some(declared) = node.get("$schema") else {
                continue;
            };
            // Below the root only an embedded resource may declare a dialect of its own.
            let is_root = node.parent.is_none() && node.pointer.is_root();
            let may_declare = is_root || node.declares_dialect();
            if !may_declare {
                continue;
            }
            let message = match declared {
                Value::String(uri) if Dialect::from_uri(uri).is_some() => continue,
                Value::String(uri) => {
                    format!("the dialect \"{}\" is not supported", cut(uri, 80))
                }
                other => format!("`$schema` is {}, not a string", article(other)),
            };
            let place = at.at(&node.pointer.join("$schema"));
            out.push(Finding::new(place, message).keyword("$schema"));
        }
    }
}
