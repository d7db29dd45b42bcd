//! The fixtures: whole documents, each in the folder of its verdict.

use include_dir::{Dir, include_dir};

use crate::diagnostic::Verdict;
use crate::rules::Profile;
use crate::source::Format;

static FOLDERS: [(Verdict, &str, Dir<'static>); 3] = [
    (
        Verdict::Valid,
        "expected-valid",
        include_dir!("$CARGO_MANIFEST_DIR/expected-valid"),
    ),
    (
        Verdict::Warning,
        "expected-warning",
        include_dir!("$CARGO_MANIFEST_DIR/expected-warning"),
    ),
    (
        Verdict::Invalid,
        "expected-invalid",
        include_dir!("$CARGO_MANIFEST_DIR/expected-invalid"),
    ),
];

/// A document whose verdict is known.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// Its path in the project: `expected-valid/NAME.json`.
    pub path: String,
    /// The verdict that its folder promises.
    pub verdict: Verdict,
    /// Its bytes, which need not be text.
    pub bytes: &'static [u8],
}

/// Every fixture, by folder and name.
pub fn fixtures() -> impl Iterator<Item = Fixture> {
    FOLDERS.iter().flat_map(|(verdict, folder, dir)| {
        dir.files().filter_map(move |file| {
            let name = file.path().to_str()?;
            // Snapshots stand in the same folders.
            Format::of_path(file.path()).map(|_| Fixture {
                path: format!("{folder}/{name}"),
                verdict: *verdict,
                bytes: file.contents(),
            })
        })
    })
}

/// The fixture at this path.
pub fn fixture(path: &str) -> Option<Fixture> {
    fixtures().find(|fixture| fixture.path == path)
}

/// The profiles under which the fixture at `path` is judged. They stand in its name: that of
/// `policy.closed+open.NAME.json` turns on closed and open, and another name turns on none.
///
/// # Errors
/// The word that names no profile.
pub fn profiles_of(path: &str) -> Result<Vec<Profile>, String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((words, _)) = name
        .strip_prefix("policy.")
        .and_then(|name| name.split_once('.'))
    else {
        return Ok(Vec::new());
    };
    let profiles = words
        .split('+')
        .map(|word| word.parse().map_err(|()| word.to_owned()));
    profiles.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_turns_on_profiles() {
        let on = |path| profiles_of(path);
        let both = Ok(vec![Profile::Closed, Profile::Open]);
        assert_eq!(on("expected-valid/policy.closed+open.refund.json"), both);
        assert_eq!(on("expected-valid/policy-in-words.json"), Ok(Vec::new()));
        assert_eq!(on("policy.shut.refund.json"), Err("shut".to_owned()));
    }
}
