//! The members that MCP Description defines, object by object and edition by edition.
//!
//! What a member of the protocol's own looks like (a tool's `title`, say) is for `mcp.tool.shape`
//! to judge; here such a member is merely known.

use serde_json::Value;

use super::shape::{Type, is};
use crate::diagnostic::Finding;
use crate::document::{At, Edition};
use crate::source::cut;

/// A member that the format defines.
#[derive(Clone, Copy)]
pub(super) struct Member {
    name: &'static str,
    /// Its type, where that is not judged by another rule.
    kind: Option<Type>,
    /// Whether it may be empty. From 0.8 on most collections may not.
    may_be_empty: bool,
    /// The only edition that defines it, unless all do.
    only: Option<Edition>,
}

/// A member that other rules judge.
const fn known(name: &'static str) -> Member {
    Member {
        name,
        kind: None,
        may_be_empty: true,
        only: None,
    }
}

const fn of(name: &'static str, kind: Type) -> Member {
    Member {
        kind: Some(kind),
        ..known(name)
    }
}

/// A collection that is left out rather than empty.
const fn filled(name: &'static str, kind: Type) -> Member {
    Member {
        may_be_empty: false,
        ..of(name, kind)
    }
}

impl Member {
    const fn only(self, edition: Edition) -> Self {
        Self {
            only: Some(edition),
            ..self
        }
    }

    fn is_in(&self, edition: Edition) -> bool {
        self.only.is_none_or(|only| only == edition)
    }
}

use Edition::{V0_7, V0_8};
use Type::{Array, Boolean, Object, String};

/// Of the root. `mcpdesc`, `info` and `protocolVersions` are looked at one by one.
pub(super) const ROOT: &[Member] = &[
    known("mcpdesc"),
    known("info"),
    known("protocolVersions").only(V0_8),
    of("$schema", String),
    of("instructions", String).only(V0_8),
    filled("transports", Array),
    of("security", Array),
    filled("securitySchemes", Object).only(V0_8),
    filled("components", Object).only(V0_8),
    of("capabilities", Object).only(V0_7),
    filled("capabilities", Array).only(V0_8),
    filled("tools", Array),
    filled("resources", Array),
    filled("resourceTemplates", Array),
    filled("prompts", Array),
    filled("tags", Array),
];

/// Of `info`. `name` and `version` are looked at one by one.
pub(super) const INFO: &[Member] = &[
    known("name"),
    known("version"),
    of("title", String),
    of("description", String),
    of("protocolVersion", String).only(V0_7),
    of("id", String),
    filled("icons", Array),
    of("websiteUrl", String),
    of("contact", Object),
    of("license", Object),
];

/// Of a tool.
pub(super) const TOOL: &[Member] = &[
    known("name"),
    known("title"),
    known("description"),
    known("inputSchema"),
    known("outputSchema"),
    known("annotations"),
    known("execution"),
    known("_meta"),
    filled("icons", Array),
    filled("tags", Array),
    of("deprecated", Boolean),
    known("protocolVersions").only(V0_8),
    of("security", Array).only(V0_8),
    filled("examples", Object).only(V0_8),
    filled("interactionExamples", Object).only(V0_8),
    filled("clientRequirements", Object).only(V0_8),
    filled("elicitations", Array).only(V0_8),
];

/// Of a transport. What each type of transport requires is looked at there.
pub(super) const TRANSPORT: &[Member] = &[
    known("type"),
    known("url"),
    known("command"),
    known("protocolVersions").only(V0_8),
    of("args", Array),
    of("env", Object),
    of("security", Array),
];

/// Of an entry of the root's `tags`.
pub(super) const TAG: &[Member] = &[known("name"), of("description", String)];

/// Of `components`.
pub(super) const COMPONENTS: &[Member] = &[
    filled("schemas", Object),
    filled("toolExamples", Object),
    filled("resourceExamples", Object),
    filled("resourceTemplateExamples", Object),
    filled("promptExamples", Object),
];

/// Reports the members of `at` that the edition does not know, that are of another type, or that
/// are empty where that says nothing; `what` names the object, as "a tool".
pub(super) fn check(
    at: &At<'_>,
    what: &str,
    members: &[Member],
    edition: Edition,
    out: &mut Vec<Finding>,
) {
    for (name, value) in at.members() {
        if name.starts_with("x-") {
            continue;
        }
        let of_that_name = || members.iter().filter(|member| member.name == name);
        let Some(member) = of_that_name().find(|member| member.is_in(edition)) else {
            let mut message = format!("`{}` is no member of {what}", cut(name, 40));
            match of_that_name().find_map(|member| member.only) {
                Some(V0_7) => message.push_str(" since 0.8"),
                Some(_) => message.push_str(" before 0.8"),
                None => {}
            }
            out.push(Finding::new(value.pointer, message));
            continue;
        };
        if let Some(kind) = member.kind
            && !is(&value, &format!("`{name}`"), kind, out)
        {
            continue;
        }
        if !member.may_be_empty && edition != V0_7 && is_empty(value.value) {
            let message = format!("`{name}` is empty, which leaves open what it means");
            out.push(Finding::new(value.pointer, message));
        }
    }
}

/// Adds `finding`; or its message to what has been found since `first` at the same place, where a
/// rule has one diagnostic.
pub(super) fn add(out: &mut Vec<Finding>, first: usize, finding: Finding) {
    let mut found = out[first..].iter_mut();
    match found.find(|other| other.pointer == finding.pointer) {
        Some(other) => other.message = format!("{}, and {}", other.message, finding.message),
        None => out.push(finding),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
