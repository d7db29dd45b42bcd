//! The catalogue as a table. Generated from `rules/*.yaml`; do not edit.
//! `UPDATE_TABLE=1 cargo test --test catalogue` writes it anew.

use super::catalogue::*;
use crate::diagnostic::Severity::{Error, Warning};

#[path = "text/syntax.rs"]
mod text_syntax;
#[path = "text/duplicate_key.rs"]
mod text_duplicate_key;
#[path = "text/bounds.rs"]
mod text_bounds;

/// Every rule, in the order of the catalogue.
pub static RULES: &[Rule] = &[
    Rule {
        id: "json.syntax",
        title: "The text is JSON, or YAML in the restricted profile",
        owner: Owner::Json,
        surface: Surface::Text,
        path: "",
        nature: Nature::Structural,
        level: [Some(Level::Must), Some(Level::Must), Some(Level::Must), Some(Level::Must), Some(Level::Must)],
        status: Status::Settled,
        enforcement: Enforcement::Internal,
        severity: [Some(Error), Some(Error), Some(Error), Some(Error), Some(Error)],
        gate: None,
        requirement: "A text is UTF-8 without a byte order mark and holds exactly one JSON value, or one YAML document that stands for one.",
        help: "Write the text with a JSON serialiser; in YAML use one document, string keys and no anchors, aliases, tags or merge keys.",
        details: "JSON is small so that every reader builds the same value from the same bytes. Each habit that goes beyond it is read by some\nprograms only: a trailing comma, a comment, `NaN` for a mean over no orders, a byte order mark that an editor put in front, a\nLatin-1 byte in a city's name, a second text after the first. A lenient reader on the server's side hides such a fault until a\nstrict client meets it, and that client loses the whole message, not just the member in question.\n\nAn unpaired surrogate such as `\"\\ud83d\"` satisfies the grammar of JSON and is refused all the same. No Unicode text has it, so a\nreader must drop it, replace it or fail; RFC 7493 forbids it for that reason. It is usually the front half of an emoji that was\ncut by a limit counted in UTF-16 units. Cut between characters. A proper pair, `\"\\ud83d\\ude4f\"`, is fine, as is every other\nescape, `\\u0000` included.\n\nYAML is accepted where it is another spelling of JSON. Aliases turn a tree into a graph and let a few lines expand to gigabytes;\ntags may construct objects; merge keys change meaning with the parser; keys like `1` or `true` are no member names; `.inf` is no\nJSON number; and two documents in a file, or none, leave open which one counts. All of them are reported here. An anchor is\nreported even when nothing refers to it. Quote what only looks special: `\"1\"` is a key and `\"*\"` a string. Words such as `NO`\nand `yes` and unquoted dates are strings, as YAML 1.2 has them.\n\nOnly the file's kind decides which grammar is meant, and any document may come in either. Report NaN and infinite values as null\nor leave the member out; in MCP the two are not the same, so choose the one that the outputSchema allows. Once a text cannot be\nread, nothing else is judged in it.",
        required_by: &[Clause { specification: "RFC 8259", section: "2 JSON Grammar", requirement: "A JSON text is one value, built by the grammar and by nothing beside it." }, Clause { specification: "RFC 8259", section: "8.1 Character Encoding", requirement: "JSON that is exchanged between systems is UTF-8, and its sender adds no byte order mark." }, Clause { specification: "RFC 7493", section: "2.1 Encoding and Characters", requirement: "Names and strings hold no surrogates or noncharacters, whether written out or escaped." }, Clause { specification: "MCP 2025-11-25", section: "Base Protocol / Transports", requirement: "The JSON-RPC messages of every transport are UTF-8." }, Clause { specification: "MCP Description 0.8.0", section: "15.3 YAML Serialization", requirement: "A YAML description is one document with string keys that uses no tags, aliases or merge keys." }],
        based_on: &[Basis { tier: 2, source: "RFC 8259 and RFC 7493" }, Basis { tier: 2, source: "YAML 1.2.2, as restricted by MCP Description 0.8.0" }],
        arbitrations: &[],
        examples: Examples {
            valid: &[Example { file: "expected-valid/json-escapes.json", pointer: "", version: None }, Example { file: "expected-valid/yaml-description.yaml", pointer: "", version: None }],
            invalid: &[Example { file: "expected-invalid/json-trailing-comma.json", pointer: "", version: None }, Example { file: "expected-invalid/json-nan.json", pointer: "", version: None }, Example { file: "expected-invalid/json-unpaired-surrogate.json", pointer: "", version: None }, Example { file: "expected-invalid/yaml-alias.yaml", pointer: "", version: None }, Example { file: "expected-invalid/yaml-number-as-key.yaml", pointer: "", version: None }],
            not_applicable: &[],
        },
        check: Check::Text(text_syntax::check),
    },
    Rule {
        id: "json.duplicate-key",
        title: "An object names each member once",
        owner: Owner::Json,
        surface: Surface::Text,
        path: "/**",
        nature: Nature::Structural,
        level: [Some(Level::Must), Some(Level::Must), Some(Level::Must), Some(Level::Must), Some(Level::Must)],
        status: Status::Arbitrated,
        enforcement: Enforcement::Internal,
        severity: [Some(Error), Some(Error), Some(Error), Some(Error), Some(Error)],
        gate: None,
        requirement: "The member names of one object differ from each other, in a description without exception.",
        help: "Keep one of the members of that name and delete the others.",
        details: "When an object says `\"amount\"` twice, JSON does not say which one counts. Most readers keep the last, some keep the first, some\nkeep both, and some refuse the text. Two programs then work on different values without either of them noticing: a proxy checks\nthe first `order_id`, the server behind it refunds the last. That gap has been used as an attack more than once.\n\nThe severity depends on the document. A description is a file that somebody maintains, so the line to delete is at hand and the\nfault is an error there, on every version. Everything else, a listing, a message, an exchange or a record from a log, is evidence\nof what a server sent; there it is reported as a warning and judging goes on, with the last member in force. The table above\nholds the higher of the two severities.\n\nNames are compared after their escapes are resolved: `\"order_id\"` and `\"\\u006frder_id\"` are the same name. `id` and `ID` are\ntwo names, and the same name may of course occur again in another object, however close. The same holds for keys in YAML, where\nquoting makes no difference to what a key is.\n\nThe cause is nearly always text that was put together by hand or by templates. A program that builds an object in memory and\nserialises it cannot produce two equal names.",
        required_by: &[Clause { specification: "RFC 8259", section: "4 Objects", requirement: "The names within an object should be unique, since what readers do otherwise cannot be predicted." }, Clause { specification: "RFC 7493", section: "2.3 Object Constraints", requirement: "Objects in an I-JSON message have no two members of the same name." }, Clause { specification: "MCP Description 0.8.0", section: "15.3.2 Duplicate Mapping Keys", requirement: "A reader refuses duplicate keys rather than choosing one of them." }],
        based_on: &[Basis { tier: 2, source: "RFC 8259 and RFC 7493" }, Basis { tier: 3, source: "the behaviour of JSON readers, most of which keep the last member" }],
        arbitrations: &[11],
        examples: Examples {
            valid: &[Example { file: "expected-valid/json-same-key-in-different-objects.json", pointer: "/arguments", version: None }],
            invalid: &[Example { file: "expected-invalid/json-duplicate-key-in-description.json", pointer: "/tools/0", version: None }, Example { file: "expected-invalid/yaml-duplicate-key-in-description.yaml", pointer: "/tools/0/inputSchema/properties", version: None }, Example { file: "expected-warning/json-duplicate-key-in-tool.json", pointer: "/tool/inputSchema/properties", version: None }, Example { file: "expected-warning/json-duplicate-key-by-escape.json", pointer: "/arguments", version: None }],
            not_applicable: &[],
        },
        check: Check::Text(text_duplicate_key::check),
    },
    Rule {
        id: "json.bounds",
        title: "The text stays within the limits of size, depth and numbers",
        owner: Owner::Json,
        surface: Surface::Text,
        path: "",
        nature: Nature::Structural,
        level: [Some(Level::Must), Some(Level::Must), Some(Level::Must), Some(Level::Must), Some(Level::Must)],
        status: Status::Settled,
        enforcement: Enforcement::Internal,
        severity: [Some(Error), Some(Error), Some(Error), Some(Error), Some(Error)],
        gate: None,
        requirement: "A text has at most 64 MiB and 127 nested arrays and objects, and each of its numbers has a finite double.",
        help: "Split what is too large or too deep, and write numbers beyond the double range as strings.",
        details: "RFC 8259 lets a reader limit the size of texts, the depth of nesting, and the range of numbers, and every reader has such limits,\nstated or not. The ones nobody states are found out by a stack overflow. These are stated: 64 MiB of text and 127 levels, each\narray and each object being one level and the outermost value the first. Both can be set lower.\n\nNo tool listing or result that people work with comes near them. A text that exceeds them is a program that went wrong, for\ninstance a tree of categories that contains itself, or an attempt to exhaust the reader. Return such data in pages, or flat with\nparent ids.\n\n`1e400` follows the grammar and is read as infinity by most programs, as an error by some, and as 0 or null after one more trip\nthrough a serialiser. A number whose nearest double is infinite is therefore refused. This is no rule about precision:\n9007199254740993 and numbers of thirty digits have finite doubles and pass, although a program that stores doubles will round\nthem, and so does `1e-400`, which most programs read as zero. Money and identifiers that must survive every program belong in\nstrings.",
        required_by: &[Clause { specification: "RFC 8259", section: "9 Parsers", requirement: "A parser may limit the size of texts, the depth of nesting and the range of numbers." }, Clause { specification: "RFC 7493", section: "2.2 Numbers", requirement: "A sender does not rely on magnitude or precision beyond an IEEE 754 double." }, Clause { specification: "MCP Description 0.8.0", section: "15.8 Producer and Consumer Guidance", requirement: "Implementations limit the size and nesting of documents they do not trust." }],
        based_on: &[Basis { tier: 2, source: "RFC 8259 and RFC 7493" }, Basis { tier: 3, source: "the depth at which widely used JSON readers stop" }],
        arbitrations: &[],
        examples: Examples {
            valid: &[Example { file: "expected-valid/json-nesting-depth-127.json", pointer: "", version: None }, Example { file: "expected-valid/json-numbers-with-a-finite-double.json", pointer: "", version: None }],
            invalid: &[Example { file: "expected-invalid/json-nesting-depth-130.json", pointer: "", version: None }, Example { file: "expected-invalid/json-number-without-finite-double.json", pointer: "", version: None }],
            not_applicable: &[],
        },
        check: Check::Text(text_bounds::check),
    },
];
