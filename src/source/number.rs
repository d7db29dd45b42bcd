//! Numbers as they are written, and what becomes of them.

use std::borrow::Cow;

use serde_json::Number;

/// Reads a JSON number: integers of 64 bits exactly, everything else as the nearest double.
/// `None` where no finite double is near.
pub(super) fn parse(text: &str) -> Option<Number> {
    if let Ok(number) = text.parse::<u64>() {
        return Some(number.into());
    }
    match text.parse::<i64>() {
        // `-0` is a zero with a sign, which only a double holds.
        Ok(number) if number != 0 => Some(number.into()),
        _ => Number::from_f64(text.parse().ok()?),
    }
}

/// Whether the nearest double has another value than the text, as the shortest decimal that
/// reads back as that double shows it.
pub(super) fn double_would_change(text: &str) -> bool {
    // Fifteen significant digits always survive, and exponents out of reach need four characters.
    if text.len() <= 15 && !text.contains(['e', 'E']) {
        return false;
    }
    let Ok(double) = text.parse::<f64>() else {
        return false;
    };
    let decimal = Decimal::read(text);
    decimal != Decimal::read(&format!("{double:e}"))
        // 2^64 has a shorter neighbour that reads back as it, and is itself all the same.
        && decimal != Decimal::read(&format!("{double:.0}"))
}

/// Whether the number is an integer by value: `1.0` and `1e0` are, `1e-1` is not.
pub fn is_integer(text: &str) -> bool {
    let decimal = Decimal::read(text);
    decimal.digits.is_empty() || decimal.exponent >= 0
}

/// The number as text, and an integer alike however it is written: `1.0` is `1`.
pub(crate) fn plain(number: &Number) -> String {
    // Up to 2^63 a double without a fraction has all its digits.
    let whole = number.as_f64().filter(|double| {
        number.is_f64() && double.fract() == 0.0 && double.abs() < 9_223_372_036_854_775_808.0
    });
    whole.map_or_else(|| number.to_string(), |double| format!("{double:.0}"))
}

/// The digits of a number without leading and trailing zeros, and the power of ten of the last.
#[derive(PartialEq, Eq)]
pub(crate) struct Decimal<'a> {
    negative: bool,
    pub(crate) digits: Cow<'a, str>,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    pub(crate) fn read(text: &'a str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            // An exponent too long for 64 bits is far out of any double's reach, as its limit is.
            Some((mantissa, exponent)) => (
                mantissa,
                exponent.parse().unwrap_or(if exponent.starts_with('-') {
                    i64::MIN / 2
                } else {
                    i64::MAX / 2
                }),
            ),
            None => (text, 0),
        };
        let (digits, exponent) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (
                Cow::Owned(format!("{whole}{fraction}")),
                exponent - i64::try_from(fraction.len()).unwrap_or(i64::MAX / 4),
            ),
            None => (Cow::Borrowed(mantissa), exponent),
        };
        let kept = digits.trim_end_matches('0');
        let dropped = i64::try_from(digits.len() - kept.len()).unwrap_or(i64::MAX / 4);
        let kept = kept.trim_start_matches('0');
        if kept.is_empty() {
            return Self {
                negative: false,
                digits: Cow::Borrowed(""),
                exponent: 0,
            };
        }
        Self {
            negative,
            digits: Cow::Owned(kept.to_owned()),
            exponent: exponent.saturating_add(dropped),
        }
    }

    /// The value, if it is whole and of at most twenty digits.
    pub(crate) fn to_integer(&self) -> Option<i128> {
        let zeros = u32::try_from(self.exponent)
            .ok()
            .filter(|zeros| *zeros <= 20)?;
        if self.digits.len() + zeros as usize > 20 {
            return None;
        }
        let digits: i128 = self.digits.parse().unwrap_or(0);
        let value = digits * 10_i128.pow(zeros);
        Some(if self.negative { -value } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_64_bits_are_exact_and_the_rest_are_doubles() {
        for (text, shown) in [
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("9007199254740993", "9007199254740993"),
            ("-0", "-0.0"),
            ("1e0", "1.0"),
        ] {
            assert_eq!(parse(text).map(|n| n.to_string()).as_deref(), Some(shown));
        }
        assert_eq!(parse("1e400"), None);
    }

    #[test]
    fn a_double_changes_what_it_cannot_hold() {
        for text in [
            "9007199254740993",
            "12345678901234567890123",
            "1e-400",
            "0.12345678901234567890",
        ] {
            assert!(double_would_change(text), "{text}");
        }
        for text in [
            "0.1",
            "1e30",
            "9007199254740992",
            "100000000000000000000",
            "1.50",
            "-0",
            "1E2",
            "0e99999999999999999999",
            "18446744073709551616",
        ] {
            assert!(!double_would_change(text), "{text}");
        }
    }

    #[test]
    fn an_integer_is_one_by_value() {
        for text in [
            "1",
            "1.0",
            "1e0",
            "10e-1",
            "-0",
            "0.0",
            "12345678901234567890123",
        ] {
            assert!(is_integer(text), "{text}");
        }
        for text in ["1.5", "1e-1", "1e-400"] {
            assert!(!is_integer(text), "{text}");
        }
    }
}
