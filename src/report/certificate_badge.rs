//! A certificate as a badge, in the endpoint format of shields.io.

use serde_json::{Value, json};

use crate::certify::{Certificate, Row};

/// What the badge says: the strongest word that holds on every version and gate, and if none does
/// the share of musts that hold.
pub(super) fn badge(certificate: &Certificate) -> Value {
    let rows = certificate.levels.iter().filter(|row| row.is_judged());
    let rows: Vec<&Row> = rows.collect();
    let all = |holds: fn(&Row) -> bool| !rows.is_empty() && rows.iter().all(|row| holds(row));
    let (message, color) = if !certificate.complete || rows.is_empty() {
        ("incomplete".to_owned(), "lightgrey")
    } else if all(|row| row.strict) {
        ("strict".to_owned(), "brightgreen")
    } else if all(|row| row.core) {
        ("core".to_owned(), "green")
    } else {
        let total: usize = rows.iter().map(|row| row.must.total).sum();
        let passed: usize = rows.iter().map(|row| row.must.passed).sum();
        // Rounded down: what is not whole is never called so.
        let share = passed * 100 / total.max(1);
        let color = if share >= 90 { "yellow" } else { "red" };
        (format!("{share}% of musts"), color)
    };
    json!({
        "schemaVersion": 1,
        "label": "mcp-conform",
        "message": message,
        "color": color,
    })
}
