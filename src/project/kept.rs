//! A schema as its source has it, but for what the table leaves out.

use serde_json::{Map, Value, json};

use super::loss::{Change, Effect};
use super::maker::{Made, Maker, is_annotation};
use super::relax::Edit;
use crate::generate::Types;
use crate::schema::{Dialect, Holds};
use crate::source::Pointer;

/// Keywords that compose a schema at its root.
const COMPOSITION: [&str; 3] = ["anyOf", "oneOf", "allOf"];

impl Maker<'_, '_, '_> {
    /// The whole schema.
    pub(super) fn keep(&mut self) -> Made<Value> {
        if !self.names.is_empty() {
            self.check_names()?;
        }
        let mut value = self.copy(self.view.value(0), self.view.dialect(0), &Pointer::root());
        if let (Some(root), Some(map)) = (self.target.root_of(self.member), value.as_object_mut()) {
            let types = self.view.types(&[0], 0);
            if root.object && types != Some(Types::OBJECT) {
                if types.is_some() {
                    return Err(self.not_an_object());
                }
                self.only_an_object();
            }
            if root.object {
                put_type(map);
            }
            if !root.composition {
                self.drop_composition(map);
            }
        }
        Ok(value)
    }

    /// Refuses names that something else than `properties` speaks of.
    fn check_names(&mut self) -> Made<()> {
        for id in self.view.every() {
            for keyword in ["patternProperties", "propertyNames"] {
                if self.view.get(id, keyword).is_some() {
                    let at = self.view.pointer(id).join(keyword);
                    let why = "some properties get other names, and this speaks of names";
                    return Err(self.refuse(&at, Some(keyword), why));
                }
            }
            let reference = self.view.get(id, "$ref").and_then(Value::as_str);
            if reference.is_some_and(|text| text.contains("/properties/")) {
                let at = self.view.pointer(id).join("$ref");
                let why = "some properties get other names, and the reference leads through one";
                return Err(self.refuse(&at, Some("$ref"), why));
            }
        }
        Ok(())
    }

    /// A subschema; its levels are bounded with the source.
    fn copy(&mut self, value: &Value, dialect: Dialect, at: &Pointer) -> Value {
        let Value::Object(members) = value else {
            return value.clone();
        };
        let dialect = self
            .view
            .id(value)
            .map_or(dialect, |id| self.view.dialect(id));
        let mut copied = Map::new();
        for (keyword, held) in members {
            let holds = dialect.keyword(keyword);
            let place = at.join(keyword);
            if !self.target.knows(keyword) {
                let why = self.target.why(keyword);
                if is_annotation(holds) {
                    self.lose_at(&place, keyword, (Change::Dropped, Effect::None), why);
                } else {
                    self.lose_at(&place, keyword, (Change::Dropped, Effect::Wider), why);
                    self.edits.push(Edit::Remove(place));
                }
                continue;
            }
            let held = self.held(keyword, held, (holds, dialect), &place);
            copied.insert(keyword.clone(), held);
        }
        Value::Object(copied)
    }

    /// The value of a keyword: subschemas are copied, names mapped, data left alone.
    fn held(
        &mut self,
        keyword: &str,
        value: &Value,
        (holds, dialect): (Option<Holds>, Dialect),
        at: &Pointer,
    ) -> Value {
        let named = matches!(keyword, "properties" | "dependentSchemas" | "dependencies");
        match (holds, value) {
            (Some(Holds::Schema | Holds::SchemaOrSchemas), Value::Object(_)) => {
                self.copy(value, dialect, at)
            }
            (Some(Holds::Schemas | Holds::SchemaOrSchemas), Value::Array(items)) => {
                let items = items.iter().enumerate();
                items
                    .map(|(index, item)| self.copy(item, dialect, &at.join(index)))
                    .collect()
            }
            (Some(Holds::Named | Holds::NamedOrNames), Value::Object(members)) => {
                let mut copied = Map::new();
                for (name, member) in members {
                    let taken = if named {
                        self.names.forward(name)
                    } else {
                        name
                    };
                    let member = match member {
                        Value::Array(names) => self.renamed(names),
                        member => self.copy(member, dialect, &at.join(name)),
                    };
                    copied.insert(taken.to_owned(), member);
                }
                Value::Object(copied)
            }
            (Some(Holds::Assertion), Value::Array(names)) if keyword == "required" => {
                self.renamed(names)
            }
            (Some(Holds::Assertion), Value::Object(members)) if keyword == "dependentRequired" => {
                let mut copied = Map::new();
                for (name, names) in members {
                    let names = names
                        .as_array()
                        .map_or(json!([]), |names| self.renamed(names));
                    copied.insert(self.names.forward(name).to_owned(), names);
                }
                Value::Object(copied)
            }
            _ => value.clone(),
        }
    }

    fn renamed(&self, names: &[Value]) -> Value {
        let each = names.iter().map(|name| match name.as_str() {
            Some(name) => json!(self.names.forward(name)),
            None => name.clone(),
        });
        each.collect()
    }

    /// Drops what composes the root; the members that its branches declare stay visible.
    fn drop_composition(&mut self, map: &mut Map<String, Value>) {
        let because = self
            .target
            .root_of(self.member)
            .map_or("", |root| &root.because)
            .to_owned();
        for keyword in COMPOSITION {
            if map.shift_remove(keyword).is_none() {
                continue;
            }
            let mut seen: Vec<(String, Vec<Value>)> = Vec::new();
            for branch in self.view.children(0, keyword) {
                self.shown(branch, &mut seen, 0);
            }
            let properties = map.entry("properties").or_insert_with(|| json!({}));
            let Some(properties) = properties.as_object_mut() else {
                continue;
            };
            let mut added = false;
            for (name, mut alternatives) in seen {
                let taken = self.names.forward(&name).to_owned();
                let free = self
                    .view
                    .member(&[0], &name)
                    .is_some_and(|parts| parts.is_empty());
                if properties.contains_key(&taken) || !free {
                    continue;
                }
                let value = match alternatives.as_mut_slice() {
                    [only] => only.take(),
                    _ => json!({"anyOf": alternatives}),
                };
                self.narrowed
                    .push(Pointer::root().join("properties").join(&taken));
                properties.insert(taken, value);
                added = true;
            }
            if properties.is_empty() {
                map.shift_remove("properties");
            }
            let (effect, tail) = if added {
                (
                    Effect::Both,
                    "; the members of its parts stand side by side, optional",
                )
            } else {
                (Effect::Wider, "")
            };
            let why = format!("{because}{tail}");
            self.lose(0, keyword, (Change::Weakened, effect), why);
            self.edits.push(Edit::Remove(Pointer::root().join(keyword)));
            if self.view.get(0, "unevaluatedProperties").is_some() {
                map.shift_remove("unevaluatedProperties");
                let why = "which members are left over depends on what is dropped";
                self.widen(0, "unevaluatedProperties", why);
            }
        }
    }

    /// The members that a branch declares, each once for every way in which it does.
    fn shown(&mut self, branch: usize, seen: &mut Vec<(String, Vec<Value>)>, level: usize) {
        const DEEPEST: usize = 8;
        let flat = self.view.flat(&[branch]);
        for id in flat.nodes {
            for (name, member) in self.view.named(id, "properties") {
                let at = self.view.pointer(member).clone();
                let value = self.copy(self.view.value(member), self.view.dialect(member), &at);
                match seen.iter_mut().find(|(it, _)| it == name) {
                    Some((_, ways)) if ways.contains(&value) => {}
                    Some((_, ways)) => ways.push(value),
                    None => seen.push((name.to_owned(), vec![value])),
                }
            }
            if level < DEEPEST {
                for (_, _, branches) in self.view.unions(&[id]) {
                    for branch in branches {
                        self.shown(branch, seen, level + 1);
                    }
                }
            }
        }
    }
}

/// States the type of the root first, where a reader looks for it.
fn put_type(map: &mut Map<String, Value>) {
    if map.get("type").is_some_and(|known| known == "object") {
        return;
    }
    map.shift_remove("type");
    map.shift_insert(0, "type".to_owned(), json!("object"));
}
