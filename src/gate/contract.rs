//! Contracts: named, versioned schemas for what agents hand to one another, for the checkpoints of
//! a flow, and for what a model answers.

use std::sync::Arc;

use serde_json::Value;

use super::Gate;
use super::rejection::Rejection;
use super::toolbox::judge;
use crate::schema::{Compiled, Instance, Schema};
use crate::source::{Parsed, Pointer};

/// The rule that a value under a contract is held to; a contract speaks of structured content.
const RULE: &str = "mcp.result.structured-content.schema";

/// A named, versioned schema.
#[derive(Clone, Debug)]
pub struct Contract {
    name: String,
    version: String,
    compiled: Arc<Compiled>,
}

impl Gate {
    /// A contract from its schema. Handoffs, checkpoints and model output are contracts of their
    /// own: no tool's schema judges them, and they judge no tool's result.
    ///
    /// # Errors
    /// Why the schema cannot judge.
    pub fn contract(
        &self,
        name: impl Into<String>,
        version: impl Into<String>,
        schema: &Value,
    ) -> Result<Contract, Rejection> {
        let schema = Schema::new(schema, self.settings.bounds);
        let compiled = schema.compiled().map_err(|why| Rejection::unusable(&why))?;
        Ok(Contract {
            name: name.into(),
            version: version.into(),
            compiled,
        })
    }
}

impl Contract {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Judges a value.
    ///
    /// # Errors
    /// Why it does not fit.
    pub fn judge(&self, value: &Value) -> Result<(), Rejection> {
        judge(&self.compiled, Instance::plain(value), RULE)
    }

    /// Judges a value that was read from a text, whose numbers may not be what they seem.
    ///
    /// # Errors
    /// Why it does not fit.
    pub fn judge_parsed(&self, value: &Parsed) -> Result<(), Rejection> {
        let root = Pointer::root();
        let instance = Instance {
            value: &value.value,
            base: &root,
            rounded: &value.rounded,
        };
        judge(&self.compiled, instance, RULE)
    }
}
