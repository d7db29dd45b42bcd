//! How a run goes: workers, sequences, interrupts, and implementations that break.

#[path = "support/certify.rs"]
mod certifying;
mod support;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use certifying::{certificate, corpus, run};
use mcp_conform::certify::{
    About, Builtin, Implementation, Judged, Launch, NotStarted, Observer, Options, Outcome, Plan,
    Request, Run, Selection, Verdict, certify,
};
use mcp_conform::corpus::Level;
use mcp_conform::protocol::ProtocolVersion;

#[test]
fn workers_share_the_cases_and_judge_each_once() {
    let corpus = corpus();
    let selection = Selection {
        gates: vec!["result".to_owned()],
        level: Some(Level::Must),
        ..Selection::default()
    };
    let plan = Plan::new(&corpus, &selection);
    let options = Options {
        jobs: 3,
        deadline: Duration::from_secs(5),
        interrupt: &AtomicBool::new(false),
        observer: &(),
    };
    let many = certify(&plan, &Builtin::default, &options).expect("it starts");
    let one = run(&plan, &Builtin::default);
    let ids = |run: &Run<'_>| {
        let judged = run.judged.iter();
        judged
            .map(|j| (j.asked.case.id.clone(), j.asked.version, j.verdict))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&many), ids(&one));
    assert!(many.complete);
}

/// An implementation that writes down what it is asked and accepts it.
struct Recorder {
    about: About,
    asked: Rc<RefCell<Vec<String>>>,
}

impl Implementation for Recorder {
    fn about(&self) -> &About {
        &self.about
    }

    fn run(&mut self, request: &Request) -> Outcome {
        self.asked.borrow_mut().push(request.message());
        Outcome::accept()
    }
}

thread_local! {
    static ASKED: Rc<RefCell<Vec<String>>> = Rc::default();
}

fn recorder() -> Recorder {
    Recorder {
        about: Builtin::default().about().clone(),
        asked: ASKED.with(Rc::clone),
    }
}

#[test]
fn a_case_of_a_sequence_is_asked_after_those_before_it() {
    let corpus = corpus();
    let suite = corpus
        .suites
        .iter()
        .find(|suite| suite.sequence)
        .expect("there is a sequence");
    let selection = Selection {
        cases: vec![suite.cases[2].id.clone()],
        versions: Some(ProtocolVersion::V2026_07_28.into()),
        ..Selection::default()
    };
    let plan = Plan::new(&corpus, &selection);
    let run = run(&plan, &recorder);
    assert_eq!(ASKED.with(|asked| asked.borrow().len()), 3);
    let judged: Vec<_> = run
        .judged
        .iter()
        .map(|judged| &judged.asked.case.id)
        .collect();
    assert_eq!(judged, [&suite.cases[2].id]);
}

/// Wants an end after so many cases.
struct Impatient<'a> {
    left: std::sync::atomic::AtomicUsize,
    interrupt: &'a AtomicBool,
}

impl Observer for Impatient<'_> {
    fn judged(&self, _: &Judged<'_>) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn an_interrupted_run_keeps_what_was_judged_and_claims_nothing() {
    let corpus = corpus();
    let selection = Selection {
        gates: vec!["arguments".into()],
        ..Selection::default()
    };
    let plan = Plan::new(&corpus, &selection);
    let interrupt = AtomicBool::new(false);
    let observer = Impatient {
        left: 5.into(),
        interrupt: &interrupt,
    };
    let options = Options {
        jobs: 1,
        deadline: Duration::from_secs(5),
        interrupt: &interrupt,
        observer: &observer,
    };
    let run = certify(&plan, &Builtin::default, &options).expect("it starts");
    assert_eq!((run.judged.len(), run.complete), (5, false));
    let certificate = certificate(&run, &corpus);
    assert!(
        certificate
            .levels
            .iter()
            .all(|row| !row.core && !row.strict)
    );
}

struct Panicking(About);

impl Implementation for Panicking {
    fn about(&self) -> &About {
        &self.0
    }

    fn run(&mut self, _: &Request) -> Outcome {
        panic!("as some do")
    }
}

#[test]
fn an_implementation_that_panics_is_errored() {
    let corpus = corpus();
    let selection = Selection {
        cases: vec!["audit/records#complete_2026".into()],
        ..Selection::default()
    };
    let plan = Plan::new(&corpus, &selection);
    let run = run(&plan, &|| Panicking(Builtin::default().about().clone()));
    assert_eq!(run.judged[0].verdict, Verdict::Errored);
}

struct Never;

impl Launch for Never {
    fn launch(&self) -> Result<Box<dyn Implementation>, NotStarted> {
        Err(NotStarted {
            detail: "there is none".to_owned(),
            stderr: String::new(),
        })
    }
}

#[test]
fn what_cannot_be_started_is_no_verdict() {
    let corpus = corpus();
    let plan = Plan::new(&corpus, &Selection::default());
    let options = Options {
        jobs: 1,
        deadline: Duration::from_secs(5),
        interrupt: &AtomicBool::new(false),
        observer: &(),
    };
    assert!(certify(&plan, &Never, &options).is_err());
}
