//! Objects in a rebuilt schema: their members, which are required, and what else may be there.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::loss::{Change, Effect};
use super::maker::{Made, Maker, Stop};
use super::target::{Objects, Optional};
use super::union::Hoisted;
use crate::source::Pointer;

/// The members of one object, in the making.
#[derive(Default)]
struct Members {
    properties: Map<String, Value>,
    required: Vec<String>,
    /// Members that are null where the source has none.
    nulls: Vec<String>,
    /// Those among them that the source lets be null, too.
    ambiguous: Vec<String>,
}

impl Maker<'_, '_, '_> {
    pub(super) fn object(
        &mut self,
        nodes: &[usize],
        hoisted: Option<&Hoisted>,
        at: &Pointer,
        map: &mut Map<String, Value>,
    ) -> Made<()> {
        let mut required: BTreeSet<&str> = nodes
            .iter()
            .flat_map(|id| self.view.required(*id))
            .collect();
        let mut names: Vec<&str> = Vec::new();
        let declared = nodes
            .iter()
            .flat_map(|id| self.view.named(*id, "properties"));
        let listed = nodes.iter().flat_map(|id| self.view.required(*id));
        for name in declared.map(|(name, _)| name).chain(listed) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if let Some(hoisted) = hoisted {
            required.extend(hoisted.required.iter().map(String::as_str));
            for (name, _) in &hoisted.members {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        let mut members = Members::default();
        for name in names {
            let optional = !required.contains(name);
            let alternatives = hoisted.map_or(&[][..], |hoisted| hoisted.alternatives(name));
            let made = self.member_of(nodes, (name, optional), alternatives, at, &mut members);
            match made {
                Ok(()) => {}
                // What cannot be there need not be declared; an open object then allows it.
                Err(Stop::Nothing) if optional => {
                    let place = self.names.forward(name).to_owned();
                    self.mapping.forget(&at.join("properties").join(place));
                }
                Err(stop) => return Err(stop),
            }
        }
        self.tell_nulls(nodes, at, &members);
        let closed = self.target.objects == Objects::Closed;
        if closed || !members.properties.is_empty() {
            map.insert("properties".to_owned(), Value::Object(members.properties));
        }
        if self.target.optional == Optional::Null || !members.required.is_empty() {
            map.insert("required".to_owned(), json!(members.required));
        }
        if closed {
            map.insert("additionalProperties".to_owned(), json!(false));
            self.close(nodes, at);
        } else {
            self.leave_open(nodes);
        }
        Ok(())
    }

    /// One member.
    fn member_of(
        &mut self,
        nodes: &[usize],
        (name, optional): (&str, bool),
        alternatives: &[Vec<usize>],
        at: &Pointer,
        members: &mut Members,
    ) -> Made<()> {
        let taken = self.names.forward(name).to_owned();
        let place = at.join("properties").join(&taken);
        let Some(parts) = self.view.member(nodes, name) else {
            return Err(Stop::Nothing);
        };
        let declares = |id: &usize| {
            self.view
                .named(*id, "properties")
                .iter()
                .any(|(it, _)| *it == name)
        };
        let hoisted = !alternatives.is_empty() && !nodes.iter().any(declares);
        if let Some(id) = nodes.first()
            && parts.is_empty()
        {
            self.here = self.view.pointer(*id).clone();
        }
        let stands_for_absent = optional && self.target.optional == Optional::Null;
        let (value, null) = if hoisted {
            self.narrowed.push(place.clone());
            (
                self.any_of(&parts, alternatives, &place, stands_for_absent)?,
                false,
            )
        } else {
            let null = self.view.takes_null(&parts, 0);
            let value = self.build(&parts, &place, stands_for_absent && !null)?;
            (value, null && !parts.is_empty())
        };
        if stands_for_absent {
            members.nulls.push(name.to_owned());
            if null {
                members.ambiguous.push(name.to_owned());
            }
        }
        if !optional || stands_for_absent {
            members.required.push(taken.clone());
        }
        members.properties.insert(taken, value);
        Ok(())
    }

    /// A member that the branches of a union declare, each in its way.
    fn any_of(
        &mut self,
        parts: &[usize],
        alternatives: &[Vec<usize>],
        at: &Pointer,
        null: bool,
    ) -> Made<Value> {
        let mut branches: Vec<Value> = Vec::new();
        let mut kept: Vec<Vec<usize>> = Vec::new();
        for alternative in alternatives {
            let both = [parts, alternative].concat();
            let place = at.join("anyOf").join(branches.len());
            match self.build(&both, &place, false) {
                Ok(value) if branches.contains(&value) => self.mapping.forget(&place),
                Ok(value) => {
                    branches.push(value);
                    kept.push(both);
                }
                Err(Stop::Nothing) => self.mapping.forget(&place),
                Err(refused) => return Err(refused),
            }
        }
        match kept.as_slice() {
            [] => Err(Stop::Nothing),
            [only] => {
                self.mapping.forget(&at.join("anyOf"));
                self.build(&only.clone(), at, null)
            }
            _ => {
                let takes = |parts: &Vec<usize>| self.view.takes_null(parts, 0);
                if null && !kept.iter().any(takes) {
                    branches.push(json!({"type": "null"}));
                }
                Ok(json!({"anyOf": branches}))
            }
        }
    }

    /// Reports the members that null stands in for.
    fn tell_nulls(&mut self, nodes: &[usize], at: &Pointer, members: &Members) {
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
    fn close(&mut self, nodes: &[usize], at: &Pointer) {
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
                    (Change::Dropped, Effect::Both),
                    why,
                );
                self.relax(*id, "patternProperties");
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
    fn leave_open(&mut self, nodes: &[usize]) {
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
