//! What the drivers of a run share: their command, and what may still be spent on them.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

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
    /// The longest that a new process took to its first message, in milliseconds; 0 before any came.
    warm: AtomicU64,
}

impl Drivers {
    pub(super) fn new(
        command: Command,
        on_stdin: bool,
        bounds: Bounds,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        Self {
            command,
            on_stdin,
            bounds,
            interrupt,
            restarts: AtomicU32::new(0),
            warm: AtomicU64::new(0),
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

    /// How long a new process may take to be ready. Once one has been, the next ones are given
    /// ten times as long: each case that hangs costs a start, and a dozen of them start side by side.
    pub(super) fn ready(&self) -> Duration {
        match self.warm.load(Ordering::Relaxed) {
            0 => self.bounds.start,
            known => self
                .bounds
                .start
                .min(Duration::from_millis(10 * known + 1000)),
        }
    }

    /// Notes how long a process took.
    pub(super) fn was_ready(&self, after: Duration) {
        let millis = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
        self.warm.fetch_max(millis.max(1), Ordering::Relaxed);
    }

    /// Takes one of the restarts that are left.
    pub(super) fn may_restart(&self) -> bool {
        let take = |used: u32| (used < MOST_RESTARTS).then_some(used + 1);
        let order = Ordering::Relaxed;
        self.restarts.fetch_update(order, order, take).is_ok()
    }
}
