//! mcp.tool.name.format: a name is 1 to 128 letters, digits, `_`, `-` and `.`.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::source::cut;

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let Some(name) = view.tool.name() else {
        return;
    };
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let message = if name.is_empty() {
        "the name is empty".to_owned()
    } else if let Some(char) = name.chars().find(|c| !legal(*c)) {
        format!("the name `{}` holds {char:?}", cut(name, 40))
    } else if name.len() > 128 {
        format!("the name has {} characters, more than 128", name.len())
    } else {
        return;
    };
    out.push(Finding::new(view.tool.at.pointer.join("name"), message));
}
