//! What the drivers of a run share: their command, and what may still be spent on them.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::client::Live;
use crate::certify::process::{Command, Process};
use crate::certify::{Bounds, NotStarted};

/// How often a driver that broke is started again.
pub(super) const MOST_RESTARTS: u32 = 100;
/// The word that tells a driver, in place of a target, to read its sessions.
const ON_STDIN: &str = "--sessions-on-stdin";

/// What all drivers of a run share.
#[derive(Debug)]
pub(super) struct Drivers {
    pub(super) command: Command,
    /// Whether one process goes through many sessions, which it reads from its standard input.
    pub(super) on_stdin: bool,
    pub(super) bounds: Bounds,
    pub(super) interrupt: Arc<AtomicBool>,
    restarts: AtomicU32,
}

impl Drivers {
    pub(super) fn new(live: &Live, interrupt: &Arc<AtomicBool>) -> Self {
        Self {
            command: live.driver.clone(),
            on_stdin: live.sessions_on_stdin,
            bounds: live.bounds,
            interrupt: interrupt.clone(),
            restarts: AtomicU32::new(0),
        }
    }

    /// How often a driver broke and was started again.
    pub(super) fn restarts(&self) -> u32 {
        self.restarts.load(Ordering::Relaxed)
    }

    /// Starts a process, for the session of `target` or for many.
    ///
    /// # Errors
    /// Why that is not possible.
    pub(super) fn start(&self, target: &[String]) -> Result<Process, NotStarted> {
        let mut command = self.command.clone();
        if self.on_stdin {
            command.arguments.push(ON_STDIN.into());
        } else {
            command.arguments.extend(target.iter().map(OsString::from));
        }
        Process::start(&command).map_err(|error| NotStarted {
            detail: format!("{}: cannot be started: {error}", command.program.display()),
            stderr: String::new(),
        })
    }

    /// Takes one of the restarts that are left.
    pub(super) fn may_restart(&self) -> bool {
        let take = |used: u32| (used < MOST_RESTARTS).then_some(used + 1);
        let order = Ordering::Relaxed;
        self.restarts.fetch_update(order, order, take).is_ok()
    }
}
