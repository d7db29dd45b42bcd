//! Mutants that refuse tools which are in order.

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::certify::{Answer, Implementation, Outcome, Request};
use mcp_conform::corpus::GateName::{self, Definition};
use mcp_conform::gate::RejectionReason::SchemaInvalid;
use mcp_conform::schema::is_keyword;
use serde_json::{Value, json};

use super::DEFINITIONS;
use crate::change::{Members, read, rejected};
use crate::mutant::Matter::Suite;
use crate::mutant::Mutant;
use crate::walk::{any_schema, edit_all};

pub fn mutants() -> Vec<Mutant> {
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
                    let in_form =
                        |name: &str| (1..=64).contains(&name.len()) && name.chars().all(plain);
                    tool["name"].as_str().is_some_and(|name| !in_form(name))
                }),
            ),
            advice,
        ),
        of(
            Mutant::new(
                "refuses-unknown-keywords",
                "a schema with a member that is no keyword is refused, as by a strict engine",
                refusing(|tool| {
                    schemas(tool).any(|schema| {
                        any_schema(schema, &|members, _| {
                            members
                                .keys()
                                .any(|name| !is_keyword(name) && name != "x-mcp-header")
                        })
                    })
                }),
            ),
            "definition/meta-schema",
        )
        .known_by(Definition, NonStrict, Suite("definition/meta-schema")),
        of(
            Mutant::new(
                "refuses-unknown-members-of-a-tool",
                "a tool with a member that its version lacks is refused",
                refusing(|tool| {
                    let members = tool.as_object();
                    members.is_some_and(|members| members.keys().any(|name| !is_member(name)))
                }),
            )
            .ungenerated(DEFINITIONS),
            "definition/tool-members",
        ),
        of(
            Mutant::new(
                "refuses-composed-input-schemas",
                "an inputSchema with oneOf, anyOf or allOf at its root is refused",
                refusing(|tool| {
                    let input = &tool["inputSchema"];
                    let mut keywords = ["oneOf", "anyOf", "allOf"].into_iter();
                    keywords.any(|keyword| input.get(keyword).is_some())
                }),
            ),
            "definition/input-schema",
        )
        .sparing("definition/tool-members"),
        of(
            Mutant::new(
                "refuses-references",
                "a schema with a `$ref` in it is refused",
                refusing(|tool| in_any(tool, &|members| members.contains_key("$ref"))),
            ),
            "definition/references",
        )
        .sparing("definition/tool-members"),
        of(
            Mutant::new(
                "refuses-recursion",
                "a schema that refers to itself is refused, though it ends",
                refusing(|tool| in_any(tool, &|members| members.get("$ref") == Some(&json!("#")))),
            ),
            "definition/references",
        ),
        of(
            Mutant::new(
                "refuses-boolean-subschemas",
                "true and false in the place of a schema are refused",
                refusing(|tool| {
                    let flags = |members: &Members| {
                        let inside = members.get("properties").and_then(Value::as_object);
                        inside.is_some_and(|inside| inside.values().any(Value::is_boolean))
                            || members.get("items").is_some_and(Value::is_boolean)
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
                refusing(|tool| {
                    let list = |members: &Members| members.get("type").is_some_and(Value::is_array);
                    in_any(tool, &list)
                }),
            ),
            advice,
        )
        .sparing("definition/tool-members"),
        of(
            Mutant::new(
                "refuses-identifiers-of-other-schemes",
                "`$id` must be an https URL",
                refusing(|tool| {
                    schemas(tool).any(|schema| {
                        let id = schema.get("$id").and_then(Value::as_str);
                        id.is_some_and(|id| !id.starts_with("https://"))
                    })
                }),
            ),
            "definition/identifiers",
        ),
        of(
            Mutant::new(
                "compiles-patterns-in-another-dialect",
                "a `pattern` with lookahead is refused, as by an engine without it",
                refusing(|tool| {
                    schemas(tool).any(|schema| {
                        any_schema(schema, &|members, _| {
                            members
                                .get("pattern")
                                .and_then(Value::as_str)
                                .is_some_and(|pattern| pattern.contains("(?="))
                        })
                    })
                }),
            ),
            advice,
        ),
        of(
            Mutant::new(
                "takes-data-for-schemas",
                "what stands in `enum`, `const`, `default` or `examples` is held for a schema",
                refusing(|tool| {
                    schemas(tool).any(|schema| {
                        any_schema(schema, &|members, _| {
                            ["enum", "const", "default", "examples"]
                                .iter()
                                .any(|keyword| {
                                    let mut data =
                                        members.get(*keyword).cloned().unwrap_or_default();
                                    edit_all(&mut data, &|value| {
                                        let reference = value.get("$ref").is_some();
                                        let kind = value.get("type").and_then(Value::as_str);
                                        reference || kind.is_some_and(|kind| kind != "object")
                                    })
                                })
                        })
                    })
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
                    rejected(&right, SchemaInvalid)
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

/// Whether any subschema of the tool is as `found` says.
fn in_any(tool: &Value, found: &dyn Fn(&Members) -> bool) -> bool {
    schemas(tool).any(|schema| any_schema(schema, &|members, _| found(members)))
}

/// Whether some version defines a member of this name in a tool.
fn is_member(name: &str) -> bool {
    let of_text = ["name", "title", "description"].contains(&name);
    let of_schema = ["inputSchema", "outputSchema"].contains(&name);
    of_text || of_schema || ["annotations", "icons", "execution", "_meta"].contains(&name)
}
