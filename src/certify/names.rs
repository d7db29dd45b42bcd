//! The words of a certificate: what has a fixed set of names is written, and read again, by name.

use serde::de::{Deserializer, Error, Unexpected};
use serde::{Deserialize, Serialize, Serializer};

use super::outcome::Answer;
use super::verdict::Verdict;
use crate::corpus::{Expected, Level};
use crate::gate::{Branch, RejectionReason};

macro_rules! by_name {
    ($($word:ty, $expected:literal;)*) => {$(
        impl Serialize for $word {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $word {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                let found = Self::ALL.into_iter().find(|word| word.as_str() == name);
                found.ok_or_else(|| {
                    let cut = crate::source::cut(&name, 40);
                    D::Error::invalid_value(Unexpected::Str(&cut), &$expected)
                })
            }
        }
    )*};
}

by_name! {
    Level, "a level";
    Expected, "`accept` or `reject`";
    Verdict, "a verdict";
    Answer, "an answer";
    Branch, "a branch";
    RejectionReason, "a reason";
}

/// Durations in milliseconds to three places: a fast answer takes less than one.
pub(super) mod millis {
    use std::time::Duration;

    use super::{Deserialize, Deserializer, Error, Serializer};

    pub(in crate::certify) fn serialize<S: Serializer>(
        elapsed: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        #[expect(clippy::cast_precision_loss, reason = "a duration of 285 years")]
        let micros = elapsed.as_micros() as f64;
        serializer.serialize_f64(micros / 1_000.0)
    }

    pub(in crate::certify) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        let millis = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(millis / 1_000.0).map_err(D::Error::custom)
    }
}
