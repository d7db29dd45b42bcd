//! Reads a suite from its JSON.

use std::str::FromStr;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::generate;
use super::session::Session;
use super::suite::{Case, Expectation, Input, Suite};
use super::text::Text;
use super::words::{Expected, GateName};
use crate::gate::Branch;
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::rules::find;

type Members = Map<String, Value>;

/// The folder of what may hang an implementation.
const HOSTILE: &str = "hostile";

/// Reads the suite in `text`; what is wrong with it is said as a clause.
pub(super) fn suite(text: &str) -> Result<Suite, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let members = value.as_object().ok_or("a suite is an object")?;
    let name = string(members, "suite")?;
    let source = strings(members, "source")?;
    let empty = Members::new();
    let object = |name: &str| members.get(name).and_then(Value::as_object);
    let reader = Reader {
        folder: name.split('/').next().unwrap_or_default(),
        tools: object("tools").unwrap_or(&empty),
        schemas: object("schemas").unwrap_or(&empty),
        source: &source,
        name: &name,
    };
    let cases = object("cases").ok_or("`cases` is missing")?;
    let mut read = Vec::with_capacity(cases.len());
    for (case, value) in cases {
        let members = value
            .as_object()
            .ok_or_else(|| format!("{case} is no object"))?;
        read.push(
            reader
                .case(case, members)
                .map_err(|fault| format!("{case}: {fault}"))?,
        );
    }
    guard(&mut read);
    Ok(Suite {
        description: string(members, "description")?,
        sequence: members.get("sequence") == Some(&Value::Bool(true)),
        cases: read,
        name,
    })
}

/// Tells each accepted case which rules it stands beside.
fn guard(cases: &mut [Case]) {
    for index in 0..cases.len() {
        let rules = cases[index].rules();
        let Some(neighbour) = cases[index].neighbour.clone() else {
            continue;
        };
        let Some(neighbour) = cases.iter_mut().find(|case| case.name() == neighbour) else {
            continue;
        };
        for rule in rules {
            if !neighbour.guards.contains(&rule) {
                neighbour.guards.push(rule);
            }
        }
    }
}

struct Reader<'s> {
    name: &'s str,
    folder: &'s str,
    tools: &'s Members,
    schemas: &'s Members,
    source: &'s [String],
}

impl Reader<'_> {
    fn case(&self, name: &str, case: &Members) -> Result<Case, String> {
        let gate = match case.get("gate") {
            Some(gate) => gate.as_str().unwrap_or_default(),
            None => self.folder,
        };
        let gate = GateName::from_str(gate)?;
        let mut expect = [const { None }; 5];
        for version in VersionSet::STRUCTURED.iter() {
            let expected = expectation(case, version)?;
            expect[version.index()] = expected.map(|expected| Expectation {
                hostile: self.folder == HOSTILE,
                ..expected
            });
        }
        let source = match case.get("source") {
            Some(_) => strings(case, "source")?,
            None => self.source.to_vec(),
        };
        Ok(Case {
            id: format!("{}#{name}", self.name),
            gate,
            input: self.input(gate, case)?,
            expect,
            source,
            description: optional(case, "description")?,
            note: optional(case, "note")?,
            neighbour: optional(case, "neighbour")?,
            guards: Vec::new(),
        })
    }

    fn input(&self, gate: GateName, case: &Members) -> Result<Input, String> {
        Ok(match gate {
            GateName::Definition => Input::Definition {
                tool: self.tool(case)?,
            },
            GateName::Listing => Input::Listing {
                tools: self.listing(case)?,
            },
            GateName::Arguments => Input::Arguments {
                tool: self.tool(case)?,
                arguments: self.value(case, "arguments", "raw")?,
            },
            GateName::Result => Input::Result {
                tool: self.tool(case)?,
                result: self.value(case, "result", "raw")?,
            },
            GateName::Audit => Input::Audit {
                tool: self.tool(case)?,
                record: self.value(case, "record", "raw_record")?,
                body: self.value(case, "body", "raw_body")?,
            },
            GateName::Handoff | GateName::State => {
                let key = string(case, "schema_ref")?;
                let schema = self.schemas.get(&key);
                let schema = schema.ok_or_else(|| format!("no schema has the key {key}"))?;
                Input::Contract {
                    schema: self.text(schema)?,
                    value: self.value(case, "value", "raw")?,
                }
            }
            GateName::Wire => {
                let session = case.get("session").unwrap_or(&Value::Null);
                let session = Session::read(session, |key| self.tools.contains_key(key))?;
                let keys = session
                    .stages
                    .iter()
                    .flat_map(|stage| &stage.pages)
                    .flatten();
                let tools = keys.map(|key| Ok((key.clone(), self.named(key)?)));
                Input::Wire {
                    tools: tools.collect::<Result<_, String>>()?,
                    session: Arc::new(session),
                }
            }
        })
    }

    fn listing(&self, case: &Members) -> Result<Text, String> {
        let Some(keys) = case.get("tool_refs") else {
            return self.value(case, "listing", "raw");
        };
        let keys = keys.as_array().ok_or("`tool_refs` is no array")?;
        let tools = keys
            .iter()
            .map(|key| self.named(key.as_str().unwrap_or_default()));
        Ok(Text::Listing(tools.collect::<Result<_, _>>()?))
    }

    /// The tool that `tool_ref` names, with or without one of its schemas behind the dot.
    fn tool(&self, case: &Members) -> Result<Text, String> {
        let reference = string(case, "tool_ref")?;
        self.named(reference.split('.').next().unwrap_or_default())
    }

    fn named(&self, key: &str) -> Result<Text, String> {
        let tool = self
            .tools
            .get(key)
            .ok_or_else(|| format!("no tool has the key {key}"))?;
        match tool
            .as_object()
            .filter(|tool| tool.len() == 1)
            .and_then(|tool| tool.get("raw"))
        {
            Some(Value::String(text)) => Ok(Text::Raw(text.as_str().into())),
            _ => self.text(tool),
        }
    }

    fn value(&self, case: &Members, name: &str, raw: &str) -> Result<Text, String> {
        match (case.get(raw), case.get(name)) {
            (Some(Value::String(text)), None) => Ok(Text::Raw(text.as_str().into())),
            (None, Some(value)) => self.text(value),
            _ => Err(format!("one of `{name}` and `{raw}` is wanted")),
        }
    }

    fn text(&self, value: &Value) -> Result<Text, String> {
        let shared = || Arc::new(value.clone());
        if self.folder != HOSTILE {
            return Ok(Text::Value(shared()));
        }
        match generate::fault(value) {
            Some(fault) => Err(fault),
            None => Ok(Text::Template(shared())),
        }
    }
}

fn expectation(case: &Members, version: ProtocolVersion) -> Result<Option<Expectation>, String> {
    let on = |name: &str| by_version(case, name, version);
    let answer = match on("expect").and_then(Value::as_str) {
        Some("accept") => Expected::Accept,
        Some("reject") => Expected::Reject,
        Some("n/a") => return Ok(None),
        _ => {
            return Err(format!(
                "`expect` says neither accept, reject nor n/a on {version}"
            ));
        }
    };
    let level = on("level").and_then(Value::as_str).unwrap_or_default();
    let reason = |name: &str| match on(name).filter(|_| answer == Expected::Reject) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` is no string")),
    };
    let because = match on("because").filter(|_| answer == Expected::Reject) {
        None => Vec::new(),
        Some(ids) => rules(ids)?,
    };
    let usable = match on("usable").filter(|_| answer == Expected::Accept) {
        None => None,
        Some(names) => Some(list(names, "usable")?),
    };
    let branch = match case.get("branch") {
        None => None,
        Some(name) => {
            let known = Branch::ALL
                .into_iter()
                .find(|branch| name == branch.as_str());
            Some(known.ok_or("`branch` names no branch")?)
        }
    };
    Ok(Some(Expectation {
        answer,
        level: level.parse()?,
        because,
        keyword: reason("keyword")?,
        at: reason("at")?,
        usable,
        branch,
        hostile: false,
    }))
}

fn rules(ids: &Value) -> Result<Vec<&'static str>, String> {
    let ids = list(ids, "because")?;
    let known = ids.iter().map(|id| match find(id) {
        Some(rule) => Ok(rule.id),
        None => Err(format!("no rule has the id {id}")),
    });
    known.collect()
}

/// A member that is one value for all versions, or a map over them.
fn by_version<'a>(case: &'a Members, name: &str, version: ProtocolVersion) -> Option<&'a Value> {
    match case.get(name)? {
        Value::Object(map) => map.get(version.as_str()),
        one => Some(one),
    }
}

fn optional(members: &Members, name: &str) -> Result<Option<String>, String> {
    match members.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` is no string")),
    }
}

fn string(members: &Members, name: &str) -> Result<String, String> {
    optional(members, name)?.ok_or_else(|| format!("`{name}` is missing"))
}

fn strings(members: &Members, name: &str) -> Result<Vec<String>, String> {
    list(members.get(name).unwrap_or(&Value::Null), name)
}

fn list(value: &Value, name: &str) -> Result<Vec<String>, String> {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    let texts: Option<Vec<_>> = items
        .iter()
        .map(|item| item.as_str().map(str::to_owned))
        .collect();
    match texts {
        Some(texts) if value.is_array() => Ok(texts),
        _ => Err(format!("`{name}` is no array of strings")),
    }
}
