//! The stated inverse of a projection as data, for whoever reads values back in another language.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Part;

/// How a value of one projected schema is read back.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadBack {
    /// The member of the tool; `schema` where the item is one.
    pub member: &'static str,
    /// Members of objects of the projected schema that are to be taken out where they are null.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<Nulls>,
    /// The projection's names with the source's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
}

/// Members of one object for which null stands in.
#[derive(Clone, Debug, Serialize)]
pub struct Nulls {
    /// The object's schema, from the root of the projected schema.
    pub at: String,
    /// Its members.
    pub members: Vec<String>,
}

impl ReadBack {
    /// How the part's values are read back; `None` where they are the same.
    pub fn new(part: &Part) -> Option<Self> {
        let strips = part.mapping.nulls().map(|(at, members)| Nulls {
            at: at.to_string(),
            members: members
                .iter()
                .filter(|(_, strip)| **strip)
                .map(|(name, _)| name.clone())
                .collect(),
        });
        let absent: Vec<Nulls> = strips.filter(|nulls| !nulls.members.is_empty()).collect();
        let changed = part.mapping.names.changed();
        let names = changed
            .map(|(name, taken)| (taken.to_owned(), name.to_owned()))
            .collect();
        let read = Self {
            member: part.member,
            absent,
            names,
        };
        (!read.absent.is_empty() || !read.names.is_empty()).then_some(read)
    }
}
