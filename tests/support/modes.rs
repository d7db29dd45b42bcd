//! The ways in which an adapter misbehaves, and what each is to come to.

use std::time::{Duration, Instant};

use mcp_conform::certify::{Answer, Baseline, Certificate, Run, Selection, Smoke, Verdict};
use mcp_conform::corpus::Corpus;

use Expected::{Every, GivenUp, NotStarted, Once, Passes};

/// What a mode is to come to.
pub enum Expected {
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

pub fn modes() -> Vec<(&'static str, Expected)> {
    vec![
        (
            "behaves",
            Passes(|run| run.restarts == 0 && run.stderr.is_empty()),
        ),
        ("slow", Passes(|run| run.restarts == 0)),
        ("carriage-returns", Passes(|_| true)),
        ("complains", Passes(|run| run.stderr == "a complaint\n")),
        (
            "floods-stderr",
            Passes(|run| run.stderr.len() < 20_000 && run.stderr.contains("noise")),
        ),
        ("ignores-stop", Passes(|_| true)),
        ("ignores-the-end", Passes(|_| true)),
        (
            "leaves-a-child",
            Passes(|run| children(run).into_iter().all(is_gone)),
        ),
        (
            "accepts-all",
            Expected::Run(|run| smoke(run) == Some(Smoke::AcceptsAll)),
        ),
        (
            "rejects-all",
            Expected::Run(|run| smoke(run) == Some(Smoke::RejectsAll)),
        ),
        ("exits-at-start", NotStarted("exited with status 3")),
        (
            "silent-at-start",
            NotStarted("did not answer `start` within"),
        ),
        ("garbage-at-start", NotStarted("no JSON")),
        ("other-protocol", NotStarted("speaks protocol 2")),
        ("nameless", NotStarted("lacks `name`")),
        ("no-gates", NotStarted("no gate")),
        (
            "dialects-a-string",
            NotStarted("`dialects` is no array of strings"),
        ),
        (
            "result-alone",
            Expected::Run(|run| {
                run.judged.iter().all(|judged| {
                    let is_result = judged.asked.case.gate.as_str() == "result";
                    judged.verdict
                        == if is_result {
                            Verdict::Pass
                        } else {
                            Verdict::Skipped
                        }
                })
            }),
        ),
        (
            "exits",
            GivenUp(Verdict::Crashed, "exited with status 7 before it answered"),
        ),
        (
            "exits-once",
            Once(Verdict::Crashed, "exited with status 7 before it answered"),
        ),
        (
            "exits-after-each",
            Expected::Run(|run| {
                count(run, Verdict::Pass) == 21 && count(run, Verdict::Crashed) == 21
            }),
        ),
        ("aborts-once", Once(Verdict::Crashed, "killed by signal 6")),
        ("hangs-once", Once(Verdict::Timeout, "no answer within")),
        ("never-reads", GivenUp(Verdict::Timeout, "no answer within")),
        ("holds-the-pipe", Passes(|_| true)),
        (
            "exits-once-and-leaves-the-pipe",
            Once(Verdict::Crashed, "exited with status 7 before it answered"),
        ),
        (
            "half-a-line",
            GivenUp(Verdict::Crashed, "exited with status 0 before it answered"),
        ),
        (
            "closes-its-output",
            GivenUp(Verdict::Crashed, "closed its standard output"),
        ),
        (
            "answers-twice",
            Every(Verdict::Errored, "more than one line"),
        ),
        (
            "answers-twice-late",
            Expected::Run(|run| {
                // The first answer is right; of the second, when it comes, the next case is told.
                let (passed, errored) = (count(run, Verdict::Pass), count(run, Verdict::Errored));
                passed + errored == run.judged.len()
                    && says(run, Verdict::Errored, "has been answered")
            }),
        ),
        (
            "answers-the-next",
            Every(Verdict::Errored, "which was not asked"),
        ),
        (
            "answers-the-last",
            Expected::Run(|run| {
                // The answer to one request is taken for that to the one before, come too late.
                let wrong = count(run, Verdict::Errored) + count(run, Verdict::Timeout);
                wrong == run.judged.len() && says(run, Verdict::Errored, "an answer to request")
            }),
        ),
        ("garbage", Every(Verdict::Errored, "no JSON")),
        (
            "megabyte-line",
            GivenUp(Verdict::Errored, "a line of more than"),
        ),
        (
            "endless-line",
            GivenUp(Verdict::Errored, "a line of more than"),
        ),
        ("not-utf-8", Every(Verdict::Errored, "not UTF-8")),
        (
            "verdict-a-boolean",
            Every(Verdict::Errored, "`verdict` is true, not a string"),
        ),
        (
            "verdict-unknown",
            Every(Verdict::Errored, "neither \"accept\" nor \"reject\""),
        ),
        (
            "no-verdict",
            Every(Verdict::Errored, "neither `verdict`, `skip` nor `error`"),
        ),
        (
            "verdict-and-error",
            Every(Verdict::Errored, "more than one of"),
        ),
        ("no-seq", Every(Verdict::Errored, "lacks `seq`")),
        (
            "seq-a-string",
            Every(Verdict::Errored, "not the request's number"),
        ),
        (
            "seq-negative",
            Every(Verdict::Errored, "not the request's number"),
        ),
        ("an-array", Every(Verdict::Errored, "no object")),
        ("member-twice", Every(Verdict::Errored, "two members")),
        (
            "unknown-member",
            Every(Verdict::Errored, "unknown member `verdicts`"),
        ),
        (
            "unknown-reason",
            Every(Verdict::Errored, "`reason` is \"bad\""),
        ),
        (
            "usable-a-string",
            Every(Verdict::Errored, "`usable` is no array"),
        ),
        ("at-no-pointer", Every(Verdict::Errored, "no JSON Pointer")),
        (
            "bare-verdicts",
            Expected::Run(|run| {
                let lacks =
                    |why: &str| why.contains("names its `branch`") || why.contains("`usable`");
                run.judged.iter().all(|judged| match judged.why.as_deref() {
                    None => judged.verdict == Verdict::Pass,
                    Some(why) => judged.verdict == Verdict::Errored && lacks(why),
                }) && count(run, Verdict::Errored) > 0
            }),
        ),
        ("fails", Every(Verdict::Errored, "TypeError")),
        ("skips", Every(Verdict::Skipped, "not yet")),
        (
            "wrong-reasons",
            Expected::Run(|run| {
                run.judged.iter().all(|judged| match judged.outcome.answer {
                    Answer::Reject => judged.verdict == Verdict::WrongReason,
                    _ => judged.verdict == Verdict::Pass,
                })
            }),
        ),
    ]
}

pub fn count(run: &Run<'_>, verdict: Verdict) -> usize {
    run.judged
        .iter()
        .filter(|judged| judged.verdict == verdict)
        .count()
}

pub fn says(run: &Run<'_>, verdict: Verdict, why: &str) -> bool {
    let mut of = run.judged.iter().filter(|judged| judged.verdict == verdict);
    of.any(|judged| judged.why.as_deref().is_some_and(|said| said.contains(why)))
}

pub fn smoke(run: &Run<'_>) -> Option<Smoke> {
    let identity = Corpus::embedded().ok()?.identity;
    Certificate::new(
        run,
        &identity,
        &Selection::default(),
        &Baseline::default(),
        "",
    )
    .smoke
}

/// The processes that an adapter says it has started.
pub fn children(run: &Run<'_>) -> Vec<u32> {
    let lines = run.stderr.lines();
    lines
        .filter_map(|line| line.strip_prefix("child ")?.parse().ok())
        .collect()
}

/// Whether a process is gone, a moment after it was killed: whoever inherits it may not have reaped
/// it yet.
pub fn is_gone(process: u32) -> bool {
    let deadline = Instant::now() + Duration::from_secs(2);
    while state(process).is_some_and(|state| state != 'Z') {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

pub fn state(process: u32) -> Option<char> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    status.rsplit_once(") ")?.1.chars().next()
}
