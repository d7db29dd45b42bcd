//! The vocabulary of the shape rules: members and their JSON types.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::document::At;
use crate::schema::type_of;

/// A JSON type as a wire shape names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    String,
    Boolean,
    Object,
    Array,
    Number,
    Integer,
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Boolean => "a boolean",
            Self::Object => "an object",
            Self::Array => "an array",
            Self::Number => "a number",
            Self::Integer => "an integer",
        }
    }

    pub(super) fn holds(self, value: &Value) -> bool {
        match self {
            Self::String => value.is_string(),
            Self::Boolean => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Array => value.is_array(),
            Self::Number => value.is_number(),
            Self::Integer => is_integer(value),
        }
    }
}

/// Whether a value is a number without a fraction; `1.0` is one (rules.md, arbitration 4).
pub(super) fn is_integer(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.is_i64()
                || number.is_u64()
                || number.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => false,
    }
}

/// Reports a value that is not of type `kind`; `what` names it, as "`isError`" or "a content block".
pub(super) fn is(at: &At<'_>, what: &str, kind: Type, out: &mut Vec<Finding>) -> bool {
    if kind.holds(at.value) {
        return true;
    }
    let found = match (kind, at.value) {
        (Type::Integer, Value::Number(_)) => "a fractional number".to_owned(),
        (_, value) => article(value),
    };
    let message = format!("{what} is {found}, not {}", kind.name());
    out.push(Finding::new(at.pointer.clone(), message));
    false
}

/// Reports the member `name` where it is present and not of type `kind`; returns it where it is
/// as it should be.
pub(super) fn optional<'a>(
    at: &At<'a>,
    name: &str,
    kind: Type,
    out: &mut Vec<Finding>,
) -> Option<At<'a>> {
    let member = at.get(name)?;
    is(&member, &format!("`{name}`"), kind, out).then_some(member)
}

/// As [`optional`], and reports the member where it is missing.
pub(super) fn required<'a>(
    at: &At<'a>,
    name: &str,
    kind: Type,
    out: &mut Vec<Finding>,
) -> Option<At<'a>> {
    if at.get(name).is_none() {
        out.push(Finding::new(
            at.pointer.clone(),
            format!("`{name}` is missing"),
        ));
        return None;
    }
    optional(at, name, kind, out)
}

/// Reports those of `names` that are missing, together.
pub(super) fn missing(at: &At<'_>, names: &[&str], out: &mut Vec<Finding>) {
    let absent = names.iter().filter(|name| at.get(name).is_none());
    let absent: Vec<_> = absent.map(|name| format!("`{name}`")).collect();
    let message = match absent.as_slice() {
        [] => return,
        [one] => format!("{one} is missing"),
        [most @ .., last] => format!("{} and {last} are missing", most.join(", ")),
    };
    out.push(Finding::new(at.pointer.clone(), message));
}

/// As [`required`] for several members of one type.
pub(super) fn required_all(at: &At<'_>, names: &[&str], kind: Type, out: &mut Vec<Finding>) {
    missing(at, names, out);
    for name in names {
        optional(at, name, kind, out);
    }
}

/// Reports the member `name` where it is present and neither a string nor an integer: what
/// identifies a request or its progress.
pub(super) fn id(at: &At<'_>, name: &str, out: &mut Vec<Finding>) {
    let Some(member) = at.get(name) else {
        return;
    };
    if !(member.value.is_string() || is_integer(member.value)) {
        let found = match member.value {
            Value::Number(_) => "a fractional number".to_owned(),
            other => article(other),
        };
        let message = format!("`{name}` is {found}, neither a string nor an integer");
        out.push(Finding::new(member.pointer, message));
    }
}

/// Reports what is wrong with the member `icons`, where there is one.
pub(super) fn icons(at: &At<'_>, out: &mut Vec<Finding>) {
    let Some(icons) = optional(at, "icons", Type::Array, out) else {
        return;
    };
    for icon in icons.elements() {
        if !is(&icon, "an icon", Type::Object, out) {
            continue;
        }
        required(&icon, "src", Type::String, out);
        optional(&icon, "mimeType", Type::String, out);
        if let Some(sizes) = optional(&icon, "sizes", Type::Array, out) {
            for size in sizes.elements() {
                is(&size, "a size", Type::String, out);
            }
        }
        one_of(&icon, "theme", &["light", "dark"], out);
    }
}

/// Reports the member `name` where it is present and none of `words`.
pub(super) fn one_of(at: &At<'_>, name: &str, words: &[&str], out: &mut Vec<Finding>) {
    let Some(member) = at.get(name) else {
        return;
    };
    if !member
        .value
        .as_str()
        .is_some_and(|word| words.contains(&word))
    {
        let list: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let nor = if words.len() == 1 { "not" } else { "none of" };
        let message = format!("`{name}` is {nor} {}", list.join(", "));
        out.push(Finding::new(member.pointer, message));
    }
}

/// The type of a value with its article.
pub(super) fn article(value: &Value) -> String {
    match type_of(value) {
        "null" => "null".to_owned(),
        name if name.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {name}"),
        name => format!("a {name}"),
    }
}
