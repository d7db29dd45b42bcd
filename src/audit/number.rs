//! Numbers without rounding: which ones a double or a 64-bit integer stands for, and what the
//! engine may learn of the others.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "a slot keeps the bits of an i64; comparisons are exact where they count"
)]

use std::borrow::Cow;

use jsonschema::json::JsonNumber;
use serde_json::Number as SerdeNumber;

use super::tape::{Doc, Kind, Rounding, Side, Slot};
use crate::source::{Decimal, is_integer};

/// From here on not every integer is a double.
pub(super) const FIRST_GAP: f64 = 9_007_199_254_740_992.0; // 2^53

/// How to keep the number written as `text`, or `None` if no finite double comes near it.
///
/// - A whole number within 64 bits is kept as an integer, however it is written, where a double
///   might not be exact.
/// - A double stands for the decimal that it prints as. If that is the number written (`0.1`,
///   `1e300`, but not `0.1000000000000000055` nor `9007199254740993.5`), the double is kept.
/// - Of any other number only the text is kept.
pub(super) fn classify(text: &str) -> Option<(Kind, u64)> {
    let nearest: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let written = Decimal::read(text);
    if nearest.abs() >= FIRST_GAP
        && let Some(whole) = written.to_integer()
    {
        if let Ok(value) = i64::try_from(whole) {
            return Some((Kind::Int, value as u64));
        }
        if let Ok(value) = u64::try_from(whole) {
            return Some((Kind::Uint, value));
        }
    }
    let printed = format!("{nearest:e}");
    let shortest = Decimal::read(&printed);
    // Where two are equally short and equally near, writers differ in which one they print.
    let places = shortest.digits.len().saturating_sub(1);
    if written == shortest || written == Decimal::read(&format!("{nearest:.places$e}")) {
        return Some((Kind::Float, nearest.to_bits()));
    }
    Some((Kind::Decimal, 0))
}

/// The value of `number` if it is whole; exact up to far beyond 64 bits.
fn whole(number: f64) -> Option<i128> {
    (number.fract() == 0.0 && number.abs() < 1e30).then_some(number as i128)
}

/// A number of the tape, as the engine reads it.
#[derive(Clone, Copy)]
pub struct Number<'a> {
    pub(super) doc: &'a Doc<'a>,
    pub(super) slot: Slot,
}

impl Number<'_> {
    fn integer(&self) -> Option<i128> {
        match self.slot.kind {
            Kind::Int => Some(i128::from(self.slot.data as i64)),
            Kind::Uint => Some(i128::from(self.slot.data)),
            _ => None,
        }
    }

    fn nearest(&self) -> f64 {
        match self.slot.kind {
            Kind::Int => self.slot.data as i64 as f64,
            Kind::Uint => self.slot.data as f64,
            Kind::Float => f64::from_bits(self.slot.data),
            _ => self.doc.numeral(self.slot).parse().unwrap_or(0.0),
        }
    }

    /// Whether both are the same number, `1` and `1.0` included.
    pub(super) fn equals(&self, expected: &SerdeNumber) -> bool {
        let right = expected
            .as_i64()
            .map(i128::from)
            .or(expected.as_u64().map(i128::from));
        match (self.integer(), right, expected.as_f64()) {
            (Some(left), Some(right), _) => left == right,
            (Some(left), None, Some(right)) => whole(right) == Some(left),
            // Whether the schema's author wrote this decimal, or another that the same double
            // stands for, is not to be seen any more. It is no 64-bit integer, that is certain.
            (None, right, Some(double)) if self.slot.kind == Kind::Decimal => {
                if right.is_none() && self.nearest() == double {
                    self.doc.note(Rounding::Lost);
                }
                false
            }
            (None, Some(right), _) => whole(self.nearest()) == Some(right),
            (None, None, Some(right)) => self.nearest() == right,
            (_, None, None) => false,
        }
    }
}

impl JsonNumber for Number<'_> {
    #[inline]
    fn as_u64(&self) -> Option<u64> {
        match self.slot.kind {
            Kind::Int => u64::try_from(self.slot.data as i64).ok(),
            Kind::Uint => Some(self.slot.data),
            _ => None,
        }
    }

    #[inline]
    fn as_i64(&self) -> Option<i64> {
        (self.slot.kind == Kind::Int).then_some(self.slot.data as i64)
    }

    /// The engine compares with limits through this. A decimal lies strictly between two doubles
    /// next to each other; where the comparison comes out the same for its nearest double, the one
    /// below and the one above, it comes out so for the decimal.
    #[inline]
    fn as_f64(&self) -> Option<f64> {
        let nearest = self.nearest();
        if self.slot.kind != Kind::Decimal {
            return Some(nearest);
        }
        self.doc.note(Rounding::Compared);
        Some(match self.doc.side() {
            Side::Nearest => nearest,
            Side::Below => nearest.next_down(),
            Side::Above => nearest.next_up(),
        })
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.doc.numeral(self.slot))
    }

    fn to_number(&self) -> Cow<'_, SerdeNumber> {
        if self.slot.kind == Kind::Decimal {
            self.doc.note(Rounding::Lost);
        }
        Cow::Owned(match self.slot.kind {
            Kind::Int => SerdeNumber::from(self.slot.data as i64),
            Kind::Uint => SerdeNumber::from(self.slot.data),
            // The parser lets no infinite number through.
            _ => SerdeNumber::from_f64(self.nearest()).unwrap_or(SerdeNumber::from(0)),
        })
    }

    #[inline]
    fn is_integer(&self) -> bool {
        match self.slot.kind {
            Kind::Int | Kind::Uint => true,
            Kind::Float => f64::from_bits(self.slot.data).fract() == 0.0,
            _ => is_integer(self.doc.numeral(self.slot)),
        }
    }

    fn is_written_as_integer(&self) -> bool {
        !self.doc.numeral(self.slot).contains(['.', 'e', 'E'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_kept_as_what_stands_for_it_exactly() {
        for (text, kind) in [
            ("18446744073709551615", Kind::Uint),
            ("9007199254740993.0", Kind::Int),
            ("9.223372036854775807e18", Kind::Int),
            ("-9223372036854775808", Kind::Int),
            ("0.1", Kind::Float),
            ("0.30000000000000004", Kind::Float),
            ("12.340000000000000000000", Kind::Float),
            ("5e-324", Kind::Float),
            ("30266521053577.562", Kind::Float),
            ("30266521053577.563", Kind::Float),
            ("30266521053577.564", Kind::Decimal),
            ("1e300", Kind::Float),
            ("0e99999999999999999999", Kind::Float),
            ("-0.0", Kind::Float),
            ("0.10000000000000001", Kind::Decimal),
            ("9007199254740993.5", Kind::Decimal),
            ("18446744073709551616", Kind::Decimal),
            ("1e-400", Kind::Decimal),
            ("1e-99999999999999999999", Kind::Decimal),
        ] {
            assert_eq!(classify(text).map(|(kind, _)| kind), Some(kind), "{text}");
        }
        for text in ["1e400", "-1e309", "1e99999999999999999999"] {
            assert_eq!(classify(text), None, "{text}");
        }
    }
}
