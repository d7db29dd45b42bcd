//! Where the server of a session is: a child of the client, or an address on this machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use super::http::{Hosted, HttpServer};
use super::script::{Event, Script};

/// The most bytes of a server's record that are read.
const MOST_EVENTS: u64 = 64 << 20;

/// Hosts the sessions of a run.
#[derive(Debug)]
pub(super) enum Host {
    /// The client starts the server: this program, told by a file what to do.
    Stdio {
        /// The program.
        server: PathBuf,
        /// Where scripts and records are; it goes with the run.
        folder: TempDir,
        /// The number of the next session.
        next: AtomicU64,
    },
    /// One server for all sessions, each under its own path.
    Http(HttpServer),
}

/// A session that a client can reach.
pub(super) enum Opened {
    /// Through files.
    Stdio {
        /// The words of the command line.
        target: Vec<String>,
        /// What the server is told.
        script: PathBuf,
        /// What it writes down.
        events: PathBuf,
    },
    /// Through an address.
    Http {
        /// The address.
        target: Vec<String>,
        /// The session.
        hosted: Hosted,
    },
}

impl Host {
    /// A host whose sessions are over stdio; `server` is this program.
    pub(super) fn stdio(server: PathBuf) -> io::Result<Self> {
        Ok(Self::Stdio {
            server,
            folder: tempfile::Builder::new().prefix("mcp-conform-").tempdir()?,
            next: AtomicU64::new(0),
        })
    }

    /// Makes a session ready.
    pub(super) fn open(&self, script: &Script) -> io::Result<Opened> {
        match self {
            Self::Stdio {
                server,
                folder,
                next,
            } => {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let path = |kind: &str| folder.path().join(format!("{number}.{kind}"));
                let (written, events) = (path("script.json"), path("events.jsonl"));
                fs::write(&written, serde_json::to_vec(script)?)?;
                fs::File::create(&events)?;
                let word = |path: &Path| path.to_string_lossy().into_owned();
                let words = [
                    "serve",
                    "--script",
                    &word(&written),
                    "--events",
                    &word(&events),
                ];
                let mut target = vec![word(server)];
                target.extend(words.map(str::to_owned));
                Ok(Opened::Stdio {
                    target,
                    script: written,
                    events,
                })
            }
            Self::Http(server) => {
                let hosted = server.add(script.clone());
                Ok(Opened::Http {
                    target: vec![hosted.url.clone()],
                    hosted,
                })
            }
        }
    }
}

impl Opened {
    /// The words that name the server.
    pub(super) fn target(&self) -> &[String] {
        match self {
            Self::Stdio { target, .. } | Self::Http { target, .. } => target,
        }
    }

    /// A number that grows with what the client sends.
    pub(super) fn signs(&self) -> u64 {
        match self {
            Self::Stdio { events, .. } => fs::metadata(events).map_or(0, |file| file.len()),
            Self::Http { hosted, .. } => hosted.events().len() as u64,
        }
    }

    /// What the client has sent, in order.
    pub(super) fn events(&self) -> Vec<Event> {
        match self {
            Self::Stdio { events, .. } => read(events),
            Self::Http { hosted, .. } => hosted.events(),
        }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if let Self::Stdio { script, events, .. } = self {
            let _ = fs::remove_file(script);
            let _ = fs::remove_file(events);
        }
    }
}

/// Reads a record; a line that a killed server has left half written is no event.
fn read(path: &Path) -> Vec<Event> {
    use io::Read;
    let mut text = Vec::new();
    let file = fs::File::open(path);
    if file
        .and_then(|file| file.take(MOST_EVENTS).read_to_end(&mut text))
        .is_err()
    {
        return Vec::new();
    }
    let lines = text.split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}
