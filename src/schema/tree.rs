//! A schema as the tree of its subschemas, with identifiers and references resolved.
//!
//! Only schema positions are walked: names under `properties` are names, and what `const`, `enum`,
//! `default` and `examples` hold is data (JSON Schema 2020-12 Core, section 9).

use std::collections::HashMap;

use fluent_uri::Uri;
use serde_json::{Map, Value};

use super::dialect::{Dialect, Holds};
use crate::source::Pointer;

/// Where a schema without an identifier of its own stands; never fetched, never shown.
const UNNAMED: &str = "json-schema:///";

/// One subschema.
#[derive(Debug)]
pub struct Node<'a> {
    /// Where it stands, from the root schema.
    pub pointer: Pointer,
    /// An object, a boolean, or what an author wrote in their place.
    pub value: &'a Value,
    /// The dialect that it is read by.
    pub dialect: Dialect,
    /// The keyword of its parent that holds it; empty at the root.
    pub keyword: &'a str,
    /// The schema that holds it.
    pub parent: Option<usize>,
    /// Levels of subschemas above it.
    pub depth: usize,
    /// The resource that it belongs to.
    pub(super) resource: usize,
}

impl<'a> Node<'a> {
    /// The member `name`, if the schema is an object and has it.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.value.as_object()?.get(name)
    }

    /// Whether a `$schema` counts here, below the root: beside the identifier that the dialect has
    /// which it names.
    pub fn declares_dialect(&self) -> bool {
        let named = self.get("$schema").and_then(Value::as_str);
        let dialect = named.and_then(Dialect::from_uri);
        self.get(dialect.map_or("$id", Dialect::id_keyword))
            .is_some()
    }
}

/// Where a reference leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// To the subschema of this index.
    Node(usize),
    /// To the meta-schema of a supported dialect, which every engine has built in.
    MetaSchema,
    /// Out of the document, to this URI.
    External(String),
    /// Nowhere; the clause says why.
    Missing(String),
}

/// A `$ref`, `$dynamicRef` or `$recursiveRef`.
#[derive(Debug)]
pub struct Reference<'a> {
    /// The subschema that holds it.
    pub node: usize,
    /// The keyword.
    pub keyword: &'static str,
    /// What it says.
    pub text: &'a str,
    /// Where that leads.
    pub target: Target,
}

/// An `$id` that cannot be used as it stands.
#[derive(Debug)]
pub struct IdFault<'a> {
    /// The subschema that declares it.
    pub node: usize,
    /// What it says.
    pub text: &'a str,
    /// Whether it is a URI at all: relative references below one with an opaque path break.
    pub opaque: bool,
}

/// A resource: a schema with an identifier, or the root.
#[derive(Debug)]
pub(super) struct Resource {
    pub(super) root: usize,
    pub(super) uri: Uri<String>,
}

/// Every subschema of a schema.
#[derive(Debug)]
pub struct Tree<'a> {
    /// The subschemas; the root is the first, and parents stand before children.
    pub nodes: Vec<Node<'a>>,
    /// Every reference, in the order of the subschemas.
    pub references: Vec<Reference<'a>>,
    /// Identifiers that are no URI references, or whose path is opaque.
    pub id_faults: Vec<IdFault<'a>>,
    /// Subschemas whose `$id` or `$anchor` (the keyword) another has already.
    pub repeated: Vec<(usize, &'static str)>,
    /// Whether the walk stopped before the end, at more subschemas than any bound allows.
    pub truncated: bool,
    most: usize,
    pub(super) resources: Vec<Resource>,
    pub(super) by_uri: HashMap<String, usize>,
    pub(super) anchors: HashMap<(usize, &'a str), usize>,
    pub(super) by_address: HashMap<usize, usize>,
}

impl<'a> Tree<'a> {
    /// Walks `schema`, read by `dialect` unless an embedded resource declares another. After
    /// `most` subschemas it stops, and resolves no reference: such a schema is refused anyway.
    pub fn new(schema: &'a Value, dialect: Dialect, most: usize) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            references: Vec::new(),
            id_faults: Vec::new(),
            repeated: Vec::new(),
            truncated: false,
            most,
            resources: Vec::new(),
            by_uri: HashMap::new(),
            anchors: HashMap::new(),
            by_address: HashMap::new(),
        };
        if let Ok(uri) = Uri::parse(UNNAMED.to_owned()) {
            tree.by_uri.insert(UNNAMED.to_owned(), 0);
            tree.resources.push(Resource { root: 0, uri });
        }
        tree.walk(Node {
            pointer: Pointer::root(),
            value: schema,
            dialect,
            keyword: "",
            parent: None,
            depth: 0,
            resource: 0,
        });
        if !tree.truncated {
            tree.resolve();
        }
        tree
    }

    /// The identifiers of the schema and of the resources in it, each with its subschema: resolved
    /// against the one around it, or as it is written where it is no URI reference.
    pub fn identifiers(&self) -> impl Iterator<Item = (&str, usize)> {
        let resources = self.resources.iter().map(|it| (it.uri.as_str(), it.root));
        let named = resources.filter(|(uri, _)| *uri != UNNAMED);
        let unusable = self.id_faults.iter().filter(|fault| !fault.opaque);
        named.chain(unusable.map(|fault| (fault.text, fault.node)))
    }

    /// The subschema that `value` is.
    pub(crate) fn id(&self, value: &Value) -> Option<usize> {
        self.by_address.get(&address(value)).copied()
    }

    /// What the subschema `id` says under `keyword`, if its dialect knows that.
    pub(crate) fn keyword(&self, id: usize, keyword: &str) -> Option<&'a Value> {
        let node = &self.nodes[id];
        let value = node.get(keyword)?;
        node.dialect.keyword(keyword).map(|_| value)
    }

    /// Adds `root` and everything below it.
    pub(super) fn walk(&mut self, root: Node<'a>) {
        let mut stack = vec![root];
        while let Some(mut node) = stack.pop() {
            if self.nodes.len() >= self.most {
                self.truncated = true;
                return;
            }
            let index = self.nodes.len();
            self.identify(&mut node, index);
            self.by_address.insert(address(node.value), index);
            if let Value::Object(members) = node.value {
                // Each that waits will be a node.
                if index + stack.len() + children(node.dialect, members) >= self.most {
                    self.truncated = true;
                    self.nodes.push(node);
                    return;
                }
                let children = node.dialect.subschemas(members);
                for child in children.into_iter().rev() {
                    let mut pointer = node.pointer.join(child.keyword);
                    if let Some(token) = child.token {
                        pointer.push(token);
                    }
                    stack.push(Node {
                        pointer,
                        value: child.value,
                        dialect: node.dialect,
                        keyword: child.keyword,
                        parent: Some(index),
                        depth: node.depth + 1,
                        resource: node.resource,
                    });
                }
            }
            self.nodes.push(node);
        }
    }
}

/// How many subschemas a schema has at the level below it.
fn children(dialect: Dialect, schema: &Map<String, Value>) -> usize {
    let count = |(keyword, value): (&String, &Value)| match (dialect.keyword(keyword), value) {
        (Some(Holds::Schema | Holds::SchemaOrSchemas), Value::Object(_) | Value::Bool(_)) => 1,
        (Some(Holds::Schemas | Holds::SchemaOrSchemas), Value::Array(items)) => items.len(),
        (Some(Holds::Named), Value::Object(members)) => members.len(),
        (Some(Holds::NamedOrNames), Value::Object(members)) => {
            members.values().filter(|member| !member.is_array()).count()
        }
        _ => 0,
    };
    schema.iter().map(count).sum()
}

pub(super) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn targets(schema: &Value) -> Vec<Target> {
        let tree = Tree::new(schema, Dialect::Draft202012, usize::MAX);
        tree.references.into_iter().map(|r| r.target).collect()
    }

    #[test]
    fn names_and_data_are_no_schemas() {
        let schema = json!({
            "properties": {"$ref": {"type": "string"}, "properties": {"$ref": "#"}},
            "const": {"$ref": "#/nowhere"}, "enum": [{"$ref": "#/nowhere"}],
            "default": {"$ref": "#/nowhere"}, "examples": [{"$ref": "#/nowhere"}]
        });
        assert_eq!(targets(&schema), [Target::Node(0)]);
    }

    #[test]
    fn references_resolve_against_identifiers_and_anchors() {
        let schema = json!({
            "$id": "https://example.test/tools/report",
            "$defs": {
                "row": {"$anchor": "row", "type": "object"},
                "cell": {"$id": "cell", "$defs": {"a/b": true}, "$ref": "#/$defs/a~1b"}
            },
            "anyOf": [
                {"$ref": "#row"}, {"$ref": "cell"}, {"$ref": "report#/$defs/row"},
                {"$ref": "https://json-schema.org/draft/2020-12/schema"},
                {"$ref": "other#/$defs/row"}, {"$ref": "#/$defs/none"}, {"$ref": "#none"}
            ]
        });
        let tree = Tree::new(&schema, Dialect::Draft202012, usize::MAX);
        let at = |text: &str| {
            let target = &tree
                .references
                .iter()
                .find(|r| r.text == text)
                .map(|r| &r.target);
            match target {
                Some(Target::Node(node)) => tree.nodes[*node].pointer.to_string(),
                Some(other) => format!("{other:?}"),
                None => "no such reference".to_owned(),
            }
        };
        assert_eq!(at("#row"), "/$defs/row");
        assert_eq!(at("cell"), "/$defs/cell");
        assert_eq!(at("report#/$defs/row"), "/$defs/row");
        assert_eq!(at("#/$defs/a~1b"), "/$defs/cell/$defs/a~1b");
        assert_eq!(
            at("https://json-schema.org/draft/2020-12/schema"),
            "MetaSchema"
        );
        assert!(at("other#/$defs/row").starts_with("External"));
        assert!(at("#/$defs/none").starts_with("Missing"));
        assert!(at("#none").starts_with("Missing"));
    }
}
