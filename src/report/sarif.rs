//! SARIF 2.1.0, for code scanning: the rules that found something, one result a diagnostic, every
//! document as an artifact with its verdicts.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde_json::{Value, json};
use serde_sarif::sarif::{
    Artifact, ArtifactLocation, Invocation, Location, LogicalLocation, Message,
    MultiformatMessageString, Notification, PhysicalLocation, PropertyBag, Region,
    ReportingConfiguration, ReportingDescriptor, Result as Finding, ResultLevel, Run, Sarif, Tool,
    ToolComponent,
};

use super::uri::uri;
use super::{DocumentReport, Report};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Rule, find};
use crate::source::Pointer;

/// The schema that OASIS publishes with the specification.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let sarif = Sarif::builder()
        .schema(SCHEMA)
        .version("2.1.0")
        .runs(vec![run(report)])
        .build();
    serde_json::to_writer_pretty(&mut *out, &sarif)?;
    writeln!(out)
}

fn run(report: &Report) -> Run {
    let found = report
        .documents
        .iter()
        .flat_map(|document| &document.checked.diagnostics);
    let ids: BTreeSet<&str> = found.map(|diagnostic| diagnostic.rule).collect();
    let numbers: BTreeMap<&str, i64> = ids.iter().copied().zip(0..).collect();
    let descriptors: Vec<_> = ids
        .iter()
        .map(|id| match find(id) {
            Some(rule) => descriptor(rule),
            None => ReportingDescriptor::builder().id(*id).build(),
        })
        .collect();
    let driver = ToolComponent::builder()
        .name("mcp-conform")
        .full_name(concat!("mcp-conform ", env!("CARGO_PKG_VERSION")))
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(descriptors)
        .build();
    let documents = report.documents.iter().zip(0..);
    let results = documents.flat_map(|(document, index)| results(document, index, &numbers));
    let artifacts = report.documents.iter().map(artifact);
    Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation(report)])
        .artifacts(artifacts.collect::<Vec<_>>())
        .results(results.collect::<Vec<_>>())
        .column_kind("unicodeCodePoints")
        .build()
}

/// What the catalogue says of a rule, where a reader of results looks for it.
fn descriptor(rule: &Rule) -> ReportingDescriptor {
    let worst = rule.severity.into_iter().flatten().max();
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    ReportingDescriptor::builder()
        .id(rule.id)
        .short_description(text(rule.title))
        .full_description(text(rule.requirement))
        .help(
            MultiformatMessageString::builder()
                .text(rule.help)
                .markdown(format!("{}\n\n{}", rule.help, rule.details.trim_end()))
                .build(),
        )
        .default_configuration(
            ReportingConfiguration::builder()
                .level(worst.unwrap_or(Severity::Warning).as_str())
                .build(),
        )
        .properties(
            PropertyBag::builder()
                .tags(vec![rule.owner.to_string(), rule.nature.to_string()])
                .build(),
        )
        .build()
}

/// The run itself; documents that could not be read are its failures, not results.
fn invocation(report: &Report) -> Invocation {
    let documents = report.documents.iter().zip(0..);
    let notifications: Vec<_> = documents
        .filter_map(|(document, index)| {
            let reason = document.unreadable.as_deref()?;
            let notification = Notification::builder()
                .level("error")
                .message(message(reason))
                .locations(vec![location(document, index, None)]);
            Some(notification.build())
        })
        .collect();
    Invocation::builder()
        .execution_successful(notifications.is_empty())
        .tool_execution_notifications(notifications)
        .build()
}

fn artifact(document: &DocumentReport) -> Artifact {
    let checked = &document.checked;
    let verdicts: BTreeMap<_, _> = document
        .verdicts()
        .map(|(version, verdict)| (version.as_str(), verdict))
        .collect();
    let omitted = Some(checked.omitted).filter(|omitted| *omitted > 0);
    Artifact::builder()
        .location(ArtifactLocation::builder().uri(uri(&document.path)).build())
        .roles(vec![json!("analysisTarget")])
        .properties(bag([
            ("kind", document.kind.map(Value::from)),
            ("verdict", Some(json!(document.verdict()))),
            ("verdicts", Some(json!(verdicts))),
            ("tools", Some(json!(checked.tools))),
            ("typedOutput", Some(json!(checked.typed_output))),
            ("omitted", omitted.map(Value::from)),
        ]))
        .build()
}

fn results(document: &DocumentReport, index: i64, rules: &BTreeMap<&str, i64>) -> Vec<Finding> {
    let diagnostics = &document.checked.diagnostics;
    let ends: Vec<_> = diagnostics.iter().map(|found| found.span.end).collect();
    let ends = document
        .source
        .as_ref()
        .map(|source| source.positions(&ends));
    let result = |(place, diagnostic): (usize, &Diagnostic)| {
        // Viewers hide properties, and without its versions a message can look wrong.
        let text = match document.narrower_scope(diagnostic) {
            Some(versions) => format!("{} (on {versions})", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        let end = ends.as_ref().map(|ends| ends[place]);
        let mut location = location(document, index, Some(region(diagnostic, end)));
        if !diagnostic.pointer.is_root() {
            let name = diagnostic.pointer.as_str();
            let logical = LogicalLocation::builder()
                .fully_qualified_name(name)
                .build();
            location.logical_locations = Some(vec![logical]);
        }
        let mut result = Finding::builder()
            .rule_id(diagnostic.rule)
            .level(match diagnostic.severity {
                Severity::Error => ResultLevel::Error,
                Severity::Warning => ResultLevel::Warning,
            })
            .message(message(&text))
            .locations(vec![location])
            .properties(properties(diagnostic))
            .build();
        result.rule_index = rules.get(diagnostic.rule).copied();
        result
    };
    diagnostics.iter().enumerate().map(result).collect()
}

fn properties(diagnostic: &Diagnostic) -> PropertyBag {
    let schema_pointer = diagnostic.schema_pointer.as_ref().map(Pointer::as_str);
    bag([
        ("protocolVersions", Some(json!(diagnostic.versions.names()))),
        ("pointer", Some(json!(diagnostic.pointer.as_str()))),
        ("keyword", diagnostic.keyword.as_deref().map(Value::from)),
        ("schemaPointer", schema_pointer.map(Value::from)),
    ])
}

/// A place in the document that is number `index` of the run's artifacts.
fn location(document: &DocumentReport, index: i64, region: Option<Region>) -> Location {
    let artifact = ArtifactLocation::builder()
        .uri(uri(&document.path))
        .index(index)
        .build();
    let mut place = PhysicalLocation::builder()
        .artifact_location(artifact)
        .build();
    place.region = region;
    Location::builder().physical_location(place).build()
}

fn region(diagnostic: &Diagnostic, end: Option<(usize, usize)>) -> Region {
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let mut region = Region::builder()
        .start_line(number(diagnostic.line))
        .start_column(number(diagnostic.column))
        .build();
    region.end_line = end.map(|(line, _)| number(line));
    region.end_column = end.map(|(_, column)| number(column));
    region
}

fn message(text: &str) -> Message {
    Message::builder().text(text).build()
}

/// A property bag of the members that have a value.
fn bag<const N: usize>(members: [(&str, Option<Value>); N]) -> PropertyBag {
    let members = members.into_iter();
    let present = members.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    PropertyBag::builder()
        .additional_properties(present.collect::<BTreeMap<_, _>>())
        .build()
}

#[cfg(test)]
mod tests {
    use super::descriptor;
    use crate::diagnostic::Severity;
    use crate::rules::{Check, Enforcement, Examples, Level, Nature, Owner, Rule, Status, Surface};

    #[test]
    fn a_rule_is_described_at_its_worst() {
        let rule = Rule {
            id: "mcp.result.example",
            title: "The result is an example",
            owner: Owner::Mcp,
            profile: None,
            surface: Surface::Result,
            path: "/result",
            nature: Nature::Structural,
            level: [None, None, None, None, Some(Level::Must)],
            status: Status::Settled,
            enforcement: Enforcement::Internal,
            severity: [
                None,
                None,
                Some(Severity::Warning),
                Some(Severity::Error),
                None,
            ],
            gate: None,
            requirement: "A result is an example.",
            help: "Return an example.",
            details: "Examples teach.\n",
            required_by: &[],
            based_on: &[],
            arbitrations: &[],
            examples: Examples {
                valid: &[],
                invalid: &[],
                not_applicable: &[],
            },
            check: Check::Text(|_, _| {}),
        };
        let json = serde_json::to_value(descriptor(&rule)).expect("a descriptor is JSON");
        assert_eq!(
            json,
            serde_json::json!({
                "id": "mcp.result.example",
                "shortDescription": {"text": "The result is an example"},
                "fullDescription": {"text": "A result is an example."},
                "help": {
                    "text": "Return an example.",
                    "markdown": "Return an example.\n\nExamples teach.",
                },
                "defaultConfiguration": {"level": "error"},
                "properties": {"tags": ["mcp", "structural"]},
            })
        );
    }
}
