//! Public reports of tools that a vendor's subset broke: each is projected faithfully, or what it
//! loses is named where it stands.

use mcp_conform::project::proof::prove;
use mcp_conform::project::{Effect, Item, ItemKind, Loss, Target};
use serde_json::Value;

use crate::support::shared;
use crate::target;

/// For a report: the target that it is about, and the place of the keyword that has to be named;
/// empty where nothing may be lost.
const EXPECTED: [(&str, &str, &str); 22] = [
    ("R041", "openai-strict", "/inputSchema/required"),
    ("R041", "gemini", "/inputSchema/properties/owners/anyOf"),
    ("R152", "anthropic", "/inputSchema/oneOf"),
    ("R153", "anthropic", "/inputSchema/anyOf"),
    ("R155", "anthropic", "/inputSchema/properties/Start<"),
    (
        "R157",
        "anthropic",
        "/inputSchema/properties/settings__approved__or__denied__countries__or__regions__approved__list",
    ),
    ("R158", "anthropic", "/inputSchema/properties/instance id"),
    ("R163", "openai-strict", "/inputSchema/properties/p/$ref"),
    (
        "R164",
        "openai-strict",
        "/inputSchema/properties/x/additionalProperties",
    ),
    ("R165", "openai-strict", "/inputSchema/required"),
    ("R169", "openai-function", ""),
    ("R171", "gemini", "/inputSchema/additionalProperties"),
    ("R173", "gemini", "/inputSchema/properties/t/anyOf/0/$ref"),
    ("R174", "gemini", "/inputSchema/properties/phases/enum"),
    ("R176", "gemini", ""),
    ("R177", "gemini", "/inputSchema/properties/data/required"),
    ("R178", "gemini", "/inputSchema/properties/l/items/type"),
    ("R194", "mcp@2025-11-25", ""),
    ("R195", "mcp@2025-11-25", ""),
    ("R195", "openai-strict", "/inputSchema/oneOf"),
    ("R196", "gemini", "/inputSchema/properties/p/$ref"),
    ("R197", "openai-function", ""),
];

fn is_vendors(kind: &str) -> bool {
    kind.starts_with("provider-")
        || matches!(
            kind,
            "property-names" | "enum" | "required-unknown" | "schema-mangled"
        )
}

fn reports() -> Option<Vec<Value>> {
    let path = shared("cases")?.join("reports.jsonl");
    let text = std::fs::read_to_string(path).expect("the reports can be read");
    let reports = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    Some(
        reports
            .filter(|report: &Value| is_vendors(report["kind"].as_str().unwrap_or_default()))
            .collect(),
    )
}

#[test]
fn each_report_is_projected_faithfully_or_named() {
    let Some(reports) = reports() else {
        return;
    };
    for report in &reports {
        let id = report["id"].as_str().expect("an id");
        let tool = &report["minimal"]["tool"];
        let expected: Vec<_> = EXPECTED.iter().filter(|(it, ..)| *it == id).collect();
        assert!(
            !expected.is_empty(),
            "{id}: nothing is expected of {report:#}"
        );
        let item = Item::new(ItemKind::Tool, "demo", tool);
        for (_, to, place) in expected {
            let projection = item
                .project(target(to))
                .unwrap_or_else(|why| panic!("{id}: {why}"));
            let losses = &projection.losses;
            if place.is_empty() {
                let lost = |loss: &Loss| loss.effect != Effect::None;
                assert!(!losses.iter().any(lost), "{id} for {to}: {losses:#?}");
            } else {
                assert!(
                    losses.iter().any(|loss| loss.pointer == *place),
                    "{id} for {to}: {losses:#?}"
                );
            }
        }
        for target in Target::all() {
            let Ok(projection) = item.project(target) else {
                continue;
            };
            for part in &projection.parts {
                let shown = projection
                    .value
                    .pointer(part.place.as_str())
                    .expect("it is there");
                let proof = prove(&item, target, part, shown, (32, 11));
                assert!(
                    proof.holds(),
                    "{id} for {}: {shown}\n{proof:#?}",
                    target.name
                );
            }
        }
    }
}
