//! Which files a command reads.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::Failure;
use crate::document::{Catalogue, Document, Kind, Unread};
use crate::source::{Format, Limits, Parsed, Source};

/// A file to read, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// `-`.
    Stdin,
    /// A path as the user wrote it, joined with what a walk found below it.
    File(PathBuf),
}

impl Input {
    /// The name that reports give it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Reads it; what has no extension of ours is taken for JSON.
    pub(super) fn read(&self, limits: &Limits) -> io::Result<Source> {
        match self {
            Self::Stdin => Source::read("-", io::stdin().lock(), Format::Json, limits),
            Self::File(path) => {
                let format = Format::of_path(path).unwrap_or(Format::Json);
                let file = std::fs::File::open(path)?;
                if file.metadata()?.is_dir() {
                    return Err(io::Error::from(io::ErrorKind::IsADirectory));
                }
                Source::read(self.name(), file, format, limits)
            }
        }
    }
}

/// The longest text of a file of settings, in bytes.
const MOST_TEXT: u64 = 16 << 20;

/// The text of a file of settings.
pub(super) fn small_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let mut file = std::fs::File::open(path)?.take(MOST_TEXT + 1);
    if file.read_to_string(&mut text)? as u64 > MOST_TEXT {
        return Err(io::Error::other("it has more than 16 MiB"));
    }
    Ok(text)
}

/// The inputs that `paths` name, directories walked, in a stable order.
pub(super) fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut inputs = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            if inputs.contains(&Input::Stdin) {
                return Err(Failure::Usage("standard input is named twice".to_owned()));
            }
            inputs.push(Input::Stdin);
        } else if path.is_dir() {
            inputs.extend(walk(path));
        } else {
            inputs.push(Input::File(path.clone()));
        }
    }
    Ok(inputs)
}

/// The documents below a directory. Hidden entries, installed packages and a catalogue's projections,
/// which are made from what is read anyway, are left out, and so is what is no file, a pipe say; a
/// file that cannot be reached is read, and so reported, like any other.
fn walk(path: &Path) -> impl Iterator<Item = Input> {
    let is_wanted = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_made =
            || name == "projections" && entry.path().parent().is_some_and(Catalogue::is_root);
        entry.depth() == 0 || !(name.starts_with('.') || name == "node_modules" || is_made())
    };
    WalkDir::new(path)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(is_wanted)
        .filter_map(|entry| match entry {
            Ok(entry) if entry.file_type().is_dir() => None,
            Ok(entry) => Some(entry.into_path()),
            Err(error) => error.path().map(Path::to_path_buf),
        })
        .filter(|path| Format::of_path(path).is_some())
        .filter(|path| {
            let about = std::fs::metadata(path);
            about.map_or(true, |about| about.is_file() || about.is_dir())
        })
        .map(Input::File)
}

/// The document at `path` that has tools, as one that the command line names: a listing, another
/// document, or the folder of a catalogue, read as the listing that it comes to.
///
/// # Errors
/// Why there is none, as a clause.
pub(super) fn tools(path: &Path, limits: &Limits) -> Result<Document, String> {
    if path.is_dir() {
        let catalogue = Catalogue::read(path).map_err(|fault| fault.to_string())?;
        let parsed = Parsed {
            value: catalogue.listing(),
            ..Parsed::default()
        };
        let source = Source::new(path.display().to_string(), "", Format::Json);
        return Ok(Document::of(source, parsed, Kind::Listing, limits));
    }
    let input = Input::File(path.to_path_buf());
    let source = input
        .read(limits)
        .map_err(|error| format!("cannot be read: {error}"))?;
    Document::read(source, None, limits).map_err(|unread| match unread {
        Unread::Fault(source, at) => {
            let (line, column) = source.position(at.span.start);
            format!("{line}:{column}: {}", at.message)
        }
        Unread::Unrecognised(_, why) => why.to_string(),
    })
}
