//! Whether a projection accepts what its source accepts, and nothing else, but for what its loss
//! report says: asked of generated values.
//!
//! Every value that the projection accepts, mapped back, has to fit the source, or the source
//! without the keywords that the report says are gone. Every value that the source accepts, mapped
//! forward, has to fit the projection, or the projection without what the report says it adds.
//! Values that fit are drawn from both sides, and values that barely do not.

use serde_json::{Map, Value, json};

use super::mapping::Mapper;
use super::relax::relaxed;
use super::target::{Null, Target};
use super::{Item, Part};
use crate::generate::{Generator, Rng, Tally, Tried, shrink};
use crate::schema::{Bounds, Compiled, Dialect, Holds, Instance, Judgement, Schema};
use crate::source::Pointer;

/// Smaller values that are tried for a counterexample.
const SHRINKS: usize = 300;

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

struct Sides<'m, 'a> {
    source: std::sync::Arc<Compiled>,
    weaker: std::sync::Arc<Compiled>,
    read: std::sync::Arc<Compiled>,
    opened: std::sync::Arc<Compiled>,
    mapper: Mapper<'m, 'a>,
    /// Along the projection without what only it asks for: alternatives that it shuts out are open.
    opener: Mapper<'m, 'a>,
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
    fn ask(&self, source: &Value, read: &Value, samples: usize, seed: u64) -> Proof {
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

impl Proof {
    fn unasked(why: &str) -> Self {
        Self {
            unasked: Some(why.to_owned()),
            ..Self::default()
        }
    }
}

/// A projected schema as plain JSON Schema: what a target says in its own words, said in those of
/// 2020-12.
pub fn reading(projected: &Value, target: &Target) -> Value {
    match target.null {
        Null::Type => projected.clone(),
        Null::Nullable => plain(projected),
    }
}

fn plain(schema: &Value) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    let mut read = Map::new();
    for (keyword, value) in members {
        let value = match (Dialect::Draft202012.keyword(keyword), value) {
            (Some(Holds::Schema), value) => plain(value),
            (Some(Holds::Schemas), Value::Array(items)) => items.iter().map(plain).collect(),
            (Some(Holds::Named), Value::Object(named)) => {
                let named = named
                    .iter()
                    .map(|(name, member)| (name.clone(), plain(member)));
                Value::Object(named.collect())
            }
            _ => value.clone(),
        };
        read.insert(keyword.clone(), value);
    }
    if read.shift_remove("nullable") == Some(Value::Bool(true)) {
        if let Some(types) = read.get_mut("type") {
            *types = match types.take() {
                Value::Array(mut names) => {
                    names.push(json!("null"));
                    Value::Array(names)
                }
                name => json!([name, "null"]),
            };
        }
        for (keyword, null) in [("enum", Value::Null), ("anyOf", json!({"type": "null"}))] {
            if let Some(Value::Array(items)) = read.get_mut(keyword) {
                items.push(null);
            }
        }
    }
    Value::Object(read)
}

/// A projected schema without what only it asks for.
fn without(schema: &Value, narrowed: &[Pointer]) -> Value {
    let mut value = schema.clone();
    for at in narrowed {
        let (Some(parent), Some(last)) = (at.parent(), at.last()) else {
            continue;
        };
        if let Some(Value::Object(members)) = value.pointer_mut(parent.as_str()) {
            members.shift_remove(last.as_ref());
        }
    }
    value
}
