//! Command lines that a report prints, to be pasted into a shell.

use std::ffi::OsString;
use std::path::PathBuf;

/// The options that are given, with a space before each.
pub(super) fn options(paths: &[(&str, &Option<PathBuf>)]) -> String {
    let given = paths
        .iter()
        .filter_map(|(name, path)| Some((name, path.as_ref()?)));
    let words = given.map(|(name, path)| format!(" --{name} {}", quoted(&path.to_string_lossy())));
    words.collect::<Vec<_>>().concat()
}

/// A command behind its `--`; nothing where there is none.
pub(super) fn command(words: &[OsString]) -> String {
    if words.is_empty() {
        return String::new();
    }
    let words = words
        .iter()
        .map(|word| format!(" {}", quoted(&word.to_string_lossy())));
    format!(" --{}", words.collect::<String>())
}

/// A word as a shell takes it for one.
pub(super) fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_./=:,+@%".contains(char);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_can_be_pasted() {
        let words = ["node", "my adapter.mjs", "--it's"].map(OsString::from);
        assert_eq!(command(&words), r" -- node 'my adapter.mjs' '--it'\''s'");
        assert_eq!(command(&[]), "");
        let path = Some(PathBuf::from("suites"));
        assert_eq!(
            options(&[("corpus", &path), ("other", &None)]),
            " --corpus suites"
        );
    }
}
