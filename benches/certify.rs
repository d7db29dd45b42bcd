//! What certifying costs beside the implementation: the corpus read and answered by our own gates,
//! and the harness around an adapter that does nothing.
//!
//! This binary, started with `--adapter`, is the adapter. `adapter_round_trip` is one question and its
//! answer, `adapter_whole_corpus` the same for every case. `bare_round_trip` is the same bytes through the
//! same process without a harness, asleep while it waits: what the machine takes to switch to another
//! process and back. The harness is awake for the first moment of a wait, and may be faster.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use divan::Bencher;
use mcp_conform::certify::{
    Bounds, Builtin, Command, Launch, Launcher, Options, Plan, Request, Selection, certify,
};
use mcp_conform::corpus::Corpus;

// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    if std::env::args().nth(1).as_deref() == Some("--adapter") {
        adapter();
    } else {
        divan::main();
    }
}

/// Accepts everything as fast as it can: it reads the request's number and nothing else.
fn adapter() {
    const START: &str = r#"{"protocol":1,"implementation":{"name":"trivial","version":"0","language":"rust"},"gates":["definition","listing","arguments","result","audit","handoff","state"],"versions":["2025-06-18","2025-11-25","2026-07-28"],"dialects":["https://json-schema.org/draft/2020-12/schema","https://json-schema.org/draft/2019-09/schema","http://json-schema.org/draft-07/schema#","http://json-schema.org/draft-06/schema#","http://json-schema.org/draft-04/schema#"]}"#;
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|read| read > 0) {
        if let Some(rest) = line.strip_prefix("{\"op\":\"run\",\"seq\":") {
            let seq = rest.split(',').next().unwrap_or_default();
            let _ = writeln!(output, "{{\"seq\":{seq},\"verdict\":\"accept\"}}");
        } else if line.starts_with("{\"op\":\"start\"") {
            let _ = writeln!(output, "{START}");
        } else {
            return;
        }
        let _ = output.flush();
        line.clear();
    }
}

fn corpus() -> Corpus {
    Corpus::embedded().expect("the corpus can be read")
}

fn run(plan: &Plan<'_>, launch: &dyn Launch, interrupt: &AtomicBool) -> usize {
    let options = Options {
        jobs: 1,
        deadline: Duration::from_secs(5),
        interrupt,
        observer: &(),
    };
    certify(plan, launch, &options)
        .expect("it starts")
        .judged
        .len()
}

#[divan::bench]
fn read_corpus() -> Corpus {
    corpus()
}

#[divan::bench(sample_count = 5)]
fn builtin_whole_corpus(bencher: Bencher<'_, '_>) {
    let corpus = corpus();
    let plan = Plan::new(&corpus, &Selection::default());
    bencher.bench(|| run(&plan, &Builtin::default, &AtomicBool::new(false)));
}

/// All that the harness does for a run of the corpus's cases, hostile ones left out: divide by the
/// number of cases for the overhead of one.
#[divan::bench(sample_count = 5)]
fn adapter_whole_corpus(bencher: Bencher<'_, '_>) {
    let mut corpus = corpus();
    corpus.suites.retain(|suite| suite.folder() != "hostile");
    let plan = Plan::new(&corpus, &Selection::default());
    let interrupt = Arc::new(AtomicBool::new(false));
    let launcher = launcher(&corpus, &interrupt);
    bencher
        .counter(divan::counter::ItemsCount::new(plan.judged))
        .bench(|| run(&plan, &launcher, &interrupt));
}

/// One question and its answer.
#[divan::bench]
fn adapter_round_trip(bencher: Bencher<'_, '_>) {
    let corpus = corpus();
    let request = question(&corpus);
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut adapter = launcher(&corpus, &interrupt).launch().expect("it starts");
    bencher.bench_local(|| adapter.run(&request));
}

/// The same line there and its answer back, with nobody to look at either.
#[divan::bench]
fn bare_round_trip(bencher: Bencher<'_, '_>) {
    let message = question(&corpus()).message() + "\n";
    let mut child = std::process::Command::new(program())
        .arg("--adapter")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    bencher.bench_local(|| {
        line.clear();
        input.write_all(message.as_bytes()).expect("it reads");
        output.read_line(&mut line).expect("it answers")
    });
    drop(input);
    child.wait().expect("it ends");
}

fn question(corpus: &Corpus) -> Request {
    let case = corpus
        .case("result/search-tickets#structured_bad_enum")
        .expect("a case of old");
    let version = mcp_conform::protocol::ProtocolVersion::V2026_07_28;
    Request::new(case, version, 1, Duration::from_secs(5))
}

fn program() -> std::path::PathBuf {
    std::env::current_exe().expect("this program has a path")
}

fn launcher(corpus: &Corpus, interrupt: &Arc<AtomicBool>) -> Launcher {
    let command = Command {
        program: program().into(),
        arguments: vec!["--adapter".into()],
    };
    Launcher::new(
        command,
        &corpus.identity,
        Bounds::default(),
        interrupt.clone(),
    )
}
