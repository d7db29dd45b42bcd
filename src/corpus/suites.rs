//! All suites together, from inside the program or from a folder, with the hash that identifies
//! them.

use std::fmt;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use super::load;
use super::suite::{Case, Suite};

pub(super) static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/corpus");

/// The suites of a corpus.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The suites, by name.
    pub suites: Vec<Suite>,
    /// What identifies them.
    pub identity: Identity,
}

/// Which corpus it is: certificates are compared by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The version of the program that the corpus belongs to.
    pub version: String,
    /// The SHA-256 of the suites' paths and texts, in hexadecimal digits.
    pub sha256: String,
}

/// A corpus that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The suite's file.
    pub file: String,
    /// What is wrong with it, as a clause.
    pub fault: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.fault)
    }
}

impl std::error::Error for Damaged {}

impl Corpus {
    /// The corpus that the program carries.
    ///
    /// # Errors
    /// Where a suite is damaged, which the project's tests rule out.
    pub fn embedded() -> Result<Self, Damaged> {
        let mut files = Vec::new();
        for folder in EMBEDDED.dirs() {
            for file in folder.files() {
                let path = file.path().to_string_lossy().replace('\\', "/");
                if file.path().extension().is_some_and(|end| end == "json") {
                    files.push((path, file.contents().to_vec()));
                }
            }
        }
        Self::of(files)
    }

    /// The corpus in a folder, laid out as the project's own.
    ///
    /// # Errors
    /// Where a file cannot be read or a suite is damaged.
    pub fn read(folder: &Path) -> Result<Self, Damaged> {
        let damaged = |file: &Path, fault: &dyn fmt::Display| Damaged {
            file: file.display().to_string(),
            fault: fault.to_string(),
        };
        let mut files = Vec::new();
        for entry in WalkDir::new(folder)
            .min_depth(2)
            .max_depth(2)
            .sort_by_file_name()
        {
            let entry = entry.map_err(|error| damaged(folder, &error))?;
            let path = entry.path();
            if entry.file_type().is_file() && path.extension().is_some_and(|end| end == "json") {
                let bytes = std::fs::read(path).map_err(|error| damaged(path, &error))?;
                let name: PathBuf = path.components().rev().take(2).collect();
                let name: PathBuf = name.components().rev().collect();
                files.push((name.to_string_lossy().replace('\\', "/"), bytes));
            }
        }
        if files.is_empty() {
            return Err(damaged(folder, &"it holds no suite (GATE/NAME.json)"));
        }
        Self::of(files)
    }

    fn of(mut files: Vec<(String, Vec<u8>)>) -> Result<Self, Damaged> {
        files.sort();
        let mut hash = Sha256::new();
        let mut suites = Vec::with_capacity(files.len());
        for (path, bytes) in files {
            for part in [path.as_bytes(), &bytes] {
                hash.update((part.len() as u64).to_be_bytes());
                hash.update(part);
            }
            let damaged = |fault: String| Damaged {
                file: path.clone(),
                fault,
            };
            let text = std::str::from_utf8(&bytes).map_err(|error| damaged(error.to_string()))?;
            let suite = load::suite(text).map_err(&damaged)?;
            if format!("{}.json", suite.name) != path {
                return Err(damaged(format!(
                    "`suite` is {:?}, which is not its path",
                    suite.name
                )));
            }
            suites.push(suite);
        }
        let mut sha256 = String::new();
        for byte in hash.finalize() {
            let _ = write!(sha256, "{byte:02x}");
        }
        Ok(Self {
            suites,
            identity: Identity {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                sha256,
            },
        })
    }

    /// Every case, in the order of the suites.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.suites.iter().flat_map(|suite| &suite.cases)
    }

    /// The case of this id.
    pub fn case(&self, id: &str) -> Option<&Case> {
        self.cases().find(|case| case.id == id)
    }
}
