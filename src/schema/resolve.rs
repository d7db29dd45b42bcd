//! Where the references of a schema lead.

use fluent_uri::UriRef;
use serde_json::Value;

use super::compile;
use super::dialect::Dialect;
use super::tree::{Node, Reference, Target, Tree};

impl Tree<'_> {
    /// Resolves every reference. One that points past the schema positions (an `x-` member, say)
    /// adds what it finds there to the tree.
    pub(super) fn resolve(&mut self) {
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
        let Ok(fragment) = reference
            .fragment()
            .map_or(Ok("".into()), |text| text.decode().to_string())
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
            None => match Dialect::from_uri(uri.as_str()) {
                None => Target::External(uri.into_string()),
                Some(dialect) => {
                    let fragment = text.split_once('#').map_or("", |(_, fragment)| fragment);
                    if compile::is_in_meta_schema(dialect, fragment) {
                        Target::MetaSchema
                    } else {
                        Target::Missing("nothing stands there in the meta-schema".to_owned())
                    }
                }
            },
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
        if let Some(known) = self.id(value) {
            return Target::Node(known);
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
