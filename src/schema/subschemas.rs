//! Subschemas that judge by themselves, each compiled once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::{Compiled, Instance, Schema};

/// The subschemas of one schema that were asked, by their number in its tree.
#[derive(Default)]
pub(crate) struct Subschemas(RefCell<HashMap<usize, Option<Rc<Compiled>>>>);

impl Subschemas {
    /// Whether `value` fits the subschema `id` of `schema`; `None` where that cannot be compiled by
    /// itself. What cannot be judged does not fit.
    pub(crate) fn fits(&self, schema: &Schema<'_>, id: usize, value: &Value) -> Option<bool> {
        let known = self.0.borrow().get(&id).cloned();
        let compiled = known.unwrap_or_else(|| {
            let compiled = schema.subschema(&schema.tree().nodes[id]).map(Rc::new);
            self.0.borrow_mut().insert(id, compiled.clone());
            compiled
        });
        compiled.map(|compiled| compiled.fits(Instance::plain(value)) == Ok(true))
    }
}
