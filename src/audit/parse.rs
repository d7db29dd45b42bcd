//! JSON text to tape, in one pass: RFC 8259, and RFC 7493 where it asks for whole characters.
//!
//! Why not a parser off the shelf: the tape wants positions, repeated names, and the text of the
//! numbers that a double would change, which no deserializer tells. The parser is small since it
//! builds no values, it only finds them. Strings and numbers are in `scan.rs`.

use super::fault::{Fault, Reason};
use super::tape::{Doc, Kind, Slot};

/// Containers within containers, the outermost included.
const DEEPEST: u32 = 127;
/// Objects up to this size look for a repeated name as it is read, larger ones when they close.
const FEW: usize = 32;
/// A line of more values than this does not leave its buffer to all that follow.
const KEPT_SLOTS: usize = 1 << 18;
const KEPT_BYTES: usize = 1 << 22;

/// A parser, which is its buffers: each text is read into those of the one before.
#[derive(Debug, Default)]
pub struct Parser {
    tape: Vec<Slot>,
    decoded: String,
}

impl Parser {
    /// Reads `text`, which must be one JSON value and nothing else.
    ///
    /// # Errors
    /// The first place at which it is not.
    pub fn parse<'t>(&'t mut self, text: &'t [u8]) -> Result<Doc<'t>, Fault> {
        if u32::try_from(text.len()).is_err() {
            return Err(Fault {
                offset: 0,
                reason: Reason::Size,
            });
        }
        let encoding = |error: std::str::Utf8Error| Fault {
            offset: error.valid_up_to(),
            reason: Reason::Encoding,
        };
        let text = std::str::from_utf8(text).map_err(encoding)?;
        self.tape.clear();
        self.tape.shrink_to(KEPT_SLOTS);
        self.decoded.clear();
        self.decoded.shrink_to(KEPT_BYTES);
        let (tape, decoded) = (&mut self.tape, &mut self.decoded);
        let mut reader = Reader {
            text,
            bytes: text.as_bytes(),
            at: 0,
            tape,
            decoded,
            repeated: false,
        };
        reader.space();
        reader.value(0)?;
        reader.space();
        if reader.at < text.len() {
            return Err(reader.fault(Reason::Trailing));
        }
        let repeated = reader.repeated;
        Ok(Doc::new(&self.tape, text, &self.decoded, repeated))
    }
}

/// A parse under way.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    /// The next byte to read.
    pub(super) at: usize,
    pub(super) tape: &'t mut Vec<Slot>,
    pub(super) decoded: &'t mut String,
    repeated: bool,
}

impl Reader<'_> {
    #[cold]
    pub(super) fn fault(&self, reason: Reason) -> Fault {
        let reason = if self.at < self.bytes.len() {
            reason
        } else {
            Reason::End
        };
        Fault {
            offset: self.at,
            reason,
        }
    }

    /// The next byte. At the end it is 0, which no rule of the grammar accepts.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\t' | b'\r') {
            self.at += 1;
        }
    }

    /// Reads `byte`, and the space before and after it.
    #[inline]
    fn accept(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.peek() == byte;
        if found {
            self.at += 1;
            self.space();
        }
        found
    }

    fn value(&mut self, depth: u32) -> Result<(), Fault> {
        match self.peek() {
            b'"' => self.string(),
            b'{' => self.container(Kind::Object, depth + 1),
            b'[' => self.container(Kind::Array, depth + 1),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word("true", Kind::True),
            b'f' => self.word("false", Kind::False),
            b'n' => self.word("null", Kind::Null),
            _ => Err(self.fault(Reason::Value)),
        }
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<(), Fault> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.fault(Reason::Value));
        }
        self.tape.push(Slot::pair(kind, self.at, 0, 0));
        self.at += word.len();
        Ok(())
    }

    /// Reads an array or an object. Its slot is filled in when its span is known.
    fn container(&mut self, kind: Kind, depth: u32) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err(self.fault(Reason::Depth));
        }
        let (head, start) = (self.tape.len(), self.at);
        self.tape.push(Slot::pair(kind, start, 0, 0));
        self.at += 1;
        self.space();
        let close = if kind == Kind::Object { b'}' } else { b']' };
        let mut count = 0;
        if self.peek() == close {
            self.at += 1;
        } else if kind == Kind::Object {
            count = self.members(head, depth)?;
        } else {
            count = self.elements(depth)?;
        }
        self.tape[head] = Slot::pair(kind, start, self.tape.len() - head, count);
        Ok(())
    }

    fn elements(&mut self, depth: u32) -> Result<usize, Fault> {
        let mut count = 0;
        loop {
            self.value(depth)?;
            count += 1;
            if self.accept(b',') {
                continue;
            }
            return self.end(b']').map(|()| count);
        }
    }

    fn members(&mut self, head: usize, depth: u32) -> Result<usize, Fault> {
        let (mut count, mut seen, mut repeats) = (0, 0_u64, false);
        loop {
            if self.peek() != b'"' {
                return Err(self.fault(Reason::Name));
            }
            let name = self.tape.len();
            self.string()?;
            // One bit per name: only where two names share theirs, names are compared.
            let bit = 1 << (summary(self.name(name)) % 64);
            repeats |= seen & bit != 0 && count < FEW && self.is_among(head, name);
            seen |= bit;
            if !self.accept(b':') {
                return Err(self.fault(Reason::Colon));
            }
            self.value(depth)?;
            count += 1;
            if self.accept(b',') {
                continue;
            }
            self.end(b'}')?;
            return Ok(if repeats || count > FEW {
                self.keep_last(head)
            } else {
                count
            });
        }
    }

    #[inline]
    fn end(&mut self, close: u8) -> Result<(), Fault> {
        if self.peek() != close {
            return Err(self.fault(Reason::Comma));
        }
        self.at += 1;
        Ok(())
    }

    /// The string whose slot is at `at`.
    #[inline]
    fn name(&self, at: usize) -> &[u8] {
        let slot = self.tape[at];
        let (source, from) = match slot.kind {
            Kind::Plain => (self.bytes, slot.at as usize + 1),
            _ => (self.decoded.as_bytes(), slot.high() as usize),
        };
        &source[from..from + slot.low() as usize]
    }

    /// Whether a member of the object at `head` that comes before `name` has the same name.
    fn is_among(&self, head: usize, name: usize) -> bool {
        let mut at = head + 1;
        while at < name && self.name(at) != self.name(name) {
            at += 1 + self.tape[at + 1].span() as usize;
        }
        at < name
    }

    /// Drops each member of the object at `head`, the last of the tape, that a later one of the
    /// same name replaces; returns how many are left. Sorts, so that no object is slow to settle.
    #[cold]
    fn keep_last(&mut self, head: usize) -> usize {
        let mut members = Vec::new();
        let mut at = head + 1;
        while at < self.tape.len() {
            let end = at + 1 + self.tape[at + 1].span() as usize;
            members.push(at..end);
            at = end;
        }
        let by_name = |a: usize, b: usize| self.name(a).cmp(self.name(b)).then(a.cmp(&b));
        members.sort_unstable_by(|a, b| by_name(a.start, b.start));
        let all = members.len();
        // `dedup_by` keeps the first of a run, so the run is walked from its end.
        members.reverse();
        members.dedup_by(|earlier, later| self.name(earlier.start) == self.name(later.start));
        if members.len() < all {
            members.sort_unstable_by_key(|member| member.start);
            let kept: Vec<Slot> = members
                .iter()
                .flat_map(|member| &self.tape[member.clone()])
                .copied()
                .collect();
            self.tape.truncate(head + 1);
            self.tape.extend(kept);
            self.repeated = true;
        }
        members.len()
    }
}

/// A number that equal names share and others seldom do.
#[inline]
fn summary(name: &[u8]) -> usize {
    let [first, .., last] = name else {
        return name.first().map_or(0, |&byte| byte.into());
    };
    usize::from(*first) * 7
        + usize::from(name[name.len() / 2]) * 31
        + usize::from(*last) * 3
        + name.len() * 13
}
