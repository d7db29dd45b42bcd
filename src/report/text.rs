//! The text format: snippets in the look of rustc, then figures. Valid documents are not mentioned.

use std::fmt::Display;
use std::io::{self, Write};

use annotate_snippets::renderer::{AnsiColor, Effects, Style as Ansi};
use annotate_snippets::{
    AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet, normalize_untrusted_str,
};

use super::{DocumentReport, MOST_SHOWN, Report, Style, excerpt, plural, spoken};
use crate::diagnostic::{Diagnostic, Severity, Verdict};
use crate::source::{Source, cut};

/// The fewest columns of source that are of any use.
const NARROWEST: usize = 20;
/// More columns than an excerpt ever has: lines are cut before they reach the renderer.
const UNCUT: usize = 1 << 20;

pub(super) fn write(report: &Report, style: &Style, out: &mut impl Write) -> io::Result<()> {
    let page = Page {
        renderer: if style.color {
            Renderer::styled().term_width(UNCUT)
        } else {
            Renderer::plain().term_width(UNCUT)
        },
        style,
    };
    for document in &report.documents {
        page.document(document, out)?;
    }
    page.summary(report, out)
}

struct Page<'s> {
    renderer: Renderer,
    style: &'s Style,
}

impl Page<'_> {
    fn document(&self, document: &DocumentReport, out: &mut impl Write) -> io::Result<()> {
        let path = visible(&document.path);
        if let Some(reason) = &document.unreadable {
            let title = Level::ERROR.primary_title(visible(reason));
            let group = title.element(Origin::path(&path));
            return writeln!(out, "{}\n", self.renderer.render(&[group]));
        }
        for diagnostic in &document.checked.diagnostics {
            self.diagnostic(document, &path, diagnostic, out)?;
        }
        if document.checked.omitted > 0 {
            let more = plural(document.checked.omitted, "more diagnostic");
            writeln!(out, "{path}: {more} not shown\n")?;
        }
        let verdicts: Vec<_> = document.verdicts().collect();
        let kind = document
            .kind
            .map(|kind| format!(" ({kind})"))
            .unwrap_or_default();
        if verdicts.is_empty() {
            writeln!(out, "{path}{kind}: no protocol version to judge it on\n")?;
        } else if self.style.verbose || verdicts.iter().any(|(_, v)| *v != verdicts[0].1) {
            let list: Vec<_> = verdicts
                .iter()
                .map(|(version, verdict)| format!("{version} {}", self.verdict(*verdict)))
                .collect();
            writeln!(out, "{path}{kind}: {}\n", list.join(" · "))?;
        }
        Ok(())
    }

    fn diagnostic(
        &self,
        document: &DocumentReport,
        path: &str,
        diagnostic: &Diagnostic,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level
            .primary_title(visible(&diagnostic.message))
            .id(diagnostic.rule);
        let notes = notes(document, diagnostic);
        let rendered = if let Some(source) = &document.source {
            self.snippet(source, path, diagnostic, Group::with_title(title), notes)
        } else {
            let origin = Origin::path(path)
                .line(diagnostic.line)
                .char_column(diagnostic.column);
            self.renderer
                .render(&[title.element(origin).elements(notes)])
        };
        writeln!(out, "{rendered}\n")
    }

    fn snippet(
        &self,
        source: &Source,
        path: &str,
        diagnostic: &Diagnostic,
        group: Group<'_>,
        notes: Vec<Message<'_>>,
    ) -> String {
        let width = self.style.width.max(NARROWEST);
        let excerpt = excerpt::around(source.text(), &diagnostic.span, width);
        let snippet = Snippet::source(excerpt.text.as_str())
            .path(path)
            .line_start(diagnostic.line.saturating_sub(excerpt.lines_before))
            .fold(false)
            .annotation(AnnotationKind::Primary.span(excerpt.span.clone()));
        let rendered = self
            .renderer
            .render(&[group.element(snippet).elements(notes)]);
        if excerpt.column == diagnostic.column {
            return rendered;
        }
        // The renderer counts the columns of the excerpt, which starts somewhere inside the line.
        let place = |column| format!("{path}:{}:{column}", diagnostic.line);
        rendered.replacen(&place(excerpt.column), &place(diagnostic.column), 1)
    }

    fn summary(&self, report: &Report, out: &mut impl Write) -> io::Result<()> {
        let summary = report.summary();
        let elapsed = spoken(report.elapsed);
        let total = plural(summary.documents.total(), "document");
        write!(out, "checked {total} in {elapsed}")?;
        let counts = summary.documents.counts().into_iter();
        for (index, (verdict, count)) in counts.filter(|(_, count)| *count > 0).enumerate() {
            let before = if index == 0 { ": " } else { ", " };
            write!(out, "{before}{count} {}", self.verdict(verdict))?;
        }
        writeln!(out)?;
        let found = [
            (summary.errors, "error", Verdict::Invalid),
            (summary.warnings, "warning", Verdict::Warning),
        ];
        let found: Vec<_> = found
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, noun, verdict)| self.paint(verdict, plural(count, noun)))
            .collect();
        if !found.is_empty() {
            write!(out, "found {}", found.join(" and "))?;
            match summary.omitted {
                0 => writeln!(out)?,
                omitted => writeln!(out, ", and {omitted} more not shown")?,
            }
        }
        if summary.tools > 0 {
            let tools = plural(summary.tools, "tool");
            writeln!(out, "typed output: {} of {tools}", summary.typed_output)?;
        }
        Ok(())
    }

    fn verdict(&self, verdict: Verdict) -> String {
        self.paint(verdict, verdict)
    }

    /// `text` in the colour of `verdict`.
    fn paint(&self, verdict: Verdict, text: impl Display) -> String {
        if !self.style.color {
            return text.to_string();
        }
        let color = match verdict {
            Verdict::Valid => AnsiColor::Green,
            Verdict::Warning => AnsiColor::Yellow,
            Verdict::Invalid | Verdict::Unreadable => AnsiColor::BrightRed,
        };
        let ansi: Ansi = color.on_default().effects(Effects::BOLD);
        format!("{ansi}{text}{ansi:#}")
    }
}

/// What stands below the snippet: where in the document, which keyword, on which versions, and
/// what to do.
fn notes<'a>(document: &DocumentReport, diagnostic: &Diagnostic) -> Vec<Message<'a>> {
    let mut notes = Vec::new();
    let mut note = |text: String| notes.push(Level::NOTE.message(text));
    if !diagnostic.pointer.is_root() {
        note(format!("at {}", visible(diagnostic.pointer.as_str())));
    }
    match (&diagnostic.keyword, &diagnostic.schema_pointer) {
        (Some(keyword), Some(pointer)) => note(format!(
            "keyword `{}`, at {} of the schema",
            visible(keyword),
            visible(pointer.as_str())
        )),
        (Some(keyword), None) => note(format!("keyword `{}`", visible(keyword))),
        (None, Some(pointer)) => note(format!("at {} of the schema", visible(pointer.as_str()))),
        (None, None) => {}
    }
    if let Some(versions) = document.narrower_scope(diagnostic) {
        note(format!("on {versions}"));
    }
    notes.push(Level::HELP.message(diagnostic.help));
    notes
}

/// A text from the document as a terminal may show it: short, on one line, without commands.
fn visible(text: &str) -> String {
    visible_whole(&cut(text, MOST_SHOWN))
}

/// As [`visible`], of any length.
pub(crate) fn visible_whole(line: &str) -> String {
    let line = line.chars().map(|char| match char {
        '\n' => ' ',
        char => excerpt::harmless(char),
    });
    normalize_untrusted_str(&line.collect::<String>())
}
