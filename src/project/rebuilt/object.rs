//! Objects in a rebuilt schema: their members, which are required, and what else may be there.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::union::Hoisted;
use crate::project::maker::{Made, Maker, Stop};
use crate::project::target::{Objects, Optional};
use crate::source::Pointer;

/// The members of one object, in the making.
#[derive(Default)]
pub(super) struct Members {
    pub(super) properties: Map<String, Value>,
    pub(super) required: Vec<String>,
    /// Members that are null where the source has none.
    pub(super) nulls: Vec<String>,
    /// Those among them that the source lets be null, too.
    pub(super) ambiguous: Vec<String>,
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
                // What cannot be there need not be declared, unless the object is left open.
                Err(Stop::Nothing) if optional => {
                    if self.target.objects == Objects::Open {
                        self.tell_impossible(nodes, name);
                    }
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
}
