//! Damage to objects: members too many, too few, or of the wrong name.

use serde_json::{Map, Value};

use super::{Edit, Site};
use crate::generate::rng::Rng;
use crate::generate::shape::Part;
use crate::generate::words::{INSTRUCTIONS, NAMES};

/// Names that few rules for names allow.
const ODD: &[&str] = &[
    "",
    " ",
    "two words",
    "%",
    "UPPER",
    "lower",
    "0",
    "$ref",
    "a.b",
    "é",
];

/// A member that the object does not declare, where it is closed.
pub(super) fn extra(site: &Site<'_, '_>, instructs: bool, rng: &mut Rng) -> Option<Edit> {
    let members = site.value.as_object()?;
    let (keyword, part) = closing(site)?;
    let parts: Vec<Part> = site.parts().collect();
    for index in rng.order(NAMES.len()) {
        let name = NAMES[index];
        let member = site.plan.member(&parts, name);
        // Part of the schemas may know the name; the closed one must not.
        if members.contains_key(name) || !site.plan.is_closed(&member.parts) {
            continue;
        }
        let value = if instructs {
            Value::from(*rng.pick(INSTRUCTIONS)?)
        } else {
            [Value::Null, Value::from(7), Value::from("added")][rng.below(3)].clone()
        };
        let value = Value::Object(with(members, name, value));
        return Some(Edit::new(value, keyword, part));
    }
    None
}

/// The schema that closes the object, and by which keyword.
pub(super) fn closing(site: &Site<'_, '_>) -> Option<(&'static str, Part)> {
    ["additionalProperties", "unevaluatedProperties"]
        .into_iter()
        .find_map(|keyword| {
            let closes =
                |part: &Part| site.plan.get(part.node, keyword) == Some(&Value::Bool(false));
            site.parts().find(closes).map(|part| (keyword, part))
        })
}

/// A required member left out.
pub(super) fn missing(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let members = site.value.as_object()?;
    let mut found: Vec<(Part, &str)> = Vec::new();
    for part in site.parts() {
        let required = site
            .plan
            .get(part.node, "required")
            .and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        found.extend(
            names
                .filter(|name| members.contains_key(*name))
                .map(|name| (part, name)),
        );
    }
    let (part, name) = *rng.pick(&found)?;
    Some(Edit::new(without(members, name), "required", part))
}

/// A member whose companions are left out.
pub(super) fn alone(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let members = site.value.as_object()?;
    let mut found: Vec<(Part, &'static str, &str)> = Vec::new();
    for part in site.parts() {
        for keyword in ["dependentRequired", "dependencies"] {
            for (trigger, others) in site.plan.members(part.node, keyword) {
                let others = others
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str);
                let there = others
                    .filter(|other| members.contains_key(trigger) && members.contains_key(*other));
                found.extend(there.map(|other| (part, keyword, other)));
            }
        }
    }
    let (part, keyword, other) = *rng.pick(&found)?;
    Some(Edit::new(without(members, other), keyword, part))
}

/// A member of a name that `propertyNames` does not allow.
pub(super) fn bad_name(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let members = site.value.as_object()?;
    let start = rng.below(ODD.len());
    site.parts().find_map(|part| {
        let names = site.plan.child(part.node, "propertyNames")?;
        let odd = (0..ODD.len()).map(|step| ODD[(start + step) % ODD.len()]);
        let mut odd = odd.filter(|name| !members.contains_key(*name));
        let name = odd.find(|name| !site.plan.fits(names, &Value::from(*name)))?;
        let value = members
            .values()
            .next()
            .cloned()
            .unwrap_or(Value::from("added"));
        let value = Value::Object(with(members, name, value));
        Some(Edit::new(value, "propertyNames", part))
    })
}

fn with(members: &Map<String, Value>, name: &str, value: Value) -> Map<String, Value> {
    let mut members = members.clone();
    members.insert(name.to_owned(), value);
    members
}

fn without(members: &Map<String, Value>, name: &str) -> Value {
    let mut members = members.clone();
    members.shift_remove(name);
    Value::Object(members)
}
