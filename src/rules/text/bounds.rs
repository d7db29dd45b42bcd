//! json.bounds: the text is short and shallow enough, and its numbers are finite.

use crate::diagnostic::Finding;
use crate::rules::context::{TextView, fault};
use crate::source::FaultKind;

pub(in crate::rules) fn check(text: &TextView<'_>, out: &mut Vec<Finding>) {
    let faults = text.faults.iter();
    out.extend(faults.filter(|f| f.kind == FaultKind::Bounds).map(fault));
}
