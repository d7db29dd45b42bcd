//! The audit of a log of recorded calls: each line parsed and judged by its tool's `outputSchema`
//! at about the price of parsing it into a `serde_json::Value`, in memory that does not grow with
//! the log, and counted by branch, verdict, rule, tool and server.
//!
//! Four ideas make it fast, from the cheapest to the dearest in code:
//!
//! 1. **One tape per line** (`tape`, `parse`). A line becomes a flat list of 16-byte slots in
//!    a buffer that the next line uses again: no allocation per value, none per line.
//! 2. **The engine reads the tape** (`value`). The `jsonschema` crate validates any
//!    representation that implements its `Json` trait, so nothing is copied into another tree.
//! 3. **Lines of one tool together** ([`stream`]). A validator is a large structure; two thousand
//!    lines of other tools push it out of the cache. A window of some MiB is judged tool by tool
//!    and delivered in its own order.
//! 4. **Nothing is guessed** (`judge`). A step budget ends an evaluation that explodes, and
//!    numbers and patterns that the engine cannot decide are not judged.
//!
//! What a record says and what is due is the guard's to tell ([`crate::gate::branch`]), which is
//! the same for a value in memory.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use mcp_conform::audit::{Audit, Options, Tools};
//! use mcp_conform::document::Document;
//! use mcp_conform::source::{Format, Limits, Source};
//!
//! let listing = r#"{"tools": [{"name": "sum_invoice", "inputSchema": {"type": "object"},
//!     "outputSchema": {"type": "object", "properties": {"total": {"type": "integer"}}}}]}"#;
//! let listing = Source::new("listing", listing, Format::Json);
//! let tools = Tools::of(&Document::read(listing, None, &Limits::default()).unwrap());
//!
//! let log = br#"{"tool":"sum_invoice","result":{"content":[],"structuredContent":{"total":12}}}
//! {"tool":"sum_invoice","result":{"content":[],"structuredContent":{"total":"12"}}}"#;
//! let interrupt = AtomicBool::new(false);
//! let mut audit = Audit::new(&tools, Options::default(), &interrupt);
//! audit.log("calls.jsonl", &log[..], |_| Ok(()))?;
//! let report = audit.report();
//! assert_eq!((report.fits, report.does_not_fit), (1, 1));
//! assert_eq!(report.rules["mcp.result.structured-content.schema"], 1);
//! # Ok::<(), std::io::Error>(())
//! ```

mod container;
mod example;
mod fault;
mod judge;
mod line;
mod number;
mod parse;
mod record;
mod report;
mod rule;
mod run;
mod scan;
pub mod stream;
mod tally;
mod tape;
mod tools;
mod transcript;
mod value;

pub use container::{Elements, Members};
pub use example::{Example, Place};
pub use fault::{Fault, Reason};
pub use judge::{Doubt, Judge, Judgement};
pub use number::Number;
pub use parse::Parser;
pub use record::Verdict;
pub use report::{Branches, Counts, Entry, Report};
pub use rule::{Rule, RuleSet};
pub use run::{Audit, Options, Record};
pub use tally::Tally;
pub use tape::Doc;
pub use tools::Tools;
pub use value::{Arena, Key, Node};
