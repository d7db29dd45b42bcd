//! How values of the source and of the projection stand for one another: names, and null for a
//! member that is absent.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::names::NameMap;
use super::view::View;
use crate::schema::{Schema, Subschemas};
use crate::source::Pointer;

/// Attempts at the alternatives of unions, over one value.
const MOST_TRIES: usize = 4_000;

/// The stated inverse of a projection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    /// Objects of the projected schema, by place: their members that null stands in for, and
    /// whether null reads back as absent.
    optional: BTreeMap<Pointer, BTreeMap<String, bool>>,
    /// Names that the target does not take.
    pub names: NameMap,
}

impl Mapping {
    /// Whether a value and its counterpart are the same.
    pub fn is_identity(&self) -> bool {
        self.optional.is_empty() && self.names.is_empty()
    }

    /// Objects of the projected schema with the members that null stands in for, by place; true
    /// where null reads back as absent, false where it stays null.
    pub fn nulls(&self) -> impl Iterator<Item = (&Pointer, &BTreeMap<String, bool>)> {
        self.optional.iter()
    }

    pub(super) fn optional(&mut self, at: &Pointer, name: &str, strip: bool) {
        let members = self.optional.entry(at.clone()).or_default();
        members.insert(name.to_owned(), strip);
    }

    /// Forgets what was said of a place that came to nothing.
    pub(super) fn forget(&mut self, place: &Pointer) {
        self.optional.retain(|at, _| at.below(place).is_none());
    }
}

/// Maps values along a projected schema.
pub(super) struct Mapper<'m, 'a> {
    schema: &'m Schema<'a>,
    view: View<'m, 'a>,
    mapping: &'m Mapping,
    compiled: Subschemas,
    tries: Cell<usize>,
}

/// Which way a value goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Forward,
    Back,
}

impl<'m, 'a> Mapper<'m, 'a> {
    /// A mapper along `schema`, the projection as plain JSON Schema.
    pub(super) fn new(schema: &'m Schema<'a>, mapping: &'m Mapping) -> Self {
        Self {
            schema,
            view: View::new(schema.tree()),
            mapping,
            compiled: Subschemas::default(),
            tries: Cell::new(0),
        }
    }

    /// A value of the source as the projection has it.
    pub(super) fn forward(&self, value: &Value) -> Value {
        self.start(value, Way::Forward)
    }

    /// A value of the projection as the source has it.
    pub(super) fn back(&self, value: &Value) -> Value {
        self.start(value, Way::Back)
    }

    fn start(&self, value: &Value, way: Way) -> Value {
        if self.mapping.is_identity() {
            return value.clone();
        }
        self.tries.set(0);
        self.map(value, &[0], way)
    }

    fn map(&self, value: &Value, parts: &[usize], way: Way) -> Value {
        self.side_by_side(value, &self.view.flat(parts).nodes, way)
    }

    /// Maps a value that all of `nodes` apply to, their references followed already.
    fn side_by_side(&self, value: &Value, nodes: &[usize], way: Way) -> Value {
        let unions = self.view.unions(nodes);
        let holds_more = matches!(value, Value::Object(_) | Value::Array(_));
        let Some((_, _, branches)) = unions.first().filter(|_| holds_more) else {
            return self.inside(value, nodes, way);
        };
        let mut beside = nodes.to_vec();
        beside.retain(|id| self.view.unions(&[*id]).is_empty());
        if self.mapping.optional.is_empty() {
            // Names alone are the same in every branch.
            return self.inside(value, &self.all(nodes), way);
        }
        let along = |branch: usize| {
            let mut parts = beside.clone();
            parts.extend(self.view.flat(&[branch]).nodes);
            parts
        };
        for branch in branches {
            if self.tries.get() >= MOST_TRIES {
                break;
            }
            self.tries.set(self.tries.get() + 1);
            match way {
                Way::Back if self.fits(*branch, value) => {
                    return self.side_by_side(value, &along(*branch), way);
                }
                Way::Back => {}
                Way::Forward => {
                    let mapped = self.side_by_side(value, &along(*branch), way);
                    if self.fits(*branch, &mapped) {
                        return mapped;
                    }
                }
            }
        }
        self.side_by_side(value, &along(branches[0]), way)
    }

    /// `nodes` with the subschemas of every branch of their unions.
    fn all(&self, nodes: &[usize]) -> Vec<usize> {
        let mut parts = Vec::new();
        let mut waiting = nodes.to_vec();
        while let Some(id) = waiting.pop() {
            if parts.contains(&id) {
                continue;
            }
            parts.push(id);
            for (_, _, branches) in self.view.unions(&[id]) {
                waiting.extend(self.view.flat(&branches).nodes);
            }
        }
        parts
    }

    fn inside(&self, value: &Value, nodes: &[usize], way: Way) -> Value {
        match value {
            Value::Object(members) => Value::Object(self.object(members, nodes, way)),
            Value::Array(items) => {
                let each = items.iter().enumerate().map(|(index, item)| {
                    let parts = nodes.iter().filter_map(|id| {
                        let tuple = self.view.children(*id, "prefixItems");
                        tuple
                            .get(index)
                            .copied()
                            .or_else(|| self.view.child(*id, "items"))
                    });
                    self.map(item, &parts.collect::<Vec<_>>(), way)
                });
                each.collect()
            }
            scalar => scalar.clone(),
        }
    }

    fn object(
        &self,
        members: &Map<String, Value>,
        nodes: &[usize],
        way: Way,
    ) -> Map<String, Value> {
        let mut mapped = Map::new();
        for (name, value) in members {
            let theirs = match way {
                Way::Forward => self.mapping.names.forward(name),
                Way::Back => name.as_str(),
            };
            let parts: Vec<usize> = nodes
                .iter()
                .filter_map(|id| {
                    let declared = self.view.named(*id, "properties");
                    declared
                        .into_iter()
                        .find(|(it, _)| *it == theirs)
                        .map(|(_, id)| id)
                })
                .collect();
            if parts.is_empty() {
                mapped.insert(name.clone(), value.clone());
                continue;
            }
            if way == Way::Back && value.is_null() && self.strips(nodes, name) {
                continue;
            }
            let ours = match way {
                Way::Forward => theirs,
                Way::Back => self.mapping.names.back(name),
            };
            mapped.insert(ours.to_owned(), self.map(value, &parts, way));
        }
        if way == Way::Forward {
            for (name, _) in nodes.iter().flat_map(|id| self.optional(*id)) {
                if !mapped.contains_key(name) {
                    mapped.insert(name.clone(), Value::Null);
                }
            }
        }
        mapped
    }

    fn optional(&self, id: usize) -> impl Iterator<Item = (&'m String, &'m bool)> {
        self.mapping
            .optional
            .get(self.view.pointer(id))
            .into_iter()
            .flatten()
    }

    fn strips(&self, nodes: &[usize], name: &str) -> bool {
        let mut said = nodes.iter().flat_map(|id| self.optional(*id));
        said.any(|(it, strip)| it == name && *strip)
    }

    fn fits(&self, id: usize, value: &Value) -> bool {
        self.compiled.fits(self.schema, id, value) == Some(true)
    }
}
