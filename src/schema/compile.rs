//! Schemas made ready to judge instances, offline and within bounds.

use jsonschema::json::Json;
use jsonschema::{
    Draft, Keyword, PatternOptions, Registry, Retrieve, ValidationError, ValidationOptions,
    Validator, ValidatorMap,
};
use referencing::SPECIFICATIONS;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock, OnceLock};

use super::dialect::Dialect;
use super::meter::Meter;
use super::place::Routes;
use super::reading::{Metered, Reading};
use super::tree::{Node, Tree};
use super::violation::{Reason, Said, Violation};
use crate::source::{Pointer, RoundedNumber};

/// Steps that a regular expression with lookaround may go back; beyond, it is not judged.
const BACKTRACK_LIMIT: usize = 50_000;
/// Violations that are listed of one instance.
const MOST_VIOLATIONS: usize = 32;
/// Errors that the engine may build while it lists violations, and reads it may make for them.
const MOST_REPORTS: u64 = 4_000;
const EXPLAIN_STEPS: u64 = 5_000_000;

/// Why an instance is neither found to fit nor found not to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unjudged {
    /// Judging takes more steps than the bound allows.
    Budget,
    /// A number was compared that a double has rounded.
    Rounded,
    /// A regular expression ran out of its own budget.
    Pattern,
}

impl Unjudged {
    /// The reason as a clause.
    pub fn clause(self) -> &'static str {
        match self {
            Self::Budget => "judging it takes more steps than the bound allows",
            Self::Rounded => "it holds a number that a double would round",
            Self::Pattern => "a regular expression ran out of its budget",
        }
    }
}

/// What a schema says of an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// The instance is valid.
    Fits,
    /// The instance is invalid, for these reasons: at least one, and not more than can be read.
    DoesNotFit(Vec<Violation>),
    /// It cannot be told.
    NotJudged(Unjudged),
}

/// A value to judge, and what its text said of its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// The value.
    pub value: &'a Value,
    /// Where it stands in the document that `rounded` speaks of.
    pub base: &'a Pointer,
    /// Numbers of that document that a double would change.
    pub rounded: &'a [RoundedNumber],
}

impl<'a> Instance<'a> {
    /// An instance whose numbers are all what they seem.
    pub fn plain(value: &'a Value) -> Self {
        static ROOT: Pointer = Pointer::root();
        Self {
            value,
            base: &ROOT,
            rounded: &[],
        }
    }
}

impl Instance<'_> {
    /// These violations but for those of a number by a comparison that would round it, where they
    /// stand beside others.
    fn certain(&self, mut violations: Vec<Violation>) -> Vec<Violation> {
        const COMPARED: &[&str] = &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "const",
            "enum",
        ];
        let rounds = |violation: &Violation| {
            COMPARED.contains(&violation.keyword.as_str())
                && self.rounded.iter().any(|number| {
                    let below = number.pointer.below(self.base);
                    !number.exact && below == Some(violation.instance.as_str())
                })
        };
        if !violations.iter().all(rounds) {
            violations.retain(|violation| !rounds(violation));
        }
        violations
    }
}

/// A schema that the engine has built.
#[derive(Debug)]
pub struct Compiled {
    validator: Validator<Metered>,
    steps: u64,
    routes: Routes,
}

pub(super) fn draft(dialect: Dialect) -> Draft {
    match dialect {
        Dialect::Draft4 => Draft::Draft4,
        Dialect::Draft6 => Draft::Draft6,
        Dialect::Draft7 => Draft::Draft7,
        Dialect::Draft201909 => Draft::Draft201909,
        Dialect::Draft202012 => Draft::Draft202012,
    }
}

/// How the engine is told to build a schema for instances in the representation `J`.
pub(super) type Options<J = Metered> = ValidationOptions<'static, Arc<dyn Retrieve>, J>;

/// The engine's options for every schema: offline, `format` not asserted, regular expressions
/// bounded. Building checks the meta-schema first.
pub(super) fn options<J: Json>(dialect: Dialect) -> Options<J> {
    common().with_draft(draft(dialect))
}

/// The same for a schema that refers to a meta-schema: left to itself the engine has only that of
/// the schema's own dialect at hand.
pub(super) fn with_meta_schemas<J: Json>(options: Options<J>) -> Options<J> {
    match &*META_SCHEMAS {
        Some(registry) => options.with_registry(registry),
        None => options,
    }
}

/// The same with `keyword` as a member that says nothing.
pub(super) fn ignoring<J: Json>(options: Options<J>, keyword: &str) -> Options<J> {
    options.with_keyword(keyword, |_, _, _| Ok(Box::new(Ignored)))
}

/// A keyword that holds for every instance.
struct Ignored;

impl<'i, J: Json> Keyword<'i, J> for Ignored {
    fn validate(&self, _: J::Node<'i>) -> Result<(), ValidationError<'i>> {
        Ok(())
    }

    fn is_valid(&self, _: J::Node<'i>) -> bool {
        true
    }
}

/// The meta-schemas of every dialect, under their URI with either scheme.
static META_SCHEMAS: LazyLock<Option<Registry<'static>>> = LazyLock::new(|| {
    let spellings = Dialect::ALL.into_iter().filter_map(|dialect| {
        let canonical = dialect.uri();
        let bare = canonical.trim_end_matches('#');
        let other = match bare.strip_prefix("http://") {
            Some(rest) => format!("https://{rest}"),
            None => format!("http://{}", bare.strip_prefix("https://")?),
        };
        Some((
            other,
            json!({"$schema": canonical, "allOf": [{"$ref": canonical}]}),
        ))
    });
    SPECIFICATIONS.extend(spellings).ok()?.prepare().ok()
});

/// Whether the `fragment` of a reference to the meta-schema of `dialect` leads somewhere.
pub(super) fn is_in_meta_schema(dialect: Dialect, fragment: &str) -> bool {
    let base = referencing::uri::from_str(dialect.uri().trim_end_matches('#'));
    fragment.is_empty()
        || base.is_ok_and(|base| {
            let resolver = SPECIFICATIONS.resolver(base);
            resolver.lookup(&format!("#{fragment}")).is_ok()
        })
}

/// What is common to the dialects.
fn common<J: Json>() -> Options<J> {
    jsonschema::options_for::<J>()
        .offline()
        .should_validate_formats(false)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
}

/// Lets the engine build a schema; what it says against it does not repeat the schema.
pub(super) fn build<J: Json>(schema: &Value, options: &Options<J>) -> Result<Validator<J>, String> {
    let fault = |error: ValidationError<'_>| {
        crate::source::cut(&error.masked().to_string(), 200).into_owned()
    };
    options.build(schema).map_err(fault)
}

impl Compiled {
    pub(super) fn build(schema: &Value, options: &Options, steps: u64) -> Result<Self, String> {
        build(schema, options).map(|validator| Self::new(validator, steps))
    }

    pub(super) fn new(validator: Validator<Metered>, steps: u64) -> Self {
        Self {
            validator,
            steps,
            routes: Routes::default(),
        }
    }

    /// The same with the references of its schema, so that places below them can be told.
    pub(super) fn with_routes(mut self, tree: &Tree<'_>) -> Self {
        self.routes = Routes::new(tree);
        self
    }

    /// A validator of schemas of `dialect`.
    pub(super) fn meta_schema(dialect: Dialect) -> Option<&'static Self> {
        static BUILT: [OnceLock<Option<Compiled>>; 5] = [const { OnceLock::new() }; 5];
        BUILT[dialect as usize]
            .get_or_init(|| {
                let uri = dialect.uri();
                let schema = json!({"$schema": uri, "$ref": uri});
                let steps = super::Bounds::default().steps;
                Self::build(&schema, &options(dialect), steps).ok()
            })
            .as_ref()
    }

    /// What this meta-schema has against `schema`, which it does not accept. It is made of several
    /// that look at the same members: what they all say is told once.
    pub(super) fn against(&self, schema: &Value) -> Vec<Violation> {
        const PARTS: usize = 8;
        match self.explain(Instance::plain(schema), MOST_VIOLATIONS * PARTS) {
            Judgement::DoesNotFit(mut violations) => {
                let mut seen = HashSet::new();
                violations.retain(|it| {
                    let said = (
                        it.instance.clone(),
                        it.keyword.clone(),
                        it.reason.to_string(),
                    );
                    seen.insert(said)
                });
                violations.truncate(MOST_VIOLATIONS);
                violations
            }
            Judgement::Fits | Judgement::NotJudged(_) => Vec::new(),
        }
    }

    /// Whether `instance` fits, without saying why not.
    pub fn fits(&self, instance: Instance<'_>) -> Result<bool, Unjudged> {
        let meter = Meter::new(
            instance.value,
            instance.base,
            instance.rounded,
            self.steps,
            u64::MAX,
        );
        let fits = self
            .validator
            .is_valid(Reading::new(instance.value, &meter));
        if meter.is_spent() {
            Err(Unjudged::Budget)
        } else if meter.has_rounded() {
            Err(Unjudged::Rounded)
        } else {
            Ok(fits)
        }
    }

    /// Judges `instance`, and lists what is wrong where it does not fit.
    pub fn judge(&self, instance: Instance<'_>) -> Judgement {
        match self.fits(instance) {
            Err(why) => Judgement::NotJudged(why),
            Ok(true) => Judgement::Fits,
            Ok(false) => self.explain(instance, MOST_VIOLATIONS),
        }
    }

    /// Listing costs more than judging, for some schemas without bound: it has a budget of its
    /// own, and falls back to the first violation, then to none in particular.
    fn explain(&self, instance: Instance<'_>, most: usize) -> Judgement {
        let meter = || {
            let numbers = instance.rounded;
            Meter::new(
                instance.value,
                instance.base,
                numbers,
                EXPLAIN_STEPS,
                MOST_REPORTS,
            )
        };
        let every = meter();
        let errors: Vec<_> = self
            .validator
            .iter_errors(Reading::new(instance.value, &every))
            .take(most)
            .map(|error| Violation::from_error(&error, &self.routes))
            .collect();
        if !every.is_spent() {
            return match said(errors, instance.value) {
                Judgement::DoesNotFit(all) => Judgement::DoesNotFit(instance.certain(all)),
                other => other,
            };
        }
        drop(errors);
        let first = meter();
        let error = self
            .validator
            .validate(Reading::new(instance.value, &first));
        match error {
            Err(error) if !first.is_spent() => said(
                vec![Violation::from_error(&error, &self.routes)],
                instance.value,
            ),
            _ => Judgement::DoesNotFit(vec![Violation {
                reason: Reason::Composition("does not fit, in more ways than can be listed"),
                keyword: String::new(),
                instance: Pointer::root(),
                schema: Pointer::root(),
            }]),
        }
    }
}

/// Whether the meta-schema of `dialect` accepts `schema`.
pub(super) fn is_valid(schema: &Value, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Draft4 => jsonschema::draft4::meta::is_valid(schema),
        Dialect::Draft6 => jsonschema::draft6::meta::is_valid(schema),
        Dialect::Draft7 => jsonschema::draft7::meta::is_valid(schema),
        Dialect::Draft201909 => jsonschema::draft201909::meta::is_valid(schema),
        Dialect::Draft202012 => jsonschema::draft202012::meta::is_valid(schema),
    }
}

/// The subschemas of one schema, each made ready, with the rest of it to refer to.
pub(super) struct Parts {
    validators: ValidatorMap<Metered>,
    steps: u64,
}

impl Parts {
    pub(super) fn build(schema: &Value, options: &Options, steps: u64) -> Option<Self> {
        let validators = options.build_map(schema).ok()?;
        Some(Self { validators, steps })
    }

    pub(super) fn at(&self, node: &Node<'_>) -> Option<Compiled> {
        let validator = self.validators.get(&format!("#{}", node.pointer))?;
        Some(Compiled {
            validator: validator.clone(),
            steps: self.steps,
            routes: Routes::default(),
        })
    }
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").finish_non_exhaustive()
    }
}

fn said(errors: Vec<Said>, instance: &Value) -> Judgement {
    let mut violations = Vec::with_capacity(errors.len());
    for error in errors {
        match error {
            Said::Violated(violation) => violations.push(violation.with_names(instance)),
            Said::Unfinished => return Judgement::NotJudged(Unjudged::Pattern),
        }
    }
    Judgement::DoesNotFit(violations)
}
