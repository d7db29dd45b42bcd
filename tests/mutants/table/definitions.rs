//! Mutants that use tools which nobody may use, or judge them by another version.

use mcp_conform::certify::Request;
use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::corpus::GateName::{self, Definition};
use mcp_conform::protocol::ProtocolVersion::{V2025_06_18, V2025_11_25, V2026_07_28};
use mcp_conform::schema::is_keyword;
use serde_json::Value;

use super::DEFINITIONS;
use crate::change::{asking, edited};
use crate::mutant::Matter::{Rule, Suite};
use crate::mutant::Mutant;
use crate::rules::{forgiving, forgiving_where};
use crate::walk::edit_schemas;

/// Rules that an implementation may not know, with its name and fault without it.
const FORGIVEN: &[(&str, &str, &[&str])] = &[
    (
        "takes-any-schema",
        "no schema is held against the meta-schema of its dialect",
        &["mcp.tool.schema.valid"],
    ),
    (
        "leaves-references-unresolved",
        "a `$ref` that leads nowhere costs nothing",
        &["mcp.tool.schema.ref-unresolved"],
    ),
    (
        "lets-references-leave-the-document",
        "a `$ref` to another document is used, fetched or passed over",
        &["mcp.tool.schema.ref-external"],
    ),
    (
        "lets-references-go-in-circles",
        "a `$ref` that leads back to itself is used",
        &["mcp.tool.schema.ref-cycle"],
    ),
    (
        "takes-any-identifier",
        "`$id` may be any text",
        &["mcp.tool.schema.id"],
    ),
    (
        "forgets-the-native-shape",
        "`properties` and `required` of an early version may hold anything that JSON Schema allows",
        &["mcp.tool.schema.native-shape"],
    ),
    (
        "asks-for-no-input-schema",
        "a tool without inputSchema is used",
        &["mcp.tool.input-schema.required"],
    ),
    (
        "takes-any-root-of-an-input-schema",
        "the root of an inputSchema need not be of the type object",
        &["mcp.tool.input-schema.object-root"],
    ),
    (
        "takes-any-root-of-an-output-schema",
        "the root of an outputSchema need not be of the type object on 2025-06-18 and 2025-11-25",
        &["mcp.tool.output-schema.object-root"],
    ),
    (
        "takes-any-members-of-a-tool",
        "title, annotations, icons and the like may be of any type",
        &["mcp.tool.shape"],
    ),
    (
        "takes-any-header-name",
        "an x-mcp-header may be no token of RFC 9110",
        &["mcp.tool.x-mcp-header.token"],
    ),
    (
        "takes-a-header-twice",
        "two arguments may go into one header",
        &["mcp.tool.x-mcp-header.unique"],
    ),
    (
        "takes-a-header-of-any-type",
        "an argument that goes into a header may be of any type",
        &["mcp.tool.x-mcp-header.type"],
    ),
    (
        "takes-a-header-anywhere",
        "an x-mcp-header may stand where no argument is",
        &["mcp.tool.x-mcp-header.placement"],
    ),
];

pub fn mutants() -> Vec<Mutant> {
    let forgiven = FORGIVEN.iter().map(|(name, fault, rules)| {
        let verdict = match rules[0] {
            "mcp.tool.schema.ref-external" | "mcp.tool.schema.ref-cycle" => NonStrict,
            _ => Fail,
        };
        let mutant = Mutant::new(*name, *fault, forgiving(rules))
            .sparing("definition/advice-only")
            .known_by(Definition, verdict, Rule(rules[0]));
        match rules[0].rsplit('.').next() {
            Some("ref-cycle" | "id" | "token" | "unique" | "type" | "placement") => {
                mutant.ungenerated(DEFINITIONS)
            }
            _ => mutant,
        }
    });
    forgiven.chain(repairs()).chain(versions()).collect()
}

fn repairs() -> Vec<Mutant> {
    let known = |mutant: Mutant, rule| {
        mutant
            .sparing("definition/advice-only")
            .known_by(Definition, Fail, Rule(rule))
    };
    vec![
        known(
            Mutant::new(
                "takes-null-members-of-a-tool-for-absent",
                "a member of null is as good as none",
                asking(|request| {
                    let nulls = request.field("tool").contains("null");
                    nulls
                        .then(|| edited(request, ("tool", None), drop_nulls))
                        .flatten()
                }),
            ),
            "mcp.tool.shape",
        ),
        known(
            Mutant::new(
                "takes-null-for-no-keyword",
                "a keyword of null is as good as none",
                asking(|request| {
                    repaired(request, "null", |schema| {
                        let before = schema.len();
                        schema.retain(|name, value| {
                            !(value.is_null()
                                && is_keyword(name)
                                && !["const", "default"].contains(&name.as_str()))
                        });
                        schema.len() < before
                    })
                }),
            )
            .ungenerated(DEFINITIONS),
            "mcp.tool.schema.native-shape",
        ),
        known(
            Mutant::new(
                "drops-required-beside-a-property",
                "`required: true` inside a property, as of draft-03, is read past",
                asking(|request| {
                    repaired(request, "required", |schema| {
                        schema.get("required").is_some_and(Value::is_boolean)
                            && schema.shift_remove("required").is_some()
                    })
                }),
            )
            .ungenerated(DEFINITIONS),
            "mcp.tool.schema.valid",
        ),
        known(
            Mutant::new(
                "reads-type-names-of-other-languages",
                "`str`, `int` and the like are read as JSON Schema's names",
                asking(|request| {
                    repaired(request, "type", |schema| {
                        let name = match schema.get("type").and_then(Value::as_str) {
                            Some("str") => "string",
                            Some("int" | "Integer") => "integer",
                            Some("dict" | "Object" | "OBJECT") => "object",
                            Some("bool") => "boolean",
                            _ => return false,
                        };
                        schema.insert("type".into(), name.into()).is_some()
                    })
                }),
            )
            .ungenerated(DEFINITIONS),
            "mcp.tool.schema.valid",
        ),
        known(
            Mutant::new(
                "adds-the-root-type-itself",
                "a root without `type` is taken for one of the type object",
                forgiving_where(&["mcp.tool.input-schema.object-root"], |tool| {
                    tool["inputSchema"].get("type").is_none()
                }),
            ),
            "mcp.tool.input-schema.object-root",
        ),
        known(
            Mutant::new(
                "compares-headers-letter-by-letter",
                "two headers that differ in case alone are two",
                forgiving_where(&["mcp.tool.x-mcp-header.unique"], |tool| {
                    let mut names = Vec::new();
                    collect_headers(&tool["inputSchema"], &mut names);
                    let all = names.len();
                    names.sort();
                    names.dedup();
                    names.len() == all
                }),
            )
            .ungenerated(DEFINITIONS),
            "mcp.tool.x-mcp-header.unique",
        ),
    ]
}

fn collect_headers(schema: &Value, names: &mut Vec<String>) {
    let Some(members) = schema.as_object() else {
        return;
    };
    names.extend(
        members
            .get("x-mcp-header")
            .and_then(Value::as_str)
            .map(str::to_owned),
    );
    let declared = members.get("properties").and_then(Value::as_object);
    for member in declared.into_iter().flat_map(|declared| declared.values()) {
        collect_headers(member, names);
    }
}

fn drop_nulls(tool: &mut Value) -> bool {
    tool.as_object_mut().is_some_and(|members| {
        let before = members.len();
        members.retain(|_, member| !member.is_null());
        members.len() < before
    })
}

/// The request with every subschema of its tool repaired.
fn repaired(
    request: &Request,
    word: &str,
    repair: fn(&mut crate::change::Members) -> bool,
) -> Option<Request> {
    if request.gate == GateName::Listing || !request.field("tool").contains(word) {
        return None;
    }
    edited(request, ("tool", None), |tool| {
        let mut changed = false;
        for side in ["inputSchema", "outputSchema"] {
            if let Some(schema) = tool.get_mut(side) {
                changed |= edit_schemas(schema, &|schema, _| repair(schema));
            }
        }
        changed
    })
}

fn versions() -> Vec<Mutant> {
    let at = |from, to| {
        move |request: &Request| {
            let here = request.version == from && request.gate == Definition;
            here.then(|| Request {
                version: to,
                ..request.clone()
            })
        }
    };
    let known = |mutant: Mutant, suite| {
        mutant
            .sparing("definition/advice-only")
            .known_by(Definition, Fail, Suite(suite))
    };
    vec![
        known(
            Mutant::new(
                "reads-2026-07-28-as-2025-11-25",
                "definitions of 2026-07-28 are judged by the version before",
                asking(at(V2026_07_28, V2025_11_25)),
            ),
            "definition/output-schema",
        ),
        known(
            Mutant::new(
                "reads-2025-06-18-as-2026-07-28",
                "definitions of 2025-06-18 are judged by the last version",
                asking(at(V2025_06_18, V2026_07_28)),
            ),
            "definition/output-schema",
        ),
        known(
            Mutant::new(
                "reads-2025-11-25-as-2026-07-28",
                "definitions of 2025-11-25 are judged by the last version",
                asking(at(V2025_11_25, V2026_07_28)),
            ),
            "definition/x-mcp-header",
        ),
    ]
}
