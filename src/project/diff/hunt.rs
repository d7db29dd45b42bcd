//! A search for values that one version gives and the other does not take.

use serde_json::Value;

use super::Side;
use crate::generate::{Generator, Rng, Tally, Tried, shrink};
use crate::schema::{Compiled, Instance, Judgement, Violation};

/// Smaller values that are tried for a counterexample.
const SHRINKS: usize = 200;

/// Counterexamples that are gathered of one schema.
const MOST: usize = 20;

/// A search for values that one version gives and the other does not take.
pub(super) struct Hunt<'h> {
    pub(super) side: Side,
    pub(super) giver: (&'h Value, &'h Compiled),
    pub(super) taker: (&'h Value, &'h Compiled),
}

impl Hunt<'_> {
    /// Values, each small, each with another reason.
    pub(super) fn run(&self, samples: usize, seed: u64) -> Vec<(Value, Violation)> {
        let mut found: Vec<(Value, Violation)> = Vec::new();
        let fitting = Generator::new(self.giver.0);
        let barely = Generator::new(self.taker.0);
        let mut tally = Tally::default();
        for number in 0..samples as u64 {
            if found.len() >= MOST {
                break;
            }
            let name = match self.side {
                Side::Sent => "sent",
                Side::Read => "read",
            };
            let mut rng = Rng::of(seed, name, number);
            let mut values = Vec::new();
            if let Ok(generator) = &fitting {
                values.extend(
                    generator
                        .sample(&mut rng, &mut tally)
                        .map(|it| it.value().clone()),
                );
            }
            if let Ok(generator) = &barely
                && let Some(sample) = generator.sample(&mut rng, &mut tally)
            {
                values.extend(
                    generator
                        .mutant(&sample, &mut rng, &mut tally)
                        .map(|it| it.value),
                );
            }
            for value in values {
                for reason in self.reasons(&value) {
                    let known = found
                        .iter()
                        .any(|(_, it)| it.schema == reason.schema && it.reason == reason.reason);
                    if !known && found.len() < MOST {
                        found.push(self.smaller(&value, reason));
                    }
                }
            }
        }
        found
    }

    /// Why the taker refuses a value that the giver gives.
    fn reasons(&self, value: &Value) -> Vec<Violation> {
        let instance = Instance::plain(value);
        if self.giver.1.fits(instance) != Ok(true) {
            return Vec::new();
        }
        match self.taker.1.judge(instance) {
            Judgement::DoesNotFit(violations) => violations,
            _ => Vec::new(),
        }
    }

    fn smaller(&self, value: &Value, reason: Violation) -> (Value, Violation) {
        let same = |value: &Value| {
            let reasons = self.reasons(value);
            // One thing wrong tells more than two.
            reasons
                .into_iter()
                .find(|it| it.schema == reason.schema && it.reason.kind() == reason.reason.kind())
        };
        let shrunk = shrink(value, SHRINKS, &mut |value| match same(value) {
            Some(_) => Tried::Holds,
            None => Tried::Fails,
        });
        match same(&shrunk.value) {
            Some(reason) => (shrunk.value, reason),
            None => (value.clone(), reason),
        }
    }
}
