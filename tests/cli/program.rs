//! A folder with documents, and the program started in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Nothing to say about it, on any version.
pub const VALID: &str = r#"{"tools": [{"name": "ping", "inputSchema": {"type": "object"}}]}"#;
/// A default that does not fit its schema, which is unwise on every version.
pub const WARNING: &str = r#"{"tools": [{"name": "ping", "inputSchema": {"type": "object",
  "properties": {"count": {"type": "integer", "default": "one"}}}}]}"#;
/// No inputSchema, which is forbidden on every version.
pub const INVALID: &str = r#"{"tools": [{"name": "ping"}]}"#;
/// Not JSON.
pub const DAMAGED: &str = r#"{"tools": [{"name": "ping",}]}"#;
/// JSON of no kind that the program knows.
pub const UNKNOWN: &str = r#"{"dependencies": {}}"#;

/// A folder that goes away with the test.
pub struct Folder(TempDir);

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: impl AsRef<Path>, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The program, to be started here.
    pub fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-conform"));
        command.current_dir(self.path()).env_remove("NO_COLOR");
        command
    }

    /// Runs the program with `args`.
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Run {
        finish(self.program().args(args))
    }

    /// Runs `check --format json` and reads the report.
    pub fn report(&self, args: &[&str]) -> Value {
        self.run(["check", "--format", "json"].iter().chain(args))
            .json()
    }
}

/// Waits for the end of a run; one that panicked is a failure whatever it is asked for.
pub fn finish(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    let run = Run {
        code: output.status.code().expect("an exit code, not a signal"),
        stdout: String::from_utf8(output.stdout).expect("a report in UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("messages in UTF-8"),
    };
    assert!(!run.stderr.contains("panicked"), "{run:#?}");
    run
}

impl Run {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// The paths of a report's documents, in its order.
pub fn paths(report: &Value) -> Vec<&str> {
    let documents = report["documents"].as_array().unwrap();
    documents
        .iter()
        .map(|document| document["path"].as_str().unwrap())
        .collect()
}

/// The verdicts of a report's documents, in its order.
pub fn verdicts(report: &Value) -> Vec<&str> {
    let documents = report["documents"].as_array().unwrap();
    documents
        .iter()
        .map(|document| document["verdict"].as_str().unwrap())
        .collect()
}

/// The rules of a document's diagnostics.
pub fn rules(document: &Value) -> Vec<&str> {
    let diagnostics = document["diagnostics"].as_array().unwrap();
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic["rule"].as_str().unwrap())
        .collect()
}
