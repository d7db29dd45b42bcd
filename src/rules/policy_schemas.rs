//! The schemas that a policy looks at, and what it needs to know of their subschemas.

use serde_json::Value;

use super::catalogue::Profile;
use super::context::{Context, SchemaAt, ToolView};
use crate::schema::{Node, Target, Tree, is_in_place};

/// The keywords that shut an object to members that nobody declared.
const SHUT: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];
/// References that are followed one into the next; a chain that is longer is not written by people.
const MOST_STEPS: usize = 200;
/// A member of this name is there to hold what nobody can foresee.
const EXEMPT: &str = "metadata";

/// The schemas that the profile `closed` judges: those of outputs are left to `open` where that is
/// on as well, since the two ask for opposite things.
pub(super) fn closed<'v, 'a>(
    context: &Context<'_>,
    view: &'v ToolView<'a>,
) -> impl Iterator<Item = &'v SchemaAt<'a>> {
    let inputs_alone = context.profiles.contains(&Profile::Open);
    view.readable(context.version)
        .filter(move |at| !inputs_alone || at.member != "outputSchema")
        .filter(|at| at.schema.excesses().is_empty())
}

/// The keyword with which `node` itself is shut, if it is.
pub(super) fn shut(node: &Node<'_>) -> Option<&'static str> {
    let shut = |keyword: &&&str| node.get(keyword) == Some(&Value::Bool(false));
    SHUT.iter().find(shut).copied()
}

/// Whether `type` is `name`, or a list that holds it.
pub(super) fn is_typed(node: &Node<'_>, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(found)) => found == name,
        Some(Value::Array(found)) => found.iter().any(|found| found == name),
        _ => false,
    }
}

/// Whether `node` only says more of a value that another schema describes: it is, or is below, a
/// part of a composition that names no type of its own.
pub(super) fn refines(tree: &Tree<'_>, node: &Node<'_>) -> bool {
    let mut here = Some(node);
    while let Some(node) = here {
        if is_in_place(node.keyword) && node.get("type").is_none() && node.get("$ref").is_none() {
            return true;
        }
        here = node.parent.map(|parent| &tree.nodes[parent]);
    }
    false
}

/// The subschemas of objects that let members pass which nobody declared.
pub(super) fn open_objects(tree: &Tree<'_>) -> Vec<usize> {
    Walk::new(tree).run()
}

/// A walk over the subschemas in the way in which values meet them: references are followed, and
/// definitions that nothing refers to are not met at all.
struct Walk<'t, 'a> {
    tree: &'t Tree<'a>,
    children: Vec<Vec<usize>>,
    targets: Vec<Vec<usize>>,
    /// Whether what a subschema is joined with shuts the object; unset until it is asked for.
    shuts: Vec<Option<bool>>,
}

impl<'t, 'a> Walk<'t, 'a> {
    fn new(tree: &'t Tree<'a>) -> Self {
        let count = tree.nodes.len();
        let mut children = vec![Vec::new(); count];
        for (index, node) in tree.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        let mut targets = vec![Vec::new(); count];
        for reference in &tree.references {
            if let Target::Node(target) = reference.target {
                targets[reference.node].push(target);
            }
        }
        Self {
            tree,
            children,
            targets,
            shuts: vec![None; count],
        }
    }

    fn run(mut self) -> Vec<usize> {
        let mut open = Vec::new();
        // Each subschema is met at most twice: where something around it shuts the object, or not.
        let mut met = vec![[false; 2]; self.tree.nodes.len()];
        let mut waiting = vec![(0, false)];
        while let Some((index, shut)) = waiting.pop() {
            if std::mem::replace(&mut met[index][usize::from(shut)], true) {
                continue;
            }
            let mut shut = shut || self.shuts(index, 0);
            if !shut && self.describes_an_object(index) && !self.has_a_shut_branch(index) {
                open.push(index);
                // What it is joined with is part of the same fault.
                shut = true;
            }
            for child in self.children[index].clone() {
                let node = &self.tree.nodes[child];
                match node.keyword {
                    // What these hold describes no value that passes, or is met by reference.
                    "not" | "if" | "propertyNames" | "$defs" | "definitions" => {}
                    "properties" if node.pointer.last().as_deref() == Some(EXEMPT) => {}
                    keyword => waiting.push((child, shut && is_in_place(keyword))),
                }
            }
            waiting.extend(self.targets[index].iter().map(|target| (*target, shut)));
        }
        open.sort_unstable();
        open.dedup();
        open
    }

    fn describes_an_object(&self, index: usize) -> bool {
        let node = &self.tree.nodes[index];
        let is_typed_by_its_members = node.get("type").is_none()
            && node.get("properties").is_some()
            && !is_in_place(node.keyword);
        is_typed(node, "object") || is_typed_by_its_members
    }

    /// Whether some branch shuts the object and another does not: then that one is at fault.
    fn has_a_shut_branch(&mut self, index: usize) -> bool {
        let branches = self.branches(index, &["oneOf", "anyOf"]);
        branches.into_iter().any(|branch| self.shuts(branch, 0))
    }

    fn branches(&self, index: usize, keywords: &[&str]) -> Vec<usize> {
        let children = self.children[index].iter().copied();
        children
            .filter(|child| keywords.contains(&self.tree.nodes[*child].keyword))
            .collect()
    }

    /// Whether no undeclared member passes the subschema together with what it is composed of.
    fn shuts(&mut self, index: usize, steps: usize) -> bool {
        if steps > MOST_STEPS {
            return false;
        }
        if let Some(known) = self.shuts[index] {
            return known;
        }
        // What refers to itself on the way adds nothing.
        self.shuts[index] = Some(false);
        let all = |walk: &mut Self, keyword| {
            let branches = walk.branches(index, &[keyword]);
            !branches.is_empty()
                && branches
                    .into_iter()
                    .all(|branch| walk.shuts(branch, steps + 1))
        };
        let found = shut(&self.tree.nodes[index]).is_some()
            || self.tree.nodes[index].value == &Value::Bool(false)
            || self.targets[index]
                .clone()
                .into_iter()
                .any(|target| self.shuts(target, steps + 1))
            || self
                .branches(index, &["allOf"])
                .into_iter()
                .any(|part| self.shuts(part, steps + 1))
            || all(self, "oneOf")
            || all(self, "anyOf");
        self.shuts[index] = Some(found);
        found
    }
}
