//! What can be told of a schema without asking it: whether it refers to itself, whether null fits,
//! whether two alternatives exclude one another.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{DEEPEST, View};
use crate::generate::Types;
use crate::schema::{Target, equal};
use crate::source::Pointer;

impl<'a> View<'_, 'a> {
    /// Whether the subschema is found again below itself.
    pub(in crate::project) fn is_recursive(&self, start: usize) -> bool {
        let base = self.pointer(start);
        let mut seen = BTreeSet::new();
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            if !seen.insert(at) {
                continue;
            }
            let top = self.pointer(at);
            for reference in &self.tree.references {
                let from = &self.tree.nodes[reference.node].pointer;
                let Target::Node(target) = reference.target else {
                    continue;
                };
                if from.below(top).is_none() || is_definition(from, top) {
                    continue;
                }
                // A reference from inside to the schema itself, or to what holds it.
                if base.below(self.pointer(target)).is_some() {
                    return true;
                }
                waiting.push(target);
            }
        }
        false
    }

    /// Why no value fits both subschemas; `None` where that is not evident.
    pub(in crate::project) fn apart(&self, left: usize, right: usize) -> Option<String> {
        let types = |id| self.types(&[id], 0).unwrap_or(Types::ALL);
        let both = types(left).and(types(right));
        if both.is_none() {
            return Some("by type".to_owned());
        }
        if !both.without(Types::OBJECT).is_none() {
            return None;
        }
        let (left, right) = (self.flat(&[left]).nodes, self.flat(&[right]).nodes);
        let required = |nodes: &[usize]| -> BTreeSet<&'a str> {
            nodes.iter().flat_map(|id| self.required(*id)).collect()
        };
        let (first, second) = (required(&left), required(&right));
        for name in first.intersection(&second) {
            let values = |nodes: &[usize]| {
                let members = nodes.iter().flat_map(|id| self.named(*id, "properties"));
                let members = members.filter(|(it, _)| it == name).map(|(_, id)| id);
                let parts: Vec<usize> = members.collect();
                self.values(&self.flat(&parts).nodes)
            };
            if let (Some(some), Some(others)) = (values(&left), values(&right))
                && !some
                    .iter()
                    .any(|it| others.iter().any(|other| equal(it, other)))
            {
                return Some(format!("by `{name}`"));
            }
        }
        let lacks = |nodes: &[usize], name: &str| nodes.iter().any(|id| self.excludes(*id, name));
        let only = |wanted: &BTreeSet<&'a str>, nodes: &[usize]| {
            let name = wanted.iter().find(|name| lacks(nodes, name))?;
            Some(format!("by `{name}`"))
        };
        only(&first, &right).or_else(|| only(&second, &left))
    }

    /// What `unevaluatedProperties` of the subschema holds the member to: something only where no
    /// part of the subschema itself speaks of it. What stands beside the subschema does not count.
    pub(super) fn left_over(&self, id: usize, nodes: &[usize], name: &str) -> Option<usize> {
        let rest = self.child(id, "unevaluatedProperties")?;
        let speaks = |part: &usize| {
            let declared = self.named(*part, "properties");
            let others = [
                "additionalProperties",
                "patternProperties",
                "if",
                "dependentSchemas",
            ];
            declared.iter().any(|(it, _)| *it == name)
                || others
                    .iter()
                    .any(|keyword| self.get(*part, keyword).is_some())
                || *part != id && self.get(*part, "unevaluatedProperties").is_some()
        };
        let own = self.reach(id);
        let mut parts = nodes.iter().filter(|part| own.contains(part));
        (!parts.any(speaks)).then_some(rest)
    }

    /// The subschema with its references, its `allOf` and the branches of its unions.
    fn reach(&self, id: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![id];
        while let Some(at) = waiting.pop() {
            for part in self.flat(&[at]).nodes {
                if found.insert(part) {
                    let unions = self.unions(&[part]);
                    waiting.extend(unions.into_iter().flat_map(|(_, _, branches)| branches));
                }
            }
        }
        found
    }

    /// Whether the subschema, closed, does not declare the member.
    fn excludes(&self, id: usize, name: &str) -> bool {
        self.get(id, "additionalProperties") == Some(&Value::Bool(false))
            && self.get(id, "patternProperties").is_none()
            && self
                .named(id, "properties")
                .iter()
                .all(|(it, _)| *it != name)
    }

    /// Whether null fits `parts`, as far as types, values and unions tell.
    pub(in crate::project) fn takes_null(&self, parts: &[usize], level: usize) -> bool {
        let flat = self.flat(parts);
        if flat.nothing || level > DEEPEST {
            return false;
        }
        let own = flat.nodes.iter().all(|id| {
            let typed = self.get(*id, "type").map_or(Types::ALL, Types::named);
            let listed = self.own_values(*id);
            typed.contains(Types::NULL)
                && listed.is_none_or(|values| values.iter().any(|value| value.is_null()))
        });
        let unions = self.unions(&flat.nodes);
        own && unions.iter().all(|(_, _, branches)| {
            let mut branches = branches.iter();
            branches.any(|branch| self.takes_null(&[*branch], level + 1))
        })
    }
}

/// Whether `from` stands in a definition that `top` merely keeps.
fn is_definition(from: &Pointer, top: &Pointer) -> bool {
    let inside = from.below(top).unwrap_or_default();
    ["/$defs/", "/definitions/"]
        .iter()
        .any(|kept| inside.starts_with(kept))
}
