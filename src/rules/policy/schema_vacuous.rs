//! policy.schema.vacuous: a schema accepts less than everything.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::policy_schemas::{closed, refines};
use crate::schema::Node;

/// The keywords whose subschemas describe a value by themselves.
const PLACES: [&str; 8] = [
    "",
    "properties",
    "patternProperties",
    "items",
    "prefixItems",
    "contains",
    "$defs",
    "definitions",
];
/// The keywords that say what a value is.
const SAYS: [&str; 15] = [
    "type",
    "enum",
    "const",
    "properties",
    "patternProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "dependentSchemas",
    "dependencies",
];

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in closed(context, view) {
        let tree = at.schema.tree();
        for node in &tree.nodes {
            if PLACES.contains(&node.keyword) && says_nothing(node) && !refines(tree, node) {
                let message = "the schema accepts anything: it names neither a type nor values";
                out.push(Finding::new(at.at(&node.pointer), message));
            }
        }
    }
}

fn says_nothing(node: &Node<'_>) -> bool {
    match node.value {
        Value::Bool(accepts) => *accepts,
        Value::Object(members) => !SAYS.iter().any(|keyword| members.contains_key(*keyword)),
        _ => false,
    }
}
