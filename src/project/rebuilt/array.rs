//! Arrays in a rebuilt schema.

use serde_json::{Map, Value, json};

use crate::project::loss::{Change, Effect};
use crate::project::maker::{Made, Maker, Stop};
use crate::project::relax::Edit;
use crate::source::Pointer;

impl Maker<'_, '_, '_> {
    pub(super) fn array(
        &mut self,
        nodes: &[usize],
        at: &Pointer,
        map: &mut Map<String, Value>,
    ) -> Made<()> {
        let tupled: Vec<usize> = nodes
            .iter()
            .copied()
            .filter(|id| self.is_tuple(*id))
            .collect();
        if !tupled.is_empty() {
            return self.tuple(nodes, &tupled, at, map);
        }
        let items: Vec<usize> = nodes
            .iter()
            .filter_map(|id| self.view.child(*id, "items"))
            .collect();
        let place = at.join("items");
        if let Some(id) = nodes.first()
            && items.is_empty()
        {
            self.here = self.view.pointer(*id).join("items");
        }
        match self.build(&items, &place, false) {
            Ok(value) => drop(map.insert("items".to_owned(), value)),
            Err(Stop::Nothing) => {
                // No element fits, and the empty array does, unless there have to be some.
                let wanted = nodes.iter().filter_map(|id| self.view.get(*id, "minItems"));
                if wanted.filter_map(Value::as_f64).any(|least| least > 0.0) {
                    return Err(Stop::Nothing);
                }
                self.mapping.forget(&place);
                let value = self.build(&[], &place, false)?;
                map.insert("items".to_owned(), value);
                self.at_most(nodes, 0, map);
            }
            Err(refused) => return Err(refused),
        }
        Ok(())
    }

    fn is_tuple(&self, id: usize) -> bool {
        self.view.get(id, "prefixItems").is_some()
            || self.view.get(id, "items").is_some_and(Value::is_array)
    }

    /// The kinds of a tuple's elements, without their order.
    fn tuple(
        &mut self,
        nodes: &[usize],
        tupled: &[usize],
        at: &Pointer,
        map: &mut Map<String, Value>,
    ) -> Made<()> {
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        let mut most: Option<usize> = None;
        for id in tupled {
            let newer = self.view.get(*id, "prefixItems").is_some();
            let (keyword, rest) = if newer {
                ("prefixItems", "items")
            } else {
                ("items", "additionalItems")
            };
            let places = self.view.children(*id, keyword);
            let length = places.len();
            kinds.extend(places.into_iter().map(|place| vec![place]));
            let rest = self
                .view
                .child(*id, rest)
                .filter(|rest| !self.view.flat(&[*rest]).nothing);
            let why = "an element may be of any of the kinds, at any place: order is not said here";
            self.edits
                .push(Edit::TupleToItems(self.view.pointer(*id).clone()));
            if !newer && self.view.get(*id, "additionalItems").is_some() {
                let why = "the kinds and the number of elements say it";
                self.lose(
                    *id,
                    "additionalItems",
                    (Change::Rewritten, Effect::None),
                    why,
                );
            }
            if let Some(rest) = rest {
                kinds.push(vec![rest]);
                self.lose(*id, keyword, (Change::Weakened, Effect::Wider), why);
            } else {
                most = Some(most.map_or(length, |most| most.min(length)));
                let open = self
                    .view
                    .get(*id, if newer { "items" } else { "additionalItems" })
                    .is_none();
                let effect = if open { Effect::Both } else { Effect::Wider };
                self.lose(*id, keyword, (Change::Weakened, effect), why);
                if open {
                    self.narrowed
                        .extend(["items", "maxItems"].map(|keyword| at.join(keyword)));
                }
            }
        }
        let place = at.join("items");
        let mut branches: Vec<Value> = Vec::new();
        for kind in &kinds {
            let at = place.join("anyOf").join(branches.len());
            match self.build(kind, &at, false) {
                Ok(value) if branches.contains(&value) => self.mapping.forget(&at),
                Ok(value) => branches.push(value),
                Err(Stop::Nothing) => self.mapping.forget(&at),
                Err(refused) => return Err(refused),
            }
        }
        if branches.is_empty() {
            branches.push(self.build(&[], &place.join("anyOf").join(0), false)?);
            most = Some(0);
        }
        map.insert("items".to_owned(), json!({"anyOf": branches}));
        if let Some(most) = most {
            self.at_most(nodes, most, map);
        }
        Ok(())
    }

    fn at_most(&mut self, nodes: &[usize], most: usize, map: &mut Map<String, Value>) {
        if self.target.knows("maxItems") {
            let known = map.get("maxItems").and_then(Value::as_u64);
            if known.is_none_or(|known| known > most as u64) {
                map.insert("maxItems".to_owned(), json!(most));
            }
        } else if let Some(id) = nodes
            .iter()
            .find(|id| self.view.get(**id, "items").is_some())
        {
            self.widen(*id, "items", self.target.why("maxItems"));
        }
    }
}
