//! SARIF 2.1.0, for code scanning: the rules that found something, one result a diagnostic, every
//! document as an artifact with its verdicts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};
use serde_sarif::sarif::{
    Artifact, ArtifactLocation, Invocation, Location, LogicalLocation, Message,
    MultiformatMessageString, Notification, PhysicalLocation, PropertyBag, Region,
    ReportingConfiguration, ReportingDescriptor, Result as Finding, ResultLevel, Run, Sarif, Tool,
    ToolComponent,
};

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
    let found = report.documents.iter().flat_map(|document| &document.checked.diagnostics);
    let ids: BTreeSet<&str> = found.map(|diagnostic| diagnostic.rule).collect();
    let index: BTreeMap<&str, usize> = ids.iter().copied().zip(0..).collect();
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
    let results = documents
        .clone()
        .flat_map(|(document, place)| results(document, place, &index))
        .collect::<Vec<_>>();
    Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation(report)])
        .artifacts(documents.map(|(document, _)| artifact(document)).collect::<Vec<_>>())
        .results(results)
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
    let unreadable = report.documents.iter().zip(0..).filter_map(|(document, place)| {
        let reason = document.unreadable.as_deref()?;
        let physical = PhysicalLocation::builder()
            .artifact_location(artifact_location(document, Some(place)))
            .build();
        Some(
            Notification::builder()
                .level("error")
                .message(message(reason))
                .locations(vec![Location::builder().physical_location(physical).build()])
                .build(),
        )
    });
    let notifications: Vec<_> = unreadable.collect();
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
    let mut properties = BTreeMap::from([
        ("verdict".to_owned(), json!(document.verdict())),
        ("verdicts".to_owned(), json!(verdicts)),
        ("tools".to_owned(), json!(checked.tools)),
        ("typedOutput".to_owned(), json!(checked.typed_output)),
    ]);
    if let Some(kind) = document.kind {
        properties.insert("kind".to_owned(), json!(kind));
    }
    if checked.omitted > 0 {
        properties.insert("omitted".to_owned(), json!(checked.omitted));
    }
    Artifact::builder()
        .location(artifact_location(document, None))
        .roles(vec![json!("analysisTarget")])
        .properties(PropertyBag::builder().additional_properties(properties).build())
        .build()
}

fn results(
    document: &DocumentReport,
    place: i64,
    rules: &BTreeMap<&str, usize>,
) -> Vec<Finding> {
    let diagnostics = &document.checked.diagnostics;
    let ends: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.span.end).collect();
    let ends = match &document.source {
        Some(source) => source.positions(&ends),
        None => Vec::new(),
    };
    diagnostics
        .iter()
        .enumerate()
        .map(|(index, diagnostic)| {
            let physical = PhysicalLocation::builder()
                .artifact_location(artifact_location(document, Some(place)))
                .region(region(diagnostic, ends.get(index).copied()))
                .build();
            let mut location = Location::builder().physical_location(physical).build();
            if !diagnostic.pointer.is_root() {
                let logical = LogicalLocation::builder()
                    .fully_qualified_name(diagnostic.pointer.as_str())
                    .build();
                location.logical_locations = Some(vec![logical]);
            }
            let mut finding = Finding::builder()
                .rule_id(diagnostic.rule)
                .level(match diagnostic.severity {
                    Severity::Error => ResultLevel::Error,
                    Severity::Warning => ResultLevel::Warning,
                })
                .message(message(&diagnostic.message))
                .locations(vec![location])
                .properties(properties(diagnostic))
                .build();
            finding.rule_index = rules.get(diagnostic.rule).and_then(|i| i64::try_from(*i).ok());
            finding
        })
        .collect()
}

fn region(diagnostic: &Diagnostic, end: Option<(usize, usize)>) -> Region {
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let mut region = Region::builder()
        .start_line(number(diagnostic.line))
        .start_column(number(diagnostic.column))
        .build();
    if let Some((line, column)) = end {
        region.end_line = Some(number(line));
        region.end_column = Some(number(column));
    }
    region
}

fn properties(diagnostic: &Diagnostic) -> PropertyBag {
    let mut members = BTreeMap::from([
        ("protocolVersions".to_owned(), json!(diagnostic.versions.names())),
        ("pointer".to_owned(), json!(diagnostic.pointer.as_str())),
    ]);
    let schema_pointer = diagnostic.schema_pointer.as_ref().map(Pointer::as_str);
    let optional = [
        ("keyword", diagnostic.keyword.as_deref()),
        ("schemaPointer", schema_pointer),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            members.insert(name.to_owned(), Value::from(value));
        }
    }
    PropertyBag::builder().additional_properties(members).build()
}

fn message(text: &str) -> Message {
    Message::builder().text(text).build()
}

fn artifact_location(document: &DocumentReport, index: Option<i64>) -> ArtifactLocation {
    let mut location = ArtifactLocation::builder().uri(uri(&document.path)).build();
    location.index = index;
    location
}

/// A path as a URI reference: relative to the repository as it is, absolute with the scheme `file`.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{descriptor, uri};
    use crate::diagnostic::Severity;
    use crate::rules::{
        Check, Enforcement, Examples, Level, Nature, Owner, Rule, Status, Surface,
    };

    #[test]
    fn a_path_becomes_a_uri_reference() {
        assert_eq!(uri("./listings/tickets.json"), "listings/tickets.json");
        assert_eq!(uri("with space/größe:1.json"), "with%20space/gr%C3%B6%C3%9Fe%3A1.json");
        assert_eq!(uri("/srv/tools.json"), "file:///srv/tools.json");
        assert_eq!(uri("../tools.json"), "../tools.json");
    }

    #[test]
    fn a_rule_is_described_at_its_worst() {
        let rule = Rule {
            id: "mcp.result.example",
            title: "The result is an example",
            owner: Owner::Mcp,
            surface: Surface::Result,
            path: "/result",
            nature: Nature::Structural,
            level: [None, None, None, None, Some(Level::Must)],
            status: Status::Settled,
            enforcement: Enforcement::Internal,
            severity: [None, None, Some(Severity::Warning), Some(Severity::Error), None],
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
