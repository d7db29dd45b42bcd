//! A case as a tool that a server lists: the definition, the arguments of its call, and the answer.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use serde_json::Value;

use super::raw::{Object, items, replaced};
use super::script::Reply;
use crate::certify::Request;
use crate::corpus::{GateName, write_string};
use crate::gate::Gate;
use crate::generate::{Generator, Rng, Tally};
use crate::protocol::ProtocolVersion;
use crate::source::Limits;

/// The tool that is part of every listing and sound on every version.
pub(super) const CONTROL: &str = "control";
/// The longest description that is taken for prose and not for the point of its case.
const MOST_PROSE: usize = 2_000;

/// A tool of a listing.
pub(super) struct Offer {
    /// The text of its definition.
    pub(super) tool: String,
    /// The name by which a call is told to be its own; `None` where the case has made that
    /// impossible, and any call that is nobody else's is taken for its own.
    pub(super) name: Option<String>,
    /// What its call is answered with; `None` is the script's own answer.
    pub(super) reply: Option<Reply>,
}

impl Offer {
    /// The tool of a case of one of the gates `definition`, `arguments` and `result`.
    ///
    /// What the gate does not judge is not there to be judged: the tool of a result has no
    /// inputSchema but the simplest, that of arguments no outputSchema.
    pub(super) fn new(request: &Request, name: String) -> Self {
        let tool = request.field("tool");
        let object = Object::read(tool);
        match (request.gate, object) {
            (GateName::Definition, Some(object)) => {
                definition(request.version, &object, tool, name)
            }
            (GateName::Definition, None) => Self {
                tool: tool.to_owned(),
                name: None,
                reply: None,
            },
            (gate, object) => {
                let member = match gate {
                    GateName::Arguments => "inputSchema",
                    _ => "outputSchema",
                };
                let arguments = match gate {
                    GateName::Arguments => request.field("arguments"),
                    _ => "{}",
                };
                let mut text = format!("{{\"name\":\"{name}\",\"description\":");
                write_string(arguments, &mut text);
                if gate == GateName::Result {
                    text.push_str(r#","inputSchema":{"type":"object"}"#);
                }
                for schema in object.iter().flat_map(|object| object.all(member)) {
                    text.push_str(&format!(",\"{member}\":{schema}"));
                }
                text.push('}');
                let result = (gate == GateName::Result).then(|| request.field("result"));
                Self {
                    tool: text,
                    name: Some(name),
                    reply: result.map(|result| Reply::Result(result.to_owned())),
                }
            }
        }
    }

    /// The tool that shows whether a client still works.
    pub(super) fn control(version: ProtocolVersion) -> Self {
        let complete = match version {
            ProtocolVersion::V2026_07_28 => r#""resultType":"complete","#,
            _ => "",
        };
        Self {
            tool: format!(
                r#"{{"name":"{CONTROL}","description":"{{}}","inputSchema":{{"type":"object"}},"outputSchema":{{"type":"object","properties":{{"status":{{"type":"string"}}}},"required":["status"]}}}}"#
            ),
            name: Some(CONTROL.to_owned()),
            reply: Some(Reply::Result(format!(
                r#"{{{complete}"content":[{{"type":"text","text":"{{\"status\":\"open\"}}"}}],"structuredContent":{{"status":"open"}}}}"#
            ))),
        }
    }
}

/// A definition with another name, and with the arguments of its call as its description. A name
/// or a description that is itself the point of a case stays.
fn definition(version: ProtocolVersion, object: &Object<'_>, tool: &str, name: String) -> Offer {
    let is_plain = has_plain_name(object);
    let quoted = format!("\"{name}\"");
    let arguments = described(version, object, tool);
    let mut edits = Vec::new();
    if is_plain {
        edits.push(("name", quoted.as_str()));
    }
    if let Some(arguments) = &arguments {
        edits.push(("description", arguments.as_str()));
    }
    Offer {
        tool: object.with(&edits),
        name: is_plain.then_some(name),
        reply: None,
    }
}

/// A tool of a listing that is itself the case: it keeps its name.
pub(super) fn listed(version: ProtocolVersion, tool: &str) -> String {
    let Some(object) = Object::read(tool) else {
        return tool.to_owned();
    };
    match described(version, &object, tool) {
        Some(arguments) => object.with(&[("description", &arguments)]),
        None => tool.to_owned(),
    }
}

/// Whether a tool has one name, and that is a word like another.
pub(super) fn has_plain_name(object: &Object<'_>) -> bool {
    let name = object.one("name").unwrap_or_default();
    let word = name
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    word.is_some_and(|word| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        (1..=64).contains(&word.len()) && word.bytes().all(plain)
    })
}

/// The description that says with which arguments a tool can be called, as a JSON string; `None`
/// where the one that is there is the point.
fn described(version: ProtocolVersion, object: &Object<'_>, tool: &str) -> Option<String> {
    let there = object.all("description").count();
    let is_prose = object
        .one("description")
        .is_some_and(|text| text.starts_with('"') && text.len() <= MOST_PROSE);
    if there > 0 && !is_prose {
        return None;
    }
    let mut text = String::new();
    write_string(&fitting(version, tool), &mut text);
    Some(text)
}

/// Arguments that fit the tool's inputSchema, as text; `{}` where that is not known.
fn fitting(version: ProtocolVersion, tool: &str) -> String {
    let empty = "{}".to_owned();
    let gate = Gate::new(version);
    let Ok(parsed) = crate::source::parse_json(tool, &Limits::default()) else {
        return empty;
    };
    let tool = gate.definition(&parsed.value);
    let Some(schema) = parsed.value.get("inputSchema") else {
        return empty;
    };
    let fits = |text: &str| {
        let arguments = gate.parse(text);
        arguments.is_ok_and(|arguments| gate.arguments(&tool, &arguments).is_ok())
    };
    if tool.usable().is_err() || fits(&empty) {
        return empty;
    }
    let Ok(generator) = Generator::new(schema) else {
        return empty;
    };
    let mut rng = Rng::new(1);
    let sample = generator.sample(&mut rng, &mut Tally::default());
    let text = sample.map(|sample| sample.value().to_string());
    text.filter(|text| fits(text)).unwrap_or(empty)
}

/// The names under which a client may keep schemas of a tool or of a listing, each with what stands
/// for the schema: names and descriptions of tools are none of it.
pub(super) fn identities(text: &str) -> Vec<(String, u64)> {
    if !text.contains("$id") && !text.contains("nchor\"") && !text.contains("\"id\"") {
        return Vec::new();
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return Vec::new();
    };
    let schemas = ["inputSchema", "outputSchema"].map(|member| &value[member]);
    let root = match schemas {
        [Value::Null, Value::Null] => digest(&value),
        schemas => digest(&schemas),
    };
    let mut found = Vec::new();
    let mut left = vec![(&value, root)];
    while let Some((value, around)) = left.pop() {
        match value {
            Value::Object(members) => {
                let is_text = |name| members.get(name).is_some_and(Value::is_string);
                let is_named = ["$id", "id"].into_iter().any(is_text);
                let resource = if is_named { digest(value) } else { around };
                for (name, member) in members {
                    let names = ["$id", "id", "$anchor", "$dynamicAnchor"];
                    match member {
                        Value::String(id) if names.contains(&name.as_str()) => {
                            let name = name.trim_start_matches('$');
                            found.push((format!("{name} {id}"), resource));
                        }
                        other => left.push((other, resource)),
                    }
                }
            }
            Value::Array(items) => left.extend(items.iter().map(|item| (item, around))),
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

fn digest(content: &impl serde::Serialize) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(content)
        .unwrap_or_default()
        .hash(&mut hasher);
    hasher.finish()
}

/// The pages of a listing that is itself a case: its tools say how to call them, and the control
/// tool is the last of them. Where that cannot be put in, the text stays as it is.
pub(super) fn pages(version: ProtocolVersion, listing: &str) -> Vec<Reply> {
    let Some(object) = Object::read(listing) else {
        return vec![Reply::Result(listing.to_owned())];
    };
    let mut text = listing.to_owned();
    let tools = object.one("tools");
    if let Some((tools, places)) = tools.and_then(|tools| Some((tools, items(tools)?))) {
        let edits = places.iter().map(|place| {
            let tool = listed(version, &tools[place.clone()]);
            (place.clone(), tool)
        });
        let mut edits: Vec<_> = edits.collect();
        let end = tools.rfind(']').unwrap_or(tools.len());
        let comma = if places.is_empty() { "" } else { "," };
        edits.push((end..end, comma.to_owned() + &Offer::control(version).tool));
        text = object.with(&[("tools", &replaced(tools, edits))]);
    }
    let cursor = object
        .one("nextCursor")
        .filter(|cursor| cursor.starts_with('"'));
    if let (Some(cursor), Some(object)) = (cursor, Object::read(&text)) {
        // An empty cursor is the point of its case.
        if cursor != "\"\"" {
            text = object.with(&[("nextCursor", "\"page-1\"")]);
        }
    }
    let mut pages = vec![Reply::Result(complete(version, &text))];
    if cursor.is_some() {
        pages.push(Reply::Result(complete(version, r#"{"tools":[]}"#)));
    }
    pages
}

/// A listing with the members that its version wants in a result, where it lacks them.
pub(super) fn complete(version: ProtocolVersion, listing: &str) -> String {
    let Some(object) = Object::read(listing).filter(|_| version == ProtocolVersion::V2026_07_28)
    else {
        return listing.to_owned();
    };
    let wanted = [
        ("resultType", "\"complete\""),
        ("ttlMs", "0"),
        ("cacheScope", "\"private\""),
    ];
    let lacking: Vec<_> = wanted
        .into_iter()
        .filter(|(name, _)| object.all(name).next().is_none())
        .collect();
    object.with(&lacking)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_the_same_whatever_its_tool_is_called() {
        let tool = |name: &str, schema: &str| {
            identities(&format!(
                r#"{{"name":"{name}","description":"{name}","outputSchema":{schema}}}"#
            ))
        };
        let text = r#"{"$id":"urn:a","type":"string"}"#;
        assert_eq!(tool("t1", text), tool("t2", text));
        let number = r#"{"$id":"urn:a","type":"number"}"#;
        let [[(one, text)], [(other, number)]] =
            [tool("t1", text), tool("t1", number)].map(|ids| <[_; 1]>::try_from(ids).unwrap());
        assert_eq!(one, other);
        assert_ne!(text, number);
        // An anchor stands for the resource around it.
        let anchor = |kind: &str| {
            let inner = r#"{"$anchor":"part","type":"string"}"#;
            tool(
                "t1",
                &format!(r#"{{"type":"{kind}","$defs":{{"part":{inner}}}}}"#),
            )
        };
        assert_ne!(anchor("object"), anchor("array"));
    }
}
