//! Reads what an adapter says of itself.

use serde_json::{Map, Value};

use super::about::About;
use super::answer::{names, object, wrong};
use crate::corpus::GateName;
use crate::protocol::VersionSet;

/// Reads the line that answers `start`.
pub(super) fn start(line: &[u8]) -> Result<About, String> {
    let members = object(line)?;
    match members.get("protocol") {
        Some(protocol) if *protocol == super::PROTOCOL => {}
        Some(other) => {
            return Err(format!(
                "it speaks protocol {other}, and this program {}",
                super::PROTOCOL
            ));
        }
        None => return Err("its answer to `start` lacks `protocol`".to_owned()),
    }
    let Some(Value::Object(about)) = members.get("implementation") else {
        return Err("its answer to `start` lacks the object `implementation`".to_owned());
    };
    let text = |from: &Map<String, Value>, name: &str| match from.get(name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
        None => Ok(None),
        Some(other) => Err(wrong(name, other, "a string that says something")),
    };
    let required = |name: &str| {
        text(about, name)?.ok_or_else(|| format!("its `implementation` lacks `{name}`"))
    };
    let list = |name: &str| {
        names(&members, name)?.ok_or_else(|| format!("its answer to `start` lacks `{name}`"))
    };
    // What a later suite may know is read past: it is never asked for.
    let gates: Vec<_> = list("gates")?
        .iter()
        .filter_map(|name| name.parse().ok())
        .collect();
    let versions: VersionSet = list("versions")?
        .iter()
        .filter_map(|date| date.parse().ok())
        .collect();
    if gates.is_empty() || versions.is_empty() {
        return Err("it names no gate, or no protocol version, of this suite".to_owned());
    }
    Ok(About {
        name: required("name")?,
        version: required("version")?,
        language: required("language")?,
        homepage: text(about, "homepage")?,
        config: text(&members, "config")?,
        gates: gates
            .into_iter()
            .filter(|gate| *gate != GateName::Wire)
            .collect(),
        versions,
        dialects: Some(list("dialects")?),
    })
}

#[cfg(test)]
mod tests {
    use super::super::answer::tests::fits;
    use super::*;

    #[test]
    fn a_greeting_is_read_as_its_schema_says() {
        let schema = include_str!("../../docs/schemas/adapter/start.answer.schema.json");
        let good = serde_json::json!({
            "protocol": 1,
            "implementation": {"name": "n", "version": "1", "language": "python"},
            "gates": ["result", "a-gate-of-tomorrow"],
            "versions": ["2026-07-28", "2027-01-01"],
            "dialects": ["https://json-schema.org/draft/2020-12/schema"],
        });
        let about = start(good.to_string().as_bytes()).expect("it can be read");
        assert_eq!(
            (about.gates, about.versions.names()),
            (vec![GateName::Result], vec!["2026-07-28"])
        );
        assert!(fits(schema, &good.to_string()));
        for (member, value) in [
            ("protocol", Value::from(2)),
            ("protocol", Value::from("1")),
            ("implementation", Value::Null),
            (
                "implementation",
                serde_json::json!({"name": "n", "version": "1"}),
            ),
            (
                "implementation",
                serde_json::json!({"name": "", "version": "1", "language": "c"}),
            ),
            ("gates", Value::from("result")),
            ("gates", Value::Array(Vec::new())),
            ("versions", serde_json::json!([2026])),
            ("dialects", Value::Null),
            ("config", Value::from(1)),
        ] {
            let mut bad = good.clone();
            bad[member] = value;
            let line = bad.to_string();
            assert!(start(line.as_bytes()).is_err(), "{line}");
            assert!(!fits(schema, &line), "the schema, of {line}");
        }
    }
}
