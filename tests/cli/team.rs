//! A copy of the example catalogue, with a mistake in it, and what is said of its files.

use serde_json::Value;

use crate::program::Folder;
use crate::support::root;

/// A copy of the example catalogue, in the folder `team`.
pub fn team() -> Folder {
    let folder = Folder::with(&[]);
    let from = root().join("examples/catalogue");
    for part in ["schemas", "examples", "mcp-conform.toml"] {
        for entry in walkdir::WalkDir::new(from.join(part)) {
            let path = entry.unwrap().into_path();
            if path.is_file() {
                let name = path.strip_prefix(&from).unwrap();
                let text = std::fs::read_to_string(&path).unwrap();
                folder.write(std::path::Path::new("team").join(name), &text);
            }
        }
    }
    folder
}

/// The example with one text in one file replaced.
pub fn with(file: &str, old: &str, new: &str) -> Folder {
    let folder = team();
    let path = folder.path().join("team").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{file} does not hold {old}");
    folder.write(path, &text.replace(old, new));
    folder
}

/// What is said of the file whose path ends so: rule, pointer and keyword of each diagnostic.
pub fn said(report: &Value, file: &str) -> Vec<(String, String, String)> {
    let documents = report["documents"].as_array().unwrap();
    let document = documents
        .iter()
        .find(|document| document["path"].as_str().unwrap().ends_with(file))
        .unwrap_or_else(|| panic!("{file} has no entry"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    document["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                text(&it["rule"]),
                text(&it["pointer"]),
                text(&it["keyword"]),
            )
        })
        .collect()
}

pub fn one(rule: &str, pointer: &str, keyword: &str) -> Vec<(String, String, String)> {
    vec![(rule.to_owned(), pointer.to_owned(), keyword.to_owned())]
}

/// The paths that are not valid.
pub fn wrong(report: &Value) -> Vec<&str> {
    let documents = report["documents"].as_array().unwrap();
    documents
        .iter()
        .filter(|document| document["verdict"] != "valid")
        .map(|document| document["path"].as_str().unwrap())
        .collect()
}
