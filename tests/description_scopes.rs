//! On which protocol versions a description's tools are judged, and what they are judged by.

use mcp_conform::document::{Document, Kind, Subjects};
use mcp_conform::protocol::{ProtocolVersion, VersionSet};
use mcp_conform::source::{Format, Limits, Source};
use serde_json::{Value, json};

use ProtocolVersion::{V2025_06_18, V2025_11_25, V2026_07_28};

fn read(value: &Value) -> Document {
    let source = Source::new("description", value.to_string(), Format::Json);
    Document::read(source, Some(Kind::Description), &Limits::default()).unwrap()
}

/// Two variants of a tool for two versions, and one that is for both.
fn variants() -> Document {
    let tool = |scope: &[&str]| json!({"name": "get_order", "protocolVersions": scope});
    read(&json!({
        "mcpdesc": "0.8.0",
        "protocolVersions": ["2025-11-25", "2026-07-28"],
        "tools": [tool(&["2025-11-25"]), tool(&["2026-07-28"]), {"name": "list_orders"}]
    }))
}

fn scopes(subjects: &Subjects<'_>) -> Vec<Vec<&'static str>> {
    let tools = subjects.tools.iter();
    tools.map(|tool| tool.versions.names()).collect()
}

/// The tools of the listing that holds on `version`.
fn listed(subjects: &Subjects<'_>, version: ProtocolVersion) -> Vec<usize> {
    let on = |versions: VersionSet| versions.contains(version);
    let mut listings = subjects
        .listings
        .iter()
        .filter(|listing| on(listing.versions));
    listings
        .next()
        .map_or_else(Vec::new, |listing| listing.tools.clone())
}

#[test]
fn a_tool_has_its_own_scope_or_the_root_s() {
    let document = variants();
    let subjects = Subjects::of(&document, None);
    let (d, e) = ("2025-11-25", "2026-07-28");
    assert_eq!(scopes(&subjects), [vec![d], vec![e], vec![d, e]]);
    assert_eq!(listed(&subjects, V2025_11_25), [0, 2]);
    assert_eq!(listed(&subjects, V2026_07_28), [1, 2]);
}

#[test]
fn a_forced_version_of_the_root_leaves_out_what_is_scoped_to_others() {
    let document = variants();
    let subjects = Subjects::of(&document, Some(V2026_07_28.into()));
    assert_eq!(subjects.versions.names(), ["2026-07-28"]);
    assert_eq!(listed(&subjects, V2026_07_28), [1, 2]);
}

#[test]
fn a_forced_version_that_the_root_lacks_takes_every_tool() {
    let document = variants();
    let subjects = Subjects::of(&document, Some(V2025_06_18.into()));
    assert_eq!(listed(&subjects, V2025_06_18), [0, 1, 2]);
}

#[test]
fn the_version_of_0_7_stands_in_info_and_is_assumed_where_it_is_missing() {
    let with = |info| json!({"mcpdesc": "0.7.0", "info": info, "tools": [{"name": "ping"}]});
    let named = read(&with(json!({"protocolVersion": "2025-11-25"})));
    assert_eq!(Subjects::of(&named, None).versions.names(), ["2025-11-25"]);
    let unnamed = read(&with(json!({})));
    let subjects = Subjects::of(&unnamed, None);
    assert_eq!(subjects.versions, VersionSet::STRUCTURED);
    assert!(subjects.description.unwrap().assumed);
}

#[test]
fn a_schema_stands_where_its_component_is() {
    let document = read(&json!({
        "mcpdesc": "0.8.0",
        "protocolVersions": ["2026-07-28"],
        "components": {"schemas": {"Order": {"type": "object"}}},
        "tools": [{
            "name": "get_order",
            "inputSchema": {"$componentRef": "#/components/schemas/Order"},
            "outputSchema": {"$componentRef": "#/components/schemas/Ordre"}
        }]
    }));
    let subjects = Subjects::of(&document, None);
    let tool = &subjects.tools[0];
    let place =
        |at: &Option<mcp_conform::document::At<'_>>| at.as_ref().map(|at| at.pointer.to_string());
    assert_eq!(
        place(&tool.input).as_deref(),
        Some("/components/schemas/Order")
    );
    // Behind a broken reference something stands in that no rule finds fault with.
    assert_eq!(
        place(&tool.output).as_deref(),
        Some("/tools/0/outputSchema")
    );
    let description = subjects.description.unwrap();
    assert!(description.tools[0].has_input && !description.tools[0].has_output);
    assert_eq!(description.broken.len(), 1);
}
