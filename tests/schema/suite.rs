//! The JSON Schema Test Suite: every value is judged as the suite says.

use std::path::{Path, PathBuf};

use mcp_conform::schema::{Bounds, Compiled, Instance, Judgement, Schema, Unusable, Violation};
use mcp_conform::source::{Format, Limits, Parsed, Pointer, Source};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::shared;

/// Values that are not judged, with the reason: the suite compares numbers that no double holds,
/// and no number of 64 bits either.
const ROUNDED: [(&str, &str); 3] = [
    (
        "float comparison with high precision",
        "comparison works for high numbers",
    ),
    (
        "minimum integer comparison",
        "comparison works for very negative numbers",
    ),
    (
        "float comparison with high precision on negative numbers",
        "comparison works for very negative numbers",
    ),
];

/// An optional part of the suite: an implementation may go on asserting what 2020-12 has dropped.
/// Here a dialect means what it says, and a rule warns of `dependencies` that nobody asserts.
const DROPPED: (&str, usize) = ("optional/dependencies-compatibility.json", 14);

/// Groups whose schemas declare a meta-schema of their own, which is no supported dialect.
const OTHER_DIALECTS: [&str; 2] = [
    "schema that uses custom metaschema with with no validation vocabulary",
    "ignore unrecognized optional vocabulary",
];

/// What became of the values of one dialect.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    right: usize,
    /// Not judged, and named above.
    rounded: usize,
    /// Of a keyword that the dialect has dropped.
    dropped: usize,
    /// Groups that need another document, which is never fetched.
    external: usize,
    /// Groups of another dialect.
    other: usize,
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// The schema of a group, which in the drafts before 2019-09 does not say what it is written in.
fn schema_of(group: &Value, dialect: Option<&str>) -> Value {
    let mut schema = group["schema"].clone();
    if let (Some(uri), Some(members)) = (dialect, schema.as_object_mut()) {
        members.entry("$schema").or_insert_with(|| json!(uri));
    }
    schema
}

struct Run<'a> {
    path: &'a Path,
    parsed: &'a Parsed,
    counts: &'a mut Counts,
    wrong: &'a mut Vec<String>,
}

impl Run<'_> {
    fn group(&mut self, index: usize, dialect: Option<&str>) {
        let group = &self.parsed.value[index];
        let name = group["description"].as_str().unwrap();
        let value = schema_of(group, dialect);
        let schema = Schema::new(&value, Bounds::default());
        match schema.compiled() {
            Ok(compiled) => self.values(index, name, &value, &compiled),
            Err(Unusable::External) => self.counts.external += 1,
            Err(Unusable::Dialect) if OTHER_DIALECTS.contains(&name) => self.counts.other += 1,
            Err(why) => self.wrong.push(format!("{name}: {why:?}")),
        }
    }

    fn values(&mut self, group: usize, name: &str, schema: &Value, compiled: &Compiled) {
        let tests = self.parsed.value[group]["tests"].as_array().unwrap();
        for (index, test) in tests.iter().enumerate() {
            let base = Pointer::from(format!("/{group}/tests/{index}/data"));
            let judgement = compiled.judge(Instance {
                value: &test["data"],
                base: &base,
                rounded: &self.parsed.rounded,
            });
            let described = test["description"].as_str().unwrap();
            match (&judgement, &test["valid"]) {
                (Judgement::Fits, Value::Bool(true)) => self.counts.right += 1,
                (Judgement::DoesNotFit(violations), Value::Bool(false)) => {
                    self.counts.right += 1;
                    for violation in violations
                        .iter()
                        .filter(|v| !is_placed(v, schema, &test["data"]))
                    {
                        self.wrong
                            .push(format!("{name}, {described}: {violation:?}"));
                    }
                }
                (Judgement::NotJudged(_), _) if ROUNDED.contains(&(name, described)) => {
                    self.counts.rounded += 1;
                }
                (Judgement::Fits, Value::Bool(false)) if self.path.ends_with(DROPPED.0) => {
                    self.counts.dropped += 1;
                }
                _ => self
                    .wrong
                    .push(format!("{name}, {described}: {judgement:?}")),
            }
        }
    }
}

/// Whether a violation points at something in the value, and at its keyword in the schema.
fn is_placed(violation: &Violation, schema: &Value, value: &Value) -> bool {
    let Some(place) = schema.pointer(violation.schema.as_str()) else {
        // Where a dynamic reference leads into an embedded resource is not followed.
        return schema.to_string().contains("$dynamicRef");
    };
    let last = violation.schema.last().unwrap_or_default();
    let is_keyword = last == violation.keyword || *place == json!(false);
    // What violates a built-in meta-schema violates the reference to it.
    let is_reference = last == "$ref" && place.as_str().is_some_and(|uri| uri.starts_with("http"));
    value.pointer(violation.instance.as_str()).is_some() && (is_keyword || is_reference)
}

#[rstest]
#[case::draft_2020_12(
    "draft2020-12", None,
    Counts { right: 1390, rounded: 3, dropped: DROPPED.1, external: 21, other: 2 }
)]
#[case::draft_7(
    "draft7", Some("http://json-schema.org/draft-07/schema#"),
    Counts { right: 1017, rounded: 3, dropped: 0, external: 12, other: 0 }
)]
fn the_suite_is_judged_as_it_says(
    #[case] folder: &str,
    #[case] dialect: Option<&str>,
    #[case] expected: Counts,
) {
    let Some(folder) = shared(&format!("peers/json-schema/tests/{folder}")) else {
        return;
    };
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).unwrap();
        let source = Source::new(path.display().to_string(), text, Format::Json);
        let parsed = source.parse(&Limits::default()).unwrap();
        let groups = parsed.value.as_array().unwrap().len();
        let mut run = Run {
            path: &path,
            parsed: &parsed,
            counts: &mut counts,
            wrong: &mut wrong,
        };
        (0..groups).for_each(|group| run.group(group, dialect));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(counts, expected, "the suite as it was in 2026");
}
