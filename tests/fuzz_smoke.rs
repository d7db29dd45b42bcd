//! The fuzz targets for a moment, on stable and always the same: fixtures and cases with bytes
//! changed, cut and crossed. The long run is described in docs/fuzzing.md.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use mcp_conform::corpus::{Corpus, fixtures};
use mcp_conform::generate::Rng;
use std::fs;
use std::path::Path;

/// Inputs for each target; `MCP_CONFORM_FUZZ` sets another number.
fn inputs() -> u64 {
    let asked = std::env::var("MCP_CONFORM_FUZZ")
        .ok()
        .and_then(|text| text.parse().ok());
    asked.unwrap_or(1_500)
}

/// What damage is made of: the bytes that the grammars care about.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "\\ud800",
    "null",
    "true",
    "-",
    "0",
    "1e400",
    "1.0",
    "9007199254740993",
    "&a ",
    "*a",
    "!!str ",
    "---\n",
    "\n",
    "\t",
    "\u{FEFF}",
    "é",
    "😀",
    "$ref",
    "#/",
    "\"type\":",
    "\"tools\":",
    "NaN",
    "<<: ",
    "\u{0}",
];

/// A seed with a few changes.
fn damaged(seed: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..rng.below(6) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(6) {
            0 => bytes.truncate(at),
            1 => {
                let end = (at + rng.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => {
                let token = TOKENS[rng.below(TOKENS.len())].bytes();
                bytes.splice(at..at, token);
            }
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
            4 => {
                let end = (at + rng.below(80)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => {
                let from = rng.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
    }
    bytes
}

/// What a coverage-guided run starts from: each seed as a file, in a folder of the target's name.
fn write_seeds(folder: &Path, seeds: &[Vec<u8>]) {
    fs::create_dir_all(folder).expect("a folder for the seeds");
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:05}")), seed).expect("a seed");
    }
}

fn run(name: &str, seeds: &[Vec<u8>], target: fn(&[u8])) {
    if let Some(folder) = std::env::var_os("MCP_CONFORM_SEEDS") {
        return write_seeds(&Path::new(&folder).join(name), seeds);
    }
    for number in 0..inputs() {
        let mut rng = Rng::of(1, name, number);
        let seed = &seeds[rng.below(seeds.len())];
        let other = &seeds[rng.below(seeds.len())];
        let bytes = damaged(seed, other, &mut rng);
        let outcome = std::panic::catch_unwind(|| target(&bytes));
        assert!(
            outcome.is_ok(),
            "{name} {number}: {}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

fn documents() -> Vec<Vec<u8>> {
    fixtures()
        .map(|fixture| fixture.bytes.to_vec())
        .filter(|bytes| bytes.len() < 20_000)
        .collect()
}

/// The tools and payloads of the corpus, a line each.
fn cases() -> Vec<Vec<u8>> {
    let corpus = Corpus::embedded().expect("the corpus");
    let cases = corpus
        .cases()
        .filter(|case| !case.id.starts_with("hostile/"));
    let texts = cases.map(|case| {
        let fields = case
            .input
            .fields()
            .into_iter()
            .map(|(_, text)| text.to_string());
        fields.collect::<Vec<_>>().join("\n").into_bytes()
    });
    texts
        .filter(|text| !text.is_empty() && text.len() < 20_000)
        .collect()
}

#[test]
fn sources() {
    run("source", &documents(), bodies::source);
}

#[test]
fn documents_and_rules() {
    run("document", &documents(), bodies::document);
}

#[test]
fn gates() {
    run("gate", &cases(), bodies::gate);
}

#[test]
fn answers() {
    let seeds = [
        r#"{"seq":7,"verdict":"reject","reason":"structured-mismatch","at":"/0/status","keyword":"enum"}"#,
        r#"{"seq":7,"verdict":"accept","delivered":"{\"region\":\"north\",\"count\":3}"}"#,
        r#"{"seq":7,"verdict":"accept","usable":["get_report","list_orders"],"branch":"legacy_wrapper"}"#,
        r#"{"seq":7,"skip":"not yet","issue":"https://example.com/issues/4"}"#,
        r#"{"seq":7,"error":"the worker is gone"}"#,
        r#"{"protocol":1,"implementation":{"name":"desk","version":"1.0.0","language":"python"},"gates":["result","arguments"],"versions":["2025-11-25","2026-07-28"],"dialects":["https://json-schema.org/draft/2020-12/schema"]}"#,
    ];
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    run("answer", &seeds, bodies::answer);
}

#[test]
fn sessions() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let line = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":"a1","method":"{method}","params":{{{meta},{params}}}}}"#)
    };
    let lines = [
        line(
            "initialize",
            r#""protocolVersion":"2025-11-25","capabilities":{}"#,
        ),
        line("tools/list", r#""cursor":"page-1""#),
        line(
            "tools/call",
            r#""name":"place_order","arguments":{"count":1.0}"#,
        ),
        line(
            "subscriptions/listen",
            r#""notifications":{"toolsListChanged":true}"#,
        ),
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a1"}}"#
            .to_owned(),
        r#"{"jsonrpc":"2.0","id":-1,"error":{"code":-32601,"message":"no"}}"#.to_owned(),
    ];
    let mut seeds: Vec<Vec<u8>> = lines.iter().map(|line| line.clone().into_bytes()).collect();
    seeds.push(lines.join("\n").into_bytes());
    run("session", &seeds, bodies::session);
}
