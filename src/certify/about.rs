//! What an implementation says of itself.

use std::borrow::Cow;

use serde_json::Value;

use crate::corpus::{Case, GateName};
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::schema::Dialect;

/// An implementation and what it can be asked.
#[derive(Clone, Debug)]
pub struct About {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language that it is written in.
    pub language: String,
    /// Where to read about it.
    pub homepage: Option<String>,
    /// How it was set up, where there is more than one way.
    pub config: Option<String>,
    /// The gates that it has.
    pub gates: Vec<GateName>,
    /// The protocol versions that it knows.
    pub versions: VersionSet,
    /// The dialects that it reads, as `$schema` names them; `None` is every supported one.
    pub dialects: Option<Vec<String>>,
}

impl About {
    /// Why it is not asked about `case` on `version`; `None` where it is.
    pub fn skips(&self, case: &Case, version: ProtocolVersion) -> Option<String> {
        if !self.gates.contains(&case.gate) {
            return Some(format!("the implementation has no gate {}", case.gate));
        }
        if !self.versions.contains(version) {
            return Some(format!("the implementation does not know {version}"));
        }
        let known = self.dialects.as_ref()?;
        let known: Vec<_> = known
            .iter()
            .filter_map(|uri| Dialect::from_uri(uri))
            .collect();
        let mut declared = declared(case);
        let foreign = declared.find(|dialect| !known.contains(dialect))?;
        Some(format!(
            "the implementation does not read {}",
            foreign.uri()
        ))
    }
}

/// The supported dialects that the schemas of a case declare.
fn declared(case: &Case) -> impl Iterator<Item = Dialect> {
    let members: &[&str] = match case.gate {
        GateName::Definition | GateName::Listing => &["inputSchema", "outputSchema"],
        GateName::Arguments => &["inputSchema"],
        GateName::Result | GateName::Audit => &["outputSchema"],
        GateName::Handoff | GateName::State | GateName::Wire => &[],
    };
    let mut found = Vec::new();
    for (name, text) in case.input.fields() {
        if !matches!(name, "tool" | "tools" | "schema") {
            continue;
        }
        let value = match text.value() {
            Some(value) => Cow::Borrowed(value),
            None => Cow::Owned(serde_json::from_str(&text.to_string()).unwrap_or_default()),
        };
        let value = value.as_ref();
        let tools = value.get("tools").and_then(Value::as_array);
        for tool in tools.map_or(std::slice::from_ref(value), Vec::as_slice) {
            let schemas = members.iter().filter_map(|member| tool.get(member));
            let schemas = schemas.chain((name == "schema").then_some(tool));
            found.extend(schemas.filter_map(dialect));
        }
    }
    found.into_iter()
}

fn dialect(schema: &Value) -> Option<Dialect> {
    Dialect::from_uri(schema.get("$schema")?.as_str()?)
}
