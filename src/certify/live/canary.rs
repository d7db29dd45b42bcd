//! A listener on loopback that nobody has a reason to visit: definitions name its address where a
//! URI is an identifier or a reference, and a client that goes there has fetched it.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::script::unix_ms;

/// What stands in a definition for the canary's address.
pub const PLACEHOLDER: &str = "{{canary}}";

/// How long a visitor may take to say what it wants.
const PATIENCE: Duration = Duration::from_millis(500);
/// The most bytes of a request line that are kept.
const MOST_LINE: usize = 4 << 10;
/// The most visits that are kept.
const MOST_VISITS: usize = 10_000;
const ANSWER: &[u8] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// A visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// When, in milliseconds of Unix time.
    pub at_ms: u64,
    /// The request line; empty where the visitor sent none.
    pub line: String,
}

impl Visit {
    /// Whether the address of `token` was asked for.
    pub fn is_of(&self, token: &str) -> bool {
        let target = self.line.split(' ').nth(1).unwrap_or_default();
        let path = target.strip_prefix('/').unwrap_or(target);
        let end = path.find(['/', '?', '#']).unwrap_or(path.len());
        !token.is_empty() && &path[..end] == token
    }
}

/// The listener. It ends when it is dropped.
#[derive(Debug)]
pub struct Canary {
    address: SocketAddr,
    visits: Arc<Mutex<Vec<Visit>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Canary {
    /// Starts it on a port that is free.
    ///
    /// # Errors
    /// That no port can be had.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let visits = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let (seen, ends) = (Arc::clone(&visits), Arc::clone(&stop));
        let thread = std::thread::Builder::new()
            .name("canary".to_owned())
            .spawn(move || {
                for visitor in listener.incoming() {
                    if ends.load(Ordering::Relaxed) {
                        break;
                    }
                    let Ok(visitor) = visitor else {
                        // Out of descriptors, most likely: not a reason to spin.
                        std::thread::sleep(Duration::from_millis(10));
                        continue;
                    };
                    let at_ms = unix_ms();
                    let line = request_line(visitor);
                    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                    if seen.len() < MOST_VISITS {
                        seen.push(Visit { at_ms, line });
                    }
                }
            })?;
        Ok(Self {
            address,
            visits,
            stop,
            thread: Some(thread),
        })
    }

    /// The address under which a visit for `token` is told from others.
    pub fn url(&self, token: &str) -> String {
        format!("http://{}/{token}", self.address)
    }

    /// The text with the address of `token` wherever [`PLACEHOLDER`] stands.
    pub fn fill(&self, text: &str, token: &str) -> String {
        text.replace(PLACEHOLDER, &self.url(token))
    }

    /// The visits so far.
    pub fn visits(&self) -> Vec<Visit> {
        let visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        visits.clone()
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The thread waits for a visitor; this is the last one.
        let woken = TcpStream::connect_timeout(&self.address, PATIENCE).is_ok();
        if let (Some(thread), true) = (self.thread.take(), woken) {
            let _ = thread.join();
        }
    }
}

/// Reads a request up to the end of its head, answers it, and returns its first line.
fn request_line(mut visitor: TcpStream) -> String {
    let deadline = Instant::now() + PATIENCE;
    let mut head = Vec::new();
    let mut chunk = [0; 1 << 10];
    while let Some(left) = deadline.checked_duration_since(Instant::now()) {
        // Zero would mean for ever.
        let wait = left.max(Duration::from_millis(1));
        if visitor.set_read_timeout(Some(wait)).is_err() {
            break;
        }
        match visitor.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(read) => head.extend_from_slice(&chunk[..read]),
        }
        if head.len() >= MOST_LINE || head.windows(4).any(|end| end == b"\r\n\r\n") {
            break;
        }
    }
    let _ = visitor.set_write_timeout(Some(PATIENCE));
    let _ = visitor.write_all(ANSWER);
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).trim_end().to_owned()
}
