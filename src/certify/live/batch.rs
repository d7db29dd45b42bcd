//! Which cases share a session. A session costs a client's start, so that cases stand side by side
//! in one listing wherever none can spoil another's judgement.

use std::cmp::Reverse;
use std::collections::HashMap;

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

/// What holds the sessions of a job together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One session of cases that may be asked apart.
    Shared,
    /// One case, alone, on one version after the other, the newest first.
    Alone,
    /// Cases that belong together, in their order: they are never asked apart.
    Sequence,
}

/// Sessions that one driver holds in order.
pub(super) struct Job<'c> {
    pub(super) kind: Kind,
    /// The sessions, each with its cases, which are all of one version.
    pub(super) sessions: Vec<Vec<Asked<'c>>>,
    /// Whether the client is sent what is no JSON, and may wait for something else.
    pub(super) waits: bool,
    /// The names of its schemas, each with what stands for the schema.
    ids: Vec<(String, u64)>,
}

/// The jobs of a plan, and what cannot be asked of a live client with the reason.
pub(super) struct Jobs<'c> {
    pub(super) jobs: Vec<Job<'c>>,
    pub(super) unasked: Vec<(Asked<'c>, String)>,
}

/// A session that still takes cases.
#[derive(Default)]
struct Open<'c> {
    cases: Vec<Asked<'c>>,
    ids: Vec<(String, u64)>,
}

impl<'c> Jobs<'c> {
    /// The jobs of `plan` over `transport`.
    pub(super) fn of(plan: &Plan<'c>, transport: Transport) -> Self {
        let mut jobs = Self::in_turn(plan, transport);
        jobs.order();
        jobs
    }

    /// The jobs as the plan's order makes them.
    fn in_turn(plan: &Plan<'c>, transport: Transport) -> Self {
        let mut jobs = Self {
            jobs: Vec::new(),
            unasked: Vec::new(),
        };
        let mut manners: HashMap<&str, Texts> = HashMap::new();
        let mut open: HashMap<(ProtocolVersion, GateName, bool), Open<'c>> = HashMap::new();
        let mut alone: HashMap<&str, usize> = HashMap::new();
        for unit in &plan.units {
            let [asked] = unit.as_slice() else {
                jobs.sequence(unit);
                continue;
            };
            let texts = manners.entry(asked.case.id.as_str());
            let texts = texts.or_insert_with(|| Texts::of(asked.case, transport));
            let most = match texts.manner(asked) {
                Manner::Never(why) => {
                    jobs.unasked.push((*asked, why));
                    continue;
                }
                Manner::Alone => {
                    let next = jobs.jobs.len();
                    let job = *alone.entry(&asked.case.id).or_insert(next);
                    if job == next {
                        jobs.jobs.push(Job {
                            kind: Kind::Alone,
                            sessions: Vec::new(),
                            waits: texts.broken,
                            ids: texts.ids.clone(),
                        });
                    }
                    jobs.jobs[job].sessions.push(vec![*asked]);
                    continue;
                }
                Manner::Shared => MOST_SHARED,
                Manner::Suspect => MOST_SUSPECTS,
            };
            let kind = (asked.version, asked.case.gate, most == MOST_SUSPECTS);
            let session = open.entry(kind).or_default();
            // One name for two schemas is a case of its own.
            let is_taken = |id: &String| session.ids.iter().any(|(known, _)| known == id);
            if session.cases.len() >= most || texts.ids.iter().any(|(id, _)| is_taken(id)) {
                jobs.shared(std::mem::take(session));
            }
            session.cases.push(*asked);
            session.ids.extend(texts.ids.iter().cloned());
        }
        let mut rest: Vec<_> = open.into_iter().collect();
        rest.sort_by_key(|(kind, _)| *kind);
        for (_, session) in rest {
            jobs.shared(session);
        }
        jobs
    }

    fn shared(&mut self, session: Open<'c>) {
        if !session.cases.is_empty() {
            self.jobs.push(Job {
                kind: Kind::Shared,
                sessions: vec![session.cases],
                waits: false,
                ids: session.ids,
            });
        }
    }

    /// What may break a client comes last, so that the rest is known by then. Before that come jobs
    /// in waves, none of which has one name for two schemas: a client is started anew between two
    /// waves and not between two jobs.
    fn order(&mut self) {
        let mut waves: Vec<HashMap<String, u64>> = Vec::new();
        let jobs = std::mem::take(&mut self.jobs).into_iter();
        let mut ordered: Vec<_> = jobs
            .map(|mut job| {
                if job.kind == Kind::Alone {
                    let version =
                        |session: &Vec<Asked<'_>>| session.first().map(|asked| asked.version);
                    job.sessions
                        .sort_by_key(|session| Reverse(version(session)));
                }
                let fits = |wave: &HashMap<String, u64>| {
                    let mut ids = job.ids.iter();
                    ids.all(|(id, schema)| wave.get(id).is_none_or(|known| known == schema))
                };
                let wave = waves.iter().position(fits).unwrap_or(waves.len());
                if wave == waves.len() {
                    waves.push(HashMap::new());
                }
                waves[wave].extend(job.ids.iter().cloned());
                let mut cases = job.sessions.iter().flatten();
                let is_hostile = cases.next().is_some_and(|asked| is_hostile(asked.case));
                (is_hostile, wave, job)
            })
            .collect();
        ordered.sort_by_key(|(is_hostile, wave, _)| (*is_hostile, *wave));
        self.jobs = ordered.into_iter().map(|(.., job)| job).collect();
    }

    /// A sequence is one session, as long as no tool comes back with another definition under the
    /// same name: that is a listing anew, by a client object anew in the same process.
    fn sequence(&mut self, unit: &[Asked<'c>]) {
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
            kind: Kind::Sequence,
            sessions,
            waits: false,
            ids: Vec::new(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::Selection;
    use crate::corpus::Corpus;

    /// How often one client must be started anew to go through these jobs.
    fn starts(jobs: &[Job<'_>]) -> usize {
        let mut known: HashMap<&str, u64> = HashMap::new();
        let mut starts = 0;
        for job in jobs {
            let is_other = |(id, schema): &(String, u64)| {
                let known = known.get(id.as_str());
                known.is_some_and(|known| known != schema)
            };
            if job.ids.iter().any(is_other) {
                known.clear();
                starts += 1;
            }
            known.extend(job.ids.iter().map(|(id, schema)| (id.as_str(), *schema)));
        }
        starts
    }

    #[test]
    fn waves_spare_a_client_most_of_its_starts() {
        let corpus = Corpus::embedded().expect("the corpus can be read");
        let plan = Plan::live(&corpus, &Selection::default());
        let in_turn = starts(&Jobs::in_turn(&plan, Transport::Http).jobs);
        let in_waves = starts(&Jobs::of(&plan, Transport::Http).jobs);
        assert!(
            in_waves > 0 && 2 * in_waves < in_turn,
            "{in_waves} of {in_turn}"
        );
    }

    #[test]
    fn what_may_break_a_client_comes_last() {
        let corpus = Corpus::embedded().expect("the corpus can be read");
        let plan = Plan::live(&corpus, &Selection::default());
        let Jobs { jobs, .. } = Jobs::of(&plan, Transport::Http);
        let hostile: Vec<_> = jobs
            .iter()
            .map(|job| is_hostile(job.sessions[0][0].case))
            .collect();
        assert!(hostile.contains(&true) && hostile.is_sorted());
    }

    #[test]
    fn a_case_alone_is_asked_on_its_versions_in_turn_the_newest_first() {
        let corpus = Corpus::embedded().expect("the corpus can be read");
        let plan = Plan::live(&corpus, &Selection::default());
        let Jobs { jobs, .. } = Jobs::of(&plan, Transport::Http);
        let mut seen = HashMap::new();
        for job in jobs.iter().filter(|job| job.kind == Kind::Alone) {
            let asked: Vec<_> = job.sessions.iter().flatten().collect();
            let versions = asked.iter().map(|asked| asked.version);
            let id = asked[0].case.id.as_str();
            assert!(versions.is_sorted_by(|one, next| one > next), "{id}");
            assert!(asked.iter().all(|asked| asked.case.id == id), "{id}");
            assert!(seen.insert(id, asked.len()).is_none(), "{id} again");
        }
        assert_eq!(seen.get("hostile/text#text_empty"), Some(&3));
    }
}
