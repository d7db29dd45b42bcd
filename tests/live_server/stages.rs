//! Listings that change in the course of a session, and scripts as files.

use mcp_conform::certify::live::{Answer, Event, Reply, ReplyForm, Script, Session, Stage};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rstest::rstest;
use serde_json::json;

use super::protocol::{open, value};
use super::script::{call, changing, request};

fn first_tool(session: &mut Session, version: ProtocolVersion) -> String {
    let turn = session.receive(request(version, 9, "tools/list", "").as_bytes(), None);
    let listing = value(&turn);
    listing["result"]["tools"][0]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[rstest]
fn the_listing_changes_once_its_tool_has_been_called(
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
) {
    let mut session = Session::new(changing(version));
    open(&mut session);
    assert_eq!(first_tool(&mut session, version), "place_order");
    let other = session.receive(call(version, 1, "list_orders", "{}").as_bytes(), None);
    assert!(!other.changed);
    let turn = session.receive(call(version, 2, "place_order", "{}").as_bytes(), None);
    assert!(turn.changed);
    assert_eq!(value(&turn)["result"]["structuredContent"]["order"], 17);
    assert_eq!(first_tool(&mut session, version), "cancel_order");
    // The last stage stays.
    let again = session.receive(call(version, 3, "place_order", "{}").as_bytes(), None);
    assert!(!again.changed);
}

#[rstest]
#[case(V2025_06_18)]
#[case(V2025_11_25)]
fn a_session_announces_the_change_to_its_client(#[case] version: ProtocolVersion) {
    let mut session = Session::new(changing(version));
    let turn = session.receive(super::script::initialize("2025-11-25").as_bytes(), None);
    let capabilities = &value(&turn)["result"]["capabilities"];
    assert_eq!(*capabilities, json!({"tools": {"listChanged": true}}));
    let notice = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    assert_eq!(session.announcements(), [notice]);
}

#[test]
fn a_stateless_server_tells_who_asked_to_be_told() {
    let mut session = Session::new(changing(V2026_07_28));
    let mut listen = |id: u32, filter: &str| {
        let params = format!(r#""notifications":{filter}"#);
        let message = request(V2026_07_28, id, "subscriptions/listen", &params);
        let turn = session.receive(message.as_bytes(), None);
        assert!(matches!(turn.answer, Answer::Listen { .. }));
        let acknowledged = value(&turn);
        assert_eq!(
            acknowledged["method"],
            "notifications/subscriptions/acknowledged"
        );
        let params = &acknowledged["params"];
        assert_eq!(
            params["_meta"]["io.modelcontextprotocol/subscriptionId"],
            id
        );
        params["notifications"].clone()
    };
    let agreed = listen(3, r#"{"toolsListChanged":true,"promptsListChanged":true}"#);
    assert_eq!(agreed, json!({"toolsListChanged": true}));
    assert_eq!(listen(4, r#"{"promptsListChanged":true}"#), json!({}));
    listen(5, r#"{"toolsListChanged":true}"#);
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#;
    session.receive(cancelled.as_bytes(), None);
    let announced = session.announcements();
    assert_eq!(announced.len(), 1);
    assert!(announced[0].contains(r#""io.modelcontextprotocol/subscriptionId":5"#));
}

#[test]
fn a_script_reads_back_from_its_file() {
    let script = Script {
        version: V2026_07_28,
        reply: ReplyForm::Sse,
        stages: vec![
            Stage {
                pages: vec![
                    Reply::Result(r#"{"tools":[]}"#.to_owned()),
                    Reply::Error(r#"{"code":-32603,"message":"no"}"#.to_owned()),
                    Reply::Line("{{id}} \u{1f}".to_owned()),
                ],
                calls: [
                    ("t1".to_owned(), Reply::Silence),
                    ("t2".to_owned(), Reply::Close),
                    ("t3".to_owned(), Reply::Half("{".to_owned())),
                    ("t4".to_owned(), Reply::Flood(1 << 40)),
                ]
                .into(),
                until: Some("t1".to_owned()),
            },
            Stage::default(),
        ],
    };
    let text = serde_json::to_string(&script).expect("it can be written");
    assert_eq!(
        serde_json::from_str::<Script>(&text).expect("it can be read"),
        script
    );
    let short = r#"{"version":"2025-11-25","stages":[{"pages":[]}]}"#;
    let read: Script = serde_json::from_str(short).expect("what has a default may be left out");
    assert_eq!((read.version, read.reply), (V2025_11_25, ReplyForm::Json));
    for wrong in [
        r#"{"version":"2025-11-26","stages":[]}"#,
        r#"{"version":"2025-11-25","stages":[],"extra":1}"#,
        r#"{"version":"2025-11-25","stages":[{"pages":["shout"]}]}"#,
    ] {
        assert!(serde_json::from_str::<Script>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn an_event_reads_back_from_its_line() {
    let event = Event {
        method: "tools/call".to_owned(),
        arguments: Some(r#"{"n":1.0}"#.to_owned()),
        ..Event::default()
    }
    .now();
    let line = serde_json::to_string(&event).expect("it can be written");
    assert!(event.at_ms > 0 && event.process == std::process::id());
    assert_eq!(
        serde_json::from_str::<Event>(&line).expect("it can be read"),
        event
    );
    // What is not there takes no room: a session has thousands of these.
    assert!(
        !line.contains("headers") && !line.contains("null"),
        "{line}"
    );
}
