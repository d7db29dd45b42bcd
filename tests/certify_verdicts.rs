//! How answers are weighed, excused and reported.

#[path = "support/certify.rs"]
mod certifying;
mod support;

use std::time::Duration;

use certifying::{assert_fits, corpus, run, schema};
use mcp_conform::certify::{
    About, Baseline, Builtin, Certificate, Implementation, Outcome, Plan, Request, Selection,
    Verdict, judge,
};
use mcp_conform::corpus::{Expectation, Expected, GateName, Level};
use mcp_conform::gate::{Branch, RejectionReason};
use mcp_conform::protocol::ProtocolVersion;
use mcp_conform::report::{CertificateFormat, write_certificate};
use serde_json::{Value, json};

#[test]
fn outcomes_are_weighed_as_the_design_says() {
    let corpus = corpus();
    let case = corpus
        .case("result/search-tickets#structured_bad_enum")
        .expect("a case of old");
    let version = ProtocolVersion::V2026_07_28;
    let request = Request::new(case, version, 1, Duration::from_secs(5));
    let expected = case.on(version).expect("it is judged there");
    let with = |level: Level| Expectation {
        level,
        ..expected.clone()
    };
    let verdict = |expected: &Expectation, outcome: Outcome| judge(&request, expected, &outcome).0;
    let reject = || Outcome::reject(RejectionReason::StructuredMismatch);
    assert_eq!(
        verdict(&with(Level::Must), Outcome::accept()),
        Verdict::Fail
    );
    assert_eq!(
        verdict(&with(Level::Should), Outcome::accept()),
        Verdict::NonStrict
    );
    assert_eq!(
        verdict(&with(Level::Informational), Outcome::accept()),
        Verdict::Informational
    );
    assert_eq!(verdict(expected, reject()), Verdict::Pass);
    let bare = Outcome {
        reason: None,
        ..reject()
    };
    assert_eq!(verdict(expected, bare), Verdict::Pass);
    assert_eq!(
        verdict(expected, Outcome::reject(RejectionReason::ShapeInvalid)),
        Verdict::WrongReason
    );
    let other_keyword = Outcome {
        keyword: Some("type".into()),
        ..reject()
    };
    assert_eq!(verdict(expected, other_keyword), Verdict::WrongReason);
    let other_place = Outcome {
        at: Some("/1/status".into()),
        ..reject()
    };
    assert_eq!(verdict(expected, other_place), Verdict::WrongReason);
    assert_eq!(
        verdict(expected, Outcome::skip("not yet")),
        Verdict::Skipped
    );
    assert_eq!(verdict(expected, Outcome::error("no")), Verdict::Errored);
    let accepting = Expectation {
        answer: Expected::Accept,
        because: Vec::new(),
        ..with(Level::Should)
    };
    let delivered = Outcome {
        delivered: Some("[]".into()),
        ..Outcome::accept()
    };
    assert_eq!(verdict(&accepting, delivered), Verdict::NonStrict);
}

/// Whoever declines to judge what may hang it has done well; elsewhere that is no reason.
#[test]
fn declining_to_judge_is_a_right_reason_in_hostile_suites_alone() {
    let corpus = corpus();
    let version = ProtocolVersion::V2026_07_28;
    let verdict = |id: &str, reason| {
        let case = corpus.case(id).expect("a case of old");
        let request = Request::new(case, version, 1, Duration::from_secs(5));
        let expected = case.on(version).expect("it is judged there");
        judge(&request, expected, &Outcome::reject(reason)).0
    };
    let (tame, hostile) = (
        "result/search-tickets#structured_bad_enum",
        "hostile/patterns#nested_plus_just_misses",
    );
    for reason in [
        RejectionReason::LimitExceeded,
        RejectionReason::SchemaInvalid,
        RejectionReason::Other,
    ] {
        assert_eq!(verdict(hostile, reason), Verdict::Pass, "{reason:?}");
        assert_eq!(verdict(tame, reason), Verdict::WrongReason, "{reason:?}");
    }
    let mismatch = RejectionReason::StructuredMismatch;
    assert_eq!(verdict(hostile, mismatch), Verdict::Pass);
    let missing = RejectionReason::StructuredMissing;
    assert_eq!(verdict(hostile, missing), Verdict::WrongReason);
    // A case that is to be accepted has no reasons at all.
    let accepted = corpus.case("hostile/patterns#nested_plus_matches");
    let accepted = accepted.and_then(|case| case.on(version)).expect("a case");
    assert!(accepted.reasons().is_empty());
}

#[test]
fn audits_and_listings_say_more_than_yes_or_no() {
    let corpus = corpus();
    let judged = |id: &str, outcome: Outcome| {
        let case = corpus.case(id).expect("a case of old");
        let version = ProtocolVersion::V2026_07_28;
        let request = Request::new(case, version, 1, Duration::from_secs(5));
        judge(
            &request,
            case.on(version).expect("it is judged there"),
            &outcome,
        )
        .0
    };
    let branch = |branch| Outcome {
        branch: Some(branch),
        ..Outcome::accept()
    };
    let audit = "audit/records#complete_2026";
    assert_eq!(judged(audit, branch(Branch::ValidateRoot)), Verdict::Pass);
    assert_eq!(judged(audit, branch(Branch::LegacyWrapper)), Verdict::Fail);
    assert_eq!(judged(audit, Outcome::accept()), Verdict::Errored);
    let listing = corpus
        .cases()
        .find(|case| {
            let usable = case
                .on(ProtocolVersion::V2026_07_28)
                .and_then(|e| e.usable.as_ref());
            case.gate == GateName::Listing && usable.is_some_and(|names| names.len() > 1)
        })
        .expect("a listing with several tools");
    let expected = listing
        .on(ProtocolVersion::V2026_07_28)
        .expect("it is judged there");
    let names = expected.usable.clone().unwrap_or_default();
    let usable = |names: &[String]| Outcome {
        usable: Some(names.to_vec()),
        ..Outcome::accept()
    };
    let reversed: Vec<_> = names.iter().rev().cloned().collect();
    assert_eq!(judged(&listing.id, usable(&reversed)), Verdict::Pass);
    assert!(judged(&listing.id, usable(&names[1..])).is_failure());
    assert_eq!(judged(&listing.id, Outcome::accept()), Verdict::Errored);
}

/// Our gates, but for one mistake: nothing is ever too long or too few.
fn careless() -> Careless {
    Careless(Builtin::default())
}

struct Careless(Builtin);

impl Implementation for Careless {
    fn about(&self) -> &About {
        self.0.about()
    }

    fn run(&mut self, request: &Request) -> Outcome {
        let outcome = self.0.run(request);
        match outcome.keyword.as_deref() {
            Some("maxLength" | "minLength") => Outcome::accept(),
            _ => outcome,
        }
    }
}

#[test]
fn a_baseline_excuses_what_it_names_and_nothing_else() {
    let corpus = corpus();
    let selection = Selection {
        rules: vec!["mcp.call.arguments.schema".into()],
        ..Selection::default()
    };
    let plan = Plan::new(&corpus, &selection);
    let careless = run(&plan, &careless);
    let fails = |baseline: &Baseline| {
        Certificate::new(&careless, &corpus.identity, &selection, baseline, "")
            .failures()
            .count()
    };
    let none = Baseline::default();
    assert!(fails(&none) > 0);
    let known = |id: &str| corpus.case(id).is_some();
    let written = Baseline::of(&careless.judged, &none);
    let read = Baseline::read(&written.to_yaml(), &known).expect("what is written can be read");
    assert_eq!(read, written);
    assert_eq!(fails(&read), 0);
    assert!(read.stale(&careless.judged).is_empty());
    // Mended, and still excused.
    let mended = run(&plan, &Builtin::default);
    assert_eq!(read.stale(&mended.judged).len(), read.entries.len());
    // An explanation outlives being written anew.
    let mut explained = read.clone();
    explained.entries[0].reason = "length is counted in bytes".to_owned();
    assert_eq!(Baseline::of(&careless.judged, &explained), explained);
    let entry = &read.entries[0];
    for (text, fault) in [
        (
            "- {id: result/none#none, verdict: fail, reason: r}".to_owned(),
            "no case has the id",
        ),
        (
            format!("- {{id: '{}', verdict: pass, reason: r}}", entry.id),
            "no verdict that needs",
        ),
        (
            format!("- {{id: '{}', verdict: fail, reason: ' '}}", entry.id),
            "needs a reason",
        ),
        (
            format!(
                "- {{id: '{}', verdict: fail, reason: r, versions: ['1']}}",
                entry.id
            ),
            "no protocol version",
        ),
        (
            format!(
                "- {{id: '{0}', verdict: fail, reason: r}}\n- {{id: '{0}', verdict: fail, reason: r}}",
                entry.id
            ),
            "two entries",
        ),
        (format!("- {{id: '{}', verdict: fail}}", entry.id), "reason"),
        (
            format!("- {{id: '{}', verdict: fail, reason: r, why: w}}", entry.id),
            "why",
        ),
    ] {
        let error = Baseline::read(&text, &known).expect_err(&text);
        assert!(error.contains(fault), "{error}");
    }
    assert_eq!(
        Baseline::read("# nothing is known\n", &known),
        Ok(Baseline::default())
    );
}

#[test]
fn every_format_names_the_divergences() {
    let corpus = corpus();
    let selection = Selection {
        rules: vec!["mcp.call.arguments.schema".into()],
        ..Selection::default()
    };
    let plan = Plan::new(&corpus, &selection);
    let run = run(&plan, &careless);
    let certificate = Certificate::new(
        &run,
        &corpus.identity,
        &selection,
        &Baseline::default(),
        " -- ./adapter",
    );
    let failed = certificate.failures().next().expect("something failed");
    let json = serde_json::to_value(&certificate).expect("it can be written");
    assert_fits(&schema("docs/schemas/certificate.schema.json"), &json);
    for format in [
        CertificateFormat::Text,
        CertificateFormat::Json,
        CertificateFormat::Junit,
        CertificateFormat::Markdown,
    ] {
        let mut out = Vec::new();
        write_certificate(&certificate, format, &mut out).expect("it can be written");
        let text = String::from_utf8(out).expect("it is text");
        assert!(text.contains(&failed.id), "{format:?}");
        let rerun = format!("mcp-conform certify --case {} --protocol", failed.id);
        assert!(text.contains(&rerun), "{format:?}");
        assert!(text.contains("is to be rejected"), "{format:?}");
    }
    let mut out = Vec::new();
    write_certificate(&certificate, CertificateFormat::Badge, &mut out).expect("it can be written");
    let badge: Value = serde_json::from_slice(&out).expect("a badge is JSON");
    assert_eq!(badge["schemaVersion"], json!(1));
    assert_ne!(badge["message"], json!("strict"));
}
