//! Two versions of a schema, keyword by keyword: what accepts less, what accepts more.
//!
//! Where the bearing of a change cannot be told from the schemas alone, it is unknown: nothing is
//! guessed, and generated values are asked instead.

mod inside;
mod value;

use std::collections::HashSet;

use serde_json::Value;

use super::maker::is_annotation;
use super::view::View;
use crate::schema::{Holds, Schema};
use crate::source::{Pointer, cut};

/// Changes that are listed of one schema.
const MOST: usize = 200;

/// What a change does to the set of accepted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// Nothing.
    None,
    /// Less is accepted.
    Narrower,
    /// More is accepted.
    Wider,
    /// Some is accepted no more, and other is now.
    Both,
    /// It cannot be told from the schemas.
    Unknown,
}

/// One keyword that is not as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaChange {
    /// Its place in the old schema, or where it would be.
    pub old: Pointer,
    /// Its place in the new schema, or where it would be.
    pub new: Pointer,
    /// The keyword.
    pub keyword: String,
    /// What it does.
    pub bearing: Bearing,
    /// What has changed, as a clause.
    pub message: String,
}

/// What is not in `new` as it was in `old`.
pub fn changes(old: &Schema<'_>, new: &Schema<'_>) -> Vec<SchemaChange> {
    let mut walk = Walk {
        old: View::new(old.tree()),
        new: View::new(new.tree()),
        seen: HashSet::new(),
        found: Vec::new(),
    };
    walk.pair(0, 0, true);
    walk.found.truncate(MOST);
    walk.found
}

struct Walk<'o, 'n, 'a, 'b> {
    old: View<'o, 'a>,
    new: View<'n, 'b>,
    seen: HashSet<(usize, usize, bool)>,
    found: Vec<SchemaChange>,
}

/// Keywords that bind numbers, and whether a greater one accepts less.
const BOUNDS: [(&str, bool); 10] = [
    ("minLength", true),
    ("maxLength", false),
    ("minimum", true),
    ("maximum", false),
    ("exclusiveMinimum", true),
    ("exclusiveMaximum", false),
    ("minItems", true),
    ("maxItems", false),
    ("minProperties", true),
    ("maxProperties", false),
];

impl Walk<'_, '_, '_, '_> {
    /// Compares two subschemas; `plain` says that accepting more there is accepting more.
    fn pair(&mut self, old: usize, new: usize, plain: bool) {
        let (old, new) = (bare(&self.old, old), bare(&self.new, new));
        if !self.seen.insert((old, new, plain)) || self.found.len() >= MOST {
            return;
        }
        let (before, after) = (self.old.value(old), self.new.value(new));
        match (before, after) {
            (Value::Object(_), Value::Object(_)) => {}
            _ => {
                let bearing = match (before, after) {
                    _ if before == after => return,
                    (Value::Bool(false), _) => Bearing::Wider,
                    (_, Value::Bool(false)) | (Value::Bool(true), _) => Bearing::Narrower,
                    _ => Bearing::Wider,
                };
                let message = format!("{} became {}", short(before), short(after));
                self.add((old, new), "", (bearing, plain), message);
                return;
            }
        }
        self.types(old, new, plain);
        self.values(old, new, plain);
        for (keyword, greater) in BOUNDS {
            self.bound((old, new), keyword, greater, plain);
        }
        self.required(old, new, plain);
        self.members(old, new, plain);
        self.unions(old, new, plain);
        self.rest(old, new, plain);
    }

    fn add(
        &mut self,
        (old, new): (usize, usize),
        keyword: &str,
        (bearing, plain): (Bearing, bool),
        message: String,
    ) {
        let place = |at: &Pointer| {
            if keyword.is_empty() {
                at.clone()
            } else {
                at.join(keyword)
            }
        };
        let bearing = if plain || bearing == Bearing::None {
            bearing
        } else {
            Bearing::Unknown
        };
        self.found.push(SchemaChange {
            old: place(self.old.pointer(old)),
            new: place(self.new.pointer(new)),
            keyword: keyword.to_owned(),
            bearing,
            message,
        });
    }

    /// Keywords whose change is told by their being there, or not at all.
    fn rest(&mut self, old: usize, new: usize, plain: bool) {
        const TOLD: [&str; 12] = [
            "type",
            "enum",
            "const",
            "required",
            "properties",
            "additionalProperties",
            "allOf",
            "anyOf",
            "oneOf",
            "$ref",
            "$defs",
            "definitions",
        ];
        let (Some(before), Some(after)) = (
            self.old.value(old).as_object(),
            self.new.value(new).as_object(),
        ) else {
            return;
        };
        let mut keywords: Vec<&String> = before.keys().chain(after.keys()).collect();
        keywords.sort_unstable();
        keywords.dedup();
        for keyword in keywords {
            let dialect = self.new.dialect(new);
            let holds = dialect
                .keyword(keyword)
                .or(self.old.dialect(old).keyword(keyword));
            let is_told = TOLD.contains(&keyword.as_str())
                || BOUNDS.iter().any(|(it, _)| it == keyword)
                || keyword == "items" && self.new.child(new, "items").is_some();
            let is_silent = is_annotation(holds) && keyword != "$dynamicRef";
            let (was, is) = (before.get(keyword), after.get(keyword));
            if is_told || is_silent || was == is && holds == Some(Holds::Assertion) {
                continue;
            }
            let (bearing, message) = match (was, is) {
                // What it refers to may have changed.
                (Some(was), Some(is)) if was == is => continue,
                (Some(_), Some(_)) => (Bearing::Unknown, "it is not as it was"),
                (None, _) => (Bearing::Narrower, "it is there now"),
                (_, None) => (Bearing::Wider, "it is there no more"),
            };
            let shifts = [
                "patternProperties",
                "minContains",
                "prefixItems",
                "additionalItems",
            ];
            let bearing = if shifts.contains(&keyword.as_str()) {
                Bearing::Unknown
            } else {
                bearing
            };
            self.add((old, new), keyword, (bearing, plain), message.to_owned());
        }
        let refers = |view: &View<'_, '_>, id| view.get(id, "$ref").is_some();
        match (refers(&self.old, old), refers(&self.new, new)) {
            (false, false) => {}
            (true, true) => {
                if let (Some(old), Some(new)) = (self.old.target(old), self.new.target(new)) {
                    self.pair(old, new, plain);
                }
            }
            _ => {
                let message = "what stands beside a reference has moved".to_owned();
                self.add((old, new), "$ref", (Bearing::Unknown, plain), message);
            }
        }
    }
}

/// The subschema, or what it refers to where it is nothing but a reference.
fn bare(view: &View<'_, '_>, mut id: usize) -> usize {
    // Chains of references in place end: a schema in which they do not is unusable.
    for _ in 0..64 {
        let alone = view.value(id).as_object().is_some_and(|members| {
            view.is_hidden(id)
                || members
                    .keys()
                    .all(|name| name == "$ref" || !view.asserts(id, name))
        });
        match view.target(id).filter(|_| alone) {
            Some(target) => id = target,
            None => break,
        }
    }
    id
}

fn narrower(yes: bool) -> Bearing {
    if yes {
        Bearing::Narrower
    } else {
        Bearing::Wider
    }
}

fn sets(gone: bool, come: bool) -> Bearing {
    match (gone, come) {
        (false, false) => Bearing::None,
        (true, false) => Bearing::Narrower,
        (false, true) => Bearing::Wider,
        (true, true) => Bearing::Both,
    }
}

fn short(value: &Value) -> String {
    cut(&value.to_string(), 80).into_owned()
}
