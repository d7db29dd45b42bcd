//! What an answer says beside yes and no, held against what was expected. Only what it says is
//! compared.

use std::collections::BTreeSet;

use super::outcome::Outcome;
use super::request::Request;
use crate::corpus::{Expectation, GateName};
use crate::schema::equal;
use crate::source::{Limits, Parsed, cut, parse_json};

/// Why a rejection, expected as such, is one for a wrong reason.
pub(super) fn rejected(expected: &Expectation, outcome: &Outcome) -> Option<String> {
    if let Some(difference) = branch(expected, outcome) {
        return Some(difference);
    }
    let allowed = expected.reasons();
    if let Some(reason) = outcome.reason.filter(|reason| {
        // A broken audit record breaks no rule: its branch is the reason.
        !allowed.is_empty() && !allowed.contains(reason)
    }) {
        let allowed: Vec<_> = allowed.iter().map(|reason| reason.as_str()).collect();
        return Some(format!(
            "the reason is {}, not {}",
            reason.as_str(),
            allowed.join(" or ")
        ));
    }
    if let (Some(said), Some(wanted)) = (&outcome.keyword, &expected.keyword)
        && !same_keyword(said, wanted)
    {
        return Some(format!(
            "the keyword is `{}`, not `{wanted}`",
            cut(said, 40)
        ));
    }
    match (&outcome.at, &expected.at) {
        (Some(said), Some(wanted)) if said != wanted => {
            Some(format!("the place is {:?}, not {wanted:?}", cut(said, 120)))
        }
        _ => None,
    }
}

/// Why an acceptance, expected as such, is not the one that was expected.
pub(super) fn accepted(
    request: &Request,
    expected: &Expectation,
    outcome: &Outcome,
) -> Option<String> {
    if let Some(difference) = branch(expected, outcome) {
        return Some(difference);
    }
    if let (Some(said), Some(wanted)) = (&outcome.usable, &expected.usable) {
        let said: BTreeSet<_> = said.iter().map(String::as_str).collect();
        let wanted: BTreeSet<_> = wanted.iter().map(String::as_str).collect();
        if said != wanted {
            return Some(usable(&said, &wanted));
        }
    }
    match &outcome.delivered {
        Some(delivered) if request.gate == GateName::Result => {
            delivery(request.field("result"), delivered)
        }
        _ => None,
    }
}

fn branch(expected: &Expectation, outcome: &Outcome) -> Option<String> {
    let (said, wanted) = (outcome.branch?, expected.branch?);
    (said != wanted).then(|| format!("the branch is {}, not {}", said.as_str(), wanted.as_str()))
}

fn usable(said: &BTreeSet<&str>, wanted: &BTreeSet<&str>) -> String {
    let list = |names: Vec<&&str>| {
        let names: Vec<_> = names
            .iter()
            .take(5)
            .map(|name| format!("{:?}", cut(name, 40)))
            .collect();
        names.join(", ")
    };
    let lacking = list(wanted.difference(said).collect());
    let added = list(said.difference(wanted).collect());
    match (lacking.as_str(), added.as_str()) {
        (lacking, "") => format!("usable lacks {lacking}"),
        ("", added) => format!("usable has {added}, which cannot be used"),
        (lacking, added) => {
            format!("usable lacks {lacking}, and has {added}, which cannot be used")
        }
    }
}

/// Why `delivered` is not the structured content of `result`. Numbers are compared as they are
/// written, since a number that has passed through a double is another number.
pub(super) fn delivery(result: &str, delivered: &str) -> Option<String> {
    let limits = Limits::default();
    // What our own reader cannot read, it cannot compare.
    let result = parse_json(result, &limits).ok()?;
    if result.value.get("isError") == Some(&true.into()) {
        return None;
    }
    let delivered = match parse_json(delivered, &limits) {
        Ok(delivered) => delivered,
        Err(fault) => return Some(format!("what was delivered is no JSON: {}", fault.message)),
    };
    match result.value.get("structuredContent") {
        None => Some("a value was delivered, and there is no structured content".to_owned()),
        Some(value) if !equal(value, &delivered.value) => {
            Some("what was delivered is not the structured content".to_owned())
        }
        Some(_) => {
            let sent = exact(&result, "/structuredContent");
            let came = exact(&delivered, "");
            let lost = sent.difference(&came).chain(came.difference(&sent)).next();
            lost.map(|(at, _)| format!("the number at {at:?} was changed on the way"))
        }
    }
}

/// The numbers below `base` that a double would change, as they are written.
fn exact<'a>(parsed: &'a Parsed, base: &str) -> BTreeSet<(&'a str, &'a str)> {
    let base = base.into();
    let numbers = parsed.rounded.iter();
    numbers
        .filter_map(|number| Some((number.pointer.below(&base)?, number.text.as_str())))
        .collect()
}

/// Whether two names of keywords mean one thing: engines differ in what they call a `false`
/// schema, and in which of two keywords that work together they name.
fn same_keyword(said: &str, wanted: &str) -> bool {
    const FALSE: &[&str] = &["false schema", "falseSchema", "false_schema", "false"];
    /// Keywords under which a subschema may be `false`.
    const APPLICATORS: &[&str] = &[
        "additionalProperties",
        "additionalItems",
        "unevaluatedProperties",
        "unevaluatedItems",
        "items",
        "prefixItems",
        "properties",
        "patternProperties",
        "propertyNames",
        "contains",
        "dependencies",
        "dependentSchemas",
        "not",
    ];
    if said == wanted || family(said).is_some() && family(said) == family(wanted) {
        return true;
    }
    // A name that is not allowed stands where its object does, so an engine may name either the
    // keyword that looks at names or the one that a name violates.
    let of_name = ["pattern", "minLength", "maxLength", "enum", "const", "not"].contains(&said);
    FALSE.contains(&said) && APPLICATORS.contains(&wanted) || of_name && wanted == "propertyNames"
}

/// Keywords that one and the same fault is reported under.
fn family(keyword: &str) -> Option<u8> {
    Some(match keyword {
        "contains" | "minContains" | "maxContains" => 0,
        "items" | "additionalItems" => 1,
        "dependencies" | "dependentRequired" | "dependentSchemas" => 2,
        "if" | "then" | "else" => 3,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_compared_by_what_they_mean() {
        for (said, wanted) in [
            ("enum", "enum"),
            ("false schema", "additionalProperties"),
            ("minContains", "contains"),
            ("additionalItems", "items"),
            ("pattern", "propertyNames"),
        ] {
            assert!(same_keyword(said, wanted), "{said} for {wanted}");
        }
        for (said, wanted) in [
            ("type", "enum"),
            ("false schema", "enum"),
            ("anyOf", "oneOf"),
        ] {
            assert!(!same_keyword(said, wanted), "{said} for {wanted}");
        }
    }

    #[test]
    fn a_delivered_value_keeps_its_numbers() {
        let result = |value: &str| format!("{{\"content\":[],\"structuredContent\":{value}}}");
        for (sent, came) in [
            ("9007199254740993", "9007199254740993"),
            ("{\"a\":1.0,\"b\":2}", "{\"b\":2,\"a\":1}"),
            ("12345678901234567890123", "12345678901234567890123"),
        ] {
            assert_eq!(delivery(&result(sent), came), None, "{came} for {sent}");
        }
        for (sent, came) in [
            ("9007199254740993", "9007199254740992"),
            ("12345678901234567890123", "1.2345678901234568e22"),
            ("null", "{}"),
            ("[1]", "[1"),
            ("{\"b\":2}", "\"{\\\"b\\\":2}\""),
        ] {
            assert!(delivery(&result(sent), came).is_some(), "{came} for {sent}");
        }
        assert!(delivery("{\"content\":[]}", "null").is_some());
        assert_eq!(delivery("{\"isError\":true,\"content\":[]}", "null"), None);
    }
}
