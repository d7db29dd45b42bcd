//! The headers of a request against its body.

use mcp_conform::certify::live::{Headers, Session};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rstest::rstest;

use super::protocol::{open, value};
use super::script::{call, pages, request};

fn headers(pairs: &[(&str, &str)]) -> Headers {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// A tool of which two arguments are to be repeated in headers, one of them deeper.
fn mirroring() -> Session {
    let tool = r#"{"name":"place_order","inputSchema":{"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"Region"},
        "customer":{"type":"object","properties":{"number":{"type":"integer","x-mcp-header":"Customer"}}}}}}"#;
    let unsound = r#"{"name":"weigh_order","inputSchema":{"type":"object","properties":{
        "weight":{"type":"number","x-mcp-header":"Weight"}}}}"#;
    let mut script = pages(V2026_07_28);
    script.stages[0].pages = vec![super::script::page(
        V2026_07_28,
        &format!("{tool},{unsound}"),
        None,
    )];
    Session::new(script)
}

const VERSION: (&str, &str) = ("mcp-protocol-version", "2026-07-28");
const METHOD: (&str, &str) = ("mcp-method", "tools/call");
const NAME: (&str, &str) = ("mcp-name", "place_order");
const REGION: (&str, &str) = ("mcp-param-region", "=?base64?bm9yZCB8IMO8?=");
const CUSTOMER: (&str, &str) = ("mcp-param-customer", "42.0");
const ORDER: &str = r#"{"region":"nord | ü","customer":{"number":42}}"#;

#[rstest]
#[case::all(ORDER, &[VERSION, METHOD, NAME, REGION, CUSTOMER], None)]
#[case::encoded_name(ORDER, &[VERSION, METHOD, ("mcp-name", "=?base64?cGxhY2Vfb3JkZXI=?="), REGION, CUSTOMER], None)]
#[case::no_version(ORDER, &[METHOD, NAME, REGION, CUSTOMER], Some("mcp-protocol-version is missing"))]
#[case::other_version(ORDER, &[("mcp-protocol-version", "2025-11-25"), METHOD, NAME, REGION, CUSTOMER], Some("mcp-protocol-version is \"2025-11-25\""))]
#[case::no_method(ORDER, &[VERSION, NAME, REGION, CUSTOMER], Some("mcp-method is missing"))]
#[case::other_method(ORDER, &[VERSION, ("mcp-method", "Tools/Call"), NAME, REGION, CUSTOMER], Some("mcp-method is \"Tools/Call\""))]
#[case::no_name(ORDER, &[VERSION, METHOD, REGION, CUSTOMER], Some("mcp-name is missing"))]
#[case::other_name(ORDER, &[VERSION, METHOD, ("mcp-name", "cancel_order"), REGION, CUSTOMER], Some("mcp-name is \"cancel_order\""))]
#[case::damaged_base64(ORDER, &[VERSION, METHOD, ("mcp-name", "=?base64?cGxh!?="), REGION, CUSTOMER], Some("mcp-name"))]
#[case::no_argument_header(ORDER, &[VERSION, METHOD, NAME, CUSTOMER], Some("mcp-param-region is missing"))]
#[case::deep_argument(ORDER, &[VERSION, METHOD, NAME, REGION], Some("mcp-param-customer is missing"))]
#[case::raw_text(ORDER, &[VERSION, METHOD, NAME, ("mcp-param-region", "nord | ü"), CUSTOMER], Some("mcp-param-region is \"nord"))]
#[case::other_number(ORDER, &[VERSION, METHOD, NAME, REGION, ("mcp-param-customer", "43")], Some("mcp-param-customer is \"43\""))]
#[case::null_wants_none(r#"{"region":null}"#, &[VERSION, METHOD, NAME], None)]
#[case::absent_wants_none("{}", &[VERSION, METHOD, NAME], None)]
fn headers_say_what_the_body_says(
    #[case] arguments: &str,
    #[case] sent: &[(&str, &str)],
    #[case] problem: Option<&str>,
) {
    let message = call(V2026_07_28, 1, "place_order", arguments);
    let turn = mirroring().receive(message.as_bytes(), Some(&headers(sent)));
    let answer = value(&turn);
    let code = answer["error"]["code"].as_i64();
    assert_eq!(code, problem.map(|_| -32020), "{answer}");
    let noted = turn.event.problem.unwrap_or_default();
    assert!(noted.contains(problem.unwrap_or_default()), "{noted}");
    assert_eq!(turn.event.headers, headers(sent));
}

#[test]
fn a_header_without_an_argument_is_noted_and_served() {
    let message = call(V2026_07_28, 1, "place_order", "{}");
    let sent = headers(&[VERSION, METHOD, NAME, REGION]);
    let turn = mirroring().receive(message.as_bytes(), Some(&sent));
    assert_eq!(value(&turn)["result"]["structuredContent"]["order"], 17);
    let noted = turn.event.problem.expect("a note");
    assert!(
        noted.contains("mcp-param-region has no argument"),
        "{noted}"
    );
}

#[test]
fn a_tool_that_no_client_may_offer_wants_no_header() {
    let message = call(V2026_07_28, 1, "weigh_order", r#"{"weight":1.5}"#);
    let sent = headers(&[VERSION, METHOD, ("mcp-name", "weigh_order")]);
    let turn = mirroring().receive(message.as_bytes(), Some(&sent));
    assert_eq!(
        value(&turn)["result"]["isError"],
        true,
        "{:?}",
        turn.event.problem
    );
}

#[rstest]
#[case(V2025_06_18, Some("2025-06-18"), None, None)]
#[case(V2025_11_25, Some("2025-06-18"), Some(-32600), Some("in a session of 2025-11-25"))]
#[case(V2025_11_25, None, None, Some("is missing"))]
fn a_session_holds_its_version_header_too(
    #[case] version: ProtocolVersion,
    #[case] header: Option<&str>,
    #[case] code: Option<i64>,
    #[case] problem: Option<&str>,
) {
    let mut session = Session::new(pages(version));
    open(&mut session);
    let sent = header.map_or_else(Headers::new, |named| {
        headers(&[("mcp-protocol-version", named)])
    });
    let turn = session.receive(
        request(version, 1, "tools/list", "").as_bytes(),
        Some(&sent),
    );
    assert_eq!(value(&turn)["error"]["code"].as_i64(), code);
    let noted = turn.event.problem.unwrap_or_default();
    assert!(noted.contains(problem.unwrap_or_default()), "{noted}");
    assert_eq!(noted.is_empty(), problem.is_none());
}
