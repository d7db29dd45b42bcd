//! Which sources can be projected: those that can judge, and that every reader reads alike.

use super::Refusal;
use crate::schema::{Node, Schema, Target, Unusable};
use crate::source::Pointer;

/// Refuses a schema that cannot judge: what it means is not known.
pub(super) fn usable(schema: &Schema<'_>, source: &Pointer) -> Result<(), Refusal> {
    let Err(why) = schema.compiled() else {
        return unequivocal(schema, source);
    };
    let at = |pointer: &Pointer, keyword: &str, why: String| {
        let keyword = Some(keyword).filter(|keyword| !keyword.is_empty());
        Refusal::new(&source.concat(pointer.as_str()), keyword, why)
    };
    let tree = schema.tree();
    let broken = tree.references.iter().find_map(|reference| {
        let place = tree.nodes[reference.node].pointer.join(reference.keyword);
        let why = match &reference.target {
            Target::Missing(why) => format!("the reference leads nowhere: {why}"),
            Target::External(uri) => {
                format!("the reference leads out of the document, to {uri}, and nothing is fetched")
            }
            Target::Node(_) | Target::MetaSchema => return None,
        };
        Some(at(&place, reference.keyword, why))
    });
    let refusal = match &why {
        Unusable::Unresolved | Unusable::External => broken,
        Unusable::Invalid => schema.meta_violations().first().map(|violation| {
            at(
                &violation.instance,
                "",
                format!("it is no valid schema: the value {}", violation.reason),
            )
        }),
        Unusable::Bounds => schema
            .excesses()
            .first()
            .map(|excess| at(&excess.pointer, "", excess.message.clone())),
        _ => None,
    };
    Err(refusal.unwrap_or_else(|| {
        let why = match why {
            Unusable::NotASchema => "it is neither an object nor a boolean".to_owned(),
            Unusable::Dialect => "its dialect is not supported".to_owned(),
            Unusable::Cycle => "its references never end".to_owned(),
            Unusable::Pattern => "a pattern in it is not understood".to_owned(),
            Unusable::Id => "its $id is no URI reference".to_owned(),
            Unusable::Engine(message) => message,
            other => format!("it cannot judge: {other:?}"),
        };
        Refusal::new(source, None, why)
    }))
}

/// Refuses a schema that readers read differently: there is no one meaning to project.
fn unequivocal(schema: &Schema<'_>, source: &Pointer) -> Result<(), Refusal> {
    let tree = schema.tree();
    let refuse = |node: usize, keyword: &str, why: &str| {
        let place = tree.nodes[node].pointer.join(keyword);
        Err(Refusal::new(
            &source.concat(place.as_str()),
            Some(keyword),
            why,
        ))
    };
    if let Some((node, keyword)) = tree.repeated.first() {
        return refuse(
            *node,
            keyword,
            "another part has the same name, and which one is meant is not said",
        );
    }
    let nested = |node: &Node<'_>| {
        node.parent.is_some() && node.get("$schema").is_some() && node.get("$id").is_none()
    };
    if let Some(node) = tree.nodes.iter().position(nested) {
        let why = "a dialect is declared below the root without an $id: readers differ on whether it counts";
        return refuse(node, "$schema", why);
    }
    Ok(())
}
