//! Objects that fit: which members there are, and what each must be.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::instance::{Body, Grower, Grown};
use super::shape::{Part, Shape};
use super::words::NAMES;

/// Members beyond the required ones that an object gets at most.
const MOST_MEMBERS: usize = 40;
/// Rounds in which members that are there ask for others.
const ROUNDS: usize = 8;

impl Grower<'_, '_> {
    pub(super) fn object(&mut self, mut shape: Rc<Shape>, level: usize) -> Option<Grown> {
        let least = self.at_least(&shape, "minProperties");
        let most = self.at_most(&shape, "maxProperties");
        let mut names = self.plan.wanted(&shape.parts, &[]);
        self.add_optional(&shape, &mut names, least, most, level);
        self.add_free(&shape, &mut names, least, most, level);
        for _ in 0..ROUNDS {
            let wanted = self.plan.wanted(&shape.parts, &names);
            let before = names.len();
            add(&mut names, wanted);
            let dependent = self.plan.dependent(&shape.parts, &names);
            if dependent.is_empty() && names.len() == before {
                break;
            }
            if !dependent.is_empty() {
                shape = self.with(&shape, &dependent, level)?;
            }
        }
        dedup(&mut names);
        let wanted = self.plan.wanted(&shape.parts, &names);
        let mut members = Vec::with_capacity(names.len());
        for name in names {
            let parts = self.plan.member(&shape.parts, &name).parts;
            match self.grow(&parts, level + 1) {
                Some(grown) => members.push((name, grown)),
                None if wanted.contains(&name) => return None,
                None => {}
            }
        }
        if members.len() < least || members.len() > most {
            return None;
        }
        Some(Grown {
            shape,
            body: Body::Object(members),
        })
    }

    /// The shape with further schemas.
    fn with(&mut self, shape: &Shape, more: &[Part], level: usize) -> Option<Rc<Shape>> {
        let added = self.plan.shape(more, self.is_deep(level), self.rng).ok()?;
        let mut both = shape.clone();
        for part in &added.parts {
            if both.parts.iter().all(|known| known.node != part.node) {
                both.parts.push(*part);
            }
        }
        both.hard.extend(&added.hard);
        both.unions.extend(added.unions.iter().cloned());
        both.types = both.types.and(added.types);
        (!both.types.is_none()).then(|| Rc::new(both))
    }

    /// Declared members that need not be there.
    fn add_optional(
        &mut self,
        shape: &Shape,
        names: &mut Vec<String>,
        least: usize,
        most: usize,
        level: usize,
    ) {
        // A member that others depend on may be declared nowhere else.
        let keywords = [
            "properties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
        ];
        let mut declared = Vec::new();
        for part in &shape.parts {
            let members = keywords.map(|keyword| self.plan.members(part.node, keyword));
            declared.extend(
                members
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.to_owned()),
            );
        }
        dedup(&mut declared);
        declared.retain(|name| {
            let member = self.plan.member(&shape.parts, name);
            !self.plan.is_closed(&member.parts)
        });
        declared.retain(|name| !names.contains(name));
        let percent = if self.is_deep(level) { 0 } else { 50 };
        let mut left = Vec::new();
        for name in declared {
            if names.len() < most && names.len() < MOST_MEMBERS && self.rng.chance(percent) {
                names.push(name);
            } else {
                left.push(name);
            }
        }
        // Then as many more as a bound asks for.
        for index in self.rng.order(left.len()) {
            let open = !self
                .plan
                .is_closed(&self.plan.member(&shape.parts, &left[index]).parts);
            if names.len() < least && open {
                names.push(left[index].clone());
            }
        }
    }

    /// Members whose names are free, or follow a pattern.
    fn add_free(
        &mut self,
        shape: &Shape,
        names: &mut Vec<String>,
        least: usize,
        most: usize,
        level: usize,
    ) {
        let has = |keyword| {
            shape
                .parts
                .iter()
                .any(|part| self.plan.get(part.node, keyword).is_some())
        };
        let declares = has("properties");
        let typed = has("additionalProperties") || has("propertyNames");
        let deep = self.is_deep(level);
        for part in &shape.parts {
            let patterns: Vec<String> = self
                .plan
                .members(part.node, "patternProperties")
                .map(|(pattern, _)| pattern.to_owned())
                .collect();
            for pattern in patterns {
                if !deep && self.rng.chance(60) && names.len() < most {
                    let pattern = self.plan.pattern(&pattern);
                    names.extend(pattern.and_then(|pattern| pattern.draw((0, 40), self.rng)));
                }
            }
        }
        // A map without declared members is meant to have some.
        let percent = match (declares, typed) {
            (false, true) => 80,
            (false, false) => 30,
            (true, _) => 8,
        };
        let mut extra = least.saturating_sub(names.len());
        if !deep && self.rng.chance(percent) {
            extra = extra.max(1 + self.rng.below(if declares { 1 } else { 3 }));
        }
        for _ in 0..extra.saturating_mul(8).min(400) {
            dedup(names);
            if extra == 0 || names.len() >= most.min(least.max(MOST_MEMBERS)) {
                break;
            }
            let Some(name) = self.name(shape, level) else {
                continue;
            };
            let member = self.plan.member(&shape.parts, &name);
            if !names.contains(&name) && !self.plan.is_closed(&member.parts) {
                names.push(name);
                extra -= 1;
            }
        }
        dedup(names);
    }

    /// A name that `propertyNames` allows.
    fn name(&mut self, shape: &Shape, level: usize) -> Option<String> {
        let rules = shape.parts.iter().filter_map(|part| {
            let names = self.plan.child(part.node, "propertyNames")?;
            Some(part.blaming("propertyNames").beside(names))
        });
        let mut rules: Vec<Part> = rules.collect();
        if rules.is_empty() {
            // Where members follow patterns alone, free names do not help.
            let patterns = shape.parts.iter().flat_map(|part| {
                self.plan
                    .members(part.node, "patternProperties")
                    .map(|(pattern, _)| pattern)
            });
            let patterns: Vec<&str> = patterns.collect();
            if let Some(pattern) = self.rng.pick(&patterns).filter(|_| self.rng.chance(50)) {
                return self.plan.pattern(pattern)?.draw((0, 40), self.rng);
            }
            let name = self.rng.pick(NAMES)?;
            return Some(match self.rng.below(4) {
                0 => format!("{name}{}", self.rng.below(100)),
                _ => (*name).to_owned(),
            });
        }
        rules.truncate(8);
        match self.grow(&rules, level + 1)?.value() {
            Value::String(name) => Some(name),
            _ => None,
        }
    }
}

fn add(names: &mut Vec<String>, more: Vec<String>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

fn dedup(names: &mut Vec<String>) {
    let mut seen: Map<String, Value> = Map::new();
    names.retain(|name| seen.insert(name.clone(), Value::Null).is_none());
}
