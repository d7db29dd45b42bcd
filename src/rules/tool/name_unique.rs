//! mcp.tool.name.unique: no two tools of a listing share a name.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::diagnostic::Finding;
use crate::document::Listing;
use crate::rules::context::Context;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    listing: &Listing<'_>,
    out: &mut Vec<Finding>,
) {
    // In a description the same fault is an overlap of scopes, which is an error of its own.
    if context.subjects.description.is_some() {
        return;
    }
    let mut first = HashMap::new();
    let earlier = listing.earlier.iter().map(|index| (false, *index));
    let own = listing.tools.iter().map(|index| (true, *index));
    for (is_own, index) in earlier.chain(own) {
        let Some(view) = context.tool(Some(index)) else {
            continue;
        };
        let Some(name) = view.tool.name() else {
            continue;
        };
        match first.entry(name) {
            Entry::Vacant(place) => {
                place.insert(&view.tool.at.pointer);
            }
            // A page answers for its own tools; those of the pages before it were judged there.
            Entry::Occupied(place) if is_own => {
                let message = format!("another tool, at {}, has this name already", place.get());
                out.push(Finding::new(view.tool.at.pointer.join("name"), message));
            }
            Entry::Occupied(_) => {}
        }
    }
}
