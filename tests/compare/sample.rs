//! Certificates of three small implementations over five cases.

use std::sync::OnceLock;

use mcp_conform::certify::{
    About, Baseline, Builtin, Certificate, Implementation, Outcome, Plan, Request, Selection,
};
use mcp_conform::corpus::{Corpus, GateName};
use mcp_conform::gate::RejectionReason;

use crate::certifying::{corpus, run};

/// A should of one version.
pub const ENUM: &str = "result/search-tickets#structured_bad_enum";
/// A must of two versions.
pub const ID: &str = "definition/identifiers#colon_first";
/// The specification is silent, on three versions.
pub const SILENT: &str = "arguments/dialects#https_without_hash_fits";
/// What only HTTP knows, on one version.
pub const HEADER: &str = "arguments/annotations#header_annotation";
/// What nobody here gets wrong, on three versions.
pub const FITS: &str = "arguments/find-ticket#by_id";

/// The gates of this project under another name, but for one change of what they answer.
struct Changed {
    builtin: Builtin,
    about: About,
    change: fn(&Request, Outcome) -> Outcome,
}

impl Implementation for Changed {
    fn about(&self) -> &About {
        &self.about
    }

    fn run(&mut self, request: &Request) -> Outcome {
        let outcome = self.builtin.run(request);
        (self.change)(request, outcome)
    }
}

/// The certificate of an implementation over the five cases.
pub fn certificate(
    name: &str,
    version: &str,
    config: Option<&str>,
    change: fn(&Request, Outcome) -> Outcome,
) -> Certificate {
    // Reading the corpus takes longer than asking five cases.
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    let corpus = CORPUS.get_or_init(corpus);
    let selection = Selection {
        cases: [ENUM, ID, SILENT, HEADER, FITS].map(str::to_owned).to_vec(),
        ..Selection::default()
    };
    let plan = Plan::new(corpus, &selection);
    let launch = || {
        let builtin = Builtin::default();
        let about = About {
            name: name.to_owned(),
            version: version.to_owned(),
            language: "Rust".to_owned(),
            config: config.map(str::to_owned),
            ..builtin.about().clone()
        };
        Changed {
            builtin,
            about,
            change,
        }
    };
    let run = run(&plan, &launch);
    let (all, none) = (Selection::default(), Baseline::default());
    let rerun = format!(" -- ./{name}");
    let mut certificate = Certificate::new(&run, &corpus.identity, &all, &none, &rerun);
    // What changes with the day and the corpus.
    certificate.date = String::from("2026-11-30");
    certificate.suite.sha256 = "5ea1".repeat(16);
    certificate
}

/// Our own gates: nothing diverges.
pub fn faithful() -> Certificate {
    certificate("faithful", "1.0.0", None, |_, outcome| outcome)
}

/// Looks at no enum and at no `$id`, and reads no URI of a dialect but the official one.
pub fn loose() -> Certificate {
    certificate("loose", "0.3.1", Some("defaults"), |request, outcome| {
        let tool = request.field("tool");
        match outcome.keyword.as_deref() {
            Some("enum" | "$id") => Outcome::accept(),
            _ if tool.contains("\"https://json-schema.org/draft-07/schema\"") => {
                Outcome::reject(RejectionReason::DialectUnsupported)
            }
            _ => outcome,
        }
    })
}

/// Speaks no HTTP, gives wrong reasons for definitions, and breaks on results.
pub fn timid() -> Certificate {
    certificate("timid", "2.0.0", None, |request, outcome| {
        match request.gate {
            GateName::Result => Outcome::error("the socket | was <closed> by @peer"),
            GateName::Definition if outcome.reason.is_some() => {
                Outcome::reject(RejectionReason::LimitExceeded)
            }
            _ if request.field("tool").contains("x-mcp-header") => {
                Outcome::skip("this client speaks stdio")
            }
            _ => outcome,
        }
    })
}
