//! Strings and numbers, the two tokens with an inside.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "texts are shorter than u32::MAX, and doubles are made of few digits only"
)]

use super::fault::{Fault, Reason};
use super::number;
use super::parse::Reader;
use super::tape::{Kind, Slot};

/// The powers of ten that are doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
/// Decimal digits that survive the way into a double and back.
const SAFE_DIGITS: usize = 15;
/// Decimal digits that always fit 64 bits.
const FITTING_DIGITS: usize = 19;

impl Reader<'_> {
    /// Reads a string. One without escapes stays in the text; most have none.
    #[inline]
    pub(super) fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let end = self.ordinary(start + 1);
        if self.bytes.get(end) != Some(&b'"') {
            return self.escaped(start, end);
        }
        self.tape
            .push(Slot::pair(Kind::Plain, start, 0, end - start - 1));
        self.at = end + 1;
        Ok(())
    }

    /// The first quote, backslash or control character from `at` on, or the end of the text.
    #[inline]
    fn ordinary(&self, mut at: usize) -> usize {
        const ONES: u64 = u64::MAX / 255;
        const TOPS: u64 = ONES << 7;
        // Eight bytes at a time. `word - ONES * n` borrows into the top bit of each byte below
        // `n`; a byte above a borrow may be marked wrongly, the lowest mark is always right.
        while let Some((word, _)) = self
            .bytes
            .get(at..)
            .and_then(|rest| rest.split_first_chunk())
        {
            let word = u64::from_le_bytes(*word);
            let below = |word: u64, n: u8| word.wrapping_sub(ONES * u64::from(n)) & !word;
            let quote = below(word ^ (ONES * u64::from(b'"')), 1);
            let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
            let marks = (quote | backslash | below(word, b' ')) & TOPS;
            if marks != 0 {
                return at + marks.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        while self
            .bytes
            .get(at)
            .is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..b' '))
        {
            at += 1;
        }
        at
    }

    /// Reads the string that starts at `start` and is ordinary up to `at`, decoding its escapes.
    #[cold]
    fn escaped(&mut self, start: usize, at: usize) -> Result<(), Fault> {
        let from = self.decoded.len();
        let mut run = start + 1;
        self.at = at;
        loop {
            self.decoded.push_str(&self.text[run..self.at]);
            match self.peek() {
                b'"' => break,
                b'\\' => {
                    let character = self.escape()?;
                    self.decoded.push(character);
                }
                _ => return Err(self.fault(Reason::Control)),
            }
            run = self.at;
            self.at = self.ordinary(run);
        }
        self.at += 1;
        self.tape.push(Slot::pair(
            Kind::Decoded,
            start,
            from,
            self.decoded.len() - from,
        ));
        Ok(())
    }

    /// Reads an escape sequence from its backslash on.
    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let character = match self.peek() {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut code = self.hex()?;
                // The first half of a pair counts only with the second; neither is a `char`.
                if (0xd800..0xdc00).contains(&code) && self.bytes[self.at..].starts_with(b"\\u") {
                    self.at += 1;
                    let low = self.hex()?;
                    if (0xdc00..0xe000).contains(&low) {
                        code = 0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                    }
                }
                let surrogate = Fault {
                    offset: start,
                    reason: Reason::Surrogate,
                };
                return char::from_u32(code).ok_or(surrogate);
            }
            _ => return Err(self.fault(Reason::Escape)),
        };
        self.at += 1;
        Ok(character)
    }

    /// Reads a `u` and the four digits after it.
    fn hex(&mut self) -> Result<u32, Fault> {
        let mut code = 0;
        for _ in 0..4 {
            self.at += 1;
            let digit = char::from(self.peek()).to_digit(16);
            code = code * 16 + digit.ok_or_else(|| self.fault(Reason::Escape))?;
        }
        self.at += 1;
        Ok(code)
    }

    /// Reads a number. Nearly all are settled here: integers of up to 19 digits, and decimals so
    /// short that the double is exact by construction (an exact integer times or over an exact
    /// power of ten rounds once, and 15 digits are few enough to read back the same). The rest is
    /// for [`number::classify`].
    pub(super) fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let negative = self.peek() == b'-';
        self.at += usize::from(negative);
        let mut mantissa = 0;
        let mut digits = self.digits(&mut mantissa)?;
        if digits > 1 && self.bytes[self.at - digits] == b'0' {
            self.at -= digits;
            return Err(self.fault(Reason::LeadingZero));
        }
        if !matches!(self.peek(), b'.' | b'e' | b'E') {
            let signed = if negative {
                0_i64.checked_sub_unsigned(mantissa)
            } else {
                i64::try_from(mantissa).ok()
            };
            return match signed {
                Some(value) if digits <= FITTING_DIGITS => {
                    self.tape.push(Slot {
                        kind: Kind::Int,
                        at: start as u32,
                        data: value as u64,
                    });
                    Ok(())
                }
                _ => self.unusual(start),
            };
        }
        let mut exponent = 0;
        if self.peek() == b'.' {
            self.at += 1;
            let places = self.digits(&mut mantissa)?;
            digits += places;
            exponent -= places as i64;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            let minus = self.peek() == b'-';
            self.at += usize::from(matches!(self.peek(), b'-' | b'+'));
            let mut power = 0;
            if self.digits(&mut power)? > 4 {
                return self.unusual(start);
            }
            exponent += if minus { -(power as i64) } else { power as i64 };
        }
        let power = POWERS.get(exponent.unsigned_abs() as usize);
        if let Some(power) = power
            && digits <= SAFE_DIGITS
        {
            let mantissa = mantissa as f64;
            let value = if exponent < 0 {
                mantissa / power
            } else {
                mantissa * power
            };
            if value < number::FIRST_GAP {
                let data = if negative { -value } else { value }.to_bits();
                self.tape.push(Slot {
                    kind: Kind::Float,
                    at: start as u32,
                    data,
                });
                return Ok(());
            }
        }
        self.unusual(start)
    }

    /// Reads one digit or more onto the end of `value`, which is right up to 19 of them; returns
    /// how many.
    #[inline]
    fn digits(&mut self, value: &mut u64) -> Result<usize, Fault> {
        let start = self.at;
        loop {
            let digit = self.peek().wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            *value = value.wrapping_mul(10).wrapping_add(digit.into());
            self.at += 1;
        }
        if self.at == start {
            return Err(self.fault(Reason::Digit));
        }
        Ok(self.at - start)
    }

    #[cold]
    fn unusual(&mut self, start: usize) -> Result<(), Fault> {
        let (kind, data) = number::classify(&self.text[start..self.at]).ok_or(Fault {
            offset: start,
            reason: Reason::Range,
        })?;
        self.tape.push(Slot {
            kind,
            at: start as u32,
            data,
        });
        Ok(())
    }
}
