//! Adapters that misbehave, each in its own way: every one gets its verdict, no case is lost or
//! judged twice, and nothing of them is left behind.
//!
//! The test is its own adapter: started with `--adapter MODE` it speaks the protocol, and badly.

#[path = "support/misbehave.rs"]
mod misbehave;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use mcp_conform::certify::{
    Answer, Baseline, Bounds, Certificate, Command, Launcher, Options, Plan, Run, Selection, Smoke,
    Verdict, certify,
};
use mcp_conform::corpus::{Corpus, Level};
use mcp_conform::protocol::ProtocolVersion;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if let (Some("--adapter"), Some(mode)) = (words.next().as_deref(), words.next()) {
        misbehave::main(&mode);
        return ExitCode::SUCCESS;
    }
    let trials = modes().into_iter().map(|(mode, expected)| {
        Trial::test(format!("adapter_that_{}", mode.replace('-', "_")), move || expected.check(mode))
    });
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials.collect());
    let left = zombies();
    if !left.is_empty() {
        eprintln!("processes that nobody has reaped: {left:?}");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

/// What a mode is to come to.
enum Expected {
    /// It is not started, and this is part of why.
    NotStarted(&'static str),
    /// Every case has this verdict, and the first that has it this detail.
    Every(Verdict, &'static str),
    /// One case has this verdict with this detail, all others pass.
    Once(Verdict, &'static str),
    /// It broke this often, and what came after that was not asked.
    GivenUp(Verdict, &'static str),
    /// All pass, but for what is said here of the run.
    Passes(fn(&Run<'_>) -> bool),
    /// Something of its own.
    Run(fn(&Run<'_>) -> bool),
}

use Expected::{Every, GivenUp, NotStarted, Once, Passes};

fn modes() -> Vec<(&'static str, Expected)> {
    vec![
        ("behaves", Passes(|run| run.restarts == 0 && run.stderr.is_empty())),
        ("slow", Passes(|run| run.restarts == 0)),
        ("carriage-returns", Passes(|_| true)),
        ("complains", Passes(|run| run.stderr == "a complaint\n")),
        ("floods-stderr", Passes(|run| run.stderr.len() < 20_000 && run.stderr.contains("noise"))),
        ("ignores-stop", Passes(|_| true)),
        ("ignores-the-end", Passes(|_| true)),
        ("leaves-a-child", Passes(|run| children(run).into_iter().all(is_gone))),
        ("accepts-all", Expected::Run(|run| smoke(run) == Some(Smoke::AcceptsAll))),
        ("rejects-all", Expected::Run(|run| smoke(run) == Some(Smoke::RejectsAll))),
        ("exits-at-start", NotStarted("exited with status 3")),
        ("silent-at-start", NotStarted("did not answer `start` within")),
        ("garbage-at-start", NotStarted("no JSON")),
        ("other-protocol", NotStarted("speaks protocol 2")),
        ("nameless", NotStarted("lacks `name`")),
        ("no-gates", NotStarted("no gate")),
        ("dialects-a-string", NotStarted("`dialects` is no array of strings")),
        ("result-alone", Expected::Run(|run| {
            run.judged.iter().all(|judged| {
                let is_result = judged.asked.case.gate.as_str() == "result";
                judged.verdict == if is_result { Verdict::Pass } else { Verdict::Skipped }
            })
        })),
        ("exits", GivenUp(Verdict::Crashed, "exited with status 7 before it answered")),
        ("exits-once", Once(Verdict::Crashed, "exited with status 7 before it answered")),
        ("exits-after-each", Expected::Run(|run| {
            count(run, Verdict::Pass) == 21 && count(run, Verdict::Crashed) == 21
        })),
        ("aborts-once", Once(Verdict::Crashed, "killed by signal 6")),
        ("hangs-once", Once(Verdict::Timeout, "no answer within")),
        ("never-reads", GivenUp(Verdict::Timeout, "no answer within")),
        ("holds-the-pipe", Passes(|_| true)),
        (
            "exits-once-and-leaves-the-pipe",
            Once(Verdict::Crashed, "exited with status 7 before it answered"),
        ),
        ("half-a-line", GivenUp(Verdict::Crashed, "exited with status 0 before it answered")),
        ("closes-its-output", GivenUp(Verdict::Crashed, "closed its standard output")),
        ("answers-twice", Every(Verdict::Errored, "more than one line")),
        ("answers-twice-late", Expected::Run(|run| {
            // The first answer is right; of the second, when it comes, the next case is told.
            let (passed, errored) = (count(run, Verdict::Pass), count(run, Verdict::Errored));
            passed + errored == run.judged.len() && says(run, Verdict::Errored, "has been answered")
        })),
        ("answers-the-next", Every(Verdict::Errored, "which was not asked")),
        ("answers-the-last", Expected::Run(|run| {
            // The answer to one request is taken for that to the one before, come too late.
            let wrong = count(run, Verdict::Errored) + count(run, Verdict::Timeout);
            wrong == run.judged.len() && says(run, Verdict::Errored, "an answer to request")
        })),
        ("garbage", Every(Verdict::Errored, "no JSON")),
        ("megabyte-line", GivenUp(Verdict::Errored, "a line of more than")),
        ("endless-line", GivenUp(Verdict::Errored, "a line of more than")),
        ("not-utf-8", Every(Verdict::Errored, "not UTF-8")),
        ("verdict-a-boolean", Every(Verdict::Errored, "`verdict` is true, not a string")),
        ("verdict-unknown", Every(Verdict::Errored, "neither \"accept\" nor \"reject\"")),
        ("no-verdict", Every(Verdict::Errored, "neither `verdict`, `skip` nor `error`")),
        ("verdict-and-error", Every(Verdict::Errored, "more than one of")),
        ("no-seq", Every(Verdict::Errored, "lacks `seq`")),
        ("seq-a-string", Every(Verdict::Errored, "not the request's number")),
        ("seq-negative", Every(Verdict::Errored, "not the request's number")),
        ("an-array", Every(Verdict::Errored, "no object")),
        ("member-twice", Every(Verdict::Errored, "two members")),
        ("unknown-member", Every(Verdict::Errored, "unknown member `verdicts`")),
        ("unknown-reason", Every(Verdict::Errored, "`reason` is \"bad\"")),
        ("usable-a-string", Every(Verdict::Errored, "`usable` is no array")),
        ("at-no-pointer", Every(Verdict::Errored, "no JSON Pointer")),
        ("bare-verdicts", Expected::Run(|run| {
            let lacks = |why: &str| why.contains("names its `branch`") || why.contains("`usable`");
            run.judged.iter().all(|judged| match judged.why.as_deref() {
                None => judged.verdict == Verdict::Pass,
                Some(why) => judged.verdict == Verdict::Errored && lacks(why),
            }) && count(run, Verdict::Errored) > 0
        })),
        ("fails", Every(Verdict::Errored, "TypeError")),
        ("skips", Every(Verdict::Skipped, "not yet")),
        ("wrong-reasons", Expected::Run(|run| {
            run.judged.iter().all(|judged| match judged.outcome.answer {
                Answer::Reject => judged.verdict == Verdict::WrongReason,
                _ => judged.verdict == Verdict::Pass,
            })
        })),
    ]
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
            deadline: if hangs { Duration::from_millis(300) } else { Duration::from_secs(20) },
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
            let _ = std::process::Command::new("kill").arg(process.to_string()).status();
        }
        if holds { Ok(()) } else { Err(told(&run).into()) }
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

fn count(run: &Run<'_>, verdict: Verdict) -> usize {
    run.judged.iter().filter(|judged| judged.verdict == verdict).count()
}

fn says(run: &Run<'_>, verdict: Verdict, why: &str) -> bool {
    let mut of = run.judged.iter().filter(|judged| judged.verdict == verdict);
    of.any(|judged| judged.why.as_deref().is_some_and(|said| said.contains(why)))
}

fn smoke(run: &Run<'_>) -> Option<Smoke> {
    let identity = Corpus::embedded().ok()?.identity;
    Certificate::new(run, &identity, &Selection::default(), &Baseline::default(), "").smoke
}

/// The processes that an adapter says it has started.
fn children(run: &Run<'_>) -> Vec<u32> {
    let lines = run.stderr.lines();
    lines.filter_map(|line| line.strip_prefix("child ")?.parse().ok()).collect()
}

/// Whether a process is gone, a moment after it was killed: whoever inherits it may not have reaped
/// it yet.
fn is_gone(process: u32) -> bool {
    let deadline = Instant::now() + Duration::from_secs(2);
    while state(process).is_some_and(|state| state != 'Z') {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

fn state(process: u32) -> Option<char> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    status.rsplit_once(") ")?.1.chars().next()
}

/// Our own children that have ended and that nobody has asked about.
fn zombies() -> Vec<u32> {
    let parent = std::process::id();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let ours = |id: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let mut fields = status.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ');
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
    format!("{}\nrestarts {}\nstderr {}", lines.join("\n"), run.restarts, run.stderr)
}
