//! A comparison as one page, which shows the JSON of `certify --compare … --format json`.

use serde_json::Value;

use super::page::Page;

/// The page that shows `comparison`.
pub(super) fn html(comparison: &Value) -> String {
    let page = Page {
        template: include_str!("comparison.html"),
        title: "MCP conformance, side by side",
        style: include_str!("comparison.css"),
        script: include_str!("comparison.js"),
        data: comparison,
    };
    page.html()
}
