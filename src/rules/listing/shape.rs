//! mcp.list.shape: the answer to `tools/list` has the shape of its version.

use crate::diagnostic::Finding;
use crate::document::{At, Listing};
use crate::protocol::ProtocolVersion::V2026_07_28;
use crate::rules::context::Context;
use crate::rules::meta;
use crate::rules::shape::{self, Type};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    listing: &Listing<'_>,
    out: &mut Vec<Finding>,
) {
    let at = &listing.at;
    let is_bare = !listing.full && at.value.is_array();
    // What a description holds is no answer to anybody; its own rules know its shape.
    if is_bare || context.subjects.description.is_some() {
        return;
    }
    if !shape::is(at, "the listing", Type::Object, out) {
        return;
    }
    shape::optional(at, "nextCursor", Type::String, out);
    meta::check_result(at, context.version, out);
    if listing.full && context.version >= V2026_07_28 {
        check_cacheable(at, out);
    } else {
        shape::required(at, "tools", Type::Array, out);
    }
}

/// From 2026-07-28 on a listing says for how long and by whom it may be kept.
fn check_cacheable(at: &At<'_>, out: &mut Vec<Finding>) {
    let names = ["resultType", "tools", "ttlMs", "cacheScope"];
    shape::missing(at, &names, out);
    shape::one_of(at, "resultType", &["complete"], out);
    shape::optional(at, "tools", Type::Array, out);
    shape::one_of(at, "cacheScope", &["public", "private"], out);
    if let Some(ttl) = shape::optional(at, "ttlMs", Type::Integer, out)
        && ttl.value.as_f64().is_some_and(|ttl| ttl < 0.0)
    {
        out.push(Finding::new(ttl.pointer, "`ttlMs` is negative"));
    }
}
