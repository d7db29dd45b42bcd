//! Arguments that a client has to repeat in `Mcp-Param-*` headers (`x-mcp-header`, 2026-07-28).

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Number, Value};

use super::headers::{decoded, differs, missing};
use super::script::Reply;
use super::session::{Headers, Refused};
use crate::rules::{Mirror, mirrors};
use crate::schema::Bounds;
use crate::source::Decimal;

/// What the tools of a listing want repeated.
#[derive(Debug, Default)]
pub(super) struct Mirrored(HashMap<String, Vec<Mirror>>);

impl Mirrored {
    /// Reads the pages of a listing, as far as they can be read. A tool whose annotations break a
    /// rule wants nothing: no client may offer it, and what one sends for it all the same is to
    /// reach the record.
    pub(super) fn of(pages: &[Reply]) -> Self {
        let mut tools = HashMap::new();
        for page in pages {
            let Reply::Result(text) = page else { continue };
            let Ok(listing) = serde_json::from_str::<Value>(text) else {
                continue;
            };
            for tool in listing["tools"].as_array().into_iter().flatten() {
                let found = mirrors(&tool["inputSchema"], Bounds::default());
                if let (Some(name), false) = (tool["name"].as_str(), found.is_empty()) {
                    tools.insert(name.to_owned(), found);
                }
            }
        }
        Self(tools)
    }

    /// Compares the headers of a call with its arguments. A header without an argument is noted:
    /// the client has to leave it out, but the server has no reason to look at it.
    ///
    /// # Errors
    /// An argument whose header is missing or says something else.
    pub(super) fn check(
        &self,
        tool: &str,
        arguments: Option<&RawValue>,
        headers: &Headers,
    ) -> Result<Option<String>, Refused> {
        let Some(mirrors) = self.0.get(tool) else {
            return Ok(None);
        };
        let arguments = arguments.map_or("{}", RawValue::get);
        let Ok(arguments) = serde_json::from_str::<Value>(arguments) else {
            return Ok(None);
        };
        let mut note = None;
        for mirror in mirrors {
            let header = format!("mcp-param-{}", mirror.header.to_ascii_lowercase());
            let sent = headers.get(&header);
            let argument = mirror
                .path
                .iter()
                .try_fold(&arguments, |at, name| at.get(name));
            match (argument, sent) {
                (None | Some(Value::Null), Some(_)) => {
                    note = Some(format!("the header {header} has no argument behind it"));
                }
                (None | Some(Value::Null | Value::Array(_) | Value::Object(_)), _) => {}
                (Some(_), None) => return Err(missing(&header)),
                (Some(argument), Some(sent)) => {
                    if !decoded(sent).is_some_and(|sent| says(argument, &sent)) {
                        return Err(differs(&header, sent));
                    }
                }
            }
        }
        Ok(note)
    }
}

/// Whether the header's value is the argument's; numbers are compared by value.
fn says(argument: &Value, sent: &str) -> bool {
    match argument {
        Value::String(text) => text == sent,
        Value::Number(number) => serde_json::from_str(sent).is_ok_and(|sent_number: Number| {
            if number.is_f64() {
                number.as_f64() == sent_number.as_f64()
            } else {
                Decimal::read(&number.to_string()) == Decimal::read(sent)
            }
        }),
        Value::Bool(true) => sent == "true",
        Value::Bool(false) => sent == "false",
        // No header carries these, and no client is to send one.
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}
