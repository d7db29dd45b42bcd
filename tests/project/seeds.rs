//! The catalogue that comes with the project, and its committed projections.

use mcp_conform::project::Target;
use serde_json::{Value, json};

use crate::program::{code, json as report, output};
use crate::support::root;

fn catalogue() -> String {
    root().join("examples/catalogue").display().to_string()
}

#[test]
fn the_committed_projections_are_what_they_would_be_now() {
    let projections = root()
        .join("examples/catalogue/projections")
        .display()
        .to_string();
    let words = [
        "project",
        &catalogue(),
        "--check",
        &projections,
        "--format",
        "json",
    ];
    let output = output(&words);
    let report = report(&output);
    assert_eq!(code(&output), 0, "{report:#}");
    let entries = report["projections"].as_array().expect("projections");
    // Every target is written, and every schema of the catalogue for each.
    assert_eq!(entries.len(), Target::all().len() * 5);
    for entry in entries {
        assert_eq!(entry["status"], "unchanged", "{entry:#}");
        for proof in entry["proof"].as_array().expect("proofs") {
            assert!(
                matches!(proof["status"].as_str(), Some("identical" | "held")),
                "{entry:#}"
            );
        }
    }
}

#[test]
fn an_array_of_tickets_is_refused_before_2026() {
    let words = ["project", &catalogue(), "--to", "all", "--format", "json"];
    let output = output(&words);
    let report = report(&output);
    assert_eq!(code(&output), 1, "a refusal is no success");
    let refused: Vec<(&Value, &Value, &Value)> = report["projections"]
        .as_array()
        .expect("projections")
        .iter()
        .filter(|entry| entry["status"] == "refused")
        .map(|entry| {
            (
                &entry["target"],
                &entry["name"],
                &entry["refusal"]["pointer"],
            )
        })
        .collect();
    let (name, at) = (json!("search_tickets"), json!("/outputSchema/type"));
    let (june, november) = (json!("mcp@2025-06-18"), json!("mcp@2025-11-25"));
    assert_eq!(refused, [(&june, &name, &at), (&november, &name, &at)]);
}

#[test]
fn the_report_is_as_its_schema_says() {
    let schema = include_str!("../../docs/schemas/project.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let projections = root()
        .join("examples/catalogue/projections")
        .display()
        .to_string();
    let catalogue = catalogue();
    let runs: [&[&str]; 3] = [
        &["project", &catalogue, "--to", "all", "--format", "json"],
        &[
            "project",
            &catalogue,
            "--check",
            &projections,
            "--format",
            "json",
        ],
        &[
            "project", &catalogue, "--to", "gemini", "--format", "json", "--proof", "0",
        ],
    ];
    for words in runs {
        let report = report(&output(words));
        let errors: Vec<_> = validator
            .iter_errors(&report)
            .map(|it| it.to_string())
            .collect();
        assert!(errors.is_empty(), "{words:?}: {errors:#?}");
    }
}
