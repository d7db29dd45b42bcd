//! mcp.tool.schema.unsatisfiable: some value can fit each part of a schema.

use serde_json::{Number, Value};

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::shape::is_integer;
use crate::schema::{Node, type_of};
use crate::source::cut;

/// Pairs of a lower and an upper bound, the types that they speak of, and whether equality leaves
/// nothing. A value of another type is beyond both.
const BOUNDS: &[(&str, &str, &[&str], bool)] = &[
    ("minimum", "maximum", &["number", "integer"], false),
    ("exclusiveMinimum", "maximum", &["number", "integer"], true),
    ("minimum", "exclusiveMaximum", &["number", "integer"], true),
    ("exclusiveMinimum", "exclusiveMaximum", &["number", "integer"], true),
    ("minLength", "maxLength", &["string"], false),
    ("minItems", "maxItems", &["array"], false),
    ("minProperties", "maxProperties", &["object"], false),
    ("minContains", "maxContains", &["array"], false),
];

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for node in &at.schema.tree().nodes {
            if node.dialect.ref_hides_siblings() && node.get("$ref").is_some() {
                continue;
            }
            let mut add = |keyword: &str, message: String| {
                let place = at.at(&node.pointer.join(keyword));
                out.push(Finding::new(place, message).keyword(keyword));
            };
            values(node, &mut add);
            bounds(node, &mut add);
            required(node, &mut add);
        }
    }
}

/// `enum` and `const` beside a `type` that none of their values has.
fn values(node: &Node<'_>, add: &mut impl FnMut(&str, String)) {
    let Some(kinds) = node.get("type") else {
        return;
    };
    if let Some(Value::Array(members)) = node.get("enum")
        && !members.iter().any(|member| has_type(member, kinds))
    {
        add("enum", "no member of the enum has the declared type".to_owned());
    }
    if let Some(value) = node.get("const")
        && node.dialect.keyword("const").is_some()
        && !has_type(value, kinds)
    {
        add("const", "the constant is not of the declared type".to_owned());
    }
}

fn has_type(value: &Value, kinds: &Value) -> bool {
    let is = |kind: &Value| match kind.as_str() {
        Some("integer") => is_integer(value),
        Some(name) => name == type_of(value),
        None => true,
    };
    match kinds {
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    }
}

fn bounds(node: &Node<'_>, add: &mut impl FnMut(&str, String)) {
    let lower = |name: &String| name.starts_with("min") || name == "exclusiveMinimum";
    if !node.value.as_object().is_some_and(|members| members.keys().any(lower)) {
        return;
    }
    for (low, high, kinds, open) in BOUNDS {
        let confined = match node.get("type") {
            Some(Value::String(kind)) => kinds.contains(&kind.as_str()),
            Some(Value::Array(list)) => list
                .iter()
                .all(|kind| kind.as_str().is_some_and(|kind| kinds.contains(&kind))),
            _ => false,
        };
        let (true, Some(Value::Number(least)), Some(Value::Number(most))) =
            (confined, node.get(low), node.get(high))
        else {
            continue;
        };
        let is_known = |name: &str| node.dialect.keyword(name).is_some();
        if !is_known(low) || !is_known(high) || *low == "minContains" && node.get("contains").is_none() {
            continue;
        }
        let crossed = match (integer(least), integer(most)) {
            (Some(least), Some(most)) => least > most || *open && least == most,
            _ => {
                let (least, most) = (least.as_f64(), most.as_f64());
                least > most || *open && least == most
            }
        };
        if crossed {
            add(low, format!("`{low}` leaves nothing below `{high}`"));
        }
    }
}

fn integer(number: &Number) -> Option<i128> {
    let large = || number.as_u64().map(i128::from);
    number.as_i64().map(i128::from).or_else(large)
}

/// A member that must be there and that nothing can fit; what need not be an object fits without.
fn required(node: &Node<'_>, add: &mut impl FnMut(&str, String)) {
    let Some(Value::Array(names)) = node.get("required") else {
        return;
    };
    let is_object = |kind: &Value| match kind {
        Value::Array(kinds) => kinds.iter().all(|kind| kind == "object"),
        kind => kind == "object",
    };
    if !node.get("type").is_none_or(is_object) {
        return;
    }
    let Some(properties) = node.get("properties").and_then(Value::as_object) else {
        return;
    };
    for name in names.iter().filter_map(Value::as_str) {
        if properties.get(name) == Some(&Value::Bool(false)) {
            let name = cut(name, 40);
            add("required", format!("`{name}` is required, and its schema is false"));
        }
    }
}
