//! MCP Descriptions: tools with scopes, schemas kept as components.

use super::{At, Subjects};
use crate::protocol::VersionSet;

/// An MCP Description.
#[derive(Debug)]
pub struct Description<'a> {
    /// The document.
    pub at: At<'a>,
    /// The versions that it is for.
    pub versions: VersionSet,
}

/// Reads a description.
pub(super) fn read<'a>(_subjects: &mut Subjects<'a>, _root: At<'a>, _forced: Option<VersionSet>) {}
