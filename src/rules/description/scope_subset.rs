//! mcpdesc.scope.subset: the scope of an entry lies within the root's.

use std::collections::HashSet;

use crate::diagnostic::Finding;
use crate::document::{Description, Edition};
use crate::rules::context::Context;
use crate::rules::description_versions;
use crate::rules::shape::{Type, optional};

/// The collections whose entries may have a scope.
const SCOPED: [&str; 6] = [
    "transports",
    "capabilities",
    "tools",
    "resources",
    "resourceTemplates",
    "prompts",
];

pub(in crate::rules) fn check(
    _: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    // 0.7 has no scopes: the member is unknown there.
    if description.edition == Edition::V0_7 {
        return;
    }
    let at = &description.at;
    let root = at
        .value
        .get("protocolVersions")
        .and_then(|root| root.as_array());
    // Nothing lies within a root that names nothing, and that fault is the root's.
    let root = root.filter(|root| !root.is_empty());
    let root: Option<HashSet<_>> = root.map(|root| root.iter().collect());
    let entries = SCOPED.iter().filter_map(|name| at.get(name));
    for entry in entries.flat_map(|list| list.elements()) {
        let Some(scope) = optional(&entry, "protocolVersions", Type::Array, out) else {
            continue;
        };
        description_versions::check(&scope, out);
        for version in scope.elements() {
            if root
                .as_ref()
                .is_some_and(|root| !root.contains(version.value))
            {
                let message = "the version is not among the root's `protocolVersions`";
                out.push(Finding::new(version.pointer, message));
            }
        }
    }
}
