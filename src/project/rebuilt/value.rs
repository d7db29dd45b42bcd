//! Types, values and bounds in a rebuilt schema, and what is left out of it.

use serde_json::{Map, Value, json};

use super::union::Hoisted;
use crate::generate::Types;
use crate::project::loss::{Change, Effect};
use crate::project::maker::{Made, Maker, Stop, concerns, type_names};
use crate::project::target::Null;
use crate::source::Pointer;

const CONTAINERS: Types = Types::ARRAY.or(Types::OBJECT);

impl Maker<'_, '_, '_> {
    /// What `nodes` ask for together, without unions.
    pub(super) fn plain(&mut self, nodes: &[usize], at: &Pointer, null: bool) -> Made<Value> {
        let mut types = self.stated(nodes);
        let mut values = self.view.values(nodes);
        if let Some(values) = &mut values {
            values.retain(|value| types.is_none_or(|types| types.contains(Types::of(value))));
            let each = values.iter().map(Types::of);
            types = Some(each.fold(Types::NONE, Types::or));
        }
        if types.is_some_and(Types::is_none) {
            return Err(Stop::Nothing);
        }
        if values.as_ref().is_some_and(|values| !self.lists(values)) {
            for id in nodes {
                for keyword in ["enum", "const"] {
                    if self.view.get(*id, keyword).is_some() {
                        let kinds = self.target.enum_types.join(" and ");
                        let why =
                            format!("{} lists values of type {kinds} alone", self.target.name);
                        self.widen(*id, keyword, why);
                    }
                }
            }
            values = None;
        }
        let all = types.unwrap_or(Types::ALL);
        self.survey(nodes, all);
        let mut types = match types {
            Some(types) => types,
            None => self.supposed(nodes, at),
        };
        let null = null || types.contains(Types::NULL);
        if null {
            types = types.or(Types::NULL);
            if let Some(values) = &mut values
                && !values.iter().any(Value::is_null)
            {
                values.push(Value::Null);
            }
        }
        let mut map = self.kinds(nodes, types, values.as_deref(), at)?;
        if let Some(left) = map.get_mut("anyOf") {
            // A union of types: what is said of the whole stands outside of it.
            let branches = left.take();
            map.clear();
            self.annotate(nodes, &mut map);
            map.insert("anyOf".to_owned(), branches);
        }
        Ok(Value::Object(map))
    }

    /// The types that are named.
    fn stated(&self, nodes: &[usize]) -> Option<Types> {
        let named = nodes.iter().filter_map(|id| self.view.get(*id, "type"));
        named.map(Types::named).reduce(Types::and)
    }

    /// Whether the target can list these values.
    fn lists(&self, values: &[Value]) -> bool {
        let target = self.target;
        let known = target.knows("enum") || values.len() == 1 && target.knows("const");
        let fits = |value: &Value| {
            value.is_null()
                || target
                    .enum_types
                    .iter()
                    .any(|name| Types::named(&json!(name)).contains(Types::of(value)))
        };
        known && (target.enum_types.is_empty() || values.iter().all(fits))
    }

    /// The types that stand where none is named: those that the keywords speak of, else those that
    /// the table has for any value.
    fn supposed(&mut self, nodes: &[usize], at: &Pointer) -> Types {
        if self.target.any.is_empty() {
            return Types::ALL;
        }
        let mut spoken = Types::NONE;
        for id in nodes {
            let members = self.view.value(*id).as_object().into_iter().flatten();
            for (name, _) in members {
                if self.view.asserts(*id, name) && concerns(name) != Types::ALL {
                    spoken = spoken.or(concerns(name));
                }
            }
        }
        let place = match nodes.first() {
            Some(id) => self.view.pointer(*id).clone(),
            None => self.here.clone(),
        };
        let (types, why) = if spoken.is_none() {
            let any = self
                .target
                .any
                .iter()
                .map(|name| Types::named(&json!(name)));
            let why = format!(
                "a type has to be named: {} stand for any value",
                self.target.any.join(", ")
            );
            (any.fold(Types::NONE, Types::or), why)
        } else {
            let names = type_names(spoken).join(" and ");
            (
                spoken,
                format!("a type has to be named, and the keywords speak of {names}"),
            )
        };
        self.lose_at(
            &place.join("type"),
            "type",
            (Change::Narrowed, Effect::Narrower),
            why,
        );
        self.narrowed.push(at.join("type"));
        self.narrowed.push(at.join("anyOf"));
        types
    }

    /// One schema of these types, or a union of one for each group that has to stand by itself.
    fn kinds(
        &mut self,
        nodes: &[usize],
        types: Types,
        values: Option<&[Value]>,
        at: &Pointer,
    ) -> Made<Map<String, Value>> {
        let solid = types.without(Types::NULL);
        let names = type_names(solid);
        let mixed = names.len() > 1 && types.contains(CONTAINERS);
        if names.len() <= 1 || self.target.type_lists && !mixed {
            return self.one_kind(nodes, (types, values), at, None);
        }
        for id in nodes {
            if self.view.get(*id, "type").is_some_and(Value::is_array) {
                let why = "a union of one schema a type stands for the list of types";
                self.lose(*id, "type", (Change::Rewritten, Effect::None), why);
            }
        }
        let mut groups: Vec<Types> = Vec::new();
        let scalars = types.without(CONTAINERS);
        if self.target.type_lists {
            groups.push(scalars);
        } else {
            let each = [Types::STRING, Types::NUMBER, Types::BOOLEAN];
            groups.extend(each.map(|kind| kind.and(solid)));
        }
        groups.extend([Types::ARRAY, Types::OBJECT].map(|kind| kind.and(types)));
        groups.retain(|group| !group.is_none());
        let mut branches = Vec::new();
        for mut group in groups {
            if !self.target.type_lists && branches.is_empty() {
                group = group.or(types.and(Types::NULL));
            }
            let fitting = values.map(|values| {
                let of_group = |value: &&Value| group.contains(Types::of(value));
                values.iter().filter(of_group).cloned().collect::<Vec<_>>()
            });
            if fitting.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            let place = at.join("anyOf").join(branches.len());
            let quiet = self.quiet.len();
            self.quiet.extend(nodes);
            let made = self.one_kind(nodes, (group, fitting.as_deref()), &place, None);
            self.quiet.truncate(quiet);
            match made {
                Ok(map) => branches.push(Value::Object(map)),
                Err(Stop::Nothing) => self.mapping.forget(&place),
                Err(refused) => return Err(refused),
            }
        }
        if branches.is_empty() {
            return Err(Stop::Nothing);
        }
        let mut map = Map::new();
        map.insert("anyOf".to_owned(), Value::Array(branches));
        Ok(map)
    }

    /// A schema whose types need no union.
    pub(super) fn one_kind(
        &mut self,
        nodes: &[usize],
        (types, values): (Types, Option<&[Value]>),
        at: &Pointer,
        hoisted: Option<&Hoisted>,
    ) -> Made<Map<String, Value>> {
        let mut map = Map::new();
        let solid = types.without(Types::NULL);
        let null = types.contains(Types::NULL);
        let mut names = match self.target.null {
            Null::Nullable if !solid.is_none() => type_names(solid),
            _ => type_names(types),
        };
        if types != Types::ALL || !self.target.any.is_empty() {
            map.insert(
                "type".to_owned(),
                match names.len() {
                    1 => json!(names.remove(0)),
                    _ => json!(names),
                },
            );
        }
        if null && !solid.is_none() && self.target.null == Null::Nullable {
            map.insert("nullable".to_owned(), json!(true));
        }
        self.annotate(nodes, &mut map);
        if let Some(values) = values {
            self.list(nodes, values, &mut map);
        }
        self.bounds(nodes, types, &mut map);
        if types.contains(Types::OBJECT) {
            self.object(nodes, hoisted, at, &mut map)?;
        }
        if types.contains(Types::ARRAY) {
            self.array(nodes, at, &mut map)?;
        }
        Ok(map)
    }

    fn list(&mut self, nodes: &[usize], values: &[Value], map: &mut Map<String, Value>) {
        let constant = nodes.iter().any(|id| self.view.get(*id, "const").is_some());
        if let ([only], true, true) = (values, constant, self.target.knows("const")) {
            map.insert("const".to_owned(), only.clone());
            return;
        }
        // With `nullable` beside it, null needs no mention.
        let kept = values
            .iter()
            .filter(|value| self.target.null == Null::Type || !value.is_null());
        let kept: Vec<Value> = kept.cloned().collect();
        if kept.is_empty() {
            return;
        }
        if constant {
            for id in nodes {
                if self.view.get(*id, "const").is_some() && !self.target.knows("const") {
                    let why = "an enum of one value stands in its place";
                    self.lose(*id, "const", (Change::Rewritten, Effect::None), why);
                }
            }
        }
        map.insert("enum".to_owned(), Value::Array(kept));
    }
}
