//! mcp.tool.schema.default: a default fits the schema that it stands in.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::schema::Judgement;

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for node in &at.schema.tree().nodes {
            let Some(default) = node.get("default") else {
                continue;
            };
            let Some(schema) = at.schema.subschema(node) else {
                continue;
            };
            let place = at.at(&node.pointer.join("default"));
            let judgement = schema.judge(context.instance(default, &place));
            // One default is one mistake: its first violation is enough to see it.
            if let Judgement::DoesNotFit(violations) = judgement
                && let Some(first) = violations.first()
            {
                let message = format!("the default {}", first.reason);
                let place = place.concat(first.instance.as_str());
                out.push(Finding::new(place, message).keyword(first.keyword.as_str()));
            }
        }
    }
}
