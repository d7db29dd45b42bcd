//! JSON Schema as tools use it: which dialect, where its subschemas and references are, whether it
//! can be built within bounds, and what it says of an instance.
//!
//! The engine is the `jsonschema` crate, always offline, with `format` asserted for advice alone.
//! What it does not tell apart (an unresolved reference, an unusable `$id`, a pattern of another
//! syntax) is found here before it is asked.

mod compile;
mod dialect;
mod format;
mod identity;
mod measure;
mod meter;
mod pattern;
mod place;
mod reading;
mod resolve;
mod subschemas;
mod tree;
mod violation;

use std::cell::OnceCell;
use std::sync::Arc;

use jsonschema::Validator;
use jsonschema::json::Json;
use serde_json::Value;

pub use compile::{Compiled, Instance, Judgement, Unjudged};
use compile::{Options, Parts};
pub use dialect::{Dialect, Holds, is_in_place, is_keyword, keywords};
pub use format::FORMATS;
pub use measure::{Bounds, Excess};
pub use pattern::PatternFault;
pub(crate) use place::Routes;
pub(crate) use subschemas::Subschemas;
pub use tree::{IdFault, Node, Reference, Target, Tree};
pub(crate) use violation::Said;
pub use violation::{Reason, Violation, type_of};

use crate::source::Pointer;

/// What a schema's `$schema` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared<'a> {
    /// Nothing: the protocol version decides.
    Default,
    /// A supported dialect.
    Supported(Dialect),
    /// A dialect that is not supported.
    Unsupported(&'a str),
    /// Something that is no string.
    NotAString,
}

/// Why a schema cannot judge instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is neither an object nor a boolean.
    NotASchema,
    /// Its dialect is not supported.
    Dialect,
    /// It exceeds a bound.
    Bounds,
    /// An `$id` is not a URI reference.
    Id,
    /// A reference leads nowhere.
    Unresolved,
    /// A reference leads out of the document, and nothing is fetched.
    External,
    /// References apply a schema to the same instance for ever.
    Cycle,
    /// Its dialect's meta-schema refuses it.
    Invalid,
    /// The engine does not understand a pattern.
    Pattern,
    /// The engine refuses it for a reason of its own.
    Engine(String),
}

/// A schema of a tool. What is costly to know is found out once, when first asked for.
#[derive(Debug)]
pub struct Schema<'a> {
    value: &'a Value,
    bounds: Bounds,
    tree: OnceCell<Tree<'a>>,
    excesses: OnceCell<Vec<Excess>>,
    cycles: OnceCell<Vec<usize>>,
    invalid: OnceCell<Vec<Violation>>,
    compiled: OnceCell<Result<Arc<Compiled>, Unusable>>,
    parts: OnceCell<Option<Parts>>,
    patterns: OnceCell<Vec<(Pointer, &'a str, PatternFault)>>,
    asserting: OnceCell<Option<Compiled>>,
}

impl<'a> Schema<'a> {
    /// A schema to be looked at within `bounds`.
    pub fn new(value: &'a Value, bounds: Bounds) -> Self {
        Self {
            value,
            bounds,
            tree: OnceCell::new(),
            excesses: OnceCell::new(),
            cycles: OnceCell::new(),
            invalid: OnceCell::new(),
            compiled: OnceCell::new(),
            parts: OnceCell::new(),
            patterns: OnceCell::new(),
            asserting: OnceCell::new(),
        }
    }

    /// A schema that has been compiled before.
    pub fn ready(value: &'a Value, compiled: Arc<Compiled>) -> Self {
        let schema = Self::new(value, Bounds::default());
        schema.compiled.get_or_init(|| Ok(compiled));
        schema
    }

    /// The schema as it is written.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The root's member `name`.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.value.as_object()?.get(name)
    }

    /// What `$schema` says.
    pub fn declared(&self) -> Declared<'a> {
        match self.get("$schema") {
            None => Declared::Default,
            Some(Value::String(uri)) => match Dialect::from_uri(uri) {
                Some(dialect) => Declared::Supported(dialect),
                None => Declared::Unsupported(uri),
            },
            Some(_) => Declared::NotAString,
        }
    }

    /// The dialect that the schema is read by, 2020-12 unless it declares another; `None` where
    /// it declares one that is not supported.
    pub fn dialect(&self) -> Option<Dialect> {
        match self.declared() {
            Declared::Default => Some(Dialect::Draft202012),
            Declared::Supported(dialect) => Some(dialect),
            Declared::Unsupported(_) | Declared::NotAString => None,
        }
    }

    /// Its subschemas; those of an unsupported dialect are looked for where 2020-12 has them.
    pub fn tree(&self) -> &Tree<'a> {
        self.tree.get_or_init(|| {
            let dialect = self.dialect().unwrap_or(Dialect::Draft202012);
            Tree::new(self.value, dialect, self.bounds.subschemas)
        })
    }

    /// The bounds that it exceeds.
    pub fn excesses(&self) -> &[Excess] {
        self.excesses
            .get_or_init(|| measure::excesses(self.tree(), &self.bounds))
    }

    /// The references that close a loop in which no part of the instance is consumed.
    pub fn cycles(&self) -> impl Iterator<Item = &Reference<'a>> {
        let tree = self.tree();
        self.cycles
            .get_or_init(|| measure::cycles(tree))
            .iter()
            .map(|index| &tree.references[*index])
    }

    /// Every pattern that something is wrong with: its place, its text and what.
    pub fn pattern_faults(&self) -> &[(Pointer, &'a str, PatternFault)] {
        self.patterns.get_or_init(|| {
            let engine_failed = self.compiled().err() == Some(Unusable::Pattern);
            let fault = |text| {
                pattern::fault(text).or_else(|| {
                    (engine_failed && pattern::is_unsupported(text))
                        .then_some(PatternFault::Unsupported)
                })
            };
            pattern::patterns(self.tree())
                .into_iter()
                .filter_map(|(pointer, text)| Some((pointer, text, fault(text)?)))
                .collect()
        })
    }

    /// How it violates its dialect's meta-schema. Empty for an unsupported dialect. A `format` in
    /// the meta-schema is no assertion: a pattern that is none is for the pattern's own fault.
    pub fn meta_violations(&self) -> &[Violation] {
        // What the engine has built, it has checked.
        let built = self.compiled().is_ok();
        let find = || {
            if built {
                Vec::new()
            } else {
                self.find_meta_violations()
            }
        };
        self.invalid.get_or_init(find)
    }

    fn find_meta_violations(&self) -> Vec<Violation> {
        let Some(dialect) = self.dialect() else {
            return Vec::new();
        };
        if compile::is_valid(self.value, dialect) {
            return Vec::new();
        }
        let against = |meta: &Compiled| meta.against(self.value);
        Compiled::meta_schema(dialect)
            .map(against)
            .unwrap_or_default()
    }

    /// The schema made ready to judge instances.
    ///
    /// # Errors
    /// Why that is not possible; the first reason counts, in the order of [`Unusable`].
    pub fn compiled(&self) -> Result<Arc<Compiled>, Unusable> {
        self.compiled.get_or_init(|| self.compile()).clone()
    }

    /// A subschema made ready to judge instances by itself; `None` where that is not possible.
    pub fn subschema(&self, node: &Node<'_>) -> Option<Compiled> {
        self.compiled().ok()?;
        let refers = self.tree().references.iter().any(|reference| {
            let from = &self.tree().nodes[reference.node].pointer;
            from.below(&node.pointer).is_some()
        });
        let steps = self.bounds.steps;
        if refers {
            // What it refers to stands elsewhere in the whole.
            let parts = || Parts::build(self.value, &self.options(self.dialect()?), steps);
            self.parts.get_or_init(parts).as_ref()?.at(node)
        } else {
            Compiled::build(node.value, &self.options(node.dialect), steps).ok()
        }
    }

    /// What is wrong with `instance` only where formats are asserted: nothing unless the instance
    /// is valid without. A format inside a union shows as a violation of the union.
    pub fn format_violations(&self, instance: Instance<'_>) -> Vec<Violation> {
        let Ok(compiled) = self.compiled() else {
            return Vec::new();
        };
        let asserting = self.asserting.get_or_init(|| {
            let dialect = self
                .dialect()
                .filter(|_| format::is_named_in(self.tree()))?;
            let options = format::asserting(self.options(dialect));
            let built = Compiled::build(self.value, &options, self.bounds.steps);
            built.ok().map(|compiled| compiled.with_routes(self.tree()))
        });
        match asserting
            .as_ref()
            .map(|asserting| asserting.judge(instance))
        {
            Some(Judgement::DoesNotFit(violations)) if compiled.fits(instance) == Ok(true) => {
                format::telling(violations)
            }
            _ => Vec::new(),
        }
    }

    /// How the engine is told to build the schema, or a part of it, by `dialect`.
    fn options<J: Json>(&self, dialect: Dialect) -> Options<J> {
        let tree = self.tree();
        let mut options = compile::options(dialect);
        if tree
            .references
            .iter()
            .any(|r| r.target == Target::MetaSchema)
        {
            options = compile::with_meta_schemas(options);
        }
        // The engine still knows this keyword under the dialects that have dropped it.
        let dropped = "dependencies";
        let has_it = tree.nodes.iter().any(|node| node.get(dropped).is_some());
        if has_it
            && tree
                .nodes
                .iter()
                .all(|node| node.dialect.keyword(dropped).is_none())
        {
            options = compile::ignoring(options, dropped);
        }
        options
    }

    fn compile(&self) -> Result<Arc<Compiled>, Unusable> {
        let validator = self.validator()?;
        let compiled = Compiled::new(validator, self.bounds.steps).with_routes(self.tree());
        Ok(Arc::new(compiled))
    }

    /// The engine's own validator, for instances in the representation `J`; fails as
    /// [`Schema::compiled`] does.
    pub(crate) fn validator<J: Json>(&self) -> Result<Validator<J>, Unusable> {
        if !(self.value.is_object() || self.value.is_boolean()) {
            return Err(Unusable::NotASchema);
        }
        let dialect = self.dialect().ok_or(Unusable::Dialect)?;
        if !self.excesses().is_empty() {
            return Err(Unusable::Bounds);
        }
        let tree = self.tree();
        if tree.id_faults.iter().any(|fault| !fault.opaque) {
            return Err(Unusable::Id);
        }
        for reference in &tree.references {
            match reference.target {
                Target::Missing(_) => return Err(Unusable::Unresolved),
                Target::External(_) => return Err(Unusable::External),
                Target::Node(_) | Target::MetaSchema => {}
            }
        }
        if self.cycles().next().is_some() {
            return Err(Unusable::Cycle);
        }
        compile::build(self.value, &self.options(dialect)).map_err(|message| {
            if !self.find_meta_violations().is_empty() {
                return Unusable::Invalid;
            }
            let mut patterns = pattern::patterns(tree).into_iter();
            if patterns.any(|(_, text)| pattern::is_unsupported(text)) {
                Unusable::Pattern
            } else {
                Unusable::Engine(message)
            }
        })
    }
}

/// Whether two values are equal as JSON Schema has it: `1` is `1.0`, and the order of members is
/// nothing.
pub fn equal(left: &Value, right: &Value) -> bool {
    jsonschema::json::cmp::equal(left, right)
}
