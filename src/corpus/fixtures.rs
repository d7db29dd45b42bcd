//! The fixtures: whole documents, each in the folder of its verdict.

use include_dir::{Dir, include_dir};

use crate::diagnostic::Verdict;
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
