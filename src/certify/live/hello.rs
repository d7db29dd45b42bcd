//! The first sessions of a run: which client it is, and which versions it speaks.

use std::time::Duration;

use super::client::Live;
use super::driver::{Broke, Driver};
use super::judge::in_line;
use super::line::Client;
use super::stage::{Past, Stage, own_side};
use crate::certify::outcome::Outcome;
use crate::certify::{About, NotStarted, Plan};
use crate::corpus::GateName;
use crate::protocol::{ProtocolVersion, VersionSet};

/// What the first sessions have shown.
pub(super) struct Hello {
    /// The client.
    pub(super) about: About,
    /// For versions on which no case can be asked, what comes instead.
    instead: Vec<(ProtocolVersion, Outcome)>,
}

impl Hello {
    /// What comes instead of asking, on a version on which nothing can be asked.
    pub(super) fn instead(&self, version: ProtocolVersion) -> Option<&Outcome> {
        let found = self.instead.iter().find(|(known, _)| *known == version);
        found.map(|(_, outcome)| outcome)
    }
}

/// How far a session with the control tool alone has come.
enum Came {
    /// The control tool was called.
    Through,
    /// Not as far as asking for a listing: the client does not speak the version.
    Nowhere(String),
    /// Somewhere between.
    Halfway(String),
}

/// Holds one session with the control tool alone on each version of `plan`.
///
/// # Errors
/// Where the client gets through none of them.
pub(super) fn greet(
    plan: &Plan<'_>,
    live: &Live,
    stage: &Stage,
    driver: &mut Driver,
    deadline: Duration,
) -> Result<Hello, NotStarted> {
    let mut versions: Vec<_> = plan
        .units
        .iter()
        .flatten()
        .map(|asked| asked.version)
        .collect();
    versions.sort();
    versions.dedup();
    let mut speaks = VersionSet::default();
    let mut client = None;
    let mut instead = Vec::new();
    let mut first = None;
    for version in versions {
        let past = stage.hold(version, &[], driver, deadline);
        let past = past.map_err(|error| own_side(&error))?;
        if let Some(Broke::NotStarted(detail)) = &past.heard.broke {
            return Err(NotStarted {
                detail: detail.clone(),
                stderr: driver.finish(),
            });
        }
        let end = past.heard.end.as_ref();
        client = client.or_else(|| end.and_then(|end| end.client.clone()));
        let outcome = match came(&past) {
            Came::Through => {
                speaks = speaks.union(version.into());
                continue;
            }
            Came::Nowhere(why) => {
                Outcome::skip(format!("the client does not speak {version}: {why}"))
            }
            Came::Halfway(why) => Outcome::error(format!(
                "on {version} not even the control tool can be called: {why}"
            )),
        };
        let detail = || outcome.detail.clone().unwrap_or_default();
        first.get_or_insert_with(detail);
        instead.push((version, outcome));
    }
    if speaks.is_empty() {
        return Err(NotStarted {
            detail: format!("no session comes about: {}", first.unwrap_or_default()),
            stderr: driver.finish(),
        });
    }
    Ok(Hello {
        about: about(live, client, speaks),
        instead,
    })
}

fn came(past: &Past) -> Came {
    if past.held().is_listed() && past.heard.broke.is_none() {
        return Came::Through;
    }
    let said = past.heard.end.as_ref().and_then(|end| end.error.as_deref());
    let why = match (said, &past.heard.broke) {
        (Some(error), _) => in_line(error),
        (None, Some(Broke::Late(what) | Broke::Ended(what) | Broke::Garbage(what))) => what.clone(),
        _ => "its session ended without a call".to_owned(),
    };
    let asked = past.events.iter().any(|event| event.method == "tools/list");
    if asked {
        Came::Halfway(why)
    } else {
        Came::Nowhere(why)
    }
}

fn about(live: &Live, client: Option<Client>, versions: VersionSet) -> About {
    let program = std::path::Path::new(&live.driver.program);
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    let client = client.unwrap_or_else(|| Client {
        name: program.into_owned(),
        version: "unknown".to_owned(),
        language: "unknown".to_owned(),
    });
    let gates = [
        GateName::Definition,
        GateName::Listing,
        GateName::Arguments,
        GateName::Result,
        GateName::Wire,
    ];
    About {
        name: client.name,
        version: client.version,
        language: client.language,
        homepage: None,
        config: Some(live.config()),
        gates: gates.to_vec(),
        versions,
        dialects: None,
    }
}
