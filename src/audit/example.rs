//! Examples: where the first records of each kind stand, and what is wrong with them. A log holds
//! other people's data, so values are shown only on request.

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::judge::{Judge, Judgement};
use super::line::Call;
use super::record::{Reading, Verdict, steps};
use super::rule::Rule;
use super::tools::{Output, Tools};
use crate::gate::Branch;
use crate::source::{Pointer, cut};

/// Violations that an example lists.
const MOST_PLACES: usize = 4;
/// Characters of a value that are shown.
const MOST_SHOWN: usize = 200;
/// Steps that listing violations may take on top of one for each byte: it costs more than judging.
const EXPLAIN_STEPS: u64 = 100_000;

/// One record of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    /// The log, as it was named.
    pub log: String,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong, where no keyword says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The values at fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
}

/// A value at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Where it stands, from the root of the line.
    pub pointer: String,
    /// The JSON Schema keyword that it violates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// That keyword's place in the outputSchema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_pointer: Option<String>,
    /// The value itself, cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl Place {
    fn at(pointer: &Pointer) -> Self {
        Self {
            pointer: pointer.as_str().to_owned(),
            keyword: None,
            schema_pointer: None,
            value: None,
        }
    }
}

/// What an example says beside its place in the log.
pub(super) type Said = (Option<String>, Vec<Place>);

/// What is wrong with a text.
pub(super) fn of_fault(fault: &Fault) -> Said {
    (Some(fault.to_string()), Vec::new())
}

/// What `rule`, or where it is none the verdict alone, says against `call`.
pub(super) fn of_call(
    tools: &Tools,
    call: &Call<'_>,
    verdict: Verdict,
    rule: Option<Rule>,
    show_values: bool,
) -> Said {
    let reading = Reading::of(call);
    let mut base = Pointer::root();
    if let Some(element) = call.element {
        base.push(element);
    }
    let line = base.clone();
    base.push("result");
    let place = |pointer: Pointer| (None, vec![Place::at(&pointer)]);
    let judge = call
        .tool
        .and_then(|name| match tools.output(tools.find(name)?) {
            Output::Ready(judge) => Some(judge),
            _ => None,
        });
    match rule {
        None if reading.branch == Branch::Schema => {
            let message = "the record is not {tool, protocol, metaIdTool} as it should be";
            (Some(message.to_owned()), Vec::new())
        }
        None => (Some("its call is not in the log".to_owned()), Vec::new()),
        Some(Rule::TOOL_KNOWN) if call.element.is_none() && line.is_root() => {
            place(line.join("tool"))
        }
        Some(Rule::TYPE) => place(base.join("resultType")),
        Some(Rule::SHAPE) if reading.body.is_object => place(base.join("isError")),
        Some(Rule::SHAPE | Rule::REQUIRED) => place(base),
        Some(Rule::OBJECT | Rule::LEGACY_WRAPPER) => place(base.join("structuredContent")),
        Some(Rule::SCHEMA | Rule::ERROR_STRUCTURED) => {
            base.push("structuredContent");
            if reading.branch == Branch::LegacyWrapper {
                base.push("result");
            }
            let (Some(judge), Some(target)) = (judge, reading.target) else {
                return (None, Vec::new());
            };
            match judge.judge(target, steps(&target)) {
                Judgement::NotJudged(doubt) if verdict == Verdict::NotJudged => {
                    (Some(doubt.clause().to_owned()), vec![Place::at(&base)])
                }
                _ => (None, violations(judge, target, &base, show_values)),
            }
        }
        Some(_) => (None, Vec::new()),
    }
}

fn violations(
    judge: &Judge,
    target: super::Node<'_>,
    base: &Pointer,
    show_values: bool,
) -> Vec<Place> {
    let steps = EXPLAIN_STEPS + target.doc.text().len() as u64;
    let errors = judge.errors(target, steps);
    let places = errors.iter().take(MOST_PLACES).filter_map(|error| {
        let violation = judge.violation(error)?;
        Some(Place {
            pointer: base.concat(violation.instance.as_str()).as_str().to_owned(),
            keyword: Some(violation.keyword).filter(|keyword| !keyword.is_empty()),
            schema_pointer: Some(violation.schema.as_str().to_owned()),
            value: show_values.then(|| cut(&error.instance().to_string(), MOST_SHOWN).into_owned()),
        })
    });
    let mut places: Vec<_> = places.collect();
    if places.is_empty() {
        // More ways in which it does not fit than can be listed.
        places.push(Place::at(base));
    }
    places
}
