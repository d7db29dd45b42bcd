//! `anyOf` and `oneOf` in a rebuilt schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::project::loss::{Change, Effect};
use crate::project::maker::{Made, Maker, Stop};
use crate::project::relax::Edit;
use crate::project::target::Null;
use crate::source::Pointer;

/// Whether a schema is null's alone.
fn is_null(schema: &Value) -> bool {
    *schema == json!({"type": "null"})
}

/// Alternatives that unions side by side may multiply to.
const MOST_BRANCHES: usize = 32;

/// A union that is being looked at: who holds it, its keyword, its branches.
pub(super) type Union = (usize, &'static str, Vec<usize>);
/// A union that has been dealt with already.
pub(super) type Settled = (usize, &'static str);

/// Members that the branches of a union at the root declare, where there can be no union.
#[derive(Debug, Default)]
pub(super) struct Hoisted {
    /// Each member with what the branches hold it to.
    pub(super) members: Vec<(String, Vec<Vec<usize>>)>,
    /// The members that every branch requires.
    pub(super) required: BTreeSet<String>,
}

impl Hoisted {
    pub(super) fn alternatives(&self, name: &str) -> &[Vec<usize>] {
        let found = self.members.iter().find(|(it, _)| it == name);
        found.map_or(&[], |(_, alternatives)| alternatives)
    }

    fn add(&mut self, name: &str, parts: Vec<usize>) {
        match self.members.iter_mut().find(|(it, _)| it == name) {
            Some((_, alternatives)) => alternatives.push(parts),
            None => self.members.push((name.to_owned(), vec![parts])),
        }
    }
}

impl Maker<'_, '_, '_> {
    /// What `nodes` ask for together, their unions included, but for those that are settled.
    pub(super) fn lay(
        &mut self,
        nodes: &[usize],
        settled: &[Settled],
        at: &Pointer,
        null: bool,
    ) -> Made<Value> {
        self.spend()?;
        let mut unions = self.view.unions(nodes);
        unions.retain(|(id, keyword, _)| !settled.contains(&(*id, *keyword)));
        if unions.is_empty() {
            return self.plain(nodes, at, null);
        }
        let mut settled = settled.to_vec();
        let mut choices = vec![Vec::new()];
        for union in &unions {
            settled.push((union.0, union.1));
            let (id, keyword, branches) = union;
            if choices.len() * branches.len() > MOST_BRANCHES {
                let why = format!(
                    "with the unions beside it, it comes to more than {MOST_BRANCHES} alternatives"
                );
                self.widen(*id, keyword, why);
                continue;
            }
            self.exclusive(union);
            let each = |choice: &Vec<usize>| {
                let longer = |branch: &usize| [choice.as_slice(), &[*branch]].concat();
                branches.iter().map(longer).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(each).collect();
        }
        let mut alternatives: Vec<(Value, Vec<usize>)> = Vec::new();
        let quiet = self.quiet.len();
        self.quiet.extend(nodes);
        let mut null = null;
        for choice in choices {
            let parts = [nodes, &choice].concat();
            let place = at.join("anyOf").join(alternatives.len());
            match self.alternative(nodes, &choice, &parts, &settled, &place) {
                // Where null is a flag, it needs no alternative of its own.
                Ok(value) if self.target.null == Null::Nullable && is_null(&value) => null = true,
                Ok(value) => alternatives.push((value, parts)),
                Err(Stop::Nothing) => self.mapping.forget(&place),
                Err(refused) => return Err(refused),
            }
        }
        self.quiet.truncate(quiet);
        match alternatives.as_slice() {
            [] if null && self.view.takes_null(nodes, 0) => Ok(json!({"type": "null"})),
            [] => Err(Stop::Nothing),
            [(_, parts)] => {
                // One is left, and needs no union around it.
                for (id, keyword, branches) in &unions {
                    if branches.len() > 1 {
                        let why = "of its alternatives one is left";
                        self.lose(*id, keyword, (Change::Rewritten, Effect::None), why);
                    }
                }
                self.mapping.forget(&at.join("anyOf"));
                let nodes = self.flat(&parts.clone())?;
                self.lay(&nodes, &settled, at, null)
            }
            _ => {
                if null
                    && self.target.null == Null::Nullable
                    && self.view.takes_null(nodes, 0)
                    && let Some((id, keyword)) = settled.last()
                {
                    let why = "nullable stands for the alternative that is null";
                    self.lose(*id, keyword, (Change::Rewritten, Effect::None), why);
                }
                let takes = |(_, parts): &(Value, Vec<usize>)| self.view.takes_null(parts, 0);
                let missing = null && !alternatives.iter().any(takes);
                let mut map = Map::new();
                self.annotate(nodes, &mut map);
                self.tell_unsaid(nodes);
                let mut branches: Vec<Value> =
                    alternatives.into_iter().map(|(value, _)| value).collect();
                if missing && self.target.null == Null::Type {
                    branches.push(json!({"type": "null"}));
                }
                map.insert("anyOf".to_owned(), Value::Array(branches));
                if missing && self.target.null == Null::Nullable {
                    map.insert("nullable".to_owned(), json!(true));
                }
                Ok(Value::Object(map))
            }
        }
    }

    /// One alternative. Where nothing stands beside the union it may stay a reference.
    fn alternative(
        &mut self,
        nodes: &[usize],
        choice: &[usize],
        parts: &[usize],
        settled: &[Settled],
        at: &Pointer,
    ) -> Made<Value> {
        let bare = nodes.iter().all(|id| {
            let members = self.view.value(*id).as_object();
            let kept = |name: &String| {
                matches!(name.as_str(), "anyOf" | "oneOf" | "$defs" | "definitions")
                    || !self.view.asserts(*id, name) && name != "$ref"
            };
            members.is_none_or(|members| members.keys().all(kept))
        });
        if bare && choice.len() == 1 {
            return self.build(choice, at, false);
        }
        let flat = self.flat(parts)?;
        self.lay(&flat, settled, at, false)
    }

    /// Says what becomes of a `oneOf`: it counts, and no target's `anyOf` does.
    fn exclusive(&mut self, (id, keyword, branches): &Union) {
        if *keyword != "oneOf" || self.target.knows("oneOf") {
            return;
        }
        let edit = Edit::OneOfToAnyOf(self.view.pointer(*id).clone());
        let mut how = BTreeSet::new();
        for (index, left) in branches.iter().enumerate() {
            for right in &branches[index + 1..] {
                match self.view.apart(*left, *right) {
                    Some(by) => drop(how.insert(by)),
                    None => {
                        let why = "anyOf stands in its place: nothing tells its alternatives \
                                   apart, so a value that fits two of them is not refused";
                        self.lose(*id, "oneOf", (Change::Weakened, Effect::Wider), why);
                        self.edits.push(edit);
                        return;
                    }
                }
            }
        }
        let how: Vec<_> = how.into_iter().collect();
        let why = match how.as_slice() {
            [] => "anyOf stands in its place, of one alternative".to_owned(),
            how => format!(
                "anyOf stands in its place: its alternatives exclude one another {}",
                how.join(", ")
            ),
        };
        self.lose(*id, "oneOf", (Change::Rewritten, Effect::None), why);
        self.exclusive.push(edit);
    }

    /// Takes the members that the branches of the root's unions declare, and gives up the unions.
    pub(super) fn hoist(&mut self, nodes: &[usize], unions: &[Union]) -> Hoisted {
        let mut hoisted = Hoisted::default();
        let because = self
            .target
            .root_of(self.member)
            .map_or("", |root| &root.because)
            .to_owned();
        for (id, keyword, branches) in unions {
            let mut every: Option<BTreeSet<String>> = None;
            for branch in branches {
                let required = self.declared(*branch, &mut hoisted, 0);
                every = Some(match every {
                    None => required,
                    Some(every) => every.intersection(&required).cloned().collect(),
                });
            }
            hoisted.required.extend(every.into_iter().flatten());
            let why = format!(
                "{because}; the members of its alternatives stand side by side, and which go \
                 together is for the source to say"
            );
            self.lose(*id, keyword, (Change::Weakened, Effect::Both), why);
            self.edits
                .push(Edit::Remove(self.view.pointer(*id).join(*keyword)));
        }
        for id in nodes {
            if self.view.get(*id, "unevaluatedProperties").is_some() {
                let why = "which members are left over depends on the alternatives";
                self.widen(*id, "unevaluatedProperties", why);
            }
        }
        hoisted
    }

    /// Adds the members that a branch and the unions in it declare; returns what it requires.
    fn declared(&self, branch: usize, hoisted: &mut Hoisted, level: usize) -> BTreeSet<String> {
        const DEEPEST: usize = 8;
        let flat = self.view.flat(&[branch]);
        let mut names: Vec<&str> = Vec::new();
        for id in &flat.nodes {
            for (name, _) in self.view.named(*id, "properties") {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        for name in names {
            let members = flat
                .nodes
                .iter()
                .flat_map(|id| self.view.named(*id, "properties"));
            let parts = members.filter(|(it, _)| *it == name).map(|(_, id)| id);
            hoisted.add(name, parts.collect());
        }
        if level < DEEPEST {
            for (_, _, branches) in self.view.unions(&flat.nodes) {
                for branch in branches {
                    self.declared(branch, hoisted, level + 1);
                }
            }
        }
        let required = flat.nodes.iter().flat_map(|id| self.view.required(*id));
        required.map(str::to_owned).collect()
    }
}
