//! The `x-mcp-header` annotations of a tool's inputSchema.

use std::collections::HashSet;

use serde_json::Value;

use super::context::ToolView;
use crate::schema::{Bounds, Node, Schema, Tree};
use crate::source::Pointer;

/// One annotation. A property that is *named* `x-mcp-header` is none.
pub(super) struct Annotation<'a> {
    /// What it says: the header's name after `Mcp-Param-`.
    pub(super) value: &'a Value,
    /// Where it stands in the document.
    pub(super) pointer: Pointer,
    /// The schema that is annotated.
    pub(super) schema: &'a Value,
    /// Whether it stands at the root of the inputSchema.
    pub(super) at_root: bool,
    /// Whether that schema is a property reached from the root by `properties` alone.
    pub(super) placed: bool,
}

/// The annotations in the order in which they are written.
pub(super) fn annotations<'a>(view: &ToolView<'a>) -> Vec<Annotation<'a>> {
    let Some(input) = &view.input else {
        return Vec::new();
    };
    let tree = input.schema.tree();
    let annotated = tree.nodes.iter().filter_map(|node| {
        Some(Annotation {
            value: node.get("x-mcp-header")?,
            pointer: input.at(&node.pointer.join("x-mcp-header")),
            schema: node.value,
            at_root: node.pointer.is_root(),
            placed: is_placed(tree, node),
        })
    });
    annotated.collect()
}

fn is_placed(tree: &Tree<'_>, node: &Node<'_>) -> bool {
    let mut node = node;
    if node.pointer.is_root() {
        return false;
    }
    while let Some(parent) = node.parent {
        if node.keyword != "properties" {
            return false;
        }
        node = &tree.nodes[parent];
    }
    node.pointer.is_root()
}

/// An argument that a client has to repeat in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// The members that lead to it from the arguments.
    pub path: Vec<String>,
    /// The header's name after `Mcp-Param-`.
    pub header: String,
}

/// What calls of a tool with this inputSchema have to repeat in headers (SEP-2243). Nothing where
/// the schema exceeds a bound or an annotation breaks a rule: no client may offer such a tool.
pub fn mirrors(input: &Value, bounds: Bounds) -> Vec<Mirror> {
    let schema = Schema::new(input, bounds);
    if !input.is_object() || !schema.excesses().is_empty() {
        return Vec::new();
    }
    let tree = schema.tree();
    let mut seen = HashSet::new();
    let annotated = tree.nodes.iter().filter_map(|node| {
        let value = node.get("x-mcp-header")?;
        let sound = |header: &&str| {
            is_token(header)
                && is_placed(tree, node)
                && is_header_type(node.value)
                && seen.insert(header.to_ascii_lowercase())
        };
        Some(value.as_str().filter(sound).map(|header| {
            Mirror {
                // `/properties/a/properties/b` leads to the argument `/a/b`.
                path: node
                    .pointer
                    .tokens()
                    .skip(1)
                    .step_by(2)
                    .map(|name| name.to_string())
                    .collect(),
                header: header.to_owned(),
            }
        }))
    });
    annotated.collect::<Option<_>>().unwrap_or_default()
}

/// RFC 9110, section 5.6.2.
pub(super) fn is_tchar(char: char) -> bool {
    char.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(char)
}

fn is_token(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_tchar)
}

/// Whether values of this property can go into a header.
pub(super) fn is_header_type(property: &Value) -> bool {
    let kind = property.get("type").and_then(Value::as_str);
    matches!(kind, Some("string" | "integer" | "boolean"))
}
