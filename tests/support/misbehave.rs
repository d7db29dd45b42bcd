//! The other end of the adapter protocol, done wrong in every way that a test asks for.

use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use mcp_conform::certify::{Answer, Builtin, Implementation, Request};
use mcp_conform::schema::Dialect;
use serde_json::{Value, json};

/// The request that goes wrong, where only one does.
const ONE: u64 = 5;

/// Speaks the protocol in the way that `mode` names, until there is nothing more to read.
pub fn main(mode: &str) {
    match mode {
        "exits-at-start" => std::process::exit(3),
        "silent-at-start" => sleep(Duration::from_secs(60)),
        "holds-the-pipe" | "exits-once-and-leaves-the-pipe" => spawn_sleeper(true),
        "leaves-a-child" => spawn_sleeper(false),
        "never-reads" => {
            say(&start().to_string());
            sleep(Duration::from_secs(60));
        }
        "floods-stderr" => {
            std::thread::spawn(|| {
                loop {
                    eprintln!("{}", "noise ".repeat(2_000));
                }
            });
        }
        "complains" => eprintln!("a complaint"),
        _ => {}
    }
    let mut builtin = Builtin::default();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else {
            break;
        };
        let message: Value = serde_json::from_str(&line).expect("a message is JSON");
        match message["op"].as_str() {
            Some("start") => say(&greeting(mode)),
            Some("run") => run(mode, &message, &mut builtin),
            _ if mode == "ignores-stop" => loop {
                sleep(Duration::from_secs(1));
            },
            _ => break,
        }
    }
    if mode == "ignores-the-end" {
        sleep(Duration::from_secs(60));
    }
}

fn start() -> Value {
    json!({
        "protocol": 1,
        "implementation": {"name": "misbehaving", "version": "0", "language": "rust"},
        "gates": ["definition", "listing", "arguments", "result", "audit", "handoff", "state"],
        "versions": ["2025-06-18", "2025-11-25", "2026-07-28"],
        "dialects": Dialect::ALL.map(Dialect::uri),
    })
}

fn greeting(mode: &str) -> String {
    let mut start = start();
    match mode {
        "garbage-at-start" => return "Listening on stdio...".to_owned(),
        "other-protocol" => start["protocol"] = json!(2),
        "nameless" => start["implementation"] = json!({"version": "0", "language": "rust"}),
        "no-gates" => start["gates"] = json!([]),
        "dialects-a-string" => {
            start["dialects"] = json!("https://json-schema.org/draft/2020-12/schema");
        }
        "result-alone" => start["gates"] = json!(["result", "a-gate-of-tomorrow"]),
        _ => {}
    }
    start.to_string()
}

fn run(mode: &str, message: &Value, builtin: &mut Builtin) {
    let seq = message["seq"].as_u64().expect("a request has a number");
    let right = answer(message, builtin);
    let with = |member: &str, value: Value| {
        let mut answer = right.clone();
        answer[member] = value;
        answer.to_string()
    };
    let verdict = |word: &str| json!({"seq": seq, "verdict": word}).to_string();
    match mode {
        "accepts-all" => say(&full(message, json!({"seq": seq, "verdict": "accept"})).to_string()),
        "rejects-all" => say(&full(message, json!({"seq": seq, "verdict": "reject"})).to_string()),
        "exits" => std::process::exit(7),
        "exits-once" | "exits-once-and-leaves-the-pipe" if seq == ONE => std::process::exit(7),
        "exits-after-each" => {
            say(&right.to_string());
            std::process::exit(0);
        }
        "aborts-once" if seq == ONE => std::process::abort(),
        "hangs-once" if seq == ONE => sleep(Duration::from_secs(60)),
        "slow" => {
            sleep(Duration::from_millis(20));
            say(&right.to_string());
        }
        "answers-twice" => say(&format!("{right}\n{right}")),
        "answers-twice-late" => {
            say(&right.to_string());
            sleep(Duration::from_millis(2));
            say(&right.to_string());
        }
        "answers-the-next" => say(&with("seq", json!(seq + 1))),
        "answers-the-last" => say(&with("seq", json!(seq.saturating_sub(1)))),
        "garbage" => say(&format!("DEBUG judging {seq}\n{right}")),
        "megabyte-line" => say(&with("delivered", json!("x".repeat(1 << 20)))),
        "endless-line" => loop {
            if std::io::stdout().write_all(&[b'x'; 4_096]).is_err() {
                return;
            }
        },
        "not-utf-8" => {
            let mut line = right.to_string().into_bytes();
            line.splice(1..1, *b"\"a\":\"\xff\",");
            line.push(b'\n');
            let _ = std::io::stdout().write_all(&line);
            let _ = std::io::stdout().flush();
        }
        "verdict-a-boolean" => say(&with("verdict", json!(true))),
        "verdict-unknown" => say(&verdict("valid")),
        "no-verdict" => say(&json!({"seq": seq}).to_string()),
        "verdict-and-error" => say(&with("error", json!("no"))),
        "no-seq" => say(&json!({"verdict": "accept"}).to_string()),
        "seq-a-string" => say(&with("seq", json!(seq.to_string()))),
        "seq-negative" => say(&with("seq", json!(-1))),
        "an-array" => say(&json!([right]).to_string()),
        "member-twice" => say(&format!(
            "{{\"seq\":{seq},\"verdict\":\"accept\",\"verdict\":\"reject\"}}"
        )),
        "unknown-member" => say(&with("verdicts", json!([]))),
        "unknown-reason" => say(&with("reason", json!("bad"))),
        "usable-a-string" => say(&with("usable", json!("all"))),
        "at-no-pointer" => say(&with("at", json!("$.status"))),
        "bare-verdicts" => say(&verdict(right["verdict"].as_str().unwrap_or("reject"))),
        "fails" => {
            say(
                &json!({"seq": seq, "error": "TypeError: undefined is not a function"}).to_string(),
            );
        }
        "skips" => say(
            &json!({"seq": seq, "skip": "not yet", "issue": "https://issues.example/7"})
                .to_string(),
        ),
        "half-a-line" => {
            print!("{}", &right.to_string()[..8]);
            let _ = std::io::stdout().flush();
            std::process::exit(0);
        }
        "closes-its-output" => {
            close_stdout();
            sleep(Duration::from_secs(60));
        }
        "wrong-reasons" => say(&with("reason", json!("limit-exceeded"))),
        "carriage-returns" => say(&format!("{right}\r")),
        _ => say(&right.to_string()),
    }
}

/// The right answer, by this program's own gates.
fn answer(message: &Value, builtin: &mut Builtin) -> Value {
    let text = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
    let fields = [
        "tool",
        "tools",
        "arguments",
        "result",
        "record",
        "body",
        "schema",
        "value",
    ];
    let fields = fields.into_iter().filter(|name| message[*name].is_string());
    let request = Request {
        seq: message["seq"].as_u64().unwrap_or_default(),
        gate: text("gate").parse().expect("a known gate"),
        version: text("version").parse().expect("a known version"),
        fields: fields.map(|name| (name, text(name))).collect(),
        deadline: Duration::from_secs(1),
    };
    let outcome = builtin.run(&request);
    let word = match outcome.answer {
        Answer::Accept => "accept",
        _ => "reject",
    };
    let mut answer = json!({"seq": request.seq, "verdict": word});
    for (name, value) in [
        (
            "reason",
            outcome.reason.map(|reason| json!(reason.as_str())),
        ),
        ("at", outcome.at.map(|at| json!(at))),
        ("keyword", outcome.keyword.map(|keyword| json!(keyword))),
        (
            "branch",
            outcome.branch.map(|branch| json!(branch.as_str())),
        ),
        ("usable", outcome.usable.map(|usable| json!(usable))),
        ("delivered", outcome.delivered.map(|text| json!(text))),
    ] {
        if let Some(value) = value {
            answer[name] = value;
        }
    }
    answer
}

/// An answer with what its gate must not lack.
fn full(message: &Value, mut answer: Value) -> Value {
    match message["gate"].as_str() {
        Some("audit") => answer["branch"] = json!("validate_root"),
        Some("listing") => answer["usable"] = json!([]),
        _ => {}
    }
    answer
}

/// Starts a process that outlives this one, with this one's standard output or without.
fn spawn_sleeper(with_the_pipe: bool) {
    let mut command = Command::new("sleep");
    command.arg("600").stdin(Stdio::null());
    if with_the_pipe {
        use std::os::unix::process::CommandExt;
        // In a group of its own, so that nobody ends it with ours.
        command.process_group(0);
    } else {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    // Nobody waits for it: that is how this adapter misbehaves.
    #[allow(clippy::zombie_processes)]
    let child = command.spawn().expect("sleep is there");
    eprintln!("child {}", child.id());
}

fn close_stdout() {
    use std::os::fd::AsFd;
    let null = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/null")
        .expect("there is a /dev/null");
    rustix::stdio::dup2_stdout(null.as_fd()).expect("standard output can be replaced");
}

/// Writes a line, or several, at once.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("{text}\n").as_bytes());
    let _ = out.flush();
}
