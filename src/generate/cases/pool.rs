//! The tools that cases are drawn from.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::corpus::{Corpus, Input};

/// Tools in a fixed order, each with a key of its own.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    tools: Vec<(String, Arc<Value>)>,
    names: HashMap<String, usize>,
}

impl Pool {
    /// The tools of the corpus, without those of hostile suites.
    pub fn of_corpus(corpus: &Corpus) -> Self {
        let mut pool = Self::default();
        let mut seen: std::collections::HashSet<String> = std::collections::HashSet::new();
        for case in corpus
            .cases()
            .filter(|case| !case.id.starts_with("hostile/"))
        {
            let (Input::Arguments { tool, .. }
            | Input::Result { tool, .. }
            | Input::Audit { tool, .. }) = &case.input
            else {
                continue;
            };
            if let Some(tool) = tool.value().filter(|tool| seen.insert(tool.to_string())) {
                pool.add(tool.clone());
            }
        }
        pool
    }

    /// The tools of a listing: its `tools`, or itself where it is an array.
    pub fn of_listing(listing: &Value) -> Self {
        let result = listing.get("result").unwrap_or(listing);
        let tools = result.get("tools").unwrap_or(result).as_array();
        let mut pool = Self::default();
        tools
            .into_iter()
            .flatten()
            .for_each(|tool| pool.add(tool.clone()));
        pool
    }

    fn add(&mut self, tool: Value) {
        let name = tool
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or("unnamed");
        let plain = |char: char| {
            if char.is_ascii_alphanumeric() || "_.-".contains(char) {
                char
            } else {
                '-'
            }
        };
        let name: String = name.chars().take(60).map(plain).collect();
        let name = if name.is_empty() {
            "unnamed".to_owned()
        } else {
            name
        };
        let count = self.names.entry(name.clone()).or_default();
        *count += 1;
        // Several tools may share a name, over the suites or by a fault of the listing.
        let key = if *count == 1 {
            name
        } else {
            format!("{name}.{count}")
        };
        self.tools.push((key, Arc::new(tool)));
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// A tool.
    pub fn tool(&self, index: usize) -> &Value {
        &self.tools[index].1
    }

    pub(super) fn shared(&self, index: usize) -> &Arc<Value> {
        &self.tools[index].1
    }

    /// The name that ids have for it.
    pub fn key(&self, index: usize) -> &str {
        &self.tools[index].0
    }
}
