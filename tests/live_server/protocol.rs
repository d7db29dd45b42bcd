//! A message in, what is due out: without any transport.

use mcp_conform::certify::live::{Answer, Session, Turn};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rstest::rstest;
use serde_json::{Value, json};

use super::script::{EXACT, answering, call, initialize, pages, request, result};

pub fn open(session: &mut Session) {
    if session.version() < V2026_07_28 {
        let turn = session.receive(initialize("2025-03-26").as_bytes(), None);
        assert_eq!(
            value(&turn)["result"]["protocolVersion"],
            session.version().as_str()
        );
    }
}

pub fn value(turn: &Turn) -> Value {
    match &turn.answer {
        Answer::Message { text, .. } | Answer::Listen { text, .. } => {
            serde_json::from_str(text).expect("an answer is JSON")
        }
        other => panic!("{other:?} is no message"),
    }
}

fn ask(version: ProtocolVersion, message: &[u8]) -> Turn {
    let mut session = Session::new(pages(version));
    open(&mut session);
    session.receive(message, None)
}

#[rstest]
#[case::not_json(br#"{"jsonrpc":"2.0","id":1,"#, -32700, "not JSON")]
#[case::not_utf8(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, "not UTF-8 from byte 34 on")]
#[case::a_string(br#""tools/list""#, -32600, "no JSON-RPC object")]
#[case::a_batch(br#" [{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, "batches")]
#[case::old_json_rpc(br#"{"id":1,"method":"tools/list"}"#, -32600, "`jsonrpc`")]
#[case::null_id(br#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, -32600, "`id`")]
#[case::object_id(br#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#, -32600, "`id`")]
#[case::half_a_character(br#"{"jsonrpc":"2.0","id":"\ud800","method":"tools/list"}"#, -32600, "`id`")]
#[case::two_ids(br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}"#, -32600, "duplicate field `id`")]
#[case::method_of_a_number(br#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600, "`method`")]
#[case::no_method(br#"{"jsonrpc":"2.0","id":1}"#, -32600, "`method`")]
#[case::positional(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#, -32602, "`params` is not an object")]
fn a_damaged_message_is_answered_and_noted(
    #[case] message: &[u8],
    #[case] code: i64,
    #[case] problem: &str,
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
) {
    let turn = ask(version, message);
    let answer = value(&turn);
    assert_eq!(answer["error"]["code"], code, "{answer}");
    let noted = turn.event.problem.expect("a note");
    assert!(noted.contains(problem), "{noted}");
    // JSON-RPC writes null for an id that is not known; the schemas from 2025-11-25 on leave it out.
    if answer.get("id").is_none_or(Value::is_null) {
        assert_eq!(
            answer.get("id").is_some(),
            version == V2025_06_18,
            "{answer}"
        );
    } else {
        assert_eq!(answer["id"], 1);
    }
}

#[rstest]
#[case("resources/list", "", -32601)]
#[case("logging/setLevel", r#""level":"info""#, -32601)]
#[case("subscriptions/listen", r#""notifications":{"toolsListChanged":true}"#, -32601)]
#[case("tools/call", "", -32602)]
#[case("tools/call", r#""name":7"#, -32602)]
#[case("tools/call", r#""name":"place_order","arguments":"{}""#, -32602)]
#[case("tools/list", r#""cursor":"page-0""#, -32602)]
#[case("tools/list", r#""cursor":"page-2""#, -32602)]
#[case("tools/list", r#""cursor":1"#, -32602)]
fn a_request_that_cannot_be_served_is_an_error(
    #[case] method: &str,
    #[case] params: &str,
    #[case] code: i64,
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
) {
    let turn = ask(version, request(version, 5, method, params).as_bytes());
    let answer = value(&turn);
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(5), &json!(code)),
        "{answer}"
    );
    assert_eq!(turn.event.method, method);
    // That a method is unknown says nothing against the request.
    assert_eq!(turn.event.problem.is_some(), code == -32602);
}

#[rstest]
#[case(V2025_06_18)]
#[case(V2025_11_25)]
fn a_session_is_of_its_version_whatever_is_asked_for(#[case] version: ProtocolVersion) {
    for asked in [
        "2024-11-05",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28",
        "tomorrow",
    ] {
        let mut session = Session::new(pages(version));
        let turn = session.receive(initialize(asked).as_bytes(), None);
        let answer = value(&turn);
        assert_eq!(answer["result"]["protocolVersion"], version.as_str());
        assert_eq!(answer["result"]["capabilities"], json!({"tools": {}}));
        assert_eq!(turn.event.problem, None);
    }
}

#[rstest]
#[case(V2025_06_18)]
#[case(V2025_11_25)]
fn a_session_opens_with_its_handshake(#[case] version: ProtocolVersion) {
    let mut session = Session::new(pages(version));
    let probe = session.receive(
        request(V2026_07_28, 1, "server/discover", "").as_bytes(),
        None,
    );
    assert_eq!(value(&probe)["error"]["code"], -32601);
    let early = session.receive(request(version, 2, "tools/list", "").as_bytes(), None);
    assert_eq!(value(&early)["error"]["code"], -32600);
    assert!(
        early
            .event
            .problem
            .expect("a note")
            .contains("before `initialize`")
    );
    let ping = session.receive(request(version, 3, "ping", "").as_bytes(), None);
    assert_eq!(value(&ping)["result"], json!({}));
    open(&mut session);
    let listed = session.receive(request(version, 4, "tools/list", "").as_bytes(), None);
    assert_eq!(value(&listed)["result"]["tools"][0]["name"], "place_order");
}

#[test]
fn a_stateless_server_says_what_it_speaks() {
    let turn = ask(
        V2026_07_28,
        request(V2026_07_28, 1, "server/discover", "").as_bytes(),
    );
    let answer = value(&turn);
    let result = &answer["result"];
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"]),
        (&json!(0), &json!("private"))
    );
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "mcp-conform"
    );

    let turn = ask(V2026_07_28, initialize("2025-11-25").as_bytes());
    let error = &value(&turn)["error"];
    assert_eq!(error["code"], -32022);
    let data = json!({"supported": ["2026-07-28"], "requested": "2025-11-25"});
    assert_eq!(error["data"], data);

    let turn = ask(V2026_07_28, request(V2026_07_28, 1, "ping", "").as_bytes());
    assert_eq!(
        value(&turn)["error"]["code"],
        -32601,
        "this version has no ping"
    );
}

#[rstest]
#[case("{}", -32602, "protocolVersion")]
#[case(r#"{"_meta":null}"#, -32602, "protocolVersion")]
#[case(r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":20260728}}"#, -32602, "protocolVersion")]
#[case(r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#, -32602, "clientCapabilities")]
#[case(r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}}"#, -32602, "clientCapabilities")]
#[case(r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}"#, -32022, "")]
fn a_stateless_request_names_its_version_and_capabilities(
    #[case] params: &str,
    #[case] code: i64,
    #[case] problem: &str,
    #[values("tools/list", "tools/call", "server/discover")] method: &str,
) {
    let message = format!(r#"{{"jsonrpc":"2.0","id":"a","method":"{method}","params":{params}}}"#);
    let turn = ask(V2026_07_28, message.as_bytes());
    assert_eq!(value(&turn)["error"]["code"], code);
    assert_eq!(value(&turn)["id"], "a");
    // A client of another version has done nothing wrong.
    let noted = turn.event.problem.unwrap_or_default();
    assert!(noted.contains(problem), "{noted}");
    assert_eq!(noted.is_empty(), code == -32022);
}

#[rstest]
fn pages_follow_their_cursors(
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
) {
    let first = ask(version, request(version, 1, "tools/list", "").as_bytes());
    assert_eq!(value(&first)["result"]["nextCursor"], "page-1");
    let second = ask(
        version,
        request(version, 2, "tools/list", r#""cursor":"page-1""#).as_bytes(),
    );
    assert_eq!(value(&second)["result"]["tools"][0]["name"], "list_orders");
    assert_eq!(second.event.cursor.as_deref(), Some("page-1"));
}

#[rstest]
fn what_is_sent_and_what_came_keep_every_byte(
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
) {
    let structured = format!(r#""content":[],"structuredContent":{EXACT}"#);
    let mut session = Session::new(answering(version, result(version, &structured)));
    open(&mut session);
    // An id that is a number, but not as a double would write it, and arguments that no value holds.
    let message = call(
        version,
        1,
        "place_order",
        r#"{"n":1.0,"n":1e400,"s":"\ud83d"}"#,
    )
    .replace("\"id\":1", "\"id\":1e2");
    let turn = session.receive(message.as_bytes(), None);
    let Answer::Message {
        text,
        refused: None,
    } = &turn.answer
    else {
        panic!("{:?}", turn.answer)
    };
    assert!(
        text.starts_with(r#"{"jsonrpc":"2.0","id":1e2,"result":{"#),
        "{text}"
    );
    assert!(text.ends_with(&format!("{structured}}}}}")), "{text}");
    assert_eq!(turn.event.id.as_deref(), Some("1e2"));
    assert_eq!(turn.event.tool.as_deref(), Some("place_order"));
    let arguments = turn.event.arguments.expect("arguments");
    assert_eq!(arguments, r#"{"n":1.0,"n":1e400,"s":"\ud83d"}"#);
}

#[test]
fn deep_arguments_reach_the_record() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let turn = ask(
        V2025_11_25,
        call(V2025_11_25, 1, "place_order", &deep).as_bytes(),
    );
    assert_eq!(value(&turn)["result"]["structuredContent"]["order"], 17);
    assert_eq!(
        turn.event.arguments.map(|text| text.len()),
        Some(deep.len())
    );
}

#[rstest]
fn a_call_without_a_reply_is_the_tools_own_error(
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
) {
    let turn = ask(version, call(version, 1, "list_orders", "{}").as_bytes());
    let result = &value(&turn)["result"];
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["content"],
        json!([{"type": "text", "text": "reached"}])
    );
    assert_eq!(result.get("resultType").is_some(), version == V2026_07_28);
}

#[rstest]
#[case::notification(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, None)]
#[case::unknown_notification(r#"{"jsonrpc":"2.0","method":"orders/placed","params":{}}"#, None)]
#[case::response(
    r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
    Some("the server asked nothing")
)]
#[case::error(
    r#"{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":""}}"#,
    Some("the server asked nothing")
)]
fn what_is_no_request_gets_no_answer(
    #[case] message: &str,
    #[case] problem: Option<&str>,
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
) {
    let turn = ask(version, message.as_bytes());
    assert_eq!(turn.answer, Answer::None);
    let noted = turn.event.problem.unwrap_or_default();
    assert!(noted.contains(problem.unwrap_or_default()), "{noted}");
    assert_eq!(noted.is_empty(), problem.is_none());
}

#[test]
fn a_session_has_a_bound() {
    let mut session = Session::new(pages(V2025_11_25));
    open(&mut session);
    let filling = format!(r#"{{"order":"{}"}}"#, "x".repeat(15 << 20));
    let message = call(V2025_11_25, 1, "place_order", &filling);
    let closes =
        (1..).take_while(|_| session.receive(message.as_bytes(), None).answer != Answer::Close);
    assert_eq!(closes.take(20).count(), 4, "64 MiB hold four of 15 MiB");
}
