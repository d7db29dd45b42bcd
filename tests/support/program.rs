//! The program as its users run it.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

pub fn program(words: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("mcp-conform"));
    command.args(words);
    command
}

pub fn output(words: &[&str]) -> Output {
    program(words).output().expect("the program runs")
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn json(output: &Output) -> Value {
    let said = || panic!("{}{}", text(&output.stdout), text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| said())
}

/// A folder of this test alone.
pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mcp-conform-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}
