//! mcp.result.legacy-wrapper: the structured content is not the value under a lone `result`.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::result_form;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    if result_form::is_error(result) {
        return;
    }
    let Some((structured, schema)) = result_form::typed(context, result) else {
        return;
    };
    let is_alone = structured
        .value
        .as_object()
        .is_some_and(|members| members.len() == 1);
    let Some(inner) = structured.get("result").filter(|_| is_alone) else {
        return;
    };
    let (Value::Object(_), Some(compiled)) = (inner.value, context.compiled(Some(schema))) else {
        return;
    };
    let whole = compiled.fits(context.instance(structured.value, &structured.pointer));
    let part = compiled.fits(context.instance(inner.value, &inner.pointer));
    if (whole, part) == (Ok(false), Ok(true)) {
        let message = "`result` alone fits the outputSchema: the value is wrapped once too often";
        out.push(Finding::new(structured.pointer, message));
    }
}
