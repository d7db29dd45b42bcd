//! What a run shows before it starts and while it lasts, and how it is ended early.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::iterator::Signals;

use super::{Exit, Failure};
use crate::certify::{About, Answer, Judged, Observer, Plan};

/// What is selected, one line each: nothing is started.
pub(super) fn dry_run(plan: &Plan<'_>) -> Result<Exit, Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let asked = plan
        .units
        .iter()
        .flatten()
        .filter(|asked| asked.place.is_some());
    let mut asked: Vec<_> = asked.collect();
    asked.sort_by_key(|asked| asked.place);
    for asked in asked {
        let (id, version) = (&asked.case.id, asked.version);
        let (answer, level) = (
            asked.expected.answer.as_str(),
            asked.expected.level.as_str(),
        );
        writeln!(out, "{id}  {version}  {answer}  {level}")?;
    }
    out.flush()?;
    note!("{} would be judged", plan.judged);
    Ok(if plan.judged == 0 {
        Exit::NothingJudged
    } else {
        Exit::AsExpected
    })
}

/// Within this time of the first signal a second one is the same one: some who end a program send theirs
/// to it and to its group.
const ECHO: Duration = Duration::from_millis(500);

/// Ctrl-C ends the run and not the program: what was started is killed, and the partial certificate is
/// written. A second one ends the program.
pub(super) fn catch_signals(interrupt: &Arc<AtomicBool>) -> Result<(), Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let failed = |error| Failure::Usage(format!("cannot watch for signals: {error}"));
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(failed)?;
    let interrupt = interrupt.clone();
    let watch = move || {
        let mut first = None;
        for signal in signals.forever() {
            interrupt.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > ECHO {
                std::process::exit(128 + signal);
            }
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(watch).map(drop).map_err(failed)
}

/// A bar on standard error, where that is a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(super) fn new() -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        Self { bar }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn started(&self, about: &About, cases: usize) {
        let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {msg}");
        self.bar
            .set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.bar.set_prefix(about.name.clone());
        self.bar.set_length(cases as u64);
    }

    fn judged(&self, judged: &Judged<'_>) {
        if judged.verdict.is_failure() {
            self.bar
                .set_message(format!("{} {}", judged.verdict, judged.asked.case.id));
        }
        self.bar.inc(1);
    }

    fn answered_alike(&self, answer: Answer) {
        let answer = answer.as_str();
        self.bar.suspend(|| {
            note!("both cases of the smoke pair got {answer}: does the adapter look at what it is sent?");
        });
    }
}
