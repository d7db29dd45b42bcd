//! Our judgement of shapes against the wire schemas that the protocol publishes: over its own
//! examples, over seeds of ours, and over systematic damage of both. Neither may call valid what
//! the other refuses, unless the table of differences says why.

#[path = "spec/damage.rs"]
mod damage;
#[path = "spec/differences.rs"]
mod differences;
#[path = "spec/judge.rs"]
mod judge;
#[path = "spec/seeds.rs"]
mod seeds;
mod support;
#[path = "spec/wire.rs"]
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use damage::{Change, Damaged};
use differences::{Difference, Side, differences};
use jsonschema::Validator;
use judge::{Form, Judgement, SHAPE_RULES, forms, judge, settings};
use mcp_conform::protocol::ProtocolVersion;
use mcp_conform::rules::{Settings, find};
use rayon::prelude::*;
use seeds::{Seed, VERSIONS, ours, published};
use wire::{Shape, Wire};

/// What became of one damaged seed.
enum Outcome {
    Agreed,
    /// A difference that the table covers, by the index of its row.
    Meant(usize),
    Wrong(String),
}

/// The two that are compared, and where they may differ.
struct Sides {
    validators: BTreeMap<(ProtocolVersion, Shape), Validator>,
    settings: BTreeMap<ProtocolVersion, Settings>,
    table: Vec<Difference>,
}

impl Sides {
    fn new(spec: &Path) -> Self {
        let mut validators = BTreeMap::new();
        for version in VERSIONS {
            let wire = Wire::read(spec, version);
            for shape in Shape::ALL
                .into_iter()
                .filter(|shape| shape.exists_on(version))
            {
                validators.insert((version, shape), wire.validator(shape));
            }
        }
        Self {
            validators,
            settings: VERSIONS
                .into_iter()
                .map(|version| (version, settings(version)))
                .collect(),
            table: differences(),
        }
    }
}

fn compare(seed: &Seed, form: Form, damaged: &Damaged, accepted: bool, sides: &Sides) -> Outcome {
    let ours = judge(
        seed.shape,
        form,
        &sides.settings[&seed.version],
        &damaged.value,
    );
    let wrong = |what: &str| {
        let Seed {
            name,
            shape,
            version,
            ..
        } = seed;
        let Damaged {
            pointer, change, ..
        } = damaged;
        let Judgement {
            errors,
            warnings,
            places,
            ..
        } = &ours;
        Outcome::Wrong(format!(
            "{what}: {shape:?} on {version} as {form:?}, {change:?} at {pointer:?} of {name}; \
             errors {errors:?} at {places:?}, warnings {warnings:?}"
        ))
    };
    let side = match (accepted, ours.refuses()) {
        (true, false) => return Outcome::Agreed,
        (false, true) if ours.is_near(&damaged.pointer) => return Outcome::Agreed,
        (false, true) => return wrong("refused at another place"),
        (true, true) => Side::Refuses,
        (false, false) if ours.warnings.is_empty() => Side::Passes,
        (false, false) => Side::Warns,
    };
    let said = match side {
        Side::Passes => &BTreeSet::new(),
        Side::Warns => &ours.warnings,
        Side::Refuses => &ours.errors,
    };
    let row = sides.table.iter().position(|row| {
        row.side == side
            && row.covers(seed.version, seed.shape, form, damaged)
            && said.iter().all(|rule| row.rules.contains(rule))
    });
    match (row, side) {
        (Some(row), _) => Outcome::Meant(row),
        (None, Side::Refuses) => wrong("only a rule refuses it"),
        (None, _) => wrong("only the published schema refuses it"),
    }
}

/// Everything that comes of one seed.
fn outcomes(seed: &Seed, sides: &Sides) -> Vec<Outcome> {
    let validator = &sides.validators[&(seed.version, seed.shape)];
    let mut outcomes = Vec::new();
    for damaged in damage::every(&seed.value) {
        let accepted = validator.is_valid(&damaged.value);
        if damaged.change == Change::None && !accepted {
            let Seed { name, version, .. } = seed;
            outcomes.push(Outcome::Wrong(format!("{name} is no seed on {version}")));
        }
        for form in forms(seed.shape, seed.version) {
            outcomes.push(compare(seed, *form, &damaged, accepted, sides));
        }
    }
    outcomes
}

#[test]
fn shapes_are_judged_as_the_published_schemas_judge_them() {
    let Some(spec) = support::shared("spec") else {
        return;
    };
    let sides = Sides::new(&spec);
    let mut seeds = ours();
    seeds.extend(published(&spec));
    let outcomes: Vec<_> = seeds
        .par_iter()
        .flat_map_iter(|seed| outcomes(seed, &sides))
        .collect();
    let judged = outcomes.len();
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Agreed => {}
            Outcome::Meant(row) => drop(used.insert(row)),
            Outcome::Wrong(what) => wrong.push(what),
        }
    }
    let shown = wrong
        .iter()
        .take(40)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("\n");
    assert!(wrong.is_empty(), "{} of {judged}:\n{shown}", wrong.len());
    for (index, row) in sides.table.iter().enumerate() {
        assert!(used.contains(&index), "no value needs this row: {row:#?}");
    }
    eprintln!(
        "{judged} judgements, {} differences that are meant",
        used.len()
    );
}

#[test]
fn every_shape_has_a_dozen_seeds_on_every_version() {
    let mut counts: BTreeMap<(Shape, ProtocolVersion), usize> = BTreeMap::new();
    for seed in ours() {
        *counts.entry((seed.shape, seed.version)).or_default() += 1;
    }
    for shape in Shape::ALL
        .into_iter()
        .filter(|shape| *shape != Shape::Response)
    {
        for version in VERSIONS
            .into_iter()
            .filter(|version| shape.exists_on(*version))
        {
            let count = counts.get(&(shape, version)).copied().unwrap_or(0);
            assert!(count >= 12, "{shape:?} on {version}: {count}");
        }
    }
}

#[test]
fn the_table_names_rules_that_judge_shapes() {
    for row in differences() {
        for rule in row.rules {
            assert!(
                find(rule).is_some() && SHAPE_RULES.contains(rule),
                "{rule}: {}",
                row.because
            );
        }
    }
}
