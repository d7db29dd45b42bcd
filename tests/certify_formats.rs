//! What the formats of a certificate show.

#[path = "support/certify.rs"]
mod certifying;
mod support;

use certifying::{corpus, run};
use mcp_conform::certify::{
    About, Baseline, Builtin, Certificate, Implementation, Outcome, Plan, Request, Selection,
    Smaller, Verdict,
};
use mcp_conform::report::{CertificateFormat, write_certificate};
use serde_json::json;

#[test]
fn every_format_shows_the_reduced_payload_beside_the_original() {
    let corpus = corpus();
    let id = "result/search-tickets#structured_bad_enum";
    let selection = Selection {
        cases: vec![id.into()],
        ..Selection::default()
    };
    let plan = Plan::new(&corpus, &selection);
    let run = run(&plan, &|| Accepting(Builtin::default()));
    let (all, none) = (Selection::default(), Baseline::default());
    let mut certificate = Certificate::new(&run, &corpus.identity, &all, &none, "");
    let case = certificate.cases.iter_mut().find(|case| case.id == id);
    let case = case.expect("the case");
    assert_eq!(case.verdict, Verdict::NonStrict);
    case.shrunk = Some(Smaller {
        payload: json!([{"status": "smallest_of_all"}]),
        sent: json!({"op": "run", "result": "[{\"status\": \"smallest_of_all\"}]"}),
        tries: 12,
    });
    for format in [
        CertificateFormat::Text,
        CertificateFormat::Json,
        CertificateFormat::Junit,
        CertificateFormat::Markdown,
        CertificateFormat::Html,
    ] {
        let mut out = Vec::new();
        write_certificate(&certificate, format, &mut out).expect("it can be written");
        let text = String::from_utf8(out).expect("it is text");
        assert!(text.contains("smallest_of_all"), "{format:?}");
        assert!(text.contains("search_tickets"), "{format:?}: the original");
    }
}

/// Accepts everything.
struct Accepting(Builtin);

impl Implementation for Accepting {
    fn about(&self) -> &About {
        self.0.about()
    }

    fn run(&mut self, _: &Request) -> Outcome {
        Outcome::accept()
    }
}
