//! What schemas say of the members of an object.

use serde_json::Value;

use super::plan::{ENDLESS, Plan};
use super::shape::Part;

/// What the schemas say of one member.
#[derive(Debug, Default)]
pub(super) struct Member {
    /// What applies to it.
    pub(super) parts: Vec<Part>,
    /// Whether any schema names it, by `properties` or `patternProperties`.
    pub(super) declared: bool,
}

impl<'a> Plan<'a> {
    /// What applies to the member `name` of a value of this shape.
    pub(super) fn member(&self, parts: &[Part], name: &str) -> Member {
        let mut member = Member::default();
        let mut evaluated = false;
        for part in parts {
            let before = member.parts.len();
            if let Some(child) = self.named(part.node, "properties", name) {
                member.parts.push(part.below(child));
            }
            for (pattern, schema) in self.members(part.node, "patternProperties") {
                let matches = self
                    .pattern(pattern)
                    .is_some_and(|pattern| pattern.matches(name));
                if let Some(child) = self.id(schema).filter(|_| matches) {
                    member.parts.push(part.below(child));
                }
            }
            if member.parts.len() > before {
                member.declared = true;
            } else if let Some(child) = self.child(part.node, "additionalProperties") {
                member.parts.push(part.below(child));
                evaluated = true;
            }
        }
        if !member.declared && !evaluated {
            for part in parts {
                if let Some(child) = self.child(part.node, "unevaluatedProperties") {
                    member.parts.push(part.below(child));
                }
            }
        }
        member
    }

    /// The object under `keyword`, empty where there is none.
    pub(super) fn members(
        &self,
        id: usize,
        keyword: &str,
    ) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        let members = self.get(id, keyword).and_then(Value::as_object);
        members
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// The subschema `name` in the object under `keyword`.
    pub(super) fn named(&self, id: usize, keyword: &str, name: &str) -> Option<usize> {
        self.id(self.get(id, keyword)?.as_object()?.get(name)?)
    }

    /// Whether nothing can stand at a place where these parts apply.
    pub(super) fn is_closed(&self, parts: &[Part]) -> bool {
        parts.iter().any(|part| self.height(part.node) == ENDLESS)
    }

    /// The names that `required`, and what is there already, ask for.
    pub(super) fn wanted(&self, parts: &[Part], names: &[String]) -> Vec<String> {
        let mut wanted = Vec::new();
        for part in parts {
            let required = self.get(part.node, "required").and_then(Value::as_array);
            wanted.extend(required.into_iter().flatten().filter_map(Value::as_str));
            for keyword in ["dependentRequired", "dependencies"] {
                for (trigger, others) in self.members(part.node, keyword) {
                    if names.iter().any(|name| name == trigger) {
                        let others = others.as_array().into_iter().flatten();
                        wanted.extend(others.filter_map(Value::as_str));
                    }
                }
            }
        }
        wanted.into_iter().map(str::to_owned).collect()
    }

    /// The schemas that apply because some member is there.
    pub(super) fn dependent(&self, parts: &[Part], names: &[String]) -> Vec<Part> {
        let mut dependent = Vec::new();
        for part in parts {
            for keyword in ["dependentSchemas", "dependencies"] {
                for (trigger, schema) in self.members(part.node, keyword) {
                    let there = names.iter().any(|name| name == trigger);
                    if let Some(child) = self.id(schema).filter(|_| there && !schema.is_array()) {
                        dependent.push(part.beside(child));
                    }
                }
            }
        }
        dependent.retain(|new| parts.iter().all(|part| part.node != new.node));
        dependent
    }
}
