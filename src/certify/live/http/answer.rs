//! How an answer travels over HTTP: its status, its form, and the streams that stay open.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::Response;

use super::{Host, lock};
use crate::certify::live::body::{broken, written};
use crate::certify::live::reply::{self, Answer};
use crate::certify::live::request::{INVALID_PARAMS, METHOD_NOT_FOUND};
use crate::certify::live::script::ReplyForm;
use crate::protocol::ProtocolVersion;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// What decides, beside the answer, how it is sent.
pub(super) struct Way {
    pub(super) version: ProtocolVersion,
    /// Whether the request asks which versions there are.
    pub(super) probe: bool,
    /// Whether it opens a session.
    pub(super) opens: bool,
}

/// A response without a body.
pub(super) fn bare(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

pub(super) fn not_allowed() -> Response {
    let mut response = bare(StatusCode::METHOD_NOT_ALLOWED);
    let allowed = header::HeaderValue::from_static("POST");
    response.headers_mut().insert(header::ALLOW, allowed);
    response
}

/// Sends an answer, or what comes instead of one.
pub(super) async fn send(host: &Arc<Host>, way: &Way, answer: Answer, changed: bool) -> Response {
    let response = match answer {
        Answer::None => bare(StatusCode::ACCEPTED),
        Answer::Message { text, refused } => {
            // What is refused was not understood, and has no stream of its own.
            let form = if refused.is_some() {
                ReplyForm::Json
            } else {
                host.form
            };
            let mut text = framed(form, &text);
            if changed && form == ReplyForm::Sse && nobody_listens(host, way) {
                // The stream ends with the answer, so the announcement goes first.
                text.insert_str(0, &framed(form, &reply::changed(None)));
            }
            with_body(form, status(refused, way), text.into())
        }
        Answer::Silence => {
            let _: Option<()> = host.wait(std::future::pending()).await;
            with_body(host.form, StatusCode::OK, broken())
        }
        Answer::Close => with_body(host.form, StatusCode::OK, broken()),
        Answer::Half(text) => half(host, text),
        Answer::Flood { head, bytes, tail } => flood(host, head, bytes, tail),
        Answer::Listen { id, text } => listen(host, Some(id), framed(ReplyForm::Sse, &text)),
    };
    if changed {
        host.changes.send_modify(|changes| *changes += 1);
    }
    let mut response = response;
    if way.opens && lock(&host.session).changes() && way.version < ProtocolVersion::V2026_07_28 {
        let id = header::HeaderValue::from(host.number);
        response.headers_mut().insert("mcp-session-id", id);
    }
    response
}

/// The stream of announcements that a GET opens, on versions that have one and where there is
/// something to announce.
pub(super) fn stream(host: &Arc<Host>) -> Response {
    let session = lock(&host.session);
    if !session.changes() || session.version() >= ProtocolVersion::V2026_07_28 {
        return not_allowed();
    }
    drop(session);
    // A comment, so that the head of the response is sent at once.
    listen(host, None, ":\n\n".to_owned())
}

fn half(host: &Arc<Host>, text: String) -> Response {
    let (pen, body) = written();
    let host = Arc::clone(host);
    let form = host.form;
    tokio::spawn(async move {
        let start = if form == ReplyForm::Sse { "data: " } else { "" };
        if pen.write(format!("{start}{text}")).await {
            host.wait(pen.left()).await;
        }
        pen.abort().await;
    });
    with_body(form, StatusCode::OK, body)
}

fn flood(host: &Arc<Host>, head: String, bytes: u64, tail: &'static str) -> Response {
    let (pen, body) = written();
    let host = Arc::clone(host);
    let form = host.form;
    tokio::spawn(async move {
        let (start, end) = match form {
            ReplyForm::Json => ("", ""),
            ReplyForm::Sse => ("event: message\ndata: ", "\n\n"),
        };
        let all = async {
            pen.write(format!("{start}{head}")).await
                && pen.flood(bytes).await
                && pen.write(format!("{tail}{end}")).await
        };
        if host.wait(all).await != Some(true) {
            pen.abort().await;
        }
    });
    with_body(form, StatusCode::OK, body)
}

/// A stream that opens with `first` and says when the listing changes, until the client leaves or
/// the session is over.
fn listen(host: &Arc<Host>, subscription: Option<String>, first: String) -> Response {
    let (pen, body) = written();
    let host = Arc::clone(host);
    let mut changes = host.changes.subscribe();
    tokio::spawn(async move {
        let notice = framed(ReplyForm::Sse, &reply::changed(subscription.as_deref()));
        let mut open = pen.write(first).await;
        while open {
            let next = async {
                tokio::select! {
                    changed = changes.changed() => changed.is_ok(),
                    () = pen.left() => false,
                }
            };
            open = host.wait(next).await == Some(true) && pen.write(notice.clone()).await;
        }
    });
    with_body(ReplyForm::Sse, StatusCode::OK, body)
}

/// Whether a change would be announced to nobody, on a version that lets it travel with an answer.
fn nobody_listens(host: &Host, way: &Way) -> bool {
    way.version < ProtocolVersion::V2026_07_28 && host.changes.receiver_count() == 0
}

fn with_body(form: ReplyForm, status: StatusCode, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let kind = match form {
        ReplyForm::Json => JSON,
        ReplyForm::Sse => EVENTS,
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    headers.insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-cache"),
    );
    response
}

/// The status of an answer. 2026-07-28 says it for each error; the versions before answer a request
/// that was understood with 200. A probe for a later version is told by 400 to go back to
/// `initialize`.
fn status(refused: Option<i64>, way: &Way) -> StatusCode {
    let stateless = way.version >= ProtocolVersion::V2026_07_28;
    match refused {
        None => StatusCode::OK,
        Some(METHOD_NOT_FOUND) if stateless => StatusCode::NOT_FOUND,
        Some(METHOD_NOT_FOUND) if !way.probe => StatusCode::OK,
        Some(INVALID_PARAMS) if !stateless => StatusCode::OK,
        Some(_) => StatusCode::BAD_REQUEST,
    }
}

/// The text in its form: as a server-sent event, each of its lines is a line of data.
fn framed(form: ReplyForm, text: &str) -> String {
    if form == ReplyForm::Json {
        return text.to_owned();
    }
    let mut event = String::with_capacity(text.len() + 32);
    event.push_str("event: message\n");
    for line in text.replace("\r\n", "\n").split(['\n', '\r']) {
        let _ = writeln!(event, "data: {line}");
    }
    event.push('\n');
    event
}
