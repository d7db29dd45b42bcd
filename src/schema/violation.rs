//! What is wrong with an instance, as a typed reason with its places.

use std::fmt;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::place::{Routes, keywords};
use crate::source::{Pointer, cut};

/// The most characters of a schema's own text (an enum, a pattern) that a message repeats.
const MOST_SHOWN: usize = 80;

/// Why an instance does not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// `additionalProperties` or `unevaluatedProperties`: members that the schema does not allow.
    ExtraMember(Vec<String>),
    /// `additionalItems`, `items` or `unevaluatedItems`: elements that the schema does not allow.
    ExtraItem,
    /// `required` or `dependentRequired`: a member that is not there.
    MissingMember(String),
    /// `type`: the JSON types that would do, and the one that is there.
    WrongType {
        /// The types that the schema names.
        expected: Vec<&'static str>,
        /// The type of the instance.
        found: &'static str,
    },
    /// `enum`: none of these values.
    NotInEnum(String),
    /// `const`: not this value.
    NotConst(String),
    /// `pattern`: not matched by this expression.
    Pattern(String),
    /// A bound on size or range, with the limit.
    Bound(String),
    /// `anyOf`, `oneOf`, `not`, `contains`, `propertyNames`, `if`: the parts do not hold together.
    Composition(&'static str),
    /// `uniqueItems`: two elements are equal.
    Repeated,
    /// `format`, where it is asserted.
    Format(String),
    /// A `false` schema: nothing fits.
    False,
}

/// One place at which an instance violates a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Why.
    pub reason: Reason,
    /// The keyword that is violated; empty where none is, below a root that is `false`.
    pub keyword: String,
    /// The value at fault, from the instance's root.
    pub instance: Pointer,
    /// The keyword, from the schema's root.
    pub schema: Pointer,
}

/// What one error of the engine says: a violation, or that it could not judge.
pub(crate) enum Said {
    Violated(Violation),
    /// A regular expression ran out of its budget.
    Unfinished,
}

impl Violation {
    pub(crate) fn from_error(error: &ValidationError<'_>, routes: &Routes) -> Said {
        let kind = error.kind();
        let reason = match kind {
            ValidationErrorKind::BacktrackLimitExceeded { .. }
            | ValidationErrorKind::RegexEngineFailure { .. } => return Said::Unfinished,
            _ => reason(kind, error.instance()),
        };
        let mut way = Pointer::from(error.evaluation_path().as_str());
        let mut keywords = keywords(&way);
        if matches!(kind, ValidationErrorKind::PropertyNames { .. }) {
            // The way leads on to what the name violates; what the object violates is this.
            while keywords
                .last()
                .is_some_and(|(keyword, _)| keyword != "propertyNames")
            {
                keywords.pop();
            }
            if let Some((_, at)) = keywords.last() {
                way = at.clone();
            }
        }
        // The engine names some kinds after the assertion that they stand for, not the keyword
        // that is written: a `false` subschema, `dependentRequired`, `items: false`.
        let keyword = match keywords.pop() {
            Some((written, _)) if super::dialect::is_keyword(&written) => written,
            _ if reason == Reason::False => String::new(),
            _ => kind.keyword().to_owned(),
        };
        // Of `additionalProperties: false` alone the engine tells the object's place, and no names.
        let reason = match reason {
            Reason::False if keyword == "additionalProperties" => Reason::ExtraMember(Vec::new()),
            reason => reason,
        };
        let schema = routes.place(&way);
        Said::Violated(Self {
            reason,
            keyword,
            instance: Pointer::from(error.instance_path().as_str()),
            schema: schema.unwrap_or_else(|| Pointer::from(error.schema_path().as_str())),
        })
    }

    /// The same with the names that the engine left out, of the members of a part of `root`.
    pub(super) fn with_names(mut self, root: &Value) -> Self {
        if let Reason::ExtraMember(names) = &mut self.reason
            && names.is_empty()
            && let Some(Value::Object(members)) = root.pointer(self.instance.as_str())
        {
            names.extend(members.keys().cloned());
        }
        self
    }
}

fn reason(kind: &ValidationErrorKind, instance: &Value) -> Reason {
    use ValidationErrorKind as K;
    let shown = |value: &Value| cut(&value.to_string(), MOST_SHOWN).into_owned();
    match kind {
        K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
            Reason::ExtraMember(unexpected.clone())
        }
        K::AdditionalItems { .. } | K::UnevaluatedItems { .. } => Reason::ExtraItem,
        K::Required { property } => Reason::MissingMember(
            property
                .as_str()
                .map_or_else(|| property.to_string(), str::to_owned),
        ),
        K::Type { kind } => Reason::WrongType {
            expected: match kind {
                TypeKind::Single(one) => vec![type_name(*one)],
                TypeKind::Multiple(set) => set.iter().map(type_name).collect(),
            },
            found: type_of(instance),
        },
        K::Enum { options } => Reason::NotInEnum(match options.as_array() {
            Some(options) => {
                let list: Vec<_> = options.iter().take(12).map(Value::to_string).collect();
                let more = if options.len() > 12 { ", …" } else { "" };
                format!("{}{more}", cut(&list.join(", "), MOST_SHOWN))
            }
            None => shown(options),
        }),
        K::Constant { expected_value } => Reason::NotConst(shown(expected_value)),
        K::Pattern { pattern } => Reason::Pattern(cut(pattern, MOST_SHOWN).into_owned()),
        K::ExclusiveMaximum { limit } => Reason::Bound(format!("less than {}", shown(limit))),
        K::ExclusiveMinimum { limit } => Reason::Bound(format!("more than {}", shown(limit))),
        K::Maximum { limit } => Reason::Bound(format!("at most {}", shown(limit))),
        K::Minimum { limit } => Reason::Bound(format!("at least {}", shown(limit))),
        K::MaxItems { limit } => Reason::Bound(format!("at most {limit} elements")),
        K::MinItems { limit } => Reason::Bound(format!("at least {limit} elements")),
        K::MaxLength { limit } => Reason::Bound(format!("at most {limit} characters")),
        K::MinLength { limit } => Reason::Bound(format!("at least {limit} characters")),
        K::MaxProperties { limit } => Reason::Bound(format!("at most {limit} members")),
        K::MinProperties { limit } => Reason::Bound(format!("at least {limit} members")),
        K::MultipleOf { multiple_of } => Reason::Bound(format!("a multiple of {multiple_of}")),
        K::AnyOf { .. } => Reason::Composition("fits none of the alternatives"),
        K::OneOfNotValid { .. } => {
            Reason::Composition("fits none of the alternatives, and one is wanted")
        }
        K::OneOfMultipleValid { .. } => {
            Reason::Composition("fits more than one of the alternatives, and exactly one is wanted")
        }
        K::Not { .. } => Reason::Composition("fits a schema that it must not fit"),
        K::Contains => {
            Reason::Composition("holds too few or too many elements of the kind asked for")
        }
        K::PropertyNames { .. } => Reason::Composition("has a member whose name is not allowed"),
        K::UniqueItems => Reason::Repeated,
        K::Format { format } => Reason::Format(cut(format, MOST_SHOWN).into_owned()),
        _ => Reason::False,
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Null => "null",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    }
}

/// The JSON type of a value, as `type` names it (a number without a fraction is `number` too).
pub fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

impl Reason {
    /// A stable name of the kind, which holds no part of the instance.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::ExtraMember(_) => "extra-member",
            Self::ExtraItem => "extra-item",
            Self::MissingMember(_) => "missing-member",
            Self::WrongType { .. } => "wrong-type",
            Self::NotInEnum(_) => "not-in-enum",
            Self::NotConst(_) => "not-const",
            Self::Pattern(_) => "pattern",
            Self::Bound(_) => "bound",
            Self::Composition(_) => "composition",
            Self::Repeated => "repeated",
            Self::Format(_) => "format",
            Self::False => "nothing-fits",
        }
    }
}

/// The reason as a clause about "the value". It repeats the schema and never the instance, except
/// for the names of members that the schema does not allow.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExtraMember(names) if names.is_empty() => f.write_str("has undeclared members"),
            Self::ExtraMember(names) => {
                let list: Vec<_> = names
                    .iter()
                    .take(3)
                    .map(|n| format!("`{}`", cut(n, 40)))
                    .collect();
                let plural = if names.len() == 1 { "" } else { "s" };
                write!(f, "has the undeclared member{plural} {}", list.join(", "))?;
                match names.len().saturating_sub(3) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::ExtraItem => f.write_str("has more elements than the schema allows"),
            Self::MissingMember(name) => write!(f, "lacks the member `{}`", cut(name, 40)),
            Self::WrongType { expected, found } => {
                write!(f, "is of type {found}, not {}", expected.join(" or "))
            }
            Self::NotInEnum(options) => write!(f, "is none of {options}"),
            Self::NotConst(value) => write!(f, "is not {value}"),
            Self::Pattern(pattern) => write!(f, "does not match the pattern {pattern}"),
            Self::Bound(limit) => write!(f, "is not {limit}"),
            Self::Composition(clause) => f.write_str(clause),
            Self::Repeated => f.write_str("has two equal elements"),
            Self::Format(format) => write!(f, "is not of the format {format}"),
            Self::False => f.write_str("stands where the schema allows nothing"),
        }
    }
}
