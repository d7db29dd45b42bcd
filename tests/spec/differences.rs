//! Where our judgement of a shape is meant to differ from the published schema, and why.

use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};

use crate::damage::{Change, Damaged};
use crate::judge::Form::{self, Answer, Excerpt, Exchange, Message};
use crate::wire::Shape::{self, InputRequired, Listing, Request, Response, Result, Tool};

/// Who lets the value pass that the other refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The rule, without a word.
    Passes,
    /// The rule, with a warning.
    Warns,
    /// The published schema.
    Refuses,
}

/// A difference that is meant.
#[derive(Debug)]
pub struct Difference {
    /// What the rule does.
    pub side: Side,
    /// The rule, and what else it brings with it.
    pub rules: &'static [&'static str],
    pub versions: &'static [ProtocolVersion],
    pub shapes: &'static [Shape],
    pub forms: &'static [Form],
    /// The damaged value's pointer: `*` is any token, `**` any number of them.
    pub at: &'static str,
    pub when: fn(&Damaged) -> bool,
    /// The clause of the rules that says so.
    pub because: &'static str,
}

impl Difference {
    pub fn covers(
        &self,
        version: ProtocolVersion,
        shape: Shape,
        form: Form,
        damaged: &Damaged,
    ) -> bool {
        let tokens: Vec<_> = damaged.pointer.split('/').skip(1).collect();
        let pattern: Vec<_> = self.at.split('/').skip(1).collect();
        self.versions.contains(&version)
            && self.shapes.contains(&shape)
            && self.forms.contains(&form)
            && matches(&pattern, &tokens)
            && (self.when)(damaged)
    }
}

fn matches(pattern: &[&str], tokens: &[&str]) -> bool {
    match (pattern, tokens) {
        ([], []) => true,
        (["**", rest @ ..], _) if matches(rest, tokens) => true,
        (["**", ..], [_, tail @ ..]) => matches(pattern, tail),
        ([first, rest @ ..], [token, tail @ ..]) => {
            (*first == "*" || first == token) && matches(rest, tail)
        }
        _ => false,
    }
}

fn removed(damaged: &Damaged) -> bool {
    damaged.change == Change::Removed
}

fn set(damaged: &Damaged) -> bool {
    matches!(damaged.change, Change::Set(_))
}

fn set_to_string(damaged: &Damaged) -> bool {
    damaged.change.sets("string")
}

fn removed_or_set(damaged: &Damaged) -> bool {
    removed(damaged) || set(damaged)
}

/// Null and fractions, and what holds them.
fn lost_in_generation(damaged: &Damaged) -> bool {
    match &damaged.change {
        Change::Set(value) => {
            value.is_null() || value.is_f64() || *value == serde_json::json!([null])
        }
        Change::MemberAdded => true,
        Change::None | Change::Removed => false,
    }
}

const ALL: &[ProtocolVersion] = &[V2025_06_18, V2025_11_25, V2026_07_28];

/// The columns of the table, one difference a row.
const fn row(
    side: Side,
    rules: &'static [&'static str],
    versions: &'static [ProtocolVersion],
    (shapes, forms): (&'static [Shape], &'static [Form]),
    at: &'static str,
    when: fn(&Damaged) -> bool,
    because: &'static str,
) -> Difference {
    Difference {
        side,
        rules,
        versions,
        shapes,
        forms,
        at,
        when,
        because,
    }
}

const MESSAGES: (&[Shape], &[Form]) = (&[Request, Response], &[Message]);
const CAPABILITIES: &str = "/params/_meta/io.modelcontextprotocol~1clientCapabilities";
const TOOLS: (&[Shape], &[Form]) = (&[Tool, Listing], &[Exchange, Excerpt, Answer]);
const RESULTS: &[Form] = &[Exchange, Answer];

/// Every difference; one that no value needs fails the test.
pub fn differences() -> Vec<Difference> {
    use Side::{Passes, Refuses, Warns};
    let capability = |below: &str| -> &'static str { format!("{CAPABILITIES}{below}").leak() };
    let envelope = &["mcp.message.envelope"];
    let native = &["mcp.tool.schema.native-shape"];
    let generated = "schema.ts (tier 1): a JSONValue may be null or a fraction; \
                     schema.json is generated from it and has lost both";
    let arbitration_1 = "arbitration 1: on 2025-11-25 schema.ts says how a tool's schemas look, \
                         and the prose lets every valid 2020-12 schema stand";
    let logs = "mcp.message.envelope judges the member where it is present: logs leave it out";
    let only_envelope = "how the rules are read: of a message that is nothing in particular only \
                         the envelope is judged";
    vec![
        row(Passes, envelope, ALL, MESSAGES, "/jsonrpc", removed, logs),
        row(Passes, envelope, ALL, MESSAGES, "/id", removed, logs),
        row(
            Passes,
            envelope,
            ALL,
            (&[Request], &[Message]),
            "/method",
            set_to_string,
            only_envelope,
        ),
        row(
            Passes,
            envelope,
            ALL,
            (&[Response], &[Message]),
            "/result/_meta",
            set,
            only_envelope,
        ),
        row(
            Passes,
            envelope,
            &[V2026_07_28],
            (&[Response], &[Message]),
            "/result/resultType",
            removed_or_set,
            only_envelope,
        ),
        row(
            Passes,
            envelope,
            &[V2026_07_28],
            (&[Response], &[Message]),
            "/result",
            |damaged| damaged.change.sets("object"),
            only_envelope,
        ),
        row(
            Passes,
            &["mcp.call.shape"],
            &[V2026_07_28],
            (&[Request], &[Message]),
            capability("/*/*/*/**"),
            |damaged| lost_in_generation(damaged) && set(damaged),
            generated,
        ),
        row(
            Passes,
            &["mcp.call.shape"],
            &[V2026_07_28],
            (&[Request], &[Message]),
            capability("/*/**"),
            |damaged| damaged.change == Change::MemberAdded,
            generated,
        ),
        row(
            Passes,
            &["mcp.call.shape"],
            &[V2026_07_28],
            (&[Request], &[Message]),
            "/params/inputResponses/*/content/*",
            |damaged| lost_in_generation(damaged) && damaged.change.sets("number"),
            "schema.ts (tier 1): a field of an ElicitResult is any number; \
             schema.json has made an integer of it",
        ),
        row(
            Passes,
            &["mcp.result.input-required"],
            &[V2026_07_28],
            (&[InputRequired], RESULTS),
            "/inputRequests/*/params/metadata/**",
            lost_in_generation,
            generated,
        ),
        row(
            Passes,
            &["mcp.result.type"],
            &[V2026_07_28],
            (&[Result], &[Exchange]),
            "/resultType",
            removed,
            "mcp.result.type: missing is an error in a full response, and an exchange's is not full",
        ),
        row(
            Passes,
            &["mcp.result.shape"],
            &[V2025_11_25],
            (&[Result], RESULTS),
            "/content",
            |damaged| removed(damaged) && damaged.value["task"].is_object(),
            "mcp.result.shape: a `task` object and no content is a CreateTaskResult",
        ),
        row(
            Passes,
            &["mcp.list.shape"],
            &[V2025_06_18, V2025_11_25],
            (&[Listing], &[Excerpt]),
            "",
            |damaged| damaged.change.sets("array"),
            "documents: a bare array of tools is a listing too",
        ),
        row(
            Warns,
            native,
            &[V2025_11_25],
            TOOLS,
            "/**/properties",
            set,
            arbitration_1,
        ),
        row(
            Warns,
            native,
            &[V2025_11_25],
            TOOLS,
            "/**/properties/*",
            set,
            arbitration_1,
        ),
        row(
            Warns,
            native,
            &[V2025_11_25],
            TOOLS,
            "/**/required",
            set,
            arbitration_1,
        ),
        row(
            Warns,
            native,
            &[V2025_11_25],
            TOOLS,
            "/**/required/*",
            set,
            arbitration_1,
        ),
        row(
            Warns,
            native,
            &[V2025_11_25],
            TOOLS,
            "/**/outputSchema/type",
            removed,
            arbitration_1,
        ),
        row(
            Warns,
            native,
            &[V2025_11_25],
            TOOLS,
            "/**/outputSchema",
            |damaged| damaged.change.sets("object"),
            arbitration_1,
        ),
        row(
            Refuses,
            &["mcp.tool.schema.dialect"],
            &[V2025_11_25, V2026_07_28],
            TOOLS,
            "/**/$schema",
            set_to_string,
            "mcp.tool.schema.dialect: a string that names no supported dialect",
        ),
        row(
            Refuses,
            &["mcp.result.type"],
            &[V2026_07_28],
            (&[Result], RESULTS),
            "/resultType",
            set_to_string,
            "mcp.result.type: none of complete, input_required, task",
        ),
        row(
            Refuses,
            &["mcp.result.type", "mcp.result.shape"],
            &[V2026_07_28],
            (&[InputRequired], RESULTS),
            "/resultType",
            set_to_string,
            "mcp.result.type: none of complete, input_required, task; and then content is owed",
        ),
        row(
            Refuses,
            &["mcp.list.shape"],
            &[V2026_07_28],
            (&[Listing], &[Answer]),
            "/resultType",
            set_to_string,
            "mcp.list.shape: a listing is complete",
        ),
        row(
            Refuses,
            &["mcp.result.input-required"],
            &[V2026_07_28],
            (&[InputRequired], RESULTS),
            "/*",
            |damaged| removed(damaged) && damaged.value.get("resultType").is_some(),
            "mcp.result.input-required: neither inputRequests nor requestState is left",
        ),
    ]
}
