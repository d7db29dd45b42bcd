//! Adapters to start from: the reference adapters, carried inside the program.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Exit, Failure, print};

/// The files of each language's adapter, by their paths below `adapters/`. Generated, since a
/// published crate leaves out a folder with a manifest of its own:
/// `UPDATE_ADAPTERS=1 cargo test --test corpus_cli` writes it anew.
const BUNDLE: &str = include_str!("adapters.json");

/// Writes the adapter of `language` into `folder`, and never over a file that is there.
pub(super) fn init(language: &str, folder: Option<&Path>) -> Result<Exit, Failure> {
    let bundle: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(BUNDLE).map_err(|error| Failure::Usage(error.to_string()))?;
    let Some(files) = bundle.get(language) else {
        let known: Vec<_> = bundle.keys().map(String::as_str).collect();
        let known = known.join(", ");
        return Err(Failure::Usage(format!(
            "no adapter is written in {language}; there are {known}"
        )));
    };
    let folder = folder.unwrap_or(Path::new("adapters"));
    let fault = |path: &Path, what: &dyn std::fmt::Display| {
        Failure::Usage(format!("{}: {what}", path.display()))
    };
    let mut paths = files.keys().map(|path| folder.join(path));
    if let Some(path) = paths.find(|path| path.exists()) {
        return Err(fault(&path, &"is there already"));
    }
    let mut list = String::new();
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| fault(parent, &error))?;
        }
        std::fs::write(&path, text).map_err(|error| fault(&path, &error))?;
        list += &format!("{}\n", path.display());
    }
    print(list.as_bytes())?;
    Ok(Exit::AsExpected)
}
