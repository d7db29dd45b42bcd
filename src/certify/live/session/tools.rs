//! Listings and calls: what the script has for them.

use serde_json::value::RawValue;

use super::{Headers, Refused, Session};
use crate::certify::live::mirror::Mirrored;
use crate::certify::live::reply::{self, Answer, complete};
use crate::certify::live::request::{INVALID_PARAMS, Message, is_object, string};
use crate::certify::live::script::Event;
use crate::source::cut;

impl Session {
    pub(super) fn list(&self, message: &Message<'_>, id: &str) -> Result<Answer, Refused> {
        let cursor = message.params.cursor;
        let unknown = |cursor: &RawValue| {
            let message = format!("unknown cursor {}", cut(cursor.get(), 120));
            Refused::new(INVALID_PARAMS, message)
        };
        let index = match cursor {
            None => 0,
            Some(cursor) => page(cursor).ok_or_else(|| unknown(cursor))?,
        };
        let page = self.stage().and_then(|stage| stage.pages.get(index));
        match (page, cursor) {
            (Some(page), _) => Ok(reply::scripted(page, id, self.version(), true)),
            (None, Some(cursor)) => Err(unknown(cursor)),
            (None, None) => {
                let caching = if self.is_stateless() {
                    r#","ttlMs":0,"cacheScope":"private""#
                } else {
                    ""
                };
                let result = format!("{{{}\"tools\":[]{caching}}}", complete(self.version()));
                Ok(reply::result(id, &result))
            }
        }
    }

    pub(super) fn call(
        &mut self,
        message: &Message<'_>,
        id: &str,
        headers: Option<&Headers>,
        event: &mut Event,
    ) -> Result<Answer, Refused> {
        let Some(tool) = event.tool.clone() else {
            let message = "`name` is missing or no string";
            return Err(Refused::new(INVALID_PARAMS, message));
        };
        let arguments = message.params.arguments;
        if arguments.is_some_and(|arguments| !is_object(arguments)) {
            let message = "`arguments` is not an object";
            return Err(Refused::new(INVALID_PARAMS, message));
        }
        if let (Some(headers), true) = (headers, self.is_stateless()) {
            let stage = self.script.stages.get(self.stage);
            let mirrored = self
                .mirrored
                .get_or_insert_with(|| Mirrored::of(stage.map_or(&[], |stage| &stage.pages)));
            event.problem = mirrored.check(&tool, arguments, headers)?;
        }
        let version = self.version();
        let reply = self.stage().and_then(|stage| stage.calls.get(&tool));
        Ok(reply.map_or_else(
            || reply::reached(id, version),
            |reply| reply::scripted(reply, id, version, false),
        ))
    }
}

/// The page of a cursor `page-1`, `page-2` …; an empty one, which some case hands out, is the first.
fn page(cursor: &RawValue) -> Option<usize> {
    let cursor = string(Some(cursor))?;
    if cursor.is_empty() {
        return Some(1);
    }
    let page = cursor.strip_prefix("page-")?.parse().ok()?;
    (page > 0).then_some(page)
}
