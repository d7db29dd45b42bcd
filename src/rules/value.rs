//! Values of the document held against schemas of the document, as findings.

use super::context::{Context, SchemaAt, violation};
use crate::diagnostic::Finding;
use crate::document::At;
use crate::schema::{Judgement, Violation};

/// Reports how `value` violates the schema at `at`; where that cannot be told, that it cannot,
/// as a warning. A schema that cannot be used has been reported at its definition.
pub(super) fn check(
    context: &Context<'_>,
    value: &At<'_>,
    at: &SchemaAt<'_>,
    out: &mut Vec<Finding>,
) {
    let Ok(compiled) = at.schema.compiled() else {
        return;
    };
    match compiled.judge(context.instance(value.value, &value.pointer)) {
        Judgement::Fits => {}
        Judgement::DoesNotFit(violations) => {
            out.extend(grouped(&violations).map(|group| finding(value, group)));
        }
        Judgement::NotJudged(why) => {
            let message = format!("not judged: {}", why.clause());
            out.push(Finding::new(value.pointer.clone(), message).not_judged());
        }
    }
}

/// Reports what would be wrong with `value`, which fits, if the formats of the schema were asserted.
pub(super) fn check_formats(
    context: &Context<'_>,
    value: &At<'_>,
    at: &SchemaAt<'_>,
    out: &mut Vec<Finding>,
) {
    let instance = context.instance(value.value, &value.pointer);
    let violations = at.schema.format_violations(instance);
    out.extend(grouped(&violations).map(|group| {
        let mut finding = finding(value, group);
        if finding.keyword.as_deref() != Some("format") {
            finding.message = format!("once formats are asserted, {}", finding.message);
        }
        finding
    }));
}

/// Violations of one keyword by one value, such as several members that are missing, together:
/// they are one diagnostic.
fn grouped(violations: &[Violation]) -> impl Iterator<Item = &[Violation]> {
    violations
        .chunk_by(|a, b| a.instance == b.instance && a.schema == b.schema && a.keyword == b.keyword)
}

/// The finding of a group, which is never empty.
fn finding(value: &At<'_>, group: &[Violation]) -> Finding {
    let mut finding = violation(&value.pointer, &group[0]);
    for more in &group[1..] {
        finding.message = format!("{}, and it {}", finding.message, more.reason);
    }
    // A violation of nothing in particular names no keyword.
    if group[0].keyword.is_empty() {
        finding.keyword = None;
        finding.schema_pointer = None;
    }
    finding
}
