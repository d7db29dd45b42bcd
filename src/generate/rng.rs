//! A stream of choices that a seed fixes for ever: same seed, same bytes, on every machine.

/// A source of choices. The generator is `SplitMix64`: a counter and a mix of its bits, which needs
/// no state to warm up, so that every case has a stream of its own at no cost.
#[derive(Clone, Debug)]
pub struct Rng(u64);

/// The golden ratio in 64 bits: consecutive counters end up far apart.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Rng {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of the case `number` under `seed` and a name: it depends on no other case.
    pub fn of(seed: u64, name: &str, number: u64) -> Self {
        // FNV-1a; the standard library's hashes may change between releases.
        let start = 0xCBF2_9CE4_8422_2325_u64;
        let named = name.bytes().fold(start, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        let mut rng = Self(seed ^ named.rotate_left(17));
        let mixed = rng.bits() ^ number.wrapping_mul(STEP);
        Self(mixed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = end.max(1) as u64;
        usize::try_from(self.bits() % end).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included; `low` where they are in the wrong order.
    pub fn between(&mut self, low: i128, high: i128) -> i128 {
        let span = high.saturating_sub(low).max(0).saturating_add(1);
        low + i128::from(self.bits()) % span
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`; `None` where there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// The numbers below `count` in a random order.
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_stream() {
        let mut rng = Rng::new(0);
        // The published test vector of SplitMix64.
        assert_eq!(rng.bits(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(rng.bits(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn cases_have_streams_of_their_own() {
        let first = Rng::of(1, "result", 0).bits();
        assert_ne!(first, Rng::of(1, "result", 1).bits());
        assert_ne!(first, Rng::of(1, "arguments", 0).bits());
        assert_ne!(first, Rng::of(2, "result", 0).bits());
        assert_eq!(first, Rng::of(1, "result", 0).bits());
    }

    #[test]
    fn choices_stay_in_their_range() {
        let mut rng = Rng::new(7);
        for _ in 0..1000 {
            assert!(rng.below(3) < 3);
            assert!((-2..=2).contains(&rng.between(-2, 2)));
        }
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.between(5, 1), 5);
        let mut order = rng.order(10);
        order.sort_unstable();
        assert_eq!(order, (0..10).collect::<Vec<_>>());
    }
}
