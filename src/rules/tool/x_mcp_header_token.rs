//! mcp.tool.x-mcp-header.token: a header annotation is a token that HTTP allows as a field name.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::shape::article;
use crate::rules::tool_header::{annotations, is_tchar};
use crate::source::cut;

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for annotation in annotations(view) {
        let message = match annotation.value {
            Value::String(name) if name.is_empty() => "the header name is empty".to_owned(),
            Value::String(name) => match name.chars().find(|char| !is_tchar(*char)) {
                Some(char) => format!(
                    "the header name \"{}\" holds {char:?}, which no field name may",
                    cut(name, 40)
                ),
                None => continue,
            },
            other => format!("the header name is {}, not a string", article(other)),
        };
        out.push(Finding::new(annotation.pointer, message));
    }
}
