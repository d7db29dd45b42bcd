//! json.syntax: the text is JSON, or YAML that says what JSON can say.

use crate::diagnostic::Finding;
use crate::rules::context::{TextView, fault};
use crate::source::FaultKind;

pub(in crate::rules) fn check(text: &TextView<'_>, out: &mut Vec<Finding>) {
    let faults = text.faults.iter();
    out.extend(faults.filter(|f| f.kind == FaultKind::Syntax).map(fault));
}
