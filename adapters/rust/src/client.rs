//! What an MCP client checks before and after a call, on boon.

use std::sync::LazyLock;

use boon::{
    CompileError, Compiler, Draft, ErrorKind, SchemaIndex, Schemas, SchemeUrlLoader, ValidationError,
};
use serde_json::{Value, json};

/// The shapes of MCP's own objects. A client that is built on an SDK has types instead.
static SHAPES: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../protocol.json")).expect("protocol.json is JSON")
});

/// A no: the members of an answer that say why and where.
pub struct Rejected(pub Value);

fn rejected<T>(reason: &str) -> Result<T, Rejected> {
    Err(Rejected(json!({"reason": reason})))
}

fn compiled(schema: &Value) -> Result<(Schemas, SchemaIndex), Rejected> {
    let dialect = schema.get("$schema");
    if dialect.is_some_and(|uri| uri.as_str().and_then(Draft::from_url).is_none()) {
        return rejected("dialect-unsupported"); // boon would try to load it
    }
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.set_default_draft(Draft::V2020_12);
    compiler.use_loader(Box::new(SchemeUrlLoader::new())); // no scheme: no file and no network
    let place = "https://tool.invalid/schema";
    compiler.add_resource(place, schema.clone()).expect("the place is a URL");
    match compiler.compile(place, &mut schemas) {
        Ok(index) => Ok((schemas, index)),
        Err(
            CompileError::LoadUrlError { .. }
            | CompileError::JsonPointerNotFound(_)
            | CompileError::AnchorNotFound { .. },
        ) => rejected("ref-unresolved"),
        Err(_) => rejected("schema-invalid"),
    }
}

/// Some errors only gather what is wrong further in; the first of those says enough.
fn first<'e>(error: &'e ValidationError<'e, 'e>) -> &'e ValidationError<'e, 'e> {
    use ErrorKind::{AllOf, Group, Reference, Schema};
    match (&error.kind, error.causes.first()) {
        (Schema { .. } | Group | Reference { .. } | AllOf, Some(cause)) => first(cause),
        _ => error,
    }
}

fn judge((schemas, index): (Schemas, SchemaIndex), value: &Value, reason: &str) -> Result<(), Rejected> {
    let Err(error) = schemas.validate(value, index) else { return Ok(()) };
    let error = first(&error);
    let keyword = match error.kind.keyword_path().map(|path| path.keyword) {
        Some("additionalProperty") => "additionalProperties", // boon's own name for it
        keyword => keyword.unwrap_or("false"),
    };
    let reason = if matches!(error.kind, ErrorKind::RefCycle { .. }) { "ref-unresolved" } else { reason };
    let at = error.instance_location.to_string();
    Err(Rejected(json!({"reason": reason, "keyword": keyword, "at": at})))
}

pub fn expect(name: &str, value: &Value, reason: &str) -> Result<(), Rejected> {
    let shape = json!({"$ref": format!("#/$defs/{name}"), "$defs": SHAPES["$defs"]});
    judge(compiled(&shape)?, value, reason).or_else(|_| rejected(reason))
}

fn schema_of(tool: &Value, side: &str, version: &str) -> Result<(Schemas, SchemaIndex), Rejected> {
    expect(&format!("{side}-{version}"), &tool[side], "schema-invalid")?;
    compiled(&tool[side])
}

pub fn definition(version: &str, tool: &Value) -> Result<(), Rejected> {
    expect(&format!("tool-{version}"), tool, "shape-invalid")?;
    let mut sides = ["inputSchema", "outputSchema"].into_iter().filter(|side| tool.get(side).is_some());
    sides.try_for_each(|side| schema_of(tool, side, version).map(drop))
}

pub fn arguments(version: &str, tool: &Value, arguments: &Value) -> Result<(), Rejected> {
    expect("arguments", arguments, "shape-invalid")?;
    judge(schema_of(tool, "inputSchema", version)?, arguments, "arguments-mismatch")
}

/// A failed call owes no value, and neither does one that still waits for input.
pub fn structured(version: &str, tool: &Value, result: &Value) -> Result<(), Rejected> {
    if tool.get("outputSchema").is_none() || result["isError"] == true || result.get("content").is_none() {
        return Ok(());
    }
    let schema = schema_of(tool, "outputSchema", version)?;
    match result.get("structuredContent") {
        Some(value) => judge(schema, value, "structured-mismatch"),
        None => rejected("structured-missing"),
    }
}

pub fn contract(schema: &Value, value: &Value) -> Result<(), Rejected> {
    judge(compiled(schema)?, value, "structured-mismatch")
}
