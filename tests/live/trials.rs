//! What is asked of each kind of client.

use std::process::Command;

use libtest_mimic::{Failed, Trial};
use mcp_conform::certify::Verdict;
use mcp_conform::certify::live::ReplyForm;
use mcp_conform::corpus::{Corpus, Level, Transport};
use mcp_conform::protocol::ProtocolVersion::{V2025_06_18, V2025_11_25, V2026_07_28};
use serde_json::Value;

use crate::asked::{Asked, expect, fine, others, verdicts};
use crate::broken;

type Check = fn() -> Result<(), Failed>;

pub fn all() -> Vec<Trial> {
    let trials: [(&str, Check); 17] = [
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
        ("a_driver_that_breaks_costs_one_case", broken::breaks),
        (
            "a_driver_that_gives_a_session_up_goes_on_with_the_next",
            broken::gives_up,
        ),
        (
            "a_driver_that_leaves_something_behind_costs_nothing",
            broken::leaves,
        ),
        ("a_driver_that_says_nothing_is_not_started", broken::silent),
        ("an_answer_that_never_comes_ends_in_time", broken::answers),
        ("a_client_that_stops_reading_ends_in_time", broken::deaf),
        (
            "the_transports_differ_only_where_one_has_headers",
            transports,
        ),
        ("a_version_that_nobody_speaks_is_skipped", skipped),
        (
            "a_generated_divergence_is_made_small_with_the_client",
            small,
        ),
    ];
    let trials = trials.into_iter();
    trials
        .map(|(name, check)| Trial::test(name, check))
        .collect()
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

/// The same client over both: a case differs only where headers are the point of it.
fn transports() -> Result<(), Failed> {
    let corpus = Corpus::embedded()?;
    let gates = ["definition", "listing", "arguments", "result", "wire"];
    let mut asked = Asked::of("careless", &[V2026_07_28], &gates);
    let over_stdio = asked.run(&corpus)?;
    asked.transport = Transport::Http;
    let over_http = asked.run(&corpus)?;
    let mut headers = 0;
    for (stdio, http) in over_stdio.judged.iter().zip(&over_http.judged) {
        let id = &stdio.asked.case.id;
        assert_eq!(id, &http.asked.case.id, "both in the order of the corpus");
        let why = stdio.outcome.detail.as_deref().unwrap_or_default();
        if stdio.verdict == Verdict::Skipped && http.verdict != Verdict::Skipped {
            if !why.contains("x-mcp-header") && !why.contains("only over http") {
                return Err(format!("{id} is skipped over stdio: {why}").into());
            }
            headers += 1;
        } else if (stdio.verdict, stdio.outcome.answer) != (http.verdict, http.outcome.answer) {
            let told = http.why.as_deref().or(http.outcome.detail.as_deref());
            return Err(format!(
                "{id}: {} {why} over stdio, {} {} over HTTP",
                stdio.verdict,
                http.verdict,
                told.unwrap_or_default()
            )
            .into());
        }
    }
    if headers == 0 {
        return Err("no case is about headers".into());
    }
    Ok(())
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

/// What the report offers was tried with the client: it takes the small payload as it took the first.
fn small() -> Result<(), Failed> {
    let driver = std::env::current_exe()?;
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-conform"))
        .args("certify --live --sessions-on-stdin --generate 24 --gate result".split(' '))
        .args("--protocol 2026-07-28 --format json --".split(' '))
        .arg(driver)
        .args(["--driver", "careless"])
        .output()?;
    let certificate: Value = serde_json::from_slice(&output.stdout)?;
    let cases = certificate["cases"].as_array().ok_or("no cases")?;
    let small = cases.iter().filter(|case| case["shrunk"].is_object());
    let mut seen = 0;
    for case in small {
        let shrunk = &case["shrunk"];
        let sent = shrunk["sent"]["result"].as_str().ok_or("no result")?;
        let result: Value = serde_json::from_str(sent)?;
        assert_eq!(result["structuredContent"], shrunk["payload"]);
        assert_eq!(shrunk["sent"]["op"], "session");
        let before: Value = serde_json::from_str(case["sent"]["result"].as_str().ok_or("none")?)?;
        let before = before["structuredContent"].to_string();
        let after = shrunk["payload"].to_string();
        assert!(after.len() <= before.len());
        seen += usize::from(after.len() < before.len() && shrunk["tries"].as_u64() > Some(0));
    }
    if seen == 0 {
        return Err("nothing was made smaller".into());
    }
    Ok(())
}
