//! Payloads that nobody wrote down, with a verdict that is known by construction.
//!
//! A [`Generator`] draws values that fit a schema, and damages them so that they violate one
//! keyword at one place, which it states. Nothing is guessed: [`crate::schema`] judges every value,
//! and what it does not confirm is discarded and counted. [`shrink`] makes a payload small while it
//! still shows what it shows. The same seed gives the same bytes.
//!
//! Values come from plain seeded choices rather than from a property-testing framework's strategy
//! trees: a case is a function of its seed and number alone, so that one of ten thousand can be
//! drawn again without the others, and shrinking works on JSON, where a reader wants it to.

mod array;
pub mod cases;
pub mod definition;
mod instance;
mod members;
mod mutate;
mod number;
mod object;
mod plan;
mod repel;
mod rng;
mod shape;
mod shrink;
mod string;
mod text;
mod types;
mod words;

use serde_json::Value;

use crate::schema::{Bounds, Judgement, Schema, Unusable, Violation};
use crate::source::Pointer;
use instance::{Grower, Grown};
pub use mutate::Kind;
use plan::Plan;
pub use rng::Rng;
use shape::Part;
pub use shrink::{Shrunk, Tried, shrink};
pub(crate) use types::Types;

/// Values drawn until one fits.
const TRIES: usize = 8;
/// Attempts at places of one value, over all of it.
const FUEL: usize = 20_000;
/// Kinds of damage tried until one is confirmed.
const KINDS: usize = 6;

/// Draws values from one schema.
pub struct Generator<'a> {
    plan: Plan<'a>,
}

/// A value that fits its schema.
#[derive(Clone, Debug)]
pub struct Sample {
    grown: Grown,
    value: Value,
}

/// A value that does not fit its schema any more.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    /// What was done to it.
    pub kind: Kind,
    /// The value.
    pub value: Value,
    /// The keyword that it violates.
    pub keyword: String,
    /// Where, from the root of the value.
    pub at: Pointer,
    /// That keyword, from the root of the schema.
    pub schema: Pointer,
    /// The keyword and the place that a validator lists first of all: those of the union around it,
    /// where there is one.
    pub reported: (String, Pointer),
    /// Whether that is all that is wrong with the value.
    pub sole: bool,
}

/// What came of drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Values that fit.
    pub fitting: usize,
    /// Values that were made to fit, and that the oracle refused.
    pub refused: usize,
    /// Attempts at which no value came about.
    pub barren: usize,
    /// Mutants that were confirmed.
    pub mutants: usize,
    /// Mutants that turned out to fit.
    pub harmless: usize,
    /// Mutants that violate something else than was stated.
    pub elsewhere: usize,
    /// Values that the oracle cannot judge.
    pub not_judged: usize,
}

impl Tally {
    /// The sums of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            fitting: self.fitting + other.fitting,
            refused: self.refused + other.refused,
            barren: self.barren + other.barren,
            mutants: self.mutants + other.mutants,
            harmless: self.harmless + other.harmless,
            elsewhere: self.elsewhere + other.elsewhere,
            not_judged: self.not_judged + other.not_judged,
        }
    }
}

impl Sample {
    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

impl<'a> Generator<'a> {
    /// A generator for `schema`.
    ///
    /// # Errors
    /// Why the schema cannot judge instances; then none can be generated either.
    pub fn new(schema: &'a Value) -> Result<Self, Unusable> {
        let plan = Plan::new(Schema::new(schema, Bounds::default()))?;
        Ok(Self { plan })
    }

    /// A value that fits; `None` where none is found within the bounds.
    pub fn sample(&self, rng: &mut Rng, tally: &mut Tally) -> Option<Sample> {
        for attempt in 0..TRIES {
            let mut grower = Grower {
                plan: &self.plan,
                rng,
                fuel: FUEL,
                // Whoever fails with everything may succeed with little.
                sparse: attempt >= TRIES / 2,
            };
            let Some(grown) = grower.grow(&[Part::ROOT], 0) else {
                tally.barren += 1;
                continue;
            };
            let value = grown.value();
            match self.plan.fits_whole(&value) {
                Ok(true) => {
                    tally.fitting += 1;
                    return Some(Sample { grown, value });
                }
                Ok(false) => tally.refused += 1,
                Err(_) => tally.not_judged += 1,
            }
        }
        None
    }

    /// A value that fits, damaged so that it does not; `None` where the schema allows too much
    /// for any damage that was tried.
    pub fn mutant(&self, sample: &Sample, rng: &mut Rng, tally: &mut Tally) -> Option<Mutant> {
        let mut order: Vec<Kind> = rng
            .order(Kind::ALL.len())
            .into_iter()
            .map(|index| Kind::ALL[index])
            .collect();
        // What few schemas invite comes before what nearly every one does, most of the time.
        if rng.chance(75) {
            order.sort_by_key(|kind| kind.rank());
        }
        let mut confirmed = 0;
        for kind in order {
            let Some(mutant) = self.damage(sample, kind, rng) else {
                continue;
            };
            if let Some(mutant) = self.confirm(mutant, tally) {
                return Some(mutant);
            }
            confirmed += 1;
            if confirmed >= KINDS {
                break;
            }
        }
        None
    }

    /// As [`Generator::mutant`], by one kind of damage.
    pub fn mutant_of(
        &self,
        sample: &Sample,
        kind: Kind,
        rng: &mut Rng,
        tally: &mut Tally,
    ) -> Option<Mutant> {
        self.confirm(self.damage(sample, kind, rng)?, tally)
    }

    /// A value that fits, and only because `format` is an annotation: some string is not of the
    /// format that its schema names.
    pub fn against_format(&self, sample: &Sample, rng: &mut Rng) -> Option<Value> {
        let value = mutate::against_format(&self.plan, &sample.grown, &sample.value, rng)?;
        (self.fits(&value) == Some(true)).then_some(value)
    }

    /// Whether `value` fits; `None` where that cannot be told.
    pub fn fits(&self, value: &Value) -> Option<bool> {
        self.plan.fits_whole(value).ok()
    }

    fn damage(&self, sample: &Sample, kind: Kind, rng: &mut Rng) -> Option<Mutant> {
        mutate::mutate(&self.plan, &sample.grown, &sample.value, kind, rng)
    }

    /// The mutant, where the oracle says what it states.
    fn confirm(&self, mut mutant: Mutant, tally: &mut Tally) -> Option<Mutant> {
        let violations = match self.plan.judge(&mutant.value) {
            Judgement::Fits => {
                tally.harmless += 1;
                return None;
            }
            Judgement::NotJudged(_) => {
                tally.not_judged += 1;
                return None;
            }
            Judgement::DoesNotFit(violations) => violations,
        };
        let (keyword, at) = &mutant.reported;
        let same = |found: &Violation| {
            // The keywords that count what is contained are one assertion, under several names.
            let count = |keyword: &str| keyword == "contains" || keyword.ends_with("Contains");
            found.keyword == *keyword || count(&found.keyword) && count(keyword)
        };
        if !violations
            .iter()
            .any(|found| same(found) && found.instance == *at)
        {
            tally.elsewhere += 1;
            return None;
        }
        mutant.sole = violations.len() == 1
            && mutant.reported.0 == mutant.keyword
            && mutant.reported.1 == mutant.at;
        tally.mutants += 1;
        Some(mutant)
    }
}

impl std::fmt::Debug for Generator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generator").finish_non_exhaustive()
    }
}
