//! An output schema, ready to judge values of the tape.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use super::tape::{Rounding, Side};
use super::value::{Arena, Node};

/// What became of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgement {
    Fits,
    DoesNotFit,
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

/// One way in which a value does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub keyword: String,
    /// JSON Pointer to the value at fault.
    pub instance: String,
    /// JSON Pointer to the keyword that it violates.
    pub schema: String,
}

/// A compiled output schema.
pub struct Judge {
    validator: Validator<Arena>,
    divides: bool,
    backtracks: bool,
}

impl Judge {
    /// How often a pattern may step back before it counts as not decided.
    const BACKTRACKS: usize = 100_000;

    /// Compiles `schema`; nothing is ever fetched, and `format` is an annotation.
    pub fn compile(schema: &Value) -> Result<Self, ValidationError<'static>> {
        let patterns = PatternOptions::fancy_regex().backtrack_limit(Self::BACKTRACKS);
        let validator = jsonschema::options_for::<Arena>()
            .offline()
            .should_validate_formats(false)
            .with_pattern_options(patterns)
            .build(schema)?;
        Ok(Self::new(validator, schema))
    }

    /// Takes `validator`, which was built from `schema` elsewhere.
    pub fn new(validator: Validator<Arena>, schema: &Value) -> Self {
        let mut contract = Judge { validator, divides: false, backtracks: false };
        contract.survey(schema);
        contract
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
                            self.backtracks |= backtracks(pattern)
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

    /// The errors of a value that does not fit, or none if they take more than `steps` steps. The
    /// engine collects them all before it shows the first, so a hundred thousand steps are plenty.
    pub fn errors<'a>(&'a self, node: Node<'a>, steps: u64) -> Vec<ValidationError<'a>> {
        node.doc.start(steps, Side::Nearest);
        let errors = self.validator.iter_errors(node);
        node.doc.finish().map_or_else(Vec::new, |_| errors.collect())
    }

    /// The first `limit` violations of a value that does not fit; see [`errors`](Self::errors).
    pub fn violations(&self, node: Node<'_>, steps: u64, limit: usize) -> Vec<Violation> {
        let errors = self.errors(node, steps).into_iter().take(limit);
        errors
            .map(|error| Violation {
                keyword: error.kind().keyword().to_owned(),
                instance: error.instance_path().as_str().to_owned(),
                schema: error.schema_path().as_str().to_owned(),
            })
            .collect()
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
