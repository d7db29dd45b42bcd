//! A child process in a group of its own, with its three pipes served by one loop.
//!
//! One loop over `poll` writes what is to be sent, reads what comes and drains standard error, so
//! that no full pipe on either side can block the other, and nothing here waits past its deadline.
//! A process that is ended is killed with its whole group and reaped; a descendant that left the
//! group and holds a pipe open is left alone, since nobody waits for its end.

mod pipe;
mod tail;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use pipe::{is_transient, read, said};
pub(super) use tail::Tail;

/// How long an answer is waited for awake. To be woken on a processor that has gone to sleep takes
/// longer than all that is done here for a case.
const AWAKE: Duration = Duration::from_micros(50);
/// How long a wait lasts before the process is looked at: a descendant may hold its pipe open.
const SLICE: Duration = Duration::from_millis(50);
/// How long a killed process may take to be gone.
const REAPED: Duration = Duration::from_secs(2);
const PAGE: usize = 16 << 10;

/// What to start: a program and its arguments, as they stand behind `--`.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// What came of an exchange.
#[derive(Debug)]
pub(super) enum Received {
    /// A line without its end.
    Line(Vec<u8>),
    /// More bytes than a line may have.
    TooLong,
    /// The process ended or closed its output: how, as a clause.
    Ended(String),
    /// The deadline is over.
    Late,
    /// Somebody wants the run to end.
    Interrupted,
}

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    buffer: Vec<u8>,
    tail: Tail,
    reaped: bool,
}

impl Process {
    pub(super) fn start(command: &Command) -> io::Result<Self> {
        let mut child = std::process::Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let process = Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            child,
            buffer: Vec::new(),
            tail: Tail::default(),
            reaped: false,
        };
        // Whoever does not read must not keep us from reading.
        if let Some(stdin) = &process.stdin {
            rustix::io::ioctl_fionbio(stdin, true)?;
        }
        Ok(process)
    }

    /// The end of what it wrote to its standard error.
    pub(super) fn stderr(&self) -> String {
        self.tail.text()
    }

    /// Whether more has come than the line that was received.
    pub(super) fn has_more(&self) -> bool {
        !self.buffer.is_empty()
    }

    /// Sends `unsent`, of which it leaves what could not be sent, and waits for one line of at
    /// most `limit` bytes.
    pub(super) fn exchange(
        &mut self,
        unsent: &mut &[u8],
        limit: usize,
        deadline: Instant,
        interrupt: &AtomicBool,
    ) -> Received {
        let mut searched = 0;
        // Whoever has answered waits for the next question: a wait to learn that is a wait too many.
        if !unsent.is_empty() {
            self.send(unsent);
        }
        loop {
            // Not before all is sent: half a message would spoil the next one.
            if unsent.is_empty() {
                let mut new = self.buffer[searched..].iter();
                if let Some(end) = new.position(|byte| *byte == b'\n') {
                    let mut line: Vec<u8> = self.buffer.drain(..=searched + end).collect();
                    line.pop();
                    return if line.len() > limit {
                        Received::TooLong
                    } else {
                        Received::Line(line)
                    };
                }
                searched = self.buffer.len();
            }
            if self.buffer.len() > limit {
                return Received::TooLong;
            }
            if interrupt.load(Ordering::Relaxed) {
                return Received::Interrupted;
            }
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                return Received::Late;
            };
            let waited = self.serve(unsent, left.min(SLICE));
            if self.stdout.is_none() {
                return Received::Ended(self.how_it_ended());
            }
            // Quiet: what is left in the pipe has been read, so an end is an end.
            if !waited && self.has_exited() {
                return Received::Ended(self.how_it_ended());
            }
        }
    }

    /// Asks it to end, and gives it until `deadline`.
    pub(super) fn stop(&mut self, message: &[u8], deadline: Instant, interrupt: &AtomicBool) {
        let mut unsent = message;
        while Instant::now() < deadline && !self.has_exited() {
            if interrupt.load(Ordering::Relaxed) {
                return;
            }
            self.serve(&mut unsent, Duration::from_millis(5));
            // What it still writes is nobody's answer.
            self.buffer.clear();
            if unsent.is_empty() {
                self.stdin = None;
            }
            if self.stdout.is_none() && self.stderr.is_none() {
                sleep(Duration::from_millis(1));
            }
        }
    }

    /// Kills it with its group, and reaps it.
    pub(super) fn kill(&mut self) {
        if self.reaped {
            return;
        }
        // Before it is reaped, so that its number cannot be another's.
        self.kill_group();
        let deadline = Instant::now() + REAPED;
        while !self.reaped && Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(None) => sleep(Duration::from_millis(1)),
                Ok(Some(_)) | Err(_) => self.reaped = true,
            }
        }
        self.stdin = None;
        self.stdout = None;
        // What it said last is often why it ended.
        if let Some(stderr) = &mut self.stderr
            && rustix::io::ioctl_fionbio(&*stderr, true).is_ok()
        {
            let mut chunk = vec![0; PAGE];
            while let Ok(read @ 1..) = stderr.read(&mut chunk) {
                self.tail.push(&chunk[..read]);
                if Instant::now() > deadline {
                    break;
                }
            }
        }
        self.stderr = None;
    }

    fn kill_group(&self) {
        if let Some(group) = Pid::from_raw(self.child.id().cast_signed()) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// One turn of the loop: waits for a pipe to be ready and serves it. False where none was.
    fn serve(&mut self, unsent: &mut &[u8], wait: Duration) -> bool {
        let mut fds = Vec::with_capacity(3);
        if let Some(stdout) = &self.stdout {
            fds.push(PollFd::from_borrowed_fd(stdout.as_fd(), PollFlags::IN));
        }
        if let Some(stderr) = &self.stderr {
            fds.push(PollFd::from_borrowed_fd(stderr.as_fd(), PollFlags::IN));
        }
        if let (Some(stdin), false) = (&self.stdin, unsent.is_empty()) {
            fds.push(PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::OUT));
        }
        let timeout = Timespec {
            tv_sec: wait.as_secs().cast_signed(),
            tv_nsec: i64::from(wait.subsec_nanos()),
        };
        let mut is_ready = |timeout: Timespec| matches!(poll(&mut fds, Some(&timeout)), Ok(1..));
        let sleepy = Instant::now() + AWAKE.min(wait);
        while !is_ready(Timespec::default()) {
            if Instant::now() < sleepy {
                // The other side may have no processor but this one.
                yield_now();
            } else if is_ready(timeout) {
                break;
            } else {
                // Nothing, or a signal: the caller's loop looks at why.
                return false;
            }
        }
        let mut ready = fds
            .iter()
            .map(|fd| !fd.revents().is_empty())
            .collect::<Vec<_>>()
            .into_iter();
        let mut is_ready = |open: bool| open && ready.next() == Some(true);
        let out = is_ready(self.stdout.is_some());
        let err = is_ready(self.stderr.is_some());
        if is_ready(self.stdin.is_some() && !unsent.is_empty()) {
            self.send(unsent);
        }
        if err {
            let mut chunk = [0; PAGE];
            match read(&mut self.stderr, &mut chunk) {
                Some(read) => self.tail.push(&chunk[..read]),
                None => self.stderr = None,
            }
        }
        if out {
            let mut chunk = [0; PAGE];
            match read(&mut self.stdout, &mut chunk) {
                Some(read) => self.buffer.extend_from_slice(&chunk[..read]),
                None => self.stdout = None,
            }
        }
        true
    }

    fn send(&mut self, unsent: &mut &[u8]) {
        let Some(stdin) = &mut self.stdin else {
            return;
        };
        match stdin.write(unsent) {
            Ok(written) => *unsent = &unsent[written..],
            Err(error) if is_transient(&error) => {}
            // It has closed its input: what it still has to say may come, the rest cannot be sent.
            Err(_) => {
                self.stdin = None;
                *unsent = &[];
            }
        }
    }

    /// Whether the process has exited; it stays to be reaped.
    fn has_exited(&self) -> bool {
        let Some(pid) = Pid::from_raw(self.child.id().cast_signed()) else {
            return true;
        };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)))
    }

    /// How it ended, as a clause. Its exit may come a moment after its pipes are closed.
    fn how_it_ended(&mut self) -> String {
        let deadline = Instant::now() + Duration::from_millis(500);
        while !self.has_exited() {
            if Instant::now() > deadline {
                return "it closed its standard output".to_owned();
            }
            sleep(Duration::from_millis(1));
        }
        self.kill_group();
        match self.child.try_wait() {
            Ok(Some(status)) => {
                self.reaped = true;
                said(status)
            }
            _ => "it ended".to_owned(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
