//! A session over standard input and output: one message a line.
//!
//! Each message is on record before it is answered, so that whoever has the answer finds it there.

use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use super::reply::Answer;
use super::script::{Event, Script, unix_ms};
use super::session::{MOST_MESSAGE, Session, Turn};

/// How much of a flood is written at once.
const PIECE: usize = 64 << 10;

/// When something last went in or out. Reads and writes block; whoever started them watches this
/// and ends the process of a client that neither reads, writes nor leaves.
#[derive(Debug)]
pub struct Pulse(AtomicU64);

impl Pulse {
    /// A pulse that beats now.
    #[expect(clippy::new_without_default, reason = "it starts a clock")]
    pub fn new() -> Self {
        Self(AtomicU64::new(unix_ms()))
    }

    /// Milliseconds since it last did.
    pub fn quiet_ms(&self) -> u64 {
        unix_ms().saturating_sub(self.0.load(Ordering::Relaxed))
    }

    fn beat(&self) {
        self.0.store(unix_ms(), Ordering::Relaxed);
    }
}

/// A line of input.
enum Line {
    /// A message, without its end.
    Whole,
    /// One that the input ends in.
    Half,
    /// One of so many bytes, which were passed over.
    TooLong(usize),
}

/// Serves one client until it leaves, or until the script ends the session.
///
/// # Errors
/// What is wrong with the input, or with the record. A client that no longer reads has left.
pub fn serve(
    script: Script,
    input: impl Read,
    output: impl Write,
    mut record: impl FnMut(&Event) -> io::Result<()>,
    pulse: &Pulse,
) -> io::Result<()> {
    let mut session = Session::new(script);
    let mut input = BufReader::new(input);
    let mut output = BufWriter::with_capacity(PIECE, output);
    // After half a line, whatever followed would complete it: then there is only the record.
    let mut mute = false;
    let mut message = Vec::new();
    while let Some(line) = read_line(&mut input, &mut message, pulse)? {
        if message.iter().all(u8::is_ascii_whitespace) && !matches!(line, Line::TooLong(_)) {
            continue;
        }
        let mut turn = match line {
            Line::Whole | Line::Half => session.receive(&message, None),
            Line::TooLong(bytes) => session.too_long(bytes),
        };
        if matches!(line, Line::Half) {
            let problem = "the input ends before the message's line does";
            turn.event.problem.get_or_insert_with(|| problem.to_owned());
        }
        turn.event = turn.event.now();
        record(&turn.event)?;
        let closes = turn.answer == Answer::Close;
        let cut_off = matches!(turn.answer, Answer::Half(_));
        if !mute {
            match write(&mut output, turn, &session, pulse) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
                written => written?,
            }
        }
        mute |= cut_off;
        if closes {
            break;
        }
    }
    Ok(())
}

fn write(
    output: &mut BufWriter<impl Write>,
    turn: Turn,
    session: &Session,
    pulse: &Pulse,
) -> io::Result<()> {
    match turn.answer {
        Answer::None | Answer::Silence | Answer::Close => {}
        Answer::Message { text, .. } | Answer::Listen { text, .. } => line(output, &text)?,
        Answer::Half(text) => output.write_all(text.as_bytes())?,
        Answer::Flood { head, bytes, tail } => {
            output.write_all(head.as_bytes())?;
            let piece = [b'x'; PIECE];
            let mut left = bytes;
            while left > 0 {
                let some = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
                output.write_all(&piece[..some])?;
                left -= some as u64;
                pulse.beat();
            }
            line(output, tail)?;
        }
    }
    if turn.changed {
        for text in session.announcements() {
            line(output, &text)?;
        }
    }
    output.flush()?;
    pulse.beat();
    Ok(())
}

fn line(output: &mut impl Write, text: &str) -> io::Result<()> {
    output.write_all(text.as_bytes())?;
    output.write_all(b"\n")
}

/// Reads a line into `message`, of which at most [`MOST_MESSAGE`] bytes are kept at any time.
fn read_line(
    input: &mut impl BufRead,
    message: &mut Vec<u8>,
    pulse: &Pulse,
) -> io::Result<Option<Line>> {
    message.clear();
    let mut length = 0;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        pulse.beat();
        if chunk.is_empty() {
            return Ok((length > 0).then_some(if length > MOST_MESSAGE {
                Line::TooLong(length)
            } else {
                Line::Half
            }));
        }
        let end = memchr::memchr(b'\n', chunk);
        let piece = &chunk[..end.unwrap_or(chunk.len())];
        length += piece.len();
        if length <= MOST_MESSAGE {
            message.extend_from_slice(piece);
        } else {
            message.clear();
        }
        let consumed = piece.len() + usize::from(end.is_some());
        input.consume(consumed);
        if end.is_some() {
            return Ok(Some(if length > MOST_MESSAGE {
                Line::TooLong(length)
            } else {
                Line::Whole
            }));
        }
    }
}
