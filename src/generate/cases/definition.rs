//! Definitions: a tool that is in order, and the same with a fault whose weight the catalogue
//! tells.

use std::sync::Arc;

use super::{Cases, Generated, accept, reject};
use crate::corpus::{GateName, Input, Level, Text};
use crate::diagnostic::Severity;
use crate::generate::definition;
use crate::generate::rng::Rng;
use crate::protocol::ProtocolVersion::{self, V2025_06_18, V2026_07_28};
use crate::rules::{GateEffect, find};

impl Cases<'_> {
    pub(super) fn definition(
        &mut self,
        tool: usize,
        version: ProtocolVersion,
        pair: u64,
        rng: &mut Rng,
    ) -> Option<[Generated; 2]> {
        // Every other pair is a tool that nobody listed, and so is one that lacks what is damaged.
        let pooled = self.pool.tool(tool);
        let has_members = |side: &str| pooled[side]["properties"].is_object();
        let is_full = has_members("inputSchema")
            && (pooled.get("outputSchema").is_none() || has_members("outputSchema"));
        let is_pooled = rng.chance(50) && is_full && self.is_usable(tool, version);
        let good = if is_pooled {
            pooled.clone()
        } else {
            definition::tool(rng)
        };
        let invented = good["name"].as_str().unwrap_or_default().to_owned();
        let mut bad = good.clone();
        let id = definition::damage(&mut bad, rng);
        let rule = find(id)?;
        let rejects = match rule.gate {
            Some(GateEffect::Reject) => rule.severity(version).is_some(),
            _ => rule.severity(version) == Some(Severity::Error),
        };
        // 2025-06-18 names no dialect and no version before 2026-07-28 forbids to fetch: there the
        // specification is silent.
        let silent = match id {
            "mcp.tool.schema.valid" | "mcp.tool.schema.dialect" => version == V2025_06_18,
            "mcp.tool.schema.ref-external" => version < V2026_07_28,
            _ => false,
        };
        if silent {
            return None;
        }
        let level = if id == "mcp.tool.schema.ref-external" {
            Level::Should
        } else {
            Level::Must
        };
        let expectation = if rejects {
            reject(level, vec![rule.id])
        } else {
            accept()
        };
        let gate = GateName::Definition;
        let make = |number, tool_value, expectation, description: String| {
            let key = if is_pooled {
                self.pool.key(tool)
            } else {
                &invented
            };
            let blank = self.blank_of(gate, key, tool, number);
            let input = Input::Definition {
                tool: Text::Value(Arc::new(tool_value)),
            };
            let case = blank.case(gate, input, version, expectation, description);
            Generated {
                case,
                version,
                tool,
                payload: None,
            }
        };
        let first = make(pair * 2, good, accept(), "in order".to_owned());
        let fault = format!(
            "{}, which {version} {}",
            rule.id,
            if rejects { "refuses" } else { "lets pass" }
        );
        Some([first, make(pair * 2 + 1, bad, expectation, fault)])
    }
}
