//! The process groups that are alive, so that whoever must leave in haste leaves none behind.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

static ALIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn alive() -> MutexGuard<'static, BTreeSet<u32>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every process that was started here and is not reaped yet, each with its group.
pub fn kill_all() {
    for leader in alive().iter() {
        kill_group(*leader);
    }
}

/// Kills a process with its group.
pub(super) fn kill_group(leader: u32) {
    if let Some(group) = Pid::from_raw(leader.cast_signed()) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The group of a process that is not reaped yet: its number cannot be another's.
#[derive(Debug)]
pub(super) struct Group(u32);

impl Group {
    pub(super) fn of(leader: u32) -> Self {
        alive().insert(leader);
        Self(leader)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        alive().remove(&self.0);
    }
}
