//! `certify --live`: the options of a client over the wire.

use std::ffi::OsString;

use super::Failure;
use crate::certify::live::{Live, ReplyForm};
use crate::certify::{Bounds, Command};
use crate::corpus::Transport;

/// How a live client is reached.
#[derive(clap::Args, Debug)]
pub(super) struct LiveArgs {
    /// The command after `--` drives a real client: this program is the server, and the client
    /// talks to it. docs/live.md says what a driver does.
    #[arg(long)]
    live: bool,
    /// With --live: how client and server are connected.
    #[arg(long, value_enum, default_value_t = Way::Stdio, requires = "live")]
    transport: Way,
    /// With --live and --transport http: the form of the server's answers.
    #[arg(long, value_enum, default_value_t = Form::Json, requires = "live")]
    reply: Form,
    /// With --live: start the driver once, and give it one line of JSON for each session.
    #[arg(long, requires = "live")]
    sessions_on_stdin: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Way {
    /// The client starts the server as its child.
    Stdio,
    /// Streamable HTTP on this machine.
    Http,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// One JSON message.
    Json,
    /// A stream of server-sent events.
    Sse,
}

impl LiveArgs {
    /// The client behind `command`; `None` where none is asked for.
    pub(super) fn client(&self, command: &[OsString]) -> Result<Option<Live>, Failure> {
        if !self.live {
            return Ok(None);
        }
        let Some((program, arguments)) = command.split_first() else {
            let what = "--live needs the command line of a driver after `--`";
            return Err(Failure::Usage(what.to_owned()));
        };
        if self.reply == Form::Sse && self.transport != Way::Http {
            let what = "--reply sse is for --transport http";
            return Err(Failure::Usage(what.to_owned()));
        }
        let server = std::env::current_exe().map_err(|error| {
            Failure::Usage(format!("this program cannot tell where it is: {error}"))
        })?;
        Ok(Some(Live {
            driver: Command {
                program: program.clone(),
                arguments: arguments.to_vec(),
            },
            sessions_on_stdin: self.sessions_on_stdin,
            transport: match self.transport {
                Way::Stdio => Transport::Stdio,
                Way::Http => Transport::Http,
            },
            reply: match self.reply {
                Form::Json => ReplyForm::Json,
                Form::Sse => ReplyForm::Sse,
            },
            server,
            bounds: Bounds::default(),
        }))
    }

    /// The options that ask the same client again in the same way.
    pub(super) fn rerun(&self) -> String {
        if !self.live {
            return String::new();
        }
        let mut words = " --live".to_owned();
        if self.transport == Way::Http {
            words.push_str(" --transport http");
        }
        if self.reply == Form::Sse {
            words.push_str(" --reply sse");
        }
        if self.sessions_on_stdin {
            words.push_str(" --sessions-on-stdin");
        }
        words
    }
}
