//! Numbers that fit.

use serde_json::{Number, Value};

use super::instance::Grower;
use super::plan::Plan;
use super::rng::Rng;
use super::shape::Shape;
use super::types::Types;
use crate::schema::Dialect;

/// Attempts at one number.
const TRIES: usize = 24;
/// Numbers stay within this without a bound that asks for more: every reader is exact there.
const USUAL: i128 = 1000;

/// A bound on numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<'a> {
    /// The number.
    pub(super) limit: &'a Number,
    /// Whether the number itself is out.
    pub(super) exclusive: bool,
    /// Whether it bounds from above.
    pub(super) upper: bool,
    /// The keyword that says so.
    pub(super) keyword: &'static str,
}

impl<'a> Plan<'a> {
    /// The bounds that a subschema sets on numbers.
    pub(super) fn bounds(&self, id: usize) -> Vec<Bound<'a>> {
        let mut bounds = Vec::new();
        let pairs = [
            ("minimum", "exclusiveMinimum", false),
            ("maximum", "exclusiveMaximum", true),
        ];
        for (inclusive, exclusive, upper) in pairs {
            let flag = self.get(id, exclusive);
            let strict = self.dialect(id) == Dialect::Draft4 && flag == Some(&Value::Bool(true));
            if let Some(Value::Number(limit)) = self.get(id, inclusive) {
                // Draft 4 makes `exclusiveMinimum` a flag beside `minimum`.
                let keyword = if strict { exclusive } else { inclusive };
                bounds.push(Bound {
                    limit,
                    exclusive: strict,
                    upper,
                    keyword,
                });
            }
            if let Some(Value::Number(limit)) = flag {
                bounds.push(Bound {
                    limit,
                    exclusive: true,
                    upper,
                    keyword: exclusive,
                });
            }
        }
        bounds
    }
}

impl Bound<'_> {
    /// The outermost integer within.
    fn integer(&self) -> i128 {
        let Some(whole) = whole(self.limit) else {
            let double = self.limit.as_f64().unwrap_or(0.0);
            return truncate(if self.upper {
                double.floor()
            } else {
                double.ceil()
            });
        };
        match (self.exclusive, self.upper) {
            (false, _) => whole,
            (true, true) => whole - 1,
            (true, false) => whole + 1,
        }
    }

    fn holds(&self, value: f64) -> bool {
        let limit = self.limit.as_f64().unwrap_or(0.0);
        match (self.upper, self.exclusive) {
            (true, false) => value <= limit,
            (true, true) => value < limit,
            (false, false) => value >= limit,
            (false, true) => value > limit,
        }
    }
}

impl Grower<'_, '_> {
    pub(super) fn number(&mut self, shape: &Shape, kind: Types) -> Option<Number> {
        let bounds: Vec<Bound<'_>> = shape
            .parts
            .iter()
            .flat_map(|part| self.plan.bounds(part.node))
            .collect();
        let mut steps = shape.parts.iter().filter_map(|part| {
            let step = self.plan.get(part.node, "multipleOf")?;
            step.as_number()
        });
        let (step, others) = (steps.next(), steps.collect::<Vec<_>>());
        let edge = |upper| {
            bounds
                .iter()
                .filter(move |bound| bound.upper == upper)
                .map(Bound::integer)
        };
        let (low, high) = (edge(false).max(), edge(true).min());
        for _ in 0..TRIES {
            let number = match step {
                Some(step) => multiple(step, low, high, self.rng),
                None if kind == Types::INTEGER => integer(low, high, self.rng),
                None => decimal(&bounds, low, high, self.rng),
            };
            let Some(number) = number else { continue };
            let double = number.as_f64()?;
            let fits = shape
                .types
                .contains(Types::of(&Value::Number(number.clone())))
                && bounds.iter().all(|bound| bound.holds(double))
                && others.iter().all(|step| is_multiple(&number, step));
            if fits {
                return Some(number);
            }
        }
        None
    }
}

fn integer(low: Option<i128>, high: Option<i128>, rng: &mut Rng) -> Option<Number> {
    let from = low.unwrap_or_else(|| high.unwrap_or(0).min(0) - 20);
    let to = high.unwrap_or_else(|| from.max(0).saturating_add(USUAL));
    let chosen = match rng.below(6) {
        0 => low.unwrap_or(0),
        1 => high.unwrap_or(0),
        2 => rng.between(from, to.min(from.saturating_add(10))),
        _ => rng.between(from, to),
    };
    exact(chosen)
}

/// An integer of 64 bits as a number.
pub(super) fn exact(value: i128) -> Option<Number> {
    let small = i64::try_from(value).ok().map(Number::from);
    small.or_else(|| u64::try_from(value).ok().map(Number::from))
}

/// The value of an integer that is held exactly.
pub(super) fn whole(number: &Number) -> Option<i128> {
    let exact = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from));
    exact.or_else(|| {
        let double = number.as_f64().filter(|double| double.fract() == 0.0)?;
        (double.abs() < 1e30).then(|| truncate(double))
    })
}

/// The integer part of a double, cut to what any schema asks for.
fn truncate(double: f64) -> i128 {
    format!("{:.0}", double.clamp(-1e30, 1e30).trunc())
        .parse()
        .unwrap_or(0)
}

fn decimal(
    bounds: &[Bound<'_>],
    low: Option<i128>,
    high: Option<i128>,
    rng: &mut Rng,
) -> Option<Number> {
    let limit = |upper: bool| {
        let limits = bounds.iter().filter(move |bound| bound.upper == upper);
        limits.filter_map(|bound| bound.limit.as_f64())
    };
    let from = limit(false).fold(f64::NEG_INFINITY, f64::max);
    let to = limit(true).fold(f64::INFINITY, f64::min);
    if rng.chance(30) {
        return integer(low, high, rng);
    }
    let (from, to) = match (from.is_finite(), to.is_finite()) {
        (true, true) => (from, to),
        (true, false) => (from, from + 1000.0),
        (false, true) => (to - 1000.0, to),
        (false, false) => (-1000.0, 1000.0),
    };
    let share = f64::from(u32::try_from(rng.below(1001)).unwrap_or(0)) / 1000.0;
    let exact = from + (to - from) * share;
    let places = rng.below(4);
    // Few digits read better; where they leave the range, the exact number stays in it.
    let short: f64 = format!("{exact:.places$}").parse().ok()?;
    let chosen = if bounds.iter().all(|bound| bound.holds(short)) {
        short
    } else {
        exact
    };
    Number::from_f64(chosen)
}

/// A decimal number as its digits and the power of ten of the last one.
fn digits(number: &Number) -> Option<(i128, i32)> {
    let text = number.to_string();
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let exponent = exponent.parse::<i32>().ok()? - i32::try_from(fraction.len()).ok()?;
    Some((format!("{whole}{fraction}").parse().ok()?, exponent))
}

/// A multiple of `step` within the bounds, exact in its decimal digits.
fn multiple(step: &Number, low: Option<i128>, high: Option<i128>, rng: &mut Rng) -> Option<Number> {
    let size = step.as_f64().filter(|size| *size > 0.0)?;
    let times = |bound: i128| {
        // Through text, since a cast would claim an exactness that the quotient has no need of.
        bound
            .to_string()
            .parse::<f64>()
            .map_or(0, |bound| truncate(bound / size))
    };
    let from = low.map_or_else(|| high.map_or(-20, |high| times(high) - 20), times);
    let to = high.map_or(from.saturating_add(200), times).max(from);
    let (mantissa, exponent) = digits(step)?;
    let product = mantissa.checked_mul(rng.between(from, to))?;
    if let Ok(power) = u32::try_from(exponent) {
        return exact(product.checked_mul(10_i128.checked_pow(power)?)?);
    }
    let double: f64 = format!("{product}e{exponent}").parse().ok()?;
    let short = (double.fract() == 0.0)
        .then(|| exact(truncate(double)))
        .flatten();
    short.or_else(|| Number::from_f64(double))
}

/// Whether `number` is a multiple of `step`, by their decimal digits.
pub(super) fn is_multiple(number: &Number, step: &Number) -> bool {
    let (Some((left, left_power)), Some((right, right_power))) = (digits(number), digits(step))
    else {
        return false;
    };
    let power = left_power.min(right_power);
    let scaled = |mantissa: i128, own: i32| {
        let shift = u32::try_from(own - power).ok()?;
        mantissa.checked_mul(10_i128.checked_pow(shift)?)
    };
    match (scaled(left, left_power), scaled(right, right_power)) {
        (Some(left), Some(right)) if right != 0 => left % right == 0,
        _ => false,
    }
}
