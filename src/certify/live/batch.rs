//! Which cases share a session. A session costs a client's start, so that cases stand side by side
//! in one listing wherever none can spoil another's judgement.

use std::collections::{HashMap, HashSet};

use super::manner::{Manner, Texts, field, is_hostile};
use super::raw::Object;
use crate::certify::plan::{Asked, Plan};
use crate::corpus::{GateName, Transport};
use crate::protocol::ProtocolVersion;

/// Cases in one listing, of which none should trouble the others.
const MOST_SHARED: usize = 40;
/// Definitions to be refused in one listing: a client may refuse the listing with them, and then
/// each is asked alone.
const MOST_SUSPECTS: usize = 8;

/// Sessions that one driver holds in order.
pub(super) struct Job<'c> {
    pub(super) version: ProtocolVersion,
    /// The sessions, each with its cases.
    pub(super) sessions: Vec<Vec<Asked<'c>>>,
    /// Whether the cases belong together: they are never asked apart.
    pub(super) sequence: bool,
    /// Whether the client is sent what is no JSON, and may wait for something else.
    pub(super) waits: bool,
}

/// The jobs of a plan, and what cannot be asked of a live client with the reason.
pub(super) struct Jobs<'c> {
    pub(super) jobs: Vec<Job<'c>>,
    pub(super) unasked: Vec<(Asked<'c>, String)>,
}

/// A session that still takes cases.
struct Open<'c> {
    cases: Vec<Asked<'c>>,
    ids: HashSet<String>,
}

impl<'c> Jobs<'c> {
    /// The jobs of `plan` over `transport`.
    pub(super) fn of(plan: &Plan<'c>, transport: Transport) -> Self {
        let mut jobs = Self {
            jobs: Vec::new(),
            unasked: Vec::new(),
        };
        let mut manners: HashMap<&str, Texts> = HashMap::new();
        let mut open: HashMap<(ProtocolVersion, GateName, bool), Open<'c>> = HashMap::new();
        for unit in &plan.units {
            let [asked] = unit.as_slice() else {
                jobs.sequence(unit);
                continue;
            };
            let texts = manners.entry(asked.case.id.as_str());
            let texts = texts.or_insert_with(|| Texts::of(asked.case, transport));
            let (ids, suspect) = match texts.manner(asked) {
                Manner::Never(why) => {
                    jobs.unasked.push((*asked, why));
                    continue;
                }
                Manner::Alone => {
                    jobs.push(asked.version, vec![*asked], texts.broken);
                    continue;
                }
                Manner::Shared(ids) => (ids, false),
                Manner::Suspect(ids) => (ids, true),
            };
            let most = if suspect { MOST_SUSPECTS } else { MOST_SHARED };
            let session = open.entry((asked.version, asked.case.gate, suspect));
            let session = session.or_insert_with(|| Open {
                cases: Vec::new(),
                ids: HashSet::new(),
            });
            // One name for two schemas is a case of its own.
            if session.cases.len() >= most || ids.iter().any(|id| session.ids.contains(id)) {
                let full = std::mem::take(&mut session.cases);
                session.ids.clear();
                jobs.push(asked.version, full, false);
            }
            session.cases.push(*asked);
            session.ids.extend(ids);
        }
        let mut rest: Vec<_> = open.into_iter().collect();
        rest.sort_by_key(|((version, gate, suspect), _)| (*version, *gate, *suspect));
        for ((version, ..), session) in rest {
            jobs.push(version, session.cases, false);
        }
        // What may break a client comes last, so that the rest is known by then.
        jobs.jobs.sort_by_key(|job| {
            let first = job.sessions.first().and_then(|session| session.first());
            first.is_some_and(|asked| is_hostile(asked.case))
        });
        jobs
    }

    fn push(&mut self, version: ProtocolVersion, cases: Vec<Asked<'c>>, waits: bool) {
        if !cases.is_empty() {
            self.jobs.push(Job {
                version,
                sessions: vec![cases],
                sequence: false,
                waits,
            });
        }
    }

    /// A sequence is one session, as long as no tool comes back with another definition under the
    /// same name: that is a listing anew, by a client object anew in the same process.
    fn sequence(&mut self, unit: &[Asked<'c>]) {
        let Some(first) = unit.first() else { return };
        let mut sessions: Vec<Vec<Asked<'c>>> = vec![Vec::new()];
        let mut listed: HashMap<String, String> = HashMap::new();
        for asked in unit {
            let tool = field(asked.case, "tool");
            let name = Object::read(&tool).and_then(|tool| tool.one("name").map(str::to_owned));
            let name = name.unwrap_or_default();
            if listed.get(&name).is_some_and(|known| *known != tool) {
                sessions.push(Vec::new());
                listed.clear();
            }
            listed.insert(name, tool);
            if let Some(session) = sessions.last_mut() {
                session.push(*asked);
            }
        }
        self.jobs.push(Job {
            version: first.version,
            sessions,
            sequence: true,
            waits: false,
        });
    }
}
