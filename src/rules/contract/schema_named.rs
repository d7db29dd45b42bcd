//! contract.schema.named: a handoff or a checkpoint names its contract and the version of it.

use crate::diagnostic::Finding;
use crate::document::Recorded;
use crate::rules::context::Context;

pub(in crate::rules) fn check(_: &Context<'_>, recorded: &Recorded<'_>, out: &mut Vec<Finding>) {
    let message = match (recorded.at.get("schema"), recorded.name, recorded.version) {
        (None, ..) => "`schema` is missing: nothing says which contract this is held to",
        (Some(_), None, _) => "`schema` names no contract",
        (Some(_), Some(_), None) => {
            "`schema` names a contract and no version of it: which one it was written under cannot be told"
        }
        (Some(_), Some(_), Some(_)) => return,
    };
    let place = recorded.at.get("schema").unwrap_or_else(|| recorded.at.clone());
    out.push(Finding::new(place.pointer, message));
}
