//! A small MCP client for drivers under test: enough of each version to list and to call. What
//! it receives stays text, so that no number is altered unless a driver means to.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use mcp_conform::protocol::ProtocolVersion;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::wire;

/// A connection to a server.
pub struct Client {
    way: Way,
    pub version: ProtocolVersion,
    next: u64,
}

enum Way {
    Stdio {
        child: Child,
        input: Option<ChildStdin>,
        output: BufReader<ChildStdout>,
    },
    Http(String),
}

type Response = BTreeMap<String, Box<RawValue>>;

impl Client {
    /// Connects: the newest version first, and where that is unknown the handshake.
    /// An `old` client knows the handshake alone.
    pub fn connect(target: &[String], old: bool) -> Result<Self, String> {
        let way = match target {
            [url] if url.starts_with("http://") => Way::Http(url.clone()),
            [program, arguments @ ..] => {
                let mut child = Command::new(program)
                    .args(arguments)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .spawn()
                    .map_err(|error| error.to_string())?;
                Way::Stdio {
                    input: child.stdin.take(),
                    output: BufReader::new(child.stdout.take().ok_or("no output")?),
                    child,
                }
            }
            [] => return Err("no target".to_owned()),
        };
        let mut client = Self {
            way,
            version: ProtocolVersion::V2026_07_28,
            next: 0,
        };
        if !old && client.request("server/discover", json!({}), &[]).is_ok() {
            return Ok(client);
        }
        client.version = ProtocolVersion::V2025_11_25;
        let hello = json!({
            "protocolVersion": client.version.as_str(),
            "capabilities": {},
            "clientInfo": {"name": "small", "version": "1"},
        });
        let answer = client.request("initialize", hello, &[])?;
        let answer: Value = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        let version = answer["protocolVersion"].as_str().unwrap_or_default();
        client.version = version.parse().map_err(|_| "no version".to_owned())?;
        client.send(
            &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            &[],
        )?;
        Ok(client)
    }

    /// Asks, and returns the text of the result.
    pub fn request(
        &mut self,
        method: &str,
        params: Value,
        headers: &[(String, String)],
    ) -> Result<String, String> {
        let message = self.message(method, params);
        let id = self.next;
        let mut text = self.send(&message, headers)?;
        loop {
            let read: Response =
                serde_json::from_str(&text).map_err(|error| format!("unreadable: {error}"))?;
            let is_answer = read
                .get("id")
                .is_some_and(|known| known.get() == id.to_string());
            match (read.get("error"), read.get("result")) {
                (Some(error), _) => return Err(error.to_string()),
                (None, Some(result)) if is_answer => return Ok(result.get().to_owned()),
                // A notification, most likely.
                _ => text = self.line()?,
            }
        }
    }

    /// Calls a tool, and lets the answer come to a closed door.
    pub fn call_and_never_read(&mut self, name: &str) {
        let message = self.message("tools/call", json!({"name": name, "arguments": {}}));
        let body = message.to_string();
        let _open = match &mut self.way {
            Way::Stdio { input, .. } => {
                let _ = input.as_mut().map(|input| writeln!(input, "{body}"));
                None
            }
            Way::Http(url) => {
                let headers = [
                    ("mcp-protocol-version", self.version.as_str()),
                    ("accept", "application/json, text/event-stream"),
                ];
                let head = wire::head(url, "POST", &headers, Some(body.len()));
                let mut stream = wire::connect(url);
                let _ = stream.write_all((head + &body).as_bytes());
                Some(stream)
            }
        };
        sleep(Duration::from_secs(60));
    }

    fn message(&mut self, method: &str, mut params: Value) -> Value {
        self.next += 1;
        if self.version == ProtocolVersion::V2026_07_28 {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.version.as_str(),
                "io.modelcontextprotocol/clientInfo": {"name": "small", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})
    }

    /// Sends a message; a request's answer comes back.
    fn send(&mut self, message: &Value, headers: &[(String, String)]) -> Result<String, String> {
        let is_request = message.get("id").is_some();
        match &mut self.way {
            Way::Stdio { input, .. } => {
                let input = input.as_mut().ok_or("closed")?;
                writeln!(input, "{message}").map_err(|error| error.to_string())?;
                if is_request {
                    self.line()
                } else {
                    Ok(String::new())
                }
            }
            Way::Http(url) => {
                let method = message["method"].as_str().unwrap_or_default();
                let mut sent = vec![("mcp-protocol-version", self.version.as_str())];
                if self.version == ProtocolVersion::V2026_07_28 {
                    sent.push(("mcp-method", method));
                    if let Some(name) = message["params"]["name"].as_str() {
                        sent.push(("mcp-name", name));
                    }
                }
                sent.extend(
                    headers
                        .iter()
                        .map(|(name, value)| (name.as_str(), value.as_str())),
                );
                let response = wire::post(url, &sent, &message.to_string());
                let events = response.events();
                Ok(events
                    .last()
                    .map_or(response.body.clone(), |event| (*event).to_owned()))
            }
        }
    }

    fn line(&mut self) -> Result<String, String> {
        let Way::Stdio { output, .. } = &mut self.way else {
            return Err("no answer".to_owned());
        };
        let mut line = String::new();
        match output.read_line(&mut line) {
            Ok(1..) => Ok(line),
            Ok(0) => Err("the server is gone".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Way::Stdio { child, input, .. } = &mut self.way {
            *input = None;
            let _ = child.wait();
        }
    }
}

/// The headers that the arguments of a call travel in as well, where they need no encoding.
pub fn mirrored(schema: &Value, arguments: &Value) -> Vec<(String, String)> {
    let mut found = BTreeMap::new();
    let mut left = vec![(schema, arguments)];
    while let Some((schema, value)) = left.pop() {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let Some(value) = value.get(name) else {
                continue;
            };
            if let Some(header) = property["x-mcp-header"].as_str() {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                found.insert(format!("Mcp-Param-{header}"), text);
            }
            left.push((property, value));
        }
    }
    found.into_iter().collect()
}
