//! The `x-mcp-header` annotations of a tool's inputSchema.

use serde_json::Value;

use super::context::ToolView;
use crate::schema::{Node, Tree};
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
