//! The cases of one session as the script of its server.

use std::collections::BTreeMap;

use super::canary::PLACEHOLDER;
use super::manner::is_broken;
use super::offer::{CONTROL, Offer, complete, identities, pages};
use super::script::{Reply, ReplyForm, Script, Stage};
use crate::certify::run::MOST_SENT;
use crate::certify::{Asked, Request};
use crate::corpus::{GateName, Input, Session, SessionAnswer, SessionStage, Text};
use crate::protocol::ProtocolVersion;

/// A session that is ready to be held.
pub(super) struct Composed {
    /// What its server does.
    pub(super) script: Script,
    /// For each case, the name by which its calls are told; `None` where any call is its own.
    pub(super) names: Vec<Option<String>>,
    /// How many tools are listed at most.
    pub(super) tools: usize,
    /// Names under which a client may keep schemas.
    pub(super) ids: Vec<(String, u64)>,
    /// Whether it has something that is no JSON.
    pub(super) is_broken: bool,
}

/// A case of a session, and its question.
pub(super) type Part<'c> = (Asked<'c>, Request);

impl Composed {
    /// The session of `parts`, which are cases of one version: tools of three gates together, or
    /// one listing, or one session of gate `wire`. `canary` is what no definition may be fetched
    /// from.
    pub(super) fn new(
        version: ProtocolVersion,
        parts: &[Part<'_>],
        reply: ReplyForm,
        canary: &str,
    ) -> Self {
        let mut composed = Self::of_parts(version, parts, reply, canary);
        composed.is_broken = parts.iter().any(|(asked, _)| is_broken(asked.case));
        composed
    }

    fn of_parts(
        version: ProtocolVersion,
        parts: &[Part<'_>],
        reply: ReplyForm,
        canary: &str,
    ) -> Self {
        match parts {
            [(asked, request)] if request.gate == GateName::Wire => {
                let Input::Wire { session, tools } = &asked.case.input else {
                    return Self::of_tools(version, &[], reply);
                };
                Self::of_session(version, session, tools, reply, canary)
            }
            [(_, request)] if request.gate == GateName::Listing => {
                let listing = request.field("tools");
                let control = Offer::control(version);
                let stage = Stage {
                    pages: pages(version, listing),
                    calls: calls([&control]),
                    until: None,
                };
                Self {
                    names: vec![None],
                    tools: listing.matches("\"name\"").count() + 1,
                    ids: identities(listing),
                    script: script(version, reply, vec![stage]),
                    is_broken: false,
                }
            }
            _ => Self::of_tools(version, parts, reply),
        }
    }

    fn of_tools(version: ProtocolVersion, parts: &[Part<'_>], reply: ReplyForm) -> Self {
        let offers = parts.iter().enumerate();
        let mut offers: Vec<_> = offers
            .map(|(at, (_, request))| Offer::new(request, format!("t{}", at + 1)))
            .collect();
        let names = offers.iter().map(|offer| offer.name.clone()).collect();
        offers.push(Offer::control(version));
        let tools: Vec<_> = offers.iter().map(|offer| offer.tool.as_str()).collect();
        let listing = format!("{{\"tools\":[{}]}}", tools.join(","));
        let stage = Stage {
            pages: vec![Reply::Result(completed(version, listing))],
            calls: calls(&offers),
            until: None,
        };
        Self {
            names,
            tools: offers.len(),
            ids: offers
                .iter()
                .flat_map(|offer| identities(&offer.tool))
                .collect(),
            script: script(version, reply, vec![stage]),
            is_broken: false,
        }
    }

    fn of_session(
        version: ProtocolVersion,
        session: &Session,
        tools: &BTreeMap<String, Text>,
        reply: ReplyForm,
        canary: &str,
    ) -> Self {
        let stages = session.stages.iter();
        let stages: Vec<_> = stages
            .map(|stage| of_stage(version, stage, tools, canary))
            .collect();
        let ids = tools.values().map(ToString::to_string);
        Self {
            names: vec![None],
            tools: tools.len() + 1,
            ids: ids.flat_map(|tool| identities(&tool)).collect(),
            script: script(version, reply, stages),
            is_broken: false,
        }
    }

    /// The bytes of the largest answer.
    pub(super) fn largest(&self) -> usize {
        let stages = self.script.stages.iter();
        let replies = stages.flat_map(|stage| stage.pages.iter().chain(stage.calls.values()));
        replies
            .map(|reply| match reply {
                Reply::Result(text)
                | Reply::Error(text)
                | Reply::Line(text)
                | Reply::Half(text) => text.len(),
                Reply::Flood(bytes) => usize::try_from(*bytes).unwrap_or(usize::MAX / 8),
                Reply::Silence | Reply::Close => 0,
            })
            .max()
            .unwrap_or_default()
    }
}

/// A stage of a session; the control tool is the last tool of its last page.
fn of_stage(
    version: ProtocolVersion,
    stage: &SessionStage,
    tools: &BTreeMap<String, Text>,
    canary: &str,
) -> Stage {
    let control = Offer::control(version);
    let last = stage.pages.len().saturating_sub(1);
    let pages = stage.pages.iter().enumerate().map(|(at, keys)| {
        let texts = keys.iter().filter_map(|key| tools.get(key));
        let mut texts: Vec<String> = texts
            .map(|text| text.to_string().replace(PLACEHOLDER, canary))
            .collect();
        let cursor = if at == last {
            texts.push(control.tool.clone());
            String::new()
        } else {
            format!(",\"nextCursor\":\"page-{}\"", at + 1)
        };
        let listing = format!("{{\"tools\":[{}]{cursor}}}", texts.join(","));
        Reply::Result(completed(version, listing))
    });
    let mut calls = calls([&control]);
    for (tool, answer) in &stage.calls {
        calls.insert(tool.clone(), reply_of(answer));
    }
    Stage {
        pages: pages.collect(),
        calls,
        until: stage.until.clone(),
    }
}

/// What a call of a session is answered with.
pub(super) fn reply_of(answer: &SessionAnswer) -> Reply {
    match answer {
        SessionAnswer::Result(value) => Reply::Result(value.to_string()),
        SessionAnswer::Raw(text) => Reply::Result(text.clone()),
        SessionAnswer::Line(text) => Reply::Line(text.clone()),
        SessionAnswer::Half(text) => Reply::Half(text.clone()),
        SessionAnswer::Flood(bytes) => Reply::Flood(*bytes),
        SessionAnswer::Silence => Reply::Silence,
        SessionAnswer::Close => Reply::Close,
    }
}

fn completed(version: ProtocolVersion, listing: String) -> String {
    if version != ProtocolVersion::V2026_07_28 {
        return listing;
    }
    // A case may have put something into the listing that is no JSON: then nothing can be looked
    // for, and what is needed is there by construction.
    let lacking = complete(version, "{}");
    let inner = lacking.trim_start_matches('{').trim_end_matches('}');
    let mut listing = listing;
    listing.insert_str(1, &format!("{inner},"));
    listing
}

fn calls<'o>(offers: impl IntoIterator<Item = &'o Offer>) -> BTreeMap<String, Reply> {
    let offers = offers.into_iter();
    let calls = offers.filter_map(|offer| Some((offer.name.clone()?, offer.reply.clone()?)));
    calls.collect()
}

fn script(version: ProtocolVersion, reply: ReplyForm, stages: Vec<Stage>) -> Script {
    Script {
        version,
        reply,
        stages,
    }
}

/// Whether a call of the tool `name` is the control tool's.
pub(super) fn is_control(name: &str) -> bool {
    name == CONTROL
}

/// What a report shows of the session of a case: the texts of the case, and for a session of
/// its own what the server was told.
pub(super) fn sent((asked, request): &Part<'_>, composed: &Composed) -> serde_json::Value {
    let mut question = question(request);
    if asked.case.gate == GateName::Wire {
        question["script"] = shown(&composed.script, MOST_SENT);
    }
    question
}

/// The question of a case as a report shows it.
pub(super) fn question(request: &Request) -> serde_json::Value {
    let mut shown = request.shown(MOST_SENT);
    if let Some(members) = shown.as_object_mut() {
        members.insert("op".into(), "session".into());
        members.remove("seq");
    }
    shown
}

/// The session as a report shows it: long texts are cut.
fn shown(script: &Script, most: usize) -> serde_json::Value {
    let mut value = serde_json::to_value(script).unwrap_or_default();
    let mut left = vec![&mut value];
    while let Some(value) = left.pop() {
        match value {
            serde_json::Value::String(text) => {
                *text = crate::source::cut(text, most).into_owned();
            }
            serde_json::Value::Array(items) => left.extend(items),
            serde_json::Value::Object(members) => left.extend(members.values_mut()),
            _ => {}
        }
    }
    value
}
