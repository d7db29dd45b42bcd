//! What projecting costs, without and with its proof.
//!
//! The listing is the audit workload's (600 tools, output schemas of some ten members) where
//! `../shared/perf` or `MCP_CONFORM_SHARED` leads to its generator; elsewhere the catalogue's tools,
//! over and over. Output schemas stand in for inputs, which the generator leaves empty.

mod support;

use std::sync::OnceLock;

use divan::Bencher;
use mcp_conform::project::proof::prove;
use mcp_conform::project::{Item, ItemKind, Target};
use rayon::prelude::*;
use serde_json::{Value, json};

fn main() {
    divan::main();
}

/// The tools, each with its schema as its input, too.
fn tools() -> &'static [Value] {
    static TOOLS: OnceLock<Vec<Value>> = OnceLock::new();
    TOOLS.get_or_init(|| generated().unwrap_or_else(from_catalogue))
}

fn generated() -> Option<Vec<Value>> {
    let listing: Value = serde_json::from_str(&support::listing_of_600()?).ok()?;
    let tools = listing["tools"].as_array()?.iter().map(|tool| {
        let mut tool = tool.clone();
        tool["inputSchema"] = tool["outputSchema"].clone();
        tool
    });
    Some(tools.collect())
}

fn from_catalogue() -> Vec<Value> {
    let tool = |name: &str| -> Value {
        let root = env!("CARGO_MANIFEST_DIR");
        let path = format!("{root}/examples/catalogue/schemas/tools/{name}.json");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or(json!({}))
    };
    let tools = ["create_refund", "find_ticket", "search_tickets"].map(tool);
    tools.iter().cycle().take(600).cloned().collect()
}

/// Every tool to every target, with the loss reports.
#[divan::bench]
fn every_target(bencher: Bencher<'_, '_>) {
    let tools = tools();
    bencher.bench_local(|| {
        let losses = tools.par_iter().map(|tool| {
            let item = Item::new(
                ItemKind::Tool,
                tool["name"].as_str().unwrap_or("tool"),
                tool,
            );
            let each = Target::all()
                .iter()
                .filter_map(|target| item.project(target).ok());
            each.map(|projection| projection.losses.len())
                .sum::<usize>()
        });
        losses.sum::<usize>()
    });
}

/// Every tool to strict mode, proved with a dozen values a side.
#[divan::bench(sample_count = 3)]
fn strict_mode_proved(bencher: Bencher<'_, '_>) {
    let tools = tools();
    let Some(target) = Target::find("openai-strict") else {
        return;
    };
    bencher.bench_local(|| {
        let proofs = tools.par_iter().map(|tool| {
            let item = Item::new(ItemKind::Tool, "tool", tool);
            let Ok(projection) = item.project(target) else {
                return 0;
            };
            let parts = projection.parts.iter().filter_map(|part| {
                let schema = projection.value.pointer(part.place.as_str())?;
                Some(prove(&item, target, part, schema, (12, 1)).agreed)
            });
            parts.sum::<usize>()
        });
        proofs.sum::<usize>()
    });
}
