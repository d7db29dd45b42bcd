//! Targets: what each understands, read from the tables in `targets/`. A further target is a table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::names::Charset;

/// How a target's schemas are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Making {
    /// The source's own text, but for what the table leaves out.
    Kept,
    /// Built anew from what the source means: references and `allOf` laid side by side, so that a
    /// closed object closes over all of them.
    Rebuilt,
}

/// What an object of the target says of undeclared members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objects {
    /// `additionalProperties: false`, always.
    Closed,
    /// Nothing.
    Open,
}

/// How the target says that a member may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optional {
    /// It is not in `required`.
    Absent,
    /// Every member is required, and null stands for absence.
    Null,
}

/// How the target says that a value may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Null {
    /// `null` is one of the types.
    Type,
    /// `nullable: true`, as `OpenAPI` 3.0 has it.
    Nullable,
}

/// What the target takes of references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refs {
    /// Whether anything may stand beside a `$ref`.
    pub siblings: bool,
    /// Whether a schema may refer to itself.
    pub recursive: bool,
}

/// What the target asks of the root of a schema.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Root {
    /// Whether it is of the literal type `object`.
    #[serde(default)]
    pub object: bool,
    /// Whether it may hold `anyOf`, `oneOf`, `allOf`.
    #[serde(default = "yes")]
    pub composition: bool,
    /// The members of a tool for which this holds; all, where none is named.
    #[serde(default)]
    pub only: Vec<String>,
    /// The clause that asks for it.
    pub because: String,
}

/// The names that the target takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// Of tools and contracts.
    pub tool: Option<Charset>,
    /// Of properties.
    pub property: Option<Charset>,
    /// The clause that asks for it.
    #[serde(default)]
    pub because: String,
}

/// How large a projection may be; each as the target counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Levels of objects and arrays.
    pub levels: Option<usize>,
    /// Properties of all objects together.
    pub properties: Option<usize>,
    /// Properties that are not required, of all objects together.
    pub optional: Option<usize>,
    /// Members of all enums together.
    pub enum_values: Option<usize>,
    /// Characters of property names, definition names and enum members together.
    pub characters: Option<usize>,
}

/// One target.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Its name on the command line and in reports.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Where its rules are written down.
    pub source: String,
    /// When they were read there.
    pub date: String,
    /// What a reader should know beside them.
    #[serde(default)]
    pub notes: Vec<String>,
    /// How schemas are made.
    pub schema: Making,
    /// The keywords that it knows; all, where none is named.
    #[serde(default)]
    pub keywords: Option<Vec<String>>,
    /// Why a keyword is left out, where there is more to say than that the target does not list it.
    #[serde(default)]
    pub left_out: BTreeMap<String, String>,
    /// What objects say of undeclared members.
    #[serde(default = "open")]
    pub objects: Objects,
    /// How a member is optional.
    #[serde(default = "absent")]
    pub optional: Optional,
    /// How null is said.
    #[serde(default = "null_type")]
    pub null: Null,
    /// Whether `type` may be a list.
    #[serde(default = "yes")]
    pub type_lists: bool,
    /// The types that stand for "any value", since the target wants one named.
    #[serde(default)]
    pub any: Vec<String>,
    /// The types of values that an enum may hold; any, where none is named.
    #[serde(default)]
    pub enum_types: Vec<String>,
    /// The formats that it knows; any, where none is named.
    #[serde(default)]
    pub formats: Option<Vec<String>>,
    /// What its patterns may not hold.
    #[serde(default)]
    pub pattern_without: Vec<String>,
    /// The largest `minItems`.
    #[serde(default)]
    pub largest_min_items: Option<u64>,
    /// What it takes of references.
    #[serde(default, rename = "ref")]
    pub refs: Refs,
    /// What it asks of the root.
    #[serde(default)]
    pub root: Option<Root>,
    /// The names that it takes.
    #[serde(default)]
    pub names: Names,
    /// How large a projection may be.
    #[serde(default)]
    pub limits: Limits,
    /// What a tool becomes; `{member}` stands for a member of the tool.
    pub tool: Value,
    /// What a schema that is no tool's becomes: a handoff, a state, the shape of an answer.
    pub contract: Value,
    /// The SHA-256 of the table, so that a committed projection says what it was made by.
    #[serde(skip)]
    pub sha256: String,
}

const fn yes() -> bool {
    true
}

const fn open() -> Objects {
    Objects::Open
}

const fn absent() -> Optional {
    Optional::Absent
}

const fn null_type() -> Null {
    Null::Type
}

/// The tables, in the order in which they are listed.
const TABLES: &[&str] = &[
    include_str!("../../targets/mcp@2025-06-18.json"),
    include_str!("../../targets/mcp@2025-11-25.json"),
    include_str!("../../targets/mcp@2026-07-28.json"),
    include_str!("../../targets/openai-function.json"),
    include_str!("../../targets/openai-strict.json"),
    include_str!("../../targets/anthropic.json"),
    include_str!("../../targets/anthropic-strict.json"),
    include_str!("../../targets/gemini.json"),
    include_str!("../../targets/a2a.json"),
];

static TARGETS: LazyLock<Vec<Target>> = LazyLock::new(|| {
    // A table that does not read is caught by the test below, before it can be missed here.
    TABLES
        .iter()
        .filter_map(|text| Target::read(text).ok())
        .collect()
});

impl Target {
    /// Reads a table.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        let mut target: Self = serde_json::from_str(text)?;
        target.sha256 = hash(text.as_bytes());
        Ok(target)
    }

    /// Every target that comes with the project.
    pub fn all() -> &'static [Self] {
        &TARGETS
    }

    /// The target of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Whether it knows the keyword.
    pub fn knows(&self, keyword: &str) -> bool {
        !self.left_out.contains_key(keyword)
            && self
                .keywords
                .as_ref()
                .is_none_or(|known| known.iter().any(|it| it == keyword))
    }

    /// Why a keyword is not carried over, as a clause.
    pub fn why(&self, keyword: &str) -> String {
        match self.left_out.get(keyword) {
            Some(reason) => reason.clone(),
            None => format!("{} does not list the keyword", self.name),
        }
    }

    /// What it asks of the root of the schema that stands in this member of a tool.
    pub fn root_of(&self, member: &str) -> Option<&Root> {
        let root = self.root.as_ref()?;
        (root.only.is_empty() || root.only.iter().any(|it| it == member)).then_some(root)
    }

    /// Whether its tools carry this member.
    pub fn carries(&self, member: &str) -> bool {
        super::envelope::names(&self.tool).contains(member)
    }
}

/// The SHA-256 of some bytes, in hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_reads_and_says_where_it_comes_from() {
        for text in TABLES {
            let target = Target::read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert!(target.date.starts_with("20"), "{}", target.name);
            assert!(!target.source.is_empty(), "{}", target.name);
            let known =
                |keyword: &String| crate::schema::is_keyword(keyword) || keyword == "x-mcp-header";
            for keyword in target
                .keywords
                .iter()
                .flatten()
                .chain(target.left_out.keys())
            {
                assert!(known(keyword), "{}: {keyword}", target.name);
            }
        }
        assert_eq!(Target::all().len(), TABLES.len());
    }
}
