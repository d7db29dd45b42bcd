//! What a damaged value violates, as it is stated: by the plain keywords alone, read one by one.
//! Whether the whole schema agrees is for the oracle to say.

use serde_json::{Map, Number, Value};

use super::{Edit, Kind, Site};
use crate::generate::Mutant;
use crate::generate::number::{Bound, exact, whole};
use crate::generate::plan::Plan;
use crate::generate::rng::Rng;
use crate::generate::shape::Part;
use crate::generate::types::Types;
use crate::schema::equal;
use crate::source::Pointer;

/// Elements, characters or members that are added at most to exceed a bound.
const MOST_ADDED: usize = 2_000;

/// The first plain keyword that `value` violates: first what it is, then how much of it there is.
pub(super) fn violated(
    plan: &Plan<'_>,
    parts: &(impl Iterator<Item = Part> + Clone),
    value: &Value,
) -> Option<(&'static str, Part)> {
    let identity = |part: Part| {
        let get = |keyword| plan.get(part.node, keyword);
        let wrong_type =
            get("type").is_some_and(|types| !Types::named(types).contains(Types::of(value)));
        let options = get("enum").and_then(Value::as_array);
        let not_listed =
            options.is_some_and(|options| !options.iter().any(|option| equal(option, value)));
        let not_const = get("const").is_some_and(|constant| !equal(constant, value));
        let keywords = [
            ("type", wrong_type),
            ("enum", not_listed),
            ("const", not_const),
        ];
        keywords
            .into_iter()
            .find(|(_, wrong)| *wrong)
            .map(|(keyword, _)| (keyword, part))
    };
    let extent = |part: Part| extent(plan, part, value).map(|keyword| (keyword, part));
    parts
        .clone()
        .find_map(identity)
        .or_else(|| parts.clone().find_map(extent))
}

fn extent(plan: &Plan<'_>, part: Part, value: &Value) -> Option<&'static str> {
    let id = part.node;
    let size = |count: usize, least: &'static str, most: &'static str| {
        if plan.size(id, least).is_some_and(|least| count < least) {
            return Some(least);
        }
        plan.size(id, most)
            .is_some_and(|most| count > most)
            .then_some(most)
    };
    match value {
        Value::Number(number) => {
            let outside = |bound: &Bound<'_>| outside(number, bound);
            plan.bounds(id)
                .into_iter()
                .find(outside)
                .map(|bound| bound.keyword)
        }
        Value::String(text) => {
            let pattern = plan.get(id, "pattern").and_then(Value::as_str);
            let pattern = pattern.and_then(|pattern| plan.pattern(pattern));
            let broken = pattern.is_some_and(|pattern| !pattern.matches(text));
            let sized = size(text.chars().count(), "minLength", "maxLength");
            sized.or_else(|| broken.then_some("pattern"))
        }
        Value::Array(items) => size(items.len(), "minItems", "maxItems"),
        Value::Object(members) => {
            let required = plan.get(id, "required").and_then(Value::as_array);
            let mut names = required.into_iter().flatten().filter_map(Value::as_str);
            let missing = names.any(|name| !members.contains_key(name));
            let sized = size(members.len(), "minProperties", "maxProperties");
            missing.then_some("required").or(sized)
        }
        _ => None,
    }
}

fn outside(number: &Number, bound: &Bound<'_>) -> bool {
    let order = match (whole(number), whole(bound.limit)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => match number.as_f64().partial_cmp(&bound.limit.as_f64()) {
            Some(order) => order,
            None => return false,
        },
    };
    let order = if bound.upper { order } else { order.reverse() };
    order.is_gt() || (bound.exclusive && order.is_eq())
}

/// One beyond a bound on a number or a size.
pub(super) fn off_by_one(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let mut edits = Vec::new();
    for part in site.parts() {
        match site.value {
            Value::Number(number) => edits.extend(numbers(site, part, number)),
            Value::String(text) => edits.extend(sizes(
                site,
                part,
                ["minLength", "maxLength"],
                |size| {
                    let text: String = text
                        .chars()
                        .chain(std::iter::repeat('x'))
                        .take(size)
                        .collect();
                    Value::from(text)
                },
                text.chars().count(),
            )),
            Value::Array(items) => {
                let filler = Value::from("one more");
                let more = || items.last().unwrap_or(&filler).clone();
                edits.extend(sizes(
                    site,
                    part,
                    ["minItems", "maxItems"],
                    |size| {
                        items
                            .iter()
                            .cloned()
                            .chain(std::iter::repeat_with(more))
                            .take(size)
                            .collect()
                    },
                    items.len(),
                ));
            }
            Value::Object(members) => edits.extend(sizes(
                site,
                part,
                ["minProperties", "maxProperties"],
                |size| Value::Object(resized(site, members, size)),
                members.len(),
            )),
            _ => {}
        }
    }
    let chosen = rng.below(edits.len());
    (!edits.is_empty()).then(|| edits.swap_remove(chosen))
}

fn numbers(site: &Site<'_, '_>, part: Part, number: &Number) -> Vec<Edit> {
    let mut edits = Vec::new();
    for bound in site.plan.bounds(part.node) {
        let beyond = match (bound.exclusive, bound.upper) {
            (true, _) => 0_i32,
            (false, true) => 1,
            (false, false) => -1,
        };
        let value = match whole(bound.limit) {
            Some(limit) => exact(limit + i128::from(beyond)),
            None => Number::from_f64(bound.limit.as_f64().unwrap_or(0.0) + f64::from(beyond)),
        };
        edits.extend(value.map(|value| Edit::new(value.into(), bound.keyword, part)));
    }
    if let Some(Value::Number(step)) = site.plan.get(part.node, "multipleOf") {
        let value = match (whole(number), whole(step)) {
            (Some(number), Some(step)) if step > 1 => exact(number + 1),
            _ => Number::from_f64(
                number.as_f64().unwrap_or(0.0) + step.as_f64().unwrap_or(1.0) / 2.0,
            ),
        };
        edits.extend(value.map(|value| Edit::new(value.into(), "multipleOf", part)));
    }
    edits
}

/// The edits that make a size one too small or one too large.
fn sizes(
    site: &Site<'_, '_>,
    part: Part,
    keywords: [&'static str; 2],
    resized: impl Fn(usize) -> Value,
    now: usize,
) -> Vec<Edit> {
    let [least, most] = keywords.map(|keyword| site.plan.size(part.node, keyword));
    let least = least
        .and_then(|least| least.checked_sub(1))
        .map(|size| (size, keywords[0]));
    let most = most
        .and_then(|most| most.checked_add(1))
        .map(|size| (size, keywords[1]));
    let sizes = least.into_iter().chain(most);
    let near = sizes.filter(|(size, _)| *size <= now.saturating_add(MOST_ADDED));
    near.map(|(size, keyword)| Edit::new(resized(size), keyword, part))
        .collect()
}

/// The object with so many members: optional ones go first, allowed ones come.
fn resized(site: &Site<'_, '_>, members: &Map<String, Value>, count: usize) -> Map<String, Value> {
    let mut resized = members.clone();
    while resized.len() > count {
        let last = resized.keys().next_back().cloned();
        last.and_then(|name| resized.shift_remove(&name));
    }
    let parts: Vec<Part> = site.parts().collect();
    let mut number = 0;
    while resized.len() < count {
        number += 1;
        let name = format!("more{number}");
        // A name that a pattern admits may need a value that fits: the oracle will tell.
        let value = if site.plan.member(&parts, &name).parts.is_empty() {
            Value::from(number)
        } else {
            members.values().next().cloned().unwrap_or_default()
        };
        resized.insert(name, value);
    }
    resized
}

/// The mutant with what is stated of it; `at` is so many levels below the place of `part`.
pub(super) fn mutant(
    plan: &Plan<'_>,
    kind: Kind,
    value: Value,
    (at, levels): (Pointer, usize),
    keyword: &'static str,
    part: Part,
) -> Mutant {
    let reported = match part.blame {
        None => (keyword.to_owned(), at.clone()),
        Some(blame) => {
            let up = |at: Pointer, _| at.parent().unwrap_or_default();
            (
                blame.keyword.to_owned(),
                (0..blame.up + levels).fold(at.clone(), up),
            )
        }
    };
    Mutant {
        kind,
        value,
        keyword: keyword.to_owned(),
        at,
        schema: plan.pointer(part.node).join(keyword),
        reported,
        sole: false,
    }
}
