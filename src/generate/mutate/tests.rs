//! Each kind of damage on a schema that is made for it.

use serde_json::{Value, json};

use super::Kind;
use crate::generate::{Generator, Rng, Tally};
use crate::schema::Judgement;

/// A schema for each kind, with the keyword that must be stated and reported.
#[allow(clippy::too_many_lines)] // A table.
fn made_for() -> Vec<(Kind, Value, &'static str)> {
    let order = |more: Value| {
        let mut schema = json!({"type": "object", "required": ["id"],
            "properties": {"id": {"type": "string"}, "count": {"type": "integer"}}});
        schema
            .as_object_mut()
            .into_iter()
            .for_each(|s| s.extend(more.as_object().cloned().unwrap_or_default()));
        schema
    };
    let closed = || order(json!({"additionalProperties": false}));
    let list = |items: Value| json!({"type": "array", "minItems": 1, "items": items});
    let pay = json!({"oneOf": [
        {"type": "object", "additionalProperties": false, "required": ["by", "iban"],
            "properties": {"by": {"const": "transfer"}, "iban": {"type": "string"}}},
        {"type": "object", "additionalProperties": false, "required": ["by", "card"],
            "properties": {"by": {"const": "card"}, "card": {"type": "string"}}}
    ]});
    let states = || json!({"enum": ["open", "closed"]});
    vec![
        (Kind::ExtraMember, closed(), "additionalProperties"),
        (
            Kind::ExtraMember,
            order(json!({"unevaluatedProperties": false})),
            "unevaluatedProperties",
        ),
        (Kind::Instruction, closed(), "additionalProperties"),
        (Kind::WrongRoot, list(json!({"type": "integer"})), "type"),
        (Kind::NearMiss, list(states()), "enum"),
        (Kind::OtherCase, list(states()), "enum"),
        (Kind::MissingRequired, order(json!({})), "required"),
        (Kind::Null, list(json!({"type": "integer"})), "type"),
        (Kind::WrongType, list(json!({"type": "integer"})), "type"),
        (
            Kind::OffByOne,
            json!({"type": "integer", "minimum": 3}),
            "minimum",
        ),
        (
            Kind::OffByOne,
            json!({"type": "integer", "maximum": 3}),
            "maximum",
        ),
        (
            Kind::OffByOne,
            json!({"type": "integer", "exclusiveMinimum": 3}),
            "exclusiveMinimum",
        ),
        (
            Kind::OffByOne,
            json!({"type": "number", "exclusiveMaximum": 0.5}),
            "exclusiveMaximum",
        ),
        (
            Kind::OffByOne,
            json!({"type": "integer", "multipleOf": 5}),
            "multipleOf",
        ),
        (
            Kind::OffByOne,
            json!({"type": "number", "multipleOf": 0.01}),
            "multipleOf",
        ),
        (
            Kind::OffByOne,
            json!({"type": "string", "minLength": 3}),
            "minLength",
        ),
        (
            Kind::OffByOne,
            json!({"type": "string", "maxLength": 3}),
            "maxLength",
        ),
        (
            Kind::OffByOne,
            json!({"type": "array", "minItems": 2}),
            "minItems",
        ),
        (
            Kind::OffByOne,
            json!({"type": "array", "maxItems": 2}),
            "maxItems",
        ),
        (
            Kind::OffByOne,
            json!({"type": "object", "minProperties": 2}),
            "minProperties",
        ),
        (
            Kind::OffByOne,
            json!({"type": "object", "maxProperties": 2}),
            "maxProperties",
        ),
        (
            Kind::BrokenPattern,
            json!({"type": "string", "pattern": "^A-[0-9]{4,}$"}),
            "pattern",
        ),
        (
            Kind::ExtraItem,
            json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": false}),
            "items",
        ),
        (
            Kind::ExtraItem,
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "array",
            "items": [{"type": "integer"}], "additionalItems": false}),
            "additionalItems",
        ),
        (
            Kind::ExtraItem,
            json!({"type": "array", "allOf": [{"prefixItems": [{"type": "integer"}]}],
            "unevaluatedItems": false}),
            "unevaluatedItems",
        ),
        (
            Kind::DuplicateItem,
            json!({"type": "array", "minItems": 1, "uniqueItems": true}),
            "uniqueItems",
        ),
        (Kind::WrongConst, pay.clone(), "oneOf"),
        (Kind::MixedBranches, pay, "oneOf"),
        (
            Kind::NumberAsString,
            list(json!({"type": "number"})),
            "type",
        ),
        (
            Kind::StringAsNumber,
            list(json!({"type": "string"})),
            "type",
        ),
        (
            Kind::Unicode,
            list(json!({"enum": ["Zürich", "Genève"]})),
            "enum",
        ),
        (
            Kind::BigInteger,
            json!({"type": "integer", "maximum": 10}),
            "maximum",
        ),
        (
            Kind::BigInteger,
            json!({"const": 9_007_199_254_740_993_u64}),
            "const",
        ),
        (
            Kind::Empty,
            json!({"type": "string", "minLength": 1}),
            "minLength",
        ),
        (Kind::Empty, order(json!({})), "required"),
        (
            Kind::NotContained,
            json!({"type": "array", "contains": {"const": "total"}}),
            "contains",
        ),
        (
            Kind::MissingDependent,
            order(
                json!({"minProperties": 3, "dependentRequired": {"count": ["unit"]},
            "required": ["id", "count"]}),
            ),
            "dependentRequired",
        ),
        (
            Kind::MissingDependent,
            json!({"$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object", "required": ["count"], "dependencies": {"count": ["unit"]}}),
            "dependencies",
        ),
        (
            Kind::BadName,
            json!({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"},
            "additionalProperties": {"type": "integer"}}),
            "propertyNames",
        ),
        (
            Kind::Excluded,
            json!({"type": "string", "not": {"const": "all"}}),
            "not",
        ),
        (
            Kind::Excluded,
            order(json!({"not": {"required": ["legacy"]}})),
            "not",
        ),
    ]
}

#[test]
fn each_kind_is_confirmed_on_a_schema_made_for_it() {
    let (mut seen, mut wrong) = (Vec::new(), Vec::new());
    for (kind, schema, keyword) in made_for() {
        let generator = Generator::new(&schema).unwrap();
        let mut tally = Tally::default();
        let found = (0..60).find_map(|number| {
            let mut rng = Rng::of(3, keyword, number);
            let sample = generator.sample(&mut rng, &mut tally)?;
            let mutant = generator.mutant_of(&sample, kind, &mut rng, &mut tally);
            mutant.filter(|mutant| mutant.reported.0 == keyword)
        });
        if found.is_none() {
            let mut rng = Rng::of(3, keyword, 1);
            let sample = generator.sample(&mut rng, &mut tally).unwrap();
            let damaged = generator.damage(&sample, kind, &mut rng);
            let said = damaged
                .as_ref()
                .map(|mutant| match generator.plan.judge(&mutant.value) {
                    Judgement::DoesNotFit(violations) => format!("{violations:?}"),
                    other => format!("{other:?}"),
                });
            let value = sample.value();
            wrong.push(format!(
                "{kind:?} {keyword}: {tally:?} {value} {damaged:?} {said:?}"
            ));
        }
        seen.push(kind);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(Kind::ALL.iter().all(|kind| seen.contains(kind)));
}

#[test]
fn inside_a_union_the_union_is_blamed() {
    let row = json!({"type": "object", "required": ["amount"], "additionalProperties": false,
        "properties": {"amount": {"type": "integer"}}});
    let schema = json!({"type": "object", "required": ["rows"], "properties": {"rows":
        {"anyOf": [{"type": "array", "minItems": 1, "items": row}, {"type": "null"}]}}});
    let generator = Generator::new(&schema).unwrap();
    let mut tally = Tally::default();
    let found = (0..200).find_map(|number| {
        let mut rng = Rng::of(5, "union", number);
        let sample = generator.sample(&mut rng, &mut tally)?;
        let mutant = generator.mutant_of(&sample, Kind::ExtraMember, &mut rng, &mut tally)?;
        mutant.at.as_str().starts_with("/rows/").then_some(mutant)
    });
    let mutant = found.unwrap();
    assert_eq!(mutant.keyword, "additionalProperties");
    assert_eq!(mutant.reported.0, "anyOf");
    assert_eq!(mutant.reported.1.as_str(), "/rows");
    assert!(!mutant.sole);
}
