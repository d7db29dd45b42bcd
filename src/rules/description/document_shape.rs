//! mcpdesc.document.shape: a description has the shape of the format's version that it names.

use crate::diagnostic::Finding;
use crate::document::{At, Description, Edition};
use crate::protocol::ProtocolVersion;
use crate::rules::context::Context;
use crate::rules::shape::{self, Type, is};
use crate::rules::{description_members as members, description_versions};
use crate::source::{Format, cut};

/// The collections of which 0.7 asks for one at least.
const PRIMITIVES: [&str; 4] = ["tools", "resources", "resourceTemplates", "prompts"];

pub(in crate::rules) fn check(
    _: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    let at = &description.at;
    let edition = description.edition;
    if !is(at, "a description", Type::Object, out) {
        return;
    }
    // Nobody knows the shape of a version that is not known.
    if edition == Edition::Unknown {
        let place = at
            .get("mcpdesc")
            .map_or_else(|| at.pointer.clone(), |at| at.pointer);
        let known = "0.7.0, 0.8.0 and 0.9.0, with -rc.N or -draft.N";
        out.push(Finding::new(
            place,
            format!("the version of the format is none of {known}"),
        ));
        return;
    }
    members::check(at, "a description", members::ROOT, edition, out);
    if edition == Edition::V0_7 {
        check_before_0_8(description, out);
    } else {
        shape::missing(at, &["info", "protocolVersions"], out);
        if let Some(versions) = shape::optional(at, "protocolVersions", Type::Array, out) {
            description_versions::check(&versions, out);
            versions
                .elements()
                .for_each(|version| check_version(&version, out));
        }
    }
    if let Some(info) = shape::optional(at, "info", Type::Object, out) {
        check_info(&info, edition, out);
    }
    for tool in elements(at, "tools").filter(|tool| tool.value.is_object()) {
        members::check(&tool, "a tool", members::TOOL, edition, out);
    }
    for transport in elements(at, "transports") {
        check_transport(&transport, edition, out);
    }
    for tag in elements(at, "tags") {
        if is(&tag, "a tag", Type::Object, out) {
            shape::required(&tag, "name", Type::String, out);
            members::check(&tag, "a tag", members::TAG, edition, out);
        }
    }
    if let Some(components) = at.get("components") {
        members::check(
            &components,
            "`components`",
            members::COMPONENTS,
            edition,
            out,
        );
    }
}

fn check_info(info: &At<'_>, edition: Edition, out: &mut Vec<Finding>) {
    members::check(info, "`info`", members::INFO, edition, out);
    shape::required_all(info, &["name", "version"], Type::String, out);
    for name in ["name", "version"] {
        if let Some(member) = info.get(name)
            && member.value == ""
        {
            out.push(Finding::new(member.pointer, format!("`{name}` is empty")));
        }
    }
}

/// What only 0.7 asks for: its one version stands in `info`, and it knows no YAML.
fn check_before_0_8(description: &Description<'_>, out: &mut Vec<Finding>) {
    let at = &description.at;
    if description.format == Format::Yaml {
        let message = "a description of 0.7 is written in JSON, and this one in YAML";
        out.push(Finding::new(at.pointer.join("mcpdesc"), message));
    }
    let first = out.len();
    shape::missing(at, &["info", "transports"], out);
    if PRIMITIVES.iter().all(|name| at.get(name).is_none()) {
        let message = "there are neither tools nor resources, resource templates nor prompts";
        members::add(out, first, Finding::new(at.pointer.clone(), message));
    }
    if let Some(version) = at.get("info").and_then(|info| info.get("protocolVersion"))
        && version.value.is_string()
    {
        check_version(&version, out);
    }
    if let Some(transports) = &description.transports
        && transports.is_empty()
    {
        let place = at.pointer.join("transports");
        out.push(Finding::new(
            place,
            "0.7 requires a transport, and `transports` is empty",
        ));
    }
}

fn check_version(version: &At<'_>, out: &mut Vec<Finding>) {
    if !is(version, "a protocol version", Type::String, out) {
        return;
    }
    let date = version.value.as_str().unwrap_or_default();
    if let Err(unknown) = cut(date, 40).parse::<ProtocolVersion>() {
        out.push(Finding::new(version.pointer.clone(), unknown.to_string()));
    }
}

fn check_transport(transport: &At<'_>, edition: Edition, out: &mut Vec<Finding>) {
    if !is(transport, "a transport", Type::Object, out) {
        return;
    }
    members::check(transport, "a transport", members::TRANSPORT, edition, out);
    let Some(kind) = shape::required(transport, "type", Type::String, out) else {
        return;
    };
    match kind.value.as_str() {
        Some("stdio") => {
            shape::required(transport, "command", Type::String, out);
        }
        Some("streamable-http" | "sse") => {
            shape::required(transport, "url", Type::String, out);
        }
        _ => shape::one_of(transport, "type", &["stdio", "streamable-http", "sse"], out),
    }
}

fn elements<'a>(at: &At<'a>, name: &str) -> impl Iterator<Item = At<'a>> + use<'a> {
    at.get(name).into_iter().flat_map(|list| list.elements())
}
