//! Our judgement of shapes against the wire schemas that the protocol publishes, over their own
//! examples, over seeds of ours, and over systematic damage of both.

#[path = "spec/damage.rs"]
mod damage;
#[path = "spec/differences.rs"]
mod differences;
#[path = "spec/judge.rs"]
mod judge;
mod support;
#[path = "spec/wire.rs"]
mod wire;

use std::path::Path;

use damage::{Change, Damaged};
use differences::{DIFFERENCES, Side};
use judge::{Form, forms, judge};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rayon::prelude::*;
use serde_json::Value;
use wire::{Shape, Wire};

const VERSIONS: [ProtocolVersion; 3] = [V2025_06_18, V2025_11_25, V2026_07_28];

/// A value that its version accepts.
struct Seed {
    name: String,
    shape: Shape,
    version: ProtocolVersion,
    value: Value,
}

/// The seeds of `tests/spec/*.json`, each on the versions that it names, else on all three.
fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (file, shape) in [
        ("tool", Shape::Tool),
        ("content", Shape::Block),
        ("result", Shape::Result),
        ("input_required", Shape::InputRequired),
        ("listing", Shape::Listing),
        ("request", Shape::Request),
        ("response", Shape::Response),
    ] {
        let path = support::root().join(format!("tests/spec/{file}.json"));
        let text = std::fs::read_to_string(path).unwrap();
        let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
        for (index, entry) in entries.iter().enumerate() {
            for version in VERSIONS {
                let scope = entry.get("versions").and_then(Value::as_array);
                let named = scope.is_none_or(|dates| dates.iter().any(|date| date == version.as_str()));
                if !named { continue; }
                let value = match shape {
                    Shape::Request => serde_json::json!({"jsonrpc": "2.0", "id": index, "method": "tools/call", "params": entry["value"]}),
                    _ => entry["value"].clone(),
                };
                seeds.push(Seed { name: format!("{file}[{index}]"), shape, version, value });
            }
        }
    }
    seeds
}

#[test]
fn explore() {
    let Some(spec) = support::shared("spec") else { return };
    let wires: Vec<_> = VERSIONS.iter().map(|v| Wire::read(&spec, *v)).collect();
    let seeds = seeds();
    let lines: Vec<String> = seeds.par_iter().flat_map_iter(|seed| {
        let wire = &wires[VERSIONS.iter().position(|v| *v == seed.version).unwrap()];
        let mut out = Vec::new();
        if !wire.has(seed.shape) { return out; }
        let validator = wire.validator(seed.shape);
        for damaged in damage::every(&seed.value) {
            let published = validator.is_valid(&damaged.value);
            for form in forms(seed.shape, seed.version) {
                if damaged.pointer.is_empty() && *form == Form::Message && damaged.change == Change::Removed { continue; }
                let ours = judge(seed.shape, *form, seed.version, &damaged.value);
                let related = ours.places.iter().any(|p| p.starts_with(&damaged.pointer) || damaged.pointer.starts_with(p.as_str()));
                let what = match (published, ours.errors.is_empty()) {
                    (true, true) => continue,
                    (false, false) if related => continue,
                    (false, false) => "PLACE",
                    (true, false) => "STRICTER",
                    (false, true) => if ours.warnings.is_empty() {"LENIENT"} else {"WARNS"},
                };
                out.push(format!("{what} {:?} {} {form:?} {} {:?} | {} e={:?} w={:?} at={:?}", seed.shape, seed.version, damaged.pointer, damaged.change, seed.name, ours.errors, ours.warnings, ours.places));
            }
        }
        out
    }).collect();
    std::fs::write("/tmp/differences.txt", lines.join("\n")).unwrap();
    eprintln!("{} differences", lines.len());
}
