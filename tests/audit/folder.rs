//! A folder to run the program in.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tempfile::TempDir;

pub const FITS: &str =
    r#"{"tool":"count","server":"a","result":{"content":[],"structuredContent":{"n":1}}}"#;
pub const FAILS: &str =
    r#"{"tool":"count","server":"b","result":{"content":[],"structuredContent":{"n":"1"}}}"#;
pub const UNKNOWN: &str = r#"{"tool":"sum","result":{"content":[]}}"#;

/// A folder with a listing of one tool.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let listing = json!({"tools": [{
            "name": "count",
            "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        }]});
        folder.write("listing.json", listing.to_string().as_bytes());
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> String {
        std::fs::write(self.path(name), bytes).unwrap();
        name.to_owned()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("mcp-conform"));
        command
            .current_dir(self.0.path())
            .arg("audit")
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    /// Audits, with the listing.
    pub fn audit(&self, arguments: &[&str]) -> Output {
        self.command(arguments)
            .args(["--tools", "listing.json"])
            .output()
            .unwrap()
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.audit(&[arguments, &["--format", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    }
}
