//! What an object of a rebuilt schema says beyond its members: nulls for absent ones, and what else
//! may be there.

use serde_json::Value;

use super::object::Members;
use crate::project::loss::{Change, Effect};
use crate::project::maker::Maker;
use crate::project::relax::Edit;
use crate::source::Pointer;

impl Maker<'_, '_, '_> {
    /// Reports the members that null stands in for.
    pub(super) fn tell_nulls(&mut self, nodes: &[usize], at: &Pointer, members: &Members) {
        let Some(first) = nodes.first() else {
            return;
        };
        let plain: Vec<&str> = members
            .nulls
            .iter()
            .filter(|name| !members.ambiguous.contains(name))
            .map(String::as_str)
            .collect();
        if !plain.is_empty() {
            let names = list(&plain);
            let why = format!(
                "every member is required here: {names} may be null instead of absent, and null \
                 reads back as absent"
            );
            self.lose(*first, "required", (Change::Rewritten, Effect::None), why);
        }
        if !members.ambiguous.is_empty() {
            let names: Vec<&str> = members.ambiguous.iter().map(String::as_str).collect();
            let why = format!(
                "every member is required here, and the source lets {} be null as well as absent: \
                 the two become one, and null reads back as null",
                list(&names)
            );
            self.lose(*first, "required", (Change::Ambiguous, Effect::None), why);
        }
        for name in &members.nulls {
            let strip = !members.ambiguous.contains(name);
            self.mapping.optional(at, self.names.forward(name), strip);
        }
    }

    /// Says what closing an object excludes that the source does not.
    pub(super) fn close(&mut self, nodes: &[usize], at: &Pointer) {
        let says_no = |id: usize, keyword| self.view.get(id, keyword) == Some(&Value::Bool(false));
        let closed = nodes.iter().any(|id| {
            says_no(*id, "additionalProperties")
                && self.view.get(*id, "patternProperties").is_none()
        });
        let applies = ["if", "not", "dependentSchemas", "patternProperties"];
        let over_all = nodes.iter().any(|id| says_no(*id, "unevaluatedProperties"))
            && self.one_branch(nodes)
            && !nodes.iter().any(|id| {
                applies
                    .iter()
                    .any(|keyword| self.view.get(*id, keyword).is_some())
            });
        for id in nodes {
            if self.view.get(*id, "unevaluatedProperties").is_some() {
                let why = "the object is closed over all of its parts instead";
                self.lose(
                    *id,
                    "unevaluatedProperties",
                    (Change::Rewritten, Effect::None),
                    why,
                );
            }
            if self.view.get(*id, "patternProperties").is_some() {
                let why = "an object has the members that it declares, and no pattern names others";
                self.lose(
                    *id,
                    "patternProperties",
                    (Change::Dropped, Effect::Narrower),
                    why,
                );
            }
        }
        if closed || over_all {
            return;
        }
        let typed = |id: &&usize| self.view.get(**id, "additionalProperties").is_some();
        let Some(id) = nodes.iter().find(typed).or(nodes.first()).copied() else {
            self.narrowed.push(at.join("additionalProperties"));
            return;
        };
        let why = if self
            .view
            .get(id, "additionalProperties")
            .is_some_and(Value::is_object)
        {
            "an object has the members that it declares: a map of names that are not known \
             beforehand is left empty"
        } else {
            "every object is closed here: members that the source does not declare, and allows, \
             cannot be there"
        };
        self.lose(
            id,
            "additionalProperties",
            (Change::Narrowed, Effect::Narrower),
            why,
        );
        self.narrowed.push(at.join("additionalProperties"));
    }

    /// Reports a member that no value fits, where nothing can say that it may not be there.
    pub(super) fn tell_impossible(&mut self, nodes: &[usize], name: &str) {
        for id in nodes {
            let declared = self.view.named(*id, "properties");
            if declared.iter().any(|(it, _)| *it == name) {
                let at = self.view.pointer(*id).join("properties").join(name);
                let why = "no value fits it, and the target cannot say that it may not be there";
                let change = (Change::Dropped, Effect::Wider);
                self.lose_at(&at, "properties", change, why);
                self.edits.push(Edit::Remove(at));
            }
        }
    }

    /// Whether of every union among `nodes` only one branch can hold: else the members of two
    /// count together, and no alternative of the projection has them all.
    fn one_branch(&self, nodes: &[usize]) -> bool {
        self.view
            .unions(nodes)
            .iter()
            .all(|(_, keyword, branches)| {
                let pairs = || branches.iter().enumerate();
                *keyword == "oneOf"
                    || pairs().all(|(index, left)| {
                        let mut others = branches[index + 1..].iter();
                        others.all(|right| self.view.apart(*left, *right).is_some())
                    })
            })
    }

    /// Says what an object that cannot be closed lets through.
    pub(super) fn leave_open(&mut self, nodes: &[usize]) {
        for id in nodes {
            for keyword in [
                "additionalProperties",
                "patternProperties",
                "unevaluatedProperties",
            ] {
                let why = self.target.why(keyword);
                match self.view.get(*id, keyword) {
                    None => {}
                    Some(Value::Bool(true)) => {
                        self.lose(*id, keyword, (Change::Dropped, Effect::None), why);
                    }
                    Some(_) => self.widen(*id, keyword, why),
                }
            }
        }
    }
}

/// Names in a sentence; of many, the first.
fn list(names: &[&str]) -> String {
    const MOST: usize = 8;
    let quoted = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{}`", crate::source::cut(name, 40)));
    let shown = quoted.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
