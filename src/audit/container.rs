//! The two containers of the tape, which are also the walks through them.

use std::ops::ControlFlow;

use jsonschema::json::{Array, Object};

use super::tape::{Doc, Slot};
use super::value::{Arena, Key, Node};

/// The members of an object.
#[derive(Clone)]
pub struct Members<'a> {
    doc: &'a Doc<'a>,
    at: u32,
    left: u32,
}

impl<'a> Members<'a> {
    #[inline]
    pub(super) fn of(node: &Node<'a>, slot: Slot) -> Self {
        Members {
            doc: node.doc,
            at: node.at + 1,
            left: slot.low(),
        }
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, Node<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 || !self.doc.spend(1) {
            return None;
        }
        let name = self.doc.string(self.doc.slot(self.at));
        let node = Node {
            doc: self.doc,
            at: self.at + 1,
        };
        self.at = node.at + self.doc.slot(node.at).span();
        self.left -= 1;
        Some((name, node))
    }
}

impl<'a> Object<'a, Arena> for Members<'a> {
    type Node = Node<'a>;
    type MemberName = &'a str;
    type MembersIter = Self;

    #[inline]
    fn len(&self) -> usize {
        self.left as usize
    }

    #[inline]
    fn get(&self, key: &Key) -> Option<Node<'a>> {
        self.members()
            .find(|member| key.is(member.0))
            .map(|member| member.1)
    }

    #[inline]
    fn members(&self) -> Self {
        self.clone()
    }

    fn try_for_each_name_node<B>(
        &self,
        _: &mut String,
        mut f: impl FnMut(Node<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.members().try_for_each(|(_, node)| {
            f(Node {
                at: node.at - 1,
                ..node
            })
        })
    }
}

/// The elements of an array.
#[derive(Clone)]
pub struct Elements<'a> {
    doc: &'a Doc<'a>,
    at: u32,
    left: u32,
}

impl<'a> Elements<'a> {
    #[inline]
    pub(super) fn of(node: &Node<'a>, slot: Slot) -> Self {
        Elements {
            doc: node.doc,
            at: node.at + 1,
            left: slot.low(),
        }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        if self.left == 0 || !self.doc.spend(1) {
            return None;
        }
        let node = Node {
            doc: self.doc,
            at: self.at,
        };
        self.at += self.doc.slot(self.at).span();
        self.left -= 1;
        Some(node)
    }
}

impl<'a> Array<'a, Arena> for Elements<'a> {
    type Node = Node<'a>;
    type ElementsIter = Self;

    #[inline]
    fn len(&self) -> usize {
        self.left as usize
    }

    #[inline]
    fn elements(&self) -> Self {
        self.clone()
    }
}
