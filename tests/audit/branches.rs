//! The branches of the guard, each example with its neighbours, as a log records them.

use mcp_conform::protocol::ProtocolVersion::{self, V2025_11_25, V2026_07_28};
use rstest::rstest;
use serde_json::{Value, json};

use crate::logs::{one, recorded};

const SCHEMA: &str = "mcp.result.structured-content.schema";
const REQUIRED: &str = "mcp.result.structured-content.required";
const OBJECT: &str = "mcp.result.structured-content.object";

fn result(structured: &Value) -> Value {
    json!({"content": [], "structuredContent": structured})
}

#[rstest]
#[case::fits_at_the_root(V2025_11_25, false, json!({"status": "open"}), "validate_root", "fits", &[])]
#[case::of_a_meta_id_tool(V2025_11_25, true, json!({"status": "open"}), "validate_root", "fits", &[])]
#[case::on_2026(V2026_07_28, false, json!({"status": "open"}), "validate_root", "fits", &[])]
#[case::misses_the_enum(V2025_11_25, false, json!({"status": "lost"}), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::an_empty_object_is_there(V2025_11_25, true, json!({}), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::envelope(V2025_11_25, true, json!({"result": {"status": "open"}}), "legacy_wrapper", "fits", &[])]
#[case::envelope_that_does_not_fit(V2025_11_25, true, json!({"result": {"status": 1}}), "legacy_wrapper", "does-not-fit", &[SCHEMA])]
#[case::envelope_twice(V2025_11_25, true, json!({"result": {"result": {"status": "open"}}}), "legacy_wrapper", "does-not-fit", &[SCHEMA])]
#[case::envelope_not_announced(V2025_11_25, false, json!({"result": {"status": "open"}}), "validate_root", "does-not-fit", &[SCHEMA, "mcp.result.legacy-wrapper"])]
#[case::envelope_on_2026(V2026_07_28, true, json!({"result": {"status": "open"}}), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::envelope_of_an_array(V2025_11_25, true, json!({"result": [1]}), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::envelope_with_company(V2025_11_25, true, json!({"result": {"status": "open"}, "cached": true}), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::another_key(V2025_11_25, true, json!({"data": {"status": "open"}}), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::null(V2025_11_25, false, json!(null), "missing", "does-not-fit", &[OBJECT])]
#[case::null_on_2026(V2026_07_28, false, json!(null), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::array(V2025_11_25, true, json!([{"status": "open"}]), "missing", "does-not-fit", &[OBJECT])]
#[case::array_on_2026(V2026_07_28, true, json!([1]), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::text(V2025_11_25, false, json!("{\"status\":\"open\"}"), "missing", "does-not-fit", &[OBJECT])]
fn structured_content(
    #[case] version: ProtocolVersion,
    #[case] wraps: bool,
    #[case] structured: Value,
    #[case] branch: &str,
    #[case] verdict: &str,
    #[case] rules: &[&str],
) {
    let found = one(&recorded(version, wraps, &result(&structured)));
    assert_eq!(found, (branch, verdict, rules.to_vec()));
}

#[rstest]
#[case::absent(V2025_11_25, json!({"content": []}), "does-not-fit", &[REQUIRED])]
#[case::absent_on_2026(V2026_07_28, json!({"content": [{"type": "text", "text": "{\"status\":\"open\"}"}]}), "does-not-fit", &[REQUIRED])]
#[case::absent_on_error(V2026_07_28, json!({"content": [], "isError": true}), "fits", &[])]
#[case::absent_on_no_error(V2026_07_28, json!({"content": [], "isError": false}), "does-not-fit", &[REQUIRED])]
#[case::null_on_error(V2025_11_25, json!({"structuredContent": null, "isError": true}), "fits", &[])]
#[case::input_first(V2026_07_28, json!({"resultType": "input_required", "requestState": "s"}), "fits", &[])]
#[case::input_first_means_nothing_on_2025(V2025_11_25, json!({"resultType": "input_required", "content": []}), "does-not-fit", &[REQUIRED])]
#[case::task(V2026_07_28, json!({"resultType": "task"}), "fits", &[])]
#[case::task_on_2025(V2025_11_25, json!({"task": {"taskId": "t-1"}}), "fits", &[])]
#[case::result_is_no_object(V2026_07_28, json!([]), "does-not-fit", &["mcp.result.shape"])]
fn nothing_structured(
    #[case] version: ProtocolVersion,
    #[case] result: Value,
    #[case] verdict: &str,
    #[case] rules: &[&str],
) {
    assert_eq!(
        one(&recorded(version, false, &result)),
        ("missing", verdict, rules.to_vec())
    );
}

#[rstest]
#[case::error_with_a_value_of_its_own(json!({"isError": true, "structuredContent": {"code": 404}}), "fits", &["mcp.result.error-structured"])]
#[case::error_with_a_value_that_fits(json!({"isError": true, "structuredContent": {"status": "open"}}), "fits", &[])]
#[case::error_flag_is_no_boolean(json!({"isError": "true", "structuredContent": {"status": "open"}}), "does-not-fit", &["mcp.result.shape"])]
#[case::both(json!({"isError": 1, "structuredContent": {}}), "does-not-fit", &["mcp.result.shape", SCHEMA])]
#[case::complete(json!({"resultType": "complete", "structuredContent": {"status": "open"}}), "fits", &[])]
#[case::no_known_type(json!({"resultType": "partial", "structuredContent": {"status": "open"}}), "does-not-fit", &["mcp.result.type"])]
#[case::type_is_no_string(json!({"resultType": null, "structuredContent": {}}), "does-not-fit", &["mcp.result.type"])]
#[case::input_first_with_a_value(json!({"resultType": "input_required", "structuredContent": 7}), "fits", &[])]
fn what_the_result_says_of_itself(
    #[case] result: Value,
    #[case] verdict: &str,
    #[case] rules: &[&str],
) {
    let found = one(&recorded(V2026_07_28, false, &result));
    assert_eq!(found, ("validate_root", verdict, rules.to_vec()));
}

#[rstest]
#[case::null(json!(null))]
#[case::empty(json!({}))]
#[case::a_list(json!(["search_tickets", "2025-11-25", true]))]
#[case::no_tool(json!({"protocol": "2025-11-25", "metaIdTool": true}))]
#[case::empty_tool(json!({"tool": "", "protocol": "2025-11-25", "metaIdTool": true}))]
#[case::null_tool(json!({"tool": null, "protocol": "2025-11-25", "metaIdTool": true}))]
#[case::null_protocol(json!({"tool": "t", "protocol": null, "metaIdTool": true}))]
#[case::older_protocol(json!({"tool": "t", "protocol": "2025-06-18", "metaIdTool": true}))]
#[case::null_flag(json!({"tool": "t", "protocol": "2026-07-28", "metaIdTool": null}))]
#[case::text_flag(json!({"tool": "t", "protocol": "2026-07-28", "metaIdTool": "true"}))]
#[case::no_flag(json!({"tool": "t", "protocol": "2026-07-28"}))]
#[case::a_fourth_member(json!({"tool": "t", "protocol": "2026-07-28", "metaIdTool": false, "at": 1}))]
fn a_record_that_is_not_in_order_is_not_judged(#[case] record: Value) {
    let line = json!({"tool": "search_tickets", "record": record, "result": result(&json!({"status": 7}))});
    assert_eq!(one(&line.to_string()), ("schema", "not-judged", vec![]));
}

#[rstest]
#[case::its_own(json!("2025-11-25"), "missing", "does-not-fit", &[OBJECT])]
#[case::the_newest(json!("2026-07-28"), "validate_root", "does-not-fit", &[SCHEMA])]
#[case::older(json!("2025-06-18"), "missing", "does-not-fit", &[OBJECT])]
#[case::before_output_schemas(json!("2025-03-26"), "missing", "fits", &[])]
#[case::none_that_is_known(json!("2027-01-01"), "schema", "not-judged", &[])]
#[case::no_text(json!(20_260_728), "schema", "not-judged", &[])]
fn a_line_without_a_record_is_judged_on_its_protocol(
    #[case] protocol: Value,
    #[case] branch: &str,
    #[case] verdict: &str,
    #[case] rules: &[&str],
) {
    let line =
        json!({"tool": "search_tickets", "protocol": protocol, "result": result(&json!([]))});
    assert_eq!(one(&line.to_string()), (branch, verdict, rules.to_vec()));
    let wrapped =
        json!({"tool": "search_tickets", "result": result(&json!({"result": {"status": "open"}}))});
    assert_eq!(
        one(&wrapped.to_string()),
        ("validate_root", "does-not-fit", vec![SCHEMA])
    );
}
