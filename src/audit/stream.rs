//! A log of any length, line by line: judged in the order that suits the machine, delivered in
//! the order of the log.
//!
//! The log is read in windows of some MiB that end with a line. Within a window the lines are
//! judged group by group, so that a tool's validator, once in the cache, is used for all of its
//! lines. With several threads each takes every n-th window; memory is bounded by the windows
//! under way, whatever the length of the log.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a window has far fewer lines than u32::MAX"
)]

use std::io::{self, Read};
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use memchr::{memchr, memchr_iter, memrchr};

use super::fault::{Fault, Reason};
use super::parse::Parser;
use super::tape::Doc;

/// How a log is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that judge. With one, everything happens on the caller's.
    pub threads: usize,
    /// Bytes read at a time. The larger a window, the more lines of one tool it holds: a log of
    /// 600 tools is judged a quarter faster in windows of 8 MiB than of 1, beyond that hardly.
    pub window: usize,
    /// The longest line that is looked at, in bytes.
    pub longest: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threads: 1,
            window: 4 << 20,
            longest: 64 << 20,
        }
    }
}

/// A line of the log.
#[derive(Clone, Copy, Debug)]
pub struct Line<'w> {
    /// Counted from one, empty lines included.
    pub number: u64,
    /// Its text. Of a line that is too long, the beginning.
    pub text: &'w [u8],
}

/// Reads `input` to its end, and calls for each line that is not blank
///
/// - `group` with its text: lines of the same number are judged together,
/// - `judge` with what the text holds: the answer must not depend on other lines, and
/// - `deliver` with the line and that answer, in the order of the log, on the caller's thread.
///
/// The first error, of reading or of `deliver`, ends it.
pub fn run<T: Send>(
    input: impl Read,
    options: &Options,
    group: impl Fn(&[u8]) -> u32 + Sync,
    judge: impl Fn(Result<Doc<'_>, Fault>) -> T + Sync,
    deliver: impl FnMut(Line<'_>, T) -> io::Result<()>,
) -> io::Result<()> {
    let longest = options.longest;
    let mut source = Source {
        input,
        options,
        rest: Vec::new(),
    };
    let mut sink = Sink { lines: 0, deliver };
    let work = |desk: &mut Desk, window: &mut Window<T>| {
        window.split();
        desk.judge(window, longest, &group, &judge);
    };
    if options.threads <= 1 {
        let (mut desk, mut window) = (Desk::default(), Window::default());
        while source.fill(&mut window.text)? {
            work(&mut desk, &mut window);
            sink.deliver(&mut window)?;
        }
        return Ok(());
    }
    thread::scope(|scope| {
        let crew: Vec<_> = (0..options.threads)
            .map(|_| {
                let (jobs, todo) = channel::<Window<T>>();
                let (done, finished) = channel();
                let work = &work;
                scope.spawn(move || {
                    let mut desk = Desk::default();
                    for mut window in todo {
                        work(&mut desk, &mut window);
                        if done.send(window).is_err() {
                            break;
                        }
                    }
                });
                Worker { jobs, finished }
            })
            .collect();
        // The windows go round, so they come back in order by asking round. One more than there
        // are workers is under way: read while the others are judged, it is there when the first
        // of them is done. A worker that is gone has panicked; the scope passes its panic on.
        let gone = || io::Error::other("a worker has died");
        let (mut sent, mut back) = (0, 0);
        let mut ended = false;
        while !ended || back < sent {
            let mut window = Window::default();
            if ended || sent - back > crew.len() {
                window = crew[back % crew.len()]
                    .finished
                    .recv()
                    .map_err(|_| gone())?;
                back += 1;
                sink.deliver(&mut window)?;
            }
            ended = ended || !source.fill(&mut window.text)?;
            if !ended {
                crew[sent % crew.len()]
                    .jobs
                    .send(window)
                    .map_err(|_| gone())?;
                sent += 1;
            }
        }
        Ok(())
    })
}

struct Worker<T> {
    jobs: Sender<Window<T>>,
    finished: Receiver<Window<T>>,
}

/// Some consecutive lines, and what was found of them.
struct Window<T> {
    text: Vec<u8>,
    /// The lines that are not blank: how many precede each, and where it is.
    lines: Vec<(u32, Range<usize>)>,
    /// How many lines there are, blank ones included.
    total: u32,
    answers: Vec<Option<T>>,
}

impl<T> Default for Window<T> {
    fn default() -> Self {
        Window {
            text: Vec::new(),
            lines: Vec::new(),
            total: 0,
            answers: Vec::new(),
        }
    }
}

impl<T> Window<T> {
    fn split(&mut self) {
        self.lines.clear();
        self.total = 0;
        let mut start = 0;
        let last = (self.text.last() != Some(&b'\n')).then_some(self.text.len());
        for end in memchr_iter(b'\n', &self.text).chain(last) {
            if !self.text[start..end].trim_ascii().is_empty() {
                self.lines.push((self.total, start..end));
            }
            self.total += 1;
            start = end + 1;
        }
    }
}

/// The log, and the start of the line that the last window ended in.
struct Source<'o, R> {
    input: R,
    options: &'o Options,
    rest: Vec<u8>,
}

impl<R: Read> Source<'_, R> {
    /// Fills `window` with whole lines; false at the end of the log.
    fn fill(&mut self, window: &mut Vec<u8>) -> io::Result<bool> {
        window.clear();
        window.append(&mut self.rest);
        let mut searched = 0;
        loop {
            let read = self.read(window)?;
            if let Some(end) = memrchr(b'\n', &window[searched..]) {
                self.rest.extend_from_slice(&window[searched + end + 1..]);
                window.truncate(searched + end + 1);
                return Ok(true);
            }
            if read == 0 {
                return Ok(!window.is_empty());
            }
            searched = window.len();
            if searched > self.options.longest {
                // One line, and enough of it to see that it is too long.
                window.truncate(self.options.longest + 1);
                return self.skip_line().map(|()| true);
            }
        }
    }

    fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.input
            .by_ref()
            .take(self.options.window as u64)
            .read_to_end(buffer)
    }

    fn skip_line(&mut self) -> io::Result<()> {
        let mut buffer = Vec::new();
        while self.read(&mut buffer)? > 0 {
            if let Some(end) = memchr(b'\n', &buffer) {
                self.rest.extend_from_slice(&buffer[end + 1..]);
                break;
            }
            buffer.clear();
        }
        Ok(())
    }
}

/// What a thread needs to judge a window.
#[derive(Default)]
struct Desk {
    parser: Parser,
    order: Vec<(u32, u32)>,
}

impl Desk {
    fn judge<T>(
        &mut self,
        window: &mut Window<T>,
        longest: usize,
        group: impl Fn(&[u8]) -> u32,
        judge: impl Fn(Result<Doc<'_>, Fault>) -> T,
    ) {
        let Window {
            text,
            lines,
            answers,
            ..
        } = window;
        let line = |index: u32| &text[lines[index as usize].1.clone()];
        self.order.clear();
        self.order
            .extend((0..lines.len() as u32).map(|index| (group(line(index)), index)));
        self.order.sort_unstable();
        answers.clear();
        answers.resize_with(lines.len(), || None);
        for &(_, index) in &self.order {
            let text = line(index);
            let parsed = if text.len() > longest {
                Err(Fault {
                    offset: longest,
                    reason: Reason::Size,
                })
            } else {
                self.parser.parse(text)
            };
            answers[index as usize] = Some(judge(parsed));
        }
    }
}

/// Where the answers go, and how many lines came before.
struct Sink<F> {
    lines: u64,
    deliver: F,
}

impl<F> Sink<F> {
    fn deliver<T>(&mut self, window: &mut Window<T>) -> io::Result<()>
    where
        F: FnMut(Line<'_>, T) -> io::Result<()>,
    {
        for ((before, range), answer) in window.lines.iter().zip(&mut window.answers) {
            let number = self.lines + u64::from(*before) + 1;
            let line = Line {
                number,
                text: &window.text[range.clone()],
            };
            answer
                .take()
                .map_or(Ok(()), |answer| (self.deliver)(line, answer))?;
        }
        self.lines += u64::from(window.total);
        Ok(())
    }
}
