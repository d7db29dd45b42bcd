//! The small print of pipes and of how processes end.

use std::io::{self, ErrorKind, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// How a process ended, as a clause.
pub(super) fn said(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it exited with status {code}"),
        (None, Some(signal)) => format!("it was killed by signal {signal}"),
        (None, None) => "it ended".to_owned(),
    }
}

/// Reads what is there; `None` at the end.
pub(super) fn read(pipe: &mut Option<impl Read>, chunk: &mut [u8]) -> Option<usize> {
    match pipe.as_mut()?.read(chunk) {
        Ok(0) => None,
        Ok(read) => Some(read),
        Err(error) if is_transient(&error) => Some(0),
        Err(_) => None,
    }
}

pub(super) fn is_transient(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
