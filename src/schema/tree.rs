//! A schema as the tree of its subschemas, with identifiers and references resolved.
//!
//! Only schema positions are walked: names under `properties` are names, and what `const`, `enum`,
//! `default` and `examples` hold is data (JSON Schema 2020-12 Core, section 9).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use fluent_uri::{Uri, UriRef};
use serde_json::Value;

use super::dialect::Dialect;
use crate::source::Pointer;

/// Where a schema without an identifier of its own stands; never fetched, never shown.
const UNNAMED: &str = "json-schema:///";

/// More subschemas than this are not walked: the rest of the suite refuses the schema anyway.
const MOST_NODES: usize = 200_000;

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
    resource: usize,
}

impl<'a> Node<'a> {
    /// The member `name`, if the schema is an object and has it.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.value.as_object()?.get(name)
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
struct Resource {
    root: usize,
    uri: Uri<String>,
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
    resources: Vec<Resource>,
    by_uri: HashMap<String, usize>,
    anchors: HashMap<(usize, &'a str), usize>,
    by_address: HashMap<usize, usize>,
}

impl<'a> Tree<'a> {
    /// Walks `schema`, read by `dialect` unless an embedded resource declares another.
    pub fn new(schema: &'a Value, dialect: Dialect) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            references: Vec::new(),
            id_faults: Vec::new(),
            repeated: Vec::new(),
            truncated: false,
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
        tree.resolve();
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

    /// Adds `root` and everything below it.
    fn walk(&mut self, root: Node<'a>) {
        let mut stack = vec![root];
        while let Some(mut node) = stack.pop() {
            if self.nodes.len() >= MOST_NODES {
                self.truncated = true;
                return;
            }
            let index = self.nodes.len();
            self.identify(&mut node, index);
            self.by_address.insert(address(node.value), index);
            if let Value::Object(members) = node.value {
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

    /// Reads the identifiers of `node`, which will get `index`: they start resources, name
    /// anchors, and may switch the dialect (2020-12 Core, sections 8.1.1 and 8.2).
    fn identify(&mut self, node: &mut Node<'a>, index: usize) {
        let declared = node.get("$schema").and_then(Value::as_str);
        if let (Some(uri), true) = (declared, node.parent.is_some())
            && let Some(dialect) = Dialect::from_uri(uri)
            && node.get(dialect.id_keyword()).is_some()
        {
            node.dialect = dialect;
        }
        let hidden = node.dialect.ref_hides_siblings() && node.get("$ref").is_some();
        if let Some(text) = node.get(node.dialect.id_keyword()).and_then(Value::as_str)
            && !hidden
        {
            match text.strip_prefix('#') {
                // Up to draft 7 an identifier that is a fragment alone names an anchor.
                Some(name) if node.dialect <= Dialect::Draft7 => {
                    self.anchor(node.resource, name, index, "$id");
                }
                _ => self.identifier(node, text, index),
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if node.dialect.keyword(keyword).is_some()
                && let Some(name) = node.get(keyword).and_then(Value::as_str)
            {
                self.anchor(node.resource, name, index, keyword);
            }
        }
    }

    fn identifier(&mut self, node: &mut Node<'a>, text: &'a str, index: usize) {
        let fault = |opaque| IdFault {
            node: index,
            text,
            opaque,
        };
        let Ok(reference) = UriRef::parse(text) else {
            self.id_faults.push(fault(false));
            return;
        };
        if reference.has_scheme() && is_opaque(text) {
            self.id_faults.push(fault(true));
        }
        let base = &self.resources[node.resource].uri;
        let Ok(mut uri) = reference.resolve_against(base) else {
            return;
        };
        uri.set_fragment(None);
        let resource = self.resources.len();
        if index == 0 {
            self.resources[0].uri = uri.clone();
            self.by_uri.insert(uri.as_str().to_owned(), 0);
            return;
        }
        match self.by_uri.entry(uri.as_str().to_owned()) {
            Entry::Occupied(_) => self.repeated.push((index, "$id")),
            Entry::Vacant(place) => {
                place.insert(resource);
            }
        }
        self.resources.push(Resource { root: index, uri });
        node.resource = resource;
    }

    fn anchor(&mut self, resource: usize, name: &'a str, index: usize, keyword: &'static str) {
        match self.anchors.entry((resource, name)) {
            // `$anchor` and `$dynamicAnchor` of one schema may share a name.
            Entry::Occupied(place) if *place.get() != index => {
                self.repeated.push((index, keyword));
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(place) => {
                place.insert(index);
            }
        }
    }

    /// Resolves every reference. One that points past the schema positions (an `x-` member, say)
    /// adds what it finds there to the tree.
    fn resolve(&mut self) {
        let mut index = 0;
        while index < self.nodes.len() {
            for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
                let node = &self.nodes[index];
                if node.dialect.keyword(keyword).is_none() {
                    continue;
                }
                if let Some(text) = node.get(keyword).and_then(Value::as_str) {
                    let target = self.target(index, text);
                    self.references.push(Reference {
                        node: index,
                        keyword,
                        text,
                        target,
                    });
                }
            }
            index += 1;
        }
    }

    fn target(&mut self, node: usize, text: &str) -> Target {
        let resource = self.nodes[node].resource;
        let Ok(reference) = UriRef::parse(text) else {
            return Target::Missing("it is not a URI reference".to_owned());
        };
        let Ok(fragment) = reference.fragment().map_or(Ok("".into()), |text| text.decode().to_string())
        else {
            return Target::Missing("its fragment is not UTF-8".to_owned());
        };
        if text.is_empty() || text.starts_with('#') {
            return self.fragment(resource, &fragment);
        }
        let base = &self.resources[resource].uri;
        let Ok(mut uri) = reference.resolve_against(base) else {
            return Target::Missing(format!("it is relative, and {base} has no hierarchy"));
        };
        uri.set_fragment(None);
        match self.by_uri.get(uri.as_str()) {
            Some(resource) => self.fragment(*resource, &fragment),
            None if Dialect::from_uri(uri.as_str()).is_some() => Target::MetaSchema,
            None => Target::External(uri.into_string()),
        }
    }

    fn fragment(&mut self, resource: usize, fragment: &str) -> Target {
        let root = self.resources[resource].root;
        if fragment.is_empty() {
            return Target::Node(root);
        }
        if !fragment.starts_with('/') {
            return match self.anchors.get(&(resource, fragment)) {
                Some(node) => Target::Node(*node),
                None => Target::Missing(format!("no anchor is named {fragment:?}")),
            };
        }
        let node = &self.nodes[root];
        let Some(value) = node.value.pointer(fragment) else {
            return Target::Missing("nothing stands there".to_owned());
        };
        if let Some(known) = self.by_address.get(&address(value)) {
            return Target::Node(*known);
        }
        let index = self.nodes.len();
        let extra = Node {
            pointer: node.pointer.concat(fragment),
            value,
            dialect: node.dialect,
            keyword: "",
            parent: None,
            depth: 0,
            resource,
        };
        self.walk(extra);
        Target::Node(index.min(self.nodes.len() - 1))
    }
}

fn address(value: &Value) -> usize {
    std::ptr::from_ref(value) as usize
}

/// Whether an absolute URI has a path that relative references cannot climb: `mytool:output`.
/// A URN that has a namespace and a name is meant to be so (RFC 8141, section 2).
fn is_opaque(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    if rest.starts_with('/') {
        return false;
    }
    if !scheme.eq_ignore_ascii_case("urn") {
        return true;
    }
    let Some((nid, nss)) = rest.split_once(':') else {
        return true;
    };
    let name = nid.as_bytes();
    let well_formed = (2..=32).contains(&name.len())
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && !nid.starts_with('-')
        && !nid.ends_with('-');
    !well_formed || nss.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn targets(schema: &Value) -> Vec<Target> {
        let tree = Tree::new(schema, Dialect::Draft202012);
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
        let tree = Tree::new(&schema, Dialect::Draft202012);
        let at = |text: &str| {
            let target = &tree.references.iter().find(|r| r.text == text).map(|r| &r.target);
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
        assert_eq!(at("https://json-schema.org/draft/2020-12/schema"), "MetaSchema");
        assert!(at("other#/$defs/row").starts_with("External"));
        assert!(at("#/$defs/none").starts_with("Missing"));
        assert!(at("#none").starts_with("Missing"));
    }

    #[test]
    fn an_opaque_path_is_told_from_a_urn() {
        for uri in ["mytool:output", "urn:Thing.req", "urn:x:"] {
            assert!(is_opaque(uri), "{uri}");
        }
        for uri in ["https://example.test/a", "urn:example:report", "file:///a", "a/b"] {
            assert!(!is_opaque(uri), "{uri}");
        }
    }
}
