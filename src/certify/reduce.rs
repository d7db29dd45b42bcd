//! Makes the payload of a divergence small while the implementation still diverges.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Implementation;
use super::outcome::{Answer, Outcome};
use super::request::Request;
use super::run::{Judged, MOST_SENT, NotStarted, Options};
use super::verdict::{Verdict, judge};
use crate::corpus::Case;
use crate::generate::cases::{Generated, Pool};
use crate::generate::{Generator, Shrunk, Tried, shrink};
use crate::protocol::ProtocolVersion::{self, V2026_07_28};

/// How much a run spends on smaller payloads.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Questions to the implementation about one payload.
    pub tries: usize,
    /// The time for all payloads together.
    pub time: Duration,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            tries: 200,
            time: Duration::from_secs(10),
        }
    }
}

/// A smaller case that shows the same divergence.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The case, with the smaller payload in it.
    pub case: Case,
    /// The payload.
    pub payload: Value,
    /// How often the implementation was asked.
    pub tries: usize,
    /// The message that shows the divergence.
    pub sent: Value,
}

/// Whoever can be asked about one payload more, once the run is over.
pub trait Witness {
    /// What it says to `request`, which is the question of `case`.
    fn ask(&mut self, case: &Case, request: &Request) -> Outcome;

    /// What a report shows of the question.
    fn sent(&self, request: &Request) -> Value {
        request.shown(MOST_SENT)
    }

    /// Ends it.
    fn finish(&mut self) {}
}

impl Witness for Box<dyn Implementation> {
    fn ask(&mut self, _case: &Case, request: &Request) -> Outcome {
        self.run(request)
    }

    fn finish(&mut self) {
        self.as_mut().finish();
    }
}

/// Reduces the first divergence of each tool and keyword by what a `start`ed witness says. What is
/// not `made` here, or is about more than a payload, stays as it is.
///
/// # Errors
/// Where the implementation cannot be started once more.
pub fn reduce<'g>(
    judged: &[Judged<'_>],
    made: impl Fn(&str) -> Option<&'g Generated>,
    pool: &Pool,
    start: impl FnOnce() -> Result<Box<dyn Witness>, NotStarted>,
    options: &Options<'_>,
    effort: Effort,
) -> Result<Vec<Reduced>, NotStarted> {
    let mut seen = HashSet::new();
    let wanted = judged.iter().filter(|judged| diverges(judged));
    let wanted = wanted.filter_map(|judged| {
        let generated = made(&judged.asked.case.id)?;
        let payload = generated.payload.as_ref()?;
        let group = (
            generated.tool,
            payload.side,
            payload.fits,
            payload.keyword.clone(),
        );
        seen.insert(group).then_some((judged, generated))
    });
    let wanted: Vec<_> = wanted.collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut witness = start()?;
    let end = Instant::now() + effort.time;
    let mut session = Session {
        witness: witness.as_mut(),
        options,
        end,
        seq: 0,
    };
    let reduced = wanted
        .into_iter()
        .filter_map(|(judged, generated)| session.reduce(judged, generated, pool, effort.tries));
    let reduced = reduced.collect();
    witness.finish();
    Ok(reduced)
}

/// Whether the answer is the wrong one, and not merely missing.
fn diverges(judged: &Judged<'_>) -> bool {
    matches!(judged.verdict, Verdict::Fail | Verdict::NonStrict)
        && matches!(judged.outcome.answer, Answer::Accept | Answer::Reject)
}

struct Session<'s> {
    witness: &'s mut dyn Witness,
    options: &'s Options<'s>,
    end: Instant,
    seq: u64,
}

impl Session<'_> {
    fn reduce(
        &mut self,
        judged: &Judged<'_>,
        generated: &Generated,
        pool: &Pool,
        tries: usize,
    ) -> Option<Reduced> {
        let payload = generated.payload.as_ref()?;
        let schema = pool.tool(generated.tool).get(payload.side.member())?;
        let oracle = Generator::new(schema).ok()?;
        let fits = payload.fits;
        let version = generated.version;
        let objects = version < V2026_07_28 || payload.value.is_object();
        let Shrunk { value, tries } = shrink(&payload.value, tries, &mut |value| {
            // The verdict must stay what it was, and known.
            if oracle.fits(value) != Some(fits) || objects && !value.is_object() {
                return Tried::Beside;
            }
            if Instant::now() >= self.end || self.options.interrupt.load(Ordering::Relaxed) {
                return Tried::Stop;
            }
            let case = payload.with(&generated.case, value);
            match self.ask(&case, version) {
                Some((Verdict::Fail | Verdict::NonStrict, answer))
                    if answer == judged.outcome.answer =>
                {
                    Tried::Holds
                }
                _ => Tried::Fails,
            }
        });
        let case = payload.with(&generated.case, &value);
        let sent = self.witness.sent(&self.request(&case, version));
        Some(Reduced {
            case,
            payload: value,
            tries,
            sent,
        })
    }

    fn request(&self, case: &Case, version: ProtocolVersion) -> Request {
        Request::new(case, version, self.seq, self.options.deadline)
    }

    fn ask(&mut self, case: &Case, version: ProtocolVersion) -> Option<(Verdict, Answer)> {
        self.seq += 1;
        let request = self.request(case, version);
        let expected = case.on(version)?;
        let outcome = catch_unwind(AssertUnwindSafe(|| self.witness.ask(case, &request))).ok()?;
        Some((judge(&request, expected, &outcome).0, outcome.answer))
    }
}
