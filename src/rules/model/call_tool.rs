//! model.call.tool: the tool that a model asks for is at hand.

use crate::diagnostic::Finding;
use crate::document::{Known, ModelCall};
use crate::rules::context::Context;
use crate::source::cut;

pub(in crate::rules) fn check(context: &Context<'_>, call: &ModelCall<'_>, out: &mut Vec<Finding>) {
    let Some(at) = &call.name else {
        return;
    };
    let name = cut(at.value.as_str().unwrap_or_default(), 60);
    let message = match call.known {
        Known::NothingAtHand => return,
        Known::Unknown => format!("no tool that is at hand has the name `{name}`"),
        Known::Ambiguous => format!("several files of the catalogue define `{name}`"),
        Known::Tool(tool) => {
            let input = context.tool(Some(tool)).and_then(|view| view.input.as_ref());
            if input.is_some_and(|at| at.schema.compiled().is_ok()) {
                return;
            }
            let message = format!("not judged: the schema of `{name}` cannot be used");
            out.push(Finding::new(at.pointer.clone(), message).not_judged());
            return;
        }
    };
    out.push(Finding::new(at.pointer.clone(), message));
}
