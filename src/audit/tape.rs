//! A JSON text as a flat tape of slots, and what is watched while it is read.
//!
//! ```text
//! {"total":12,"lines":[{"id":7}]}
//!
//!  0 object  2 members, 8 slots      4 array   1 element, 4 slots
//!  1 string  total                   5 object  1 member,  3 slots
//!  2 int     12                      6 string  id
//!  3 string  lines                   7 int     7
//! ```
//!
//! A container is followed by its content, and knows how many slots to skip to get past it. These
//! spans are lengths, not positions, so a piece of tape can be moved as it is.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a text of more than u32::MAX bytes is refused before it is read"
)]

use std::cell::Cell;

use super::value::Node;

/// What a [`Slot`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    False,
    True,
    /// An integer of `i64`, in `data`.
    Int,
    /// An integer above `i64::MAX`, in `data`.
    Uint,
    /// A double that stands for the written number exactly; its bits are in `data`.
    Float,
    /// A number that neither a 64-bit integer nor a double stands for. Only its text is kept.
    Decimal,
    /// A string without escapes: the `low` bytes of the text after the quote at `at`.
    Plain,
    /// A string with escapes: the `low` bytes of the decoded buffer from `high`.
    Decoded,
    /// An array of `low` elements, `high` slots long.
    Array,
    /// An object of `low` members, each a string slot and its value, `high` slots long.
    Object,
}

/// One value of the tape, or one member name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) kind: Kind,
    /// Where the value starts in the text.
    pub(super) at: u32,
    /// A number's value, or a pair of halves; see [`Kind`].
    pub(super) data: u64,
}

// Four slots to a cache line.
const _: () = assert!(size_of::<Slot>() == 16);

impl Slot {
    const NULL: Slot = Slot {
        kind: Kind::Null,
        at: 0,
        data: 0,
    };

    /// A slot with two halves. A text is at most `u32::MAX` bytes long and has no more values
    /// than bytes, so lengths, spans and positions all fit.
    #[inline]
    pub(super) fn pair(kind: Kind, at: usize, high: usize, low: usize) -> Self {
        Slot {
            kind,
            at: at as u32,
            data: ((high as u64) << 32) | low as u64,
        }
    }

    #[inline]
    pub(super) fn high(self) -> u32 {
        (self.data >> 32) as u32
    }

    #[inline]
    pub(super) fn low(self) -> u32 {
        self.data as u32
    }

    /// How many slots the value takes, its own included.
    #[inline]
    pub(super) fn span(self) -> u32 {
        if matches!(self.kind, Kind::Array | Kind::Object) {
            self.high()
        } else {
            1
        }
    }

    #[inline]
    pub(super) fn is_string(self) -> bool {
        matches!(self.kind, Kind::Plain | Kind::Decoded)
    }

    #[inline]
    pub(super) fn is_number(self) -> bool {
        matches!(
            self.kind,
            Kind::Int | Kind::Uint | Kind::Float | Kind::Decimal
        )
    }
}

/// Which double stands in for a [`Kind::Decimal`] while it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Nearest,
    /// The double before the nearest one.
    Below,
    /// The double after the nearest one.
    Above,
}

/// What became of the [`Kind::Decimal`] numbers during an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Rounding {
    /// No value of theirs was asked for.
    None,
    /// One was compared as a double: the verdict holds if it is the same on every [`Side`].
    Compared,
    /// One was used in a way that no choice of side settles.
    Lost,
}

/// One parsed text. It borrows the line and the [`Parser`](super::Parser)'s buffers.
pub struct Doc<'t> {
    tape: &'t [Slot],
    text: &'t str,
    decoded: &'t str,
    repeated: bool,
    steps: Cell<u64>,
    side: Cell<Side>,
    rounding: Cell<Rounding>,
}

impl<'t> Doc<'t> {
    pub(super) fn new(tape: &'t [Slot], text: &'t str, decoded: &'t str, repeated: bool) -> Self {
        Doc {
            tape,
            text,
            decoded,
            repeated,
            steps: Cell::new(u64::MAX),
            side: Cell::new(Side::Nearest),
            rounding: Cell::new(Rounding::None),
        }
    }

    /// The value itself.
    pub fn root(&self) -> Node<'_> {
        Node { doc: self, at: 0 }
    }

    /// The text it was read from.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Whether an object of it names a member twice. The last of equal members is the one kept.
    pub fn repeats_members(&self) -> bool {
        self.repeated
    }

    #[inline]
    pub(super) fn slot(&self, at: u32) -> Slot {
        self.tape[at as usize]
    }

    /// Takes `steps` from the budget. Once they are spent, every value reads as null and every
    /// container ends, so that an evaluation has nothing left to walk.
    #[inline]
    pub(super) fn spend(&self, steps: u64) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(steps));
        left > steps
    }

    /// The slot at `at`, as an evaluation may see it.
    #[inline]
    pub(super) fn visit(&self, at: u32) -> Slot {
        if self.spend(1) {
            self.slot(at)
        } else {
            Slot::NULL
        }
    }

    /// Starts an evaluation of at most `steps` steps.
    pub(super) fn start(&self, steps: u64, side: Side) {
        self.steps.set(steps);
        self.side.set(side);
        self.rounding.set(Rounding::None);
    }

    /// Ends it; `None` if the steps did not suffice.
    pub(super) fn finish(&self) -> Option<Rounding> {
        let enough = self.steps.replace(u64::MAX) > 0;
        enough.then(|| self.rounding.get())
    }

    pub(super) fn side(&self) -> Side {
        self.side.get()
    }

    pub(super) fn note(&self, rounding: Rounding) {
        if self.rounding.get() < rounding {
            self.rounding.set(rounding);
        }
    }

    /// The text of a string slot.
    #[inline]
    pub(super) fn string(&self, slot: Slot) -> &'t str {
        let (source, from) = match slot.kind {
            Kind::Plain => (self.text, slot.at as usize + 1),
            _ => (self.decoded, slot.high() as usize),
        };
        &source[from..from + slot.low() as usize]
    }

    /// The text of a number slot.
    pub(super) fn numeral(&self, slot: Slot) -> &'t str {
        let rest = &self.text[slot.at as usize..];
        let ends = |byte: u8| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        &rest[..rest.bytes().position(ends).unwrap_or(rest.len())]
    }
}
