//! What is asked of each kind of client.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use mcp_conform::certify::live::{Live, ReplyForm, certify};
use mcp_conform::certify::{Bounds, Command, NotStarted, Options, Plan, Run, Selection, Verdict};
use mcp_conform::corpus::{Corpus, Level, Transport};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};

type Check = fn() -> Result<(), Failed>;

pub fn all() -> Vec<Trial> {
    let trials: [(&str, Check); 12] = [
        (
            "a_client_that_checks_everything_is_strict_on_every_version",
            careful,
        ),
        ("the_same_holds_over_http_and_its_streams", careful_http),
        ("a_client_that_checks_nothing_is_told_each_case", careless),
        (
            "a_client_that_loses_its_listing_is_told_which_definition_cost_it",
            fragile,
        ),
        ("a_client_that_alters_numbers_is_told_which", rounding),
        (
            "a_tool_that_is_dropped_is_no_judgement_of_its_result",
            drops,
        ),
        ("headers_are_seen_over_http_alone", headers),
        (
            "one_process_for_each_session_says_the_same",
            one_process_each,
        ),
        ("a_driver_that_breaks_costs_one_case", breaks),
        (
            "a_driver_that_leaves_something_behind_costs_nothing",
            leaves,
        ),
        ("a_driver_that_says_nothing_is_not_started", silent),
        ("a_version_that_nobody_speaks_is_skipped", skipped),
    ];
    let trials = trials.into_iter();
    trials
        .map(|(name, check)| Trial::test(name, check))
        .collect()
}

struct Asked<'a> {
    mode: &'a str,
    on_stdin: bool,
    transport: Transport,
    reply: ReplyForm,
    selection: Selection,
    seconds: f64,
}

impl<'a> Asked<'a> {
    fn of(mode: &'a str, versions: &[ProtocolVersion], gates: &[&str]) -> Self {
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

    fn cases(mut self, ids: &[&str]) -> Self {
        self.selection.cases = ids.iter().map(|id| (*id).to_owned()).collect();
        self
    }

    fn run<'c>(&self, corpus: &'c Corpus) -> Result<Run<'c>, NotStarted> {
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
fn verdicts(run: &Run<'_>) -> BTreeMap<String, Verdict> {
    let judged = run.judged.iter();
    judged
        .map(|judged| (judged.asked.case.id.clone(), judged.verdict))
        .collect()
}

/// The cases of `run` that are not as `wanted` says, with why.
fn others(run: &Run<'_>, wanted: impl Fn(&str, Verdict) -> bool) -> Result<(), Failed> {
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

fn expect(run: &Run<'_>, wanted: &[(&str, Verdict)]) -> Result<(), Failed> {
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

fn fine(_: &str, verdict: Verdict) -> bool {
    !verdict.is_failure()
}

fn careful() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let gates = ["definition", "listing", "arguments", "result", "wire"];
    let run = Asked::of("careful", &[V2026_07_28], &gates).run(&corpus)?;
    others(&run, fine)?;
    let run =
        Asked::of("careful", &[V2025_06_18, V2025_11_25], &["listing", "wire"]).run(&corpus)?;
    others(&run, fine)
}

fn careful_http() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    for (reply, gates) in [(ReplyForm::Json, ["result"]), (ReplyForm::Sse, ["listing"])] {
        let mut asked = Asked::of("careful", &[V2025_11_25], &gates);
        (asked.transport, asked.reply) = (Transport::Http, reply);
        others(&asked.run(&corpus)?, fine)?;
    }
    Ok(())
}

fn careless() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let mut asked = Asked::of("careless", &[V2026_07_28], &["result", "arguments", "wire"]);
    asked.selection.level = Some(Level::Should);
    let run = asked.run(&corpus)?;
    expect(
        &run,
        &[
            ("result/search-tickets#structured_ok", Verdict::Pass),
            (
                "result/search-tickets#structured_bad_enum",
                Verdict::NonStrict,
            ),
            ("wire/pages#second_page_called", Verdict::Pass),
            ("wire/pages#first_page_fits", Verdict::Pass),
            ("wire/pages#first_page_does_not_fit", Verdict::NonStrict),
            ("wire/pages#second_page_does_not_fit", Verdict::NonStrict),
            ("wire/shared-id#second_tool_fits", Verdict::Pass),
            (
                "wire/shared-id#second_tool_does_not_fit",
                Verdict::NonStrict,
            ),
            ("wire/tool-error#with_other_value", Verdict::Pass),
            ("wire/no-fetch#ref", Verdict::Pass),
            ("wire/poisoned-listing#malformed_id", Verdict::Pass),
        ],
    )?;
    // Whatever is to be rejected for its value came through, and was told.
    for judged in &run.judged {
        let expected = judged.asked.expected;
        let by_schema = expected.because == ["mcp.result.structured-content.schema"];
        if by_schema && !judged.verdict.is_failure() {
            return Err(format!("{} passes", judged.asked.case.id).into());
        }
    }
    Ok(())
}

fn fragile() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let run = Asked::of(
        "fragile",
        &[V2025_11_25],
        &["definition", "listing", "wire"],
    )
    .run(&corpus)?;
    expect(
        &run,
        &[
            ("wire/poisoned-listing#sound_neighbours", Verdict::Pass),
            ("wire/poisoned-listing#malformed_id", Verdict::NonStrict),
            (
                "wire/poisoned-listing#unresolved_reference",
                Verdict::NonStrict,
            ),
            ("wire/poisoned-listing#draft_07", Verdict::Pass),
            ("listing/one-bad-tool#three_good_tools", Verdict::Pass),
            (
                "listing/one-bad-tool#unresolved_reference_in_the_middle",
                Verdict::NonStrict,
            ),
        ],
    )?;
    // The listing is lost with a bad definition, and only then: shared sessions blame nobody else.
    others(&run, |id, verdict| {
        !id.starts_with("definition/") || fine(id, verdict)
    })
}

fn rounding() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let run = Asked::of("rounding", &[V2026_07_28], &[])
        .cases(&[
            "wire/numbers#small",
            "wire/numbers#above_2_53",
            "result/large-numbers#const_exact",
            "result/large-numbers#within_maximum",
        ])
        .run(&corpus)?;
    expect(
        &run,
        &[
            ("wire/numbers#small", Verdict::Pass),
            ("wire/numbers#above_2_53", Verdict::Informational),
            ("result/large-numbers#const_exact", Verdict::NonStrict),
            ("result/large-numbers#within_maximum", Verdict::Pass),
        ],
    )?;
    let why = |id: &str| {
        let judged = run.judged.iter().find(|judged| judged.asked.case.id == id);
        judged
            .and_then(|judged| judged.why.clone())
            .unwrap_or_default()
    };
    for id in [
        "wire/numbers#above_2_53",
        "result/large-numbers#const_exact",
    ] {
        let why = why(id);
        if !(why.contains("changed on the way") || why.contains("not the structured content")) {
            return Err(format!("{id}: {why}").into());
        }
    }
    Ok(())
}

fn drops() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let run = Asked::of("drops", &[V2026_07_28], &[])
        .cases(&[
            "wire/pages#first_page_called",
            "wire/pages#first_page_does_not_fit",
        ])
        .run(&corpus)?;
    expect(
        &run,
        &[
            ("wire/pages#first_page_called", Verdict::Fail),
            ("wire/pages#first_page_does_not_fit", Verdict::Errored),
        ],
    )
}

fn headers() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let ids = [
        "wire/headers#text",
        "wire/headers#integer",
        "wire/headers#nested",
        "wire/headers#argument_absent",
        "wire/headers#text_beyond_ascii",
        "wire/requests#two_pages",
    ];
    let mut asked = Asked::of("careful", &[V2026_07_28], &[]).cases(&ids);
    let over_stdio = asked.run(&corpus)?;
    others(&over_stdio, |id, verdict| {
        (verdict == Verdict::Skipped) == id.starts_with("wire/headers")
    })?;
    asked.transport = Transport::Http;
    let over_http = asked.run(&corpus)?;
    others(&over_http, |id, verdict| {
        (verdict == Verdict::Pass) == (id != "wire/headers#text_beyond_ascii")
    })?;
    expect(
        &over_http,
        &[("wire/headers#text_beyond_ascii", Verdict::Fail)],
    )
}

fn one_process_each() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let mut asked = Asked::of("careless", &[V2025_11_25], &["wire"]);
    let many = asked.run(&corpus)?;
    asked.on_stdin = false;
    let each = asked.run(&corpus)?;
    if verdicts(&many) == verdicts(&each) {
        Ok(())
    } else {
        Err("they differ".into())
    }
}

/// The cases of a small run, all of which a careless client passes.
const SMALL: [&str; 9] = [
    "result/search-tickets#structured_ok",
    "result/get-report#fits",
    "wire/pages#first_page_called",
    "wire/pages#second_page_called",
    "wire/pages#last_page_called",
    "wire/numbers#small",
    "wire/numbers#fraction",
    "wire/tool-error#text_alone",
    "wire/shared-id#both_called",
];

fn breaks() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let known: Vec<_> = SMALL
        .into_iter()
        .filter(|id| corpus.case(id).is_some())
        .collect();
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
        let mut asked = Asked::of(mode, &[V2026_07_28], &[]).cases(&known);
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

fn leaves() -> Result<(), Failed> {
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

fn silent() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let mut asked = Asked::of("starts-and-says-nothing", &[V2025_11_25], &[]).cases(&SMALL[2..3]);
    asked.seconds = 0.5;
    match asked.run(&corpus) {
        Err(broken) if broken.detail.contains("said nothing for 0.5 s") => Ok(()),
        Err(broken) => Err(broken.detail.into()),
        Ok(_) => Err("it was started".into()),
    }
}

fn skipped() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let run = Asked::of("old", &[V2025_11_25, V2026_07_28], &["wire"])
        .cases(&["wire/pages#first_page_called"])
        .run(&corpus)?;
    let verdict = |version| {
        let judged = run
            .judged
            .iter()
            .find(|judged| judged.asked.version == version);
        judged.map(|judged| judged.verdict)
    };
    let spoken = run.about.versions;
    let holds = verdict(V2025_11_25) == Some(Verdict::Pass)
        && verdict(V2026_07_28) == Some(Verdict::Skipped)
        && spoken.contains(V2025_11_25)
        && !spoken.contains(V2026_07_28);
    if holds {
        Ok(())
    } else {
        Err(format!("{spoken:?}").into())
    }
}
