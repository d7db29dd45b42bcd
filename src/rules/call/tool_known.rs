//! mcp.call.tool.known: the called tool is in the listing at hand.

use crate::diagnostic::Finding;
use crate::document::Call;
use crate::rules::context::Context;
use crate::source::cut;

pub(in crate::rules) fn check(_: &Context<'_>, call: &Call<'_>, out: &mut Vec<Finding>) {
    let Some(params) = call.params.as_ref().filter(|_| call.unknown) else {
        return;
    };
    if let Some(at) = params.get("name")
        && let Some(name) = at.value.as_str()
    {
        let message = format!("the complete listing has no tool named {:?}", cut(name, 60));
        out.push(Finding::new(at.pointer, message));
    }
}
