//! A mutant: our own gates with one small change, and the marks by which the corpus must know it.

use mcp_conform::certify::{About, Builtin, Implementation, Outcome, Request, Verdict};
use mcp_conform::corpus::{Case, Expectation, GateName};

/// How a mutant answers: it may ask the gates that it stands on anything, any number of times.
pub type Behaviour = Box<dyn FnMut(&Request, &mut dyn Implementation) -> Outcome>;

/// One small change on top of [`Builtin`].
pub struct Mutant {
    /// Its name: what it does, as a clause with hyphens.
    pub name: String,
    /// What it does wrong, as a clause.
    pub fault: String,
    /// What at least one of the cases that catch it must look like.
    pub sign: Sign,
    /// A suite that must not notice it.
    pub spares: &'static str,
    /// Whether it is wrong about so much that no bound on its failures says anything.
    pub broad: bool,
    /// Why generated cases cannot find it, where they cannot.
    pub beyond_generation: Option<&'static str>,
    start: Box<dyn Fn() -> Behaviour + Send + Sync>,
}

/// The right reason for which a mutant fails.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// The gate.
    pub gate: GateName,
    /// What the wrong answer is worth.
    pub verdict: Verdict,
    /// What the case is about.
    pub about: Matter,
}

/// What a case is about.
#[derive(Clone, Copy, Debug)]
pub enum Matter {
    /// A rule that it is rejected for, or accepted beside.
    Rule(&'static str),
    /// A keyword that it is to be rejected by, or was rejected by.
    Keyword(&'static str),
    /// What its suite is about.
    Suite(&'static str),
}

impl Mutant {
    /// A mutant without memory.
    pub fn new<F>(name: impl Into<String>, fault: impl Into<String>, answer: F) -> Self
    where
        F: Fn(&Request, &mut dyn Implementation) -> Outcome + Clone + Send + Sync + 'static,
    {
        Self::remembering(name, fault, move || Box::new(answer.clone()))
    }

    /// A mutant whose answers depend on what it was asked before.
    pub fn remembering(
        name: impl Into<String>,
        fault: impl Into<String>,
        start: impl Fn() -> Behaviour + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            fault: fault.into(),
            sign: Sign {
                gate: GateName::Result,
                verdict: Verdict::NonStrict,
                about: Matter::Suite(""),
            },
            spares: "result/content-blocks",
            broad: false,
            beyond_generation: None,
            start: Box::new(start),
        }
    }

    /// Says by what it must be known.
    #[must_use]
    pub fn known_by(mut self, gate: GateName, verdict: Verdict, about: Matter) -> Self {
        self.sign = Sign {
            gate,
            verdict,
            about,
        };
        self
    }

    /// Names the suite that must not notice it.
    #[must_use]
    pub fn sparing(mut self, suite: &'static str) -> Self {
        self.spares = suite;
        self
    }

    /// Says that it is wrong about a large part of the corpus.
    #[must_use]
    pub fn broad(mut self) -> Self {
        self.broad = true;
        self
    }

    /// Says why generated cases cannot find it.
    #[must_use]
    pub fn ungenerated(mut self, why: &'static str) -> Self {
        self.beyond_generation = Some(why);
        self
    }

    /// Its behaviour, without any memory yet.
    pub fn start(&self) -> Behaviour {
        (self.start)()
    }
}

impl Sign {
    /// Whether a case that came to `verdict` is one that the mutant must be known by.
    pub fn is_borne_by(
        &self,
        case: &Case,
        expected: &Expectation,
        outcome: &Outcome,
        verdict: Verdict,
    ) -> bool {
        let about = match self.about {
            Matter::Rule(rule) => expected.because.contains(&rule) || case.guards.contains(&rule),
            Matter::Keyword(keyword) => [&expected.keyword, &outcome.keyword]
                .iter()
                .any(|one| one.as_deref() == Some(keyword)),
            Matter::Suite(suite) => case.id.starts_with(&format!("{suite}#")),
        };
        about && case.gate == self.gate && verdict == self.verdict
    }
}

/// A mutant at work, as an implementation that can be certified.
pub struct Faulty {
    inner: Builtin,
    behaviour: Behaviour,
}

impl Faulty {
    /// The mutant without any memory yet.
    pub fn new(mutant: &Mutant) -> Self {
        Self {
            inner: Builtin::default(),
            behaviour: mutant.start(),
        }
    }
}

impl Implementation for Faulty {
    fn about(&self) -> &About {
        self.inner.about()
    }

    fn run(&mut self, request: &Request) -> Outcome {
        (self.behaviour)(request, &mut self.inner)
    }
}
