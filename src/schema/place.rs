//! The place of a keyword in its schema, found by the way that the engine took to it.
//!
//! The engine's own places are relative to the resource that the keyword stands in: below an
//! embedded `$id` they count from there. The way counts from the root and leads through references.

use std::collections::HashMap;

use super::dialect::{Dialect, Holds};
use super::tree::{Target, Tree};
use crate::source::Pointer;

/// Where the references of a schema lead, by the places of their keywords.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routes(HashMap<Pointer, Route>);

#[derive(Clone, Debug)]
enum Route {
    To(Pointer),
    /// Into a meta-schema: what violates it is said to violate the reference.
    Out,
    /// Decided by the way that led here.
    Dynamic,
}

impl Routes {
    pub(crate) fn new(tree: &Tree<'_>) -> Self {
        let routes = tree.references.iter().filter_map(|reference| {
            let place = tree.nodes[reference.node].pointer.join(reference.keyword);
            let route = match &reference.target {
                _ if reference.keyword != "$ref" => Route::Dynamic,
                Target::Node(target) => Route::To(tree.nodes[*target].pointer.clone()),
                Target::MetaSchema => Route::Out,
                Target::External(_) | Target::Missing(_) => return None,
            };
            Some((place, route))
        });
        Self(routes.collect())
    }

    /// The place that `way` leads to; `None` where a dynamic reference decides it.
    pub(super) fn place(&self, way: &Pointer) -> Option<Pointer> {
        if self.0.is_empty() {
            return Some(way.clone());
        }
        let mut place = Pointer::root();
        for token in way.tokens() {
            place.push(token);
            match self.0.get(&place) {
                Some(Route::To(target)) => place = target.clone(),
                Some(Route::Out) => return Some(place),
                Some(Route::Dynamic) => return None,
                None => {}
            }
        }
        Some(place)
    }
}

/// The keywords along `way`, each with the way up to it. Between them stand names and indexes.
pub(super) fn keywords(way: &Pointer) -> Vec<(String, Pointer)> {
    let mut found = Vec::new();
    let mut at = Pointer::root();
    let mut tokens = way.tokens().peekable();
    while let Some(keyword) = tokens.next() {
        at.push(&keyword);
        found.push((keyword.to_string(), at.clone()));
        let is_index = |token: &str| token.bytes().all(|byte| byte.is_ascii_digit());
        let takes_a_token = match holds(&keyword) {
            Some(Holds::Named | Holds::NamedOrNames | Holds::Schemas) => true,
            Some(Holds::SchemaOrSchemas) => tokens.peek().is_some_and(|token| is_index(token)),
            _ => false,
        };
        if takes_a_token && let Some(token) = tokens.next() {
            at.push(token);
        }
    }
    found
}

/// What `keyword` holds in the oldest dialect that knows it, which allows the most.
fn holds(keyword: &str) -> Option<Holds> {
    Dialect::ALL
        .into_iter()
        .find_map(|dialect| dialect.keyword(keyword))
}
