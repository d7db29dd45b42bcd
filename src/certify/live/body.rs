//! Bodies that are read within a bound, and bodies that are written piece by piece, never further
//! ahead than the client reads.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use http_body::Frame;
use tokio::sync::mpsc;

/// How much of a flood is written at once.
const PIECE: usize = 64 << 10;
/// What a flood is made of.
static FILLING: [u8; PIECE] = [b'x'; PIECE];

/// What became of a body that was to be read.
pub(super) enum Received {
    /// All of it.
    Whole(Vec<u8>),
    /// It has so many bytes already, and the rest was not read.
    TooLong(usize),
    /// The client broke off.
    Broken,
}

/// Reads a body of at most `most` bytes.
pub(super) async fn read(mut body: Body, most: usize) -> Received {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(frame) = frame else {
            return Received::Broken;
        };
        // Trailers say nothing here.
        let Ok(piece) = frame.into_data() else {
            continue;
        };
        if bytes.len() + piece.len() > most {
            return Received::TooLong(bytes.len() + piece.len());
        }
        bytes.extend_from_slice(&piece);
    }
    Received::Whole(bytes)
}

/// The side that writes. Dropped, it ends the body as complete.
pub(super) struct Pen(mpsc::Sender<io::Result<Bytes>>);

struct Pieces(mpsc::Receiver<io::Result<Bytes>>);

/// A body and the pen that writes it.
pub(super) fn written() -> (Pen, Body) {
    let (sender, receiver) = mpsc::channel(1);
    (Pen(sender), Body::new(Pieces(receiver)))
}

/// A body that is broken off before it starts, and the connection with it.
pub(super) fn broken() -> Body {
    let (pen, body) = written();
    // The channel has room for one piece.
    let _ = pen.0.try_send(Err(io::ErrorKind::ConnectionAborted.into()));
    body
}

impl Pen {
    /// Writes a piece once the one before is taken. False where nobody reads any more.
    pub(super) async fn write(&self, piece: impl Into<Bytes>) -> bool {
        self.0.send(Ok(piece.into())).await.is_ok()
    }

    /// Writes so many bytes of filling.
    pub(super) async fn flood(&self, mut bytes: u64) -> bool {
        while bytes > 0 {
            let some = usize::try_from(bytes).unwrap_or(PIECE).min(PIECE);
            if !self.write(&FILLING[..some]).await {
                return false;
            }
            bytes -= some as u64;
        }
        true
    }

    /// Waits until nobody reads any more.
    pub(super) async fn left(&self) {
        self.0.closed().await;
    }

    /// Breaks the body off, and the connection with it.
    pub(super) async fn abort(self) {
        let _ = self
            .0
            .send(Err(io::ErrorKind::ConnectionAborted.into()))
            .await;
    }
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = ready!(self.0.poll_recv(context));
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }
}
