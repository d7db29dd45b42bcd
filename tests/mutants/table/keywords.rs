//! One mutant for each keyword by which a value can be judged: it does not know the keyword.

use mcp_conform::certify::Verdict::NonStrict;
use mcp_conform::corpus::GateName::{self, Arguments, Result};

use crate::change::reading;
use crate::mutant::Matter::Keyword;
use crate::mutant::Mutant;

/// Keywords, a gate at which cases turn on them, and the keyword that such a case is rejected by:
/// for one that leads to subschemas, what stands in them.
const IGNORED: &[(&str, GateName, &str)] = &[
    ("type", Result, "type"),
    ("enum", Result, "enum"),
    ("const", Result, "const"),
    ("multipleOf", Arguments, "multipleOf"),
    ("minimum", Arguments, "minimum"),
    ("maximum", Arguments, "maximum"),
    ("exclusiveMinimum", Arguments, "exclusiveMinimum"),
    ("exclusiveMaximum", Result, "exclusiveMaximum"),
    ("minLength", Arguments, "minLength"),
    ("maxLength", Arguments, "maxLength"),
    ("pattern", Arguments, "pattern"),
    ("minItems", Arguments, "minItems"),
    ("maxItems", Arguments, "maxItems"),
    ("uniqueItems", Arguments, "uniqueItems"),
    ("contains", Result, "contains"),
    ("minContains", Result, "minContains"),
    ("maxContains", Result, "maxContains"),
    ("items", Arguments, "type"),
    ("prefixItems", Result, "type"),
    ("additionalItems", Result, "additionalItems"),
    ("unevaluatedItems", Result, "unevaluatedItems"),
    ("required", Result, "required"),
    ("properties", Result, "type"),
    ("patternProperties", Result, "minLength"),
    ("additionalProperties", Result, "additionalProperties"),
    ("unevaluatedProperties", Result, "unevaluatedProperties"),
    ("propertyNames", Result, "propertyNames"),
    ("minProperties", Arguments, "minProperties"),
    ("maxProperties", Arguments, "maxProperties"),
    ("dependentRequired", Arguments, "dependentRequired"),
    ("dependentSchemas", Result, "maximum"),
    ("dependencies", Arguments, "dependencies"),
    ("allOf", Arguments, "maximum"),
    ("anyOf", Arguments, "anyOf"),
    ("oneOf", Arguments, "oneOf"),
    ("not", Arguments, "not"),
    ("if", Arguments, "required"),
    ("$ref", Result, "required"),
    ("$dynamicRef", Result, "required"),
    ("$recursiveRef", Result, "type"),
];

pub fn mutants() -> Vec<Mutant> {
    let ignoring = |(keyword, gate, by): &(&'static str, GateName, &'static str)| {
        let keyword = *keyword;
        let word = keyword.trim_start_matches('$');
        let kebab: String = word
            .chars()
            .flat_map(|char| match char {
                'A'..='Z' => vec!['-', char.to_ascii_lowercase()],
                _ => vec![char],
            })
            .collect();
        // A root without its `type` would be another definition.
        let edit = reading(keyword, move |schema, place| {
            (keyword != "type" || place.depth > 0) && schema.shift_remove(keyword).is_some()
        });
        let mutant = Mutant::new(
            format!("ignores-{kebab}"),
            format!("`{keyword}` says nothing"),
            edit,
        )
        .known_by(*gate, NonStrict, Keyword(by));
        // Nearly everything that is judged stands below this keyword.
        if keyword == "properties" {
            mutant.broad()
        } else {
            mutant
        }
    };
    IGNORED.iter().map(ignoring).collect()
}
