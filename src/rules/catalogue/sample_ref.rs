//! catalogue.sample.ref: what samples refer to is there.

use crate::diagnostic::Finding;
use crate::document::Samples;
use crate::rules::context::Context;
use crate::rules::sample::unresolved;
use crate::source::cut;

pub(in crate::rules) fn check(_: &Context<'_>, samples: &Samples<'_>, out: &mut Vec<Finding>) {
    let is_tool = samples.at.value.get("tool_ref").is_some();
    let what = if is_tool { "tool" } else { "handoff or state" };
    if let (Some(at), Err(why)) = (&samples.reference, &samples.target)
        && let Some(why) = unresolved(why, what)
    {
        out.push(Finding::new(at.pointer.clone(), why));
    }
    for sample in samples.payloads.iter().filter(|sample| sample.payload.is_none()) {
        let message = format!("no payload is named `{}`", cut(sample.name, 40));
        out.push(Finding::new(sample.at.pointer.clone(), message));
    }
}
