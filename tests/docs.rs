//! What docs/ci.md and action.yml tell people to run, run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const CI: &str = include_str!("../docs/ci.md");
const ACTION: &str = include_str!("../action.yml");

/// A fenced block: the language, the file that it stands for, if any, and its text.
struct Block<'t> {
    language: &'t str,
    file: Option<&'t str>,
    text: String,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                let mut words = info.split_whitespace();
                open = Some(Block {
                    language: words.next().unwrap_or_default(),
                    file: words.next(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// An empty folder of this name, with the files that docs/ci.md shows.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder goes");
    }
    fs::create_dir_all(&folder).expect("a folder can be made");
    for block in blocks(CI) {
        if let Some(file) = block.file {
            fs::write(folder.join(file), block.text).expect("a file can be written");
        }
    }
    folder
}

/// Runs a script as CI would, with the program on the path.
fn bash(script: &str, folder: &Path, variables: &[(&str, String)]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_mcp-conform"));
    let beside = program.parent().expect("it stands in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("bash")
        .args(["-euo", "pipefail", "-c", script])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", beside.display()))
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .output()
        .expect("bash runs")
}

fn shown(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Whether the adapter that docs/ci.md shows can be run.
fn python() -> bool {
    let run = Command::new("python3").arg("--version").output();
    run.is_ok_and(|output| output.status.success())
}

#[test]
fn each_line_does_what_it_says() {
    let folder = folder("docs-ci");
    let blocks = blocks(CI);
    let scripts = blocks.iter().filter(|block| block.language == "sh");
    let lines = scripts
        .flat_map(|block| block.text.lines())
        .filter(|line| !line.starts_with('#'));
    let mut ran = 0;
    for line in lines {
        if (line.contains("python3") || line.contains("--compare")) && !python() {
            eprintln!("left out, since there is no python3: {line}");
            continue;
        }
        let expected = match line.split_once("# exits with ") {
            Some((_, code)) => code.trim().parse().expect("an exit code"),
            None => 0,
        };
        let output = bash(line, &folder, &[]);
        assert_eq!(
            output.status.code(),
            Some(expected),
            "{line}\n{}",
            shown(&output)
        );
        ran += 1;
    }
    assert!(ran > 8, "{ran} lines");
    let written = ["check.sarif", "check.xml", "check.json", "summary.md"];
    let certified = [
        "baseline.yaml",
        "certificate.html",
        "certificate.xml",
        "certificate.md",
        "certificate.json",
        "badge.json",
        "scoreboard.md",
        "scoreboard.html",
    ];
    for file in written.iter().chain(certified.iter().filter(|_| python())) {
        let size = fs::metadata(folder.join(file)).map_or(0, |metadata| metadata.len());
        assert!(size > 0, "{file} is written");
    }
}

/// The action as data.
fn action() -> Value {
    serde_saphyr::from_str(ACTION).expect("action.yml is YAML")
}

fn names(value: &Value) -> Vec<String> {
    let members = value.as_object().expect("a mapping");
    members.keys().cloned().collect()
}

/// The expressions `${{ … }}` of a text.
fn expressions(text: &str) -> Vec<&str> {
    let parts = text.split("${{").skip(1);
    parts
        .filter_map(|part| part.split_once("}}"))
        .map(|(inside, _)| inside.trim())
        .collect()
}

#[test]
fn the_inputs_of_the_action_are_used_and_documented() {
    let action = action();
    let inputs = names(&action["inputs"]);
    let conditions = action["runs"]["steps"].as_array().expect("steps").iter();
    let conditions: String = conditions.filter_map(|step| step["if"].as_str()).collect();
    for input in &inputs {
        let used = expressions(ACTION).contains(&format!("inputs.{input}").as_str());
        assert!(
            used || conditions.contains(&format!("inputs.{input} ")),
            "{input} is used"
        );
        assert!(
            CI.contains(&format!("\n| `{input}` |")),
            "{input} is in docs/ci.md"
        );
    }
    for expression in expressions(ACTION) {
        if let Some(input) = expression.strip_prefix("inputs.") {
            assert!(
                inputs.iter().any(|known| known == input),
                "{input} is declared"
            );
        }
    }
}

#[test]
fn no_input_reaches_a_script_but_through_a_variable() {
    for step in action()["runs"]["steps"].as_array().expect("steps") {
        let script = step["run"].as_str().unwrap_or_default();
        assert_eq!(expressions(script), Vec::<&str>::new(), "{}", step["name"]);
        assert!(
            step["run"].is_null() || step["shell"] == "bash",
            "{}",
            step["name"]
        );
    }
}

/// Runs the scripts of the action in order, all but the one that installs the program, as a runner
/// would with these inputs. Returns the first exit code that is not 0, and what the files hold that
/// the runner would show.
fn act(name: &str, given: &[(&str, &str)]) -> (i32, PathBuf) {
    let action = action();
    let folder = folder(name);
    for file in ["output", "summary", "path"] {
        fs::write(folder.join(file), "").expect("a file can be written");
    }
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    values.insert("runner.temp".to_owned(), folder.display().to_string());
    for (input, declared) in action["inputs"].as_object().expect("inputs") {
        let default = declared["default"].as_str().unwrap_or_default();
        values.insert(format!("inputs.{input}"), default.to_owned());
    }
    for (input, value) in given {
        values.insert(format!("inputs.{input}"), (*value).to_owned());
    }
    for step in action["runs"]["steps"].as_array().expect("steps") {
        let Some(script) = step["run"].as_str() else {
            continue;
        };
        let wanted = step["if"]
            .as_str()
            .and_then(|condition| condition.strip_suffix(" != ''"));
        let idle = wanted.is_some_and(|input| values.get(input).is_none_or(String::is_empty));
        if idle || step["name"] == "Install mcp-conform" {
            continue;
        }
        let mut variables: Vec<(&str, String)> = vec![
            ("GITHUB_OUTPUT", folder.join("output").display().to_string()),
            (
                "GITHUB_STEP_SUMMARY",
                folder.join("summary").display().to_string(),
            ),
        ];
        for (variable, text) in step["env"].as_object().into_iter().flatten() {
            let mut text = text.as_str().unwrap_or_default().to_owned();
            for expression in expressions(&text.clone()) {
                let value = values.get(expression).cloned().unwrap_or_default();
                text = text.replace(&format!("${{{{ {expression} }}}}"), &value);
            }
            variables.push((variable, text));
        }
        let output = bash(script, &folder, &variables);
        if let Some(code) = output.status.code().filter(|code| *code != 0) {
            return (code, folder);
        }
        let outputs = fs::read_to_string(folder.join("output")).expect("the outputs");
        for (key, value) in outputs.lines().filter_map(|line| line.split_once('=')) {
            let step = step["id"].as_str().unwrap_or_default();
            values.insert(format!("steps.{step}.outputs.{key}"), value.to_owned());
        }
        fs::write(folder.join("output"), "").expect("a file can be written");
    }
    (0, folder)
}

#[test]
fn the_action_checks() {
    let (code, folder) = act("action-check", &[("check", "tools.json\n")]);
    assert_eq!(code, 0);
    let sarif = fs::read_to_string(folder.join("mcp-conform-reports/check.sarif")).expect("SARIF");
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let summary = fs::read_to_string(folder.join("summary")).expect("a summary");
    assert!(summary.contains("tools.json"), "{summary}");

    let (code, _) = act(
        "action-check-fails",
        &[("check", "tools.json\narray-root.json")],
    );
    assert_eq!(code, 1);
    let newest = [("check", "array-root.json"), ("protocol", "2026-07-28")];
    assert_eq!(act("action-check-newest", &newest).0, 0);
}

#[test]
fn the_action_certifies() {
    if !python() {
        eprintln!("left out, since there is no python3");
        return;
    }
    let command = ("certify", "python3 adapter.py");
    let (code, folder) = act(
        "action-certify",
        &[command, ("certify-options", "--gate=listing")],
    );
    assert_eq!(code, 1);
    let page = fs::read_to_string(folder.join("mcp-conform-reports/certificate.html"));
    assert!(page.expect("a page").contains("careless"));
    let json = fs::read_to_string(folder.join("mcp-conform-reports/certificate.json"));
    let json: Value = serde_json::from_str(&json.expect("a certificate")).expect("JSON");
    assert_eq!(json["implementation"]["name"], "careless");
    let summary = fs::read_to_string(folder.join("summary")).expect("a summary");
    assert!(summary.contains("careless"), "{summary}");
}

#[test]
fn the_action_wants_something_to_do() {
    assert_eq!(act("action-idle", &[]).0, 2);
}
