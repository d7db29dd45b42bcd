//! The audit guard: which part of a recorded result is to be judged.

use serde_json::Value;

use super::definition::{Side, ToolGate};
use super::rejection::Rejection;
use super::toolbox::judge;
use crate::protocol::ProtocolVersion::{self, V2025_11_25, V2026_07_28};
use crate::rules::Form;
use crate::schema::Instance;
use crate::source::{Parsed, Pointer};

/// The branches of the guard, counted apart and never folded into one.
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

/// A JSON value as the guard reads it, whatever holds it: the audit of logs has a representation
/// of its own, and the guard is the same.
pub trait Readable: Copy {
    /// How many members it has; `None` where it is no object.
    fn members(self) -> Option<usize>;
    /// The member `name`, if it is an object that has one.
    fn member(self, name: &str) -> Option<Self>;
    /// The string, if it is one.
    fn text(&self) -> Option<&str>;
    /// The boolean, if it is one.
    fn flag(self) -> Option<bool>;
}

impl Readable for &Value {
    fn members(self) -> Option<usize> {
        self.as_object().map(serde_json::Map::len)
    }

    fn member(self, name: &str) -> Option<Self> {
        self.as_object()?.get(name)
    }

    fn text(&self) -> Option<&str> {
        self.as_str()
    }

    fn flag(self) -> Option<bool> {
        self.as_bool()
    }
}

/// How a recorded call says that it is to be judged.
#[derive(Clone, Copy, Debug)]
pub enum Recorded<V> {
    /// By a record `{tool, protocol, metaIdTool}`.
    Record(V),
    /// By its protocol version alone.
    Protocol(ProtocolVersion),
}

impl<V: Readable> Recorded<V> {
    /// The version to judge on, and whether the tool may wrap what it returns; `None` where the
    /// record is not in order.
    pub fn terms(self) -> Option<(ProtocolVersion, bool)> {
        let record = match self {
            Self::Protocol(version) => return Some((version, false)),
            Self::Record(record) => record,
        };
        if record.members()? != 3 || record.member("tool")?.text()?.is_empty() {
            return None;
        }
        let version = match record.member("protocol")?.text()? {
            "2025-11-25" => V2025_11_25,
            "2026-07-28" => V2026_07_28,
            _ => return None,
        };
        Some((version, record.member("metaIdTool")?.flag()?))
    }
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
pub fn branch<V: Readable>(recorded: Recorded<V>, structured: Option<V>) -> (Branch, Option<V>) {
    let Some((version, wraps)) = recorded.terms() else {
        return (Branch::Schema, None);
    };
    // Before 2026-07-28 structured content is an object or nothing (arbitration 7).
    let present = structured.filter(|value| version >= V2026_07_28 || value.members().is_some());
    let Some(value) = present else {
        return (Branch::Missing, None);
    };
    match inner(value) {
        Some(inner) if wraps && version == V2025_11_25 => (Branch::LegacyWrapper, Some(inner)),
        _ => (Branch::ValidateRoot, Some(value)),
    }
}

/// The object inside an envelope whose one key is `result`.
pub(crate) fn inner<V: Readable>(value: V) -> Option<V> {
    let inner = value
        .member("result")
        .filter(|_| value.members() == Some(1))?;
    inner.members().map(|_| inner)
}

/// What the outputSchema of a tool asks of a recorded result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due<V> {
    /// Nothing: none is declared, the tool failed, the call is not over, the record is broken.
    Nothing,
    /// Structured content, which is not there.
    Missing,
    /// That this value fits.
    Fit(V),
}

/// What is due on `branch`, where `target` is what it names, from a tool that has `declared` an
/// outputSchema.
pub fn due<V>(
    branch: Branch,
    target: Option<V>,
    declared: bool,
    is_error: bool,
    form: Form,
) -> Due<V> {
    if branch == Branch::Schema || !declared || is_error || form != Form::Complete {
        return Due::Nothing;
    }
    target.map_or(Due::Missing, Due::Fit)
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
    pub fn new(tool: &ToolGate, recorded: Recorded<&Value>, body: &Parsed) -> Self {
        let structured = body.value.get("structuredContent");
        let (branch, target) = branch(recorded, structured);
        let is_error = body.value.get("isError") == Some(&Value::Bool(true));
        let form = recorded.terms().map_or(Form::Unknown, |(version, _)| {
            let kind = body.value.get("resultType").map(Value::as_str);
            Form::told(version, kind, || {
                let is_task = body.value.get("task").is_some_and(Value::is_object);
                is_task && body.value.get("content").is_none()
            })
        });
        let declared = tool.has_output_schema();
        let rejection = match (due(branch, target, declared, is_error, form), &tool.output) {
            (Due::Nothing, _) | (_, Side::Absent) => None,
            (Due::Missing, _) => Some(Rejection::by(
                "mcp.result.structured-content.required",
                "there is no structured content to judge",
            )),
            (Due::Fit(_), Side::Unusable(rejection)) => Some(rejection.clone()),
            (Due::Fit(value), Side::Ready(compiled)) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(protocol: &str, meta: bool, structured: Option<&Value>) -> Branch {
        let record = json!({"tool": "get_report", "protocol": protocol, "metaIdTool": meta});
        branch(Recorded::Record(&record), structured).0
    }

    #[test]
    fn the_envelope_counts_only_where_the_record_says_so() {
        let wrapped = json!({"result": {"region": "north"}});
        let of = |version, meta| of(version, meta, Some(&wrapped));
        assert_eq!(of("2025-11-25", true), Branch::LegacyWrapper);
        assert_eq!(of("2025-11-25", false), Branch::ValidateRoot);
        assert_eq!(of("2026-07-28", true), Branch::ValidateRoot);
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
            assert_eq!(of("2025-11-25", true, Some(&value)), Branch::ValidateRoot);
        }
    }

    #[test]
    fn what_is_missing_depends_on_the_version() {
        for value in [json!(null), json!([1]), json!("text"), json!(0)] {
            assert_eq!(of("2025-11-25", false, Some(&value)), Branch::Missing);
            assert_eq!(of("2026-07-28", false, Some(&value)), Branch::ValidateRoot);
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
            assert_eq!(
                branch(Recorded::Record(&record), Some(&value)).0,
                Branch::Schema
            );
        }
        for member in ["tool", "protocol", "metaIdTool"] {
            let mut record = good.clone();
            record.as_object_mut().map(|members| members.remove(member));
            assert_eq!(branch(Recorded::Record(&record), None).0, Branch::Schema);
        }
        assert_eq!(
            branch(Recorded::Record(&json!(null)), None).0,
            Branch::Schema
        );
    }
}
