//! Adapters to start from: the reference adapters, carried inside the program.

use std::path::Path;

use super::{Exit, Failure};

/// The files of each language's adapter, by their paths below `adapters/`.
const ADAPTERS: &[(&str, &[(&str, &str)])] = &[(
    "python",
    &[
        ("protocol.json", include_str!("../../adapters/protocol.json")),
        ("python/adapter.py", include_str!("../../adapters/python/adapter.py")),
        ("python/client.py", include_str!("../../adapters/python/client.py")),
        ("python/requirements.txt", include_str!("../../adapters/python/requirements.txt")),
    ],
)];

/// Writes the adapter of `language` into `folder`, and never over a file that is there.
pub(super) fn init(language: &str, folder: Option<&Path>) -> Result<Exit, Failure> {
    let Some((_, files)) = ADAPTERS.iter().find(|(known, _)| *known == language) else {
        let known: Vec<_> = ADAPTERS.iter().map(|(known, _)| *known).collect();
        let known = known.join(", ");
        return Err(Failure::Usage(format!("no adapter is written in {language}; there are {known}")));
    };
    let folder = folder.unwrap_or(Path::new("adapters"));
    let fault = |path: &Path, what: &dyn std::fmt::Display| {
        Failure::Usage(format!("{}: {what}", path.display()))
    };
    if let Some(path) = files.iter().map(|(path, _)| folder.join(path)).find(|path| path.exists()) {
        return Err(fault(&path, &"is there already"));
    }
    for (path, text) in *files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| fault(parent, &error))?;
        }
        std::fs::write(&path, text).map_err(|error| fault(&path, &error))?;
        println!("{}", path.display());
    }
    Ok(Exit::AsExpected)
}
