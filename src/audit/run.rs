//! Logs, audited: from lines to counts.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::example::{self, Example, Said};
use super::fault::Fault;
use super::line::Entry;
use super::parse::Parser;
use super::record::{Named, Outcome, Verdict};
use super::report::Report;
use super::rule::Rule;
use super::stream::{self, Line};
use super::tally::Tally;
use super::tools::Tools;
use super::transcript::Transcript;
use crate::gate::Branch;
use crate::protocol::ProtocolVersion;

/// How logs are audited.
#[derive(Clone, Debug)]
pub struct Options {
    /// The version of records that name none.
    pub protocol: ProtocolVersion,
    /// Examples of each kind.
    pub examples: usize,
    /// Whether examples show the values at fault.
    pub show_values: bool,
    /// Whether each record names its log.
    pub name_logs: bool,
    /// How logs are read.
    pub stream: stream::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            protocol: ProtocolVersion::V2026_07_28,
            examples: 3,
            show_values: false,
            name_logs: false,
            stream: stream::Options::default(),
        }
    }
}

/// One record, judged, as `--records` writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record<'r> {
    /// The line, from 1.
    pub line: u64,
    /// The tool, where the record names one.
    pub tool: Option<&'r str>,
    /// The branch; none where the line is damaged.
    pub branch: Option<&'static str>,
    /// What it comes to.
    pub verdict: Verdict,
    /// The rules that it breaks, or that warn of it.
    pub rules: Vec<&'static str>,
    /// The server, where the record names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<&'r str>,
    /// The log, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<&'r str>,
}

/// An audit that is under way.
pub struct Audit<'t> {
    tools: &'t Tools,
    options: Options,
    tally: Tally,
    interrupt: &'t AtomicBool,
    complete: bool,
}

/// What a line came to, on the thread that parsed it.
enum Answer {
    Record(Outcome),
    /// A session is read in its order, line by line.
    Messages,
    Stray(&'static str),
    Damaged(Fault),
}

impl<'t> Audit<'t> {
    /// An audit by `tools`, which ends early once `interrupt` is set.
    pub fn new(tools: &'t Tools, options: Options, interrupt: &'t AtomicBool) -> Self {
        Self {
            tally: Tally::new(options.examples).with_tools(tools),
            tools,
            options,
            interrupt,
            complete: true,
        }
    }

    /// Reads a log to its end. Each record is handed to `each` in the order of the log.
    ///
    /// # Errors
    /// Of reading the log, and those of `each`.
    pub fn log(
        &mut self,
        name: &str,
        input: impl Read,
        mut each: impl FnMut(&Record<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (tools, protocol) = (self.tools, self.options.protocol);
        let stream = self.options.stream.clone();
        let mut parser = Parser::default();
        let mut session = Transcript::new(protocol);
        let mut stopped = false;
        let ended = stream::run(
            input,
            &stream,
            |line| tools.hint(line),
            |text| match text {
                Err(fault) => Answer::Damaged(fault),
                Ok(doc) => match Entry::of(&doc, protocol) {
                    Entry::Call(call) => Answer::Record(tools.judge(&call)),
                    Entry::Messages => Answer::Messages,
                    Entry::Stray(why) => Answer::Stray(why),
                },
            },
            |line, answer| {
                if self.interrupt.load(Ordering::Relaxed) {
                    stopped = true;
                    return Err(io::ErrorKind::Interrupted.into());
                }
                let at = Place { log: name, line };
                match answer {
                    Answer::Messages => self.messages(&mut parser, &mut session, &at, &mut each),
                    answer => self.record(&mut parser, &answer, &at, &mut each),
                }
            },
        );
        self.complete &= !stopped;
        match ended {
            Err(_) if stopped => Ok(()),
            ended => ended,
        }
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        !self.complete
    }

    /// The report of what has been read.
    pub fn report(&self) -> Report {
        Report::new(&self.tally, self.complete)
    }

    fn record(
        &mut self,
        parser: &mut Parser,
        answer: &Answer,
        at: &Place<'_>,
        each: &mut impl FnMut(&Record<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (tools, options) = (self.tools, &self.options);
        let outcome = match answer {
            Answer::Record(outcome) => outcome,
            Answer::Damaged(fault) => {
                let bound = fault.reason.is_bound();
                &Outcome::damaged(Some(if bound { Rule::BOUNDS } else { Rule::SYNTAX }))
            }
            Answer::Stray(_) | Answer::Messages => &Outcome::damaged(None),
        };
        self.tally.add(outcome, tools.len(), |rule| {
            at.example(match answer {
                Answer::Damaged(fault) => example::of_fault(fault),
                Answer::Stray(why) => (Some((*why).to_owned()), Vec::new()),
                Answer::Record(_) | Answer::Messages => {
                    // The text is read again: examples are few.
                    let doc = parser.parse(at.line.text);
                    match doc.as_ref().map(|doc| Entry::of(doc, options.protocol)) {
                        Ok(Entry::Call(call)) => {
                            let (verdict, values) = (outcome.verdict, options.show_values);
                            example::of_call(tools, &call, verdict, rule, values)
                        }
                        _ => (None, Vec::new()),
                    }
                }
            })
        });
        each(&at.record(outcome, tools, options.name_logs))
    }

    fn messages(
        &mut self,
        parser: &mut Parser,
        session: &mut Transcript,
        at: &Place<'_>,
        each: &mut impl FnMut(&Record<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (tools, options) = (self.tools, &self.options);
        let (tally, mut written) = (&mut self.tally, Ok(()));
        let mut records = false;
        if let Ok(doc) = parser.parse(at.line.text) {
            session.read(&doc, |call| {
                records = true;
                let outcome = tools.judge(call);
                tally.add(&outcome, tools.len(), |rule| {
                    let (verdict, values) = (outcome.verdict, options.show_values);
                    at.example(example::of_call(tools, call, verdict, rule, values))
                });
                if written.is_ok() {
                    written = each(&at.record(&outcome, tools, options.name_logs));
                }
            });
        }
        tally.messages += u64::from(!records);
        written
    }
}

/// Where a record stands.
struct Place<'l> {
    log: &'l str,
    line: Line<'l>,
}

impl Place<'_> {
    fn example(&self, (message, places): Said) -> Example {
        Example {
            log: self.log.to_owned(),
            line: self.line.number,
            message,
            places,
        }
    }

    fn record<'r>(&'r self, outcome: &'r Outcome, tools: &'r Tools, name_log: bool) -> Record<'r> {
        Record {
            line: self.line.number,
            tool: match &outcome.tool {
                Named::Nothing => None,
                Named::Known(index) => Some(tools.name(*index)),
                Named::Unknown(name) => Some(name),
            },
            branch: outcome.branch.map(Branch::as_str),
            verdict: outcome.verdict,
            rules: outcome.rules.iter().map(Rule::id).collect(),
            server: outcome.server.as_deref(),
            log: name_log.then_some(self.log),
        }
    }
}
