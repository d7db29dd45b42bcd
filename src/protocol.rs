//! The protocol versions that the suite knows, and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A revision of the Model Context Protocol, named by its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProtocolVersion {
    /// `2024-11-05`: tools without annotations or output schemas.
    V2024_11_05,
    /// `2025-03-26`: adds tool annotations and audio content.
    V2025_03_26,
    /// `2025-06-18`: adds `outputSchema`, `structuredContent` and resource links.
    V2025_06_18,
    /// `2025-11-25`: names JSON Schema 2020-12 as the default dialect.
    V2025_11_25,
    /// `2026-07-28`: stateless requests, and outputs of any JSON type (SEP-2106).
    V2026_07_28,
}

use ProtocolVersion::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

impl ProtocolVersion {
    /// Every version, oldest first.
    pub const ALL: [Self; 5] = [
        V2024_11_05,
        V2025_03_26,
        V2025_06_18,
        V2025_11_25,
        V2026_07_28,
    ];

    /// The date that names the version on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            V2024_11_05 => "2024-11-05",
            V2025_03_26 => "2025-03-26",
            V2025_06_18 => "2025-06-18",
            V2025_11_25 => "2025-11-25",
            V2026_07_28 => "2026-07-28",
        }
    }

    /// The column of this version in a table over [`ProtocolVersion::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is not the date of a known protocol version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownVersion(pub String);

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = ProtocolVersion::ALL.map(ProtocolVersion::as_str).into();
        write!(
            f,
            "unknown protocol version {:?}; known are {}",
            self.0,
            known.join(", ")
        )
    }
}

impl std::error::Error for UnknownVersion {}

impl FromStr for ProtocolVersion {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<Self, UnknownVersion> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
            .ok_or_else(|| UnknownVersion(text.to_owned()))
    }
}

impl Serialize for ProtocolVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ProtocolVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}

/// A set of protocol versions; iterates oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VersionSet(u8);

impl VersionSet {
    /// No version.
    pub const EMPTY: Self = Self(0);
    /// Every known version.
    pub const ALL: Self = Self(0b1_1111);
    /// The versions that know structured output: the scope of a document that names none.
    pub const STRUCTURED: Self = Self(0b1_1100);

    /// The set with `version` added.
    #[must_use]
    pub const fn with(self, version: ProtocolVersion) -> Self {
        Self(self.0 | 1 << version.index())
    }

    /// Whether `version` is in the set.
    pub const fn contains(self, version: ProtocolVersion) -> bool {
        self.0 & 1 << version.index() != 0
    }

    /// Whether the set holds no version.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every version of `self` is in `other`.
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The versions in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The versions in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The versions, oldest first.
    pub fn iter(self) -> impl Iterator<Item = ProtocolVersion> {
        ProtocolVersion::ALL
            .into_iter()
            .filter(move |version| self.contains(*version))
    }

    /// The versions as they are written, oldest first.
    pub fn names(self) -> Vec<&'static str> {
        self.iter().map(ProtocolVersion::as_str).collect()
    }
}

impl FromIterator<ProtocolVersion> for VersionSet {
    fn from_iter<I: IntoIterator<Item = ProtocolVersion>>(versions: I) -> Self {
        versions.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl From<ProtocolVersion> for VersionSet {
    fn from(version: ProtocolVersion) -> Self {
        Self::EMPTY.with(version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_reads_back_from_its_name() {
        for version in ProtocolVersion::ALL {
            assert_eq!(version.as_str().parse(), Ok(version));
        }
        assert!("2025-06-19".parse::<ProtocolVersion>().is_err());
    }

    #[test]
    fn a_set_iterates_in_order_of_date() {
        let set: VersionSet = [V2026_07_28, V2025_06_18].into_iter().collect();
        assert_eq!(set.names(), ["2025-06-18", "2026-07-28"]);
        assert!(set.is_subset(VersionSet::STRUCTURED));
        assert!(!VersionSet::ALL.is_subset(set));
    }
}
