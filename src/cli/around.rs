//! What documents are judged by beside themselves: the catalogue that they are in, or the tools that
//! the command line names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Failure;
use super::files::Input;
use crate::document::{Catalogue, Kind, Subjects};
use crate::source::Limits;

/// The catalogues at hand.
#[derive(Default)]
pub(super) struct Around {
    /// The one that the command line names, for every document.
    named: Option<Catalogue>,
    /// The one that each folder is in, if it is in one.
    roots: HashMap<PathBuf, Option<PathBuf>>,
    catalogues: HashMap<PathBuf, Catalogue>,
}

impl Around {
    /// Reads the catalogues that `inputs` need, each once.
    pub(super) fn new(named: Option<&Path>, inputs: &[Input]) -> Result<Self, Failure> {
        let limits = Limits::default();
        let mut around = Self {
            named: named.map(|path| tools(path, &limits)).transpose()?,
            ..Self::default()
        };
        for input in inputs {
            let Input::File(path) = input else {
                continue;
            };
            let folder = folder(path);
            if around.roots.contains_key(&folder) {
                continue;
            }
            let root = Catalogue::find(path);
            if let Some(root) = &root
                && around.named.is_none()
                && !around.catalogues.contains_key(root)
            {
                // What cannot be read is reported where it is checked itself.
                let (catalogue, _) = Catalogue::gather(root, &limits);
                let catalogue = catalogue.with_payloads(&limits);
                around.catalogues.insert(root.clone(), catalogue);
            }
            around.roots.insert(folder, root);
        }
        Ok(around)
    }

    fn root(&self, input: &Input) -> Option<&PathBuf> {
        match input {
            Input::Stdin => None,
            Input::File(path) => self.roots.get(&folder(path))?.as_ref(),
        }
    }

    /// What the place of a file in its catalogue says that it is.
    pub(super) fn kind(&self, input: &Input) -> Option<Kind> {
        match input {
            Input::Stdin => None,
            Input::File(path) => Catalogue::kind_of(self.root(input)?, path),
        }
    }

    /// The schemas that `input` is judged by where it brings none.
    pub(super) fn catalogue(&self, input: &Input) -> Option<&Catalogue> {
        let own = || self.catalogues.get(self.root(input)?);
        self.named.as_ref().or_else(own)
    }
}

fn folder(path: &Path) -> PathBuf {
    path.parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The tools of a listing, a description or a transcript; or a catalogue.
fn tools(path: &Path, limits: &Limits) -> Result<Catalogue, Failure> {
    let fault = |what: &dyn std::fmt::Display| {
        Failure::Usage(format!("--tools {}: {what}", path.display()))
    };
    if path.is_dir() {
        let catalogue = Catalogue::read(path).map_err(|error| fault(&error))?;
        return Ok(catalogue.with_payloads(limits));
    }
    let document = super::files::tools(path, limits).map_err(|why| fault(&why))?;
    let subjects = Subjects::of(&document, None);
    if subjects.tools.is_empty() {
        return Err(fault(&"it defines no tool"));
    }
    Ok(Catalogue::of_tools(path, &subjects.tools))
}
