//! Names that a target takes, one to one with those of the source.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Letters that a name is made of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charset {
    /// What is allowed beside A–Z, a–z and 0–9.
    pub letters: String,
    /// The most characters.
    pub most: usize,
}

/// A name that is cut ends in this many characters of its hash.
const TAIL: usize = 8;

/// Names of the source and of the projection, both ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameMap {
    forward: BTreeMap<String, String>,
    back: BTreeMap<String, String>,
}

impl NameMap {
    /// The names in the letters of `charset`; those that fit already stay as they are.
    ///
    /// # Errors
    /// Two names that would become one.
    pub fn new<'n>(
        names: impl IntoIterator<Item = &'n str>,
        charset: &Charset,
    ) -> Result<Self, (String, String)> {
        let mut map = Self::default();
        for name in names {
            let taken = fitting(name, charset);
            match map.back.insert(taken.clone(), name.to_owned()) {
                Some(other) if other != name => return Err((other, name.to_owned())),
                _ => map.forward.insert(name.to_owned(), taken),
            };
        }
        map.forward.retain(|name, taken| name != taken);
        map.back.retain(|taken, name| name != taken);
        Ok(map)
    }

    /// The projection's name of `name`.
    pub fn forward<'n>(&'n self, name: &'n str) -> &'n str {
        self.forward.get(name).map_or(name, String::as_str)
    }

    /// The source's name of `name`.
    pub fn back<'n>(&'n self, name: &'n str) -> &'n str {
        self.back.get(name).map_or(name, String::as_str)
    }

    /// Whether no name changes.
    pub fn is_empty(&self) -> bool {
        self.forward.is_empty()
    }

    /// The names that change: the source's and the projection's.
    pub fn changed(&self) -> impl Iterator<Item = (&str, &str)> {
        let changed = self.forward.iter();
        changed.map(|(name, taken)| (name.as_str(), taken.as_str()))
    }
}

/// `name` in the letters of `charset`: a letter that is none of them becomes its code point, and a
/// name that is too long keeps its beginning and gets its hash.
fn fitting(name: &str, charset: &Charset) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || charset.letters.contains(c);
    let mut taken = String::with_capacity(name.len());
    for c in name.chars() {
        if allowed(c) {
            taken.push(c);
        } else {
            taken.push_str(&format!("_x{:X}_", u32::from(c)));
        }
    }
    if taken.is_empty() {
        taken.push_str("_x_");
    }
    if taken.len() > charset.most {
        let tail = super::target::hash(name.as_bytes());
        taken.truncate(charset.most.saturating_sub(TAIL + 1));
        taken.push('_');
        taken.push_str(&tail[..TAIL]);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charset() -> Charset {
        Charset {
            letters: "_.-".to_owned(),
            most: 24,
        }
    }

    #[test]
    fn names_stay_apart_and_come_back() {
        let names = ["Start<", "Start>", "order_id", "instance id"];
        let map = NameMap::new(names, &charset()).expect("four names");
        assert_eq!(map.forward("Start<"), "Start_x3C_");
        assert_eq!(map.forward("order_id"), "order_id");
        for name in names {
            assert_eq!(map.back(map.forward(name)), name);
        }
    }

    #[test]
    fn a_long_name_is_cut_and_still_itself() {
        let (one, two) = ("a".repeat(40), "a".repeat(41));
        let map = NameMap::new([one.as_str(), two.as_str()], &charset()).expect("two names");
        assert_eq!(map.forward(&one).len(), 24);
        assert_ne!(map.forward(&one), map.forward(&two));
    }

    #[test]
    fn two_names_that_would_become_one_are_refused() {
        let taken = NameMap::new(["a b", "a_x20_b"], &charset());
        assert_eq!(taken, Err(("a b".to_owned(), "a_x20_b".to_owned())));
    }
}
