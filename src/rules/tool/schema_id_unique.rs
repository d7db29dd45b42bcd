//! mcp.tool.schema.id-unique: different schemas of a listing have different identifiers.

use std::collections::HashMap;

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::document::Listing;
use crate::rules::context::{Context, SchemaAt};
use crate::schema::{Node, equal};
use crate::source::Pointer;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    listing: &Listing<'_>,
    out: &mut Vec<Finding>,
) {
    let mut first: HashMap<&str, (&Value, Pointer)> = HashMap::new();
    let earlier = listing.earlier.iter().map(|index| (false, *index));
    let own = listing.tools.iter().map(|index| (true, *index));
    for (is_own, index) in earlier.chain(own) {
        let Some(view) = context.tool(Some(index)) else {
            continue;
        };
        for at in view.schemas(context.version) {
            for (id, node) in identified(at) {
                let Some((schema, pointer)) = first.get(id) else {
                    first.insert(id, (node.value, at.at(&node.pointer)));
                    continue;
                };
                // Engines keep the first. Pages before this one answer for themselves.
                if is_own && !equal(schema, node.value) {
                    let keyword = node.dialect.id_keyword();
                    let place = at.at(&node.pointer.join(keyword));
                    let message =
                        format!("another schema, at {pointer}, has this `{keyword}` already");
                    out.push(Finding::new(place, message).keyword(keyword));
                }
            }
        }
    }
}

/// The resources in a schema with their identifiers, as they are written. Below the root a relative
/// one is left out: it means something else under each root.
fn identified<'s>(at: &'s SchemaAt<'_>) -> impl Iterator<Item = (&'s str, &'s Node<'s>)> {
    at.schema.tree().nodes.iter().filter_map(|node| {
        let id = node.get(node.dialect.id_keyword())?.as_str()?;
        let id = id.strip_suffix('#').unwrap_or(id);
        let hidden = node.dialect.ref_hides_siblings() && node.get("$ref").is_some();
        let absolute = id
            .split(['/', '?', '#'])
            .next()
            .is_some_and(|head| head.contains(':'));
        let names_a_resource = !id.is_empty() && !id.starts_with('#') && !hidden;
        (names_a_resource && (absolute || node.pointer.is_root())).then_some((id, node))
    })
}
