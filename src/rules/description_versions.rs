//! Lists of protocol versions in a description: the root's, and those that narrow it.

use std::collections::HashSet;

use crate::diagnostic::Finding;
use crate::document::At;

/// Reports a list of versions that is empty or names one twice.
pub(super) fn check(list: &At<'_>, out: &mut Vec<Finding>) {
    if list.elements().next().is_none() {
        let message = "the list of versions is empty, so that it holds on none";
        out.push(Finding::new(list.pointer.clone(), message));
    }
    let mut seen = HashSet::new();
    for version in list.elements() {
        if version.value.is_string() && !seen.insert(version.value) {
            out.push(Finding::new(
                version.pointer,
                "the version is in the list already",
            ));
        }
    }
}
