//! The server of a live certification: its protocol, its two transports, and a real client on each.

#[path = "live_server/canary.rs"]
mod canary;
#[path = "live_server/documented.rs"]
mod documented;
#[path = "live_server/headers.rs"]
mod headers;
#[path = "live_server/http.rs"]
mod http;
#[path = "live_server/http_hostile.rs"]
mod http_hostile;
#[path = "live_server/http_streams.rs"]
mod http_streams;
#[path = "live_server/protocol.rs"]
mod protocol;
#[path = "live_server/real_changes.rs"]
mod real_changes;
#[path = "live_server/real_client.rs"]
mod real_client;
#[path = "support/program.rs"]
mod running;
#[path = "live_server/script.rs"]
mod script;
#[path = "live_server/stages.rs"]
mod stages;
#[path = "live_server/stdio.rs"]
mod stdio;
#[path = "live_server/stdio_hostile.rs"]
mod stdio_hostile;
#[path = "live_server/wire.rs"]
mod wire;
