//! A real client over the wire: the program is the server, and the client under test talks to it.
//!
//! A [`Script`] says what the server sends in one session, wrong as it may be; an [`Event`] says
//! what the client sent.

mod script;

pub use script::{Event, Reply, ReplyForm, Script, Stage};
