//! mcp.tool.schema.valid: a tool's schema is valid under the meta-schema of its dialect.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::schema::{Reason, Violation};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for violation in at.schema.meta_violations() {
            let message = message(violation);
            out.push(
                Finding::new(at.at(&violation.instance), message)
                    .keyword(violation.keyword.as_str()),
            );
        }
    }
}

fn message(violation: &Violation) -> String {
    let Some(name) = violation.instance.last() else {
        return format!("the schema {}", violation.reason);
    };
    let name = crate::source::cut(&name, 40);
    match &violation.reason {
        Reason::Composition(_) | Reason::NotInEnum(_) if name == "type" => {
            "`type` is neither a JSON type's name nor a list of them".to_owned()
        }
        reason => format!("`{name}` {reason}"),
    }
}
