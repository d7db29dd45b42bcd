//! json.duplicate-key: no object names a member twice.

use crate::diagnostic::Finding;
use crate::rules::context::TextView;
use crate::source::cut;

pub(in crate::rules) fn check(text: &TextView<'_>, out: &mut Vec<Finding>) {
    for duplicate in text.duplicates {
        let name = duplicate.pointer.last().unwrap_or_default();
        let mut finding = Finding::new(
            duplicate.pointer.clone(),
            format!("the object has `{}` already; the last one counts here", cut(&name, 60)),
        );
        finding.span = Some(duplicate.span.clone());
        // A description has one author; what came over the wire may have passed many hands.
        out.push(if text.is_description {
            finding
        } else {
            finding.warning()
        });
    }
}
