//! What a run shows before it starts and while it lasts, and how it is ended early.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
    eprintln!("{} would be judged", plan.judged);
    Ok(if plan.judged == 0 {
        Exit::NothingJudged
    } else {
        Exit::AsExpected
    })
}

/// Ctrl-C ends the run and not the program: the partial certificate is written. A second one ends
/// the program.
pub(super) fn catch_signals(interrupt: &Arc<AtomicBool>) -> Result<(), Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, interrupt.clone())
            .and_then(|_| signal_hook::flag::register(signal, interrupt.clone()))
            .map_err(|error| Failure::Usage(format!("cannot watch for signals: {error}")))?;
    }
    Ok(())
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
            eprintln!("both cases of the smoke pair got {answer}: does the adapter look at what it is sent?");
        });
    }
}
