//! Runs of the drivers under test, and what is read off them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libtest_mimic::Failed;
use mcp_conform::certify::live::{Live, ReplyForm, certify};
use mcp_conform::certify::{Bounds, Command, NotStarted, Options, Plan, Run, Selection, Verdict};
use mcp_conform::corpus::{Corpus, Transport};
use mcp_conform::protocol::ProtocolVersion;

/// A run of the driver of one kind.
pub struct Asked<'a> {
    mode: &'a str,
    pub on_stdin: bool,
    pub transport: Transport,
    pub reply: ReplyForm,
    pub selection: Selection,
    pub seconds: f64,
}

impl<'a> Asked<'a> {
    pub fn of(mode: &'a str, versions: &[ProtocolVersion], gates: &[&str]) -> Self {
        Self {
            mode,
            on_stdin: true,
            transport: Transport::Stdio,
            reply: ReplyForm::Json,
            selection: Selection {
                versions: Some(versions.iter().copied().collect()),
                gates: gates.iter().map(|gate| (*gate).to_owned()).collect(),
                ..Selection::default()
            },
            seconds: 20.0,
        }
    }

    pub fn cases(mut self, ids: &[&str]) -> Self {
        self.selection.cases = ids.iter().map(|id| (*id).to_owned()).collect();
        self
    }

    pub fn run<'c>(&self, corpus: &'c Corpus) -> Result<Run<'c>, NotStarted> {
        let plan = Plan::live(corpus, &self.selection);
        let live = Live {
            driver: Command {
                program: std::env::current_exe().expect("a path").into(),
                arguments: vec!["--driver".into(), self.mode.into()],
            },
            sessions_on_stdin: self.on_stdin,
            transport: self.transport,
            reply: self.reply,
            server: PathBuf::from(env!("CARGO_BIN_EXE_mcp-conform")),
            bounds: Bounds {
                start: Duration::from_secs(if self.mode == "starts-and-says-nothing" {
                    1
                } else {
                    20
                }),
                stop: Duration::from_millis(500),
            },
        };
        let interrupt = Arc::new(AtomicBool::new(false));
        let options = Options {
            jobs: 2,
            deadline: Duration::from_secs_f64(self.seconds),
            interrupt: &interrupt,
            observer: &(),
        };
        let run = certify(&plan, &live, &interrupt, &options)?;
        assert!(run.complete, "no case is lost");
        assert_eq!(run.judged.len(), plan.judged, "and none is judged twice");
        Ok(run)
    }
}

/// The verdicts by case, of a run on one version.
pub fn verdicts(run: &Run<'_>) -> BTreeMap<String, Verdict> {
    let judged = run.judged.iter();
    judged
        .map(|judged| (judged.asked.case.id.clone(), judged.verdict))
        .collect()
}

/// The cases of `run` that are not as `wanted` says, with why.
pub fn others(run: &Run<'_>, wanted: impl Fn(&str, Verdict) -> bool) -> Result<(), Failed> {
    let judged = run.judged.iter();
    let others = judged.filter(|judged| !wanted(&judged.asked.case.id, judged.verdict));
    let told = others.map(|judged| {
        let (id, version) = (&judged.asked.case.id, judged.asked.version);
        let why = judged.why.as_deref().or(judged.outcome.detail.as_deref());
        format!(
            "{id} on {version}: {} {}",
            judged.verdict,
            why.unwrap_or_default()
        )
    });
    let told: Vec<_> = told.collect();
    if told.is_empty() {
        Ok(())
    } else {
        Err(told.join("\n").into())
    }
}

pub fn expect(run: &Run<'_>, wanted: &[(&str, Verdict)]) -> Result<(), Failed> {
    let found = verdicts(run);
    for (id, verdict) in wanted {
        if found.get(*id) != Some(verdict) {
            let judged = run.judged.iter().find(|judged| judged.asked.case.id == *id);
            let why = judged
                .and_then(|judged| judged.why.clone())
                .unwrap_or_default();
            return Err(format!("{id}: {:?}, not {verdict}: {why}", found.get(*id)).into());
        }
    }
    Ok(())
}

pub fn fine(_: &str, verdict: Verdict) -> bool {
    !verdict.is_failure()
}
