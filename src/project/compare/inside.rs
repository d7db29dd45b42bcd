//! Keywords that hold subschemas: members, elements, compositions.

use serde_json::Value;

use super::{Bearing, Walk, narrower, sets};
use crate::project::view::View;
use crate::source::cut;

impl Walk<'_, '_, '_, '_> {
    /// Members of objects and elements of arrays.
    pub(super) fn members(&mut self, old: usize, new: usize, plain: bool) {
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

    pub(super) fn unions(&mut self, old: usize, new: usize, plain: bool) {
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
