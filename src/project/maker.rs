//! One projection in the making: what both ways of making it share.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::loss::{Change, Effect, Loss, Refusal};
use super::mapping::Mapping;
use super::names::NameMap;
use super::relax::Edit;
use super::target::Target;
use super::view::View;
use crate::generate::Types;
use crate::schema::{Dialect, Holds};
use crate::source::Pointer;

/// Subschemas that a projection may come to, references written out.
const MOST_BUILT: usize = 50_000;

/// Why nothing was made at some place.
#[derive(Debug)]
pub(super) enum Stop {
    /// No value fits there.
    Nothing,
    /// It cannot be said to the target.
    Refused(Refusal),
}

pub(super) type Made<T> = Result<T, Stop>;

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A schema in the making.
pub(super) struct Maker<'m, 's, 'a> {
    pub(super) view: &'m View<'s, 'a>,
    pub(super) target: &'m Target,
    /// The member of the tool that the schema is, as the table calls it.
    pub(super) member: &'m str,
    /// Where the schema stands in the tool.
    pub(super) base: &'m Pointer,
    pub(super) names: &'m NameMap,
    pub(super) losses: Vec<Loss>,
    /// What the projection does not ask for.
    pub(super) edits: Vec<Edit>,
    /// `oneOf` that became `anyOf` whose alternatives exclude one another, while they are whole.
    pub(super) exclusive: Vec<Edit>,
    /// What only the projection asks for, from the root of the projected schema.
    pub(super) narrowed: Vec<Pointer>,
    pub(super) mapping: Mapping,
    /// Definitions that the projection refers to, by subschema: the keyword and the name.
    pub(super) definitions: BTreeMap<usize, (&'static str, String)>,
    pub(super) waiting: VecDeque<usize>,
    /// The subschemas that are being laid out, outermost first.
    pub(super) open: Vec<Vec<usize>>,
    /// Subschemas whose annotations stand further out already.
    pub(super) quiet: Vec<usize>,
    pub(super) built: usize,
    /// The last place that has a name in the source.
    pub(super) here: Pointer,
}

impl<'m, 's, 'a> Maker<'m, 's, 'a> {
    pub(super) fn new(
        view: &'m View<'s, 'a>,
        target: &'m Target,
        (member, base): (&'m str, &'m Pointer),
        names: &'m NameMap,
    ) -> Self {
        Self {
            view,
            target,
            member,
            base,
            names,
            losses: Vec::new(),
            edits: Vec::new(),
            exclusive: Vec::new(),
            narrowed: Vec::new(),
            mapping: Mapping::default(),
            definitions: BTreeMap::new(),
            waiting: VecDeque::new(),
            open: Vec::new(),
            quiet: Vec::new(),
            built: 0,
            here: Pointer::root(),
        }
    }

    /// Counts one subschema.
    pub(super) fn spend(&mut self) -> Made<()> {
        self.built += 1;
        if self.built > MOST_BUILT {
            let message = format!("written out it comes to more than {MOST_BUILT} subschemas");
            return Err(self.refuse(&Pointer::root(), None, message));
        }
        Ok(())
    }

    /// A refusal at a place of the source schema.
    pub(super) fn refuse(
        &self,
        at: &Pointer,
        keyword: Option<&str>,
        why: impl Into<String>,
    ) -> Stop {
        let place = self.base.concat(at.as_str());
        Stop::Refused(Refusal::new(&place, keyword, why))
    }

    /// Reports a keyword of a subschema.
    pub(super) fn lose(
        &mut self,
        id: usize,
        keyword: &str,
        (change, effect): (Change, Effect),
        reason: impl Into<String>,
    ) {
        let at = self.view.pointer(id).join(keyword);
        self.lose_at(&at, keyword, (change, effect), reason);
    }

    /// Reports a keyword at a place of the source schema.
    pub(super) fn lose_at(
        &mut self,
        at: &Pointer,
        keyword: &str,
        (change, effect): (Change, Effect),
        reason: impl Into<String>,
    ) {
        self.losses.push(Loss {
            pointer: self.base.concat(at.as_str()).to_string(),
            keyword: keyword.to_owned(),
            change,
            effect,
            reason: reason.into(),
        });
    }

    /// Reports an assertion that the projection does not make.
    pub(super) fn widen(&mut self, id: usize, keyword: &str, reason: impl Into<String>) {
        self.lose(id, keyword, (Change::Dropped, Effect::Wider), reason);
        self.edits
            .push(Edit::Remove(self.view.pointer(id).join(keyword)));
    }

    /// The losses and edits, each once.
    pub(super) fn settle(&mut self) {
        if !self.edits.is_empty() {
            // What told the alternatives apart may be gone.
            self.edits.append(&mut self.exclusive);
        }
        self.edits.sort();
        self.edits.dedup();
        let mut seen = std::collections::HashSet::new();
        self.losses.retain(|loss| {
            seen.insert((
                loss.pointer.clone(),
                loss.change,
                loss.effect,
                loss.reason.clone(),
            ))
        });
    }

    /// Whether the table takes a keyword with this value.
    pub(super) fn takes(&self, keyword: &str, value: &Value) -> Result<(), String> {
        let target = self.target;
        if !target.knows(keyword) {
            return Err(target.why(keyword));
        }
        match (keyword, value) {
            ("minItems", value) => match target.largest_min_items {
                Some(most) if value.as_u64().is_none_or(|least| least > most) => {
                    Err(format!("{} takes no more than {most} here", target.name))
                }
                _ => Ok(()),
            },
            ("pattern", Value::String(pattern)) => {
                let part = target
                    .pattern_without
                    .iter()
                    .find(|part| pattern.contains(*part));
                match part {
                    Some(part) => Err(format!("{} takes no pattern with `{part}`", target.name)),
                    None => Ok(()),
                }
            }
            ("format", Value::String(format)) => match &target.formats {
                Some(known) if !known.contains(format) => {
                    Err(format!("{} does not know the format {format}", target.name))
                }
                _ => Ok(()),
            },
            // Draft 4 has a flag here, and the limit under another name.
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => {
                Err("a flag of draft 4, which later dialects do not have".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// The types of values of which a keyword says something.
pub(super) fn concerns(keyword: &str) -> Types {
    match keyword {
        "minLength" | "maxLength" | "pattern" | "format" => Types::STRING,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            Types::NUMBER
        }
        "items" | "prefixItems" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems"
        | "contains" | "minContains" | "maxContains" | "unevaluatedItems" => Types::ARRAY,
        "properties"
        | "required"
        | "patternProperties"
        | "additionalProperties"
        | "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies"
        | "unevaluatedProperties" => Types::OBJECT,
        _ => Types::ALL,
    }
}

/// Whether a keyword carries no assertion, whatever its dialect.
pub(super) fn is_annotation(holds: Option<Holds>) -> bool {
    matches!(holds, None | Some(Holds::Other))
}

/// Whether a keyword that says nothing in the source's dialect would say something in the
/// projection, which is read by 2020-12.
pub(super) fn would_assert(holds: Option<Holds>, keyword: &str) -> bool {
    holds.is_none() && !is_annotation(Dialect::Draft202012.keyword(keyword))
}

/// The names of a set of types, as `type` lists them.
pub(super) fn type_names(types: Types) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut add = |kind: Types, name| {
        if types.contains(kind) {
            names.push(name);
        }
    };
    add(Types::STRING, "string");
    if types.contains(Types::FRACTION) {
        add(Types::NUMBER, "number");
    } else {
        add(Types::INTEGER, "integer");
    }
    add(Types::BOOLEAN, "boolean");
    add(Types::OBJECT, "object");
    add(Types::ARRAY, "array");
    add(Types::NULL, "null");
    names
}
