//! The identifiers and anchors of a schema.

use std::collections::hash_map::Entry;

use fluent_uri::UriRef;
use serde_json::Value;

use super::dialect::Dialect;
use super::tree::{IdFault, Node, Resource, Tree};

impl<'a> Tree<'a> {
    /// Reads the identifiers of `node`, which will get `index`: they start resources, name
    /// anchors, and may switch the dialect (2020-12 Core, sections 8.1.1 and 8.2).
    pub(super) fn identify(&mut self, node: &mut Node<'a>, index: usize) {
        let declared = node.get("$schema").and_then(Value::as_str);
        if let (Some(uri), true) = (declared, node.parent.is_some())
            && let Some(dialect) = Dialect::from_uri(uri)
            && node.declares_dialect()
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
                    self.anchor(node.resource, name, index, node.dialect.id_keyword());
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
            Entry::Occupied(_) => self.repeated.push((index, node.dialect.id_keyword())),
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
    use super::is_opaque;

    #[test]
    fn an_opaque_path_is_told_from_a_urn() {
        for uri in ["mytool:output", "urn:Thing.req", "urn:x:"] {
            assert!(is_opaque(uri), "{uri}");
        }
        for uri in [
            "https://example.test/a",
            "urn:example:report",
            "file:///a",
            "a/b",
        ] {
            assert!(!is_opaque(uri), "{uri}");
        }
    }
}
