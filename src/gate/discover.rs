//! From a listing, or one tool, to the gates before and after its calls.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::Gate;
use super::definition::{Definition, ToolGate};
use super::rejection::Rejection;
use super::toolbox::Toolbox;
use crate::document::{At, Listing, Subjects, Tool};
use crate::protocol::VersionSet;
use crate::rules::{Surface, ToolView, findings};
use crate::source::Pointer;

impl Gate {
    /// Judges a `tools/list` result, all pages merged. One bad tool never costs the others.
    ///
    /// # Errors
    /// Where the listing as such cannot be used: `tools` is missing or no array.
    pub fn discover(&self, listing: &Value) -> Result<Toolbox, Rejection> {
        self.discover_in(&Arc::new(listing.clone()))
    }

    /// As [`Gate::discover`], of a listing that is shared with its tools.
    pub(crate) fn discover_in(&self, listing: &Arc<Value>) -> Result<Toolbox, Rejection> {
        if !listing.is_object() {
            return Err(Rejection::by("mcp.list.shape", "the listing is no object"));
        }
        let root = At::new(listing, Pointer::root());
        let versions = VersionSet::from(self.version);
        let mut subjects = Subjects {
            versions,
            ..Subjects::default()
        };
        if let Some(tools) = root.get("tools") {
            subjects.tools = tools.elements().map(|at| Tool::new(at, versions)).collect();
        }
        subjects.listings.push(Listing {
            at: root,
            versions,
            full: false,
            tools: (0..subjects.tools.len()).collect(),
            earlier: Vec::new(),
        });
        let bounds = self.settings.bounds;
        let views = subjects.tools.iter();
        let views: Vec<_> = views
            .map(|tool| ToolView::new(tool, bounds).within_bounds())
            .collect();
        let context = self.context(&subjects, &views, &[]);
        let shape = findings(&context, Surface::Listing, &self.settings);
        if let Some(rejection) = Rejection::from_findings(&shape, &Pointer::root()) {
            return Err(rejection);
        }
        let tools: Vec<_> = views
            .chunks(1)
            .enumerate()
            .map(|(index, view)| {
                let context = self.context(&subjects, view, &[]);
                let found = findings(&context, Surface::Tool, &self.settings);
                let definition = Definition {
                    root: listing.clone(),
                    index: Some(index),
                };
                ToolGate::new(&view[0], &found, definition)
            })
            .collect();
        let mut by_name = HashMap::new();
        for (index, tool) in tools.iter().enumerate() {
            if let Some(name) = tool.name() {
                let known = by_name.entry(name.to_owned()).or_insert(index);
                if tools[*known].usable().is_err() && tool.usable().is_ok() {
                    *known = index;
                }
            }
        }
        Ok(Toolbox {
            gate: self.clone(),
            tools,
            by_name,
        })
    }

    /// Judges one tool's definition.
    pub fn definition(&self, tool: &Value) -> ToolGate {
        self.definition_of(&Arc::new(tool.clone()))
    }

    /// As [`Gate::definition`], of a tool that is shared.
    pub(crate) fn definition_of(&self, tool: &Arc<Value>) -> ToolGate {
        let subjects = self.subjects(tool);
        let view = ToolView::new(&subjects.tools[0], self.settings.bounds).within_bounds();
        let views = [view];
        let context = self.context(&subjects, &views, &[]);
        let found = findings(&context, Surface::Tool, &self.settings);
        let definition = Definition {
            root: tool.clone(),
            index: None,
        };
        ToolGate::new(&views[0], &found, definition)
    }
}
