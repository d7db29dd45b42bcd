//! Tools, and the schemas in them: definitions that every version accepts, and such with a fault
//! that is known.

use serde_json::{Map, Value, json};

use super::rng::Rng;

const TOOLS: &[&str] = &[
    "get_report",
    "search_tickets",
    "create_refund",
    "list-orders",
    "forecast.v2",
];
const MEMBERS: &[&str] = &[
    "region", "count", "id", "status", "amount", "rows", "note", "due", "owner",
];

/// A tool that is in order on every version that knows structured output.
pub fn tool(rng: &mut Rng) -> Value {
    let name = TOOLS[rng.below(TOOLS.len())];
    let mut tool = json!({"name": name, "inputSchema": object(rng, 2)});
    let mut set = |name: &str, value: Value| tool[name] = value;
    if rng.chance(60) {
        set("outputSchema", object(rng, 3));
    }
    if rng.chance(50) {
        set("description", json!("What the desk needs to know."));
    }
    if rng.chance(30) {
        set("title", json!("Report"));
    }
    if rng.chance(30) {
        set(
            "annotations",
            json!({"readOnlyHint": true, "openWorldHint": false}),
        );
    }
    if rng.chance(20) {
        set("_meta", json!({"example.com/team": "billing"}));
    }
    tool
}

/// A schema of 2020-12, of any type, at most so many levels deep.
pub fn schema(rng: &mut Rng, levels: usize) -> Value {
    let mut schema = match rng.below(if levels == 0 { 5 } else { 10 }) {
        0 => string(rng),
        1 => number(rng),
        2 => json!({"type": ["boolean", "null"]}),
        3 => json!({"enum": ["open", "pending", "closed", 3, null]}),
        4 => json!({"type": "boolean"}),
        5 => array(rng, levels - 1),
        6 => union(rng, levels - 1),
        7 => map(rng, levels - 1),
        _ => object(rng, levels - 1),
    };
    if rng.chance(10) {
        schema["description"] = json!("As the ledger has it.");
    }
    schema
}

/// A schema whose root is the type object.
pub fn object(rng: &mut Rng, levels: usize) -> Value {
    let mut properties = Map::new();
    for _ in 0..=rng.below(4) {
        let name = MEMBERS[rng.below(MEMBERS.len())];
        properties.insert(name.to_owned(), schema(rng, levels.saturating_sub(1)));
    }
    let names: Vec<String> = properties.keys().cloned().collect();
    let required: Vec<&String> = names.iter().filter(|_| rng.chance(50)).collect();
    let mut object = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    match rng.below(8) {
        0..3 => object["additionalProperties"] = json!(false),
        3 => object["minProperties"] = json!(1),
        4 => object["maxProperties"] = json!(names.len() + 2),
        5 => object["dependentRequired"] = json!({names[0].as_str(): [names[names.len() - 1]]}),
        6 => {
            object["if"] = json!({"required": [names[0]]});
            object["then"] = json!({"required": [names[names.len() - 1]]});
        }
        _ => {}
    }
    object
}

fn map(rng: &mut Rng, levels: usize) -> Value {
    let value = schema(rng, levels);
    match rng.below(3) {
        0 => json!({"type": "object", "additionalProperties": value}),
        1 => json!({"type": "object", "patternProperties": {"^[a-z]{2,3}$": value},
            "additionalProperties": false}),
        _ => json!({"type": "object", "propertyNames": {"pattern": "^[A-Z]{3}$"},
            "additionalProperties": value, "minProperties": 1}),
    }
}

fn array(rng: &mut Rng, levels: usize) -> Value {
    let items = schema(rng, levels);
    match rng.below(5) {
        0 => json!({"type": "array", "items": items, "minItems": 1}),
        1 => json!({"type": "array", "items": items, "maxItems": 3}),
        2 => json!({"type": "array", "prefixItems": [items, {"type": "integer"}], "items": false}),
        3 => json!({"type": "array", "contains": {"const": "total"}, "maxContains": 2}),
        _ => json!({"type": "array", "items": {"type": "integer"}, "uniqueItems": true}),
    }
}

fn union(rng: &mut Rng, levels: usize) -> Value {
    let other = schema(rng, levels);
    match rng.below(4) {
        0 => json!({"anyOf": [other, {"type": "null"}]}),
        1 => json!({"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "value": other},
                "required": ["kind"], "additionalProperties": false},
            {"type": "object", "properties": {"kind": {"const": "b"}},
                "required": ["kind"], "additionalProperties": false}
        ]}),
        2 => json!({"allOf": [{"type": "object", "properties": {"id": {"type": "string"}}},
            {"required": ["id"]}]}),
        _ => json!({"type": "string", "not": {"enum": ["", "null"]}}),
    }
}

fn string(rng: &mut Rng) -> Value {
    match rng.below(5) {
        0 => json!({"type": "string", "minLength": 1 + rng.below(3)}),
        1 => json!({"type": "string", "maxLength": 3 + rng.below(20)}),
        2 => json!({"type": "string", "pattern": "^[A-Z]{1,3}-[0-9]+$"}),
        3 => json!({"type": "string", "format": "date-time"}),
        _ => json!({"type": "string"}),
    }
}

fn number(rng: &mut Rng) -> Value {
    let low = rng.below(20);
    match rng.below(6) {
        0 => json!({"type": "integer", "minimum": low, "maximum": low + rng.below(50)}),
        1 => json!({"type": "number", "exclusiveMinimum": 0}),
        2 => json!({"type": "number", "multipleOf": 0.01, "minimum": 0}),
        3 => json!({"type": "integer", "multipleOf": 5}),
        4 => json!({"type": "number", "exclusiveMaximum": 100.5}),
        _ => json!({"type": "integer"}),
    }
}

/// Gives a tool one fault, and says which rule it breaks first of all.
pub fn damage(tool: &mut Value, rng: &mut Rng) -> &'static str {
    let input = rng.chance(50) || tool.get("outputSchema").is_none();
    let side = if input { "inputSchema" } else { "outputSchema" };
    let unset = |tool: &mut Value, name: &str| {
        tool.as_object_mut()
            .and_then(|members| members.shift_remove(name));
    };
    match rng.below(16) {
        0 => unset(tool, "name"),
        1 => tool["name"] = [json!(7), json!(null), json!(["get_report"])][rng.below(3)].clone(),
        2 => tool["title"] = json!(null),
        3 => tool["annotations"] = json!({"readOnlyHint": "true"}),
        4 => {
            tool["name"] = json!(["get report", "", "größe", "a/b"][rng.below(4)]);
            return "mcp.tool.name.format";
        }
        5 => {
            unset(tool, "inputSchema");
            return "mcp.tool.input-schema.required";
        }
        6 => {
            tool["inputSchema"] = [json!(null), json!(true), json!("object")][rng.below(3)].clone();
            return "mcp.tool.input-schema.required";
        }
        7 => {
            tool["inputSchema"]["type"] =
                [json!(["object", "null"]), json!("array"), json!("string")][rng.below(3)].clone();
            return "mcp.tool.input-schema.object-root";
        }
        8 => {
            unset(&mut tool["inputSchema"], "type");
            return "mcp.tool.input-schema.object-root";
        }
        9 => {
            tool["outputSchema"] = json!({"type": "array", "items": schema(rng, 1)});
            return "mcp.tool.output-schema.object-root";
        }
        10 => {
            let uri = ["", "https://example.com/own", "draft-07"][rng.below(3)];
            tool[side]["$schema"] = json!(uri);
            return "mcp.tool.schema.dialect";
        }
        11 => {
            tool[side]["properties"]["missing"] = json!({"$ref": "#/$defs/missing"});
            return "mcp.tool.schema.ref-unresolved";
        }
        12 => {
            let elsewhere = json!({"$ref": "https://example.com/order.json"});
            tool[side]["properties"]["elsewhere"] = elsewhere;
            return "mcp.tool.schema.ref-external";
        }
        13 => {
            tool[side]["properties"]["anything"] = json!(true);
            return "mcp.tool.schema.native-shape";
        }
        14 => {
            tool[side]["properties"]["when"] = json!({"type": "date"});
            return "mcp.tool.schema.valid";
        }
        _ => {
            tool["annotations"] = json!({"readOnlyHint": true, "destructiveHint": true});
            return "mcp.tool.annotations.contradiction";
        }
    }
    "mcp.tool.shape"
}
