//! Where a certificate goes, and as what: once, or in several formats from one run.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Failure, printed};
use crate::report::CertificateFormat;

/// The formats and the files, in pairs.
#[derive(clap::Args, Debug)]
pub(super) struct OutputArgs {
    /// The format of the certificate; text where nothing else is said. Given again, one for each
    /// --output.
    #[arg(long, value_enum)]
    format: Vec<CertificateFormat>,
    /// Write the certificate to this file instead of standard output, which is `-`; may be given
    /// again. Without --format the file's extension says the format.
    #[arg(long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

/// One place for a certificate.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Output {
    /// The file; `None` is standard output.
    pub(super) file: Option<PathBuf>,
    /// The format.
    pub(super) format: CertificateFormat,
}

impl OutputArgs {
    /// The one file, for what is no certificate.
    pub(super) fn single(&self) -> Result<Option<&Path>, Failure> {
        match self.output.as_slice() {
            [] => Ok(None),
            [file] => Ok(Some(file)),
            _ => Err(Failure::Usage("--init takes one --output".to_owned())),
        }
    }

    /// The places in the order of the command line.
    pub(super) fn pairs(&self) -> Result<Vec<Output>, Failure> {
        let (formats, files) = (&self.format, &self.output);
        if files.is_empty() && formats.len() <= 1 {
            let format = formats.first().copied().unwrap_or_default();
            return Ok(vec![Output { file: None, format }]);
        }
        if !formats.is_empty() && formats.len() != files.len() {
            return Err(Failure::Usage(format!(
                "{} --format and {} --output: give each --output its --format, or none a --format",
                formats.len(),
                files.len()
            )));
        }
        let mut outputs: Vec<Output> = Vec::new();
        for (index, path) in files.iter().enumerate() {
            let format = match formats.get(index) {
                Some(format) => *format,
                // One file of a strange name is the report that people read, as it always was.
                None => match by_extension(path) {
                    None if files.len() > 1 && path.as_os_str() != "-" => {
                        return Err(Failure::Usage(format!(
                            "{}: its extension says no format (txt, json, xml, md, html): give each --output its --format",
                            path.display()
                        )));
                    }
                    known => known.unwrap_or_default(),
                },
            };
            let file = Some(path).filter(|path| path.as_os_str() != "-").cloned();
            if outputs.iter().any(|other| other.file == file) {
                return Err(Failure::Usage(format!(
                    "--output {} is given twice",
                    path.display()
                )));
            }
            outputs.push(Output { file, format });
        }
        Ok(outputs)
    }
}

fn by_extension(path: &Path) -> Option<CertificateFormat> {
    Some(
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "txt" => CertificateFormat::Text,
            "json" => CertificateFormat::Json,
            "xml" => CertificateFormat::Junit,
            "md" | "markdown" => CertificateFormat::Markdown,
            "html" | "htm" => CertificateFormat::Html,
            _ => return None,
        },
    )
}

impl Output {
    /// Writes what `report` makes of it.
    pub(super) fn write(
        &self,
        report: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match &self.file {
            None => {
                let mut out = io::BufWriter::new(io::stdout().lock());
                printed(report(&mut out).and_then(|()| out.flush()))?;
            }
            Some(path) => {
                let mut text = Vec::new();
                report(&mut text)?;
                std::fs::write(path, text)
                    .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
            }
        }
        Ok(())
    }
}

/// Writes to each place: one that cannot be written keeps no other from being written.
pub(super) fn write_all(
    outputs: &[Output],
    report: impl Fn(CertificateFormat, &mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut all = Ok(());
    for output in outputs {
        let written = output.write(|out| report(output.format, out));
        all = all.and(written);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{CertificateFormat, Output, OutputArgs};

    fn pairs(formats: &[CertificateFormat], files: &[&str]) -> Result<Vec<Output>, String> {
        let args = OutputArgs {
            format: formats.to_vec(),
            output: files.iter().map(Into::into).collect(),
        };
        args.pairs().map_err(|failure| failure.to_string())
    }

    fn to(file: &str, format: CertificateFormat) -> Output {
        Output {
            file: Some(file.into()),
            format,
        }
    }

    #[test]
    fn one_place_is_what_it_was() {
        use CertificateFormat::{Html, Json, Text};
        let out = |format| Ok(vec![Output { file: None, format }]);
        assert_eq!(pairs(&[], &[]), out(Text));
        assert_eq!(pairs(&[Json], &[]), out(Json));
        assert_eq!(pairs(&[Html], &["a.json"]), Ok(vec![to("a.json", Html)]));
        assert_eq!(pairs(&[], &["report"]), Ok(vec![to("report", Text)]));
        assert_eq!(pairs(&[Json], &["-"]), out(Json));
    }

    #[test]
    fn several_places_pair_up() {
        use CertificateFormat::{Badge, Html, Json, Junit, Markdown, Text};
        assert_eq!(
            pairs(&[], &["a.html", "b.MD", "c.xml", "d.json", "e.txt"]),
            Ok(vec![
                to("a.html", Html),
                to("b.MD", Markdown),
                to("c.xml", Junit),
                to("d.json", Json),
                to("e.txt", Text)
            ])
        );
        assert_eq!(
            pairs(&[Badge, Markdown], &["badge.json", "-"]),
            Ok(vec![
                to("badge.json", Badge),
                Output {
                    file: None,
                    format: Markdown
                }
            ])
        );
    }

    #[test]
    fn what_does_not_pair_up_is_told_so() {
        use CertificateFormat::{Html, Json};
        for (formats, files, why) in [
            (&[Html, Json][..], &[][..], "2 --format and 0 --output"),
            (&[Html], &["a.html", "b.json"], "1 --format and 2 --output"),
            (
                &[],
                &["a.html", "b.pdf"],
                "b.pdf: its extension says no format",
            ),
            (&[], &["a.html", "a.html"], "a.html is given twice"),
            (&[Html, Json], &["-", "-"], "- is given twice"),
        ] {
            let said = pairs(formats, files).expect_err("it does not pair up");
            assert!(said.contains(why), "{said}");
        }
    }
}
