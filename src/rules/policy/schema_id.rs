//! policy.schema.id: a file of a catalogue has an identifier that stays and a version that moves.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::document::SchemaFile;
use crate::rules::context::Context;
use crate::source::cut;

pub(in crate::rules) fn check(_: &Context<'_>, file: &SchemaFile<'_>, out: &mut Vec<Finding>) {
    let root = &file.at;
    let id = root.value.get("$id").and_then(Value::as_str).unwrap_or_default();
    let version = root.value.get("version").and_then(Value::as_str).unwrap_or_default();
    if id.is_empty() {
        let message = "`$id` is missing: once the file moves, nobody can tell that it is the same schema";
        out.push(Finding::new(root.pointer.clone(), message).keyword("$id"));
    } else if !id.contains(':') {
        let message = "`$id` is relative: it names another schema wherever the file is served from";
        out.push(Finding::new(root.pointer.join("$id"), message).keyword("$id"));
    }
    if version.is_empty() {
        let message = "`version` is missing: nobody can say which state of the schema they were written to";
        out.push(Finding::new(root.pointer.clone(), message).keyword("version"));
    }
    if let Some((catalogue, index)) = file.among
        && !id.is_empty()
    {
        let mut others = catalogue.entries.iter().enumerate();
        let twin = others.find(|(other, entry)| {
            *other != index
                && entry.id.as_deref() == Some(id)
                && entry.version.as_deref() == Some(version)
        });
        if let Some((_, entry)) = twin {
            let path = entry.path.display().to_string();
            let message = format!("`$id` and version are those of {} as well", cut(&path, 120));
            out.push(Finding::new(root.pointer.join("$id"), message).keyword("$id"));
        }
    }
}
