//! The catalogue as it is written, and the table that is generated from it.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mcp_conform::protocol::ProtocolVersion;
use serde::Deserialize;

/// The catalogue's files, in the order in which reports list the rules.
pub const FILES: &[&str] = &[
    "json",
    "tool",
    "message",
    "call",
    "result",
    "mcpdesc",
    "catalogue",
    "model",
    "policy",
];

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entry {
    pub id: String,
    pub title: String,
    pub owner: String,
    pub profile: Option<String>,
    pub surface: String,
    pub path: String,
    pub kind: String,
    pub level: Level,
    pub status: String,
    pub enforcement: String,
    pub severity: BTreeMap<String, String>,
    pub gate: Option<String>,
    pub requirement: String,
    pub help: String,
    pub details: String,
    pub required_by: Vec<Clause>,
    pub based_on: Vec<Basis>,
    #[serde(default)]
    pub arbitrations: Vec<u8>,
    pub examples: Examples,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub enum Level {
    Everywhere(String),
    ByVersion(BTreeMap<String, String>),
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    pub specification: String,
    pub section: String,
    pub requirement: String,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Basis {
    pub tier: u8,
    pub source: String,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Examples {
    #[serde(default)]
    pub valid: Vec<Example>,
    #[serde(default)]
    pub invalid: Vec<Example>,
    #[serde(default)]
    pub not_applicable: Vec<Example>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Example {
    pub file: String,
    pub pointer: String,
    pub version: Option<String>,
}

/// Every entry, with the file that it is from.
pub fn read() -> Vec<(&'static str, Entry)> {
    let folder = crate::support::root().join("rules");
    let mut entries = Vec::new();
    for file in FILES {
        let path = folder.join(format!("{file}.yaml"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let rules: Vec<Entry> = serde_saphyr::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        entries.extend(rules.into_iter().map(|rule| (*file, rule)));
    }
    entries
}

/// The folder and the name of the file that looks for a rule.
pub fn module(id: &str) -> (&'static str, String) {
    let (folder, rest) = [
        ("json.", "text"),
        ("mcp.message.", "message"),
        ("mcp.list.", "listing"),
        ("mcp.tool.", "tool"),
        ("mcp.call.", "call"),
        ("mcp.result.", "result"),
        ("mcpdesc.", "description"),
        ("catalogue.", "catalogue"),
        ("contract.", "contract"),
        ("model.", "model"),
        ("policy.", "policy"),
    ]
    .into_iter()
    .find_map(|(prefix, folder)| Some((folder, id.strip_prefix(prefix)?)))
    .unwrap_or_else(|| panic!("{id}: an id starts with the name of an owner and a surface"));
    (folder, rest.replace(['.', '-'], "_"))
}

/// The text of `src/rules/table.rs`.
pub fn table(entries: &[(&'static str, Entry)]) -> String {
    let mut out = String::from(
        "//! The catalogue as a table. Generated from `rules/*.yaml`; do not edit.\n\
         //! `UPDATE_TABLE=1 cargo test --test catalogue` writes it anew.\n\n\
         use super::catalogue::*;\nuse crate::diagnostic::Severity::{Error, Warning};\n\n",
    );
    for (_, rule) in entries {
        let (folder, name) = module(&rule.id);
        writeln!(
            out,
            "#[path = \"{folder}/{name}.rs\"]\nmod {folder}_{name};"
        )
        .unwrap();
    }
    out.push_str(
        "\n/// Every rule, in the order of the catalogue.\npub static RULES: &[Rule] = &[\n",
    );
    for (_, rule) in entries {
        row(&mut out, rule);
    }
    out.push_str("];\n");
    out
}

fn row(out: &mut String, rule: &Entry) {
    let (folder, name) = module(&rule.id);
    let by_version = |value: &dyn Fn(&str) -> Option<String>| {
        let cells = ProtocolVersion::ALL.map(|version| {
            value(version.as_str()).map_or("None".to_owned(), |word| format!("Some({word})"))
        });
        format!("[{}]", cells.join(", "))
    };
    let severity = by_version(&|version| Some(camel(rule.severity.get(version)?)));
    let level = by_version(&|version| {
        rule.severity.get(version)?;
        let word = match &rule.level {
            Level::Everywhere(word) => word,
            Level::ByVersion(words) => words
                .get(version)
                .unwrap_or_else(|| panic!("{}: no level on {version}", rule.id)),
        };
        Some(format!("Level::{}", camel(word)))
    });
    let gate = match &rule.gate {
        Some(word) => format!("Some(GateEffect::{})", camel(word)),
        None => "None".to_owned(),
    };
    let profile = match &rule.profile {
        Some(word) => format!("Some(Profile::{})", camel(word)),
        None => "None".to_owned(),
    };
    let clauses = list(&rule.required_by, |clause| {
        format!(
            "Clause {{ specification: {:?}, section: {:?}, requirement: {:?} }}",
            clause.specification, clause.section, clause.requirement
        )
    });
    let basis = list(&rule.based_on, |basis| {
        format!(
            "Basis {{ tier: {}, source: {:?} }}",
            basis.tier, basis.source
        )
    });
    let examples = |examples: &[Example]| {
        list(examples, |example| {
            format!(
                "Example {{ file: {:?}, pointer: {:?}, version: {:?} }}",
                example.file, example.pointer, example.version
            )
        })
    };
    write!(
        out,
        "    Rule {{\n        id: {:?},\n        title: {:?},\n        owner: Owner::{},\n        profile: {},\n        \
         surface: Surface::{},\n        path: {:?},\n        nature: Nature::{},\n        \
         level: {level},\n        status: Status::{},\n        enforcement: Enforcement::{},\n        \
         severity: {severity},\n        gate: {gate},\n        requirement: {:?},\n        \
         help: {:?},\n        details: {:?},\n        required_by: {clauses},\n        \
         based_on: {basis},\n        arbitrations: &{:?},\n        examples: Examples {{\n            \
         valid: {},\n            invalid: {},\n            not_applicable: {},\n        }},\n        \
         check: Check::{}({folder}_{name}::check),\n    }},\n",
        rule.id,
        rule.title.trim(),
        camel(&rule.owner),
        profile,
        camel(&rule.surface),
        rule.path,
        camel(&rule.kind),
        camel(&rule.status),
        camel(&rule.enforcement),
        rule.requirement.trim(),
        rule.help.trim(),
        rule.details.trim(),
        rule.arbitrations,
        examples(&rule.examples.valid),
        examples(&rule.examples.invalid),
        examples(&rule.examples.not_applicable),
        camel(&rule.surface),
    )
    .unwrap();
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    let items: Vec<_> = items.iter().map(show).collect();
    format!("&[{}]", items.join(", "))
}

fn camel(word: &str) -> String {
    word.split([' ', '-'])
        .map(|part| {
            let mut chars = part.chars();
            chars.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(chars).collect()
            })
        })
        .collect()
}
