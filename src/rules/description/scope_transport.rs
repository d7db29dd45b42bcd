//! mcpdesc.scope.transport: where transports are declared, each protocol version has one.

use crate::diagnostic::Finding;
use crate::document::Description;
use crate::rules::context::Context;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    let Some(transports) = &description.transports else {
        return;
    };
    // A version that only the user has named needs no way in, and an empty section is a fault of
    // its own.
    let asked = description.declared.contains(context.version) && !transports.is_empty();
    if asked
        && !transports
            .iter()
            .any(|entry| entry.holds_on(context.version))
    {
        let place = description.at.pointer.join("transports");
        let message = "the root is for a protocol version that no transport is for";
        out.push(Finding::new(place, message));
    }
}
