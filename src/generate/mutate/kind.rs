//! The kinds of damage.

use std::fmt;

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A member that a closed object does not declare.
    ExtraMember,
    /// The same, and it addresses the model.
    Instruction,
    /// The whole value wrapped, unwrapped or of another type.
    WrongRoot,
    /// A string that is one character from a listed one.
    NearMiss,
    /// A listed string in other letters' case.
    OtherCase,
    /// A required member left out.
    MissingRequired,
    /// null for a value.
    Null,
    /// A value of another type.
    WrongType,
    /// One less than a lower bound or one more than an upper bound, on numbers and sizes.
    OffByOne,
    /// A string that a pattern does not match.
    BrokenPattern,
    /// An element more than a tuple has places for.
    ExtraItem,
    /// An element twice where all must differ.
    DuplicateItem,
    /// The discriminator of another branch.
    WrongConst,
    /// The members of two branches in one object.
    MixedBranches,
    /// The digits of a number as a string.
    NumberAsString,
    /// A string where a number does not belong, or the other way round.
    StringAsNumber,
    /// A string cut inside a character, or with its escape written out.
    Unicode,
    /// An integer beyond what a double or 64 bits hold.
    BigInteger,
    /// An empty string, array or object.
    Empty,
    /// No element of the kind that must be contained.
    NotContained,
    /// A member without those that must accompany it.
    MissingDependent,
    /// A member of a name that is not allowed.
    BadName,
    /// What a `not` excludes.
    Excluded,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 23] = [
        Self::ExtraMember,
        Self::Instruction,
        Self::WrongRoot,
        Self::NearMiss,
        Self::OtherCase,
        Self::MissingRequired,
        Self::Null,
        Self::WrongType,
        Self::OffByOne,
        Self::BrokenPattern,
        Self::ExtraItem,
        Self::DuplicateItem,
        Self::WrongConst,
        Self::MixedBranches,
        Self::NumberAsString,
        Self::StringAsNumber,
        Self::Unicode,
        Self::BigInteger,
        Self::Empty,
        Self::NotContained,
        Self::MissingDependent,
        Self::BadName,
        Self::Excluded,
    ];

    /// How many schemas it applies to: 0 for few, 2 for most.
    pub(in crate::generate) const fn rank(self) -> u8 {
        match self {
            Self::ExtraItem
            | Self::DuplicateItem
            | Self::NotContained
            | Self::MissingDependent
            | Self::BadName
            | Self::Excluded
            | Self::WrongConst
            | Self::MixedBranches
            | Self::BrokenPattern
            | Self::OffByOne => 0,
            Self::NearMiss | Self::OtherCase | Self::Unicode | Self::BigInteger => 1,
            _ => 2,
        }
    }

    /// The kind as a clause about the value.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ExtraMember => "an undeclared member",
            Self::Instruction => "an undeclared member that addresses the model",
            Self::WrongRoot => "another root",
            Self::NearMiss => "one character from a listed value",
            Self::OtherCase => "a listed value in another case",
            Self::MissingRequired => "a required member left out",
            Self::Null => "null for a value",
            Self::WrongType => "a value of another type",
            Self::OffByOne => "one beyond a bound",
            Self::BrokenPattern => "a string that the pattern does not match",
            Self::ExtraItem => "an element too many",
            Self::DuplicateItem => "an element twice",
            Self::WrongConst => "the discriminator of another branch",
            Self::MixedBranches => "the members of two branches",
            Self::NumberAsString => "a number as a string",
            Self::StringAsNumber => "a string as a number",
            Self::Unicode => "a string cut or escaped",
            Self::BigInteger => "an integer beyond exact doubles",
            Self::Empty => "an empty value",
            Self::NotContained => "nothing of what must be contained",
            Self::MissingDependent => "a member without its companions",
            Self::BadName => "a member of a name that is not allowed",
            Self::Excluded => "a value that is excluded",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
