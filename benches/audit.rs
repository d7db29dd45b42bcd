//! What the audit costs beside parsing the same lines: `cargo bench --bench audit`.
//!
//! With arguments it is a peer of `benches/peers.sh` instead, which measures processor time over
//! a whole log: `cargo bench --bench audit -- parse LOG [REPEAT]` parses each line into a
//! `serde_json::Value` and nothing else, as `value-valid LOG LISTING` parses and judges it so.

use std::collections::HashMap;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::sync::atomic::AtomicBool;

use mcp_conform::audit::{Audit, Options, Parser, Tools};
use mcp_conform::document::Document;
use mcp_conform::source::{Format, Limits, Source};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["parse", log, repeat @ ..] => {
            let times = repeat
                .first()
                .map_or(1, |times| times.parse().expect("a number"));
            measure("parse", || (0..times).map(|_| parse(log)).sum());
        }
        ["value-valid", log, listing] => value_valid(log, listing),
        _ => divan::main(),
    }
}

/// Prints records, and processor time for each in microseconds.
fn measure(what: &str, run: impl FnOnce() -> u64) {
    let cpu = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        f64::from(u32::try_from(time.tv_sec).unwrap_or(0)) * 1e6
            + f64::from(u32::try_from(time.tv_nsec).unwrap_or(0)) / 1e3
    };
    let start = cpu();
    let records = run();
    let each = (cpu() - start) / f64::from(u32::try_from(records).expect("a log of some size"));
    println!("{what} records={records} cpu_us={each:.3}");
}

fn each_line(log: &str, mut each: impl FnMut(&[u8])) -> u64 {
    let mut input = BufReader::with_capacity(1 << 20, File::open(log).expect("a log"));
    let (mut line, mut lines) = (Vec::new(), 0);
    while input.read_until(b'\n', &mut line).expect("a log") > 0 {
        each(&line);
        line.clear();
        lines += 1;
    }
    lines
}

fn parse(log: &str) -> u64 {
    each_line(log, |line| {
        black_box(serde_json::from_slice::<Value>(line).ok());
    })
}

/// The engine on plain values, record after record: the obvious way.
fn value_valid(log: &str, listing: &str) {
    let listing = std::fs::read(listing).expect("a listing");
    let listing: Value = serde_json::from_slice(&listing).expect("JSON");
    let tools = listing["tools"].as_array().expect("tools").iter();
    let validators = tools.map(|tool| {
        let options = jsonschema::options()
            .offline()
            .should_validate_formats(false);
        let validator = options.build(&tool["outputSchema"]).expect("a schema");
        (tool["name"].as_str().expect("a name"), validator)
    });
    let validators: HashMap<_, _> = validators.collect();
    let mut invalid = 0;
    measure("value-valid", || {
        each_line(log, |line| {
            let record: Value = serde_json::from_slice(line).expect("JSON");
            let validator = &validators[record["tool"].as_str().expect("a tool")];
            let fits = validator.is_valid(&record["result"]["structuredContent"]);
            invalid += u32::from(!fits);
        })
    });
    println!("invalid={invalid}");
}

/// A small log of invoices, some of which do not fit.
fn sample() -> (Tools, Vec<u8>) {
    let listing = json!({"tools": [{
        "name": "read_invoice",
        "inputSchema": {"type": "object"},
        "outputSchema": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "pattern": "^INV-[0-9]+$"},
                "currency": {"enum": ["EUR", "USD", "JPY"]},
                "lines": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"text": {"type": "string"}, "cents": {"type": "integer"}},
                    "required": ["cents"],
                }},
            },
            "required": ["id", "currency", "lines"],
            "additionalProperties": false,
        },
    }]});
    let line = |number: usize| {
        let currency = if number.is_multiple_of(4) {
            "CHF"
        } else {
            "EUR"
        };
        json!({"tool": "read_invoice", "result": {
            "content": [{"type": "text", "text": "one invoice"}],
            "structuredContent": {
                "id": format!("INV-{number}"),
                "currency": currency,
                "lines": [{"text": "paper", "cents": 1250}, {"text": "ink", "cents": number}],
            },
        }})
    };
    let log = (0..10_000).flat_map(|number| format!("{}\n", line(number)).into_bytes());
    let source = Source::new("listing", listing.to_string(), Format::Json);
    let document = Document::read(source, None, &Limits::default()).expect("a listing");
    (Tools::of(&document), log.collect())
}

#[divan::bench]
fn audit_10_000_records(bencher: divan::Bencher<'_, '_>) {
    let (tools, log) = sample();
    bencher.bench_local(|| {
        let interrupt = AtomicBool::new(false);
        let mut audit = Audit::new(&tools, Options::default(), &interrupt);
        audit
            .log("log", log.as_slice(), |_| Ok(()))
            .expect("a slice can be read");
        audit.report().does_not_fit
    });
}

#[divan::bench]
fn parse_10_000_records_to_values(bencher: divan::Bencher<'_, '_>) {
    let (_, log) = sample();
    bencher.bench_local(|| {
        for line in log.split(|byte| *byte == b'\n') {
            black_box(serde_json::from_slice::<Value>(line).ok());
        }
    });
}

#[divan::bench]
fn parse_10_000_records_to_tapes(bencher: divan::Bencher<'_, '_>) {
    let (_, log) = sample();
    bencher.bench_local(|| {
        let mut parser = Parser::default();
        for line in log.split(|byte| *byte == b'\n') {
            black_box(parser.parse(line).is_ok());
        }
    });
}
