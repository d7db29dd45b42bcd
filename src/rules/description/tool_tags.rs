//! mcpdesc.tool.tags: where the root has a catalogue of tags, a tool's tags are in it.

use std::collections::HashSet;

use crate::diagnostic::Finding;
use crate::document::{At, Description};
use crate::rules::context::Context;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    let Some(catalogue) = &description.tags else {
        return;
    };
    let catalogue: HashSet<_> = catalogue.iter().copied().collect();
    let tools = description.tools.iter();
    for tool in tools.filter_map(|tool| context.tool(Some(tool.tool))) {
        for tag in tool.tool.at.get("tags").iter().flat_map(At::elements) {
            if !tag
                .value
                .as_str()
                .is_some_and(|name| catalogue.contains(name))
            {
                let message = "the root's `tags` does not declare this tag";
                out.push(Finding::new(tag.pointer, message));
            }
        }
    }
}
