//! The lines of a driver: one for each tool, and one at the end of a session. Their schema is
//! `adapters/live/driver.json`.

use serde::Deserialize;
use serde_json::Value;

use crate::certify::answer::object;

/// What a driver says in one line.
#[derive(Debug)]
pub(super) enum Line {
    /// What came of a tool.
    Tool(Told),
    /// The end of the session.
    End(End),
}

/// What the app got for one tool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    /// The tool, by its name in the listing.
    pub(super) tool: String,
    /// How the call ended for the app.
    pub(super) outcome: Word,
    /// The structured content that the app got, as JSON text.
    #[serde(default)]
    pub(super) delivered: Option<String>,
    /// What the client says about it.
    #[serde(default)]
    pub(super) message: Option<String>,
}

/// How a call ended for the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Word {
    /// As a success.
    Value,
    /// The client threw.
    Error,
    /// As the tool's own error.
    ToolError,
    /// Listed by its name, and it cannot be called.
    Absent,
}

/// The last line of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    /// Always true.
    #[serde(rename = "end")]
    over: bool,
    /// Why connecting or listing failed.
    #[serde(default)]
    pub(super) error: Option<String>,
    /// Whether the app gave up, since the client was silent for as long as the session's line allows.
    #[serde(default)]
    pub(super) late: bool,
    /// The client.
    #[serde(default)]
    pub(super) client: Option<Client>,
    /// The protocol version that was agreed on.
    #[serde(default, rename = "protocol")]
    _protocol: Option<String>,
}

/// What a driver says of the client that it drives.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Client {
    /// Its name.
    pub(super) name: String,
    /// Its version.
    pub(super) version: String,
    /// The language that it is written in.
    pub(super) language: String,
}

/// Reads a line.
///
/// # Errors
/// Why it is none of a driver, as a clause.
pub(super) fn read(line: &[u8]) -> Result<Line, String> {
    let members = object(line)?;
    let fault = |error: serde_json::Error| format!("a line of the driver: {error}");
    let is_end = members.contains_key("end");
    let value = Value::Object(members);
    if !is_end {
        return Told::deserialize(&value).map(Line::Tool).map_err(fault);
    }
    match End::deserialize(&value).map_err(fault)? {
        End { over: false, .. } => Err("a line of the driver: `end` is not true".to_owned()),
        end => Ok(Line::End(end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::answer::tests::fits;

    #[test]
    fn a_line_is_read_as_its_schema_says() {
        let schema = include_str!("../../../adapters/live/driver.json");
        for (line, expected) in [
            (r#"{"tool":"t1","outcome":"value","delivered":"{}"}"#, true),
            (r#"{"tool":"t1","outcome":"value"}"#, true),
            (r#"{"tool":"t1","outcome":"error","message":"no"}"#, true),
            (r#"{"tool":"t1","outcome":"tool-error"}"#, true),
            (r#"{"tool":"t1","outcome":"absent"}"#, true),
            (r#"{"end":true}"#, true),
            (r#"{"end":true,"error":"no server"}"#, true),
            (r#"{"end":true,"late":true}"#, true),
            (
                r#"{"end":true,"client":{"name":"c","version":"1","language":"go"},"protocol":"2025-11-25"}"#,
                true,
            ),
            (r#"{"tool":"t1"}"#, false),
            (r#"{"outcome":"value"}"#, false),
            (r#"{"tool":"t1","outcome":"ok"}"#, false),
            (r#"{"tool":1,"outcome":"value"}"#, false),
            (r#"{"tool":"t1","outcome":"value","delivered":{}}"#, false),
            (r#"{"tool":"t1","outcome":"value","note":""}"#, false),
            (r#"{"end":false}"#, false),
            (r#"{"end":true,"client":{"name":"c"}}"#, false),
            (r#"{"end":true,"tool":"t1"}"#, false),
            ("[]", false),
        ] {
            assert_eq!(read(line.as_bytes()).is_ok(), expected, "{line}");
            assert_eq!(fits(schema, line), expected, "the schema, of {line}");
        }
        for line in ["", "hello", "{\"end\":true}}", "\u{feff}{\"end\":true}"] {
            assert!(read(line.as_bytes()).is_err(), "{line}");
        }
    }
}
