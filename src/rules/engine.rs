//! Applies the rules to a document, version by version, and merges what they find.

use std::collections::HashMap;

use super::catalogue::{Check, Rule, Surface};
use super::context::{Context, TextView, ToolView};
use super::look::look;
use super::{RULES, Settings};
use crate::diagnostic::{Diagnostic, Finding, Severity, Verdict};
use crate::document::{Catalogue, Document, Kind, Role, Subjects};
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::source::{Fault, Pointer, Source};

/// Diagnostics beyond this many are counted and not kept: nobody reads them, and a hostile
/// document could ask for any number.
const MOST_DIAGNOSTICS: usize = 10_000;

/// A document's judgement.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// What was found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Diagnostics that were found and not kept.
    pub omitted: usize,
    /// The heaviest severity on each version among those.
    pub omitted_worst: [Option<Severity>; 5],
    /// The versions that the document was judged on.
    pub versions: VersionSet,
    /// How many tools it defines.
    pub tools: usize,
    /// How many of them declare an `outputSchema`.
    pub typed_output: usize,
}

impl Checked {
    /// The verdict on one version.
    pub fn verdict_on(&self, version: ProtocolVersion) -> Verdict {
        let on = self
            .diagnostics
            .iter()
            .filter(|d| d.versions.contains(version));
        let kept = on.map(|diagnostic| diagnostic.severity);
        let worst = kept.chain(self.omitted_worst[version.index()]).max();
        worst.map_or(Verdict::Valid, Verdict::from)
    }

    /// The worst verdict over the versions.
    pub fn verdict(&self) -> Verdict {
        let kept = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.severity);
        let worst = kept.chain(self.omitted_worst.into_iter().flatten()).max();
        worst.map_or(Verdict::Valid, Verdict::from)
    }
}

/// Judges a document by itself.
pub fn check(document: &Document, settings: &Settings) -> Checked {
    check_within(document, settings, None)
}

/// Judges a document, with the schemas of a catalogue at hand.
pub fn check_within(
    document: &Document,
    settings: &Settings,
    around: Option<&Catalogue>,
) -> Checked {
    let subjects = Subjects::within(document, settings.protocol, around);
    let tools: Vec<_> = subjects
        .tools
        .iter()
        .map(|tool| ToolView::new(tool, settings.bounds))
        .collect();
    let text = TextView {
        faults: &document.parsed.faults,
        duplicates: &document.parsed.duplicates,
        is_description: document.kind == Kind::Description,
    };
    let mut merge = Merge::new(settings);
    for version in subjects.versions.iter() {
        let context = Context {
            rounded: &document.parsed.rounded,
            subjects: &subjects,
            tools: &tools,
            version,
            profiles: &settings.profiles,
        };
        for rule in RULES {
            let Some(severity) = settings.severity(rule, version) else {
                continue;
            };
            let mut findings = Vec::new();
            look(rule, &context, &text, &mut findings);
            for finding in findings {
                merge.add(rule, severity, version, finding);
            }
        }
    }
    let own = tools.iter().filter(|view| view.tool.role == Role::Tool);
    Checked {
        omitted: merge.omitted,
        omitted_worst: merge.omitted_worst,
        diagnostics: merge.diagnostics(&document.source),
        versions: subjects.versions,
        tools: own.clone().count(),
        typed_output: own.filter(|view| view.output.is_some()).count(),
    }
}

/// What every rule that looks at `surface` finds on the context's version.
pub fn findings(
    context: &Context<'_>,
    surface: Surface,
    settings: &Settings,
) -> Vec<(&'static Rule, Severity, Finding)> {
    let text = TextView {
        faults: &[],
        duplicates: &[],
        is_description: false,
    };
    let mut all = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.surface == surface) {
        if let Some(severity) = settings.severity(rule, context.version) {
            let mut found = Vec::new();
            look(rule, context, &text, &mut found);
            all.extend(found.into_iter().map(|finding| (rule, severity, finding)));
        }
    }
    all
}

/// Judges a text that cannot be read: its fault is all that can be said.
pub fn check_fault(source: &Source, fault: &Fault, settings: &Settings) -> Checked {
    let versions = settings.protocol.unwrap_or(VersionSet::STRUCTURED);
    let text = TextView {
        faults: std::slice::from_ref(fault),
        duplicates: &[],
        is_description: false,
    };
    let mut merge = Merge::new(settings);
    for version in versions.iter() {
        for rule in RULES {
            if let (Some(severity), Check::Text(look)) =
                (settings.severity(rule, version), rule.check)
            {
                let mut findings = Vec::new();
                look(&text, &mut findings);
                for finding in findings {
                    merge.add(rule, severity, version, finding);
                }
            }
        }
    }
    Checked {
        diagnostics: merge.diagnostics(source),
        versions,
        ..Checked::default()
    }
}

/// What makes two findings of different versions one diagnostic.
type Key = (
    &'static str,
    Severity,
    Pointer,
    Option<String>,
    Option<Pointer>,
    Option<usize>,
);

struct Merge<'s> {
    settings: &'s Settings,
    index: HashMap<Key, usize>,
    found: Vec<(&'static Rule, Severity, VersionSet, Finding)>,
    omitted: usize,
    omitted_worst: [Option<Severity>; 5],
}

impl<'s> Merge<'s> {
    fn new(settings: &'s Settings) -> Self {
        Self {
            settings,
            index: HashMap::new(),
            found: Vec::new(),
            omitted: 0,
            omitted_worst: [None; 5],
        }
    }

    fn add(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        version: ProtocolVersion,
        finding: Finding,
    ) {
        // A severity that the user has set is meant; the rule's own is an upper bound.
        let severity = match self.settings.is_set(rule) {
            true => severity,
            false => severity.min(finding.at_most),
        };
        let key = (
            rule.id,
            severity,
            finding.pointer.clone(),
            finding.keyword.clone(),
            finding.schema_pointer.clone(),
            finding.span.as_ref().map(|span| span.start),
        );
        if let Some(index) = self.index.get(&key) {
            let versions = &mut self.found[*index].2;
            *versions = versions.with(version);
        } else if self.found.len() >= MOST_DIAGNOSTICS {
            self.omitted += 1;
            let worst = &mut self.omitted_worst[version.index()];
            *worst = (*worst).max(Some(severity));
        } else {
            self.index.insert(key, self.found.len());
            self.found.push((rule, severity, version.into(), finding));
        }
    }

    fn diagnostics(self, source: &Source) -> Vec<Diagnostic> {
        let placeless = self
            .found
            .iter()
            .filter(|(.., finding)| finding.span.is_none());
        let places = source.locate(placeless.map(|(.., finding)| &finding.pointer));
        let spans: Vec<_> = self
            .found
            .iter()
            .map(|(.., finding)| match &finding.span {
                Some(span) => span.clone(),
                None => places.get(&finding.pointer).cloned().unwrap_or(0..0),
            })
            .collect();
        let starts: Vec<_> = spans.iter().map(|span| span.start).collect();
        let positions = source.positions(&starts);
        drop(places);
        let mut diagnostics: Vec<_> = self
            .found
            .into_iter()
            .zip(spans)
            .zip(positions)
            .map(
                |(((rule, severity, versions, finding), span), (line, column))| Diagnostic {
                    rule: rule.id,
                    severity,
                    versions,
                    pointer: finding.pointer,
                    keyword: finding.keyword,
                    schema_pointer: finding.schema_pointer,
                    span,
                    line,
                    column,
                    message: finding.message,
                    help: rule.help,
                },
            )
            .collect();
        diagnostics.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.span.start, d.rule, std::cmp::Reverse(d.severity));
            key(a)
                .cmp(&key(b))
                .then_with(|| a.schema_pointer.cmp(&b.schema_pointer))
        });
        diagnostics
    }
}
