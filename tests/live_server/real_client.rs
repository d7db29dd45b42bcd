//! A real SDK's client, rmcp, on every version that it speaks and over both transports.

use std::fs;
use std::time::Duration;

use mcp_conform::certify::live::{Event, HttpServer, ReplyForm, Script};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rmcp::model::{CallToolRequestParams, ClientConfig, JsonObject, ProtocolVersion as Theirs};
use rmcp::service::RunningService;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use rstest::rstest;
use serde_json::{Value, json};

use super::running::{folder, program};
use super::script::{mirroring_tool, page, pages};

type Client = RunningService<RoleClient, ClientConfig>;

fn theirs(version: ProtocolVersion) -> Theirs {
    serde_json::from_value(json!(version)).expect("a version")
}

/// How the client opens: by the handshake of its version, or by asking which one there is.
pub fn mode(version: ProtocolVersion, auto: bool) -> ClientLifecycleMode {
    let preferred_versions = vec![theirs(V2026_07_28)];
    if auto {
        ClientLifecycleMode::Auto {
            preferred_versions,
            legacy_version: Some(theirs(V2025_11_25)),
        }
    } else if version == V2026_07_28 {
        ClientLifecycleMode::Discover { preferred_versions }
    } else {
        ClientLifecycleMode::Initialize
    }
}

pub fn within<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let bounded = async { tokio::time::timeout(Duration::from_secs(60), future).await };
    runtime.block_on(bounded).expect("it does not hang")
}

/// Arguments of which one is no ASCII.
fn note() -> JsonObject {
    let arguments = [("count", json!(3)), ("note", json!("für Ådne"))];
    arguments
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
}

/// Lists and calls, as an app would.
async fn use_tools(client: Client) {
    let tools = client.list_all_tools().await.expect("a listing");
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["place_order", "list_orders"], "both pages");
    let call = CallToolRequestParams::new("place_order").with_arguments(note());
    let result = client.call_tool(call).await.expect("a result");
    let delivered = result.structured_content.expect("structured content");
    assert_eq!(delivered, json!({"order": 17, "total": 12.5}));
    let call = CallToolRequestParams::new("list_orders");
    let result = client.call_tool(call).await.expect("a result");
    assert_eq!(result.is_error, Some(true));
    client.cancel().await.expect("it ends");
}

fn check(events: &[Event], version: ProtocolVersion) {
    let faults: Vec<_> = events
        .iter()
        .filter(|event| event.problem.is_some())
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let calls: Vec<_> = events.iter().filter(|event| event.tool.is_some()).collect();
    assert_eq!(calls.len(), 2, "{events:#?}");
    let sent = calls[0].arguments.as_deref().expect("arguments");
    let sent: Value = serde_json::from_str(sent).expect("JSON");
    assert_eq!(sent, Value::Object(note()));
    let handshakes = events.iter().filter(|event| event.method == "initialize");
    assert_eq!(handshakes.count(), usize::from(version < V2026_07_28));
}

#[rstest]
#[case(V2025_06_18, false)]
#[case(V2025_11_25, false)]
#[case(V2026_07_28, false)]
#[case(V2025_11_25, true)]
#[case(V2026_07_28, true)]
fn rmcp_over_stdio(#[case] version: ProtocolVersion, #[case] auto: bool) {
    let folder = folder(&format!("live-rmcp-{version}-{auto}"));
    let (script, events) = (folder.join("script.json"), folder.join("events.jsonl"));
    let text = serde_json::to_string(&pages(version)).expect("a script");
    fs::write(&script, text).expect("written");
    within(async {
        let mut command = tokio::process::Command::from(program(&["serve", "--script"]));
        command.arg(&script).arg("--events").arg(&events);
        let transport = TokioChildProcess::new(command).expect("the server starts");
        let client = ClientConfig::default().serve_with_lifecycle(transport, mode(version, auto));
        use_tools(client.await.expect("a session")).await;
    });
    let text = fs::read_to_string(events).expect("events");
    let lines = text.lines();
    let events: Vec<Event> = lines
        .map(|line| serde_json::from_str(line).expect("an event"))
        .collect();
    check(&events, version);
}

#[rstest]
fn rmcp_over_http(
    #[values(
        (V2025_06_18, false),
        (V2025_11_25, false),
        (V2026_07_28, false),
        (V2025_11_25, true),
        (V2026_07_28, true)
    )]
    (version, auto): (ProtocolVersion, bool),
    #[values(ReplyForm::Json, ReplyForm::Sse)] form: ReplyForm,
) {
    let server = HttpServer::start().expect("a port");
    let hosted = server.add(Script {
        reply: form,
        ..pages(version)
    });
    within(async {
        let transport = StreamableHttpClientTransport::from_uri(hosted.url.clone());
        let client = ClientConfig::default().serve_with_lifecycle(transport, mode(version, auto));
        use_tools(client.await.expect("a session")).await;
    });
    check(&hosted.events(), version);
}

/// In the form of JSON alone: where the end of a stream comes along with the listing, rmcp 3.11.0
/// passes the listing on without remembering which arguments go into headers.
#[rstest]
#[case(V2025_11_25, None)]
#[case(V2026_07_28, Some("=?base64?ZsO8ciDDhWRuZQ==?="))]
fn rmcp_repeats_an_argument_in_its_header(
    #[case] version: ProtocolVersion,
    #[case] header: Option<&str>,
) {
    let server = HttpServer::start().expect("a port");
    let mut script = pages(version);
    script.stages[0].pages = vec![page(version, &mirroring_tool("place_order"), None)];
    let hosted = server.add(script);
    within(async {
        let transport = StreamableHttpClientTransport::from_uri(hosted.url.clone());
        let client = ClientConfig::default().serve_with_lifecycle(transport, mode(version, false));
        let client = client.await.expect("a session");
        client.list_all_tools().await.expect("a listing");
        let call = CallToolRequestParams::new("place_order").with_arguments(note());
        client.call_tool(call).await.expect("a result");
        client.cancel().await.expect("it ends");
    });
    let events = hosted.events();
    let call = events
        .iter()
        .find(|event| event.tool.is_some())
        .expect("a call");
    assert_eq!(call.problem, None);
    assert_eq!(
        call.headers.get("mcp-param-note").map(|note| &**note),
        header
    );
}

#[rstest]
#[case(V2025_11_25)]
#[case(V2026_07_28)]
fn rmcp_that_speaks_another_version_is_told(#[case] version: ProtocolVersion) {
    let server = HttpServer::start().expect("a port");
    let hosted = server.add(pages(version));
    // The handshake of the other kind.
    let wrong = if version == V2026_07_28 {
        V2025_11_25
    } else {
        V2026_07_28
    };
    let client = within(async {
        let transport = StreamableHttpClientTransport::from_uri(hosted.url.clone());
        let client = ClientConfig::default().serve_with_lifecycle(transport, mode(wrong, false));
        client.await.map(|_| ())
    });
    assert!(client.is_err());
    let events = hosted.events();
    assert!(
        events.iter().all(|event| event.method != "tools/list"),
        "{events:#?}"
    );
}
