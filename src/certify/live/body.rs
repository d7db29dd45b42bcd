//! Bodies that are written piece by piece, and never further ahead than the client reads.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use http_body::Frame;
use tokio::sync::mpsc;

/// How much of a flood is written at once.
const PIECE: usize = 64 << 10;
/// What a flood is made of.
static FILLING: [u8; PIECE] = [b'x'; PIECE];

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

impl http_body::Body for Pieces {
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
