//! rmcp, the Rust SDK, as mcp-conform drives it.
use std::io::{BufRead, stdin};

use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion, Tool};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;
type Client = RunningService<RoleClient, ()>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    if given.first().is_none_or(|first| first != "--sessions-on-stdin") {
        session(&given).await;
        return Ok(());
    }
    for line in stdin().lock().lines() {
        let session_wanted: Value = serde_json::from_str(&line?)?;
        let target: Vec<String> = serde_json::from_value(session_wanted["target"].clone())?;
        session(&target).await;
    }
    Ok(())
}

async fn session(target: &[String]) {
    let about = ClientConfig::default().client_info;
    let client = json!({"name": about.name, "version": about.version, "language": "Rust"});
    let mut end = json!({"end": true, "client": client});
    match connect(target).await {
        Ok(client) => {
            let protocol = client.peer_info().map(|server| server.protocol_version.to_string());
            end["protocol"] = protocol.into();
            match client.list_all_tools().await {
                Ok(tools) => {
                    for tool in tools {
                        println!("{}", called(&client, &tool).await);
                    }
                }
                Err(error) => end["error"] = error.to_string().into(),
            }
            if let Err(error) = client.cancel().await {
                eprintln!("not closed: {error}");
            }
        }
        Err(error) => end["error"] = error.to_string().into(),
    }
    println!("{end}");
}

async fn connect(target: &[String]) -> Result<Client, Failure> {
    // `serve` alone speaks 2025; an app that wants the newest version asks for it so.
    let newest = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: None,
    };
    let (first, rest) = target.split_first().ok_or("no target")?;
    if first.starts_with("http://") {
        let transport = StreamableHttpClientTransport::from_uri(first.as_str());
        return Ok(().serve_with_lifecycle(transport, newest).await?);
    }
    let mut command = tokio::process::Command::new(first);
    command.args(rest);
    Ok(().serve_with_lifecycle(TokioChildProcess::new(command)?, newest).await?)
}

async fn called(client: &Client, tool: &Tool) -> Value {
    // The harness says what to send in the tool's description; a tool without that is called with nothing.
    let arguments = serde_json::from_str(tool.description.as_deref().unwrap_or_default()).unwrap_or_default();
    let request = CallToolRequestParams::new(tool.name.clone()).with_arguments(arguments);
    match client.call_tool(request).await {
        Ok(result) if result.is_error == Some(true) => json!({"tool": tool.name, "outcome": "tool-error"}),
        Ok(result) => match result.structured_content {
            Some(value) => json!({"tool": tool.name, "outcome": "value", "delivered": value.to_string()}),
            None => json!({"tool": tool.name, "outcome": "value"}),
        },
        Err(error) => json!({"tool": tool.name, "outcome": "error", "message": error.to_string()}),
    }
}
