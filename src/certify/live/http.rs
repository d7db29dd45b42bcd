//! Sessions over Streamable HTTP on loopback, each under a path of its own.
//!
//! The server hands out no session id and accepts any, which every SDK takes; only where a script
//! changes its listing does it hand one out, since some clients open the stream on which a change
//! is announced within a session alone. A GET without such a stream, and a DELETE, get 405.

mod answer;

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use axum::serve::ListenerExt;
use tokio::sync::{oneshot, watch};

use self::answer::{Way, bare};
use super::body::{Received, read};
use super::reply::Answer;
use super::script::{Event, ReplyForm, Script};
use super::session::{Headers, MOST_MESSAGE, Session};

/// The longest that anything is kept waiting: a client for an answer that never comes, this server
/// for a request that stays incomplete.
const PATIENCE: Duration = Duration::from_secs(120);

/// The server. It ends, and all its connections with it, when it is dropped.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    next: AtomicU64,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A session that is being served. Dropped, it is gone: its streams end, its address is unknown.
#[derive(Debug)]
pub struct Hosted {
    /// Where a client finds it.
    pub url: String,
    number: u64,
    host: Arc<Host>,
    shared: Arc<Shared>,
}

type Shared = Mutex<HashMap<u64, Arc<Host>>>;

/// A session with what its connections share.
#[derive(Debug)]
struct Host {
    number: u64,
    form: ReplyForm,
    session: Mutex<Session>,
    events: Mutex<Vec<Event>>,
    /// How often the listing has changed. Streams wait for it.
    changes: watch::Sender<u64>,
    /// Whether the session is over. Whoever waits, waits for that too.
    over: watch::Sender<bool>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl HttpServer {
    /// Starts it on a loopback port that is free, on a thread of its own.
    ///
    /// # Errors
    /// That there is no port, or no thread.
    pub fn start() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()?;
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let shared = Arc::<Shared>::default();
        let router = Router::new()
            .fallback(handle)
            .with_state(Arc::clone(&shared));
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("live http".to_owned())
            .spawn(move || {
                // An announcement is small, and is not to wait for the client's acknowledgement.
                let listener = listener.tap_io(|stream| {
                    let _ = stream.set_nodelay(true);
                });
                runtime.block_on(async {
                    tokio::select! {
                        _ = axum::serve(listener, router) => {}
                        _ = stopped => {}
                    }
                });
                // Connections are tasks of the runtime: they end where they stand.
                runtime.shutdown_background();
            })?;
        Ok(Self {
            address,
            shared,
            next: AtomicU64::new(1),
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Serves `script` under a new address.
    pub fn add(&self, script: Script) -> Hosted {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let host = Arc::new(Host {
            number,
            form: script.reply,
            session: Mutex::new(Session::new(script)),
            events: Mutex::default(),
            changes: watch::Sender::new(0),
            over: watch::Sender::new(false),
        });
        lock(&self.shared).insert(number, Arc::clone(&host));
        Hosted {
            url: format!("http://{}/s/{number}/mcp", self.address),
            number,
            host,
            shared: Arc::clone(&self.shared),
        }
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Hosted {
    /// What the client has sent so far.
    pub fn events(&self) -> Vec<Event> {
        lock(&self.host.events).clone()
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        lock(&self.shared).remove(&self.number);
        self.host.over.send_replace(true);
    }
}

impl Host {
    /// Waits for `future`, but neither past the end of the session nor for ever.
    async fn wait<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let mut over = self.over.subscribe();
        tokio::select! {
            value = future => Some(value),
            _ = over.wait_for(|over| *over) => None,
            () = tokio::time::sleep(PATIENCE) => None,
        }
    }
}

async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let host = number(request.uri().path()).and_then(|number| lock(&shared).get(&number).cloned());
    let Some(host) = host else {
        return bare(StatusCode::NOT_FOUND);
    };
    if is_foreign(request.headers()) {
        return bare(StatusCode::FORBIDDEN);
    }
    match *request.method() {
        Method::POST => post(host, request).await,
        Method::GET => answer::stream(&host),
        _ => answer::not_allowed(),
    }
}

async fn post(host: Arc<Host>, request: Request) -> Response {
    let headers = mirrored(request.headers());
    let accepts = accepts_both(request.headers());
    let body = read(request.into_body(), MOST_MESSAGE);
    let Some(received) = host.wait(body).await else {
        return bare(StatusCode::REQUEST_TIMEOUT);
    };
    match take(&host, &received, &headers, accepts) {
        Some((way, answer, changed)) => answer::send(&host, &way, answer, changed).await,
        // Nobody waits for an answer.
        None => bare(StatusCode::BAD_REQUEST),
    }
}

/// Puts a message to the session and on record, under one lock: the record has the order in which
/// the session took them.
fn take(
    host: &Host,
    received: &Received,
    headers: &Headers,
    accepts: bool,
) -> Option<(Way, Answer, bool)> {
    let mut session = lock(&host.session);
    let mut turn = match received {
        Received::Whole(bytes) => session.receive(bytes, Some(headers)),
        Received::TooLong(bytes) => session.too_long(*bytes),
        Received::Broken => return None,
    };
    if !accepts {
        let problem = "`Accept` does not list both application/json and text/event-stream";
        turn.event.problem.get_or_insert_with(|| problem.to_owned());
    }
    let way = Way {
        version: session.version(),
        probe: turn.event.method == "server/discover",
        opens: turn.event.method == "initialize",
    };
    lock(&host.events).push(turn.event.now());
    Some((way, turn.answer, turn.changed))
}

/// The number of the session at `/s/NUMBER/mcp`.
fn number(path: &str) -> Option<u64> {
    let number = path.strip_prefix("/s/")?.strip_suffix("/mcp")?;
    number.parse().ok()
}

/// Whether a page of another host sent the request: a name that resolves to loopback makes a
/// browser send what its page wants.
fn is_foreign(headers: &HeaderMap) -> bool {
    headers.get("origin").is_some_and(|origin| {
        let origin = origin.to_str().unwrap_or_default();
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        !matches!(name, "127.0.0.1" | "localhost" | "[::1]")
    })
}

fn accepts_both(headers: &HeaderMap) -> bool {
    let values = headers.get_all("accept").iter();
    let listed = values
        .filter_map(|value| value.to_str().ok())
        .collect::<Vec<_>>()
        .join(",");
    let listed = listed.to_ascii_lowercase();
    listed.contains("*/*")
        || listed.contains("application/json") && listed.contains("text/event-stream")
}

/// The headers that a message may be held against. One that is no ASCII is kept with what can be
/// shown of it: it equals no value then.
fn mirrored(headers: &HeaderMap) -> Headers {
    let all = headers.iter();
    all.filter(|(name, _)| name.as_str().starts_with("mcp-"))
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), value)
        })
        .collect()
}
