//! Mutants that use tools which nobody may use, or refuse tools that are in order.

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::certify::{Answer, Implementation, Outcome, Request};
use mcp_conform::corpus::GateName::{self, Definition};
use mcp_conform::gate::RejectionReason::SchemaInvalid;
use mcp_conform::protocol::ProtocolVersion::{V2025_06_18, V2025_11_25, V2026_07_28};
use mcp_conform::schema::is_keyword;
use serde_json::{Value, json};

use super::DEFINITIONS;
use crate::change::{asking, edited, read, rejected};
use crate::mutant::Matter::{Rule, Suite};
use crate::mutant::Mutant;
use crate::rules::{forgiving, forgiving_where};
use crate::walk::{any_schema, edit_all, edit_schemas};

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
    forgiven
        .chain(repairs())
        .chain(refusals())
        .chain(versions())
        .collect()
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

/// Refuses tools that are in order, wherever they come.
fn refusing(
    refuses: impl Fn(&Value) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    move |request, inner| {
        let right = inner.run(request);
        match right.answer {
            Answer::Accept if request.gate == Definition => {
                let refused = read(request, "tool").is_some_and(|tool| refuses(&tool));
                if refused {
                    rejected(right, SchemaInvalid)
                } else {
                    right
                }
            }
            Answer::Accept if request.gate == GateName::Listing => {
                let listing = read(request, "tools").unwrap_or_default();
                let tools = listing["tools"].as_array().map_or(&[][..], Vec::as_slice);
                let keeps = |name: &String| {
                    let mut named = tools.iter().filter(|tool| tool["name"] == **name);
                    named.any(|tool| !refuses(tool))
                };
                let usable = right
                    .usable
                    .map(|names| names.into_iter().filter(keeps).collect());
                Outcome { usable, ..right }
            }
            _ => right,
        }
    }
}

fn schemas(tool: &Value) -> impl Iterator<Item = &Value> {
    ["inputSchema", "outputSchema"]
        .into_iter()
        .filter_map(|side| tool.get(side))
}

fn refusals() -> Vec<Mutant> {
    let of = |mutant: Mutant, suite| {
        mutant
            .sparing("definition/x-mcp-header")
            .known_by(Definition, Fail, Suite(suite))
    };
    let advice = "definition/advice-only";
    vec![
        of(
            Mutant::new(
                "refuses-names-out-of-form",
                "a tool whose name is not of the advised form is refused",
                refusing(|tool| {
                    let plain = |char: char| char.is_ascii_alphanumeric() || "_-".contains(char);
                    tool["name"].as_str().is_some_and(|name| name.is_empty() || name.len() > 64 || !name.chars().all(plain))
                }),
            ),
            advice,
        ),
        of(
            Mutant::new(
                "refuses-unknown-keywords",
                "a schema with a member that is no keyword is refused, as by a strict engine",
                refusing(|tool| schemas(tool).any(|schema| any_schema(schema, &|members, _| {
                    members.keys().any(|name| !is_keyword(name) && name != "x-mcp-header")
                }))),
            ),
            "definition/meta-schema",
        )
        .known_by(Definition, NonStrict, Suite("definition/meta-schema")),
        of(
            Mutant::new(
                "refuses-unknown-members-of-a-tool",
                "a tool with a member that its version lacks is refused",
                refusing(|tool| {
                    const KNOWN: [&str; 9] = ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "execution", "_meta"];
                    let members = tool.as_object();
                    members.is_some_and(|members| members.keys().any(|name| !KNOWN.contains(&name.as_str())))
                }),
            ).ungenerated(DEFINITIONS),
            "definition/tool-members",
        ),
        of(
            Mutant::new(
                "refuses-composed-input-schemas",
                "an inputSchema with oneOf, anyOf or allOf at its root is refused, as by some model providers",
                refusing(|tool| {
                    ["oneOf", "anyOf", "allOf"].iter().any(|keyword| tool["inputSchema"].get(keyword).is_some())
                }),
            ),
            "definition/input-schema",
        )
        .sparing("definition/tool-members"),
        of(
            Mutant::new(
                "refuses-references",
                "a schema with a `$ref` in it is refused",
                refusing(|tool| schemas(tool).any(|schema| any_schema(schema, &|members, _| members.contains_key("$ref")))),
            ),
            "definition/references",
        )
        .sparing("definition/tool-members"),
        of(
            Mutant::new(
                "refuses-recursion",
                "a schema that refers to itself is refused, though it ends",
                refusing(|tool| schemas(tool).any(|schema| any_schema(schema, &|members, _| members.get("$ref") == Some(&json!("#"))))),
            ),
            "definition/references",
        ),
        of(
            Mutant::new(
                "refuses-boolean-subschemas",
                "true and false in the place of a schema are refused",
                refusing(|tool| {
                    let flags = |members: &crate::change::Members| {
                        let inside = members.get("properties").and_then(Value::as_object);
                        inside.is_some_and(|inside| inside.values().any(Value::is_boolean)) || members.get("items").is_some_and(Value::is_boolean)
                    };
                    schemas(tool).any(|schema| any_schema(schema, &|members, _| flags(members)))
                }),
            ),
            "definition/native-shape",
        ),
        of(
            Mutant::new(
                "refuses-lists-of-types",
                "`type` must be one name",
                refusing(|tool| schemas(tool).any(|schema| any_schema(schema, &|members, _| members.get("type").is_some_and(Value::is_array)))),
            ),
            advice,
        )
        .sparing("definition/tool-members"),
        of(
            Mutant::new(
                "refuses-identifiers-of-other-schemes",
                "`$id` must be an https URL",
                refusing(|tool| schemas(tool).any(|schema| {
                    let id = schema.get("$id").and_then(Value::as_str);
                    id.is_some_and(|id| !id.starts_with("https://"))
                })),
            ),
            "definition/identifiers",
        ),
        of(
            Mutant::new(
                "compiles-patterns-in-another-dialect",
                "a `pattern` with lookahead or a Unicode property is refused, as by a linear engine",
                refusing(|tool| schemas(tool).any(|schema| any_schema(schema, &|members, _| {
                    members.get("pattern").and_then(Value::as_str).is_some_and(|pattern| pattern.contains("(?="))
                }))),
            ),
            advice,
        ),
        of(
            Mutant::new(
                "takes-data-for-schemas",
                "what stands in `enum`, `const`, `default` or `examples` is held for a schema",
                refusing(|tool| {
                    schemas(tool).any(|schema| any_schema(schema, &|members, _| {
                        ["enum", "const", "default", "examples"].iter().any(|keyword| {
                            let mut data = members.get(*keyword).cloned().unwrap_or_default();
                            edit_all(&mut data, &|value| {
                                let reference = value.get("$ref").is_some();
                                reference || value.get("type").is_some_and(|kind| kind.as_str().is_some_and(|kind| kind != "object"))
                            })
                        })
                    }))
                }),
            ),
            "definition/references",
        )
        .sparing("definition/native-shape"),
        of(
            Mutant::new(
                "refuses-tools-without-a-description",
                "a tool must have a description",
                refusing(|tool| tool.get("description").is_none()),
            ),
            "definition/tool-members",
        )
        .broad()
        .sparing("result/keywords-type"),
    ]
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
