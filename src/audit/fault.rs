//! Why a text was refused.

use std::fmt;

/// Why a text was refused, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, in bytes from the start of the text.
    pub offset: usize,
    /// Why.
    pub reason: Reason,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.reason, self.offset)
    }
}

impl std::error::Error for Fault {}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Bytes that are not UTF-8.
    Encoding,
    /// The end, too early.
    End,
    /// Something else where a value should start.
    Value,
    /// Something else where a member name should start.
    Name,
    /// No colon after a member name.
    Colon,
    /// Neither a comma nor the closing bracket.
    Comma,
    /// More text after the value.
    Trailing,
    /// A bare control character in a string.
    Control,
    /// An escape that JSON does not know.
    Escape,
    /// Half a surrogate pair.
    Surrogate,
    /// No digit where a number needs one.
    Digit,
    /// A needless zero at the start of a number.
    LeadingZero,
    /// Too many levels of nesting.
    Depth,
    /// A number larger than any double.
    Range,
    /// A text that is too long.
    Size,
}

impl Reason {
    /// Whether the text is refused for its size, and not for being no JSON.
    pub fn is_bound(self) -> bool {
        matches!(self, Reason::Depth | Reason::Range | Reason::Size)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Encoding => "bytes that are not UTF-8",
            Reason::End => "the text ends too early",
            Reason::Value => "expected a value",
            Reason::Name => "expected a member name in double quotes",
            Reason::Colon => "expected a colon after the member name",
            Reason::Comma => "expected a comma or the closing bracket",
            Reason::Trailing => "expected nothing more after the value",
            Reason::Control => "a control character in a string, not written as an escape",
            Reason::Escape => "no escape that JSON knows",
            Reason::Surrogate => "half a surrogate pair, which is no character",
            Reason::Digit => "expected a digit",
            Reason::LeadingZero => "a number that starts with a needless zero",
            Reason::Depth => "more than 127 levels of nesting",
            Reason::Range => "a number larger than any double",
            Reason::Size => "a text longer than allowed",
        })
    }
}
