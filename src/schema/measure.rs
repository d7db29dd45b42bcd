//! How large a schema is, also once its references are written out, and where it never ends.

use serde_json::Value;

use super::dialect::is_in_place;
use super::tree::{Target, Tree};
use crate::source::Pointer;

/// What a schema may cost; a schema beyond is not built and its values are not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Levels of subschemas.
    pub levels: usize,
    /// Subschemas as they are written.
    pub subschemas: usize,
    /// Subschemas once every reference is written out.
    pub expanded: u64,
    /// Members of one `enum`.
    pub enum_members: usize,
    /// Characters of one `pattern`.
    pub pattern_chars: usize,
    /// Reads of an instance while it is judged; some ten million a second.
    pub steps: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            levels: 64,
            subschemas: 10_000,
            expanded: 100_000,
            enum_members: 10_000,
            pattern_chars: 1_000,
            steps: 50_000_000,
        }
    }
}

/// A bound that a schema exceeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// Where.
    pub pointer: Pointer,
    /// What is too large, as a clause.
    pub message: String,
}

/// The bounds that the schema exceeds.
pub(super) fn excesses(tree: &Tree<'_>, bounds: &Bounds) -> Vec<Excess> {
    let mut found = Vec::new();
    let mut add = |pointer: &Pointer, message: String| {
        found.push(Excess {
            pointer: pointer.clone(),
            message,
        });
    };
    let root = Pointer::root();
    if tree.truncated || tree.nodes.len() > bounds.subschemas {
        add(
            &root,
            format!("it has more than {} subschemas", bounds.subschemas),
        );
    }
    // The root is the first level.
    if let Some(deep) = tree.nodes.iter().find(|node| node.depth >= bounds.levels) {
        add(
            &deep.pointer,
            format!("it has more than {} levels of subschemas", bounds.levels),
        );
    }
    for node in &tree.nodes {
        if let Some(Value::Array(members)) = node.get("enum")
            && members.len() > bounds.enum_members
        {
            add(
                &node.pointer.join("enum"),
                format!("an enum has more than {} members", bounds.enum_members),
            );
        }
    }
    for (pointer, pattern) in super::pattern::patterns(tree) {
        if pattern.chars().count() > bounds.pattern_chars {
            add(
                &pointer,
                format!(
                    "a pattern has more than {} characters",
                    bounds.pattern_chars
                ),
            );
        }
    }
    // Only a schema within the other bounds is small enough to be written out at all.
    if found.is_empty() && expanded(tree) > bounds.expanded {
        let limit = bounds.expanded;
        found.push(Excess {
            pointer: root,
            message: format!("written out, its references come to more than {limit} subschemas"),
        });
    }
    found
}

/// The children and the reference targets of each subschema.
fn edges(tree: &Tree<'_>, keep: impl Fn(&str) -> bool) -> Vec<Vec<usize>> {
    let mut edges = vec![Vec::new(); tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent
            && keep(node.keyword)
        {
            edges[parent].push(index);
        }
    }
    for reference in &tree.references {
        if let Target::Node(target) = reference.target {
            edges[reference.node].push(target);
        }
    }
    edges
}

/// The number of subschemas with every reference written out; a reference back into what is being
/// written out counts once. Building takes as long as this is large, and with `unevaluated*` some
/// way on top of it, which is why such a schema counts ten times.
fn expanded(tree: &Tree<'_>) -> u64 {
    let edges = edges(tree, |keyword| !matches!(keyword, "$defs" | "definitions"));
    let mut size: Vec<Option<u64>> = vec![None; tree.nodes.len()];
    let mut entered = vec![false; tree.nodes.len()];
    let mut stack = vec![(0, 0)];
    while let Some((node, next)) = stack.pop() {
        entered[node] = true;
        if let Some(&child) = edges[node].get(next) {
            stack.push((node, next + 1));
            if !entered[child] {
                stack.push((child, 0));
            }
        } else {
            let children = edges[node].iter().map(|child| size[*child].unwrap_or(1));
            size[node] = Some(children.fold(1, u64::saturating_add));
        }
    }
    let marks = tree
        .nodes
        .iter()
        .any(|node| node.keyword.starts_with("unevaluated") || has_unevaluated(node.value));
    let factor = if marks { 10 } else { 1 };
    size[0].unwrap_or(1).saturating_mul(factor)
}

fn has_unevaluated(schema: &Value) -> bool {
    ["unevaluatedProperties", "unevaluatedItems"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some())
}

/// A reference of each loop that applies a schema to one instance for ever (2020-12 Core,
/// section 9.4.1), as an index into the tree's references.
pub(super) fn cycles(tree: &Tree<'_>) -> Vec<usize> {
    let mut edges: Vec<Vec<(usize, Option<usize>)>> = vec![Vec::new(); tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent
            && is_in_place(node.keyword)
        {
            edges[parent].push((index, None));
        }
    }
    for (index, reference) in tree.references.iter().enumerate() {
        if let Target::Node(target) = reference.target {
            edges[reference.node].push((target, Some(index)));
        }
    }
    let mut state = vec![Visit::New; tree.nodes.len()];
    let mut found = Vec::new();
    for root in 0..tree.nodes.len() {
        if state[root] == Visit::New {
            search(root, &edges, &mut state, &mut found);
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Depth-first from `root`; where an edge closes a loop, its last reference is what is reported.
fn search(
    root: usize,
    edges: &[Vec<(usize, Option<usize>)>],
    state: &mut [Visit],
    found: &mut Vec<usize>,
) {
    // The node, its next edge, and the reference that led to it.
    let mut path: Vec<(usize, usize, Option<usize>)> = vec![(root, 0, None)];
    state[root] = Visit::Open;
    while let Some((node, next, _)) = path.last_mut() {
        let Some(&(child, reference)) = edges[*node].get(*next) else {
            state[*node] = Visit::Done;
            path.pop();
            continue;
        };
        *next += 1;
        match state[child] {
            Visit::New => {
                state[child] = Visit::Open;
                path.push((child, 0, reference));
            }
            Visit::Open => {
                let closing = reference.or_else(|| {
                    let start = path.iter().position(|step| step.0 == child)?;
                    path[start + 1..].iter().rev().find_map(|step| step.2)
                });
                found.extend(closing);
            }
            Visit::Done => {}
        }
    }
}
