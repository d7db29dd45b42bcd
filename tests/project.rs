//! `project`: schemas as other targets have them, what that loses, and the proof.

#[path = "project/bounds.rs"]
mod bounds;
#[path = "project/corpus.rs"]
mod corpus;
#[path = "project/drift.rs"]
mod drift;
#[path = "support/program.rs"]
mod program;
#[path = "project/proof.rs"]
mod proof;
#[path = "project/reports.rs"]
mod reports;
#[path = "project/rewriting.rs"]
mod rewriting;
#[path = "project/seeds.rs"]
mod seeds;
mod support;
#[path = "project/usage.rs"]
mod usage;

use mcp_conform::project::proof::{Proof, prove};
use mcp_conform::project::{Effect, Item, ItemKind, Loss, Projection, Refusal, Target};
use serde_json::{Value, json};

/// A tool of this input.
fn tool(input: &Value) -> Value {
    json!({"name": "update_order", "description": "Changes an order.", "inputSchema": input})
}

fn target(name: &str) -> &'static Target {
    Target::find(name).unwrap_or_else(|| panic!("no target {name}"))
}

/// The projection of a tool of this input.
fn projected(input: &Value, to: &str) -> Result<Projection, Refusal> {
    let tool = tool(input);
    Item::new(ItemKind::Tool, "update_order", &tool).project(target(to))
}

/// The input schema of a projection.
fn schema(projection: &Projection) -> &Value {
    let place = projection.parts[0].place.as_str();
    projection
        .value
        .pointer(place)
        .expect("the schema is where it is said to be")
}

/// The proof of a tool's projection, or of `changed` in its place.
fn proved(input: &Value, to: &str, changed: Option<&Value>) -> Proof {
    let tool = tool(input);
    let item = Item::new(ItemKind::Tool, "update_order", &tool);
    let projection = item.project(target(to)).expect("it can be projected");
    let shown = changed.unwrap_or_else(|| schema(&projection));
    prove(&item, target(to), &projection.parts[0], shown, (64, 7))
}

/// The losses at a place, from the root of the tool.
fn at<'l>(losses: &'l [Loss], pointer: &str) -> Vec<&'l Loss> {
    losses
        .iter()
        .filter(|loss| loss.pointer == pointer)
        .collect()
}

/// Whether the losses say that the projection accepts more there.
fn widens(losses: &[Loss], pointer: &str) -> bool {
    let wider = |loss: &&Loss| matches!(loss.effect, Effect::Wider | Effect::Both);
    at(losses, pointer).iter().any(wider)
}
