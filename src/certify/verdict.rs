//! What an outcome is worth, held against what was expected.

use std::fmt;

use super::compare;
use super::outcome::{Answer, Outcome};
use super::request::Request;
use crate::corpus::{Expectation, Expected, GateName, Level};

/// What a case comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// As expected.
    Pass,
    /// A must is missed.
    Fail,
    /// A should is missed.
    NonStrict,
    /// Rejected as expected, and not for the reason that there is.
    WrongReason,
    /// The specification is silent; the outcome is written down.
    Informational,
    /// The implementation does not do this.
    Skipped,
    /// The implementation failed, or broke the protocol.
    Errored,
    /// Nothing came in time.
    Timeout,
    /// The process ended before it answered.
    Crashed,
}

impl Verdict {
    /// Every verdict, in the order of reports.
    pub const ALL: [Self; 9] = [
        Self::Pass,
        Self::Fail,
        Self::NonStrict,
        Self::WrongReason,
        Self::Informational,
        Self::Skipped,
        Self::Errored,
        Self::Timeout,
        Self::Crashed,
    ];

    /// The verdict's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NonStrict => "non-strict",
            Self::WrongReason => "wrong-reason",
            Self::Informational => "informational",
            Self::Skipped => "skipped",
            Self::Errored => "errored",
            Self::Timeout => "timeout",
            Self::Crashed => "crashed",
        }
    }

    /// The verdict of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|verdict| verdict.as_str() == name)
    }

    /// Whether it tells against the implementation.
    pub const fn is_failure(self) -> bool {
        !matches!(self, Self::Pass | Self::Informational | Self::Skipped)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The verdict on `outcome`, and why it is not a pass.
pub fn judge(
    request: &Request,
    expected: &Expectation,
    outcome: &Outcome,
) -> (Verdict, Option<String>) {
    let detail = || outcome.detail.clone();
    let answer = match outcome.answer {
        Answer::Skip => return (Verdict::Skipped, detail()),
        Answer::Error => return (Verdict::Errored, detail()),
        Answer::Timeout => return (Verdict::Timeout, detail()),
        Answer::Crash => return (Verdict::Crashed, detail()),
        Answer::Accept => Expected::Accept,
        Answer::Reject => Expected::Reject,
    };
    if let Some(lacking) = lacking(request.gate, answer, outcome) {
        return (Verdict::Errored, Some(lacking.to_owned()));
    }
    let missed = match expected.level {
        Level::Must => Verdict::Fail,
        Level::Should => Verdict::NonStrict,
        Level::Informational => {
            let differs = answer != expected.answer;
            let why = || {
                format!(
                    "{}ed, where {} is suggested",
                    answer.as_str(),
                    expected.answer.as_str()
                )
            };
            return (Verdict::Informational, differs.then(why));
        }
    };
    if answer != expected.answer {
        return (missed, Some(other_answer(expected, outcome)));
    }
    let difference = match answer {
        Expected::Accept => compare::accepted(request, expected, outcome).map(|why| (missed, why)),
        Expected::Reject => {
            compare::rejected(expected, outcome).map(|why| (Verdict::WrongReason, why))
        }
    };
    match difference {
        Some((verdict, why)) => (verdict, Some(why)),
        None => (Verdict::Pass, None),
    }
}

/// What a gate's answer must not lack: without it there is nothing to compare.
fn lacking(gate: GateName, answer: Expected, outcome: &Outcome) -> Option<&'static str> {
    match gate {
        GateName::Audit if outcome.branch.is_none() => {
            Some("an answer to `audit` names its `branch`")
        }
        GateName::Listing if answer == Expected::Accept && outcome.usable.is_none() => {
            Some("an accepted listing names the tools that are `usable`")
        }
        _ => None,
    }
}

fn other_answer(expected: &Expectation, outcome: &Outcome) -> String {
    match (expected.answer, outcome.reason) {
        (Expected::Reject, _) => "accepted, and is to be rejected".to_owned(),
        (Expected::Accept, Some(reason)) => {
            let by = |keyword: &String| format!(" by `{}`", crate::source::cut(keyword, 40));
            let by = outcome.keyword.as_ref().map_or_else(String::new, by);
            format!("rejected as {}{by}, and is to be accepted", reason.as_str())
        }
        (Expected::Accept, None) => "rejected, and is to be accepted".to_owned(),
    }
}
