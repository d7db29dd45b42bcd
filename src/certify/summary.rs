//! From a run to its certificate.

use std::borrow::Cow;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::baseline::Baseline;
use super::certificate::{Certificate, CertificateCase, Counts, Row, Smoke, Suite, Tally, Tool};
use super::outcome::Answer;
use super::plan::Selection;
use super::run::{Judged, Run};
use super::verdict::Verdict;
use crate::corpus::{Expected, GateName, Identity, Level};
use crate::protocol::VersionSet;
use crate::source::cut;

/// The most characters of a delivered value that are repeated.
const MOST_DELIVERED: usize = 4_096;

impl Certificate {
    /// The certificate of `run`. `rerun` is what a command line ends with to ask the same
    /// implementation again: empty, or ` -- COMMAND`.
    pub fn new(
        run: &Run<'_>,
        identity: &Identity,
        selection: &Selection,
        baseline: &Baseline,
        rerun: &str,
    ) -> Self {
        let about = &run.about;
        let mut counts = Counts::default();
        for judged in &run.judged {
            counts.0[judged.verdict as usize] += 1;
        }
        Self {
            implementation: Tool {
                name: about.name.clone(),
                version: about.version.clone(),
                language: Some(about.language.clone()),
                homepage: about.homepage.clone(),
                config: about.config.clone(),
            },
            suite: Suite {
                version: identity.version.clone(),
                sha256: identity.sha256.clone(),
            },
            tool: Tool {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                ..Tool::default()
            },
            date: today(),
            complete: run.complete,
            selection: selected(selection),
            smoke: Smoke::of(&run.judged),
            levels: rows(run),
            counts,
            cases: run
                .judged
                .iter()
                .map(|judged| case(judged, baseline, rerun))
                .collect(),
            stderr: run.stderr.clone(),
            restarts: run.restarts,
        }
    }
}

impl Smoke {
    /// Whether all answers are alike where they should not be.
    fn of(judged: &[Judged<'_>]) -> Option<Self> {
        let answers = |answer| judged.iter().any(|judged| judged.outcome.answer == answer);
        let expects = |answer| {
            let mut answered = judged
                .iter()
                .filter(|judged| matches!(judged.outcome.answer, Answer::Accept | Answer::Reject));
            answered.any(|judged| judged.asked.expected.answer == answer)
        };
        if !(expects(Expected::Accept) && expects(Expected::Reject)) {
            return None;
        }
        match (answers(Answer::Accept), answers(Answer::Reject)) {
            (true, false) => Some(Self::AcceptsAll),
            (false, true) => Some(Self::RejectsAll),
            _ => None,
        }
    }
}

fn selected(selection: &Selection) -> Value {
    if selection.is_all() {
        return Value::Null;
    }
    let mut selected = serde_json::Map::new();
    let mut say = |name: &str, value: Value| selected.insert(name.to_owned(), value);
    if let Some(versions) = selection.versions {
        say("protocolVersions", json!(versions.names()));
    }
    for (name, list) in [
        ("gates", &selection.gates),
        ("rules", &selection.rules),
        ("cases", &selection.cases),
    ] {
        if !list.is_empty() {
            say(name, json!(list));
        }
    }
    if let Some(level) = selection.level {
        say("level", json!(level.as_str()));
    }
    if let Some((cases, seed)) = selection.generated {
        say("generated", json!({"cases": cases, "seed": seed}));
    }
    Value::Object(selected)
}

fn rows(run: &Run<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for version in VersionSet::ALL.iter() {
        for gate in GateName::ALL {
            let here = || {
                let all = run.judged.iter();
                all.filter(|judged| {
                    judged.asked.version == version && judged.asked.case.gate == gate
                })
            };
            if here().next().is_none() {
                continue;
            }
            let tally = |level| {
                let mut tally = Tally::default();
                for judged in here().filter(|judged| judged.asked.expected.level == level) {
                    tally.total += 1;
                    tally.judged += usize::from(judged.verdict != Verdict::Skipped);
                    tally.passed += usize::from(judged.verdict == Verdict::Pass);
                }
                tally
            };
            let (must, should) = (tally(Level::Must), tally(Level::Should));
            // Of what nobody was asked, nothing is said to hold.
            let core = run.complete && must.judged + should.judged > 0 && must.is_whole();
            rows.push(Row {
                protocol_version: version.to_string(),
                gate: gate.to_string(),
                core,
                strict: core && should.is_whole(),
                must,
                should,
            });
        }
    }
    rows
}

impl Tally {
    fn is_whole(self) -> bool {
        self.passed == self.total
    }
}

fn case(judged: &Judged<'_>, baseline: &Baseline, rerun: &str) -> CertificateCase {
    let asked = &judged.asked;
    let (case, expected) = (asked.case, asked.expected);
    let rules = match expected.answer {
        Expected::Reject => &expected.because,
        Expected::Accept => &case.guards,
    };
    let failed = judged.verdict.is_failure();
    CertificateCase {
        id: case.id.clone(),
        gate: case.gate.to_string(),
        protocol_version: asked.version.to_string(),
        level: expected.level,
        expected: expected.answer,
        verdict: judged.verdict,
        outcome: super::Outcome {
            delivered: judged
                .outcome
                .delivered
                .as_ref()
                .map(|text| cut(text, MOST_DELIVERED).into_owned()),
            ..judged.outcome.clone()
        },
        rule: rules.first().map(|rule| Cow::Borrowed(*rule)),
        rules: rules.iter().map(|rule| Cow::Borrowed(*rule)).collect(),
        source: case.source.clone(),
        description: case.description.clone(),
        note: case.note.clone(),
        why: judged.why.clone(),
        expected_reason: expected.reasons(),
        expected_keyword: expected.keyword.clone(),
        expected_at: expected.at.clone(),
        expected_branch: expected.branch,
        expected_usable: expected.usable.clone(),
        sent: judged.sent.clone(),
        shrunk: None,
        rerun: failed.then(|| {
            let (id, version) = (&case.id, asked.version);
            format!("mcp-conform certify --case {id} --protocol {version}{rerun}")
        }),
        known: baseline.covers(judged).filter(|_| failed),
    }
}

/// Today's date in UTC.
fn today() -> String {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The date of a day since 1970: years start in March, so that the leap day comes last.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + next)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (19_782, "2024-02-29"),
            (19_783, "2024-03-01"),
            (20_662, "2026-07-28"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
