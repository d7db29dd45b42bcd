//! Logs as the audit reads them: plain or compressed, files or standard input, with a bar that
//! shows how far it is.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Failure;

/// A log that is there.
pub(super) struct Log {
    /// Its name in reports.
    pub(super) name: String,
    /// The file; `None` is standard input.
    pub(super) path: Option<PathBuf>,
    /// The bytes of the file, as far as that is known.
    pub(super) bytes: Option<u64>,
}

impl Log {
    /// The log at `path`, which must be readable before anything is audited.
    pub(super) fn new(path: &Path, stdin: bool, stdin_name: &str) -> Result<Self, Failure> {
        if stdin {
            return Ok(Self {
                name: stdin_name.to_owned(),
                path: None,
                bytes: None,
            });
        }
        let fault = |what: &dyn std::fmt::Display| {
            Failure::Usage(format!("{}: cannot be read: {what}", path.display()))
        };
        let about = std::fs::metadata(path).map_err(|error| fault(&error))?;
        if about.is_dir() {
            return Err(fault(&"it is a directory"));
        }
        // A pipe can be opened once: that is when it is read.
        if about.is_file() {
            File::open(path).map_err(|error| fault(&error))?;
        }
        Ok(Self {
            name: path.display().to_string(),
            path: Some(path.to_path_buf()),
            bytes: about.is_file().then_some(about.len()),
        })
    }
}

/// Opens `log`; what is read of it shows in `progress`.
pub(super) fn open(log: &Log, progress: &Progress) -> Result<Box<dyn Read>, Failure> {
    let Some(path) = &log.path else {
        return Ok(Box::new(progress.of(io::stdin().lock())));
    };
    let file = File::open(path)
        .map_err(|error| Failure::Usage(format!("{}: cannot be read: {error}", log.name)))?;
    let input = progress.of(file);
    if path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
    {
        let input = BufReader::with_capacity(1 << 17, input);
        Ok(Box::new(MultiGzDecoder::new(input)))
    } else {
        Ok(Box::new(input))
    }
}

/// A bar of bytes on standard error, where that is a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// For inputs of these sizes; where one is not known, the bar has no end.
    pub(super) fn new(sizes: &[Option<u64>]) -> Self {
        if !io::stderr().is_terminal() {
            return Self {
                bar: ProgressBar::hidden(),
            };
        }
        let total = sizes.iter().copied().sum::<Option<u64>>();
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        let template = match total {
            Some(_) => "audit {wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
            None => "audit {spinner} {bytes}, {bytes_per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// A reader that moves the bar.
    pub(super) fn of<R: Read>(&self, input: R) -> Counted<R> {
        Counted {
            input,
            bar: self.bar.clone(),
        }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A reader whose bytes show on a bar.
pub(super) struct Counted<R> {
    input: R,
    bar: ProgressBar,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bar.inc(read as u64);
        Ok(read)
    }
}
