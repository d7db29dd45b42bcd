//! The JSON Schema Test Suite, as it stands on disk, read as suites of results.
//!
//! Each group is a tool of 2026-07-28 whose `outputSchema` is the group's schema; each of its tests
//! is a result with the test's value. A schema stands under `allOf`, so that `true` and `false`
//! can be sent too, unless it refers to places in itself: those are counted from its root.

use std::path::Path;

use serde_json::Value;

use super::Text;
use super::suite::{Case, Expectation, Input, Suite};
use super::suites::Damaged;
use super::words::{Expected, GateName, Level};
use crate::protocol::ProtocolVersion::V2026_07_28;
use crate::schema::{Bounds, Dialect, Schema, Target};
use crate::source::{Format, Limits, Pointer, Source};

/// The drafts that are read, by their folders.
const DRAFTS: [(&str, Dialect); 2] = [
    ("draft2020-12", Dialect::Draft202012),
    ("draft7", Dialect::Draft7),
];
/// The rule that every rejection is for.
const RULE: &str = "mcp.result.structured-content.schema";
/// Keywords by which a schema names a place, or is named.
const PLACES: &[&str] = &[
    "$ref",
    "$id",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
];

/// The test suite as suites, and what became of its groups.
#[derive(Clone, Debug, Default)]
pub struct JsonSchemaSuite {
    /// The suites: `json-schema/DRAFT/FILE`.
    pub suites: Vec<Suite>,
    /// Groups that are asked.
    pub groups: usize,
    /// Values in them.
    pub values: usize,
    /// Groups that need other documents, by id, and are left out.
    pub left_out: Vec<String>,
}

impl JsonSchemaSuite {
    /// Reads the suite in `folder`: the one that holds `tests`, or `tests` itself.
    ///
    /// # Errors
    /// Where there is no such suite, or a file of it is no JSON.
    pub fn read(folder: &Path) -> Result<Self, Damaged> {
        let mut read = Self::default();
        let tests = folder.join("tests");
        let tests = if tests.is_dir() {
            tests
        } else {
            folder.to_owned()
        };
        for (draft, dialect) in DRAFTS {
            let mut files: Vec<_> = std::fs::read_dir(tests.join(draft))
                .map_err(|error| damaged(&tests.join(draft), &error))?
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| path.extension().is_some_and(|end| end == "json"))
                .collect();
            files.sort();
            for file in files {
                let text =
                    std::fs::read_to_string(&file).map_err(|error| damaged(&file, &error))?;
                let stem = file
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                let name = format!("json-schema/{draft}/{stem}");
                let source = Source::new(&name, text, Format::Json);
                read.file(&name, dialect, &source)
                    .map_err(|fault| damaged(&file, &fault))?;
            }
        }
        Ok(read)
    }

    fn file(&mut self, name: &str, dialect: Dialect, source: &Source) -> Result<(), String> {
        let parsed = source
            .parse(&Limits::default())
            .map_err(|fault| fault.message)?;
        let groups = parsed.value.as_array().ok_or("it is no array of groups")?;
        let written = Texts::of(source, groups);
        let mut cases = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            let schema = group.get("schema").unwrap_or(&Value::Null);
            let tests = group
                .get("tests")
                .and_then(Value::as_array)
                .map_or(&[][..], Vec::as_slice);
            if needs_other_documents(schema) {
                self.left_out.push(format!("{name}#group_{index}"));
                continue;
            }
            self.groups += 1;
            self.values += tests.len();
            let tool = tool(schema, written.schema(index), dialect);
            for (number, test) in tests.iter().enumerate() {
                let said = |of: &Value| {
                    of.get("description")
                        .and_then(Value::as_str)
                        .unwrap_or("")
                        .to_owned()
                };
                let valid = test.get("valid") == Some(&Value::Bool(true));
                let id = format!("{name}#group_{index}_test_{number}");
                let description = format!("{}: {}", said(group), said(test));
                cases.push(case(
                    id,
                    description,
                    &tool,
                    written.data(index, number),
                    valid,
                ));
            }
        }
        self.suites.push(Suite {
            name: name.to_owned(),
            description: format!("The JSON Schema Test Suite's {name}."),
            sequence: false,
            cases,
        });
        Ok(())
    }
}

fn damaged(file: &Path, fault: &dyn std::fmt::Display) -> Damaged {
    Damaged {
        file: file.display().to_string(),
        fault: fault.to_string(),
    }
}

/// Whether a schema refers to another document, or is written in a dialect that one defines.
fn needs_other_documents(schema: &Value) -> bool {
    let schema = Schema::new(schema, Bounds::default());
    schema.value().is_object()
        && (schema.dialect().is_none()
            || schema
                .tree()
                .references
                .iter()
                .any(|reference| matches!(reference.target, Target::External(_))))
}

fn tool(schema: &Value, text: &str, dialect: Dialect) -> Text {
    let uri = dialect.uri();
    let output = match schema.as_object() {
        Some(members) if names_places(schema) => {
            let rest = text.trim_start().strip_prefix('{').unwrap_or(text);
            match (members.contains_key("$schema"), members.is_empty()) {
                (true, _) => text.to_owned(),
                (false, true) => format!("{{\"$schema\":\"{uri}\"{rest}"),
                (false, false) => format!("{{\"$schema\":\"{uri}\",{rest}"),
            }
        }
        _ => format!("{{\"$schema\":\"{uri}\",\"allOf\":[{text}]}}"),
    };
    let tool = format!(
        "{{\"name\":\"judge\",\"inputSchema\":{{\"type\":\"object\"}},\"outputSchema\":{output}}}"
    );
    Text::Raw(tool.into())
}

fn names_places(value: &Value) -> bool {
    match value {
        Value::Object(members) => members
            .iter()
            .any(|(name, member)| PLACES.contains(&name.as_str()) || names_places(member)),
        Value::Array(items) => items.iter().any(names_places),
        _ => false,
    }
}

fn case(id: String, description: String, tool: &Text, data: &str, valid: bool) -> Case {
    let expected = Expectation {
        answer: if valid {
            Expected::Accept
        } else {
            Expected::Reject
        },
        level: Level::Should,
        because: if valid { Vec::new() } else { vec![RULE] },
        keyword: None,
        at: None,
        usable: None,
        branch: None,
        hostile: false,
    };
    let mut expect = [const { None }; 5];
    expect[V2026_07_28.index()] = Some(expected);
    let result = format!(
        "{{\"resultType\":\"complete\",\"content\":[{{\"type\":\"text\",\"text\":\"value\"}}],\
         \"structuredContent\":{data}}}"
    );
    Case {
        id,
        gate: GateName::Result,
        input: Input::Result {
            tool: tool.clone(),
            result: Text::Raw(result.into()),
        },
        expect,
        source: vec!["JSON Schema Test Suite".to_owned()],
        description: Some(description),
        note: None,
        neighbour: None,
        guards: Vec::new(),
    }
}

/// The schemas and values of a file as they are written: a number keeps its digits.
struct Texts<'s> {
    schemas: Vec<&'s str>,
    data: Vec<Vec<&'s str>>,
}

impl<'s> Texts<'s> {
    fn of(source: &'s Source, groups: &[Value]) -> Self {
        let group = |index: usize| Pointer::root().join(index);
        let count = |value: &Value| {
            value
                .get("tests")
                .and_then(Value::as_array)
                .map_or(0, Vec::len)
        };
        let mut pointers = Vec::new();
        for (index, value) in groups.iter().enumerate() {
            pointers.push(group(index).join("schema"));
            let of = |number: usize| group(index).join("tests").join(number).join("data");
            pointers.extend((0..count(value)).map(of));
        }
        let mut texts = source.slices(&pointers).into_iter();
        let mut read = Self {
            schemas: Vec::new(),
            data: Vec::new(),
        };
        for value in groups {
            read.schemas.push(texts.next().unwrap_or_default());
            read.data.push(texts.by_ref().take(count(value)).collect());
        }
        read
    }

    fn schema(&self, group: usize) -> &'s str {
        self.schemas[group]
    }

    fn data(&self, group: usize, test: usize) -> &'s str {
        self.data[group][test]
    }
}
