//! Strings that fit.

use super::instance::Grower;
use super::shape::Shape;
use super::words::{TEXTS, of_format};

/// Attempts at one string.
const TRIES: usize = 24;

impl Grower<'_, '_> {
    pub(super) fn string(&mut self, shape: &Shape) -> Option<String> {
        let least = self.at_least(shape, "minLength");
        let most = self.at_most(shape, "maxLength");
        let said = |keyword: &str| {
            let parts = shape.parts.iter();
            parts
                .filter_map(|part| self.plan.get(part.node, keyword)?.as_str())
                .collect::<Vec<_>>()
        };
        let patterns = said("pattern");
        let formats = said("format");
        let samples = formats.first().map_or(&[][..], |format| of_format(format));
        let fits = |text: &str| {
            let count = text.chars().count();
            (least..=most).contains(&count)
                && patterns.iter().all(|pattern| {
                    self.plan
                        .pattern(pattern)
                        .is_none_or(|pattern| pattern.matches(text))
                })
        };
        let samples: Vec<&str> = samples.iter().copied().filter(|text| fits(text)).collect();
        if let Some(sample) = self.rng.pick(&samples) {
            return Some((*sample).to_owned());
        }
        let Some(pattern) = patterns.first() else {
            return Some(sized(self.rng.pick(TEXTS)?, least, most));
        };
        let pattern = self.plan.pattern(pattern)?;
        let drawn = (0..TRIES).find_map(|_| {
            pattern
                .draw((least, most), self.rng)
                .filter(|text| fits(text))
        });
        // Some expressions are beyond drawing and within luck.
        drawn.or_else(|| {
            TEXTS
                .iter()
                .find(|text| fits(text))
                .map(|text| (*text).to_owned())
        })
    }
}

/// The text with as many characters as there may be.
fn sized(text: &str, least: usize, most: usize) -> String {
    let mut sized: String = text.chars().take(most).collect();
    let short = least.saturating_sub(sized.chars().count());
    sized.extend("abc ".chars().cycle().take(short));
    sized
}
