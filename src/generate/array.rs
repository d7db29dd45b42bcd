//! Arrays that fit: how many elements, and what each must be.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::instance::{Body, Grower, Grown};
use super::plan::Plan;
use super::shape::{Part, Shape};
use crate::schema::{Dialect, equal};

/// Elements beyond what is asked for.
const MOST_MORE: usize = 3;
/// Attempts at an element that equals no earlier one.
const TRIES: usize = 12;

impl Plan<'_> {
    /// What applies to the element at `index` of a value of this shape.
    pub(super) fn element(&self, parts: &[Part], index: usize) -> Vec<Part> {
        let mut found = Vec::new();
        let mut evaluated = false;
        for part in parts {
            let (prefix, rest) = self.tuple(part.node);
            if let Some(child) = prefix.get(index).copied().or(rest) {
                found.push(part.below(child));
                evaluated = true;
            }
        }
        if !evaluated {
            for part in parts {
                if let Some(child) = self.child(part.node, "unevaluatedItems") {
                    found.push(part.below(child));
                }
            }
        }
        found
    }

    /// The schemas of the first elements, and that of all others.
    pub(super) fn tuple(&self, id: usize) -> (Vec<usize>, Option<usize>) {
        if self.dialect(id) >= Dialect::Draft202012 {
            return (self.children(id, "prefixItems"), self.child(id, "items"));
        }
        match self.get(id, "items") {
            Some(Value::Array(_)) => (
                self.children(id, "items"),
                self.child(id, "additionalItems"),
            ),
            _ => (Vec::new(), self.child(id, "items")),
        }
    }

    /// What `contains` asks for, and how often.
    fn contained(&self, parts: &[Part]) -> Vec<(Part, usize)> {
        let contained = parts.iter().filter_map(|part| {
            let child = self.child(part.node, "contains")?;
            let least = self.size(part.node, "minContains").unwrap_or(1);
            Some((part.blaming("contains").below(child), least))
        });
        contained.collect()
    }
}

impl Grower<'_, '_> {
    pub(super) fn array(&mut self, shape: Rc<Shape>, level: usize) -> Option<Grown> {
        let least = self.at_least(&shape, "minItems");
        let most = self.at_most(&shape, "maxItems");
        let unique = shape
            .parts
            .iter()
            .any(|part| self.plan.get(part.node, "uniqueItems") == Some(&Value::Bool(true)));
        let prefix = shape
            .parts
            .iter()
            .map(|part| self.plan.tuple(part.node).0.len())
            .max();
        let prefix = prefix.unwrap_or(0);
        let contained = self.plan.contained(&shape.parts);
        let asked: usize = contained.iter().map(|(_, least)| *least).sum();
        let least = least.max(asked);
        let mut count = least;
        if !self.is_deep(level) {
            let more = if self.rng.chance(70) {
                prefix.saturating_sub(least)
            } else {
                0
            };
            count += more + self.rng.below(MOST_MORE + 1);
        }
        let count = count.min(most);
        // What must be contained stands anywhere, one element each.
        let mut extra: HashMap<usize, Vec<Part>> = HashMap::new();
        let mut place = self.rng.below(count);
        for (part, least) in contained {
            for _ in 0..least {
                extra.entry(place % count.max(1)).or_default().push(part);
                place += 1;
            }
        }
        let mut items: Vec<Grown> = Vec::with_capacity(count.min(1024));
        let mut values: Vec<Value> = Vec::new();
        for index in 0..count {
            let mut parts = self.plan.element(&shape.parts, index);
            let is_asked = extra.get(&index).is_some_and(|more| {
                parts.extend(more);
                true
            });
            let Some(item) = self.item(&parts, level, unique, &mut values) else {
                if index >= least && !is_asked && extra.keys().all(|place| *place < index) {
                    break;
                }
                return None;
            };
            items.push(item);
        }
        Some(Grown {
            shape,
            body: Body::Array(items),
        })
    }

    /// One element, other than `earlier` where they must differ.
    fn item(
        &mut self,
        parts: &[Part],
        level: usize,
        unique: bool,
        earlier: &mut Vec<Value>,
    ) -> Option<Grown> {
        for _ in 0..TRIES {
            let item = self.grow(parts, level + 1)?;
            if !unique {
                return Some(item);
            }
            let value = item.value();
            if earlier.iter().all(|other| !equal(other, &value)) {
                earlier.push(value);
                return Some(item);
            }
        }
        None
    }
}
