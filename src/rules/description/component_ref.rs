//! mcpdesc.component.ref: a `$componentRef` leads to a component of the kind that its place needs.

use crate::diagnostic::Finding;
use crate::document::{Description, ReferenceFault};
use crate::rules::context::Context;
use crate::source::cut;

pub(in crate::rules) fn check(
    _: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    for reference in &description.broken {
        let message = clause(reference.fault);
        out.push(Finding::new(reference.pointer.clone(), message));
    }
}

fn clause(fault: ReferenceFault<'_>) -> String {
    match fault {
        ReferenceFault::NotAString => "the reference is not a string".to_owned(),
        ReferenceFault::Elsewhere => {
            "the reference leads out of the document, and nothing is fetched".to_owned()
        }
        ReferenceFault::Malformed => {
            "the reference is not of the form #/components/NAMESPACE/NAME".to_owned()
        }
        ReferenceFault::Namespace { found, needed } => format!(
            "the reference leads into `{}`, and its place needs one of `{needed}`",
            cut(found, 40)
        ),
        ReferenceFault::Missing { namespace, name } => {
            format!("`{namespace}` has no component named `{}`", cut(name, 40))
        }
        ReferenceFault::Cycle => {
            "the reference comes back to itself, and to no component".to_owned()
        }
    }
}
