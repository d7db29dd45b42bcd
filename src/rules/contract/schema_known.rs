//! contract.schema.known: the catalogue has the contract in the version that is named.

use crate::diagnostic::Finding;
use crate::document::Recorded;
use crate::rules::context::Context;
use crate::rules::sample::unresolved;

pub(in crate::rules) fn check(_: &Context<'_>, recorded: &Recorded<'_>, out: &mut Vec<Finding>) {
    if let Err(why) = &recorded.contract
        && let Some(why) = unresolved(why, "handoff or state")
        && let Some(at) = recorded.at.get("schema")
    {
        out.push(Finding::new(at.pointer, why));
    }
}
