//! Content blocks: the parts of a result that people and models read.

use super::shape::{self, Type, is, optional, required_all};
use crate::diagnostic::Finding;
use crate::document::At;
use crate::protocol::ProtocolVersion::{self, V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};
use crate::source::cut;

/// The kinds of block and the version that brought each.
const KINDS: &[(&str, ProtocolVersion)] = &[
    ("text", V2024_11_05),
    ("image", V2024_11_05),
    ("resource", V2024_11_05),
    ("audio", V2025_03_26),
    ("resource_link", V2025_06_18),
];

/// Reports what is wrong with a content block.
pub(super) fn check(block: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    let Some((kind, at)) = kind(block, out) else {
        return;
    };
    match KINDS.iter().find(|(name, _)| *name == kind) {
        Some((_, since)) if *since <= version => check_kind(kind, block, version, out),
        Some((_, since)) => {
            let message = format!("content blocks of the type \"{kind}\" exist since {since}");
            out.push(Finding::new(at.pointer, message));
        }
        None => out.push(unknown(&at, kind)),
    }
}

/// The `type` of a block; reports where there is none.
pub(super) fn kind<'a>(block: &At<'a>, out: &mut Vec<Finding>) -> Option<(&'a str, At<'a>)> {
    if !is(block, "a content block", Type::Object, out) {
        return None;
    }
    let at = shape::required(block, "type", Type::String, out)?;
    Some((at.value.as_str()?, at))
}

/// The finding of a block of a type that does not exist.
pub(super) fn unknown(at: &At<'_>, kind: &str) -> Finding {
    let kind = cut(kind, 40);
    Finding::new(
        at.pointer.clone(),
        format!("no content block has the type {kind:?}"),
    )
}

/// Reports what is wrong with a block of a known kind.
pub(super) fn check_kind(
    kind: &str,
    block: &At<'_>,
    version: ProtocolVersion,
    out: &mut Vec<Finding>,
) {
    match kind {
        "text" => required_all(block, &["text"], Type::String, out),
        "image" | "audio" => required_all(block, &["data", "mimeType"], Type::String, out),
        "resource" => {
            if let Some(resource) = shape::required(block, "resource", Type::Object, out) {
                check_resource(&resource, version, out);
            }
        }
        _ => check_link(block, version, out),
    }
    check_annotations(block, version, out);
    if version >= V2025_06_18 {
        optional(block, "_meta", Type::Object, out);
    }
}

/// The contents of a resource: under one URI, text or a blob.
fn check_resource(resource: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    required_all(resource, &["uri"], Type::String, out);
    optional(resource, "mimeType", Type::String, out);
    if version >= V2025_06_18 {
        optional(resource, "_meta", Type::Object, out);
    }
    let [text, blob] = ["text", "blob"].map(|name| resource.get(name));
    let holds = |at: &Option<At<'_>>| at.as_ref().is_some_and(|at| at.value.is_string());
    if holds(&text) || holds(&blob) {
        return;
    }
    if text.is_none() && blob.is_none() {
        let message = "neither `text` nor `blob` is present";
        out.push(Finding::new(resource.pointer.clone(), message));
    }
    optional(resource, "text", Type::String, out);
    optional(resource, "blob", Type::String, out);
}

fn check_link(link: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    required_all(link, &["uri", "name"], Type::String, out);
    for name in ["title", "description", "mimeType"] {
        optional(link, name, Type::String, out);
    }
    optional(link, "size", Type::Integer, out);
    if version >= V2025_11_25 {
        shape::icons(link, out);
    }
}

fn check_annotations(block: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    let Some(annotations) = optional(block, "annotations", Type::Object, out) else {
        return;
    };
    if let Some(audience) = optional(&annotations, "audience", Type::Array, out) {
        for role in audience.elements() {
            if !matches!(role.value.as_str(), Some("user" | "assistant")) {
                let message = "an element of `audience` is neither \"user\" nor \"assistant\"";
                out.push(Finding::new(role.pointer, message));
            }
        }
    }
    check_share(&annotations, "priority", out);
    if version >= V2025_06_18 {
        optional(&annotations, "lastModified", Type::String, out);
    }
}

/// Reports the member `name` where it is present and no number from 0 to 1.
pub(super) fn check_share(at: &At<'_>, name: &str, out: &mut Vec<Finding>) {
    if let Some(share) = optional(at, name, Type::Number, out)
        && !share
            .value
            .as_f64()
            .is_some_and(|number| (0.0..=1.0).contains(&number))
    {
        let message = format!("`{name}` is not between 0 and 1");
        out.push(Finding::new(share.pointer, message));
    }
}
