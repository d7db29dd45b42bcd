//! Damage to scalars, and values put in their place.

use serde_json::{Number, Value, json};

use super::{Edit, Site};
use crate::generate::number::{exact, whole};
use crate::generate::rng::Rng;
use crate::generate::shape::Part;

/// The first of `values` that a plain keyword refuses.
fn first_refused(site: &Site<'_, '_>, values: impl IntoIterator<Item = Value>) -> Option<Edit> {
    values.into_iter().find_map(|value| site.replaced(value))
}

/// The text, where `enum` or `const` lists it.
fn listed<'s>(site: &Site<'s, '_>) -> Option<&'s str> {
    let lists = |part: Part| {
        site.plan
            .get(part.node, "enum")
            .or(site.plan.get(part.node, "const"))
            .is_some()
    };
    site.value.as_str().filter(|_| site.parts().any(lists))
}

pub(super) fn near_miss(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let text = listed(site)?;
    let cut: String = text.chars().skip(1).collect();
    let misses = [
        format!("{text}s"),
        format!("{text} "),
        text.replace('_', "-"),
        cut,
        format!("{text}\u{200B}"),
    ];
    let start = rng.below(misses.len());
    let misses = (0..misses.len()).map(|step| Value::from(misses[(start + step) % 5].as_str()));
    first_refused(site, misses)
}

pub(super) fn other_case(site: &Site<'_, '_>) -> Option<Edit> {
    let text = listed(site)?;
    let upper = text.to_uppercase();
    let other = if upper == text {
        text.to_lowercase()
    } else {
        upper
    };
    site.replaced(Value::from(other))
}

pub(super) fn wrong_type(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let values = [
        json!(true),
        json!(7),
        json!(0.5),
        json!("seven"),
        json!([7]),
        json!({"value": 7}),
        json!(false),
        json!([]),
        json!([site.value.clone()]),
    ];
    let order = rng.order(values.len());
    first_refused(site, order.into_iter().map(|index| values[index].clone()))
}

pub(super) fn number_as_string(site: &Site<'_, '_>) -> Option<Edit> {
    site.value
        .as_number()
        .and_then(|number| site.replaced(Value::from(number.to_string())))
}

pub(super) fn string_as_number(site: &Site<'_, '_>) -> Option<Edit> {
    let text = site.value.as_str()?;
    let number = text.parse::<Number>().ok().map_or(json!(1), Value::Number);
    site.replaced(number)
}

pub(super) fn broken_pattern(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let text = site.value.as_str()?;
    let (part, pattern) = site.parts().find_map(|part| {
        let pattern = site.plan.get(part.node, "pattern")?.as_str()?;
        Some((part, site.plan.pattern(pattern)?))
    })?;
    let tail: String = text.chars().skip(1).collect();
    let broken = [
        format!("{text}\n"),
        format!("{text}!"),
        format!(" {text}"),
        text.to_lowercase(),
        text.to_uppercase(),
        tail,
        String::new(),
        "?".to_owned(),
    ];
    let start = rng.below(broken.len());
    let mut broken = (0..broken.len()).map(|step| &broken[(start + step) % broken.len()]);
    let text = broken.find(|text| !pattern.matches(text))?;
    Some(Edit::new(Value::from(text.as_str()), "pattern", part))
}

pub(super) fn unicode(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let text = site.value.as_str().filter(|text| !text.is_empty())?;
    let first = text.chars().next()?;
    let rest: String = text.chars().skip(1).collect();
    let head: String = text.chars().take(text.chars().count() - 1).collect();
    let variants = [
        // The escape as six characters: somebody has escaped twice.
        format!("\\u{:04x}{rest}", u32::from(first)),
        // What a reader leaves of a character whose second half was cut off.
        format!("{head}\u{FFFD}"),
        head,
        format!("{text}\u{301}"),
    ];
    let start = rng.below(variants.len());
    first_refused(
        site,
        (0..4).map(|step| Value::from(variants[(start + step) % 4].as_str())),
    )
}

pub(super) fn big_integer(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let number = site.value.as_number()?;
    let mut values = vec![
        json!(9_007_199_254_740_993_u64),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(-9_007_199_254_740_993_i64),
        json!(i64::MIN),
    ];
    // A listed number beyond exact doubles has neighbours that a double confuses with it.
    if let Some(exactly) = whole(number).filter(|number| number.unsigned_abs() > 1 << 53) {
        let near = [exactly - 1, exactly + 1].into_iter().filter_map(exact);
        values.splice(0..0, near.map(Value::Number));
    }
    let start = if values.len() > 5 {
        rng.below(2)
    } else {
        rng.below(5)
    };
    let count = values.len();
    first_refused(
        site,
        (0..count).map(|step| values[(start + step) % count].clone()),
    )
}

pub(super) fn empty(site: &Site<'_, '_>) -> Option<Edit> {
    let empty = match site.value {
        Value::String(text) if !text.is_empty() => json!(""),
        Value::Array(items) if !items.is_empty() => json!([]),
        Value::Object(members) if !members.is_empty() => json!({}),
        _ => return None,
    };
    site.replaced(empty)
}
