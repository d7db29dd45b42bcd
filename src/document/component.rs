//! `$componentRef`: the references between the parts of a description, and where they lead.
//!
//! A reference is replaced by its component before any rule looks, so that a value is judged where
//! it is used, by the rules of that place. What a chain of references comes to is found out once.

use std::collections::HashMap;
use std::fmt;

use super::At;
use crate::source::Pointer;

/// The member that makes an object a reference, where it is the only one.
const KEYWORD: &str = "$componentRef";

/// A kind of component: the member of `components` that holds those of that kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// Schemas of inputs, outputs and elicitations.
    Schemas,
    /// Examples of tools.
    ToolExamples,
    /// Examples of resources.
    ResourceExamples,
    /// Examples of resource templates.
    ResourceTemplateExamples,
    /// Examples of prompts.
    PromptExamples,
}

impl Namespace {
    /// Every namespace.
    pub const ALL: [Self; 5] = [
        Self::Schemas,
        Self::ToolExamples,
        Self::ResourceExamples,
        Self::ResourceTemplateExamples,
        Self::PromptExamples,
    ];

    /// The member of `components`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Schemas => "schemas",
            Self::ToolExamples => "toolExamples",
            Self::ResourceExamples => "resourceExamples",
            Self::ResourceTemplateExamples => "resourceTemplateExamples",
            Self::PromptExamples => "promptExamples",
        }
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a reference leads to no component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceFault<'a> {
    /// It is no string.
    NotAString,
    /// It leads out of the document.
    Elsewhere,
    /// It is not of the form `#/components/NAMESPACE/NAME`.
    Malformed,
    /// It leads to a component of another kind than its place needs.
    Namespace {
        /// The namespace that it names.
        found: &'a str,
        /// The one that its place needs.
        needed: Namespace,
    },
    /// No component has that name.
    Missing {
        /// The namespace.
        namespace: Namespace,
        /// The name.
        name: &'a str,
    },
    /// The components behind it refer to one another in a circle.
    Cycle,
}

/// A reference that leads to no component.
#[derive(Clone, Debug)]
pub struct BrokenReference<'a> {
    /// Where the `$componentRef` stands.
    pub pointer: Pointer,
    /// What is wrong with it.
    pub fault: ReferenceFault<'a>,
}

/// The components of a description, while its references are followed.
pub(super) struct Components<'a> {
    root: At<'a>,
    /// What the references that have been followed come to.
    followed: HashMap<Pointer, Option<At<'a>>>,
    /// Those that come to nothing.
    pub(super) broken: Vec<BrokenReference<'a>>,
}

impl<'a> Components<'a> {
    /// The components of the description at `root`, with the references among themselves followed.
    pub(super) fn new(root: &At<'a>) -> Self {
        let mut components = Self {
            root: root.clone(),
            followed: HashMap::new(),
            broken: Vec::new(),
        };
        let held = root.get("components");
        for namespace in Namespace::ALL {
            let of_kind = held.as_ref().and_then(|held| held.get(namespace.as_str()));
            for (_, component) in of_kind.iter().flat_map(At::members) {
                components.resolve(component, namespace);
            }
        }
        components
    }

    /// What stands at `at`, or what the reference there comes to. Of a circle one reference is
    /// noted as broken, the first that was followed.
    pub(super) fn resolve(&mut self, at: At<'a>, namespace: Namespace) -> Option<At<'a>> {
        let mut path = Vec::new();
        let mut here = at;
        let end = loop {
            if let Some(known) = self.followed.get(&here.pointer) {
                if path.contains(&here.pointer) {
                    self.broken.push(BrokenReference {
                        pointer: here.pointer.join(KEYWORD),
                        fault: ReferenceFault::Cycle,
                    });
                }
                break known.clone();
            }
            match self.target(&here, namespace) {
                None => break Some(here),
                Some(Ok(next)) => {
                    self.followed.insert(here.pointer.clone(), None);
                    path.push(here.pointer);
                    here = next;
                }
                Some(Err(fault)) => {
                    self.broken.push(BrokenReference {
                        pointer: here.pointer.join(KEYWORD),
                        fault,
                    });
                    self.followed.insert(here.pointer, None);
                    break None;
                }
            }
        };
        for step in path {
            self.followed.insert(step, end.clone());
        }
        end
    }

    /// The component that the reference at `at` names; `None` where there is no reference.
    fn target(&self, at: &At<'a>, needed: Namespace) -> Option<Result<At<'a>, ReferenceFault<'a>>> {
        let members = at.value.as_object().filter(|members| members.len() == 1)?;
        let text = members.get(KEYWORD)?;
        Some(match text.as_str() {
            None => Err(ReferenceFault::NotAString),
            Some(text) if !text.starts_with('#') => Err(ReferenceFault::Elsewhere),
            Some(text) => self.component(text, needed),
        })
    }

    fn component(&self, text: &'a str, needed: Namespace) -> Result<At<'a>, ReferenceFault<'a>> {
        let (found, name) = text
            .strip_prefix("#/components/")
            .and_then(|path| path.split_once('/'))
            .filter(|(_, name)| is_name(name))
            .ok_or(ReferenceFault::Malformed)?;
        if found != needed.as_str() {
            return Err(ReferenceFault::Namespace { found, needed });
        }
        let held = self.root.get("components");
        let component = held.and_then(|held| held.get(found)?.get(name));
        component.ok_or(ReferenceFault::Missing {
            namespace: needed,
            name,
        })
    }
}

/// Whether a component or an example may have this name: letters, digits, dot, underscore, hyphen.
pub(crate) fn is_name(name: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    !name.is_empty() && name.bytes().all(legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn components(root: &Value) -> Components<'_> {
        Components::new(&At::new(root, Pointer::root()))
    }

    fn refer(to: &str) -> Value {
        json!({ KEYWORD: to })
    }

    #[test]
    fn a_chain_comes_to_what_stands_at_its_end() {
        let root = json!({"components": {"schemas": {
            "Key": refer("#/components/schemas/Id"), "Id": {"type": "string"}
        }}});
        let site = refer("#/components/schemas/Key");
        let mut components = components(&root);
        let end = components.resolve(At::new(&site, Pointer::from("/use")), Namespace::Schemas);
        let end = end.map(|at| at.pointer);
        assert_eq!(end, Some(Pointer::from("/components/schemas/Id")));
        assert!(components.broken.is_empty());
    }

    #[test]
    fn a_circle_is_reported_once_however_many_lead_into_it() {
        let root = json!({"components": {"schemas": {
            "A": refer("#/components/schemas/B"), "B": refer("#/components/schemas/C"),
            "C": refer("#/components/schemas/B"), "D": refer("#/components/schemas/D")
        }}});
        let components = components(&root);
        let at: Vec<_> = components
            .broken
            .iter()
            .map(|b| b.pointer.as_str())
            .collect();
        let circles = [
            "/components/schemas/B/$componentRef",
            "/components/schemas/D/$componentRef",
        ];
        assert_eq!(at, circles);
    }

    #[test]
    fn a_reference_with_a_sibling_is_an_object_like_others() {
        let root = json!({});
        let site = json!({KEYWORD: "#/components/schemas/Id", "type": "object"});
        let mut components = components(&root);
        let at = At::new(&site, Pointer::from("/use"));
        assert!(components.resolve(at, Namespace::Schemas).is_some());
    }

    #[test]
    fn each_way_to_miss_has_its_fault() {
        use ReferenceFault::{Elsewhere, Malformed, Missing};
        let root = json!({"components": {"toolExamples": {"paid": {}}}});
        let (namespace, needed) = (Namespace::Schemas, Namespace::Schemas);
        let found = "toolExamples";
        for (to, fault) in [
            ("shared.json#/components/schemas/Id", Elsewhere),
            ("#/tools/0/inputSchema", Malformed),
            ("#/components/schemas/a~1b", Malformed),
            (
                "#/components/schemas/Id",
                Missing {
                    namespace,
                    name: "Id",
                },
            ),
            (
                "#/components/toolExamples/paid",
                ReferenceFault::Namespace { found, needed },
            ),
        ] {
            let site = refer(to);
            let mut components = components(&root);
            components.resolve(At::new(&site, Pointer::from("/use")), namespace);
            assert_eq!(components.broken[0].fault, fault, "{to}");
        }
    }
}
