//! A source schema as a projection reads it: what stands side by side at one place, which types and
//! values that leaves, and whether two alternatives exclude one another.

mod apart;

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::generate::Types;
use crate::schema::{Bounds, Dialect, Holds, Instance, Schema, Target, Tree, equal};
use crate::source::Pointer;

/// Levels of unions that are looked into for types.
const DEEPEST: usize = 12;

/// A schema's subschemas by number, and where its references lead.
pub(super) struct View<'s, 'a> {
    tree: &'s Tree<'a>,
    targets: HashMap<usize, usize>,
}

/// The subschemas that apply together at one place.
pub(super) struct Flat {
    pub(super) nodes: Vec<usize>,
    /// Whether one of them is `false`.
    pub(super) nothing: bool,
    /// The references that were written out.
    pub(super) references: Vec<usize>,
    /// The `allOf` that were laid side by side.
    pub(super) all_of: Vec<usize>,
}

impl<'s, 'a> View<'s, 'a> {
    pub(super) fn new(tree: &'s Tree<'a>) -> Self {
        let targets = tree
            .references
            .iter()
            .filter_map(|reference| match reference.target {
                Target::Node(id) => Some((reference.node, id)),
                _ => None,
            });
        Self {
            tree,
            targets: targets.collect(),
        }
    }

    /// Every subschema.
    pub(super) fn every(&self) -> std::ops::Range<usize> {
        0..self.tree.nodes.len()
    }

    pub(super) fn value(&self, id: usize) -> &'a Value {
        self.tree.nodes[id].value
    }

    pub(super) fn dialect(&self, id: usize) -> Dialect {
        self.tree.nodes[id].dialect
    }

    pub(super) fn pointer(&self, id: usize) -> &'s Pointer {
        &self.tree.nodes[id].pointer
    }

    /// What the subschema says under `keyword`, if its dialect knows that.
    pub(super) fn get(&self, id: usize, keyword: &str) -> Option<&'a Value> {
        self.tree.keyword(id, keyword)
    }

    pub(super) fn id(&self, value: &Value) -> Option<usize> {
        self.tree.id(value)
    }

    /// The subschemas in the array under `keyword`.
    pub(super) fn children(&self, id: usize, keyword: &str) -> Vec<usize> {
        let items = self.get(id, keyword).and_then(Value::as_array);
        let items = items.into_iter().flatten();
        items.filter_map(|item| self.id(item)).collect()
    }

    /// The one subschema under `keyword`.
    pub(super) fn child(&self, id: usize, keyword: &str) -> Option<usize> {
        let value = self.get(id, keyword)?;
        if value.is_array() {
            None
        } else {
            self.id(value)
        }
    }

    /// The subschemas under `keyword` with their names.
    pub(super) fn named(&self, id: usize, keyword: &str) -> Vec<(&'a str, usize)> {
        let members = self.get(id, keyword).and_then(Value::as_object);
        let members = members.into_iter().flatten();
        members
            .filter_map(|(name, value)| Some((name.as_str(), self.id(value)?)))
            .collect()
    }

    /// The names that `required` lists.
    pub(super) fn required(&self, id: usize) -> impl Iterator<Item = &'a str> {
        let names = self.get(id, "required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Where the subschema's reference leads.
    pub(super) fn target(&self, id: usize) -> Option<usize> {
        self.targets.get(&id).copied()
    }

    /// Whether everything beside the subschema's reference is hidden, as it is up to draft 7.
    pub(super) fn is_hidden(&self, id: usize) -> bool {
        self.dialect(id).ref_hides_siblings()
            && self.value(id).get("$ref").is_some_and(Value::is_string)
    }

    /// `parts` with what they refer to and what their `allOf` hold. References in place end: a
    /// schema in which they do not is unusable.
    pub(super) fn flat(&self, parts: &[usize]) -> Flat {
        let mut flat = Flat {
            nodes: Vec::new(),
            nothing: false,
            references: Vec::new(),
            all_of: Vec::new(),
        };
        let mut seen = HashSet::new();
        let mut waiting: Vec<usize> = parts.iter().rev().copied().collect();
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.value(id) {
                Value::Bool(false) => flat.nothing = true,
                Value::Object(_) => {
                    let target = self.target(id);
                    if let Some(target) = target {
                        flat.references.push(id);
                        waiting.push(target);
                    }
                    if self.is_hidden(id) {
                        continue;
                    }
                    flat.nodes.push(id);
                    let all = self.children(id, "allOf");
                    if !all.is_empty() {
                        flat.all_of.push(id);
                    }
                    waiting.extend(all.into_iter().rev());
                }
                _ => {}
            }
        }
        flat
    }

    /// The unions among `nodes`: who holds each, its keyword, its branches.
    pub(super) fn unions(&self, nodes: &[usize]) -> Vec<(usize, &'static str, Vec<usize>)> {
        let mut unions = Vec::new();
        for id in nodes {
            for keyword in ["anyOf", "oneOf"] {
                let branches = self.children(*id, keyword);
                if !branches.is_empty() {
                    unions.push((*id, keyword, branches));
                }
            }
        }
        unions
    }

    /// The types that `parts` leave together; `None` where nothing is said about types.
    pub(super) fn types(&self, parts: &[usize], level: usize) -> Option<Types> {
        let flat = self.flat(parts);
        if flat.nothing {
            return Some(Types::NONE);
        }
        let mut types = None;
        let mut add = |more: Types| {
            types = Some(types.map_or(more, |types: Types| types.and(more)));
        };
        for id in &flat.nodes {
            if let Some(named) = self.get(*id, "type") {
                add(Types::named(named));
            }
            if let Some(values) = self.own_values(*id) {
                let each = values.into_iter().map(Types::of);
                add(each.fold(Types::NONE, Types::or));
            }
        }
        if level < DEEPEST {
            for (_, _, branches) in self.unions(&flat.nodes) {
                let mut each = branches.iter().map(|id| self.types(&[*id], level + 1));
                let whole = each.try_fold(Types::NONE, |sum: Types, types| Some(sum.or(types?)));
                if let Some(whole) = whole {
                    add(whole);
                }
            }
        }
        types
    }

    fn own_values(&self, id: usize) -> Option<Vec<&'a Value>> {
        let constant = self.get(id, "const").map(|value| vec![value]);
        let listed = self.get(id, "enum").and_then(Value::as_array);
        match (constant, listed) {
            (Some(mut one), Some(listed)) => {
                one.retain(|value| listed.iter().any(|other| equal(value, other)));
                Some(one)
            }
            (Some(one), None) => Some(one),
            (None, Some(listed)) => Some(listed.iter().collect()),
            (None, None) => None,
        }
    }

    /// The values that `const` and `enum` of `nodes` leave.
    pub(super) fn values(&self, nodes: &[usize]) -> Option<Vec<Value>> {
        let mut left: Option<Vec<Value>> = None;
        for id in nodes {
            let Some(values) = self.own_values(*id) else {
                continue;
            };
            left = Some(match left {
                None => values.into_iter().cloned().collect(),
                Some(mut left) => {
                    left.retain(|value| values.iter().any(|other| equal(value, other)));
                    left
                }
            });
        }
        left
    }

    /// What a member of an object of `nodes` is held to; `None` where it may not be there.
    pub(super) fn member(&self, nodes: &[usize], name: &str) -> Option<Vec<usize>> {
        let mut parts = Vec::new();
        for id in nodes {
            let declared = self.named(*id, "properties");
            let own = declared.into_iter().find(|(it, _)| *it == name);
            let patterns = self.named(*id, "patternProperties");
            let matching = patterns.into_iter().filter(|(it, _)| matches(it, name));
            let before = parts.len();
            parts.extend(own.into_iter().chain(matching).map(|(_, id)| id));
            if parts.len() == before {
                parts.extend(self.child(*id, "additionalProperties"));
            }
            parts.extend(self.left_over(*id, nodes, name));
        }
        (!self.flat(&parts).nothing).then_some(parts)
    }

    /// Whether a keyword of this subschema's dialect holds schemas or asserts something.
    pub(super) fn asserts(&self, id: usize, keyword: &str) -> bool {
        let holds = self.dialect(id).keyword(keyword);
        holds.is_some_and(|holds| holds != Holds::Other)
            && !matches!(keyword, "$defs" | "definitions" | "contentSchema")
    }
}

/// Whether a name is of a pattern; where that cannot be told it is not.
fn matches(pattern: &str, name: &str) -> bool {
    let schema = json!({"pattern": pattern});
    let name = Value::from(name);
    let schema = Schema::new(&schema, Bounds::default());
    let compiled = schema.compiled();
    compiled.is_ok_and(|compiled| compiled.fits(Instance::plain(&name)) == Ok(true))
}
