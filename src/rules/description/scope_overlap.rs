//! mcpdesc.scope.overlap: on each protocol version a tool's name stands for one tool.

use std::collections::HashMap;

use crate::diagnostic::Finding;
use crate::document::Description;
use crate::rules::context::Context;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    let mut first = HashMap::new();
    for tool in &description.tools {
        // What the entry says counts, not on what it is judged: variants for two versions do not
        // overlap on a third that only the user has named.
        if !tool.entry.holds_on(context.version) {
            continue;
        }
        let at = &tool.entry.at;
        let Some(name) = at.value.get("name").and_then(|name| name.as_str()) else {
            continue;
        };
        if let Some(place) = first.get(name) {
            let message =
                format!("the tool at {place} has the same name and is for this version too");
            out.push(Finding::new(at.pointer.clone(), message));
        } else {
            first.insert(name, &at.pointer);
        }
    }
}
