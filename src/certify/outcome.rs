//! What came back from an implementation.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::names::millis;
use crate::gate::{Branch, RejectionReason};

/// How a question ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The input passes.
    Accept,
    /// It does not.
    Reject,
    /// The implementation does not do this.
    Skip,
    /// The implementation says that it failed, or said nothing that can be read.
    #[default]
    Error,
    /// Nothing came in time.
    Timeout,
    /// The process ended, or closed its output, before it answered.
    Crash,
}

impl Answer {
    /// Every answer. Of the two that a certificate calls `none`, the first stands for both where it
    /// is read: the verdict tells them apart.
    pub const ALL: [Self; 6] = [
        Self::Accept,
        Self::Reject,
        Self::Skip,
        Self::Error,
        Self::Timeout,
        Self::Crash,
    ];

    /// The answer as a certificate has it; `none` where nothing came.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Skip => "skip",
            Self::Error => "error",
            Self::Timeout | Self::Crash => "none",
        }
    }
}

/// An answer with what it says beside yes and no. Only what is given is compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Why the input was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<RejectionReason>,
    /// The value that was rejected, as a JSON Pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The keyword that rejected it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// The branch of an audited call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<Branch>,
    /// The tools of a listing that stay usable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usable: Option<Vec<String>>,
    /// The value that was handed on, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered: Option<String>,
    /// Why there is no answer, as a clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Where a skip is being worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// How long it took.
    #[serde(rename = "millis", with = "millis")]
    pub elapsed: Duration,
}

impl Outcome {
    /// The input passes.
    pub fn accept() -> Self {
        Self::of(Answer::Accept)
    }

    /// The input does not pass, for `reason`.
    pub fn reject(reason: RejectionReason) -> Self {
        Self {
            reason: Some(reason),
            ..Self::of(Answer::Reject)
        }
    }

    /// The implementation does not do this.
    pub fn skip(why: impl Into<String>) -> Self {
        Self::of(Answer::Skip).because(why)
    }

    /// The implementation failed, or broke the protocol.
    pub fn error(what: impl Into<String>) -> Self {
        Self::of(Answer::Error).because(what)
    }

    pub(super) fn of(answer: Answer) -> Self {
        Self {
            answer,
            ..Self::default()
        }
    }

    pub(super) fn because(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}
