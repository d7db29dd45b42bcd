//! mcpdesc.scope.legacy: the protocol version is one that can be judged in full.

use crate::diagnostic::Finding;
use crate::document::{At, Description};
use crate::rules::context::Context;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    let version = context.version.as_str();
    let at = &description.at;
    let listed = at.get("protocolVersions");
    let single = at.get("info").and_then(|info| info.get("protocolVersion"));
    let mut named = listed.iter().flat_map(At::elements).chain(single);
    let place = named.find(|named| named.value == version);
    let place = place.map_or_else(|| at.pointer.clone(), |place| place.pointer);
    let message = "most rules do not apply to this version, so that a clean report says little";
    out.push(Finding::new(place, message));
}
