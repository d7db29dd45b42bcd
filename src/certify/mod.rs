//! Puts the suites to an implementation and says what its answers are worth.
//!
//! A [`Plan`] is the selected cases in the order in which they are asked. [`certify`] asks them of
//! an [`Implementation`], one process or thread a worker, and returns what came of each: every
//! case is judged exactly once, whatever the implementation does. A [`Certificate`] sums it up.

mod about;
mod adapter;
mod answer;
mod baseline;
mod builtin;
mod certificate;
mod compare;
mod comparison;
mod greeting;
mod labels;
pub mod live;
mod names;
mod outcome;
mod plan;
mod process;
mod recorded;
mod reduce;
mod request;
mod run;
mod summary;
mod verdict;

pub use about::About;
pub use adapter::{Adapter, Bounds, Launcher, STOP_MESSAGE, start_message};
pub use baseline::{Baseline, Entry, Known};
pub use builtin::Builtin;
pub use certificate::{Certificate, CertificateCase, Counts, Row, Smaller, Smoke, Tally, Tool};
pub use comparison::{Agreement, Column, Compared, Comparison, Standings, same_question};
pub use outcome::{Answer, Outcome};
pub use plan::{Asked, Plan, Selection};
pub use process::Command;
pub use reduce::{Effort, Reduced, Witness, reduce};
pub use request::Request;
pub use run::{Judged, NotStarted, Observer, Options, Run, certify};
pub use verdict::{Verdict, judge};

/// The version of the adapter protocol.
pub const PROTOCOL: u64 = 1;

/// Whatever can be put to the suites.
pub trait Implementation {
    /// What it says of itself.
    fn about(&self) -> &About;

    /// Its answer. It comes back within the request's deadline, or as an outcome that says why not.
    fn run(&mut self, request: &Request) -> Outcome;

    /// Ends it, and returns what it wrote beside its answers, as far as that is kept.
    fn finish(&mut self) -> String {
        String::new()
    }
}

/// Starts implementations: one for each worker.
pub trait Launch: Sync {
    /// Starts one.
    ///
    /// # Errors
    /// Why that is not possible.
    fn launch(&self) -> Result<Box<dyn Implementation>, NotStarted>;

    /// How often one was started again, after a crash or a hang.
    fn restarts(&self) -> u32 {
        0
    }
}

impl<F, I> Launch for F
where
    F: Fn() -> I + Sync,
    I: Implementation + 'static,
{
    fn launch(&self) -> Result<Box<dyn Implementation>, NotStarted> {
        Ok(Box::new(self()))
    }
}

/// Reads a line with which an adapter answered a `run`: the number of the request, and the outcome.
///
/// # Errors
/// Why it is no answer, as a clause.
pub fn read_answer(line: &[u8]) -> Result<(u64, Outcome), String> {
    match answer::run(line) {
        answer::Said::Answer(seq, outcome) => Ok((seq, outcome)),
        answer::Said::Nothing(fault) => Err(fault),
    }
}

/// Reads the line with which an adapter answered `start`.
///
/// # Errors
/// Why it is no answer, as a clause.
pub fn read_start(line: &[u8]) -> Result<About, String> {
    greeting::start(line)
}
