//! `_meta`: what a request and a result say beside themselves.

use super::shape::{self, Type, is, optional, required_all};
use crate::diagnostic::Finding;
use crate::document::At;
use crate::protocol::ProtocolVersion::{self, V2026_07_28};

/// The severities of RFC 5424, by which a client sets what is logged.
const LOG_LEVELS: &[&str] = &[
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

/// The reserved name of `member`.
macro_rules! reserved {
    ($member:literal) => {
        concat!("io.modelcontextprotocol/", $member)
    };
}

/// Reports what is wrong with the `_meta` of a result. From 2026-07-28 on a server may introduce
/// itself there.
pub(super) fn check_result(result: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    let Some(meta) = optional(result, "_meta", Type::Object, out) else {
        return;
    };
    if version >= V2026_07_28 {
        check_implementation(&meta, reserved!("serverInfo"), out);
    }
}

/// Reports what is wrong with the `_meta` of a request on 2026-07-28, which has no handshake:
/// every request says which version it speaks and what its client can do.
pub(super) fn check_stateless_request(params: &At<'_>, out: &mut Vec<Finding>) {
    let Some(meta) = shape::required(params, "_meta", Type::Object, out) else {
        return;
    };
    let [version, capabilities] = [
        reserved!("protocolVersion"),
        reserved!("clientCapabilities"),
    ];
    shape::missing(&meta, &[version, capabilities], out);
    optional(&meta, version, Type::String, out);
    if let Some(capabilities) = optional(&meta, capabilities, Type::Object, out) {
        check_capabilities(&capabilities, out);
    }
    check_implementation(&meta, reserved!("clientInfo"), out);
    shape::one_of(&meta, reserved!("logLevel"), LOG_LEVELS, out);
    shape::id(&meta, "progressToken", out);
}

fn check_capabilities(capabilities: &At<'_>, out: &mut Vec<Finding>) {
    optional(capabilities, "roots", Type::Object, out);
    for (name, parts) in [
        ("elicitation", ["form", "url"]),
        ("sampling", ["context", "tools"]),
    ] {
        if let Some(capability) = optional(capabilities, name, Type::Object, out) {
            for part in parts {
                optional(&capability, part, Type::Object, out);
            }
        }
    }
    for name in ["experimental", "extensions"] {
        if let Some(named) = optional(capabilities, name, Type::Object, out) {
            for (_, capability) in named.members() {
                is(&capability, "a capability", Type::Object, out);
            }
        }
    }
}

/// The member `name`, by which a program says what it is.
fn check_implementation(meta: &At<'_>, name: &str, out: &mut Vec<Finding>) {
    let Some(program) = optional(meta, name, Type::Object, out) else {
        return;
    };
    required_all(&program, &["name", "version"], Type::String, out);
    for name in ["title", "description", "websiteUrl"] {
        optional(&program, name, Type::String, out);
    }
    shape::icons(&program, out);
}
