//! Keywords about one value: types, listed values, bounds, required members.

use serde_json::{Value, json};

use super::{Bearing, Walk, narrower, sets, short};
use crate::generate::Types;
use crate::project::maker::type_names;
use crate::schema::equal;
use crate::source::cut;

impl Walk<'_, '_, '_, '_> {
    pub(super) fn types(&mut self, old: usize, new: usize, plain: bool) {
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

    pub(super) fn values(&mut self, old: usize, new: usize, plain: bool) {
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

    pub(super) fn bound(
        &mut self,
        (old, new): (usize, usize),
        keyword: &str,
        greater: bool,
        plain: bool,
    ) {
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

    pub(super) fn required(&mut self, old: usize, new: usize, plain: bool) {
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
}
