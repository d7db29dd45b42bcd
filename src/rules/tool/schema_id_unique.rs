//! mcp.tool.schema.id-unique: different schemas of a listing have different identifiers.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::diagnostic::Finding;
use crate::document::Listing;
use crate::rules::context::{Context, SchemaAt};
use crate::schema::{Node, equal};
use crate::source::Pointer;

/// The first holder of an identifier: where its schema stands, and the resource.
type Holder<'a> = (&'a Pointer, &'a Node<'a>);

pub(in crate::rules) fn check(
    context: &Context<'_>,
    listing: &Listing<'_>,
    out: &mut Vec<Finding>,
) {
    let mut first: HashMap<&str, Holder<'_>> = HashMap::new();
    let earlier = listing.earlier.iter().map(|index| (false, *index));
    let own = listing.tools.iter().map(|index| (true, *index));
    for (is_own, index) in earlier.chain(own) {
        let Some(view) = context.tool(Some(index)) else {
            continue;
        };
        for at in view.schemas(context.version) {
            let tree = at.schema.tree();
            for (id, node) in tree.identifiers() {
                let node = &tree.nodes[node];
                match first.entry(id) {
                    Entry::Vacant(place) => {
                        place.insert((&at.pointer, node));
                    }
                    // A page answers for its own tools; those of the pages before it were judged
                    // there.
                    Entry::Occupied(place) if is_own => {
                        out.extend(finding(*place.get(), at, node));
                    }
                    Entry::Occupied(_) => {}
                }
            }
        }
    }
}

/// The finding of a resource whose identifier another schema has. Twice in one schema is the
/// matter of another rule, and equal resources may well be one.
fn finding((schema, resource): Holder<'_>, at: &SchemaAt<'_>, node: &Node<'_>) -> Option<Finding> {
    if *schema == at.pointer || equal(resource.value, node.value) {
        return None;
    }
    let keyword = node.dialect.id_keyword();
    let first = schema.concat(resource.pointer.as_str());
    let message = format!("another schema, at {first}, has this `{keyword}` already");
    let place = at.at(&node.pointer.join(keyword));
    Some(Finding::new(place, message).keyword(keyword))
}
