//! The JSON Schema dialects that tools may declare, and what each keyword is in them.

use std::fmt;

use serde_json::{Map, Value};

/// A supported dialect of JSON Schema, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Draft 4: `id`, boolean `exclusiveMinimum`.
    Draft4,
    /// Draft 6: `$id`, boolean schemas, `const`, `contains`, `propertyNames`.
    Draft6,
    /// Draft 7: `if`, `then`, `else`.
    Draft7,
    /// 2019-09: `$defs`, `unevaluated*`, `dependent*`, `$recursiveRef`.
    Draft201909,
    /// 2020-12: `prefixItems`, `$dynamicRef`. The default on 2025-11-25 and later.
    Draft202012,
}

use Dialect::{Draft4, Draft6, Draft7, Draft201909, Draft202012};

/// What a keyword's value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// One subschema.
    Schema,
    /// An array of subschemas.
    Schemas,
    /// One subschema or an array of them: `items` before 2020-12.
    SchemaOrSchemas,
    /// Subschemas under names of the author's choice.
    Named,
    /// As [`Holds::Named`], but a name may also list other names: `dependencies`.
    NamedOrNames,
    /// An assertion about the instance, without subschemas.
    Assertion,
    /// Identity, references, annotations: no assertion of its own.
    Other,
}

use Holds::{Assertion, Named, NamedOrNames, Other, Schema, SchemaOrSchemas, Schemas};

/// A keyword, the dialects that know it, what it holds there.
struct Keyword(&'static str, Dialect, Dialect, Holds);

/// Every keyword of the supported dialects, from the specifications' vocabularies. A keyword
/// that a dialect dropped but its meta-schema still describes (`definitions`) stays known there.
const KEYWORDS: &[Keyword] = &[
    Keyword("$schema", Draft4, Draft202012, Other),
    Keyword("id", Draft4, Draft4, Other),
    Keyword("$id", Draft6, Draft202012, Other),
    Keyword("$anchor", Draft201909, Draft202012, Other),
    Keyword("$ref", Draft4, Draft202012, Other),
    Keyword("$recursiveRef", Draft201909, Draft201909, Other),
    Keyword("$recursiveAnchor", Draft201909, Draft201909, Other),
    Keyword("$dynamicRef", Draft202012, Draft202012, Other),
    Keyword("$dynamicAnchor", Draft202012, Draft202012, Other),
    Keyword("$vocabulary", Draft201909, Draft202012, Other),
    Keyword("$comment", Draft7, Draft202012, Other),
    Keyword("$defs", Draft201909, Draft202012, Named),
    Keyword("definitions", Draft4, Draft202012, Named),
    Keyword("title", Draft4, Draft202012, Other),
    Keyword("description", Draft4, Draft202012, Other),
    Keyword("default", Draft4, Draft202012, Other),
    Keyword("examples", Draft6, Draft202012, Other),
    Keyword("readOnly", Draft7, Draft202012, Other),
    Keyword("writeOnly", Draft7, Draft202012, Other),
    Keyword("deprecated", Draft201909, Draft202012, Other),
    Keyword("format", Draft4, Draft202012, Other),
    Keyword("contentEncoding", Draft7, Draft202012, Other),
    Keyword("contentMediaType", Draft7, Draft202012, Other),
    Keyword("contentSchema", Draft201909, Draft202012, Schema),
    Keyword("type", Draft4, Draft202012, Assertion),
    Keyword("enum", Draft4, Draft202012, Assertion),
    Keyword("const", Draft6, Draft202012, Assertion),
    Keyword("multipleOf", Draft4, Draft202012, Assertion),
    Keyword("maximum", Draft4, Draft202012, Assertion),
    Keyword("exclusiveMaximum", Draft4, Draft202012, Assertion),
    Keyword("minimum", Draft4, Draft202012, Assertion),
    Keyword("exclusiveMinimum", Draft4, Draft202012, Assertion),
    Keyword("maxLength", Draft4, Draft202012, Assertion),
    Keyword("minLength", Draft4, Draft202012, Assertion),
    Keyword("pattern", Draft4, Draft202012, Assertion),
    Keyword("maxItems", Draft4, Draft202012, Assertion),
    Keyword("minItems", Draft4, Draft202012, Assertion),
    Keyword("uniqueItems", Draft4, Draft202012, Assertion),
    Keyword("maxContains", Draft201909, Draft202012, Assertion),
    Keyword("minContains", Draft201909, Draft202012, Assertion),
    Keyword("maxProperties", Draft4, Draft202012, Assertion),
    Keyword("minProperties", Draft4, Draft202012, Assertion),
    Keyword("required", Draft4, Draft202012, Assertion),
    Keyword("dependentRequired", Draft201909, Draft202012, Assertion),
    Keyword("allOf", Draft4, Draft202012, Schemas),
    Keyword("anyOf", Draft4, Draft202012, Schemas),
    Keyword("oneOf", Draft4, Draft202012, Schemas),
    Keyword("not", Draft4, Draft202012, Schema),
    Keyword("if", Draft7, Draft202012, Schema),
    Keyword("then", Draft7, Draft202012, Schema),
    Keyword("else", Draft7, Draft202012, Schema),
    Keyword("dependencies", Draft4, Draft7, NamedOrNames),
    Keyword("dependentSchemas", Draft201909, Draft202012, Named),
    Keyword("prefixItems", Draft202012, Draft202012, Schemas),
    Keyword("items", Draft4, Draft201909, SchemaOrSchemas),
    Keyword("items", Draft202012, Draft202012, Schema),
    Keyword("additionalItems", Draft4, Draft201909, Schema),
    Keyword("contains", Draft6, Draft202012, Schema),
    Keyword("properties", Draft4, Draft202012, Named),
    Keyword("patternProperties", Draft4, Draft202012, Named),
    Keyword("additionalProperties", Draft4, Draft202012, Schema),
    Keyword("propertyNames", Draft6, Draft202012, Schema),
    Keyword("unevaluatedItems", Draft201909, Draft202012, Schema),
    Keyword("unevaluatedProperties", Draft201909, Draft202012, Schema),
];

/// Keywords that apply their subschemas to the same instance as the schema they stand in.
const IN_PLACE: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
];

impl Dialect {
    /// Every supported dialect, oldest first.
    pub const ALL: [Self; 5] = [Draft4, Draft6, Draft7, Draft201909, Draft202012];

    /// The URI that `$schema` names the dialect by.
    pub const fn uri(self) -> &'static str {
        match self {
            Draft4 => "http://json-schema.org/draft-04/schema#",
            Draft6 => "http://json-schema.org/draft-06/schema#",
            Draft7 => "http://json-schema.org/draft-07/schema#",
            Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The dialect that a `$schema` names: `http` or `https`, with or without a final `#`.
    pub fn from_uri(uri: &str) -> Option<Self> {
        fn bare(uri: &str) -> Option<&str> {
            let uri = uri.strip_suffix('#').unwrap_or(uri);
            uri.strip_prefix("https://")
                .or_else(|| uri.strip_prefix("http://"))
        }
        let named = bare(uri)?;
        Self::ALL
            .into_iter()
            .find(|dialect| bare(dialect.uri()) == Some(named))
    }

    /// What `keyword` holds in this dialect; `None` where the dialect does not know it.
    pub fn keyword(self, keyword: &str) -> Option<Holds> {
        KEYWORDS
            .iter()
            .find(|Keyword(name, from, to, _)| *name == keyword && (*from..=*to).contains(&self))
            .map(|Keyword(.., holds)| *holds)
    }

    /// The member that identifies a schema: `id` in draft 4, `$id` since.
    pub const fn id_keyword(self) -> &'static str {
        if matches!(self, Draft4) { "id" } else { "$id" }
    }

    /// Whether a `$ref` hides its siblings, as it does up to draft 7.
    pub fn ref_hides_siblings(self) -> bool {
        self <= Draft7
    }

    /// Whether the specification makes `format` an annotation alone.
    pub fn format_is_annotation(self) -> bool {
        self >= Draft201909
    }

    /// The subschemas of `schema`, each with the keyword and, where there is one, the token below.
    pub(super) fn subschemas(self, schema: &Map<String, Value>) -> Vec<Child<'_>> {
        let mut children = Vec::new();
        for (keyword, value) in schema {
            let Some(holds) = self.keyword(keyword) else {
                continue;
            };
            let mut add = |token: Option<Token<'_>>, value| {
                children.push(Child {
                    keyword: keyword.as_str(),
                    token: token.map(|token| token.to_string()),
                    value,
                });
            };
            match (holds, value) {
                (Schema | SchemaOrSchemas, Value::Object(_) | Value::Bool(_)) => add(None, value),
                (Schemas | SchemaOrSchemas, Value::Array(items)) => {
                    for (index, item) in items.iter().enumerate() {
                        add(Some(Token::Index(index)), item);
                    }
                }
                (Named | NamedOrNames, Value::Object(members)) => {
                    for (name, member) in members {
                        if holds == Named || !member.is_array() {
                            add(Some(Token::Name(name)), member);
                        }
                    }
                }
                _ => {}
            }
        }
        children
    }
}

/// A subschema seen from the schema that holds it.
pub(super) struct Child<'a> {
    pub(super) keyword: &'a str,
    pub(super) token: Option<String>,
    pub(super) value: &'a Value,
}

enum Token<'a> {
    Index(usize),
    Name(&'a str),
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => index.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// Whether `keyword` applies its subschemas to the instance that the schema itself judges.
pub fn is_in_place(keyword: &str) -> bool {
    IN_PLACE.contains(&keyword)
}

/// Whether any supported dialect knows `keyword`.
pub fn is_keyword(keyword: &str) -> bool {
    KEYWORDS.iter().any(|Keyword(name, ..)| *name == keyword)
}

/// Every keyword of any supported dialect; some twice.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|Keyword(name, ..)| *name)
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Draft4 => "draft-04",
            Draft6 => "draft-06",
            Draft7 => "draft-07",
            Draft201909 => "2019-09",
            Draft202012 => "2020-12",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_is_named_with_either_scheme_and_with_or_without_a_fragment() {
        for dialect in Dialect::ALL {
            let uri = dialect.uri().trim_end_matches('#');
            let rest = uri.split_once("://").map_or(uri, |(_, rest)| rest);
            for spelling in [
                format!("http://{rest}"),
                format!("https://{rest}"),
                format!("http://{rest}#"),
                format!("https://{rest}#"),
            ] {
                assert_eq!(Dialect::from_uri(&spelling), Some(dialect), "{spelling}");
            }
        }
        assert_eq!(Dialect::from_uri(""), None);
        assert_eq!(Dialect::from_uri("https://json-schema.org/schema"), None);
    }

    #[test]
    fn items_holds_an_array_until_2020_12() {
        assert_eq!(Draft7.keyword("items"), Some(SchemaOrSchemas));
        assert_eq!(Draft202012.keyword("items"), Some(Schema));
        assert_eq!(Draft7.keyword("prefixItems"), None);
    }
}
