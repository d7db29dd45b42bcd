//! A schema built anew from what its source means: references and `allOf` laid side by side.

mod array;
mod bounds;
mod closing;
mod object;
mod union;
mod value;

use serde_json::{Map, Value, json};

use self::union::Hoisted;
use super::loss::{Change, Effect};
use super::maker::{Made, Maker, Stop};
use super::target::Null;
use crate::generate::Types;
use crate::source::Pointer;

impl Maker<'_, '_, '_> {
    /// The whole schema.
    pub(super) fn rebuild(&mut self) -> Made<Value> {
        let nodes = self.flat(&[0])?;
        let mut map = self.root(&nodes)?;
        while let Some(id) = self.waiting.pop_front() {
            let Some((keyword, name)) = self.definitions.get(&id).cloned() else {
                continue;
            };
            let at = Pointer::root().join(keyword).join(&name);
            let value = self.definition(id, &at).map_err(|stop| match stop {
                Stop::Nothing => {
                    self.refuse(self.view.pointer(id), None, "no value fits the definition")
                }
                refused @ Stop::Refused(_) => refused,
            })?;
            let kept = map.entry(keyword).or_insert_with(|| json!({}));
            if let Some(kept) = kept.as_object_mut() {
                kept.insert(name, value);
            }
        }
        Ok(Value::Object(map))
    }

    fn root(&mut self, nodes: &[usize]) -> Made<Map<String, Value>> {
        let at = Pointer::root();
        let root = self.target.root_of(self.member);
        let key = sorted(nodes);
        self.open.push(key);
        let unions = self.view.unions(nodes);
        let mut settled = Vec::new();
        let mut hoisted = Hoisted::default();
        if root.is_some_and(|root| root.object || !root.composition) && !unions.is_empty() {
            // One object at the root is what every target that asks for one means by it.
            settled = unions
                .iter()
                .map(|(id, keyword, _)| (*id, *keyword))
                .collect();
            hoisted = self.hoist(nodes, &unions);
        }
        let value = if root.is_some_and(|root| root.object) {
            let types = self.view.types(nodes, 0);
            if types.is_some_and(|types| !types.contains(Types::OBJECT)) {
                return Err(self.not_an_object());
            }
            if types != Some(Types::OBJECT) {
                self.only_an_object();
            }
            self.survey(nodes, Types::OBJECT);
            self.one_kind(nodes, (Types::OBJECT, None), &at, Some(&hoisted))?
        } else {
            match self.lay(nodes, &settled, &at, false)? {
                Value::Object(map) => map,
                _ => Map::new(),
            }
        };
        self.open.pop();
        Ok(value)
    }

    /// Why a root of other types is refused: nothing is wrapped.
    pub(super) fn not_an_object(&self) -> Stop {
        let because = self
            .target
            .root_of(self.member)
            .map_or("", |root| &root.because);
        let keyword = self.view.get(0, "type").map(|_| "type");
        let at = match keyword {
            Some(keyword) => Pointer::root().join(keyword),
            None => Pointer::root(),
        };
        let names = super::maker::type_names(self.view.types(&[0], 0).unwrap_or(Types::ALL));
        let found = if names.is_empty() {
            "no value fits".to_owned()
        } else {
            format!("it is of type {}", names.join(" or "))
        };
        self.refuse(
            &at,
            keyword,
            format!("{because}; {found}, and nothing is wrapped"),
        )
    }

    /// Reports that a root that allows other types, or says nothing of them, is an object's here.
    pub(super) fn only_an_object(&mut self) {
        let because = self
            .target
            .root_of(self.member)
            .map_or("", |root| &root.because)
            .to_owned();
        self.lose(0, "type", (Change::Narrowed, Effect::Narrower), because);
        self.narrowed.push(Pointer::root().join("type"));
    }

    fn definition(&mut self, id: usize, at: &Pointer) -> Made<Value> {
        self.spend()?;
        let nodes = self.flat(&[id])?;
        self.open.push(sorted(&nodes));
        let value = self.lay(&nodes, &[], at, false);
        self.open.pop();
        value
    }

    /// What `parts` ask for together, with null where `null` says so, at a place of the projection.
    pub(super) fn build(&mut self, parts: &[usize], at: &Pointer, null: bool) -> Made<Value> {
        self.spend()?;
        if let Some(first) = parts.first() {
            self.here = self.view.pointer(*first).clone();
        }
        if let Some(value) = self.reference(parts, null)? {
            return Ok(value);
        }
        let nodes = self.flat(parts)?;
        let key = sorted(&nodes);
        if !key.is_empty() && self.open.contains(&key) {
            let why = if self.target.knows("$ref") {
                "what stands beside the reference is to hold at every level below, which no \
                 reference can say"
            } else {
                "the schema refers to itself, and the target has no references"
            };
            return Err(self.refuse(&self.here.clone(), Some("$ref"), why));
        }
        self.open.push(key);
        let value = self.lay(&nodes, &[], at, null);
        self.open.pop();
        value
    }

    /// As [`super::view::View::flat`]; reports what is written out.
    pub(super) fn flat(&mut self, parts: &[usize]) -> Made<Vec<usize>> {
        let flat = self.view.flat(parts);
        if flat.nothing {
            return Err(Stop::Nothing);
        }
        for id in &flat.nodes {
            for keyword in ["$dynamicRef", "$recursiveRef"] {
                if self.view.get(*id, keyword).is_some() {
                    let at = self.view.pointer(*id).join(keyword);
                    return Err(self.refuse(
                        &at,
                        Some(keyword),
                        "where the reference leads is decided while an instance is judged",
                    ));
                }
            }
            if self.view.get(*id, "$ref").is_some() && self.view.target(*id).is_none() {
                let at = self.view.pointer(*id).join("$ref");
                let why = "the reference leads into a meta-schema, which no target has at hand";
                return Err(self.refuse(&at, Some("$ref"), why));
            }
        }
        for id in flat.references {
            let why = "the definition is written out here, beside everything else that applies";
            self.lose(id, "$ref", (Change::Rewritten, Effect::None), why);
            if self.view.is_hidden(id) {
                self.tell_hidden(id);
            }
        }
        for id in flat.all_of {
            let why = "its parts are laid side by side, and all of them hold";
            self.lose(id, "allOf", (Change::Rewritten, Effect::None), why);
        }
        Ok(flat.nodes)
    }

    /// A reference that stays one.
    fn reference(&mut self, parts: &[usize], null: bool) -> Made<Option<Value>> {
        let &[id] = parts else {
            return Ok(None);
        };
        let (Some(target), Some(members)) = (self.view.target(id), self.view.value(id).as_object())
        else {
            return Ok(None);
        };
        if self.view.get(id, "$ref").is_none() {
            return Ok(None);
        }
        let recursive = self.view.is_recursive(target);
        let at = self.view.pointer(id).join("$ref");
        if !self.target.knows("$ref") {
            if recursive {
                let why = "the schema refers to itself, and the target has no references";
                return Err(self.refuse(&at, Some("$ref"), why));
            }
            return Ok(None);
        }
        if recursive && !self.target.refs.recursive {
            let why = format!(
                "the schema refers to itself, which {} refuses",
                self.target.name
            );
            return Err(self.refuse(&at, Some("$ref"), why));
        }
        let beside: Vec<&String> = members
            .keys()
            .filter(|name| !matches!(name.as_str(), "$ref" | "$defs" | "definitions"))
            .collect();
        let asserted = beside.iter().any(|name| self.view.asserts(id, name));
        let said = beside.iter().any(|name| self.target.knows(name));
        if !self.view.is_hidden(id) && asserted || said && !recursive {
            // Both hold: the referent and its siblings are laid side by side.
            return Ok(None);
        }
        for name in beside {
            let why = "nothing may stand beside a reference";
            self.lose(id, name, (Change::Dropped, Effect::None), why);
        }
        let reference = json!({"$ref": self.name_of(target)});
        if !null || self.view.takes_null(&[target], 0) {
            return Ok(Some(reference));
        }
        Ok(Some(match self.target.null {
            Null::Type => json!({"anyOf": [reference, {"type": "null"}]}),
            Null::Nullable => json!({"anyOf": [reference], "nullable": true}),
        }))
    }

    /// How the projection refers to a subschema of the source; definitions keep their names.
    fn name_of(&mut self, target: usize) -> String {
        if target == 0 {
            return "#".to_owned();
        }
        if let Some((keyword, name)) = self.definitions.get(&target) {
            return format!("#/{keyword}/{name}");
        }
        let tokens: Vec<_> = self.view.pointer(target).tokens().collect();
        let plain = |name: &str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            !name.is_empty() && name.chars().all(allowed)
        };
        let (keyword, wanted) = match tokens.as_slice() {
            [keyword, name] if keyword == "definitions" && plain(name) => ("definitions", name),
            [.., name] if plain(name) => ("$defs", name),
            _ => ("$defs", &std::borrow::Cow::Borrowed("part")),
        };
        let taken = |name: &str| self.definitions.values().any(|(_, other)| other == name);
        let mut name = wanted.to_string();
        let mut number = 2;
        while taken(&name) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        let text = format!("#/{keyword}/{name}");
        self.definitions.insert(target, (keyword, name));
        self.waiting.push_back(target);
        text
    }
}

pub(super) fn sorted(nodes: &[usize]) -> Vec<usize> {
    let mut key = nodes.to_vec();
    key.sort_unstable();
    key
}
