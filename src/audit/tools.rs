//! The tools that a log's calls are judged by.

use std::collections::HashMap;

use memchr::{memchr, memmem};
use rayon::prelude::*;

use super::judge::Judge;
use super::rule::Rule;
use crate::document::{Document, Subjects};
use crate::gate::Rejection;

/// The tools of a listing by name, each with its output schema made ready.
#[derive(Debug)]
pub struct Tools {
    names: HashMap<Box<str>, u32>,
    list: Vec<(Box<str>, Output)>,
    key: memmem::Finder<'static>,
}

/// The output schema of a tool.
#[derive(Debug)]
pub(super) enum Output {
    /// None is declared.
    Absent,
    /// One is declared that cannot judge, by this rule.
    Unusable(Rule),
    /// One is declared that can.
    Ready(Box<Judge>),
}

impl Tools {
    /// The tools that `document` offers, all pages of its listing together. Of tools with the
    /// same name the first counts.
    pub fn of(document: &Document) -> Self {
        let subjects = Subjects::of(document, None);
        let mut names = HashMap::new();
        let mut first = Vec::new();
        for tool in &subjects.tools {
            if let Some(name) = tool.name()
                && let Ok(index) = u32::try_from(first.len())
                && !names.contains_key(name)
            {
                names.insert(Box::from(name), index);
                first.push((name, tool.output.as_ref().map(|at| at.value)));
            }
        }
        let ready = |(name, schema): (&str, Option<&serde_json::Value>)| {
            let output = schema.map_or(Output::Absent, |schema| match Judge::compile(schema) {
                // A boolean is a schema, and no outputSchema.
                Ok(_) if !schema.is_object() => {
                    Output::Unusable(Rule::named("mcp.tool.shape").unwrap_or(Rule::SCHEMA))
                }
                Ok(judge) => Output::Ready(Box::new(judge)),
                Err(why) => {
                    let rejection = Rejection::unusable(&why);
                    let rule = rejection
                        .violations
                        .first()
                        .and_then(|v| Rule::named(v.rule));
                    Output::Unusable(rule.unwrap_or(Rule::SCHEMA))
                }
            });
            (Box::from(name), output)
        };
        Self {
            names,
            list: first.into_par_iter().map(ready).collect(),
            key: memmem::Finder::new("\"tool\""),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Their names, in the order of the listing.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(name, _)| &**name)
    }

    /// The index of the tool called `name`.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// The name of the tool at `index`.
    pub(super) fn name(&self, index: u32) -> &str {
        self.list.get(index as usize).map_or("", |(name, _)| name)
    }

    /// The output schema of the tool at `index`.
    pub(super) fn output(&self, index: u32) -> &Output {
        self.list
            .get(index as usize)
            .map_or(&Output::Absent, |(_, output)| output)
    }

    /// Which tool a line that is not parsed yet seems to name. This only decides which lines are
    /// judged one after the other; where it errs, it costs time.
    pub fn hint(&self, line: &[u8]) -> u32 {
        let name = || {
            let after = &line[self.key.find(line)? + b"\"tool\"".len()..];
            let start = after
                .iter()
                .position(|byte| !matches!(byte, b' ' | b'\t' | b':'))?;
            let name = after[start..].strip_prefix(b"\"")?;
            std::str::from_utf8(&name[..memchr(b'"', name)?]).ok()
        };
        name().and_then(|name| self.find(name)).unwrap_or(u32::MAX)
    }
}
