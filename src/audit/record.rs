//! One recorded call, judged: its branch, its verdict, the rules that it breaks.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::judge::{Doubt, Judgement};
use super::line::{Body, Call};
use super::rule::{Rule, RuleSet};
use super::tools::{Output, Tools};
use super::value::Node;
use crate::gate::{Branch, Due, Readable, Recorded, branch, due, inner};
use crate::protocol::ProtocolVersion;
use crate::rules::Form;

/// What a record comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is as its tool has declared.
    Fits,
    /// It is not.
    DoesNotFit,
    /// It cannot be told.
    NotJudged,
    /// The line cannot be read as a record.
    Damaged,
}

impl Verdict {
    /// The verdict as reports write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::DoesNotFit => "does-not-fit",
            Self::NotJudged => "not-judged",
            Self::Damaged => "damaged",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The tool that a record names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// None: the line is damaged, or its call has not been seen.
    Nothing,
    /// One of the listing.
    Known(u32),
    /// One that the listing lacks.
    Unknown(Box<str>),
}

/// What is left of a record when its text is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) server: Option<Box<str>>,
    pub(super) tool: Named,
    /// `None` where the line is damaged.
    pub(super) branch: Option<Branch>,
    pub(super) verdict: Verdict,
    pub(super) rules: RuleSet,
}

impl Outcome {
    /// That of a damaged line; what is JSON and no record breaks no rule.
    pub(super) fn damaged(rule: Option<Rule>) -> Self {
        Self {
            server: None,
            tool: Named::Nothing,
            branch: None,
            verdict: Verdict::Damaged,
            rules: rule.into_iter().collect(),
        }
    }
}

/// The part of a call that the output schema is held against, with all that decides it.
pub(super) struct Reading<'a> {
    pub(super) body: Body<'a>,
    pub(super) branch: Branch,
    pub(super) target: Option<Node<'a>>,
    version: Option<ProtocolVersion>,
}

impl<'a> Reading<'a> {
    pub(super) fn of(call: &Call<'a>) -> Self {
        let body = Body::of(call.result);
        let (branch, target) = match call.recorded {
            Some(recorded) => branch(recorded, body.structured),
            None => (Branch::Schema, None),
        };
        let terms = call.recorded.and_then(Recorded::terms);
        Self {
            body,
            branch,
            target,
            version: terms.map(|(version, _)| version),
        }
    }
}

/// The steps that judging a record may take, on top of 64 for each byte of its line. A schema
/// takes a few steps per value; one that takes hundreds is caught in a loop of its own making.
const STEPS: u64 = 1_000_000;

/// The steps that a value of the line of `node` may take.
pub(super) fn steps(node: &Node<'_>) -> u64 {
    STEPS + 64 * node.doc.text().len() as u64
}

impl Tools {
    /// Judges `call`.
    pub(super) fn judge(&self, call: &Call<'_>) -> Outcome {
        let reading = Reading::of(call);
        let tool = match call.tool {
            None => Named::Nothing,
            Some(name) => match self.find(name) {
                Some(index) => Named::Known(index),
                None => Named::Unknown(Box::from(&*crate::source::cut(name, 128))),
            },
        };
        let mut rules = RuleSet::default();
        if call.result.doc.repeats_members() {
            rules.insert(Rule::DUPLICATE_KEY);
        }
        let verdict = match (&tool, reading.version) {
            (Named::Unknown(_), _) => {
                rules.insert(Rule::TOOL_KNOWN);
                Verdict::NotJudged
            }
            (Named::Nothing, _) | (_, None) => Verdict::NotJudged,
            (Named::Known(index), Some(version)) => {
                held_to(self.output(*index), version, &reading, &mut rules)
            }
        };
        Outcome {
            server: call
                .server
                .map(|name| Box::from(&*crate::source::cut(name, 128))),
            tool,
            branch: Some(reading.branch),
            verdict,
            rules,
        }
    }
}

/// The verdict on a call whose tool and version are known.
fn held_to(
    output: &Output,
    version: ProtocolVersion,
    reading: &Reading<'_>,
    rules: &mut RuleSet,
) -> Verdict {
    let body = &reading.body;
    let form = body.form(version);
    let is_error = body.is_error.and_then(Readable::flag);
    let mut misshapen = !body.is_object;
    if matches!(form, Form::Complete | Form::Unknown) {
        misshapen |= body.is_error.is_some() && is_error.is_none();
    }
    if misshapen {
        rules.insert(Rule::SHAPE);
    }
    if form == Form::Unknown {
        rules.insert(Rule::TYPE);
    }
    let declared = !matches!(output, Output::Absent) && Rule::SCHEMA.is_on(version);
    let is_error = is_error == Some(true);
    let due = due(reading.branch, reading.target, declared, is_error, form);
    let verdict = match (due, output) {
        (Due::Missing, _) if !body.is_object => Verdict::DoesNotFit,
        (Due::Missing, _) => {
            let present = body.structured.is_some();
            rules.insert(if present {
                Rule::OBJECT
            } else {
                Rule::REQUIRED
            });
            Verdict::DoesNotFit
        }
        (Due::Fit(_), Output::Unusable(rule)) => {
            rules.insert(*rule);
            Verdict::NotJudged
        }
        (Due::Fit(value), Output::Ready(judge)) => match judge.judge(value, steps(&value)) {
            Judgement::Fits => Verdict::Fits,
            Judgement::NotJudged(_) => {
                rules.insert(Rule::SCHEMA);
                Verdict::NotJudged
            }
            Judgement::DoesNotFit => {
                rules.insert(Rule::SCHEMA);
                let wrapped = (reading.branch == Branch::ValidateRoot
                    && Rule::LEGACY_WRAPPER.is_on(version))
                .then(|| inner(value))
                .flatten();
                if wrapped.is_some_and(|inner| judge.judge(inner, steps(&inner)) == Judgement::Fits)
                {
                    rules.insert(Rule::LEGACY_WRAPPER);
                }
                Verdict::DoesNotFit
            }
        },
        (Due::Nothing | Due::Fit(_), _) => Verdict::Fits,
    };
    // The tool's own error owes nothing; what it holds all the same is worth a word.
    if let (true, true, Form::Complete, Output::Ready(judge), Some(value)) =
        (is_error, declared, form, output, reading.target)
        && judge.judge(value, steps(&value)) == Judgement::DoesNotFit
    {
        rules.insert(Rule::ERROR_STRUCTURED);
    }
    if misshapen || form == Form::Unknown {
        return Verdict::DoesNotFit;
    }
    verdict
}

impl Doubt {
    /// Why there is no verdict, as a clause.
    pub fn clause(self) -> &'static str {
        match self {
            Self::Steps => "judging it takes more steps than the bound allows",
            Self::Rounding => "it holds a number that a double would round",
            Self::Pattern => "a regular expression ran out of its budget",
        }
    }
}
