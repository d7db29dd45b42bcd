//! policy.schema.closed: an object takes the members that are declared, and no others.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::policy_schemas::{closed, open_objects};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in closed(context, view) {
        for index in open_objects(at.schema.tree()) {
            let place = at.at(&at.schema.tree().nodes[index].pointer);
            let message = "the object is open: members that nobody declared pass";
            out.push(Finding::new(place, message).keyword("additionalProperties"));
        }
    }
}
