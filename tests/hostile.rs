//! Documents made to hurt: each ends with a report, by itself, in bounded memory, and fetches
//! nothing.

use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Long enough for the slowest machine, and short enough to tell a hang.
const HANG: Duration = Duration::from_secs(60);
/// Address space in KiB: 512 MiB, the bound that the project promises, and what the runtime maps
/// without using.
const MEMORY: u32 = 768 * 1024;

/// Checks a document through the real program and returns its JSON report.
fn check(folder: &Path, name: &str, text: &[u8]) -> Value {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    let program = env!("CARGO_BIN_EXE_mcp-conform");
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v {MEMORY}; exec \"$0\" check --format json \"$1\""
        ))
        .arg(program)
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || std::io::read_to_string(stdout));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < HANG, "{name}: hangs");
        std::thread::sleep(Duration::from_millis(5));
    };
    let took = start.elapsed();
    let report = reader.join().unwrap().unwrap();
    let stderr = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(
        matches!(status.code(), Some(0..=2)),
        "{name}: ended with {status}\n{stderr}"
    );
    assert!(!stderr.contains("panicked"), "{name}: {stderr}");
    assert!(
        report.len() < 8 << 20,
        "{name}: a report of {} bytes",
        report.len()
    );
    eprintln!("{name}: {took:?}");
    serde_json::from_str(&report).unwrap_or_else(|error| panic!("{name}: {error}\n{stderr}"))
}

fn listing(schema: &str) -> String {
    format!(
        r#"{{"tools":[{{"name":"forecast","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}]}}"#
    )
}

fn exchange(schema: &str, value: &str) -> String {
    format!(
        r#"{{"protocolVersions":["2026-07-28"],"tool":{{"name":"forecast","inputSchema":{{"type":"object"}},"outputSchema":{schema}}},"result":{{"content":[{{"type":"text","text":"done"}}],"structuredContent":{value}}}}}"#
    )
}

/// `$defs` in which each refers twice to the next, through `keyword`.
fn doubling(levels: usize, keyword: &str, extra: &str, leaf: &str) -> String {
    let mut defs = String::new();
    for level in 0..levels {
        let next = level + 1;
        write!(
            defs,
            r##""d{level}":{{"{keyword}":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}]{extra}}},"##
        )
        .unwrap();
    }
    format!(r##"{{"type":"object","$defs":{{{defs}"d{levels}":{leaf}}},"$ref":"#/$defs/d0"}}"##)
}

fn nested(levels: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

fn rules(report: &Value) -> Vec<&str> {
    let diagnostics = report["documents"][0]["diagnostics"].as_array();
    let mut rules: Vec<_> = diagnostics
        .into_iter()
        .flatten()
        .filter_map(|d| d["rule"].as_str())
        .collect();
    rules.dedup();
    rules
}

#[track_caller]
fn expect(folder: &Path, name: &str, text: &str, rule: &str) {
    let report = check(folder, name, text.as_bytes());
    let found = rules(&report);
    assert!(found.contains(&rule), "{name}: {found:?}, not {rule}");
}

#[test]
fn texts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let deep = |n| nested(n, "[", "", "]");
    expect(folder, "deep.json", &deep(100_000), "json.bounds");
    expect(
        folder,
        "unclosed.json",
        &"[".repeat(1_000_000),
        "json.bounds",
    );
    expect(
        folder,
        "objects.json",
        &nested(50_000, "{\"a\":", "1", "}"),
        "json.bounds",
    );
    expect(folder, "deep.yaml", &deep(100_000), "json.bounds");
    expect(
        folder,
        "block.yaml",
        &(0..2000).fold(String::new(), |mut t, n| {
            writeln!(t, "{}a:", " ".repeat(n)).unwrap();
            t
        }),
        "json.bounds",
    );
    expect(
        folder,
        "laughs.yaml",
        "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        "json.syntax",
    );
    expect(folder, "huge.json", "{\"tools\": [1e400]}", "json.bounds");
    expect(folder, "nan.json", "{\"tools\": [NaN]}", "json.syntax");
    expect(
        folder,
        "surrogate.json",
        "{\"tools\": [\"\\ud800\"]}",
        "json.syntax",
    );
    expect(
        folder,
        "mark.json",
        "\u{feff}{\"tools\": []}",
        "json.syntax",
    );
    let report = check(folder, "bytes.json", b"{\"tools\": [\"\xff\xfe\"]}");
    assert_eq!(rules(&report), ["json.syntax"]);
    let report = check(folder, "empty.json", b"");
    assert_eq!(rules(&report), ["json.syntax"]);
    let mut long = format!("{{\"tools\": [], \"pad\": \"{}", "x".repeat(64 << 20));
    long.push_str("\"}");
    expect(folder, "long.json", &long, "json.bounds");
    let twice: Vec<_> = (0..20_000).map(|n| format!("\"k{}\":1", n % 2)).collect();
    expect(
        folder,
        "twice.json",
        &format!("{{\"tools\":[],{}}}", twice.join(",")),
        "json.duplicate-key",
    );
    // A number of a million digits is beyond any double; a fraction of them is rounded.
    expect(
        folder,
        "digits.json",
        &format!("{{\"tools\":[],\"n\":{}}}", "9".repeat(1_000_000)),
        "json.bounds",
    );
    let report = check(
        folder,
        "fraction.json",
        format!("{{\"tools\":[],\"n\":0.{}}}", "3".repeat(1_000_000)).as_bytes(),
    );
    assert_eq!(report["verdict"], "valid");
}

#[test]
fn schemas() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bounds = "mcp.tool.schema.bounds";
    let leaf = r#"{"required":["never"]}"#;
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let schema = doubling(40, keyword, "", leaf);
        expect(
            folder,
            &format!("doubling-{keyword}.json"),
            &listing(&schema),
            bounds,
        );
    }
    for levels in [10, 12, 14, 16, 40] {
        let schema = doubling(levels, "allOf", r#","unevaluatedProperties":false"#, leaf);
        check(
            folder,
            &format!("unevaluated-{levels}.json"),
            exchange(&schema, "{}").as_bytes(),
        );
    }
    let chain = (0..100_000).fold(String::new(), |mut text, n| {
        write!(text, r##""d{n}":{{"$ref":"#/$defs/d{}"}},"##, n + 1).unwrap();
        text
    });
    let chain =
        format!(r##"{{"type":"object","$defs":{{{chain}"d100000":true}},"$ref":"#/$defs/d0"}}"##);
    expect(folder, "chain.json", &listing(&chain), bounds);
    let chain = (0..9_000).fold(String::new(), |mut text, n| {
        write!(text, r##""d{n}":{{"$ref":"#/$defs/d{}"}},"##, n + 1).unwrap();
        text
    });
    let chain =
        format!(r##"{{"type":"object","$defs":{{{chain}"d9000":true}},"$ref":"#/$defs/d0"}}"##);
    check(
        folder,
        "chain-within.json",
        exchange(&chain, "{}").as_bytes(),
    );
    let deep = nested(60, r#"{"properties":{"a":"#, "{}", "}}");
    check(folder, "deep.json", listing(&deep).as_bytes());
    let members: Vec<_> = (0..100_000).map(|n| format!("{{\"id\":{n}}}")).collect();
    let wide = format!(
        r#"{{"type":"object","properties":{{"a":{{"enum":[{}]}}}}}}"#,
        members.join(",")
    );
    expect(folder, "enum.json", &listing(&wide), bounds);
    let properties: Vec<_> = (0..50_000).map(|n| format!("\"p{n}\":{{}}")).collect();
    let wide = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        properties.join(",")
    );
    expect(folder, "properties.json", &listing(&wide), bounds);
    let pattern = format!(
        r#"{{"type":"object","properties":{{"a":{{"pattern":"{}"}}}}}}"#,
        "(a?)".repeat(5_000)
    );
    expect(folder, "pattern.json", &listing(&pattern), bounds);
    let repeat =
        r#"{"type":"object","properties":{"a":{"pattern":"((a{1,1000}){1,1000}){1,1000}"}}}"#;
    expect(
        folder,
        "repeat.json",
        &listing(repeat),
        "mcp.tool.schema.pattern",
    );
    let cycle = r##"{"type":"object","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}"##;
    expect(
        folder,
        "cycle.json",
        &exchange(cycle, "{}"),
        "mcp.tool.schema.ref-cycle",
    );
    let ids = (0..3_000).fold(String::new(), |mut text, n| {
        write!(
            text,
            r#""d{n}":{{"$id":"https://a.test/{n}","$anchor":"x"}},"#
        )
        .unwrap();
        text
    });
    let ids = format!(r#"{{"type":"object","$defs":{{{ids}"z":true}}}}"#);
    check(folder, "ids.json", listing(&ids).as_bytes());
}

#[test]
fn values() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tree = r##"{"type":"object","properties":{"v":{"$ref":"#/$defs/t"}},"$defs":{"t":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/t"}},{"type":"array","items":{"$ref":"#/$defs/t"},"minItems":1},{"type":"integer"}]}}}"##;
    for depth in [12, 40, 100] {
        let value = format!("{{\"v\":{}}}", nested(depth, "[", "\"bad\"", "]"));
        let report = check(
            folder,
            &format!("recursive-{depth}.json"),
            exchange(tree, &value).as_bytes(),
        );
        assert_eq!(rules(&report), ["mcp.result.structured-content.schema"]);
    }
    let many = r#"{"type":"object","properties":{"v":{"items":{"allOf":[{"type":"object"},{"type":"array"}]}}}}"#;
    let value = format!("{{\"v\":[{}1]}}", "1,".repeat(500_000));
    let report = check(
        folder,
        "many-errors.json",
        exchange(many, &value).as_bytes(),
    );
    assert_eq!(rules(&report), ["mcp.result.structured-content.schema"]);
    let long = format!("{{\"v\":\"{}\"}}", "x".repeat(30 << 20));
    let short = r#"{"type":"object","properties":{"v":{"maxLength":3,"pattern":"^a+$"}}}"#;
    let report = check(folder, "long.json", exchange(short, &long).as_bytes());
    assert_eq!(rules(&report), ["mcp.result.structured-content.schema"]);
    let lookahead = r#"{"type":"object","properties":{"v":{"anyOf":[{"pattern":"^(?=(a+)+$)(a+)+b$"},{"type":"string"}]}}}"#;
    let value = format!("{{\"v\":\"{}!\"}}", "a".repeat(5_000));
    check(
        folder,
        "lookahead.json",
        exchange(lookahead, &value).as_bytes(),
    );
    let names: Vec<_> = (0..200_000).map(|n| format!("\"extra{n}\":1")).collect();
    let closed = r#"{"type":"object","additionalProperties":false}"#;
    let report = check(
        folder,
        "names.json",
        exchange(closed, &format!("{{{}}}", names.join(","))).as_bytes(),
    );
    assert_eq!(rules(&report), ["mcp.result.structured-content.schema"]);
    let unique = r#"{"type":"object","properties":{"v":{"uniqueItems":true}}}"#;
    let items: Vec<_> = (0..300_000).map(|n| format!("{{\"a\":{n}}}")).collect();
    check(
        folder,
        "unique.json",
        exchange(unique, &format!("{{\"v\":[{}]}}", items.join(","))).as_bytes(),
    );
    let tools: Vec<_> = (0..50_000).map(|_| "null").collect();
    expect(
        folder,
        "tools.json",
        &format!("{{\"tools\":[{}]}}", tools.join(",")),
        "mcp.tool.shape",
    );
    let one = json!({"tools": [{"name": "a".repeat(5 << 20), "inputSchema": {"type": "object"}}]});
    expect(
        folder,
        "name.json",
        &one.to_string(),
        "mcp.tool.name.format",
    );
}

#[test]
fn nothing_is_fetched() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://{address}/schema.json");
    for (name, schema) in [
        (
            "ref",
            json!({"type": "object", "properties": {"a": {"$ref": url}}}),
        ),
        (
            "unused",
            json!({"type": "object", "$defs": {"a": {"$ref": url}}}),
        ),
        ("dynamic", json!({"type": "object", "$dynamicRef": url})),
        ("dialect", json!({"type": "object", "$schema": url})),
        (
            "nested",
            json!({"type": "object", "properties": {"a": {"$id": "b", "$schema": url}}}),
        ),
        (
            "id",
            json!({"type": "object", "$id": url, "properties": {"a": {"$ref": "other.json"}}}),
        ),
        (
            "file",
            json!({"type": "object", "properties": {"a": {"$ref": "file:///etc/hostname"}}}),
        ),
    ] {
        let text = exchange(&schema.to_string(), "{\"a\":1}");
        check(folder.path(), &format!("{name}.json"), text.as_bytes());
    }
    assert!(listener.accept().is_err(), "somebody came to fetch");
}
