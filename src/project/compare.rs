//! Two versions of a schema, keyword by keyword: what accepts less, what accepts more.
//!
//! Where the bearing of a change cannot be told from the schemas alone, it is unknown: nothing is
//! guessed, and generated values are asked instead.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::maker::{is_annotation, type_names};
use super::view::View;
use crate::generate::Types;
use crate::schema::{Holds, Schema, equal};
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

    fn types(&mut self, old: usize, new: usize, plain: bool) {
        let types = |value: Option<&Value>| value.map_or(Types::ALL, Types::named);
        let before = types(self.old.get(old, "type"));
        let after = types(self.new.get(new, "type"));
        let (gone, come) = (before.without(after), after.without(before));
        let bearing = sets(!gone.is_none(), !come.is_none());
        if bearing != Bearing::None {
            let names = |types: Types| match types {
                Types::ALL => "any".to_owned(),
                types => type_names(types).join(" or "),
            };
            let message = format!("the type was {}, and is {}", names(before), names(after));
            self.add((old, new), "type", (bearing, plain), message);
        }
    }

    fn values(&mut self, old: usize, new: usize, plain: bool) {
        let (before, after) = (self.old.values(&[old]), self.new.values(&[new]));
        let held = |view_has: bool| if view_has { "const" } else { "enum" };
        let keyword =
            held(self.old.get(old, "const").is_some() || self.new.get(new, "const").is_some());
        let lacks = |some: &[Value], others: &[Value]| -> Vec<Value> {
            let missing = |value: &&Value| !others.iter().any(|other| equal(value, other));
            some.iter().filter(missing).cloned().collect()
        };
        let (bearing, message) = match (before, after) {
            (None, None) => return,
            (None, Some(_)) => (Bearing::Narrower, "the values are listed now".to_owned()),
            (Some(_), None) => (Bearing::Wider, "the values are listed no more".to_owned()),
            (Some(before), Some(after)) => {
                let (gone, come) = (lacks(&before, &after), lacks(&after, &before));
                let told = [("no more", &gone), ("new", &come)].into_iter();
                let told = told.filter(|(_, values)| !values.is_empty());
                let told = told.map(|(what, values)| format!("{what}: {}", short(&json!(values))));
                let message = told.collect::<Vec<_>>().join("; ");
                (sets(!gone.is_empty(), !come.is_empty()), message)
            }
        };
        if bearing != Bearing::None {
            self.add((old, new), keyword, (bearing, plain), message);
        }
    }

    fn bound(&mut self, (old, new): (usize, usize), keyword: &str, greater: bool, plain: bool) {
        let (before, after) = (self.old.get(old, keyword), self.new.get(new, keyword));
        let (bearing, message) = match (before, after) {
            (None, None) => return,
            (None, Some(after)) => (Bearing::Narrower, format!("it is {} now", short(after))),
            (Some(before), None) => (Bearing::Wider, format!("it was {}", short(before))),
            (Some(before), Some(after)) => {
                let message = format!("it was {}, and is {}", short(before), short(after));
                match before.as_f64().zip(after.as_f64()) {
                    Some((was, is)) if was < is => (narrower(greater), message),
                    Some((was, is)) if was > is => (narrower(!greater), message),
                    _ if before == after => return,
                    _ => (Bearing::Unknown, message),
                }
            }
        };
        self.add((old, new), keyword, (bearing, plain), message);
    }

    fn required(&mut self, old: usize, new: usize, plain: bool) {
        let before: Vec<&str> = self.old.required(old).collect();
        let after: Vec<&str> = self.new.required(new).collect();
        for name in after.iter().filter(|name| !before.contains(name)) {
            let message = format!("`{}` is required now", cut(name, 60));
            self.add((old, new), "required", (Bearing::Narrower, plain), message);
        }
        for name in before.iter().filter(|name| !after.contains(name)) {
            let message = format!("`{}` is required no more", cut(name, 60));
            self.add((old, new), "required", (Bearing::Wider, plain), message);
        }
    }

    /// Members of objects and elements of arrays.
    fn members(&mut self, old: usize, new: usize, plain: bool) {
        let before = self.old.named(old, "properties");
        let after = self.new.named(new, "properties");
        let (was, is) = (extra(&self.old, old), extra(&self.new, new));
        for (name, own) in &before {
            if let Some((_, other)) = after.iter().find(|(it, _)| it == name) {
                self.pair(*own, *other, plain);
                continue;
            }
            let bearing = match is {
                Extra::Refused => Bearing::Narrower,
                Extra::Free => Bearing::Wider,
                Extra::Held => Bearing::Unknown,
            };
            let message = format!("`{}` is declared no more", cut(name, 60));
            self.add((old, new), "properties", (bearing, plain), message);
        }
        for (name, _) in after
            .iter()
            .filter(|(name, _)| before.iter().all(|(it, _)| it != name))
        {
            let (bearing, message) = match was {
                Extra::Refused => (Bearing::Wider, format!("`{}` is new", cut(name, 60))),
                // Who sent an undeclared member of this very name is not counted.
                Extra::Free => (
                    Bearing::None,
                    format!("`{}` is declared now", cut(name, 60)),
                ),
                Extra::Held => (
                    Bearing::Unknown,
                    format!("`{}` is declared now", cut(name, 60)),
                ),
            };
            self.add((old, new), "properties", (bearing, plain), message);
        }
        for keyword in ["additionalProperties", "items"] {
            let before = self.old.child(old, keyword);
            let after = self.new.child(new, keyword);
            match (before, after) {
                (None, None) => {}
                (Some(before), Some(after)) => self.pair(before, after, plain),
                (None, Some(after)) if self.new.value(after) == &Value::Bool(true) => {}
                (Some(before), None) if self.old.value(before) == &Value::Bool(true) => {}
                (None, Some(_)) => {
                    let message = "it is there now".to_owned();
                    self.add((old, new), keyword, (Bearing::Narrower, plain), message);
                }
                (Some(_), None) => {
                    let message = "it is there no more".to_owned();
                    self.add((old, new), keyword, (Bearing::Wider, plain), message);
                }
            }
        }
    }

    fn unions(&mut self, old: usize, new: usize, plain: bool) {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let before = self.old.children(old, keyword);
            let after = self.new.children(new, keyword);
            // One of several that exclude one another is any of them.
            let apart = |view: &View<'_, '_>, branches: &[usize]| {
                let pairs = branches.iter().enumerate();
                pairs.clone().all(|(index, left)| {
                    branches[index + 1..]
                        .iter()
                        .all(|right| view.apart(*left, *right).is_some())
                })
            };
            let plain = plain
                && (keyword != "oneOf" || apart(&self.old, &before) && apart(&self.new, &after));
            let all = keyword == "allOf";
            if before.is_empty() != after.is_empty() {
                let bearing = narrower(before.is_empty());
                let message = match before.is_empty() {
                    true => "it is there now".to_owned(),
                    false => "it is there no more".to_owned(),
                };
                self.add((old, new), keyword, (bearing, plain), message);
                continue;
            }
            if before.len() == after.len() {
                for (before, after) in before.iter().zip(&after) {
                    self.pair(*before, *after, plain);
                }
                continue;
            }
            let same =
                |before: usize, after: usize| self.old.value(before) == self.new.value(after);
            let gone = before
                .iter()
                .filter(|it| !after.iter().any(|other| same(**it, *other)));
            let gone = gone.count();
            let come = after
                .iter()
                .filter(|it| !before.iter().any(|other| same(*other, **it)));
            let come = come.count();
            let bearing = if all {
                sets(come > 0, gone > 0)
            } else {
                sets(gone > 0, come > 0)
            };
            // Branches that are merely edited look like one gone and one come.
            let bearing = if gone > 0 && come > 0 {
                Bearing::Unknown
            } else {
                bearing
            };
            let message = format!("it had {} parts, and has {}", before.len(), after.len());
            self.add((old, new), keyword, (bearing, plain), message);
        }
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

/// What an object says of members that it does not declare.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extra {
    Refused,
    Free,
    Held,
}

fn extra(view: &View<'_, '_>, id: usize) -> Extra {
    let others = [
        "patternProperties",
        "unevaluatedProperties",
        "propertyNames",
    ];
    if others.iter().any(|keyword| view.get(id, keyword).is_some()) {
        return Extra::Held;
    }
    match view.get(id, "additionalProperties") {
        Some(Value::Bool(false)) => Extra::Refused,
        None | Some(Value::Bool(true)) => Extra::Free,
        Some(_) => Extra::Held,
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
