//! Which cases are asked, on which versions, in which order.

use super::about::About;
use crate::corpus::{Case, Corpus, Expectation, Expected, GateName, Level, Suite};
use crate::protocol::{ProtocolVersion, VersionSet};

/// What is asked for. Nothing named is everything.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The versions.
    pub versions: Option<VersionSet>,
    /// Gates, or `hostile` for the suites of that folder.
    pub gates: Vec<String>,
    /// Rules: the cases that they reject, and the accepted ones beside those.
    pub rules: Vec<String>,
    /// Cases by id.
    pub cases: Vec<String>,
    /// The least weight: `should` leaves out what is informational, `must` what is not a must.
    pub level: Option<Level>,
    /// Generated cases instead of the suites: how many at each gate, and their seed.
    pub generated: Option<(u64, u64)>,
}

/// One case on one version.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'c> {
    /// The case.
    pub case: &'c Case,
    /// The version.
    pub version: ProtocolVersion,
    /// What it asks there.
    pub expected: &'c Expectation,
    /// Its place among all that are judged; `None` where it is asked for the next one's sake.
    pub place: Option<usize>,
}

/// The cases to ask: units that one worker asks in order, without a break.
#[derive(Clone, Debug, Default)]
pub struct Plan<'c> {
    /// The units.
    pub units: Vec<Vec<Asked<'c>>>,
    /// How many are judged.
    pub judged: usize,
}

/// The order in which the units of a plan are asked.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// The units, by index.
    pub(super) units: Vec<usize>,
    /// The places of two cases, one to accept and one to reject, that are asked first.
    pub(super) smoke: Option<(usize, usize)>,
}

impl Selection {
    /// Whether everything is asked for.
    pub fn is_all(&self) -> bool {
        self.versions.is_none()
            && self.gates.is_empty()
            && self.rules.is_empty()
            && self.cases.is_empty()
            && self.level.is_none()
            && self.generated.is_none()
    }

    /// What is named and exists nowhere.
    pub fn unknown(&self, corpus: &Corpus) -> Option<String> {
        let case = self.cases.iter().find(|id| corpus.case(id).is_none());
        let rule = self
            .rules
            .iter()
            .find(|id| crate::rules::find(id).is_none());
        let gate = |name: &&String| *name != "hostile" && name.parse::<GateName>().is_err();
        let gate = self.gates.iter().find(gate);
        case.map(|id| format!("no case has the id {id}; `mcp-conform corpus list` has them all"))
            .or_else(|| {
                rule.map(|id| {
                    format!("no rule has the id {id}; `mcp-conform rules list` has them all")
                })
            })
            .or_else(|| gate.map(|name| format!("no gate has the name {name}")))
    }

    fn has(&self, suite: &Suite, case: &Case, version: ProtocolVersion, level: Level) -> bool {
        let named = |list: &[String], name: &str| list.is_empty() || list.iter().any(|n| n == name);
        let gates = &self.gates;
        let rules = &self.rules;
        self.versions
            .is_none_or(|versions| versions.contains(version))
            && self.level.is_none_or(|least| level <= least)
            && (named(gates, case.gate.as_str()) || named(gates, suite.folder()))
            && named(&self.cases, &case.id)
            && (rules.is_empty()
                || case
                    .rules()
                    .iter()
                    .chain(&case.guards)
                    .any(|id| rules.iter().any(|r| r == id)))
    }
}

impl<'c> Plan<'c> {
    /// The cases of `corpus` that `selection` asks for. Sessions are not among them: they need a
    /// live client.
    pub fn new(corpus: &'c Corpus, selection: &Selection) -> Self {
        Self::at(corpus, selection, |gate| gate != GateName::Wire)
    }

    /// The cases of `corpus` that `selection` asks for and that the wire can show of a live
    /// client: what is audited, handed off or kept never goes over it.
    pub fn live(corpus: &'c Corpus, selection: &Selection) -> Self {
        let unseen = [GateName::Audit, GateName::Handoff, GateName::State];
        Self::at(corpus, selection, |gate| !unseen.contains(&gate))
    }

    fn at(corpus: &'c Corpus, selection: &Selection, has: impl Fn(GateName) -> bool) -> Self {
        let mut plan = Self::default();
        for suite in &corpus.suites {
            let cases = suite.cases.iter().filter(|case| has(case.gate));
            let cases: Vec<_> = cases.collect();
            if suite.sequence {
                plan.sequence(suite, &cases, selection);
            } else {
                plan.single(suite, &cases, selection);
            }
        }
        plan
    }

    fn single(&mut self, suite: &'c Suite, cases: &[&'c Case], selection: &Selection) {
        for case in cases {
            for version in VersionSet::STRUCTURED.iter() {
                if let Some(asked) = self.ask(suite, case, version, selection)
                    && asked.place.is_some()
                {
                    self.units.push(vec![asked]);
                }
            }
        }
    }

    /// A sequence is asked version by version, up to the last case that is wanted.
    fn sequence(&mut self, suite: &'c Suite, cases: &[&'c Case], selection: &Selection) {
        for version in VersionSet::STRUCTURED.iter() {
            let cases = cases.iter();
            let mut unit: Vec<_> = cases
                .filter_map(|case| self.ask(suite, case, version, selection))
                .collect();
            let wanted = unit.iter().rposition(|asked| asked.place.is_some());
            unit.truncate(wanted.map_or(0, |last| last + 1));
            if !unit.is_empty() {
                self.units.push(unit);
            }
        }
    }

    fn ask(
        &mut self,
        suite: &Suite,
        case: &'c Case,
        version: ProtocolVersion,
        selection: &Selection,
    ) -> Option<Asked<'c>> {
        let expected = case.on(version)?;
        let wanted = selection.has(suite, case, version, expected.level);
        let place = wanted.then(|| {
            self.judged += 1;
            self.judged - 1
        });
        Some(Asked {
            case,
            version,
            expected,
            place,
        })
    }

    /// The order for an implementation: a rejected case and its accepted neighbour that it does
    /// not skip come first, so that whoever answers both alike is told so at once.
    pub(super) fn order(&self, about: &About) -> Order {
        let mut units: Vec<_> = (0..self.units.len()).collect();
        let Some((accept, reject)) = self.pair(about) else {
            return Order { units, smoke: None };
        };
        let place = |unit: usize| self.units[unit][0].place;
        units.retain(|unit| ![accept, reject].contains(unit));
        units.splice(0..0, [accept, reject]);
        Order {
            units,
            smoke: place(accept).zip(place(reject)),
        }
    }

    fn pair(&self, about: &About) -> Option<(usize, usize)> {
        let simple = |unit: &[Asked<'c>]| match unit {
            [only] if only.expected.level == Level::Informational => None,
            [only] if only.case.id.starts_with("hostile/") => None,
            [only] if about.skips(only.case, only.version).is_some() => None,
            [only] => Some(*only),
            _ => None,
        };
        let find = |answer: Expected, wanted: &dyn Fn(&Asked<'c>) -> bool| {
            self.units.iter().position(|unit| {
                // What is cheap to know comes first.
                unit[0].expected.answer == answer && wanted(&unit[0]) && simple(unit).is_some()
            })
        };
        // What nearly everybody has is a result gate.
        let gates = [GateName::Result, GateName::Arguments, GateName::Definition];
        let of = |gate| {
            find(Expected::Reject, &|asked: &Asked<'c>| {
                asked.case.gate == gate
            })
        };
        let first = gates.into_iter().find_map(of);
        let reject = first.or_else(|| find(Expected::Reject, &|_| true))?;
        let rejected = self.units[reject][0];
        let suite = |case: &Case| case.id.split('#').next().map(str::to_owned);
        let accept = find(Expected::Accept, &|asked: &Asked<'c>| {
            asked.version == rejected.version
                && Some(asked.case.name()) == rejected.case.neighbour.as_deref()
                && suite(asked.case) == suite(rejected.case)
        })?;
        Some((accept, reject))
    }
}
