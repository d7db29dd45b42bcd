//! Where our judgement of a shape is meant to differ from the published schema, and why.

use mcp_conform::protocol::ProtocolVersion;

use crate::damage::{Change, Damaged};
use crate::judge::Form;
use crate::wire::Shape;

/// Which of the two refuses the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The published schema; the rule lets it pass.
    Lenient,
    /// The published schema; the rule warns.
    Warns,
    /// The rule.
    Stricter,
}

/// A difference that is meant.
pub struct Difference {
    pub side: Side,
    pub rule: &'static str,
    pub versions: &'static [ProtocolVersion],
    pub shapes: &'static [Shape],
    pub forms: &'static [Form],
    /// The damaged value's pointer: `*` is any token, `**` any number of them.
    pub at: &'static str,
    pub when: fn(&Damaged) -> bool,
    pub because: &'static str,
}

impl Difference {
    pub fn covers(&self, version: ProtocolVersion, shape: Shape, form: Form, damaged: &Damaged) -> bool {
        let tokens: Vec<_> = damaged.pointer.split('/').skip(1).collect();
        let pattern: Vec<_> = self.at.split('/').skip(1).collect();
        self.versions.contains(&version)
            && self.shapes.contains(&shape)
            && self.forms.contains(&form)
            && matches(&pattern, &tokens)
            && (self.when)(damaged)
    }
}

fn matches(pattern: &[&str], tokens: &[&str]) -> bool {
    match (pattern, tokens) {
        ([], []) => true,
        (["**", rest @ ..], _) if matches(rest, tokens) => true,
        (["**", ..], [_, tail @ ..]) => matches(pattern, tail),
        ([first, rest @ ..], [token, tail @ ..]) => {
            (*first == "*" || first == token) && matches(rest, tail)
        }
        _ => false,
    }
}

pub const DIFFERENCES: &[Difference] = &[];
