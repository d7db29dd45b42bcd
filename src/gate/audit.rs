//! The audit guard: which part of a recorded result is to be judged.

use serde_json::Value;

use super::definition::{Side, ToolGate};
use super::rejection::Rejection;
use super::toolbox::judge;
use crate::protocol::ProtocolVersion::{self, V2025_11_25, V2026_07_28};
use crate::schema::Instance;
use crate::source::{Parsed, Pointer};

/// The branches of the guard. They are counted apart and never folded into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Branch {
    /// `structuredContent` itself is judged.
    ValidateRoot,
    /// The object inside the `result` envelope of an older server is judged.
    LegacyWrapper,
    /// There is no structured content to judge.
    Missing,
    /// The record that should say how to judge is itself not in order.
    Schema,
}

impl Branch {
    /// Every branch, in the order of reports.
    pub const ALL: [Self; 4] = [
        Self::ValidateRoot,
        Self::LegacyWrapper,
        Self::Missing,
        Self::Schema,
    ];

    /// The branch's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ValidateRoot => "validate_root",
            Self::LegacyWrapper => "legacy_wrapper",
            Self::Missing => "missing",
            Self::Schema => "schema",
        }
    }
}

/// How a recorded call says that it is to be judged.
#[derive(Clone, Copy, Debug)]
pub enum Recorded<'r> {
    /// By a record `{tool, protocol, metaIdTool}`.
    Record(&'r Value),
    /// By its protocol version alone.
    Protocol(ProtocolVersion),
}

/// The branch of a call, and the value that is to be judged there.
///
/// ```
/// use mcp_conform::gate::{Branch, Recorded, branch};
/// use serde_json::json;
///
/// let record = json!({"tool": "get_report", "protocol": "2025-11-25", "metaIdTool": true});
/// let wrapped = json!({"result": {"region": "north", "count": 3}});
/// let (found, target) = branch(Recorded::Record(&record), Some(&wrapped));
/// assert_eq!(found, Branch::LegacyWrapper);
/// assert_eq!(target, Some(&json!({"region": "north", "count": 3})));
/// ```
pub fn branch<'v>(
    recorded: Recorded<'_>,
    structured: Option<&'v Value>,
) -> (Branch, Option<&'v Value>) {
    let (version, wraps) = match recorded {
        Recorded::Protocol(version) => (version, false),
        Recorded::Record(record) => match read(record) {
            Some(read) => read,
            None => return (Branch::Schema, None),
        },
    };
    // Before 2026-07-28 structured content is an object or nothing (arbitration 7).
    let present = structured.filter(|value| version >= V2026_07_28 || value.is_object());
    let Some(value) = present else {
        return (Branch::Missing, None);
    };
    match inner(value) {
        Some(inner) if wraps && version == V2025_11_25 => (Branch::LegacyWrapper, Some(inner)),
        _ => (Branch::ValidateRoot, Some(value)),
    }
}

/// A recorded call, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Audited {
    /// The branch that it belongs to.
    pub branch: Branch,
    /// Why what is judged there does not fit; a broken record breaks no rule and has none.
    pub rejection: Option<Rejection>,
}

impl Audited {
    /// Whether the call is in order.
    pub fn fits(&self) -> bool {
        self.branch != Branch::Schema && self.rejection.is_none()
    }

    /// Judges the recorded result of a call of `tool`. Only what the branch names is judged, by
    /// the outputSchema alone; a tool's own error is let pass.
    pub fn new(tool: &ToolGate, recorded: Recorded<'_>, body: &Parsed) -> Self {
        let structured = body.value.get("structuredContent");
        let (branch, target) = branch(recorded, structured);
        let is_error = body.value.get("isError") == Some(&Value::Bool(true));
        let rejection = match (&tool.output, target) {
            _ if is_error || branch == Branch::Schema => None,
            (Side::Absent, _) => None,
            (_, None) => Some(Rejection::by(
                "mcp.result.structured-content.required",
                "there is no structured content to judge",
            )),
            (Side::Unusable(rejection), Some(_)) => Some(rejection.clone()),
            (Side::Ready(compiled), Some(value)) => {
                let mut base = Pointer::from("/structuredContent");
                if branch == Branch::LegacyWrapper {
                    base.push("result");
                }
                let instance = Instance {
                    value,
                    base: &base,
                    rounded: &body.rounded,
                };
                judge(compiled, instance, "mcp.result.structured-content.schema").err()
            }
        };
        Self { branch, rejection }
    }
}

/// The object inside an envelope whose one key is `result`.
fn inner(value: &Value) -> Option<&Value> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    members.get("result").filter(|inner| inner.is_object())
}

/// The version and the wrapping that a record states; `None` where it is not in order.
fn read(record: &Value) -> Option<(ProtocolVersion, bool)> {
    let members = record.as_object().filter(|members| members.len() == 3)?;
    let tool = members.get("tool")?.as_str()?;
    let version = match members.get("protocol")?.as_str()? {
        "2025-11-25" => V2025_11_25,
        "2026-07-28" => V2026_07_28,
        _ => return None,
    };
    let wraps = members.get("metaIdTool")?.as_bool()?;
    (!tool.is_empty()).then_some((version, wraps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(protocol: &str, meta: bool, structured: Option<Value>) -> Branch {
        let record = json!({"tool": "get_report", "protocol": protocol, "metaIdTool": meta});
        branch(Recorded::Record(&record), structured.as_ref()).0
    }

    #[test]
    fn the_envelope_counts_only_where_the_record_says_so() {
        let wrapped = || Some(json!({"result": {"region": "north"}}));
        assert_eq!(of("2025-11-25", true, wrapped()), Branch::LegacyWrapper);
        assert_eq!(of("2025-11-25", false, wrapped()), Branch::ValidateRoot);
        assert_eq!(of("2026-07-28", true, wrapped()), Branch::ValidateRoot);
    }

    #[test]
    fn an_envelope_is_one_key_that_holds_an_object() {
        for value in [
            json!({"result": [1]}),
            json!({"result": null}),
            json!({"result": {}, "other": 1}),
            json!({"data": {}}),
            json!({}),
        ] {
            assert_eq!(of("2025-11-25", true, Some(value)), Branch::ValidateRoot);
        }
    }

    #[test]
    fn what_is_missing_depends_on_the_version() {
        for value in [json!(null), json!([1]), json!("text"), json!(0), json!(false)] {
            assert_eq!(of("2025-11-25", false, Some(value.clone())), Branch::Missing);
            assert_eq!(of("2026-07-28", false, Some(value)), Branch::ValidateRoot);
        }
        assert_eq!(of("2025-11-25", false, None), Branch::Missing);
        assert_eq!(of("2026-07-28", true, None), Branch::Missing);
    }

    #[test]
    fn a_record_has_its_three_members_and_nothing_else() {
        let good = json!({"tool": "t", "protocol": "2026-07-28", "metaIdTool": false});
        for (member, value) in [
            ("tool", json!("")),
            ("tool", json!(null)),
            ("protocol", json!("2025-06-18")),
            ("metaIdTool", json!(null)),
            ("metaIdTool", json!("true")),
            ("server", json!("a")),
        ] {
            let mut record = good.clone();
            record[member] = value;
            let value = json!({});
            assert_eq!(branch(Recorded::Record(&record), Some(&value)).0, Branch::Schema);
        }
        for member in ["tool", "protocol", "metaIdTool"] {
            let mut record = good.clone();
            record.as_object_mut().map(|members| members.remove(member));
            assert_eq!(branch(Recorded::Record(&record), None).0, Branch::Schema);
        }
        assert_eq!(branch(Recorded::Record(&json!(null)), None).0, Branch::Schema);
    }
}
