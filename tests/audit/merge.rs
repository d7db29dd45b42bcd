//! Reports of parts add up to the report of the whole.

use std::sync::atomic::AtomicBool;

use mcp_conform::audit::{Audit, Options, Report};
use proptest::prelude::*;

use crate::logs::tools;

/// Lines of every sort: verdicts, tools, servers, damage, and sessions that end where they start.
fn line() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![
        r#"{"status":"open"}"#,
        r#"{"status":"lost"}"#,
        r#"{"status":1,"status":2,"x":3}"#,
        r#"{"result":{"status":"open"}}"#,
        "[1]",
        "null",
    ]);
    let tool = prop::sample::select(vec![
        "search_tickets",
        "list_queues",
        "close_ticket",
        "read_page",
        "lost",
    ]);
    let server = prop::sample::select(vec!["", r#""server":"desk","#, r#""server":"mail","#]);
    let protocol = prop::sample::select(vec!["", r#""protocol":"2025-11-25","#, r#""record":{},"#]);
    let record = (value, tool, server, protocol, any::<bool>()).prop_map(
        |(value, tool, server, protocol, error)| {
            let error = if error { r#","isError":true"# } else { "" };
            format!(r#"{{"tool":"{tool}",{server}{protocol}"result":{{"structuredContent":{value}{error}}}}}"#)
        },
    );
    let other = prop::sample::select(vec![
        "{".to_owned(),
        "1e999".to_owned(),
        "[]".to_owned(),
        String::new(),
        r#"[{"id":1,"method":"tools/call","params":{"name":"search_tickets"}},{"id":1,"result":{"structuredContent":{}}}]"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
    ]);
    prop_oneof![4 => record, 1 => other]
}

fn report(logs: &[(&str, &[String])], options: &Options) -> Report {
    let (tools, interrupt) = (tools(), AtomicBool::new(false));
    let mut audit = Audit::new(&tools, options.clone(), &interrupt);
    for (name, lines) in logs {
        audit
            .log(name, lines.join("\n").as_bytes(), |_| Ok(()))
            .expect("a slice can be read");
    }
    audit.report()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_reports_of_parts_add_up(
        lines in prop::collection::vec(line(), 0..80),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        examples in 0_usize..4, threads in 1_usize..4,
    ) {
        let mut options = Options { examples, ..Options::default() };
        options.stream.threads = threads;
        options.stream.window = 512;
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(lines.len() + 1)).collect();
        cuts.push(lines.len());
        cuts.sort_unstable();
        let names = ["a", "b", "c", "d", "e"];
        let mut start = 0;
        let mut parts = Vec::new();
        for (name, end) in names.into_iter().zip(cuts) {
            parts.push((name, &lines[start..end]));
            start = end;
        }
        let whole = report(&parts, &options);
        let reports: Vec<_> = parts.iter().map(|part| report(&[*part], &options)).collect();
        // They are read back from the text that was written.
        let text = serde_json::to_string(&reports).expect("JSON");
        let reports: Vec<Report> = serde_json::from_str(&text).expect("reports");
        prop_assert_eq!(Report::merge(&reports, examples), Ok(whole.clone()));
        let (left, right) = reports.split_at(reports.len() / 2);
        let halves = [left, right].map(|part| Report::merge(part, examples).expect("reports"));
        prop_assert_eq!(Report::merge(&halves, examples), Ok(whole.clone()));
        prop_assert_eq!(whole.records, whole.fits + whole.does_not_fit + whole.not_judged + whole.damaged);
        let branches: u64 = whole.branches.each().iter().map(|(_, counts)| counts.records).sum();
        prop_assert_eq!(branches + whole.damaged, whole.records);
    }
}

#[test]
fn what_is_no_report_of_an_audit_is_not_merged() {
    let options = Options {
        examples: 1,
        ..Options::default()
    };
    let mut one = report(&[("a", &["{".to_owned()])], &options);
    one.counts[0].rule = Some("json.sintax".to_owned());
    let merged = Report::merge(&[one], 1);
    assert_eq!(
        merged,
        Err("no rule of the audit is called \"json.sintax\"".to_owned())
    );
    assert!(serde_json::from_str::<Report>("{\"complete\":true}").is_err());
}

#[test]
fn the_sum_is_as_incomplete_as_its_parts() {
    let options = Options::default();
    let whole = report(&[("a", &[])], &options);
    let part = Report {
        complete: false,
        ..whole.clone()
    };
    assert!(!Report::merge(&[whole, part], 3).expect("reports").complete);
}

#[test]
fn names_that_a_log_makes_up_do_not_fill_the_memory() {
    let line = |n: usize| format!(r#"{{"tool":"made_up_{n}","server":"s{n}","result":{{}}}}"#);
    let lines: Vec<_> = (0..30_000).map(line).collect();
    let report = report(&[("a", &lines)], &Options::default());
    assert_eq!(report.not_judged, 30_000);
    assert!(
        report.tools.len() + report.servers.len() <= 10_010,
        "{}",
        report.tools.len()
    );
    assert!(report.tools["…"].records >= 20_000);
}
