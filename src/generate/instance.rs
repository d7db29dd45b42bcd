//! Values that fit a schema, each with the schema that holds at every place of it.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::plan::Plan;
use super::rng::Rng;
use super::shape::{Impossible, Part, Shape};
use super::types::Types;
use crate::source::Pointer;

/// Attempts at one place with other choices.
const TRIES: usize = 12;
/// From this level on a value ends as soon as it can.
const DEEP: usize = 5;
/// Beyond this level there is none.
const DEEPEST: usize = 40;

/// A value that fits, and why.
#[derive(Clone, Debug)]
pub(super) struct Grown {
    /// What holds here.
    pub(super) shape: Rc<Shape>,
    /// The value.
    pub(super) body: Body,
}

/// A value with its parts.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// A scalar, or a value that the schema lists.
    Leaf(Value),
    /// Elements.
    Array(Vec<Grown>),
    /// Members.
    Object(Vec<(String, Grown)>),
}

impl Grown {
    /// The value alone.
    pub(super) fn value(&self) -> Value {
        match &self.body {
            Body::Leaf(value) => value.clone(),
            Body::Array(items) => items.iter().map(Self::value).collect(),
            Body::Object(members) => {
                let members = members
                    .iter()
                    .map(|(name, member)| (name.clone(), member.value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }

    /// Every place that a schema describes, the whole first.
    pub(super) fn sites(&self) -> Vec<(Pointer, &Self)> {
        let mut sites = vec![(Pointer::root(), self)];
        let mut next = 0;
        while next < sites.len() {
            let (pointer, grown) = sites[next].clone();
            match &grown.body {
                Body::Leaf(_) => {}
                Body::Array(items) => {
                    let items = items.iter().enumerate();
                    sites.extend(items.map(|(index, item)| (pointer.join(index), item)));
                }
                Body::Object(members) => {
                    sites.extend(
                        members
                            .iter()
                            .map(|(name, member)| (pointer.join(name), member)),
                    );
                }
            }
            next += 1;
        }
        sites
    }
}

/// One value in the making.
pub(super) struct Grower<'p, 'a> {
    pub(super) plan: &'p Plan<'a>,
    pub(super) rng: &'p mut Rng,
    /// Attempts that are left, over all places.
    pub(super) fuel: usize,
    /// What stays out of the value as far as the schema allows: optional members, elements.
    pub(super) sparse: bool,
}

impl Grower<'_, '_> {
    /// A value that fits `parts`, at some level of the whole.
    pub(super) fn grow(&mut self, parts: &[Part], level: usize) -> Option<Grown> {
        if level > DEEPEST {
            return None;
        }
        for _ in 0..TRIES {
            self.fuel = self.fuel.checked_sub(1)?;
            let shape = match self.plan.shape(parts, self.is_deep(level), self.rng) {
                Ok(shape) => shape,
                Err(Impossible::Always) => return None,
                Err(Impossible::ThisTime) => continue,
            };
            let Some(mut grown) = self.fill(shape, level) else {
                continue;
            };
            if self.holds(&grown) {
                return Some(grown);
            }
            self.repel(&mut grown);
            if self.holds(&grown) {
                return Some(grown);
            }
        }
        None
    }

    /// Whether the value is what could not be built in.
    fn holds(&self, grown: &Grown) -> bool {
        if grown.shape.hard.is_empty() {
            return true;
        }
        let value = grown.value();
        grown
            .shape
            .hard
            .iter()
            .all(|id| self.plan.fits(*id, &value))
    }

    pub(super) fn is_deep(&self, level: usize) -> bool {
        self.sparse || level >= DEEP
    }

    fn fill(&mut self, shape: Rc<Shape>, level: usize) -> Option<Grown> {
        if let Some(values) = &shape.values {
            let value = self.rng.pick(values)?.clone();
            return Some(Grown {
                shape,
                body: Body::Leaf(value),
            });
        }
        let kind = self.kind(&shape, level)?;
        if kind == Types::OBJECT {
            return self.object(shape, level);
        }
        if kind == Types::ARRAY {
            return self.array(shape, level);
        }
        let value = match kind {
            Types::NULL => Value::Null,
            Types::BOOLEAN => Value::Bool(self.rng.chance(50)),
            Types::STRING => Value::String(self.string(&shape)?),
            number => Value::Number(self.number(&shape, number)?),
        };
        Some(Grown {
            shape,
            body: Body::Leaf(value),
        })
    }

    /// One of the types that are left. Where none is named, the keywords tell which was meant.
    fn kind(&mut self, shape: &Shape, level: usize) -> Option<Types> {
        let named = shape
            .parts
            .iter()
            .any(|part| self.plan.get(part.node, "type").is_some());
        let mut types = shape.types;
        if !named && !self.rng.chance(10) {
            types = types.and(self.meant(shape));
        }
        if self.is_deep(level) && types.has_scalar() && !self.rng.chance(10) {
            types = types.without(Types::ARRAY.or(Types::OBJECT));
        }
        let types = if types.is_none() { shape.types } else { types };
        let kinds: Vec<Types> = Types::EACH
            .into_iter()
            .filter(|kind| types.contains(*kind))
            .collect();
        self.rng.pick(&kinds).copied()
    }

    /// The types whose keywords the schemas use; scalars where there is none.
    fn meant(&self, shape: &Shape) -> Types {
        let keywords: [(&str, Types); 20] = [
            ("properties", Types::OBJECT),
            ("required", Types::OBJECT),
            ("additionalProperties", Types::OBJECT),
            ("patternProperties", Types::OBJECT),
            ("propertyNames", Types::OBJECT),
            ("minProperties", Types::OBJECT),
            ("dependentRequired", Types::OBJECT),
            ("dependentSchemas", Types::OBJECT),
            ("unevaluatedProperties", Types::OBJECT),
            ("items", Types::ARRAY),
            ("prefixItems", Types::ARRAY),
            ("contains", Types::ARRAY),
            ("minItems", Types::ARRAY),
            ("uniqueItems", Types::ARRAY),
            ("minimum", Types::NUMBER),
            ("maximum", Types::NUMBER),
            ("multipleOf", Types::NUMBER),
            ("pattern", Types::STRING),
            ("minLength", Types::STRING),
            ("maxLength", Types::STRING),
        ];
        let used = keywords.into_iter().filter(|(keyword, _)| {
            shape
                .parts
                .iter()
                .any(|part| self.plan.get(part.node, keyword).is_some())
        });
        let meant = used.fold(Types::NONE, |set, (_, types)| set.or(types));
        if meant.is_none() {
            Types::ALL.without(Types::ARRAY.or(Types::OBJECT))
        } else {
            meant
        }
    }

    /// The greatest value of a keyword that sets a lower bound.
    pub(super) fn at_least(&self, shape: &Shape, keyword: &str) -> usize {
        let said = shape
            .parts
            .iter()
            .filter_map(|part| self.plan.size(part.node, keyword));
        said.max().unwrap_or(0)
    }

    /// The smallest value of a keyword that sets an upper bound.
    pub(super) fn at_most(&self, shape: &Shape, keyword: &str) -> usize {
        let said = shape
            .parts
            .iter()
            .filter_map(|part| self.plan.size(part.node, keyword));
        said.min().unwrap_or(usize::MAX)
    }
}

impl Plan<'_> {
    /// The value of a keyword that bounds a size.
    pub(super) fn size(&self, id: usize, keyword: &str) -> Option<usize> {
        let value = self.get(id, keyword)?;
        let whole = value.as_u64().or_else(|| {
            // `3.0` is an integer, too.
            let double = value
                .as_f64()
                .filter(|double| double.fract() == 0.0 && *double >= 0.0)?;
            format!("{double:.0}").parse().ok()
        })?;
        usize::try_from(whole).ok()
    }
}
