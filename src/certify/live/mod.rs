//! A real client over the wire: the program is the server, and the client under test talks to it.
//!
//! A [`Script`] says what the server sends in one session, wrong as it may be; an [`Event`] says
//! what the client sent. A [`Session`] is the protocol between the two; [`stdio`] and
//! [`HttpServer`] carry it. A [`Canary`] tells whether a client fetched what it must not.

mod again;
mod batch;
mod body;
mod canary;
mod client;
mod compose;
mod driver;
mod drivers;
mod headers;
mod hello;
mod host;
mod http;
mod judge;
mod line;
mod manner;
mod mirror;
mod offer;
mod raw;
mod reply;
mod request;
mod run;
mod script;
mod session;
mod stage;
pub mod stdio;

pub use again::Again;
pub use canary::{Canary, PLACEHOLDER, Visit};
pub use client::Live;
pub use http::{Hosted, HttpServer};
pub use reply::Answer;
pub use run::certify;
pub use script::{Event, Reply, ReplyForm, Script, Stage};
pub use session::{Headers, MOST_MESSAGE, Session, Turn};
