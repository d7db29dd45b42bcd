//! How many cases stand between the suite and an implementation with one fault: the faulty
//! implementations that few cases catch. `tests/mutants.rs` finds them and writes the file.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::suites::{Corpus, Damaged, EMBEDDED};

/// The file's name in the folder of a corpus.
pub const STRENGTH_FILE: &str = "strength.json";
/// The most cases that are few.
pub const FEW: usize = 3;

/// The faulty implementations that few cases catch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// What the file is and how it is made.
    pub about: String,
    /// The implementations, in the order of `docs/strength.md`.
    pub mutants: Vec<Weakness>,
}

/// A faulty implementation that at most [`FEW`] cases catch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weakness {
    /// Its name.
    pub mutant: String,
    /// What it does wrong, as a clause.
    pub fault: String,
    /// The ids of the cases that catch it.
    pub cases: Vec<String>,
}

/// What the loss of cases would cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reliance<'s> {
    /// Cases that alone catch an implementation.
    pub alone: Vec<(&'s str, &'s Weakness)>,
    /// Implementations of which every case is gone.
    pub let_through: Vec<&'s Weakness>,
}

impl Strength {
    /// That of the corpus inside the program.
    ///
    /// # Errors
    /// Where the file is damaged, which the project's tests rule out.
    pub fn embedded() -> Result<Self, Damaged> {
        let file = EMBEDDED.get_file(STRENGTH_FILE);
        file.map_or_else(
            || Ok(Self::default()),
            |file| Self::of(STRENGTH_FILE, file.contents()),
        )
    }

    /// That of the corpus in a folder: nothing is known where it has no such file.
    ///
    /// # Errors
    /// Where the file cannot be read or is damaged.
    pub fn read(folder: &Path) -> Result<Self, Damaged> {
        let path = folder.join(STRENGTH_FILE);
        let name = path.display().to_string();
        if !path.exists() {
            return Ok(Self::default());
        }
        match std::fs::read(&path) {
            Ok(bytes) => Self::of(&name, &bytes),
            Err(error) => Err(Damaged {
                file: name,
                fault: error.to_string(),
            }),
        }
    }

    fn of(file: &str, bytes: &[u8]) -> Result<Self, Damaged> {
        serde_json::from_slice(bytes).map_err(|error| Damaged {
            file: file.to_owned(),
            fault: error.to_string(),
        })
    }

    /// What hangs on single cases of `corpus`, and what passes it already.
    pub fn reliance(&self, corpus: &Corpus) -> Reliance<'_> {
        let mut reliance = Reliance::default();
        for weakness in &self.mutants {
            let mut left = weakness.cases.iter().filter(|id| corpus.case(id).is_some());
            match (left.next(), left.next()) {
                (None, _) => reliance.let_through.push(weakness),
                (Some(id), None) => reliance.alone.push((id, weakness)),
                _ => {}
            }
        }
        reliance.alone.sort_by_key(|(id, _)| *id);
        reliance
    }
}
