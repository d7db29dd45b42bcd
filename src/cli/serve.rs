//! `mcp-conform serve`: the server of one live session over standard input and output.
//!
//! Hidden: `certify --live` gives its command line to the client under test, which starts it, and
//! may start it twice. Everything is in the arguments, since clients pass few variables on.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::{Exit, Failure};
use crate::certify::live::{Event, Script, stdio};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// What the server sends: a script as JSON.
    #[arg(long, value_name = "FILE")]
    script: PathBuf,

    /// Where each message of the client is recorded, one JSON object a line, after what is there.
    #[arg(long, value_name = "FILE")]
    events: PathBuf,

    /// Ends the server when nothing has gone in or out for so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    idle: u64,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let script = read(&args.script)?;
    let options = OpenOptions::new().append(true).create(true).clone();
    let mut events = options
        .open(&args.events)
        .map_err(|error| Failure::Usage(unrecorded(&args.events, &error).to_string()))?;
    let pulse = Arc::new(stdio::Pulse::new());
    watch(Arc::clone(&pulse), Duration::from_secs(args.idle.max(1)));
    let served = stdio::serve(
        script,
        io::stdin().lock(),
        io::stdout().lock(),
        |event| record(&mut events, event).map_err(|error| unrecorded(&args.events, &error)),
        &pulse,
    );
    served.map_err(|error| Failure::Usage(format!("the session broke off: {error}")))?;
    Ok(Exit::AsExpected)
}

fn read(path: &Path) -> Result<Script, Failure> {
    let fault = |what: &dyn std::fmt::Display| {
        Failure::Usage(format!(
            "{}: cannot be read as a script: {what}",
            path.display()
        ))
    };
    let file = File::open(path).map_err(|error| fault(&error))?;
    serde_json::from_reader(BufReader::new(file)).map_err(|error| fault(&error))
}

fn unrecorded(path: &Path, error: &io::Error) -> io::Error {
    io::Error::other(format!("{}: cannot be written: {error}", path.display()))
}

/// In one write, so that the lines of two servers stay apart.
fn record(events: &mut File, event: &Event) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    events.write_all(&line)
}

/// Ends the process of a client that neither reads, writes nor leaves. A thread of its own, since
/// the one that serves may stand in a read or a write for ever.
fn watch(pulse: Arc<stdio::Pulse>, idle: Duration) {
    std::thread::spawn(move || {
        loop {
            let quiet = Duration::from_millis(pulse.quiet_ms());
            let Some(left) = idle.checked_sub(quiet).filter(|left| !left.is_zero()) else {
                note!("mcp-conform serve: nothing has come or gone for {idle:?}");
                std::process::exit(0);
            };
            std::thread::sleep(left);
        }
    });
}
