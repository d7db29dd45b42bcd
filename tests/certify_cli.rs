//! `certify` through the real program: exit codes, files, an adapter of a few lines of shell.

#[path = "support/program.rs"]
mod running;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use rstest::rstest;
use running::{code, folder, json, output, program, text};

const ACCEPT: &str = r#""verdict":"accept""#;
/// An adapter that runs `$1` and answers `$2` to every question.
const ADAPTER: &str = r#"
while read -r line; do
  case "$line" in
    *'"op":"start"'*) echo '{"protocol":1,"implementation":{"name":"shell","version":"1","language":"sh"},"gates":["arguments"],"versions":["2026-07-28"],"dialects":[]}';;
    *'"op":"run"'*) seq=${line#*\"seq\":}; eval "$1"; echo "{\"seq\":${seq%%,*},$2}";;
    *) exit 0;;
  esac
done
"#;

fn adapter<'a>(words: &[&'a str], before: &'a str, answer: &'a str) -> Vec<&'a str> {
    let mut all = vec!["certify"];
    all.extend(words);
    all.extend(["--", "sh", "-c", ADAPTER, "adapter", before, answer]);
    all
}

#[test]
fn our_own_gates_are_the_default() {
    let run = output(&["certify", "--gate", "arguments", "--format", "json"]);
    assert_eq!(code(&run), 0, "{}", text(&run.stderr));
    let certificate = json(&run);
    assert_eq!(certificate["implementation"]["name"], "mcp-conform");
    assert_eq!(certificate["complete"], true);
    let text = output(&["certify", "--gate", "arguments"]);
    let shown = String::from_utf8_lossy(&text.stdout);
    assert!(shown.contains("strict"), "{shown}");
}

/// A corpus of two cases: an answer that is the same for both is wrong for one.
fn two_cases(name: &str) -> PathBuf {
    let folder = folder(name);
    let path = folder.to_str().expect("a plain path");
    let run = output(&[
        "corpus",
        "new",
        "arguments",
        "order-status",
        "--corpus",
        path,
    ]);
    assert_eq!(code(&run), 0, "{}", text(&run.stderr));
    folder
}

#[test]
fn failures_exit_with_1_and_a_baseline_covers_them() {
    let folder = two_cases("baseline");
    let corpus = folder.to_str().expect("a plain path");
    let run = output(&adapter(
        &["--corpus", corpus, "--format", "json"],
        ":",
        ACCEPT,
    ));
    assert_eq!(code(&run), 1, "{}", text(&run.stderr));
    assert!(
        text(&run.stderr).contains("smoke pair"),
        "{}",
        text(&run.stderr)
    );
    let certificate = json(&run);
    assert_eq!(certificate["smoke"], "accepts-all");
    let mut cases = certificate["cases"].as_array().expect("cases").iter();
    let failed = cases
        .find(|case| case["verdict"] == "non-strict")
        .expect("a miss");
    let rerun = failed["rerun"].as_str().expect("a command");
    let start = "mcp-conform certify --case arguments/order-status#wrong_in_one_thing --protocol ";
    assert!(
        rerun.starts_with(start) && rerun.contains(" -- sh -c '"),
        "{rerun}"
    );
    let baseline = folder.join("baseline.yaml");
    let path = baseline.to_str().expect("a plain path");
    let words = ["--corpus", corpus, "--write-baseline", path];
    let written = output(&adapter(&words, ":", ACCEPT));
    assert_eq!(code(&written), 0, "{}", text(&written.stderr));
    let covered = output(&adapter(
        &["--corpus", corpus, "--baseline", path],
        ":",
        ACCEPT,
    ));
    assert_eq!(code(&covered), 0, "{}", text(&covered.stderr));
    assert!(text(&covered.stdout).contains("known to the baseline"));
    // What is excused and does not happen any more fails the run.
    let stale = output(&["certify", "--corpus", corpus, "--baseline", path]);
    assert_eq!(code(&stale), 1);
    assert!(
        text(&stale.stderr).contains("is no longer non-strict"),
        "{}",
        text(&stale.stderr)
    );
    std::fs::write(
        &baseline,
        "- {id: result/none#none, verdict: fail, reason: r}",
    )
    .expect("written");
    let unknown = output(&["certify", "--corpus", corpus, "--baseline", path]);
    assert_eq!(code(&unknown), 2);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn usage_errors_exit_with_2() {
    for words in [
        &["certify", "--case", "result/none#none"][..],
        &["certify", "--rule", "mcp.none"],
        &["certify", "--gate", "none"],
        &["certify", "--protocol", "2020-01-01"],
        &["certify", "--level", "may"],
        &["certify", "--timeout", "0"],
        &["certify", "--baseline", "/none"],
        &["certify", "--init", "cobol"],
        &["certify", "--json-schema-suite", "/none"],
        &["corpus", "new", "none", "a"],
        &["corpus", "new", "result", "A B"],
        &["corpus", "list", "--corpus", "/none"],
    ] {
        let run = output(words);
        assert_eq!(code(&run), 2, "{words:?}: {}", text(&run.stderr));
        assert!(!run.stderr.is_empty());
    }
}

#[test]
fn what_does_not_start_exits_with_3() {
    for command in [&["/none/at/all"][..], &["false"], &["echo", "hello"]] {
        let mut words = vec!["certify", "--"];
        words.extend(command);
        let run = output(&words);
        assert_eq!(code(&run), 3, "{words:?}");
        assert!(text(&run.stderr).contains("implementation under test broke"));
        assert!(run.stdout.is_empty());
    }
}

#[test]
fn nothing_judged_exits_with_4() {
    let none = output(&["certify", "--gate", "audit", "--protocol", "2025-06-18"]);
    assert_eq!(code(&none), 4);
    let skipped = output(&adapter(&["--gate", "definition"], ":", ACCEPT));
    assert_eq!(code(&skipped), 4, "{}", text(&skipped.stderr));
}

#[test]
fn a_dry_run_lists_and_starts_nothing() {
    let mut words = vec!["certify", "--dry-run", "--rule", "mcp.list.shape"];
    words.extend(["--", "/none/at/all"]);
    let run = output(&words);
    assert_eq!(code(&run), 0);
    let listed = text(&run.stdout);
    assert!(
        listed.lines().count() > 3 && listed.lines().all(|line| line.contains('#')),
        "{listed}"
    );
}

/// Two at once are one: whoever ends a program may signal its group as well, as `timeout` does.
#[rstest]
#[case::once("61.25", "kill -INT $0")]
#[case::twice_at_once("61.5", "kill -TERM $0; kill -TERM $0")]
fn an_interrupted_run_writes_a_partial_certificate_and_leaves_nothing(
    #[case] seconds: &str,
    #[case] kill: &str,
) {
    let folder = two_cases(&format!("interrupt-{seconds}"));
    let corpus = folder.to_str().expect("a plain path");
    let words = ["--corpus", corpus, "--format", "json", "--timeout", "30"];
    let hangs = format!("[ ${{seq%%,*}} -lt 2 ] || sleep {seconds}");
    let child = program(&adapter(&words, &hangs, ACCEPT))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    assert!(
        soon(|| is_running(&["sleep", seconds])),
        "the second case hangs"
    );
    let kill = ["-c", kill, &child.id().to_string()];
    let killed = Command::new("sh").args(kill).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let run = child.wait_with_output().expect("it ends");
    let certificate = json(&run);
    assert_eq!(certificate["complete"], false);
    assert_eq!(certificate["cases"].as_array().map(Vec::len), Some(1));
    assert_eq!(code(&run), 1);
    assert!(soon(|| !is_running(&["sleep", seconds])), "it is gone");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// Whether some process has this command line.
fn is_running(words: &[&str]) -> bool {
    let line = words.join("\0") + "\0";
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let mut lines = processes.filter_map(|one| std::fs::read(one.path().join("cmdline")).ok());
    lines.any(|known| known == line.as_bytes())
}

/// Whether it holds before long.
fn soon(holds: impl Fn() -> bool) -> bool {
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while !holds() && std::time::Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    holds()
}

#[test]
fn the_certificate_goes_to_a_file_on_request() {
    let folder = folder("output");
    for (format, mark) in [
        ("text", "strict"),
        ("json", "\"levels\""),
        ("junit", "<testsuites"),
        ("markdown", "| Gate |"),
        ("badge", "schemaVersion"),
    ] {
        let file = folder.join(format);
        let mut words = vec!["certify", "--gate", "state", "--format", format];
        words.extend(["--output", file.to_str().expect("a plain path")]);
        let run = output(&words);
        assert_eq!(code(&run), 0, "{}", text(&run.stderr));
        assert!(run.stdout.is_empty());
        let written = std::fs::read_to_string(&file).expect("it is written");
        assert!(written.contains(mark), "{format}: {written}");
    }
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// `program` with nobody at the other end of its standard output.
fn unread(mut program: Command) -> std::process::Output {
    program.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().expect("it starts");
    drop(child.stdout.take());
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_closed_output_changes_no_verdict_and_keeps_nothing_from_being_written() {
    let folder = two_cases("closed");
    let corpus = folder.to_str().expect("a plain path");
    let file = |name: &str| folder.join(name).to_str().expect("a plain path").to_owned();
    let (second, baseline) = (file("second.json"), file("baseline.yaml"));
    let words = ["--corpus", corpus, "--output", "-", "--output", &second];
    let run = unread(program(&adapter(&words, ":", ACCEPT)));
    assert_eq!(code(&run), 1, "{}", text(&run.stderr));
    assert!(std::fs::exists(&second).expect("it can be looked for"));
    let words = ["--corpus", corpus, "--write-baseline", &baseline];
    let run = unread(program(&adapter(&words, ":", ACCEPT)));
    assert_eq!(code(&run), 0, "{}", text(&run.stderr));
    assert!(std::fs::exists(&baseline).expect("it can be looked for"));
    let lost = file("no/such/folder.json");
    let words = ["--corpus", corpus, "--output", "-", "--output", &lost];
    let run = unread(program(&adapter(&words, ":", ACCEPT)));
    assert_eq!(code(&run), 2, "{}", text(&run.stderr));
    let adapters = file("adapters");
    let run = unread(program(&[
        "certify", "--init", "python", "--output", &adapters,
    ]));
    assert_eq!(code(&run), 0, "{}", text(&run.stderr));
    assert!(std::fs::exists(folder.join("adapters/python/adapter.py")).expect("it can"));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// The adapter speaks one version: of the others nothing is said to hold.
#[test]
fn what_nobody_was_asked_is_not_judged() {
    let folder = two_cases("unasked");
    let corpus = folder.to_str().expect("a plain path");
    let said = |format: &str| {
        let run = output(&adapter(
            &["--corpus", corpus, "--format", format],
            ":",
            ACCEPT,
        ));
        text(&run.stdout)
    };
    let certificate: serde_json::Value = serde_json::from_str(&said("json")).expect("JSON");
    for row in certificate["levels"].as_array().expect("levels") {
        let is_judged = row["protocolVersion"] == "2026-07-28";
        assert_eq!(row["core"], is_judged, "{row}");
    }
    let line = "arguments  not judged  not judged  core must 0/0, should 1/2";
    assert!(said("text").contains(line), "{}", said("text"));
    let line = "| arguments | not judged | not judged | ☑️ core, must 0/0, should 1/2 |";
    assert!(said("markdown").contains(line), "{}", said("markdown"));
    assert!(said("badge").contains("\"core\""), "{}", said("badge"));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn what_an_adapter_says_commands_no_terminal() {
    let run = output(&[
        "certify",
        "--",
        "sh",
        "-c",
        "printf '\\033[31mred\\n' >&2; exit 3",
    ]);
    assert_eq!(code(&run), 3);
    let said = text(&run.stderr);
    assert!(said.contains("red") && !said.contains('\u{1b}'), "{said}");
}

/// Warnings that nobody can be told are no reason to lose a certificate.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_changes_nothing() {
    let folder = two_cases("full");
    let corpus = folder.to_str().expect("a plain path");
    let full = std::fs::File::options().write(true).open("/dev/full");
    let mut program = program(&adapter(&["--corpus", corpus], ":", ACCEPT));
    let run = program.stderr(full.expect("it is there")).output();
    let run = run.expect("it runs");
    assert_eq!(code(&run), 1);
    assert!(
        text(&run.stdout).contains("non-strict"),
        "{}",
        text(&run.stdout)
    );
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// What cannot be drawn, or waited for, is said before anything is asked.
#[rstest]
#[case::of_no_tool("--case generated/result/nobody#1-4", "is not drawn by this --seed")]
#[case::of_another_seed(
    "--case generated/result/get_report#2-4",
    "is not drawn by this --seed"
)]
#[case::beyond_any_run(
    "--case generated/result/get_report#1-18446744073709551615",
    "is not drawn by this --seed"
)]
#[case::none("--generate 0", "1..=1000000")]
#[case::too_many("--generate 1000001", "1..=1000000")]
#[case::more_processes_than_there_can_be("--jobs 257", "1..=256")]
#[case::nothing_to_save("--save-cases kept", "--save-cases is for --generate")]
#[case::tools_alone("--tools examples/tickets.json", "--tools is for --generate")]
#[case::endless_baseline("--baseline /dev/zero", "more than 16 MiB")]
#[case::no_time("--timeout 0", "seconds above 0")]
#[case::no_number("--timeout nan", "seconds above 0")]
#[case::longer_than_clocks_run("--timeout 1.8e19", "no more than a day")]
fn what_cannot_be_asked_is_a_usage_error(#[case] words: &str, #[case] said: &str) {
    let mut all = vec!["certify"];
    all.extend(words.split(' '));
    let run = output(&all);
    assert_eq!(code(&run), 2, "{}", text(&run.stderr));
    assert!(text(&run.stderr).contains(said), "{}", text(&run.stderr));
    assert!(run.stdout.is_empty());
}

/// Tools are read as the other commands read them, and what has none is named.
#[rstest]
#[case::listing("examples/tickets.json", 0, "")]
#[case::catalogue("examples/catalogue", 0, "")]
#[case::a_result_alone("expected-valid/call-tool-after-list-changed.jsonl", 0, "")]
#[case::none("examples/none.json", 2, "examples/none.json: cannot be read")]
#[case::no_document("Cargo.lock", 2, "Cargo.lock: 1:1: unexpected")]
fn tools_come_from_any_document(#[case] path: &str, #[case] exit: i32, #[case] said: &str) {
    let run = output(&[
        "certify",
        "--generate",
        "4",
        "--gate",
        "arguments",
        "--tools",
        path,
    ]);
    assert_eq!(code(&run), exit, "{}", text(&run.stderr));
    assert!(text(&run.stderr).contains(said), "{}", text(&run.stderr));
    assert_eq!(text(&run.stdout).contains("4 cases: 4 pass"), exit == 0);
}
