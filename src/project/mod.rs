//! Projections: one schema, said to a target that understands less of JSON Schema.
//!
//! [`Item::project`] is a function of the item and the target's table alone. What comes with the
//! projection is a loss report, one entry a keyword: nothing is dropped, weakened, narrowed or
//! rewritten without one, and what cannot be said is refused with the reason. [`proof`] then holds
//! the two against one another with generated values, and excuses exactly what the report says.

pub mod compare;
pub mod diff;
pub mod drift;
mod envelope;
mod kept;
mod limits;
mod loss;
mod made;
mod maker;
mod mapping;
mod names;
pub mod proof;
mod read_back;
mod rebuilt;
mod relax;
pub mod report;
mod target;
mod usable;
mod view;

use serde_json::{Map, Value, json};

pub use loss::{Change, Effect, Loss, Refusal};
use made::made;
pub use mapping::Mapping;
pub use names::{Charset, NameMap};
pub use read_back::{Nulls, ReadBack};
pub use relax::Edit;
pub use target::{Limits, Making, Names, Null, Objects, Optional, Refs, Root, Target};

use crate::schema::{Bounds, Schema};
use crate::source::Pointer;

/// The members of a tool that are schemas.
const SCHEMAS: [&str; 2] = ["inputSchema", "outputSchema"];

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// An MCP Tool object.
    Tool,
    /// A schema that is no tool's: a handoff, a state, the shape of an answer.
    Contract,
}

/// What is projected, with its schemas read once for all targets.
#[derive(Debug)]
pub struct Item<'a> {
    kind: ItemKind,
    name: String,
    value: &'a Value,
    schemas: Vec<(&'static str, Pointer, Schema<'a>)>,
}

/// One schema of a projection.
#[derive(Clone, Debug)]
pub struct Part {
    /// The member of the tool that it was; `schema` where the item is one.
    pub member: &'static str,
    /// Where it stands in the source.
    pub source: Pointer,
    /// Where it stands in the projection.
    pub place: Pointer,
    /// How values correspond.
    pub mapping: Mapping,
    /// What the projection does not ask for.
    pub edits: Vec<Edit>,
    /// What only the projection asks for, from the root of the projected schema.
    pub narrowed: Vec<Pointer>,
}

impl Part {
    /// A value that was made by the projected schema, as the source has it: null back to absent,
    /// names back to the source's. This is to be done before the source's schema judges.
    ///
    /// `projection` is the whole projection that the part belongs to.
    pub fn read_back(&self, projection: &Projection, target: &Target, value: &Value) -> Value {
        let Some(schema) = projection.value.pointer(self.place.as_str()) else {
            return value.clone();
        };
        let read = proof::reading(schema, target);
        let read = Schema::new(&read, Bounds::default());
        mapping::Mapper::new(&read, &self.mapping).back(value)
    }
}

/// An item as a target has it.
#[derive(Clone, Debug)]
pub struct Projection {
    /// The whole: what is sent to the target.
    pub value: Value,
    /// Its schemas.
    pub parts: Vec<Part>,
    /// What it does not say as the source does.
    pub losses: Vec<Loss>,
}

impl<'a> Item<'a> {
    /// A tool, or a schema under a name of its own.
    pub fn new(kind: ItemKind, name: impl Into<String>, value: &'a Value) -> Self {
        let schema = |value| Schema::new(value, Bounds::default());
        let schemas = match kind {
            ItemKind::Contract => vec![("schema", Pointer::root(), schema(value))],
            ItemKind::Tool => SCHEMAS
                .into_iter()
                .filter_map(|member| {
                    let held = value.get(member)?;
                    Some((member, Pointer::root().join(member), schema(held)))
                })
                .collect(),
        };
        Self {
            kind,
            name: name.into(),
            value,
            schemas,
        }
    }

    /// What it is.
    pub fn kind(&self) -> ItemKind {
        self.kind
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tool or schema.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The schema that stands at `member`.
    pub(crate) fn schema(&self, member: &str) -> Option<&Schema<'a>> {
        let found = self.schemas.iter().find(|(name, ..)| *name == member);
        found.map(|(_, _, schema)| schema)
    }

    /// The SHA-256 of the source's value, so that a committed projection says what it is of.
    pub fn sha256(&self) -> String {
        target::hash(self.value.to_string().as_bytes())
    }

    /// The item as `target` has it.
    ///
    /// # Errors
    /// Why it cannot be said to the target.
    pub fn project(&self, target: &Target) -> Result<Projection, Refusal> {
        let members = self.members()?;
        let mut losses = Vec::new();
        let mut values = members.clone();
        let template = match self.kind {
            ItemKind::Tool => &target.tool,
            ItemKind::Contract => &target.contract,
        };
        let carried = envelope::names(template);
        let mut parts = Vec::new();
        for (member, source, schema) in &self.schemas {
            if !carried.contains(member) {
                continue;
            }
            let role = match self.kind {
                ItemKind::Tool => member,
                ItemKind::Contract => "outputSchema",
            };
            let (made, part, more) = made(schema, target, (member, role), source)?;
            values.insert((*member).to_owned(), made);
            parts.push(part);
            losses.extend(more);
        }
        let name = self.taken_name(target, &mut losses)?;
        values.insert("name".to_owned(), json!(name));
        if self.kind == ItemKind::Tool {
            for member in members
                .keys()
                .filter(|member| !carried.contains(member.as_str()))
            {
                losses.push(uncarried(member, target));
            }
        }
        let filled = envelope::fill(template, &values);
        for part in &mut parts {
            part.place = filled.places.get(part.member).cloned().unwrap_or_default();
        }
        Ok(Projection {
            value: filled.value,
            parts,
            losses,
        })
    }

    /// The members of a tool; of a schema those that describe it.
    fn members(&self) -> Result<Map<String, Value>, Refusal> {
        let refuse = |at: &str, why: &str| Refusal::new(&Pointer::from(at), None, why);
        let members = self.value.as_object();
        match self.kind {
            ItemKind::Contract => {
                let told = |name: &str| members?.get(name).filter(|value| value.is_string());
                let mut values = Map::new();
                if let Some(text) = told("description").or_else(|| told("title")) {
                    values.insert("description".to_owned(), text.clone());
                }
                Ok(values)
            }
            ItemKind::Tool => {
                let members = members.ok_or_else(|| refuse("", "a tool is an object"))?;
                if !members.get("name").is_some_and(Value::is_string) {
                    return Err(refuse("", "the tool has no name"));
                }
                if !members.get("inputSchema").is_some_and(Value::is_object) {
                    return Err(refuse("", "the tool has no inputSchema"));
                }
                Ok(members.clone())
            }
        }
    }

    fn taken_name(&self, target: &Target, losses: &mut Vec<Loss>) -> Result<String, Refusal> {
        let Some(charset) = &target.names.tool else {
            return Ok(self.name.clone());
        };
        let refuse = |_| Refusal::new(&Pointer::from("/name"), None, "the name cannot be written");
        let map = NameMap::new([self.name.as_str()], charset).map_err(refuse)?;
        for (name, taken) in map.changed() {
            losses.push(Loss {
                pointer: "/name".to_owned(),
                keyword: "name".to_owned(),
                change: Change::Rewritten,
                effect: Effect::None,
                reason: format!("{}: `{name}` is `{taken}` here", target.names.because),
            });
        }
        Ok(map.forward(&self.name).to_owned())
    }
}

/// Why a member of a tool is not in the projection.
fn uncarried(member: &str, target: &Target) -> Loss {
    let reason = match member {
        "outputSchema" => format!(
            "{} declares no results: they are for the caller to judge",
            target.name
        ),
        "$id" | "version" => "it belongs to the catalogue, not to the tool".to_owned(),
        _ => format!("{} has no place for it", target.name),
    };
    Loss {
        pointer: Pointer::root().join(member).to_string(),
        keyword: member.to_owned(),
        change: Change::Dropped,
        effect: Effect::None,
        reason,
    }
}
