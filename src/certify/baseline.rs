//! What an implementation is known to get wrong: a file of explained exceptions, so that a run
//! fails for what is new, and for what has been mended and is still excused.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::run::Judged;
use super::verdict::Verdict;
use crate::protocol::ProtocolVersion;

/// One known divergence.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The case.
    pub id: String,
    /// What it comes to.
    pub verdict: String,
    /// On which versions; every version on which the case comes to that, where none is named.
    #[serde(default)]
    pub versions: Vec<String>,
    /// Why that is so.
    pub reason: String,
    /// Where it is being worked on.
    #[serde(default)]
    pub issue: Option<String>,
}

/// What a certificate says of a known divergence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// Why that is so.
    pub reason: String,
    /// Where it is being worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
}

/// The known divergences of an implementation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The entries, in the order of the file.
    pub entries: Vec<Entry>,
}

impl Baseline {
    /// Reads a baseline; `known` says whether a case exists.
    ///
    /// # Errors
    /// The first thing that is wrong with it, as a clause.
    pub fn read(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let entries: Option<Vec<Entry>> = serde_saphyr::from_str(text).map_err(|error| {
            format!("no list of entries, each with `id`, `verdict` and `reason`: {error}")
        })?;
        let entries = entries.unwrap_or_default();
        for (index, entry) in entries.iter().enumerate() {
            let id = &entry.id;
            if !known(id) {
                return Err(format!("no case has the id {id}"));
            }
            if !Verdict::named(&entry.verdict).is_some_and(Verdict::is_failure) {
                return Err(format!(
                    "{id}: {:?} is no verdict that needs an excuse",
                    entry.verdict
                ));
            }
            if let Some(date) = entry
                .versions
                .iter()
                .find(|d| d.parse::<ProtocolVersion>().is_err())
            {
                return Err(format!("{id}: no protocol version is named {date:?}"));
            }
            if entry.reason.trim().is_empty() {
                return Err(format!("{id}: the entry needs a reason"));
            }
            let same = |other: &&Entry| other.id == *id && other.overlaps(entry);
            if entries[..index].iter().any(|other| same(&other)) {
                return Err(format!("{id}: two entries speak of the same version"));
            }
        }
        Ok(Self { entries })
    }

    /// The entry that excuses `judged`.
    pub fn covers(&self, judged: &Judged<'_>) -> Option<Known> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.speaks_of(judged) && entry.says(judged))?;
        Some(Known {
            reason: entry.reason.clone(),
            issue: entry.issue.clone(),
        })
    }

    /// The entries that excuse what no longer is so, with what is so instead.
    pub fn stale(&self, judged: &[Judged<'_>]) -> Vec<(&Entry, Verdict)> {
        let mut by_id: BTreeMap<&str, Vec<&Judged<'_>>> = BTreeMap::new();
        for judged in judged
            .iter()
            .filter(|judged| judged.verdict != Verdict::Skipped)
        {
            by_id.entry(&judged.asked.case.id).or_default().push(judged);
        }
        let stale = self.entries.iter().filter_map(|entry| {
            let of = by_id.get(entry.id.as_str()).map_or(&[][..], Vec::as_slice);
            let of: Vec<_> = of.iter().filter(|judged| entry.speaks_of(judged)).collect();
            let other = of.iter().find(|judged| !entry.says(judged))?;
            let holds = of.iter().any(|judged| entry.says(judged));
            (!holds || !entry.versions.is_empty()).then_some((entry, other.verdict))
        });
        stale.collect()
    }

    /// The baseline that excuses everything in `judged`; what an `earlier` one explains stays
    /// explained.
    pub fn of(judged: &[Judged<'_>], earlier: &Self) -> Self {
        let mut groups: Vec<(&str, Verdict, Vec<&Judged<'_>>)> = Vec::new();
        for judged in judged.iter().filter(|judged| judged.verdict.is_failure()) {
            let id = judged.asked.case.id.as_str();
            match groups
                .iter_mut()
                .find(|(known, verdict, _)| *known == id && *verdict == judged.verdict)
            {
                Some((.., group)) => group.push(judged),
                None => groups.push((id, judged.verdict, vec![judged])),
            }
        }
        let entries = groups.into_iter().map(|(id, verdict, group)| {
            let everywhere = judged
                .iter()
                .filter(|judged| judged.asked.case.id == id)
                .all(|judged| judged.verdict == verdict);
            let versions = group.iter().map(|judged| judged.asked.version.to_string());
            let known = group.iter().find_map(|judged| earlier.covers(judged));
            let why = group[0].why.clone().unwrap_or_else(|| verdict.to_string());
            Entry {
                id: id.to_owned(),
                verdict: verdict.to_string(),
                versions: if everywhere {
                    Vec::new()
                } else {
                    versions.collect()
                },
                issue: known.as_ref().and_then(|known| known.issue.clone()),
                reason: known.map_or(why, |known| known.reason),
            }
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// The baseline as YAML.
    pub fn to_yaml(&self) -> String {
        let mut out = String::from(
            "# What this implementation is known to get wrong. Each entry says why; an entry that no\n\
             # longer holds fails the run.\n",
        );
        // Writing to a string cannot fail. A JSON string is a YAML string too.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        if self.entries.is_empty() {
            out.push_str("[]\n");
        }
        for entry in &self.entries {
            let _ = writeln!(
                out,
                "- id: {}\n  verdict: {}",
                quoted(&entry.id),
                entry.verdict
            );
            if !entry.versions.is_empty() {
                let versions: Vec<_> = entry.versions.iter().map(|date| quoted(date)).collect();
                let _ = writeln!(out, "  versions: [{}]", versions.join(", "));
            }
            let _ = writeln!(out, "  reason: {}", quoted(&entry.reason));
            if let Some(issue) = &entry.issue {
                let _ = writeln!(out, "  issue: {}", quoted(issue));
            }
        }
        out
    }
}

impl Entry {
    fn speaks_of(&self, judged: &Judged<'_>) -> bool {
        let version = judged.asked.version.as_str();
        self.id == judged.asked.case.id
            && (self.versions.is_empty() || self.versions.iter().any(|date| date == version))
    }

    fn says(&self, judged: &Judged<'_>) -> bool {
        self.verdict == judged.verdict.as_str()
    }

    /// Whether the two could both speak of one judgement.
    fn overlaps(&self, other: &Self) -> bool {
        let shared = || {
            self.versions
                .iter()
                .any(|date| other.versions.contains(date))
        };
        if self.versions.is_empty() || other.versions.is_empty() {
            self.verdict == other.verdict
        } else {
            shared()
        }
    }
}
