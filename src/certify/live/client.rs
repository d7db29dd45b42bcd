//! The client of a run.

use std::path::PathBuf;

use super::script::ReplyForm;
use crate::certify::{Bounds, Command};
use crate::corpus::Transport;

/// A client under test, and how it is put to the wire.
#[derive(Clone, Debug)]
pub struct Live {
    /// The driver's command line.
    pub driver: Command,
    /// Whether the driver reads its sessions from its standard input, instead of being started
    /// for each.
    pub sessions_on_stdin: bool,
    /// How client and server are connected.
    pub transport: Transport,
    /// The form of answers over HTTP.
    pub reply: ReplyForm,
    /// This program, which clients start as their server over stdio.
    pub server: PathBuf,
    /// How long a driver may take to start and to leave.
    pub bounds: Bounds,
}

impl Live {
    /// How the client is set up, as a certificate says it.
    pub fn config(&self) -> String {
        match (self.transport, self.reply) {
            (Transport::Http, ReplyForm::Sse) => "live http sse".to_owned(),
            (transport, _) => format!("live {}", transport.as_str()),
        }
    }
}
