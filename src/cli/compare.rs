//! `mcp-conform certify --compare`: certificates side by side. Nothing is asked and nothing judged.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::outputs::{Output, write_all};
use super::rerun::quoted;
use super::{Exit, Failure};
use crate::certify::{Certificate, Comparison};
use crate::report::{CertificateFormat, ComparisonFormat, visible_whole, write_comparison};

/// The most certificates side by side.
const MOST_CERTIFICATES: usize = 64;

/// The most bytes of all of them together.
const MOST_BYTES: u64 = 512 << 20;

/// Reads the certificates, and writes their comparison.
pub(super) fn run(paths: &[PathBuf], outputs: &[Output]) -> Result<Exit, Failure> {
    for output in outputs {
        format(output.format)?;
    }
    if paths.len() > MOST_CERTIFICATES {
        return Err(Failure::Usage(format!(
            "{} certificates: at most {MOST_CERTIFICATES} are put side by side",
            paths.len()
        )));
    }
    let mut left = MOST_BYTES;
    let certificates = paths.iter().map(|path| read(path, &mut left));
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>()?;
    let comparison = Comparison::new(&certificates);
    for notice in comparison.notices() {
        note!("{}", visible_whole(&notice));
    }
    let files = paths.iter().map(|path| quoted(&path.to_string_lossy()));
    let files: Vec<_> = files.collect();
    write_all(outputs, |named, mut out| match format(named) {
        Ok(format) => write_comparison(&comparison, &files, format, &mut out),
        Err(failure) => Err(io::Error::other(failure.to_string())),
    })?;
    if certificates.iter().all(Certificate::is_empty) {
        note!("nothing was judged: the certificates have no case that was answered");
        return Ok(Exit::NothingJudged);
    }
    Ok(Exit::AsExpected)
}

/// Reads a certificate, which may take what is `left` of the bytes.
fn read(path: &Path, left: &mut u64) -> Result<Certificate, Failure> {
    let at = |fault: &dyn std::fmt::Display| Failure::Usage(format!("{}: {fault}", path.display()));
    let file = File::open(path).map_err(|error| at(&error))?;
    let length = file.metadata().map_err(|error| at(&error))?.len();
    let certificate = Certificate::read(BufReader::new(file), *left).map_err(|fault| at(&fault))?;
    *left = left.saturating_sub(length);
    Ok(certificate)
}

fn format(named: CertificateFormat) -> Result<ComparisonFormat, Failure> {
    Ok(match named {
        CertificateFormat::Text => ComparisonFormat::Text,
        CertificateFormat::Json => ComparisonFormat::Json,
        CertificateFormat::Markdown => ComparisonFormat::Markdown,
        CertificateFormat::Html => ComparisonFormat::Html,
        CertificateFormat::Junit | CertificateFormat::Badge => {
            return Err(Failure::Usage(
                "a comparison is written as text, json, markdown or html".to_owned(),
            ));
        }
    })
}
