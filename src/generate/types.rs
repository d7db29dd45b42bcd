//! Sets of JSON types, with integers told from numbers that have a fraction.

use serde_json::Value;

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(1 << 1);
    pub(crate) const INTEGER: Self = Self(1 << 2);
    pub(crate) const FRACTION: Self = Self(1 << 3);
    pub(crate) const STRING: Self = Self(1 << 4);
    pub(crate) const ARRAY: Self = Self(1 << 5);
    pub(crate) const OBJECT: Self = Self(1 << 6);
    pub(crate) const NUMBER: Self = Self(Self::INTEGER.0 | Self::FRACTION.0);
    pub(crate) const ALL: Self = Self(0x7F);

    /// Each type by itself.
    pub(crate) const EACH: [Self; 7] = [
        Self::NULL,
        Self::BOOLEAN,
        Self::INTEGER,
        Self::FRACTION,
        Self::STRING,
        Self::ARRAY,
        Self::OBJECT,
    ];

    /// What the value of a `type` keyword names.
    pub(crate) fn named(value: &Value) -> Self {
        let one = |name: &str| match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        };
        match value {
            Value::String(name) => one(name),
            Value::Array(names) => {
                let names = names.iter().filter_map(Value::as_str);
                names.fold(Self::NONE, |set, name| set.or(one(name)))
            }
            _ => Self::ALL,
        }
    }

    /// The type of a value.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) => match number.as_f64() {
                Some(double) if !number.is_i64() && !number.is_u64() && double.fract() != 0.0 => {
                    Self::FRACTION
                }
                _ => Self::INTEGER,
            },
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether the sets share a type.
    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is a type without members or elements.
    pub(crate) const fn has_scalar(self) -> bool {
        !self.without(Self::ARRAY.or(Self::OBJECT)).is_none()
    }
}
