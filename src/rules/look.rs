//! Lets a rule look at what it is about.

use super::catalogue::{Check, Rule};
use super::context::{Context, TextView};
use crate::diagnostic::Finding;
use crate::document::Role;
use crate::protocol::{ProtocolVersion, VersionSet};

/// Lets a rule look at each subject of its surface that is in scope.
pub(super) fn look(
    rule: &Rule,
    context: &Context<'_>,
    text: &TextView<'_>,
    findings: &mut Vec<Finding>,
) {
    fn in_scope<S>(
        subjects: &[S],
        versions: fn(&S) -> VersionSet,
        version: ProtocolVersion,
    ) -> impl Iterator<Item = &S> {
        let keep = move |subject: &&S| versions(subject).contains(version);
        subjects.iter().filter(keep)
    }
    let subjects = context.subjects;
    let version = context.version;
    match rule.check {
        Check::Text(check) => check(text, findings),
        Check::Message(check) => in_scope(&subjects.messages, |s| s.versions, version)
            .for_each(|message| check(context, message, findings)),
        Check::Listing(check) => in_scope(&subjects.listings, |s| s.versions, version)
            .for_each(|listing| check(context, listing, findings)),
        Check::Tool(check) => in_scope(context.tools, |s| s.tool.versions, version)
            .filter(|view| match view.tool.role {
                Role::Tool => true,
                Role::Contract => rule.judges_contracts(),
                Role::Consulted => false,
            })
            .for_each(|tool| check(context, tool, findings)),
        Check::Call(check) => in_scope(&subjects.calls, |s| s.versions, version)
            .for_each(|call| check(context, call, findings)),
        Check::Result(check) => in_scope(&subjects.results, |s| s.versions, version)
            .for_each(|result| check(context, result, findings)),
        Check::Description(check) => {
            if let Some(description) = &subjects.description {
                check(context, description, findings);
            }
        }
        // These documents are about schemas, and judged on every version alike.
        Check::SchemaFile(check) => {
            let file = subjects.schema_file.iter();
            file.for_each(|file| check(context, file, findings));
        }
        Check::Samples(check) => {
            let samples = subjects.samples.iter();
            samples.for_each(|samples| check(context, samples, findings));
        }
        Check::Recorded(check) => {
            let recorded = subjects.recorded.iter();
            recorded.for_each(|recorded| check(context, recorded, findings));
        }
        Check::ModelCall(check) => {
            let calls = subjects.conversation.iter().flat_map(|it| &it.calls);
            calls.for_each(|call| check(context, call, findings));
        }
        Check::ModelResult(check) => {
            let results = subjects.conversation.iter().flat_map(|it| &it.results);
            results.for_each(|result| check(context, result, findings));
        }
    }
}
