//! policy.schema.enum: a member that is named like a vocabulary lists its words.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::policy_schemas::{closed, is_typed};
use crate::source::cut;

/// Names of members whose values come from a list that somebody keeps.
const NAMES: [&str; 9] = [
    "status", "state", "mode", "kind", "type", "priority", "reason", "severity", "level",
];
/// The keywords that say which strings there are.
const SAYS: [&str; 8] = [
    "enum", "const", "pattern", "allOf", "anyOf", "oneOf", "$ref", "$dynamicRef",
];

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in closed(context, view) {
        let members = at.schema.tree().nodes.iter();
        for node in members.filter(|node| node.keyword == "properties") {
            let name = node.pointer.last().unwrap_or_default();
            let is_vocabulary = NAMES.iter().any(|known| known.eq_ignore_ascii_case(&name));
            let says = SAYS.iter().any(|keyword| node.get(keyword).is_some());
            if is_vocabulary && is_typed(node, "string") && !says {
                let message = format!("`{}` takes any string, and its name promises a list", cut(&name, 40));
                out.push(Finding::new(at.at(&node.pointer), message).keyword("enum"));
            }
        }
    }
}
