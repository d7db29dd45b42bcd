//! Bounds in a rebuilt schema, and the report of every keyword that is not carried over.

use serde_json::{Map, Value};

use crate::generate::Types;
use crate::project::loss::{Change, Effect};
use crate::project::maker::{Maker, concerns, is_annotation, type_names, would_assert};

/// Keywords with a bound, and whether of two the greater one binds.
const BOUNDS: [(&str, Option<bool>); 13] = [
    ("pattern", None),
    ("format", None),
    ("minLength", Some(true)),
    ("maxLength", Some(false)),
    ("minimum", Some(true)),
    ("maximum", Some(false)),
    ("exclusiveMinimum", Some(true)),
    ("exclusiveMaximum", Some(false)),
    ("multipleOf", None),
    ("minItems", Some(true)),
    ("maxItems", Some(false)),
    ("minProperties", Some(true)),
    ("maxProperties", Some(false)),
];

/// Keywords that other parts of the rebuilding answer for.
const ANSWERED: [&str; 16] = [
    "type",
    "enum",
    "const",
    "$ref",
    "$defs",
    "definitions",
    "allOf",
    "anyOf",
    "oneOf",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "items",
    "prefixItems",
];

impl Maker<'_, '_, '_> {
    /// Bounds, each with the value that binds.
    pub(super) fn bounds(&mut self, nodes: &[usize], types: Types, map: &mut Map<String, Value>) {
        for (keyword, greater) in BOUNDS {
            if !types.contains(concerns(keyword)) || !self.target.knows(keyword) {
                continue;
            }
            let mut best: Option<(usize, &Value)> = None;
            for id in nodes {
                let Some(value) = self.view.get(*id, keyword) else {
                    continue;
                };
                if self.takes(keyword, value).is_err() {
                    continue;
                }
                let Some((_, known)) = best else {
                    best = Some((*id, value));
                    continue;
                };
                match greater {
                    Some(greater) => {
                        let (one, other) = (known.as_f64(), value.as_f64());
                        if one
                            .zip(other)
                            .is_some_and(|(a, b)| if greater { b > a } else { b < a })
                        {
                            best = Some((*id, value));
                        }
                    }
                    None if known == value => {}
                    None if keyword == "format" => {
                        let why = "another format stands beside it";
                        self.lose(*id, keyword, (Change::Dropped, Effect::None), why);
                    }
                    None => self.widen(
                        *id,
                        keyword,
                        "another one stands beside it, and one is taken",
                    ),
                }
            }
            if let Some((_, value)) = best {
                map.insert(keyword.to_owned(), value.clone());
            }
        }
    }

    /// Reports every keyword that is not carried over, for values of `types`.
    pub(super) fn survey(&mut self, nodes: &[usize], types: Types) {
        for id in nodes {
            let Some(members) = self.view.value(*id).as_object() else {
                continue;
            };
            for (keyword, value) in members {
                self.report(*id, keyword, value, types);
            }
        }
    }

    /// Reports the annotations that are not carried over.
    pub(super) fn tell_unsaid(&mut self, nodes: &[usize]) {
        for id in nodes {
            let members = self.view.value(*id).as_object().into_iter().flatten();
            for (keyword, value) in members {
                if is_annotation(self.view.dialect(*id).keyword(keyword)) {
                    self.report(*id, keyword, value, Types::ALL);
                }
            }
        }
    }

    fn report(&mut self, id: usize, keyword: &str, value: &Value, types: Types) {
        let holds = self.view.dialect(id).keyword(keyword);
        let dropped = (Change::Dropped, Effect::None);
        if would_assert(holds, keyword) {
            self.lose(
                id,
                keyword,
                dropped,
                "the dialect of the source does not know the keyword",
            );
            return;
        }
        if holds.is_some() && !types.contains(concerns(keyword)) {
            let names = type_names(types).join(" or ");
            let why = format!("it says nothing of a value of type {names}");
            self.lose(id, keyword, dropped, why);
            return;
        }
        if ANSWERED.contains(&keyword) {
            return;
        }
        if is_annotation(holds) {
            if let Err(why) = self.takes(keyword, value) {
                self.lose(id, keyword, dropped, why);
            }
            return;
        }
        match keyword {
            "then" | "else" if self.view.get(id, "if").is_none() => {
                self.lose(id, keyword, dropped, "without an if it says nothing");
            }
            "additionalItems" if !self.view.get(id, "items").is_some_and(Value::is_array) => {
                self.lose(id, keyword, dropped, "without a tuple it says nothing");
            }
            "additionalItems" => {}
            "minContains" | "maxContains" if self.view.get(id, "contains").is_none() => {
                self.lose(id, keyword, dropped, "without contains it says nothing");
            }
            "contentSchema" => self.lose(id, keyword, dropped, self.target.why(keyword)),
            _ => {
                let flag = matches!(keyword, "exclusiveMinimum" | "exclusiveMaximum");
                match self.takes(keyword, value) {
                    Err(why) if flag && value == &Value::Bool(false) => {
                        self.lose(id, keyword, dropped, why);
                    }
                    Err(why) => self.widen(id, keyword, why),
                    Ok(()) if BOUNDS.iter().any(|(it, _)| *it == keyword) => {}
                    // The table lists it, and this code does not know how to say it.
                    Ok(()) => self.widen(id, keyword, "it is not carried over"),
                }
            }
        }
    }

    /// Reports what a reference hides, as it does up to draft 7.
    pub(super) fn tell_hidden(&mut self, id: usize) {
        let members = self.view.value(id).as_object().into_iter().flatten();
        let beside = members
            .map(|(name, _)| name)
            .filter(|name| name.as_str() != "$ref");
        for name in beside {
            let why = "it stands beside a reference, which hides it in this dialect";
            self.lose(id, name, (Change::Dropped, Effect::None), why);
        }
    }

    /// What the subschemas say for readers: `title`, `description` and the like; of two that say
    /// it the first counts, which is the outermost.
    pub(super) fn annotate(&mut self, nodes: &[usize], map: &mut Map<String, Value>) {
        for id in nodes {
            if self.quiet.contains(id) {
                continue;
            }
            let Some(members) = self.view.value(*id).as_object() else {
                continue;
            };
            for (name, value) in members {
                let holds = self.view.dialect(*id).keyword(name);
                let told = is_annotation(holds) && !would_assert(holds, name);
                if told && self.target.knows(name) && name != "$ref" && name != "format" {
                    map.entry(name.clone()).or_insert_with(|| value.clone());
                }
            }
        }
    }
}
