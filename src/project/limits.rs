//! How large a projection may be.

use serde_json::Value;

use super::target::Limits;
use crate::schema::{Dialect, Holds};

#[derive(Debug, Default)]
struct Size {
    levels: usize,
    properties: usize,
    optional: usize,
    enum_values: usize,
    characters: usize,
}

/// What is too large about a projected schema, as a clause.
pub(super) fn exceeded(schema: &Value, limits: &Limits) -> Option<String> {
    if *limits == Limits::default() {
        return None;
    }
    let mut size = Size::default();
    measure(schema, 0, &mut size);
    let each = [
        (limits.levels, size.levels, "levels of objects and arrays"),
        (limits.properties, size.properties, "properties"),
        (limits.optional, size.optional, "optional properties"),
        (limits.enum_values, size.enum_values, "members of enums"),
        (
            limits.characters,
            size.characters,
            "characters of names and enum members",
        ),
    ];
    each.into_iter().find_map(|(most, found, what)| {
        let most = most.filter(|most| found > *most)?;
        Some(format!("it has {found} {what}, more than {most}"))
    })
}

fn measure(schema: &Value, level: usize, size: &mut Size) {
    let Value::Object(members) = schema else {
        return;
    };
    let container = members.contains_key("properties") || members.contains_key("items");
    let level = level + usize::from(container);
    size.levels = size.levels.max(level);
    let text = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
    if let Some(Value::Array(values)) = members.get("enum") {
        size.enum_values += values.len();
        size.characters += values.iter().map(text).sum::<usize>();
    }
    size.characters += members.get("const").map_or(0, text);
    let required = members
        .get("required")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    for (keyword, value) in members {
        match (Dialect::Draft202012.keyword(keyword), value) {
            (Some(Holds::Named), Value::Object(named)) => {
                if keyword == "properties" {
                    size.properties += named.len();
                    size.optional += named.len().saturating_sub(required);
                }
                for (name, member) in named {
                    size.characters += name.chars().count();
                    measure(
                        member,
                        if keyword == "properties" { level } else { 0 },
                        size,
                    );
                }
            }
            (Some(Holds::Schemas), Value::Array(items)) => {
                for item in items {
                    measure(item, level, size);
                }
            }
            (Some(Holds::Schema), value) => measure(value, level, size),
            _ => {}
        }
    }
}
