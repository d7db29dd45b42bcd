//! An output schema, ready to judge values of the tape.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::tape::{Rounding, Side};
use super::value::{Arena, Node};
use crate::schema::{Bounds, Routes, Said, Schema, Unusable, Violation};

/// What became of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// It fits.
    Fits,
    /// It does not.
    DoesNotFit,
    /// It cannot be told.
    NotJudged(Doubt),
}

/// Why a value was not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doubt {
    /// The evaluation took more steps than it was given.
    Steps,
    /// A number had to be compared that no double or 64-bit integer stands for, and the verdict
    /// depends on how it is rounded.
    Rounding,
    /// A pattern took more backtracking than it was given, and the verdict depends on it.
    Pattern,
}

/// A compiled output schema.
pub struct Judge {
    validator: Validator<Arena>,
    routes: Routes,
    divides: bool,
    backtracks: bool,
}

impl std::fmt::Debug for Judge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judge").finish_non_exhaustive()
    }
}

impl Judge {
    /// Makes `schema` ready, within the same bounds as everywhere.
    ///
    /// # Errors
    /// Why it cannot judge.
    pub fn compile(schema: &Value) -> Result<Self, Unusable> {
        let compiled = Schema::new(schema, Bounds::default());
        let mut judge = Self {
            validator: compiled.validator()?,
            routes: Routes::new(compiled.tree()),
            divides: false,
            backtracks: false,
        };
        judge.survey(schema);
        Ok(judge)
    }

    /// Looks for what makes verdicts doubtful. Data that looks like a keyword is taken for one,
    /// which at worst costs time or leaves a number undecided.
    fn survey(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                for (name, value) in members {
                    match (name.as_str(), value) {
                        ("multipleOf", _) => self.divides = true,
                        ("pattern", Value::String(pattern)) => {
                            self.backtracks |= backtracks(pattern);
                        }
                        ("patternProperties", Value::Object(patterns)) => {
                            self.backtracks |= patterns.keys().any(|pattern| backtracks(pattern));
                        }
                        _ => {}
                    }
                    self.survey(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.survey(item)),
            _ => {}
        }
    }

    /// Judges the value at `node` in at most `steps` steps: values read, members passed, and 64
    /// bytes of a string. What explodes without reading anything (doubling `$defs` over a schema
    /// that is always true) is not bounded by it, and must be refused before it is compiled.
    pub fn judge(&self, node: Node<'_>, steps: u64) -> Judgement {
        let Some((valid, rounding)) = self.evaluate(node, steps, Side::Nearest) else {
            return Judgement::NotJudged(Doubt::Steps);
        };
        let settled = match rounding {
            Rounding::None => true,
            // Being a multiple is not a matter of order: neighbours tell nothing about it.
            Rounding::Compared if self.divides => false,
            Rounding::Compared => [Side::Below, Side::Above]
                .into_iter()
                .all(|side| self.evaluate(node, steps, side) == Some((valid, rounding))),
            Rounding::Lost => false,
        };
        match (settled, valid) {
            (false, _) => Judgement::NotJudged(Doubt::Rounding),
            (true, true) => Judgement::Fits,
            (true, false) if self.backtracks => self.recheck(node, steps),
            (true, false) => Judgement::DoesNotFit,
        }
    }

    fn evaluate(&self, node: Node<'_>, steps: u64, side: Side) -> Option<(bool, Rounding)> {
        node.doc.start(steps, side);
        let valid = self.validator.is_valid(node);
        node.doc.finish().map(|rounding| (valid, rounding))
    }

    /// The engine tries both outcomes of a match that it gave up, and `is_valid` is true only if
    /// both are; whether false means that both are not, the first error tells.
    fn recheck(&self, node: Node<'_>, steps: u64) -> Judgement {
        node.doc.start(steps, Side::Nearest);
        let given_up = self.validator.validate(node).is_err_and(|error| {
            matches!(
                error.kind(),
                ValidationErrorKind::BacktrackLimitExceeded { .. }
                    | ValidationErrorKind::RegexEngineFailure { .. }
            )
        });
        match (node.doc.finish(), given_up) {
            (None, _) => Judgement::NotJudged(Doubt::Steps),
            (Some(_), true) => Judgement::NotJudged(Doubt::Pattern),
            (Some(_), false) => Judgement::DoesNotFit,
        }
    }

    /// What an error of [`Judge::errors`] says; `None` where it is that a pattern was given up.
    pub(super) fn violation(&self, error: &ValidationError<'_>) -> Option<Violation> {
        match Violation::from_error(error, &self.routes) {
            Said::Violated(violation) => Some(violation),
            Said::Unfinished => None,
        }
    }

    /// The errors of a value that does not fit, or none if they take more than `steps` steps. The
    /// engine collects them all before it shows the first, so a hundred thousand steps are plenty.
    pub fn errors<'a>(&'a self, node: Node<'a>, steps: u64) -> Vec<ValidationError<'a>> {
        node.doc.start(steps, Side::Nearest);
        let errors = self.validator.iter_errors(node);
        node.doc
            .finish()
            .map_or_else(Vec::new, |_| errors.collect())
    }
}

/// Whether matching `pattern` may need backtracking, in doubt yes: lookaround, backreferences,
/// atomic groups and possessive quantifiers. All else the engine matches in linear time.
fn backtracks(pattern: &str) -> bool {
    let mut rest = pattern.chars().peekable();
    let mut after_quantifier = false;
    while let Some(character) = rest.next() {
        let hard = match character {
            '\\' => rest.next().is_some_and(|escaped| {
                escaped.is_ascii_alphanumeric() && !"bBcdDfnpPrsStuvwWx0".contains(escaped)
            }),
            '(' => rest.next_if_eq(&'?').is_some() && rest.peek() != Some(&':'),
            '+' => after_quantifier,
            _ => false,
        };
        if hard {
            return true;
        }
        after_quantifier = matches!(character, '*' | '+' | '?' | '}');
    }
    false
}
