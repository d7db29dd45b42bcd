//! contract.value.schema: a handoff or a checkpoint fits the contract that it names.

use crate::diagnostic::Finding;
use crate::document::Recorded;
use crate::rules::context::Context;
use crate::rules::value;

pub(in crate::rules) fn check(context: &Context<'_>, recorded: &Recorded<'_>, out: &mut Vec<Finding>) {
    let Ok(contract) = recorded.contract else {
        return;
    };
    let schema = context.tool(Some(contract)).and_then(|view| view.input.as_ref());
    match schema.filter(|at| at.schema.compiled().is_ok()) {
        Some(at) => value::check(context, &recorded.value, at, out),
        None => {
            let message = "not judged: the contract cannot be used, and its own file says why";
            out.push(Finding::new(recorded.value.pointer.clone(), message));
        }
    }
}
