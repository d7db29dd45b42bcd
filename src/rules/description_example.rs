//! The examples of a description's tools.

use serde_json::{Map, Value};

use super::context::{Context, SchemaAt, ToolView};
use super::description_members::add;
use super::shape::{Type, is, required_all};
use super::value;
use crate::diagnostic::Finding;
use crate::document::{At, DescribedTool, Description, ToolExample, is_name};
use crate::protocol::ProtocolVersion::V2025_11_25;
use crate::schema::{Bounds, Schema};
use crate::source::cut;

/// The members by which a JSON-RPC response is told from the result in it.
const ENVELOPE: [&str; 3] = ["jsonrpc", "id", "error"];
/// The members of a result that is not the last word: of a task, of a request for more input.
const UNFINISHED: [&str; 3] = ["task", "inputRequests", "requestState"];

/// An example of a tool that is in scope, with the halves that its own shape promises.
pub(super) struct Example<'d, 'c> {
    /// The tool as the description has it.
    pub(super) described: &'d DescribedTool<'d>,
    /// The tool.
    pub(super) view: &'c ToolView<'c>,
    /// Where the example stands.
    pub(super) at: At<'d>,
    /// The arguments of the call.
    pub(super) input: At<'d>,
    /// What it came to.
    pub(super) result: At<'d>,
    /// Whether the tool refers to it: what is wrong with it then need not be so elsewhere.
    shared: bool,
}

/// The tools of the version with each of their examples.
pub(super) fn written<'d, 'c>(
    context: &Context<'c>,
    description: &'d Description<'d>,
) -> impl Iterator<Item = (&'d DescribedTool<'d>, &'c ToolView<'c>, &'d ToolExample<'d>)> {
    let tools = description.tools.iter();
    let tools = tools.filter_map(|tool| Some((tool, context.tool(Some(tool.tool))?)));
    tools.flat_map(|(tool, view)| {
        tool.examples
            .iter()
            .map(move |example| (tool, view, example))
    })
}

/// The examples of the version that have the shape of one.
pub(super) fn sound<'d, 'c>(
    context: &Context<'c>,
    description: &'d Description<'d>,
) -> impl Iterator<Item = Example<'d, 'c>> {
    written(context, description).filter_map(|(described, view, example)| {
        let at = example.at.as_ref()?;
        let mut faults = Vec::new();
        check_shape(example, &mut faults);
        faults.is_empty().then_some(Example {
            described,
            view,
            input: at.get("input")?,
            result: at.get("result")?,
            shared: at.pointer != example.used,
            at: at.clone(),
        })
    })
}

/// Reports what keeps an example from being one: a call's arguments, and what it came to.
pub(super) fn check_shape(example: &ToolExample<'_>, out: &mut Vec<Finding>) {
    let first = out.len();
    if let Some(at) = &example.at
        && is(at, "an example", Type::Object, out)
    {
        check_halves(at, out);
    }
    if !is_name(example.name) {
        let message = "the name is not made of letters, digits, `.`, `_` and `-`";
        add(out, first, Finding::new(example.used.clone(), message));
    }
}

fn check_halves(at: &At<'_>, out: &mut Vec<Finding>) {
    for (name, member) in at.members() {
        if !matches!(name, "input" | "result") && !name.starts_with("x-") {
            let message = format!("`{}` is no member of an example", cut(name, 40));
            out.push(Finding::new(member.pointer, message));
        }
    }
    required_all(at, &["input", "result"], Type::Object, out);
    let Some(result) = at.get("result").filter(|result| result.value.is_object()) else {
        return;
    };
    if let Some(member) = ENVELOPE.iter().find_map(|name| result.get(name)) {
        let name = member.pointer.last().unwrap_or_default().into_owned();
        let message = format!("`{name}` belongs to the JSON-RPC response around a result");
        out.push(Finding::new(member.pointer, message));
    }
    let unfinished = UNFINISHED.iter().find_map(|name| result.get(name));
    let unfinished = unfinished.or_else(|| {
        let form = result.get("resultType")?;
        matches!(form.value.as_str()?, "task" | "input_required").then_some(form)
    });
    if let Some(member) = unfinished {
        let message = "the result is a step on the way, and an example shows a call that is over";
        out.push(Finding::new(member.pointer, message));
    }
}

impl<'d, 'c> Example<'d, 'c> {
    /// Whether the tool itself says that it failed.
    pub(super) fn is_error(&self) -> bool {
        self.result.value.get("isError") == Some(&Value::Bool(true))
    }

    /// The outputSchema of its tool, if there is one to judge by.
    pub(super) fn output(&self) -> Option<&'c SchemaAt<'c>> {
        let output = self.view.output.as_ref();
        output.filter(|_| self.described.has_output)
    }

    /// The values that the tool's schemas are about, each with its schema. `isError` lifts the
    /// output's.
    pub(super) fn typed(&self) -> impl Iterator<Item = (At<'d>, &'c SchemaAt<'c>)> {
        let input = self.view.input.as_ref();
        let input = input.filter(|_| self.described.has_input);
        let input = input.map(|schema| (self.input.clone(), schema));
        let output = self.output().filter(|_| !self.is_error());
        let structured = self.result.get("structuredContent");
        input.into_iter().chain(structured.zip(output))
    }

    /// Says in each of `findings` for which tool it holds, where the example is one of several's.
    pub(super) fn attribute(&self, findings: &mut [Finding]) {
        let Some(name) = self.view.tool.name().filter(|_| self.shared) else {
            return;
        };
        for finding in findings {
            let said = &finding.message;
            finding.message = format!("as an example of `{}`, {said}", cut(name, 40));
        }
    }
}

/// Reports how a value of an example violates its schema. Before 2025-11-25 no dialect is stated,
/// and only the keywords that those versions define themselves are applied.
pub(super) fn check_value(
    context: &Context<'_>,
    value: &At<'_>,
    at: &SchemaAt<'_>,
    out: &mut Vec<Finding>,
) {
    if context.version >= V2025_11_25 {
        value::check(context, value, at, out);
        return;
    }
    if !at.schema.excesses().is_empty() {
        return;
    }
    let native = native(at.schema.value());
    let at = SchemaAt {
        schema: Schema::new(&native, Bounds::default()),
        pointer: at.pointer.clone(),
        member: at.member,
    };
    value::check(context, value, &at, out);
}

/// What remains of a schema when only `type`, `properties`, `required` and `additionalProperties`
/// are read, and only where they are well-formed. Every place stays where it was.
fn native(schema: &Value) -> Value {
    let Value::Object(members) = schema else {
        return Value::Object(Map::new());
    };
    let mut kept = Map::new();
    for (keyword, value) in members {
        let value = match (keyword.as_str(), value) {
            ("type", value) if is_type(value) => value.clone(),
            ("properties", Value::Object(properties)) => {
                let native = |(name, schema): (&String, &Value)| (name.clone(), native(schema));
                properties.iter().map(native).collect()
            }
            ("required", Value::Array(names)) if is_set_of_names(names) => value.clone(),
            // Beside `patternProperties`, which is not read, it cannot be told what is additional.
            ("additionalProperties", _) if members.contains_key("patternProperties") => continue,
            ("additionalProperties", Value::Bool(_)) => value.clone(),
            ("additionalProperties", Value::Object(_)) => native(value),
            _ => continue,
        };
        kept.insert(keyword.clone(), value);
    }
    Value::Object(kept)
}

fn is_type(value: &Value) -> bool {
    const TYPES: [&str; 7] = [
        "array", "boolean", "integer", "null", "number", "object", "string",
    ];
    let is_name = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::Array(names) => {
            names.iter().all(is_name) && !names.is_empty() && is_set_of_names(names)
        }
        one => is_name(one),
    }
}

fn is_set_of_names(names: &[Value]) -> bool {
    let mut seen = std::collections::HashSet::new();
    names
        .iter()
        .all(|name| name.is_string() && seen.insert(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_native_part_of_a_schema_says_no_more_than_the_schema() {
        let schema = json!({
            "$schema": "urn:none", "type": "object", "required": ["id", "id"],
            "properties": {"id": {"type": "str", "minLength": 3}, "any": true},
            "patternProperties": {"^x-": {}}, "additionalProperties": false
        });
        let kept = json!({"type": "object", "properties": {"id": {}, "any": {}}});
        assert_eq!(native(&schema), kept);
    }
}
