//! The smoke pair: whoever answers everything alike is told so after two questions.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use mcp_conform::certify::{
    About, Answer, Builtin, Implementation, Judged, Observer, Options, Outcome, Plan, Request,
    Selection, Smoke, certify,
};
use mcp_conform::gate::RejectionReason;

use crate::CORPUS;

#[path = "../support/certify.rs"]
mod certifying;

/// Answers everything alike.
struct Alike {
    inner: Builtin,
    answer: Outcome,
}

impl Implementation for Alike {
    fn about(&self) -> &About {
        self.inner.about()
    }

    fn run(&mut self, _: &Request) -> Outcome {
        self.answer.clone()
    }
}

/// Keeps what it is told, and after how many cases.
#[derive(Default)]
struct Told {
    judged: AtomicUsize,
    alike: Mutex<Vec<(Answer, usize)>>,
}

impl Observer for Told {
    fn judged(&self, _: &Judged<'_>) {
        self.judged.fetch_add(1, Ordering::Relaxed);
    }

    fn answered_alike(&self, answer: Answer) {
        let after = self.judged.load(Ordering::Relaxed);
        self.alike
            .lock()
            .expect("no holder panics")
            .push((answer, after));
    }
}

#[test]
fn whoever_answers_everything_alike_is_told_so() {
    for (answer, smoke) in [
        (Outcome::accept(), Smoke::AcceptsAll),
        (Outcome::reject(RejectionReason::Other), Smoke::RejectsAll),
    ] {
        let told = Told::default();
        let options = Options {
            jobs: 1,
            deadline: Duration::from_secs(5),
            interrupt: &AtomicBool::new(false),
            observer: &told,
        };
        let selection = Selection {
            gates: vec!["result".to_owned(), "arguments".to_owned()],
            ..Selection::default()
        };
        let plan = Plan::new(&CORPUS, &selection);
        let launch = || Alike {
            inner: Builtin::default(),
            answer: answer.clone(),
        };
        let run = certify(&plan, &launch, &options).expect("it starts");
        let alike = told.alike.into_inner().expect("no holder panics");
        assert_eq!(alike, [(answer.answer, 2)], "after two cases, once");
        let certificate = certifying::certificate(&run, &CORPUS);
        assert_eq!(certificate.smoke, Some(smoke));
    }
}

#[test]
fn our_own_gates_are_not_told_so() {
    let selection = Selection {
        gates: vec!["arguments".to_owned()],
        ..Selection::default()
    };
    let plan = Plan::new(&CORPUS, &selection);
    let run = certifying::run(&plan, &Builtin::default);
    assert_eq!(certifying::certificate(&run, &CORPUS).smoke, None);
}
