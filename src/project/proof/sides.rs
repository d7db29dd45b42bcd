//! Both sides of a proof, and what one value comes to on them.

use std::sync::Arc;

use serde_json::Value;

use super::{Counterexample, Direction, Proof};
use crate::generate::{Generator, Rng, Tally, Tried, shrink};
use crate::project::mapping::Mapper;
use crate::schema::{Compiled, Instance, Judgement};

/// Smaller values that are tried for a counterexample.
const SHRINKS: usize = 300;

pub(super) struct Sides<'m, 'a> {
    pub(super) source: Arc<Compiled>,
    pub(super) weaker: Arc<Compiled>,
    pub(super) read: Arc<Compiled>,
    pub(super) opened: Arc<Compiled>,
    pub(super) mapper: Mapper<'m, 'a>,
    /// Along the projection without what only it asks for: alternatives that it shuts out are open.
    pub(super) opener: Mapper<'m, 'a>,
}

/// What one value came to.
enum Told {
    Agreed,
    Excused,
    NotJudged,
    Broken(Box<Counterexample>),
}

fn fits(compiled: &Compiled, value: &Value) -> Option<bool> {
    compiled.fits(Instance::plain(value)).ok()
}

impl Sides<'_, '_> {
    pub(super) fn ask(&self, source: &Value, read: &Value, samples: usize, seed: u64) -> Proof {
        let mut proof = Proof::default();
        let sides = [(Direction::Narrower, source), (Direction::Wider, read)];
        for (direction, schema) in sides {
            let Ok(generator) = Generator::new(schema) else {
                continue;
            };
            let mut tally = Tally::default();
            for number in 0..samples as u64 {
                let name = match direction {
                    Direction::Narrower => "source",
                    Direction::Wider => "projection",
                };
                let mut rng = Rng::of(seed, name, number);
                let Some(sample) = generator.sample(&mut rng, &mut tally) else {
                    break;
                };
                let mutant = generator.mutant(&sample, &mut rng, &mut tally);
                let values = [
                    Some(sample.value().clone()),
                    mutant.map(|mutant| mutant.value),
                ];
                for value in values.into_iter().flatten() {
                    match self.tell(direction, &value) {
                        Told::Agreed => proof.agreed += 1,
                        Told::Excused => proof.excused += 1,
                        Told::NotJudged => proof.not_judged += 1,
                        Told::Broken(found) => {
                            proof.counterexample = Some(self.smaller(direction, &value, *found));
                            return proof;
                        }
                    }
                }
            }
        }
        if proof.agreed + proof.excused == 0 {
            proof.unasked = Some("no value could be drawn".to_owned());
        }
        proof
    }

    /// What a value of one side's making comes to on both.
    fn tell(&self, made_by: Direction, value: &Value) -> Told {
        match made_by {
            Direction::Narrower => {
                let projected = self.mapper.forward(value);
                match (fits(&self.source, value), fits(&self.read, &projected)) {
                    (Some(true), Some(true)) | (Some(false), Some(false)) => Told::Agreed,
                    (Some(true), Some(false)) => self.narrower(value, projected),
                    (Some(false), Some(true)) => {
                        self.wider(self.mapper.back(&projected), projected)
                    }
                    _ => Told::NotJudged,
                }
            }
            Direction::Wider => {
                let source = self.mapper.back(value);
                match (fits(&self.read, value), fits(&self.source, &source)) {
                    (Some(true), Some(true)) | (Some(false), Some(false)) => Told::Agreed,
                    (Some(true), Some(false)) => self.wider(source, value.clone()),
                    (Some(false), Some(true)) => {
                        let projected = self.mapper.forward(&source);
                        match fits(&self.read, &projected) {
                            // Another way to say it fits: the one that was drawn is not needed.
                            Some(true) => Told::Agreed,
                            _ => self.narrower(&source, projected),
                        }
                    }
                    _ => Told::NotJudged,
                }
            }
        }
    }

    /// The projection accepts what the source refuses, unless that comes of mapping back.
    fn wider(&self, source: Value, projected: Value) -> Told {
        match (fits(&self.source, &source), fits(&self.weaker, &source)) {
            (Some(true), _) => Told::Agreed,
            (_, Some(true)) => Told::Excused,
            (_, Some(false)) => broken(
                Direction::Wider,
                &self.weaker,
                &source.clone(),
                (projected, source),
            ),
            _ => Told::NotJudged,
        }
    }

    /// The projection refuses what the source accepts.
    fn narrower(&self, source: &Value, projected: Value) -> Told {
        let opened = self.opener.forward(source);
        let either = [&projected, &opened].map(|value| fits(&self.opened, value));
        if either.contains(&Some(true)) {
            return Told::Excused;
        }
        if either.contains(&None) {
            return Told::NotJudged;
        }
        broken(
            Direction::Narrower,
            &self.opened,
            &projected.clone(),
            (projected, source.clone()),
        )
    }

    /// The smallest value that still breaks the promise.
    fn smaller(&self, made_by: Direction, value: &Value, found: Counterexample) -> Counterexample {
        let direction = found.direction;
        let shrunk = shrink(
            value,
            SHRINKS,
            &mut |value| match self.tell(made_by, value) {
                Told::Broken(it) if it.direction == direction => Tried::Holds,
                _ => Tried::Fails,
            },
        );
        match self.tell(made_by, &shrunk.value) {
            Told::Broken(smaller) => *smaller,
            _ => found,
        }
    }
}

/// A counterexample, with the first reason of the side that refuses it.
fn broken(
    direction: Direction,
    refuser: &Compiled,
    refused: &Value,
    (projected, source): (Value, Value),
) -> Told {
    let violation = match refuser.judge(Instance::plain(refused)) {
        Judgement::DoesNotFit(violations) => violations.into_iter().next(),
        _ => None,
    };
    let (keyword, schema, at) = violation
        .map(|found| (found.keyword, found.schema, found.instance))
        .unwrap_or_default();
    Told::Broken(Box::new(Counterexample {
        direction,
        projected,
        source,
        keyword,
        schema,
        at,
    }))
}
