//! Cases for the gates, drawn from tools: pairs of an accepted case and a rejected one that differs
//! in one thing, each with an identity that draws it again.
//!
//! The case `generated/<gate>/<tool>#<seed>-<n>` depends on the seed, the gate, `n` and the list of
//! tools, and on no other case. Even numbers are to be accepted; the odd number after it is the same
//! payload, damaged. What a payload is embedded in varies too, where that changes no verdict: text
//! that says something else, escapes, numbers written otherwise.

mod arguments;
mod audit;
mod blank;
mod definition;
mod payload;
mod pool;
mod result;
mod save;
mod text;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::rng::Rng;
use super::{Generator, Mutant, Sample, Tally};
use crate::corpus::{Case, GateName, Suite, Text};
use crate::gate::Gate;
use crate::protocol::{ProtocolVersion, VersionSet};
use blank::{Blank, accept, reject};
pub use payload::{Embedded, Side};
pub use pool::Pool;
pub use save::{Kept, SavedSuite, save};

/// The gates that cases are generated for.
pub const GATES: [GateName; 4] = [
    GateName::Definition,
    GateName::Arguments,
    GateName::Result,
    GateName::Audit,
];

/// Draws of a pair from one tool before the next tool is taken.
const TRIES: u64 = 3;

/// A generated case, and what it was made of.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The case.
    pub case: Case,
    /// The version that it is for.
    pub version: ProtocolVersion,
    /// The tool, as an index into the pool.
    pub tool: usize,
    /// The payload that can be made smaller, where that is what the case is about.
    pub payload: Option<Embedded>,
}

/// Draws cases.
pub struct Cases<'p> {
    pool: &'p Pool,
    seed: u64,
    generators: HashMap<(usize, Side), Option<Generator<'p>>>,
    usable: HashMap<(usize, ProtocolVersion), bool>,
    last: Option<(GateName, u64, Option<[Generated; 2]>)>,
    /// What came of drawing.
    pub tally: Tally,
}

impl<'p> Cases<'p> {
    /// Cases of `seed` from the tools of `pool`.
    pub fn new(pool: &'p Pool, seed: u64) -> Self {
        Self {
            pool,
            seed,
            generators: HashMap::new(),
            usable: HashMap::new(),
            last: None,
            tally: Tally::default(),
        }
    }

    /// The case `number` of a gate; `None` where no tool leads to one.
    pub fn case(&mut self, gate: GateName, number: u64) -> Option<Generated> {
        let pair = number / 2;
        if self
            .last
            .as_ref()
            .is_none_or(|(known, of, _)| (*known, *of) != (gate, pair))
        {
            let drawn = self.pair(gate, pair);
            self.last = Some((gate, pair, drawn));
        }
        let drawn = self.last.as_ref()?.2.as_ref()?;
        Some(drawn[usize::from(number % 2 == 1)].clone())
    }

    /// The case of this id, if it is one of this seed and these tools.
    pub fn of_id(&mut self, id: &str) -> Option<Generated> {
        let (gate, number) = parse(id, self.seed)?;
        self.case(gate, number)
            .filter(|generated| generated.case.id == id)
    }

    /// The first `count` cases of each gate, as suites, with what they were made of by id.
    pub fn suites(
        &mut self,
        gates: &[GateName],
        count: u64,
    ) -> (Vec<Suite>, HashMap<String, Generated>) {
        let numbers = gates
            .iter()
            .flat_map(|gate| (0..count).map(|number| (*gate, number)));
        let drawn: Vec<_> = numbers
            .filter_map(|(gate, number)| self.case(gate, number))
            .collect();
        gather(drawn)
    }

    /// The pair of cases `2 * pair` and `2 * pair + 1`.
    fn pair(&mut self, gate: GateName, pair: u64) -> Option<[Generated; 2]> {
        let versions: Vec<_> = VersionSet::STRUCTURED.iter().collect();
        let tools = self.pool.len() as u64;
        let (turns, stride) = (versions.len() as u64, stride(tools));
        for step in 0..tools * turns {
            // Neighbouring numbers take neighbouring tools, or where those do not serve some far apart,
            // and all versions have their turn. Where no tool serves on one, the next has its turn.
            let tool = usize::try_from((pair + step * stride) % tools).ok()?;
            let turn = usize::try_from((pair / tools + pair + step / tools) % turns).ok()?;
            let version = versions[turn];
            for attempt in 0..TRIES {
                let mut rng = Rng::of(
                    self.seed,
                    gate.as_str(),
                    (pair * TRIES + attempt) << 16 | step,
                );
                let drawn = match gate {
                    GateName::Arguments => self.arguments(tool, version, pair, &mut rng),
                    GateName::Result => self.result(tool, version, pair, &mut rng),
                    GateName::Audit => self.audit(tool, version, pair, &mut rng),
                    GateName::Definition => self.definition(tool, version, pair, &mut rng),
                    _ => None,
                };
                if drawn.is_some() {
                    return drawn;
                }
            }
        }
        None
    }

    /// A value that fits one side of a usable tool, one that does not and, now and then, one that
    /// fits since `format` asserts nothing.
    fn payloads(
        &mut self,
        tool: usize,
        side: Side,
        version: ProtocolVersion,
        rng: &mut Rng,
    ) -> Option<(Sample, Mutant, Option<Value>)> {
        if !self.is_usable(tool, version) {
            return None;
        }
        let pool = self.pool;
        let known = self.generators.entry((tool, side)).or_insert_with(|| {
            let schema = pool.tool(tool).get(side.member())?;
            Generator::new(schema).ok()
        });
        let generator = known.as_ref()?;
        let sample = generator.sample(rng, &mut self.tally)?;
        let mutant = generator.mutant(&sample, rng, &mut self.tally)?;
        let misnamed = rng
            .chance(20)
            .then(|| generator.against_format(&sample, rng))
            .flatten();
        Some((sample, mutant, misnamed))
    }

    fn is_usable(&mut self, tool: usize, version: ProtocolVersion) -> bool {
        let definition = self.pool.tool(tool);
        *self
            .usable
            .entry((tool, version))
            .or_insert_with(|| Gate::new(version).definition(definition).usable().is_ok())
    }

    /// Whether `value` fits one side of a tool; `None` where that cannot be told.
    fn fits(&self, tool: usize, side: Side, value: &Value) -> Option<bool> {
        self.generators.get(&(tool, side))?.as_ref()?.fits(value)
    }

    /// The start of a case: everything but what is put to the gate and what is expected.
    fn blank(&self, gate: GateName, tool: usize, number: u64) -> Blank {
        self.blank_of(gate, self.pool.key(tool), tool, number)
    }

    /// As [`Cases::blank`], for a tool that the pool may not have.
    fn blank_of(&self, gate: GateName, key: &str, tool: usize, number: u64) -> Blank {
        Blank {
            id: format!("generated/{gate}/{key}#{}-{number}", self.seed),
            neighbour: format!("{}-{}", self.seed, number & !1),
            tool: Text::Value(Arc::clone(self.pool.shared(tool))),
        }
    }
}

impl std::fmt::Debug for Cases<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cases")
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// Suites by gate and tool, in the order in which the cases come.
pub fn gather(drawn: Vec<Generated>) -> (Vec<Suite>, HashMap<String, Generated>) {
    let mut suites: Vec<Suite> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut by_id = HashMap::with_capacity(drawn.len());
    for generated in drawn {
        let name = generated
            .case
            .id
            .split('#')
            .next()
            .unwrap_or_default()
            .to_owned();
        let place = *places.entry(name.clone()).or_insert_with(|| {
            suites.push(Suite {
                name,
                description: "Payloads drawn from the tool's schema.".to_owned(),
                sequence: false,
                cases: Vec::new(),
            });
            suites.len() - 1
        });
        suites[place].cases.push(generated.case.clone());
        by_id.insert(generated.case.id.clone(), generated);
    }
    (suites, by_id)
}

/// The gate and the number that an id of `seed` names.
pub fn parse(id: &str, seed: u64) -> Option<(GateName, u64)> {
    let (suite, name) = id.split_once('#')?;
    let gate = suite
        .strip_prefix("generated/")?
        .split('/')
        .next()?
        .parse()
        .ok()?;
    let (of, number) = name.split_once('-')?;
    (of == seed.to_string()).then_some(())?;
    // No run draws as many, and what is reckoned with a number must not overflow.
    number.parse().ok().map(|number: u32| (gate, number.into()))
}

/// A step, near the golden section, by which every one of `tools` has its turn.
fn stride(tools: u64) -> u64 {
    const fn divisor(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    let mut steps = (tools * 5 / 8).max(1)..;
    steps.find(|step| divisor(tools, *step) == 1).unwrap_or(1)
}
