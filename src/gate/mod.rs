//! What a client runs at run time, at the boundary between server and model.
//!
//! [`Gate::discover`] reads a listing and says of each tool whether it can be used; the
//! [`Toolbox`] that it returns judges arguments before a call and the result after it. A
//! [`Contract`] judges what agents hand to one another, and what a model answers. Each stands on
//! the rules of the suite and adds no check of its own; what cannot be judged is rejected.

mod audit;
mod contract;
mod definition;
mod discover;
mod rejection;
mod toolbox;

pub(crate) use audit::inner;
pub use audit::{Audited, Branch, Due, Readable, Recorded, branch, due};
pub use contract::Contract;
pub use definition::{Side, ToolGate};
pub use rejection::{Rejection, RejectionReason, Violated};
pub use toolbox::{Delivery, Toolbox};

use crate::protocol::ProtocolVersion;
use crate::rules::Settings;
use crate::schema::Bounds;
use crate::source::{Fault, Limits, Parsed, parse_json};

/// The checks of one session: a protocol version, and bounds.
#[derive(Clone, Debug)]
pub struct Gate {
    version: ProtocolVersion,
    settings: Settings,
}

impl Gate {
    /// A gate for a session of `version`, with the default bounds.
    pub fn new(version: ProtocolVersion) -> Self {
        Self {
            version,
            settings: Settings::default(),
        }
    }

    /// The same within other bounds on schemas; [`Bounds::steps`] is the budget of one judgement.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.settings.bounds = bounds;
        self
    }

    /// The same within other bounds on texts.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// The version of the session.
    pub fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// Reads a text within the gate's bounds.
    ///
    /// # Errors
    /// A rejection by `json.syntax` or `json.bounds`.
    pub fn parse(&self, text: &str) -> Result<Parsed, Rejection> {
        if text.len() > self.settings.limits.bytes {
            let limit = self.settings.limits.bytes;
            return Err(Rejection::of_text(&Fault {
                kind: crate::source::FaultKind::Bounds,
                span: 0..0,
                message: format!("the text is longer than {limit} bytes"),
            }));
        }
        parse_json(text, &self.settings.limits).map_err(|fault| Rejection::of_text(&fault))
    }
}
