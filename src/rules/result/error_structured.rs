//! mcp.result.error-structured: an error holds no structured content that breaks the schema.

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::result_form;
use crate::schema::Judgement;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    if !result_form::is_error(result) {
        return;
    }
    let Some((structured, schema)) = result_form::typed(context, result) else {
        return;
    };
    let Some(compiled) = context.compiled(Some(schema)) else {
        return;
    };
    let instance = context.instance(structured.value, &structured.pointer);
    // That it is there at all is the point; its first violation is enough to see why.
    if let Judgement::DoesNotFit(violations) = compiled.judge(instance)
        && let Some(first) = violations.first()
    {
        let place = match first.instance.as_str() {
            "" => "it".to_owned(),
            pointer => format!("what is at {pointer}"),
        };
        let message = format!(
            "`isError` is true and `structuredContent` breaks the outputSchema: {place} {}",
            first.reason
        );
        out.push(Finding::new(structured.pointer, message));
    }
}
