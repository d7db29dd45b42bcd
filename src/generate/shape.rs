//! What holds at one place of an instance: the schema there with its references, `allOf` and the
//! chosen branches laid side by side.

use std::rc::Rc;

use serde_json::Value;

use super::plan::Plan;
use super::rng::Rng;
use super::types::Types;
use crate::schema::equal;

/// A subschema that applies to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Part {
    /// The subschema.
    pub(super) node: usize,
    /// Who is blamed where it is violated, if not the subschema itself.
    pub(super) blame: Option<Blame>,
}

/// A keyword whose parts do not report for themselves: a violation inside a branch of `anyOf` is
/// reported as a violation of `anyOf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Blame {
    /// The keyword.
    pub(super) keyword: &'static str,
    /// The subschema that holds it.
    pub(super) owner: usize,
    /// How many levels of the instance up it applies.
    pub(super) up: usize,
}

impl Part {
    /// The root of a schema.
    pub(super) const ROOT: Self = Self {
        node: 0,
        blame: None,
    };

    /// A subschema of this part that applies one level down.
    pub(super) fn below(self, node: usize) -> Self {
        let blame = self.blame.map(|blame| Blame {
            up: blame.up + 1,
            ..blame
        });
        Self { node, blame }
    }

    /// A subschema of this part that applies in place.
    pub(super) fn beside(self, node: usize) -> Self {
        Self { node, ..self }
    }

    /// This part as one for which `keyword` is blamed, unless something above is already.
    pub(super) fn blaming(self, keyword: &'static str) -> Self {
        let own = Blame {
            keyword,
            owner: self.node,
            up: 0,
        };
        Self {
            blame: self.blame.or(Some(own)),
            ..self
        }
    }
}

/// A union and the branch that was chosen.
#[derive(Clone, Debug)]
pub(super) struct Union {
    /// The schema that holds it.
    pub(super) owner: Part,
    /// `anyOf` or `oneOf`.
    pub(super) keyword: &'static str,
    /// Its branches.
    pub(super) branches: Vec<usize>,
    /// The one that was chosen.
    pub(super) chosen: usize,
}

/// Everything that applies to a place.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The schemas that apply; conjoined.
    pub(super) parts: Vec<Part>,
    /// The unions among them.
    pub(super) unions: Vec<Union>,
    /// The schemas that a value is held against once it stands: what they ask for is not built in.
    pub(super) hard: Vec<usize>,
    /// The types that all of them allow.
    pub(super) types: Types,
    /// The values that `enum` and `const` leave.
    pub(super) values: Option<Vec<Value>>,
    /// Whether another try might choose other branches.
    pub(super) varies: bool,
}

/// Why nothing fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Impossible {
    /// Whatever is chosen.
    Always,
    /// With these choices.
    ThisTime,
}

impl Plan<'_> {
    /// Lays side by side what `parts` ask for together. Close to the bound on depth, `deep` takes
    /// the branches that end soonest.
    pub(super) fn shape(
        &self,
        parts: &[Part],
        deep: bool,
        rng: &mut Rng,
    ) -> Result<Rc<Shape>, Impossible> {
        if let Some(known) = self.shapes.borrow().get(parts) {
            return known.clone();
        }
        let mut shape = Shape {
            parts: Vec::new(),
            unions: Vec::new(),
            hard: Vec::new(),
            types: Types::ALL,
            values: None,
            varies: false,
        };
        let mut stack: Vec<Part> = parts.iter().rev().copied().collect();
        let mut possible = true;
        while let Some(part) = stack.pop().filter(|_| possible) {
            if shape.parts.iter().all(|known| known.node != part.node) {
                possible = self.lay(&mut shape, part, &mut stack, deep, rng);
            }
        }
        possible = possible && self.settle(&mut shape);
        let varies = shape.varies;
        let result = match (possible, varies) {
            (true, _) => Ok(Rc::new(shape)),
            (false, true) => Err(Impossible::ThisTime),
            (false, false) => Err(Impossible::Always),
        };
        if !varies {
            self.shapes
                .borrow_mut()
                .insert(parts.to_vec(), result.clone());
        }
        result
    }

    /// Adds one schema; false where nothing fits it.
    fn lay(
        &self,
        shape: &mut Shape,
        part: Part,
        stack: &mut Vec<Part>,
        deep: bool,
        rng: &mut Rng,
    ) -> bool {
        let id = part.node;
        let Value::Object(members) = self.value(id) else {
            return self.value(id) != &Value::Bool(false);
        };
        for target in self.targets(id) {
            match target {
                Some(target) => stack.push(part.beside(*target)),
                None => shape.hard.push(id),
            }
        }
        if members.contains_key("$ref") && self.dialect(id).ref_hides_siblings() {
            return true;
        }
        shape.parts.push(part);
        if let Some(types) = self.get(id, "type") {
            shape.types = shape.types.and(Types::named(types));
        }
        let constant = self.get(id, "const").map(std::slice::from_ref);
        let options = self
            .get(id, "enum")
            .and_then(Value::as_array)
            .map(Vec::as_slice);
        for values in [constant, options].into_iter().flatten() {
            shape.values = Some(match shape.values.take() {
                None => values.to_vec(),
                Some(mut left) => {
                    left.retain(|value| values.iter().any(|other| equal(value, other)));
                    left
                }
            });
        }
        stack.extend(
            self.children(id, "allOf")
                .into_iter()
                .rev()
                .map(|child| part.beside(child)),
        );
        for keyword in ["anyOf", "oneOf"] {
            let branches = self.children(id, keyword);
            if branches.is_empty() {
                continue;
            }
            let chosen = self.choose(&branches, shape.types, deep, rng);
            shape.varies |= branches.len() > 1;
            stack.push(part.blaming(keyword).beside(branches[chosen]));
            shape.unions.push(Union {
                owner: part,
                keyword,
                branches,
                chosen,
            });
        }
        if let Some(condition) = self.child(id, "if") {
            let (then, other) = (self.child(id, "then"), self.child(id, "else"));
            if then.is_some() || other.is_some() {
                shape.varies = true;
                shape.hard.push(id);
                if rng.chance(60) {
                    stack.push(part.blaming("if").beside(condition));
                    stack.extend(then.map(|then| part.beside(then)));
                } else {
                    stack.extend(other.map(|other| part.beside(other)));
                }
            }
        }
        if let Some(not) = self.child(id, "not") {
            shape.hard.push(id);
            if let Value::Object(only) = self.value(not)
                && let (1, Some(types)) = (only.len(), only.get("type"))
            {
                // `not: {"type": …}` is a type by another name.
                shape.types = shape.types.without(Types::named(types));
            }
        }
        let checked = [
            "oneOf",
            "propertyNames",
            "maxContains",
            "unevaluatedItems",
            "unevaluatedProperties",
        ];
        if checked.iter().any(|keyword| members.contains_key(*keyword)) {
            shape.hard.push(id);
        }
        true
    }

    /// A branch that does not exclude what is left of the types.
    fn choose(&self, branches: &[usize], types: Types, deep: bool, rng: &mut Rng) -> usize {
        let order = rng.order(branches.len());
        let allows = |index: &usize| {
            let mut id = branches[*index];
            while let (Some(Some(target)), true) =
                (self.targets(id).first(), self.get(id, "type").is_none())
            {
                // Chains of references are finite: a cycle in place is refused with the schema.
                id = *target;
            }
            self.get(id, "type")
                .is_none_or(|own| types.contains(Types::named(own)))
        };
        let allowed: Vec<usize> = order.iter().copied().filter(allows).collect();
        let from = if allowed.is_empty() { order } else { allowed };
        let height = |index: &&usize| self.height(branches[**index]);
        let lowest = || from.iter().min_by_key(height).copied();
        let finite = |index: &&usize| height(index) < super::plan::ENDLESS;
        let any = || from.iter().find(finite).copied();
        if deep { lowest() } else { any() }.unwrap_or(0)
    }

    /// Leaves of the listed values those that everything else allows.
    fn settle(&self, shape: &mut Shape) -> bool {
        let Some(values) = shape.values.take() else {
            return !shape.types.is_none();
        };
        let plain = [
            "type",
            "const",
            "enum",
            "title",
            "description",
            "default",
            "examples",
        ];
        let asks_more = |part: &&Part| {
            let members = self.value(part.node).as_object();
            members.is_some_and(|members| members.keys().any(|key| !plain.contains(&key.as_str())))
        };
        let strict: Vec<Part> = shape.parts.iter().filter(asks_more).copied().collect();
        let fits = |value: &Value| {
            shape.types.contains(Types::of(value))
                && strict.iter().all(|part| self.fits(part.node, value))
        };
        let left: Vec<Value> = values.into_iter().filter(fits).collect();
        let possible = !left.is_empty();
        shape.values = Some(left);
        possible
    }
}
