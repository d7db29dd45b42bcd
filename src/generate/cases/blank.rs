//! What generated cases have in common.

use crate::corpus::{Case, Expectation, Expected, GateName, Input, Level, Text};
use crate::protocol::ProtocolVersion;

/// What a case is besides its input and expectation.
pub(super) struct Blank {
    pub(super) id: String,
    pub(super) neighbour: String,
    pub(super) tool: Text,
}

impl Blank {
    pub(super) fn case(
        self,
        gate: GateName,
        input: Input,
        version: ProtocolVersion,
        expectation: Expectation,
        description: String,
    ) -> Case {
        let rejects = expectation.answer == Expected::Reject;
        let mut expect = [const { None }; 5];
        expect[version.index()] = Some(expectation);
        Case {
            id: self.id,
            gate,
            input,
            expect,
            source: vec!["generated from the tool's schema".to_owned()],
            description: Some(description),
            note: None,
            neighbour: rejects.then_some(self.neighbour),
            guards: Vec::new(),
        }
    }
}

/// What is to be accepted, as a should.
pub(super) fn accept() -> Expectation {
    Expectation {
        answer: Expected::Accept,
        level: Level::Should,
        because: Vec::new(),
        keyword: None,
        at: None,
        usable: None,
        branch: None,
        hostile: false,
    }
}

/// What is to be rejected for `rules`.
pub(super) fn reject(level: Level, because: Vec<&'static str>) -> Expectation {
    Expectation {
        answer: Expected::Reject,
        level,
        because,
        ..accept()
    }
}
