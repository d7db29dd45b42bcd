//! mcpdesc.example.incomplete: the schemas beside an example can be applied to it in full.

use crate::diagnostic::Finding;
use crate::document::Description;
use crate::protocol::ProtocolVersion::V2025_11_25;
use crate::rules::context::Context;
use crate::rules::description_example::sound;
use crate::schema::Unusable;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    for example in sound(context, description) {
        if context.version < V2025_11_25 {
            if example.typed().next().is_some() {
                let message = "the version states no dialect, so that only `type`, `properties`, \
                               `required` and `additionalProperties` are applied";
                out.push(Finding::new(example.at.pointer.clone(), message));
            }
            continue;
        }
        for (value, schema) in example.typed() {
            if let Some(why) = schema.schema.compiled().err().as_ref().and_then(clause) {
                let message = format!("not judged: its `{}` {why}", schema.member);
                out.push(Finding::new(value.pointer, message));
            }
        }
    }
}

/// Why a schema that nobody calls wrong is not applied. The other reasons are errors where the
/// schema stands.
fn clause(why: &Unusable) -> Option<&'static str> {
    match why {
        Unusable::External => Some("refers to another document, which is never fetched"),
        Unusable::Bounds => Some("exceeds a bound"),
        Unusable::Cycle => Some("refers to itself for ever"),
        Unusable::Pattern => Some("has a pattern that the engine does not understand"),
        Unusable::Engine(_) => Some("cannot be built"),
        Unusable::NotASchema
        | Unusable::Dialect
        | Unusable::Id
        | Unusable::Unresolved
        | Unusable::Invalid => None,
    }
}
