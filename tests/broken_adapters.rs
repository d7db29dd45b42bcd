//! Adapters that misbehave, each in its own way: every one gets its verdict, no case is lost or
//! judged twice, and nothing of them is left behind.
//!
//! The test is its own adapter: started with `--adapter MODE` it speaks the protocol, and badly.

#[path = "support/misbehave.rs"]
mod misbehave;
#[path = "support/modes.rs"]
mod modes;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use mcp_conform::certify::{
    Bounds, Command, Launcher, Options, Plan, Run, Selection, Verdict, certify,
};
use mcp_conform::corpus::{Corpus, Level};
use mcp_conform::protocol::ProtocolVersion;
use modes::Expected::{self, Every, GivenUp, NotStarted, Once, Passes};
use modes::{children, count, modes, says};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if let (Some("--adapter"), Some(mode)) = (words.next().as_deref(), words.next()) {
        misbehave::main(&mode);
        return ExitCode::SUCCESS;
    }
    let trials = modes().into_iter().map(|(mode, expected)| {
        Trial::test(
            format!("adapter_that_{}", mode.replace('-', "_")),
            move || expected.check(mode),
        )
    });
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials.collect());
    let left = zombies();
    if !left.is_empty() {
        eprintln!("processes that nobody has reaped: {left:?}");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

impl Expected {
    fn check(&self, mode: &str) -> Result<(), Failed> {
        let corpus = Corpus::embedded()?;
        let mut plan = Plan::new(&corpus, &selection());
        cut(&mut plan);
        let interrupt = Arc::new(AtomicBool::new(false));
        let command = Command {
            program: std::env::current_exe()?.into(),
            arguments: vec!["--adapter".into(), mode.into()],
        };
        let bounds = Bounds {
            start: Duration::from_secs(if mode == "silent-at-start" { 1 } else { 20 }),
            stop: Duration::from_millis(500),
        };
        let launcher = Launcher::new(command, &corpus.identity, bounds, interrupt.clone());
        let hangs = ["hangs-once", "never-reads", "answers-the-last"].contains(&mode);
        let options = Options {
            jobs: 1,
            deadline: if hangs {
                Duration::from_millis(300)
            } else {
                Duration::from_secs(20)
            },
            interrupt: &interrupt,
            observer: &(),
        };
        let start = Instant::now();
        let run = match (certify(&plan, &launcher, &options), self) {
            (Err(broken), NotStarted(why)) if broken.detail.contains(why) => return Ok(()),
            (Err(broken), _) => return Err(format!("not started: {broken}").into()),
            (Ok(_), NotStarted(_)) => return Err("it was started".into()),
            (Ok(run), _) => run,
        };
        if !run.complete || run.judged.len() != plan.judged {
            return Err("a case was lost".into());
        }
        if start.elapsed() > Duration::from_secs(60) {
            return Err(format!("it took {:?}", start.elapsed()).into());
        }
        let holds = match self {
            NotStarted(_) => false,
            Every(verdict, why) => {
                count(&run, *verdict) == run.judged.len() && says(&run, *verdict, why)
            }
            Once(verdict, why) => {
                count(&run, *verdict) == 1
                    && says(&run, *verdict, why)
                    && count(&run, Verdict::Pass) + 1 == run.judged.len()
                    && run.restarts == 1
            }
            GivenUp(verdict, why) => {
                let rest = run.judged.len() - 21;
                let given_up = says(&run, Verdict::Errored, "it was 20 times already");
                let broke = says(&run, *verdict, why);
                let counted = match verdict {
                    Verdict::Errored => count(&run, Verdict::Errored) == run.judged.len(),
                    other => count(&run, *other) == 21 && count(&run, Verdict::Errored) == rest,
                };
                given_up && broke && counted && run.restarts == 20
            }
            Passes(also) => count(&run, Verdict::Pass) == run.judged.len() && also(&run),
            Self::Run(holds) => holds(&run),
        };
        // What left our group is ours to end: it is a test's child after all.
        let ours = mode != "leaves-a-child";
        for process in children(&run).into_iter().filter(|_| ours) {
            let _ = std::process::Command::new("kill")
                .arg(process.to_string())
                .status();
        }
        if holds {
            Ok(())
        } else {
            Err(told(&run).into())
        }
    }
}

/// Enough cases of every gate, and none that says nothing.
fn selection() -> Selection {
    Selection {
        level: Some(Level::Should),
        versions: Some(ProtocolVersion::V2026_07_28.into()),
        ..Selection::default()
    }
}

/// Six cases of each gate, and the smoke pair: a run of a second, not of a minute.
fn cut(plan: &mut Plan<'_>) {
    let mut kept: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut place = 0;
    plan.units.retain_mut(|unit| {
        let [asked] = unit.as_mut_slice() else {
            return false;
        };
        if asked.case.id.starts_with("hostile/") {
            return false;
        }
        let key = (asked.case.gate.as_str(), asked.expected.answer.as_str());
        let kept = kept.entry(key).or_default();
        *kept += 1;
        let keep = *kept <= 3;
        if keep {
            asked.place = Some(place);
            place += 1;
        }
        keep
    });
    plan.judged = place;
}

/// Our own children that have ended and that nobody has asked about.
fn zombies() -> Vec<u32> {
    let parent = std::process::id();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let ours = |id: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let mut fields = status
            .rsplit_once(") ")
            .map_or("", |(_, rest)| rest)
            .split(' ');
        fields.next() == Some("Z") && fields.next() == Some(parent.to_string().as_str())
    };
    ids.filter(ours).collect()
}

fn told(run: &Run<'_>) -> String {
    let lines = run.judged.iter().map(|judged| {
        let why = judged.why.as_deref().unwrap_or("");
        format!("{}: {} {why}", judged.asked.case.id, judged.verdict)
    });
    let lines: Vec<_> = lines.collect();
    format!(
        "{}\nrestarts {}\nstderr {}",
        lines.join("\n"),
        run.restarts,
        run.stderr
    )
}
