//! catalogue.sample.verdict: each payload fares as its sample says.

use crate::diagnostic::Finding;
use crate::document::{Payload, Samples};
use crate::rules::context::Context;
use crate::rules::sample::{Expected, expected, schema};
use crate::schema::{Compiled, Instance, Judgement, Violation};
use crate::source::{Pointer, cut};

pub(in crate::rules) fn check(context: &Context<'_>, samples: &Samples<'_>, out: &mut Vec<Finding>) {
    let Ok(_) = &samples.target else {
        return;
    };
    let Ok(compiled) = schema(context, samples).map_or(Err(()), |at| at.schema.compiled().map_err(|_| ()))
    else {
        let place = samples.reference.as_ref().map_or_else(Pointer::root, |at| at.pointer.clone());
        let message = "not judged: the schema that it names cannot be used, and its own file says why";
        out.push(Finding::new(place, message));
        return;
    };
    for sample in &samples.payloads {
        if let (Some(payload), Some(expected)) = (&sample.payload, expected(&sample.at)) {
            let first = out.len();
            judge(&compiled, payload, expected, out);
            for finding in &mut out[first..] {
                finding.pointer = sample.at.pointer.clone();
                finding.message = format!("`{}` {}", cut(sample.name, 40), finding.message);
            }
        }
    }
}

/// Reports where a payload fares otherwise; the caller says which payload, and where.
fn judge(compiled: &Compiled, payload: &Payload<'_>, expected: Expected<'_>, out: &mut Vec<Finding>) {
    let instance = Instance {
        value: payload.at.value,
        base: &payload.at.pointer,
        rounded: payload.rounded,
    };
    let say = |message: String| Finding::new(Pointer::root(), message);
    match compiled.judge(instance) {
        Judgement::NotJudged(why) => out.push(say(format!("is not judged: {}", why.clause()))),
        Judgement::Fits if expected.fits => {}
        Judgement::Fits => out.push(say("should fail, and fits".to_owned())),
        Judgement::DoesNotFit(violations) if expected.fits => {
            out.extend(violations.iter().map(|it| about(it, "should pass, and")));
        }
        Judgement::DoesNotFit(violations) => {
            let is_meant = |it: &Violation| {
                expected.keyword.is_none_or(|keyword| keyword == it.keyword)
                    && expected.at.is_none_or(|at| at == it.instance.as_str())
            };
            if !violations.iter().any(is_meant) {
                let other = violations.first();
                out.extend(other.map(|it| about(it, "fails for another reason:")));
            }
        }
    }
}

fn about(violation: &Violation, before: &str) -> Finding {
    let place = match violation.instance.as_str() {
        "" => "the value".to_owned(),
        place => format!("the value at {}", cut(place, 80)),
    };
    let message = format!("{before} {place} {}", violation.reason);
    let mut finding = Finding::new(Pointer::root(), message);
    if !violation.keyword.is_empty() {
        finding = finding.keyword(violation.keyword.as_str());
        finding.schema_pointer = Some(violation.schema.clone());
    }
    finding
}
