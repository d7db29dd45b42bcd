//! From certificates to a comparison.

use mcp_conform::certify::{Certificate, Comparison, Known, Smoke, Verdict};
use mcp_conform::corpus::Level;
use serde_json::json;

use crate::sample::{ENUM, FITS, HEADER, ID, SILENT, certificate, faithful, loose, timid};

/// Bytes enough for any of them.
const MOST: u64 = 1 << 20;

#[test]
fn a_certificate_is_read_as_it_was_written() {
    for certificate in [faithful(), loose(), timid()] {
        let written = serde_json::to_value(&certificate).expect("it can be written");
        let text = written.to_string();
        let read = Certificate::read(text.as_bytes(), MOST).expect("it can be read");
        assert_eq!(serde_json::to_value(&read).expect("again"), written);
    }
}

#[test]
fn a_certificate_of_a_later_version_can_be_read_and_a_strange_word_cannot() {
    let mut written = serde_json::to_value(loose()).expect("it can be written");
    written["signature"] = json!("…");
    written["cases"][0]["weight"] = json!(3);
    assert!(Certificate::read(written.to_string().as_bytes(), MOST).is_ok());
    for (pointer, word, said) in [
        ("/cases/0/verdict", json!("superb"), "superb"),
        ("/cases/0/level", json!("may"), "a level"),
        ("/cases/0/outcome/millis", json!(-1), "negative"),
        ("/levels/0/core", json!("yes"), "boolean"),
        ("/counts/pass", json!(-1), "-1"),
        ("/cases/0/id", json!(null), "string"),
    ] {
        let mut written = written.clone();
        *written.pointer_mut(pointer).expect("a member") = word;
        let fault = Certificate::read(written.to_string().as_bytes(), MOST).expect_err(pointer);
        assert!(
            fault.starts_with("is not a certificate") && fault.contains(said),
            "{pointer}: {fault}"
        );
    }
}

#[test]
fn every_case_on_every_version_is_counted_once() {
    let certificates = [faithful(), loose(), timid()];
    let comparison = Comparison::new(&certificates);
    let counts = comparison.counts;
    assert_eq!(counts.total(), certificates[0].cases.len());
    let listed = |list: &[mcp_conform::certify::Compared]| {
        let versions = list.iter().map(|one| one.versions.len());
        versions.sum::<usize>()
    };
    assert_eq!(counts.diverged, listed(&comparison.divergences));
    assert_eq!(counts.silent, listed(&comparison.silent));
    assert_eq!(counts.skipped, 0);
    let ids = |list: &[mcp_conform::certify::Compared]| {
        let ids = list.iter().map(|one| one.asked.id.clone());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids(&comparison.divergences), [ID, ENUM], "musts come first");
    // 2025-06-18 says nothing about an `$id`.
    assert_eq!(ids(&comparison.silent), [SILENT, ID]);
    for agreed in [FITS, HEADER] {
        assert!(!ids(&comparison.divergences).contains(&agreed.to_owned()));
    }
}

#[test]
fn who_diverged_how() {
    let certificates = [faithful(), loose(), timid()];
    let comparison = Comparison::new(&certificates);
    let verdicts = |id: &str| {
        let found = comparison.divergences.iter().find(|one| one.asked.id == id);
        let found = found.expect("it is listed");
        let cells = found.cells.iter().map(|cell| cell.map(|case| case.verdict));
        (found.versions.clone(), cells.collect::<Vec<_>>())
    };
    assert_eq!(
        verdicts(ID),
        (
            vec!["2025-11-25", "2026-07-28"],
            vec![
                Some(Verdict::Pass),
                Some(Verdict::Fail),
                Some(Verdict::WrongReason)
            ]
        )
    );
    assert_eq!(
        verdicts(ENUM),
        (
            vec!["2026-07-28"],
            vec![
                Some(Verdict::Pass),
                Some(Verdict::NonStrict),
                Some(Verdict::Errored)
            ]
        )
    );
    let silent = &comparison.silent[0];
    assert!(silent.differs(), "one rejects what the others accept");
    assert_eq!(silent.asked.level, Level::Informational);
}

#[test]
fn versions_that_came_to_different_things_stand_apart() {
    let mut certificates = [faithful(), loose()];
    let cases = certificates[1].cases.iter_mut();
    let newest = |case: &&mut mcp_conform::certify::CertificateCase| {
        case.id == ID && case.protocol_version == "2026-07-28"
    };
    let known = Known {
        reason: "an old library".to_owned(),
        issue: None,
    };
    cases.into_iter().find(newest).expect("the case").known = Some(known);
    let comparison = Comparison::new(&certificates);
    let versions: Vec<_> = comparison
        .divergences
        .iter()
        .filter(|one| one.asked.id == ID)
        .map(|one| one.versions.clone())
        .collect();
    assert_eq!(versions, [vec!["2025-11-25"], vec!["2026-07-28"]]);
}

#[test]
fn a_case_that_nobody_does_is_counted_apart() {
    let certificates = [timid()];
    let comparison = Comparison::new(&certificates);
    assert_eq!(comparison.counts.skipped, 3, "{HEADER} on three versions");
}

#[test]
fn names_are_told_apart_by_as_much_as_that_takes() {
    let of = |name, version, config| certificate(name, version, config, |_, outcome| outcome);
    let labels = |certificates: &[Certificate]| {
        let comparison = Comparison::new(certificates);
        let columns = comparison.implementations.iter();
        columns
            .map(|column| column.label.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        labels(&[
            of("sdk", "1.0", None),
            of("sdk", "2.0", Some("http")),
            of("sdk", "2.0", Some("stdio")),
            of("other", "2.0", Some("stdio")),
        ]),
        ["sdk 1.0", "sdk 2.0 (http)", "sdk 2.0 (stdio)", "other"]
    );
    let mut later = of("sdk", "1.0", None);
    later.date = String::from("2026-12-24");
    assert_eq!(
        labels(&[of("sdk", "1.0", None), later.clone(), later]),
        [
            "sdk 1.0 2026-11-30",
            "sdk 1.0 2026-12-24 #2",
            "sdk 1.0 2026-12-24 #3"
        ]
    );
}

#[test]
fn what_weighs_on_the_figures_is_said_first() {
    let certificates = [faithful(), loose()];
    assert_eq!(
        Comparison::new(&certificates).notices(),
        Vec::<String>::new()
    );
    let [mut one, mut other] = certificates;
    one.complete = false;
    one.smoke = Some(Smoke::AcceptsAll);
    other.suite.sha256 = "0".repeat(64);
    other.selection = json!({"gates": ["result"]});
    let certificates = [one, other];
    let comparison = Comparison::new(&certificates);
    assert!(!comparison.is_of_one_suite());
    let notices = comparison.notices();
    for (notice, said) in notices.iter().zip([
        "different suites: faithful of 0.1.0 (5ea15ea15ea1), loose of 0.1.0 (000000000000)",
        "faithful: the run was interrupted; the certificate is partial and claims nothing",
        "faithful accepts everything",
        "loose was asked a selection alone: {\"gates\":[\"result\"]}",
    ]) {
        assert!(notice.contains(said), "{notice}");
    }
    assert_eq!(notices.len(), 4);
}

#[test]
fn a_case_that_one_suite_lacks_is_compared_among_the_others() {
    let [one, mut other] = [loose(), faithful()];
    other.suite.sha256 = "0".repeat(64);
    other.cases.retain(|case| case.id != ENUM);
    let certificates = [one, other];
    let comparison = Comparison::new(&certificates);
    let list = &comparison.divergences;
    let one = list
        .iter()
        .find(|one| one.asked.id == ENUM)
        .expect("listed");
    assert!(one.cells[0].is_some() && one.cells[1].is_none());
}
