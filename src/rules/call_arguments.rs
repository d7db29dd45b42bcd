//! The arguments of a call, as the rules about their value see them.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::context::{Context, SchemaAt};
use crate::document::{At, Call};

static NONE: LazyLock<Value> = LazyLock::new(|| Value::Object(Map::new()));

/// The arguments, if they are an object, and the inputSchema of the tool. A request without
/// arguments passes an empty object; an exchange without says nothing about them.
pub(super) fn typed<'a, 'c>(
    context: &Context<'c>,
    call: &Call<'a>,
) -> Option<(At<'a>, &'c SchemaAt<'c>)> {
    let schema = context.tool(call.tool)?.input.as_ref()?;
    let arguments = match (&call.arguments, &call.params) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(params)) => At::new(&NONE, params.pointer.join("arguments")),
        (None, None) => return None,
    };
    arguments.value.is_object().then_some((arguments, schema))
}
