//! Damage whose effect is known: which keyword it violates, and where.

mod array;
mod kind;
mod object;
mod scalar;
mod stated;
#[cfg(test)]
mod tests;
mod union;

use serde_json::Value;

use super::Mutant;
use super::instance::Grown;
use super::plan::Plan;
use super::rng::Rng;
use super::shape::Part;
use super::words;
pub use kind::Kind;

/// A place of a value, to be damaged.
struct Site<'s, 'a> {
    plan: &'s Plan<'a>,
    grown: &'s Grown,
    /// The value at the place.
    value: &'s Value,
    is_root: bool,
}

/// The damage to one place.
struct Edit {
    /// What stands there instead.
    value: Value,
    /// The keyword that it violates.
    keyword: &'static str,
    /// The schema that holds the keyword.
    part: Part,
    /// The element that it is violated at, where that is not the place itself.
    element: Option<usize>,
}

impl Edit {
    fn new(value: Value, keyword: &'static str, part: Part) -> Self {
        Self {
            value,
            keyword,
            part,
            element: None,
        }
    }
}

impl<'s> Site<'s, '_> {
    /// The schemas that answer for what is wrong here. A value that stops to satisfy an `if` is
    /// judged by the other branch, so nothing is stated of it.
    fn parts(&self) -> impl Iterator<Item = Part> + Clone + use<'s> {
        let parts = self.grown.shape.parts.iter().copied();
        parts.filter(|part| part.blame.is_none_or(|blame| blame.keyword != "if"))
    }

    /// The edit to `value`, if one of the simple keywords says that it does not fit.
    fn replaced(&self, value: Value) -> Option<Edit> {
        let (keyword, part) = stated::violated(self.plan, &self.parts(), &value)?;
        Some(Edit::new(value, keyword, part))
    }
}

/// Damages `value`, which is that of `grown`, at one place where `kind` applies.
pub(super) fn mutate(
    plan: &Plan<'_>,
    grown: &Grown,
    value: &Value,
    kind: Kind,
    rng: &mut Rng,
) -> Option<Mutant> {
    let sites = grown.sites();
    let start = if kind == Kind::WrongRoot {
        0
    } else {
        rng.below(sites.len())
    };
    let most = if kind == Kind::WrongRoot {
        1
    } else {
        sites.len()
    };
    for step in 0..most {
        let (pointer, grown) = &sites[(start + step) % sites.len()];
        let Some(here) = value.pointer(pointer.as_str()) else {
            continue;
        };
        let site = Site {
            plan,
            grown,
            value: here,
            is_root: pointer.is_root(),
        };
        let Some(edit) = edit(&site, kind, rng) else {
            continue;
        };
        let mut damaged = value.clone();
        if let Some(place) = damaged.pointer_mut(pointer.as_str()) {
            *place = edit.value;
        }
        let at = edit
            .element
            .map_or_else(|| pointer.clone(), |index| pointer.join(index));
        let levels = usize::from(edit.element.is_some());
        return Some(stated::mutant(
            plan,
            kind,
            damaged,
            (at, levels),
            edit.keyword,
            edit.part,
        ));
    }
    None
}

fn edit(site: &Site<'_, '_>, kind: Kind, rng: &mut Rng) -> Option<Edit> {
    match kind {
        Kind::ExtraMember => object::extra(site, false, rng),
        Kind::Instruction => object::extra(site, true, rng),
        Kind::MissingRequired => object::missing(site, rng),
        Kind::MissingDependent => object::alone(site, rng),
        Kind::BadName => object::bad_name(site, rng),
        Kind::WrongRoot => union::root(site, rng),
        Kind::WrongConst => union::discriminator(site, rng),
        Kind::MixedBranches => union::mixed(site, rng),
        Kind::Excluded => union::excluded(site, rng),
        Kind::ExtraItem => array::extra(site),
        Kind::DuplicateItem => array::twice(site, rng),
        Kind::NotContained => array::not_contained(site),
        Kind::NearMiss => scalar::near_miss(site, rng),
        Kind::OtherCase => scalar::other_case(site),
        Kind::Null => site.replaced(Value::Null),
        Kind::WrongType => scalar::wrong_type(site, rng),
        Kind::OffByOne => stated::off_by_one(site, rng),
        Kind::BrokenPattern => scalar::broken_pattern(site, rng),
        Kind::NumberAsString => scalar::number_as_string(site),
        Kind::StringAsNumber => scalar::string_as_number(site),
        Kind::Unicode => scalar::unicode(site, rng),
        Kind::BigInteger => scalar::big_integer(site, rng),
        Kind::Empty => scalar::empty(site),
    }
}

/// The value with one string that is not of the format that its schema names, where the dialect
/// makes formats annotations.
pub(super) fn against_format(
    plan: &Plan<'_>,
    grown: &Grown,
    value: &Value,
    rng: &mut Rng,
) -> Option<Value> {
    let others = grown.sites().into_iter().filter_map(|(pointer, grown)| {
        let mut parts = grown.shape.parts.iter().map(|part| part.node);
        let named = parts.find(|id| plan.get(*id, "format").is_some())?;
        let format = plan.get(named, "format")?.as_str()?;
        let is_string = value.pointer(pointer.as_str())?.is_string();
        let is_annotation = is_string && plan.dialect(named).format_is_annotation();
        Some((
            pointer,
            words::against_format(format).filter(|_| is_annotation)?,
        ))
    });
    let others: Vec<_> = others.collect();
    let (pointer, text) = rng.pick(&others)?;
    let mut other = value.clone();
    *other.pointer_mut(pointer.as_str())? = Value::from(*text);
    Some(other)
}
