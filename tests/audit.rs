//! The audit of recorded calls.

mod support;

#[path = "audit/branches.rs"]
mod branches;
#[path = "audit/corpus.rs"]
mod corpus;
#[path = "audit/folder.rs"]
mod folder;
#[path = "audit/logs.rs"]
mod logs;
#[path = "audit/merge.rs"]
mod merge;
#[path = "audit/program.rs"]
mod program;
#[path = "audit/sessions.rs"]
mod sessions;
#[path = "audit/stopped.rs"]
mod stopped;
#[path = "audit/verdicts.rs"]
mod verdicts;
#[path = "audit/workload.rs"]
mod workload;
