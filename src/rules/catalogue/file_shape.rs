//! catalogue.file.shape: the identifier and the version of a catalogue's file are texts.

use crate::diagnostic::Finding;
use crate::document::SchemaFile;
use crate::rules::context::Context;
use crate::rules::shape::{Type, optional};

pub(in crate::rules) fn check(_: &Context<'_>, file: &SchemaFile<'_>, out: &mut Vec<Finding>) {
    for name in ["$id", "version"] {
        if let Some(at) = optional(&file.at, name, Type::String, out)
            && at.value.as_str() == Some("")
        {
            out.push(Finding::new(at.pointer, format!("`{name}` is empty")));
        }
    }
}
