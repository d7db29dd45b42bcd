//! What never changes a verdict, over generated listings and descriptions and over the fixtures.

use std::collections::BTreeSet;

use mcp_conform::diagnostic::Diagnostic;
use mcp_conform::document::{Document, Unread};
use mcp_conform::generate::{Rng, definition};
use mcp_conform::protocol::{ProtocolVersion, VersionSet};
use mcp_conform::rules::{Checked, Settings, check, check_fault};
use mcp_conform::source::{Format, Source};
use serde_json::{Map, Value, json};

use crate::cases;

/// A listing of generated tools, every other one with a fault.
pub fn listing(rng: &mut Rng) -> Value {
    let tools = (0..=rng.below(2)).map(|_| {
        let mut tool = definition::tool(rng);
        if rng.chance(50) {
            definition::damage(&mut tool, rng);
        }
        tool
    });
    json!({"tools": tools.collect::<Vec<_>>()})
}

/// The same tools as a description, scoped as a whole.
fn description(listing: &Value) -> Value {
    json!({
        "mcpdesc": "0.8.0",
        "info": {"name": "desk", "version": "1.0.0"},
        "protocolVersions": VersionSet::STRUCTURED.names(),
        "tools": listing["tools"]
    })
}

pub fn judged(value: &Value, settings: &Settings) -> Checked {
    let source = Source::new("generated", value.to_string(), Format::Json);
    match Document::read(source, None, &settings.limits) {
        Ok(document) => check(&document, settings),
        Err(Unread::Fault(source, fault)) => check_fault(&source, &fault, settings),
        Err(Unread::Unrecognised(_, why)) => panic!("{value}: {why}"),
    }
}

/// A diagnostic without its place in the text.
type Said = (
    &'static str,
    &'static str,
    Vec<&'static str>,
    String,
    Option<String>,
    String,
);

fn said(diagnostic: &Diagnostic) -> Said {
    (
        diagnostic.rule,
        diagnostic.severity.as_str(),
        diagnostic.versions.names(),
        diagnostic.pointer.to_string(),
        diagnostic.keyword.clone(),
        diagnostic.message.clone(),
    )
}

fn all(checked: &Checked) -> BTreeSet<Said> {
    checked.diagnostics.iter().map(said).collect()
}

/// What is said of one version, without the rules about scopes themselves.
fn on(checked: &Checked, version: ProtocolVersion) -> BTreeSet<Said> {
    let diagnostics = checked
        .diagnostics
        .iter()
        .filter(|found| found.versions.contains(version));
    let diagnostics = diagnostics.filter(|found| !found.rule.starts_with("mcpdesc.scope."));
    let alone = diagnostics.map(|found| {
        (
            found.rule,
            found.severity.as_str(),
            vec![],
            found.pointer.to_string(),
            found.keyword.clone(),
            found.message.clone(),
        )
    });
    alone.collect()
}

/// Runs `property` on generated listings, and names the one that it fails on.
fn for_listings(name: &str, property: impl Fn(&Value, &mut Rng)) {
    for number in 0..cases(150) as u64 {
        let mut rng = Rng::of(8, name, number);
        property(&listing(&mut rng), &mut rng);
    }
}

#[test]
fn scoping_to_one_version_changes_nothing_on_it() {
    for_listings("scope", |listing, _| {
        let whole = description(listing);
        let judged_whole = judged(&whole, &Settings::default());
        for version in VersionSet::STRUCTURED.iter() {
            let mut scoped = whole.clone();
            scoped["protocolVersions"] = json!([version.as_str()]);
            let judged_scoped = judged(&scoped, &Settings::default());
            assert_eq!(
                on(&judged_whole, version),
                on(&judged_scoped, version),
                "{version} {whole}"
            );
        }
    });
}

#[test]
fn judging_as_one_version_changes_nothing_on_it() {
    for_listings("protocol", |listing, _| {
        let free = judged(listing, &Settings::default());
        for version in VersionSet::STRUCTURED.iter() {
            let forced = Settings {
                protocol: Some(version.into()),
                ..Settings::default()
            };
            let forced = judged(listing, &forced);
            assert_eq!(
                on(&free, version),
                on(&forced, version),
                "{version} {listing}"
            );
            assert_eq!(
                free.verdict_on(version),
                forced.verdict(),
                "{version} {listing}"
            );
        }
    });
}

/// Adds `x-` members to objects that a schema or a tool is.
fn annotate(value: &mut Value, rng: &mut Rng) {
    let Value::Object(members) = value else {
        return;
    };
    for keyword in [
        "items",
        "not",
        "if",
        "then",
        "additionalProperties",
        "contains",
    ] {
        if let Some(child) = members.get_mut(keyword) {
            annotate(child, rng);
        }
    }
    if let Some(properties) = members.get_mut("properties").and_then(Value::as_object_mut) {
        properties
            .values_mut()
            .for_each(|child| annotate(child, rng));
    }
    if rng.chance(60) {
        members.insert("x-note".to_owned(), json!({"type": "strin", "tem": [1]}));
    }
}

#[test]
fn an_x_member_changes_no_verdict() {
    for_listings("x-", |listing, rng| {
        for document in [listing.clone(), description(listing)] {
            let plain = judged(&document, &Settings::default());
            let mut annotated = document.clone();
            for tool in annotated["tools"].as_array_mut().into_iter().flatten() {
                for side in ["inputSchema", "outputSchema"] {
                    tool.get_mut(side)
                        .into_iter()
                        .for_each(|schema| annotate(schema, rng));
                }
                tool["x-owner"] = json!(null);
            }
            annotated["x-origin"] = json!("generated");
            let found = judged(&annotated, &Settings::default());
            assert_eq!(all(&plain), all(&found), "{annotated}");
        }
    });
}

#[test]
fn renaming_a_tool_changes_nothing_about_its_schemas() {
    for_listings("rename", |listing, _| {
        let mut renamed = listing.clone();
        for (index, tool) in renamed["tools"]
            .as_array_mut()
            .into_iter()
            .flatten()
            .enumerate()
        {
            tool["name"] = json!(format!("renamed_{index}"));
        }
        let about_schemas = |checked: &Checked| {
            let said = all(checked).into_iter();
            said.filter(|said| said.0.contains("schema"))
                .collect::<BTreeSet<_>>()
        };
        let (before, after) = (
            judged(listing, &Settings::default()),
            judged(&renamed, &Settings::default()),
        );
        assert_eq!(about_schemas(&before), about_schemas(&after), "{listing}");
    });
}

fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().rev();
            Value::Object(
                members
                    .map(|(name, member)| (name.clone(), reversed(member)))
                    .collect::<Map<_, _>>(),
            )
        }
        Value::Array(items) => items.iter().map(reversed).collect(),
        scalar => scalar.clone(),
    }
}

#[test]
fn the_order_of_members_never_matters() {
    for_listings("order", |listing, _| {
        for document in [listing.clone(), description(listing)] {
            let (one, other) = (
                judged(&document, &Settings::default()),
                judged(&reversed(&document), &Settings::default()),
            );
            assert_eq!(all(&one), all(&other), "{document}");
        }
    });
}

#[test]
fn judging_twice_gives_the_same_text() {
    for_listings("twice", |listing, _| {
        let text = |checked: &Checked| format!("{:?}", checked.diagnostics);
        let once = judged(listing, &Settings::default());
        assert_eq!(text(&once), text(&judged(listing, &Settings::default())));
    });
}

#[test]
fn the_fixtures_have_these_properties_too() {
    for fixture in mcp_conform::corpus::fixtures() {
        // A value is needed to be turned round; damaged texts have none, and duplicates lose one.
        let Ok(value) = serde_json::from_slice::<Value>(fixture.bytes) else {
            continue;
        };
        let is_lossy = fixture.path.contains("duplicate") || value.as_object().is_none();
        if is_lossy || value.get("jsonrpc").is_some() {
            continue;
        }
        let free = judged(&value, &Settings::default());
        assert_eq!(
            all(&free),
            all(&judged(&value, &Settings::default())),
            "{}",
            fixture.path
        );
        let places = |checked: &Checked| {
            let found = checked.diagnostics.iter();
            found
                .map(|found| (found.rule, found.versions.names()))
                .collect::<BTreeSet<_>>()
        };
        let turned = judged(&reversed(&value), &Settings::default());
        assert_eq!(places(&free), places(&turned), "{}", fixture.path);
        for version in free.versions.iter() {
            let forced = Settings {
                protocol: Some(version.into()),
                ..Settings::default()
            };
            let forced = judged(&value, &forced);
            if value.get("mcpdesc").is_none() {
                assert_eq!(
                    on(&free, version),
                    on(&forced, version),
                    "{version} {}",
                    fixture.path
                );
            }
        }
    }
}
