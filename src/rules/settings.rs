//! What a user sets: which rules, how severe, within which bounds, on which versions.

use std::collections::HashMap;

use super::catalogue::{Profile, Rule};
use crate::diagnostic::Severity;
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::schema::Bounds;
use crate::source::Limits;

/// What a user makes of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Override {
    /// It does not look.
    Off,
    /// Its findings have this severity, wherever it applies.
    As(Severity),
}

/// How documents are judged.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The versions to judge on, whatever a document says.
    pub protocol: Option<VersionSet>,
    /// Bounds on text.
    pub limits: Limits,
    /// Bounds on schemas.
    pub bounds: Bounds,
    /// What becomes of single rules, by id.
    pub overrides: HashMap<String, Override>,
    /// The profiles that are on.
    pub profiles: Vec<Profile>,
}

impl Settings {
    /// How much a finding of `rule` weighs on `version`; `None` where the rule does not look.
    pub fn severity(&self, rule: &Rule, version: ProtocolVersion) -> Option<Severity> {
        let own = rule.severity(version)?;
        match self.overrides.get(rule.id) {
            Some(Override::Off) => None,
            Some(Override::As(severity)) => Some(*severity),
            None if rule.profile.is_some_and(|it| !self.profiles.contains(&it)) => None,
            None => Some(own),
        }
    }

    /// Whether the user has set the severity of `rule`.
    pub(super) fn is_set(&self, rule: &Rule) -> bool {
        matches!(self.overrides.get(rule.id), Some(Override::As(_)))
    }
}
