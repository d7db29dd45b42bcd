//! Damage that touches more than one branch, and damage to the whole.

use serde_json::{Map, Value, json};

use super::object::closing;
use super::{Edit, Site};
use crate::generate::instance::Grower;
use crate::generate::rng::Rng;
use crate::generate::shape::Part;

/// Attempts at places of a value of another branch.
const FUEL: usize = 500;

/// The whole value wrapped, unwrapped, or of another type.
pub(super) fn root(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    if !site.is_root {
        return None;
    }
    let value = site.value;
    let mut others = vec![
        json!({"result": value}),
        json!({"items": value}),
        json!([value]),
    ];
    match value {
        Value::Array(items) => {
            others.push(json!({}));
            others.extend(items.first().cloned());
        }
        Value::Object(members) => {
            others.extend(members.values().next().cloned());
            others.push(json!([]));
        }
        _ => others.push(json!({"value": value})),
    }
    for index in rng.order(others.len()) {
        let other = others[index].clone();
        if let Some(edit) = site.replaced(other.clone()) {
            return Some(edit);
        }
        // An object for an object: its one member is undeclared where the schema is closed.
        if other.is_object()
            && let Some((keyword, part)) = closing(site)
        {
            return Some(Edit::new(other, keyword, part));
        }
    }
    None
}

/// The discriminator of another branch, or of none.
pub(super) fn discriminator(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let members = site.value.as_object()?;
    for union in &site.grown.shape.unions {
        if union.owner.blame.is_some_and(|blame| blame.keyword == "if") {
            continue;
        }
        let own = constants(site, union.branches[union.chosen]);
        let there = own
            .into_iter()
            .find(|(name, value)| members.get(*name) == Some(value));
        let Some((name, value)) = there else { continue };
        let others = union
            .branches
            .iter()
            .flat_map(|branch| constants(site, *branch));
        let others = others.filter(|(other, constant)| *other == name && *constant != value);
        let mut others: Vec<Value> = others.map(|(_, constant)| constant.clone()).collect();
        if let Some(text) = value.as_str() {
            others.push(json!(format!("{text}_2")));
        }
        let other = rng.pick(&others)?.clone();
        let mut members = members.clone();
        members.insert(name.to_owned(), other);
        let (keyword, part) = (union.keyword, union.owner);
        return Some(Edit::new(Value::Object(members), keyword, part));
    }
    None
}

/// The members of a branch that must each be one value.
fn constants<'a>(site: &Site<'_, 'a>, branch: usize) -> Vec<(&'a str, &'a Value)> {
    let members = site.plan.members(site.plan.followed(branch), "properties");
    let constant = |(name, schema): (&'a str, &'a Value)| {
        let one = |options: &'a Value| {
            options
                .as_array()
                .filter(|options| options.len() == 1)
                .map(|options| &options[0])
        };
        let value = schema
            .get("const")
            .or_else(|| schema.get("enum").and_then(one))?;
        Some((name, value))
    };
    members.filter_map(constant).collect()
}

/// The members of two branches in one object.
pub(super) fn mixed(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let members = site.value.as_object()?;
    let unions: Vec<_> = site
        .grown
        .shape
        .unions
        .iter()
        .filter(|u| u.branches.len() > 1)
        .collect();
    let union = rng.pick(&unions)?;
    let step = 1 + rng.below(union.branches.len() - 1);
    let other = union.branches[(union.chosen + step) % union.branches.len()];
    let mut both = members.clone();
    let mut new = false;
    for (name, value) in grown(site, other, rng)? {
        new |= !both.contains_key(&name);
        both.entry(name).or_insert(value);
    }
    let (keyword, part) = (union.keyword, union.owner);
    new.then_some(Edit::new(Value::Object(both), keyword, part))
}

/// What a `not` excludes, as far as that leaves the value what it was.
pub(super) fn excluded(site: &Site<'_, '_>, rng: &mut Rng) -> Option<Edit> {
    let part = site
        .parts()
        .find(|part| site.plan.get(part.node, "not").is_some())?;
    let not = site.plan.child(part.node, "not")?;
    let value = match (site.value, grown_value(site, not, rng)?) {
        (Value::Object(members), Value::Object(others)) => {
            let mut both = members.clone();
            both.extend(others);
            Value::Object(both)
        }
        (_, other) => other,
    };
    Some(Edit::new(value, "not", part))
}

fn grown(site: &Site<'_, '_>, id: usize, rng: &mut Rng) -> Option<Map<String, Value>> {
    match grown_value(site, id, rng)? {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

fn grown_value(site: &Site<'_, '_>, id: usize, rng: &mut Rng) -> Option<Value> {
    let mut grower = Grower {
        plan: site.plan,
        rng,
        fuel: FUEL,
        sparse: false,
    };
    Some(
        grower
            .grow(
                &[Part {
                    node: id,
                    blame: None,
                }],
                1,
            )?
            .value(),
    )
}
