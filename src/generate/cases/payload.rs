//! Payloads in cases, and what is expected of them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::reject;
use crate::corpus::{Case, Expectation, Input, Level, Text};
use crate::generate::{Mutant, Sample};

/// A schema of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// That of arguments.
    Input,
    /// That of structured content.
    Output,
}

impl Side {
    /// The tool's member.
    pub const fn member(self) -> &'static str {
        match self {
            Self::Input => "inputSchema",
            Self::Output => "outputSchema",
        }
    }
}

/// A payload in a case that is about it alone.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// The payload.
    pub value: Value,
    /// The schema that judges it.
    pub side: Side,
    /// Whether it fits.
    pub fits: bool,
    /// The keyword that it is about: the one that it violates, or `format`, which nothing violates.
    pub keyword: Option<String>,
}

pub(super) const FORMAT: &str = "fits: `format` is an annotation";

impl Embedded {
    /// The case with another payload in its place: what it says of keyword and place goes, since
    /// another payload may violate another.
    pub fn with(&self, case: &Case, value: &Value) -> Case {
        let mut case = case.clone();
        let structured = |text: &Text| {
            let mut result = text.value()?.clone();
            result["structuredContent"] = value.clone();
            // A text that repeats the payload goes on doing so.
            let own = self.value.to_string();
            let repeated = result.pointer_mut("/content/0/text");
            if let Some(repeated) = repeated.filter(|text| text.as_str() == Some(own.as_str())) {
                *repeated = json!(value.to_string());
            }
            Some(Text::Value(Arc::new(result)))
        };
        match &mut case.input {
            Input::Arguments { arguments, .. } => *arguments = Text::Value(Arc::new(value.clone())),
            Input::Result { result, .. } => *result = structured(result).unwrap_or(result.clone()),
            Input::Audit { body, .. } => *body = structured(body).unwrap_or(body.clone()),
            _ => {}
        }
        for expectation in case.expect.iter_mut().flatten() {
            (expectation.keyword, expectation.at) = (None, None);
        }
        case
    }
}

/// A rejection with keyword and place, where there is but one right answer.
pub(super) fn reject_by(mutant: &Mutant, level: Level, because: Vec<&'static str>) -> Expectation {
    let only = mutant.sole && because.len() == 1;
    Expectation {
        keyword: only.then(|| mutant.keyword.clone()),
        // Of `items: false` some name the array and some the element.
        at: (only && mutant.keyword != "items").then(|| mutant.at.to_string()),
        ..reject(level, because)
    }
}

pub(super) fn described(mutant: &Mutant) -> String {
    format!(
        "{} violates `{}` at {:?}",
        mutant.kind,
        mutant.keyword,
        mutant.at.as_str()
    )
}

pub(super) fn embedded(sample: &Sample, side: Side) -> Embedded {
    Embedded {
        value: sample.value().clone(),
        side,
        fits: true,
        keyword: None,
    }
}

pub(super) fn damaged(mutant: &Mutant, side: Side) -> Embedded {
    Embedded {
        value: mutant.value.clone(),
        side,
        fits: false,
        keyword: Some(mutant.keyword.clone()),
    }
}

pub(super) fn annotated(value: &Value, side: Side) -> Embedded {
    Embedded {
        value: value.clone(),
        side,
        fits: true,
        keyword: Some("format".to_owned()),
    }
}
