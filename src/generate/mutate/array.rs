//! Damage to arrays.

use serde_json::Value;

use super::{Edit, Site};
use crate::generate::rng::Rng;
use crate::generate::shape::Part;

/// An element beyond the places of a tuple.
pub(super) fn extra(site: &Site<'_, '_>) -> Option<Edit> {
    let items = site.value.as_array()?;
    let closed =
        |id: Option<usize>| id.is_some_and(|id| site.plan.value(id) == &Value::Bool(false));
    let places = |part: &Part| site.plan.tuple(part.node).0.len();
    let tuple = site.parts().find(|part| {
        let (prefix, rest) = site.plan.tuple(part.node);
        closed(rest) && prefix.len() <= items.len()
    });
    let (keyword, part) = if let Some(part) = tuple {
        let old = site
            .plan
            .get(part.node, "items")
            .is_some_and(Value::is_array);
        (if old { "additionalItems" } else { "items" }, part)
    } else {
        let mut parts = site.parts();
        let part = parts.find(|part| closed(site.plan.child(part.node, "unevaluatedItems")))?;
        if site.parts().any(|part| places(&part) > items.len()) {
            return None;
        }
        ("unevaluatedItems", part)
    };
    // `items: false` is a schema for each further element; the older keywords are about the array.
    let element = (keyword == "items").then_some(items.len());
    let mut items = items.clone();
    items.push(items.last().cloned().unwrap_or(Value::from("one more")));
    Some(Edit {
        element,
        ..Edit::new(Value::Array(items), keyword, part)
    })
}

/// An element a second time.
pub(super) fn twice(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let items = site.value.as_array()?;
    let unique = |part: &Part| site.plan.get(part.node, "uniqueItems") == Some(&Value::Bool(true));
    let part = site.parts().find(unique)?;
    let item = rng.pick(items)?.clone();
    let mut items = items.clone();
    items.push(item);
    Some(Edit::new(Value::Array(items), "uniqueItems", part))
}

/// The array without the elements that it must contain.
pub(super) fn not_contained(site: &Site<'_, '_>) -> Option<Edit> {
    let items = site.value.as_array()?;
    site.parts().find_map(|part| {
        let kind = site.plan.child(part.node, "contains")?;
        if site.plan.size(part.node, "minContains") == Some(0) {
            return None;
        }
        let others = items.iter().filter(|item| !site.plan.fits(kind, item));
        Some(Edit::new(others.cloned().collect(), "contains", part))
    })
}
