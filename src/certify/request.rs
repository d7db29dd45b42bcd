//! One question to an implementation: a case's input on one version.

use std::fmt::Write as _;
use std::time::Duration;

use crate::corpus::{Case, GateName, write_string};
use crate::protocol::ProtocolVersion;

/// What is asked. It holds no expectation, no rule and no case's name.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its number, which the answer repeats.
    pub seq: u64,
    /// The gate.
    pub gate: GateName,
    /// The version of the session.
    pub version: ProtocolVersion,
    /// The JSON texts to judge, under the names of the adapter protocol: `tool`, `result` …
    pub fields: Vec<(&'static str, String)>,
    /// How long the answer may take.
    pub deadline: Duration,
}

impl Request {
    /// The question that `case` asks on `version`.
    pub fn new(case: &Case, version: ProtocolVersion, seq: u64, deadline: Duration) -> Self {
        let fields = case.input.fields().into_iter();
        Self {
            seq,
            gate: case.gate,
            version,
            fields: fields
                .map(|(name, text)| (name, text.to_string()))
                .collect(),
            deadline,
        }
    }

    /// The text of this name; empty where the gate has none.
    pub fn field(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(field, _)| *field == name);
        found.map_or("", |(_, text)| text.as_str())
    }

    /// The `run` message of the adapter protocol, on one line without its end.
    pub fn message(&self) -> String {
        let length: usize = self.fields.iter().map(|(_, text)| text.len()).sum();
        let mut out = String::with_capacity(length + length / 4 + 128);
        let Self {
            seq, gate, version, ..
        } = self;
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "{{\"op\":\"run\",\"seq\":{seq},\"gate\":\"{gate}\",\"version\":\"{version}\""
        );
        for (name, text) in &self.fields {
            let _ = write!(out, ",\"{name}\":");
            write_string(text, &mut out);
        }
        let _ = write!(out, ",\"deadline_ms\":{}}}", self.millis());
        out
    }

    /// The message as a report shows it: texts longer than `most` characters are cut.
    pub fn shown(&self, most: usize) -> serde_json::Value {
        let mut message = serde_json::Map::new();
        message.insert("op".into(), "run".into());
        message.insert("seq".into(), self.seq.into());
        message.insert("gate".into(), self.gate.as_str().into());
        message.insert("version".into(), self.version.as_str().into());
        for (name, text) in &self.fields {
            message.insert((*name).into(), crate::source::cut(text, most).into());
        }
        message.insert("deadline_ms".into(), self.millis().into());
        message.into()
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.deadline.as_millis()).unwrap_or(u64::MAX)
    }
}
