//! mcp.tool.schema.pattern: a pattern is one that every engine reads alike, in time.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::schema::PatternFault;
use crate::source::cut;

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for (pointer, text, fault) in at.schema.pattern_faults() {
            let text = cut(text, 60);
            let message = match fault {
                PatternFault::NotEcma(why) => {
                    format!("{text} is not ECMA-262 with the u flag: {}", cut(why, 80))
                }
                PatternFault::Unsupported => {
                    format!("{text} is not judged: the engine here does not understand it")
                }
                PatternFault::Explosive => format!(
                    "{text} repeats a repetition, and an engine that backtracks may never finish"
                ),
            };
            out.push(Finding::new(at.at(pointer), message).keyword("pattern"));
        }
    }
}
