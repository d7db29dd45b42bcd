//! Drivers that break, each in its own way: no case is lost, one is blamed, and nothing is left.

use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use mcp_conform::certify::Verdict;
use mcp_conform::corpus::{Corpus, Transport};
use mcp_conform::protocol::ProtocolVersion::{V2025_06_18, V2025_11_25, V2026_07_28};

use crate::asked::{Asked, others};

/// The cases of a small run, all of which a careless client passes.
const SMALL: [&str; 9] = [
    "result/search-tickets#structured_ok",
    "result/get-report#closed_ok",
    "wire/pages#first_page_called",
    "wire/pages#second_page_called",
    "wire/pages#last_page_called",
    "wire/numbers#small",
    "wire/numbers#fraction",
    "wire/tool-error#text_alone",
    "wire/shared-id#both_called",
];

pub fn breaks() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    assert!(SMALL.iter().all(|id| corpus.case(id).is_some()));
    for (mode, verdict, why) in [
        ("dies", Verdict::Crashed, "it exited with status 3"),
        (
            "dies-after-the-call",
            Verdict::Crashed,
            "it exited with status 3",
        ),
        ("garbage", Verdict::Errored, "Connected to server."),
        ("falls-silent", Verdict::Timeout, "said nothing for"),
        ("half-a-line", Verdict::Timeout, "said nothing for"),
        ("floods", Verdict::Errored, "a line of more than"),
    ] {
        let start = Instant::now();
        let mut asked = Asked::of(mode, &[V2026_07_28], &[]).cases(&SMALL);
        asked.seconds = 1.5;
        let run = asked.run(&corpus)?;
        let broken: Vec<_> = run
            .judged
            .iter()
            .filter(|judged| judged.verdict != Verdict::Pass)
            .collect();
        // Each worker's process has its own seventh call.
        let holds = (1..=4).contains(&broken.len())
            && broken.iter().all(|judged| {
                judged.verdict == verdict
                    && judged.why.as_deref().is_some_and(|said| said.contains(why))
            })
            && run.restarts > 0;
        if !holds || start.elapsed() > Duration::from_secs(60) {
            let told: Vec<_> = broken
                .iter()
                .map(|judged| {
                    format!(
                        "{}: {} {:?}",
                        judged.asked.case.id, judged.verdict, judged.why
                    )
                })
                .collect();
            return Err(format!("{mode}, {} restarts: {}", run.restarts, told.join("\n")).into());
        }
    }
    Ok(())
}

/// A driver that gives a session up by itself costs the case, and no new process.
pub fn gives_up() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let run = Asked::of("gives-up", &[V2026_07_28], &[])
        .cases(&SMALL)
        .run(&corpus)?;
    let judged = run.judged.iter();
    let late: Vec<_> = judged
        .filter(|judged| judged.verdict != Verdict::Pass)
        .map(|judged| (judged.verdict, judged.why.as_deref().unwrap_or_default()))
        .collect();
    let is_late = |(verdict, why): &(Verdict, &str)| {
        let said = "the driver said nothing for 20 s after the call";
        *verdict == Verdict::Timeout && why.starts_with(said)
    };
    // Each worker's process has its own seventh call.
    if (1..=2).contains(&late.len()) && late.iter().all(is_late) && run.restarts == 0 {
        return Ok(());
    }
    Err(format!("{} restarts: {late:?}", run.restarts).into())
}

pub fn leaves() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    for mode in ["never-exits", "forks"] {
        for on_stdin in [true, false] {
            let start = Instant::now();
            let mut asked = Asked::of(mode, &[V2025_06_18], &[]).cases(&SMALL[2..6]);
            asked.on_stdin = on_stdin;
            others(&asked.run(&corpus)?, |_, verdict| verdict == Verdict::Pass)?;
            if start.elapsed() > Duration::from_secs(25) {
                return Err(format!("{mode} took {:?}", start.elapsed()).into());
            }
        }
    }
    Ok(())
}

/// What a session can do to a client that reads: nothing, half a message, the end, 100 MB.
pub fn answers() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let ids = [
        "wire/answers#none",
        "wire/answers#half",
        "wire/answers#connection_closed",
        "wire/answers#hundred_megabytes",
        "wire/answers#readable",
    ];
    for transport in [Transport::Stdio, Transport::Http] {
        let start = Instant::now();
        let mut asked = Asked::of("careless", &[V2025_06_18, V2025_11_25], &[]).cases(&ids);
        asked.transport = transport;
        let run = asked.run(&corpus)?;
        let waits = [ids[0], ids[1]];
        for judged in &run.judged {
            let id = judged.asked.case.id.as_str();
            let why = judged.outcome.detail.as_deref().unwrap_or_default();
            let wanted = match judged.asked.version {
                _ if !waits.contains(&id) => "",
                V2025_11_25 => "the driver said nothing for 3 s after the call",
                _ => "not asked again: the client hung on 2025-11-25",
            };
            if why != wanted || judged.verdict.is_failure() {
                return Err(format!("{id}: {} {why}", judged.verdict).into());
            }
        }
        nothing_is_left(start)?;
    }
    Ok(())
}

/// A client that calls and never reads the answer of 100 MB: the server is stuck in its pipe.
pub fn deaf() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let flood = "wire/answers#hundred_megabytes";
    for transport in [Transport::Stdio, Transport::Http] {
        let start = Instant::now();
        let mut asked = Asked::of("stops-reading", &[V2025_11_25], &[]);
        asked = asked.cases(&[flood, SMALL[2]]);
        (asked.transport, asked.seconds) = (transport, 1.5);
        let run = asked.run(&corpus)?;
        others(&run, |id, verdict| {
            verdict == Verdict::Pass || (id == flood && verdict == Verdict::Informational)
        })?;
        let mut judged = run.judged.iter();
        let why = judged.find_map(|judged| judged.outcome.detail.as_deref());
        if why != Some("the driver said nothing for 1.5 s after the call") {
            return Err(format!("{why:?}").into());
        }
        nothing_is_left(start)?;
    }
    Ok(())
}

/// No server outlives its run: one whose script is gone belongs to a run that is over.
fn nothing_is_left(start: Instant) -> Result<(), Failed> {
    let is_left = |words: &[String]| {
        let script = words.iter().position(|word| word == "--script");
        let script = script.and_then(|at| words.get(at + 1));
        script.is_some_and(|script| !std::path::Path::new(script).exists())
    };
    let left = || {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines =
            processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        let words = lines.map(|line| {
            String::from_utf8_lossy(&line)
                .split('\0')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
        words.filter(|words| is_left(words)).count()
    };
    let grace = Instant::now() + Duration::from_secs(5);
    while left() > 0 && Instant::now() < grace {
        std::thread::sleep(Duration::from_millis(20));
    }
    match (left(), start.elapsed()) {
        (0, took) if took < Duration::from_secs(60) => Ok(()),
        (left, took) => Err(format!("{left} servers are left after {took:?}").into()),
    }
}

pub fn silent() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let mut asked = Asked::of("starts-and-says-nothing", &[V2025_11_25], &[]).cases(&SMALL[2..3]);
    asked.seconds = 0.5;
    match asked.run(&corpus) {
        Err(broken) if broken.detail.contains("said nothing for 0.5 s") => Ok(()),
        Err(broken) => Err(broken.detail.into()),
        Ok(_) => Err("it was started".into()),
    }
}
