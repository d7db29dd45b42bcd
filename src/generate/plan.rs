//! A schema made ready to draw values from: its subschemas by place, how deep each must go at
//! least, its patterns, and its hard parts compiled.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::shape::{Impossible, Part, Shape};
use super::string::Pattern;
use super::types::Types;
use crate::schema::{
    Compiled, Dialect, Instance, Judgement, Schema, Subschemas, Target, Unjudged, Unusable,
};
use crate::source::Pointer;

/// The height of a subschema that nothing finite fits.
pub(super) const ENDLESS: u32 = u32::MAX;

/// What laying parts side by side came to.
type Laid = Result<Rc<Shape>, Impossible>;

/// A schema to draw values from.
pub(super) struct Plan<'a> {
    schema: Schema<'a>,
    whole: Arc<Compiled>,
    /// Where the references of a subschema lead; `None` for a meta-schema.
    references: HashMap<usize, Vec<Option<usize>>>,
    /// How many levels of containers a subschema asks for at least.
    heights: Vec<u32>,
    patterns: HashMap<&'a str, Option<Pattern>>,
    pub(super) shapes: RefCell<HashMap<Vec<Part>, Laid>>,
    compiled: Subschemas,
}

impl<'a> Plan<'a> {
    pub(super) fn new(schema: Schema<'a>) -> Result<Self, Unusable> {
        let whole = schema.compiled()?;
        let tree = schema.tree();
        let mut references: HashMap<usize, Vec<Option<usize>>> = HashMap::new();
        for reference in &tree.references {
            let target = match reference.target {
                Target::Node(id) => Some(id),
                _ => None,
            };
            references.entry(reference.node).or_default().push(target);
        }
        let mut patterns = HashMap::new();
        for node in &tree.nodes {
            let members = node.get("patternProperties").and_then(Value::as_object);
            let names = members.into_iter().flat_map(Map::keys).map(String::as_str);
            for text in names.chain(node.get("pattern").and_then(Value::as_str)) {
                patterns.entry(text).or_insert_with(|| Pattern::new(text));
            }
        }
        let mut plan = Self {
            schema,
            whole,
            references,
            heights: Vec::new(),
            patterns,
            shapes: RefCell::default(),
            compiled: Subschemas::default(),
        };
        plan.measure();
        Ok(plan)
    }

    /// The subschema `id` as it is written.
    pub(super) fn value(&self, id: usize) -> &'a Value {
        self.schema.tree().nodes[id].value
    }

    /// The dialect that the subschema is read by.
    pub(super) fn dialect(&self, id: usize) -> Dialect {
        self.schema.tree().nodes[id].dialect
    }

    /// Where the subschema stands.
    pub(super) fn pointer(&self, id: usize) -> &Pointer {
        &self.schema.tree().nodes[id].pointer
    }

    /// What the subschema says under `keyword`, if its dialect knows that.
    pub(super) fn get(&self, id: usize, keyword: &str) -> Option<&'a Value> {
        self.schema.tree().keyword(id, keyword)
    }

    /// The subschema that `value` is.
    pub(super) fn id(&self, value: &Value) -> Option<usize> {
        self.schema.tree().id(value)
    }

    /// The subschemas in the array, or the one schema, under `keyword`.
    pub(super) fn children(&self, id: usize, keyword: &str) -> Vec<usize> {
        match self.get(id, keyword) {
            Some(Value::Array(items)) => items.iter().filter_map(|item| self.id(item)).collect(),
            Some(value) => self.id(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// The one subschema under `keyword`.
    pub(super) fn child(&self, id: usize, keyword: &str) -> Option<usize> {
        self.get(id, keyword)
            .filter(|value| !value.is_array())
            .and_then(|value| self.id(value))
    }

    /// Where the subschema's references lead.
    pub(super) fn targets(&self, id: usize) -> &[Option<usize>] {
        self.references.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The subschema, or what it refers to where it is nothing but a reference.
    pub(super) fn followed(&self, mut id: usize) -> usize {
        // Chains of references are finite: a cycle in place is refused with the schema.
        while let (Some(Some(target)), true) = (
            self.targets(id).first(),
            self.get(id, "properties").is_none(),
        ) {
            id = *target;
        }
        id
    }

    /// How many levels of containers the subschema asks for at least.
    pub(super) fn height(&self, id: usize) -> u32 {
        self.heights[id]
    }

    /// The pattern of this text, which the schema holds.
    pub(super) fn pattern(&self, text: &str) -> Option<&Pattern> {
        self.patterns.get(text)?.as_ref()
    }

    /// Whether `value` fits the subschema. What cannot be compiled by itself is left to the whole.
    pub(super) fn fits(&self, id: usize, value: &Value) -> bool {
        let fits = self.compiled.fits(&self.schema, id, value);
        fits.unwrap_or(true)
    }

    /// What the whole schema says of `value`: the oracle.
    pub(super) fn judge(&self, value: &Value) -> Judgement {
        self.whole.judge(Instance::plain(value))
    }

    /// Whether `value` fits the whole schema.
    pub(super) fn fits_whole(&self, value: &Value) -> Result<bool, Unjudged> {
        self.whole.fits(Instance::plain(value))
    }

    /// Finds the heights: everything starts as endless, and comes down to what its parts allow.
    fn measure(&mut self) {
        let count = self.schema.tree().nodes.len();
        self.heights = vec![ENDLESS; count];
        let mut changed = true;
        while changed {
            changed = false;
            for id in (0..count).rev() {
                let height = self.least(id);
                changed |= height < self.heights[id];
                self.heights[id] = self.heights[id].min(height);
            }
        }
    }

    fn least(&self, id: usize) -> u32 {
        let above = |id: Option<usize>| id.map_or(0, |id| self.heights[id].saturating_add(1));
        let members = match self.value(id) {
            Value::Bool(false) => return ENDLESS,
            Value::Object(members) => members,
            _ => return 0,
        };
        let targets = self.targets(id).iter().flatten();
        let mut least = targets
            .map(|target| self.heights[*target])
            .max()
            .unwrap_or(0);
        if members.contains_key("$ref") && self.dialect(id).ref_hides_siblings() {
            return least;
        }
        for part in self.children(id, "allOf") {
            least = least.max(self.heights[part]);
        }
        for keyword in ["anyOf", "oneOf"] {
            let branches = self.children(id, keyword);
            let lowest = branches.iter().map(|branch| self.heights[*branch]).min();
            least = least.max(lowest.unwrap_or(0));
        }
        let types = self.get(id, "type").map_or(Types::ALL, Types::named);
        if types.has_scalar() || members.contains_key("enum") || members.contains_key("const") {
            return least;
        }
        let mut inside = ENDLESS;
        if types.contains(Types::OBJECT) {
            let required = self.get(id, "required").and_then(Value::as_array);
            let properties = self.get(id, "properties").and_then(Value::as_object);
            let names = required.into_iter().flatten().filter_map(Value::as_str);
            let children = names.map(|name| Some(above(self.id(properties?.get(name)?))));
            inside = inside.min(children.flatten().max().unwrap_or(0));
        }
        if types.contains(Types::ARRAY) {
            let wanted = self
                .get(id, "minItems")
                .and_then(Value::as_u64)
                .unwrap_or(0);
            let mut deepest = 0;
            if wanted > 0 {
                let prefix = self.children(id, "prefixItems").into_iter();
                let items = prefix.chain(self.children(id, "items"));
                deepest = items.map(|item| above(Some(item))).max().unwrap_or(0);
            }
            if self
                .get(id, "minContains")
                .is_none_or(|least| least.as_u64() != Some(0))
            {
                deepest = deepest.max(above(self.child(id, "contains")));
            }
            inside = inside.min(deepest);
        }
        least.max(inside)
    }
}
