//! rmcp where a listing changes: it hears of it, and finds the new one.

use std::fs;
use std::sync::Arc;

use mcp_conform::certify::live::{HttpServer, ReplyForm, Script};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rmcp::model::{CallToolRequestParams, ClientConfig, ServerNotification, SubscriptionFilter};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ClientServiceExt, RoleClient};
use rstest::rstest;
use tokio::sync::Notify;

use super::real_client::{mode, within};
use super::running::{folder, program};
use super::script::changing;

/// An app that hears of changes.
#[derive(Clone, Default)]
struct App(Arc<Notify>);

impl ClientHandler for App {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::default()
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.notify_one();
    }
}

async fn first_tool(client: &RunningService<RoleClient, App>) -> String {
    let tools = client.list_all_tools().await.expect("a listing");
    tools[0].name.to_string()
}

async fn hear_of_the_change(client: RunningService<RoleClient, App>, version: ProtocolVersion) {
    assert_eq!(first_tool(&client).await, "place_order");
    let wanted = SubscriptionFilter::builder().tools_list_changed().build();
    let mut subscription = match version {
        V2026_07_28 => Some(client.listen(wanted).await.expect("a subscription")),
        _ => None,
    };
    let call = CallToolRequestParams::new("place_order");
    client.call_tool(call).await.expect("a result");
    match &mut subscription {
        Some(subscription) => {
            let heard = subscription.next().await.expect("no error");
            let changed = Some(&heard).and_then(Option::as_ref);
            assert!(
                matches!(
                    changed,
                    Some(ServerNotification::ToolListChangedNotification(_))
                ),
                "{heard:?}"
            );
        }
        None => client.service().0.notified().await,
    }
    assert_eq!(first_tool(&client).await, "cancel_order");
    drop(subscription);
    client.cancel().await.expect("it ends");
}

#[rstest]
fn over_http(
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
    #[values(ReplyForm::Json, ReplyForm::Sse)] form: ReplyForm,
) {
    let server = HttpServer::start().expect("a port");
    let hosted = server.add(Script {
        reply: form,
        ..changing(version)
    });
    within(async {
        let transport = StreamableHttpClientTransport::from_uri(hosted.url.clone());
        let client = App::default().serve_with_lifecycle(transport, mode(version, false));
        hear_of_the_change(client.await.expect("a session"), version).await;
    });
    let faults: Vec<_> = hosted
        .events()
        .into_iter()
        .filter_map(|event| event.problem)
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[rstest]
fn over_stdio(#[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion) {
    let folder = folder(&format!("live-rmcp-changes-{version}"));
    let script = folder.join("script.json");
    let text = serde_json::to_string(&changing(version)).expect("a script");
    fs::write(&script, text).expect("written");
    within(async {
        let mut command = tokio::process::Command::from(program(&["serve", "--script"]));
        command
            .arg(&script)
            .arg("--events")
            .arg(folder.join("events.jsonl"));
        let transport = TokioChildProcess::new(command).expect("the server starts");
        let client = App::default().serve_with_lifecycle(transport, mode(version, false));
        hear_of_the_change(client.await.expect("a session"), version).await;
    });
}
