//! Whether a projection accepts what its source accepts, and nothing else, but for what its loss
//! report says: asked of generated values.
//!
//! Every value that the projection accepts, mapped back, has to fit the source, or the source
//! without the keywords that the report says are gone. Every value that the source accepts, mapped
//! forward, has to fit the projection, or the projection without what the report says it adds.
//! Values that fit are drawn from both sides, and values that barely do not.

mod reading;
mod sides;

use serde_json::Value;

pub use reading::reading;
use reading::without;
use sides::Sides;

use super::mapping::Mapper;
use super::relax::relaxed;
use super::target::Target;
use super::{Item, Part};
use crate::schema::{Bounds, Schema};
use crate::source::Pointer;

/// Which promise a counterexample breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The projection accepts a value that the source refuses, and the report does not say so.
    Wider,
    /// The projection refuses a value that the source accepts, and the report does not say so.
    Narrower,
}

/// A value that shows that a projection is not faithful.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// The promise that it breaks.
    pub direction: Direction,
    /// The value as the projection has it.
    pub projected: Value,
    /// The value as the source has it.
    pub source: Value,
    /// The keyword by which the other side refuses it.
    pub keyword: String,
    /// That keyword's place in the schema that refuses.
    pub schema: Pointer,
    /// The value at fault.
    pub at: Pointer,
}

/// What asking came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    /// Whether the two are the same text, and values are the same: there was nothing to ask.
    pub identical: bool,
    /// Values on which both agree.
    pub agreed: usize,
    /// Values on which they differ as the report says.
    pub excused: usize,
    /// Values that one side could not judge.
    pub not_judged: usize,
    /// The first that breaks a promise, made small.
    pub counterexample: Option<Counterexample>,
    /// Why nothing could be asked at all, as a clause.
    pub unasked: Option<String>,
}

impl Proof {
    /// Whether the projection may be used.
    pub fn holds(&self) -> bool {
        self.counterexample.is_none() && (self.identical || self.agreed + self.excused > 0)
    }
}

/// Asks about one schema of `item`, projected as `projected`, with `samples` values a side.
pub fn prove(
    item: &Item<'_>,
    target: &Target,
    part: &Part,
    projected: &Value,
    (samples, seed): (usize, u64),
) -> Proof {
    let Some(source) = item.schema(part.member) else {
        return Proof::unasked("the source has no such schema");
    };
    if source.value() == projected && part.mapping.is_identity() {
        return Proof {
            identical: true,
            ..Proof::default()
        };
    }
    let read = reading(projected, target);
    let read = Schema::new(&read, Bounds::default());
    let weaker = relaxed(source.value(), &part.edits);
    let weaker = Schema::new(&weaker, Bounds::default());
    let opened = without(read.value(), &part.narrowed);
    let opened = Schema::new(&opened, Bounds::default());
    let sides = (|| {
        Ok(Sides {
            source: source.compiled()?,
            weaker: weaker.compiled()?,
            read: read.compiled()?,
            opened: opened.compiled()?,
            mapper: Mapper::new(&read, &part.mapping),
            opener: Mapper::new(&opened, &part.mapping),
        })
    })();
    match sides {
        Ok(sides) => sides.ask(source.value(), read.value(), samples, seed),
        Err(why) => {
            let why: crate::schema::Unusable = why;
            Proof::unasked(&format!("one side cannot judge: {why:?}"))
        }
    }
}

impl Proof {
    fn unasked(why: &str) -> Self {
        Self {
            unasked: Some(why.to_owned()),
            ..Self::default()
        }
    }
}
