//! The budget within which an instance is judged.

use std::cell::Cell;
use std::collections::HashMap;

use serde_json::Value;

use super::tree::address;
use crate::source::{Pointer, RoundedNumber};

/// What one walk may cost and what it met.
pub(super) struct Meter<'a> {
    steps: Cell<u64>,
    pub(super) reports: Cell<u64>,
    pub(super) rounded: Cell<bool>,
    /// The numbers, by address, whose value is not exact, with their text.
    pub(super) inexact: HashMap<usize, &'a str>,
}

impl<'a> Meter<'a> {
    /// A meter for `instance`, which stands at `base` in the document that `numbers` is of.
    /// `steps` bounds the reads, `reports` the errors that the engine may build.
    pub(super) fn new(
        instance: &Value,
        base: &Pointer,
        numbers: &'a [RoundedNumber],
        steps: u64,
        reports: u64,
    ) -> Self {
        let inexact = numbers
            .iter()
            .filter(|number| !number.exact)
            .filter_map(|number| {
                let value = instance.pointer(number.pointer.below(base)?)?;
                value
                    .is_number()
                    .then(|| (address(value), number.text.as_str()))
            })
            .collect();
        Self {
            steps: Cell::new(steps),
            reports: Cell::new(reports),
            rounded: Cell::new(false),
            inexact,
        }
    }

    /// A meter without bounds, for what is small by nature: a member's name.
    pub(super) fn unbounded() -> Self {
        Self {
            steps: Cell::new(u64::MAX),
            reports: Cell::new(u64::MAX),
            rounded: Cell::new(false),
            inexact: HashMap::new(),
        }
    }

    /// Whether the budget ran out.
    pub(super) fn is_spent(&self) -> bool {
        self.steps.get() == 0 || self.reports.get() == 0
    }

    /// Whether a number was compared whose value is not exact.
    pub(super) fn has_rounded(&self) -> bool {
        self.rounded.get()
    }

    /// Pays for a read; false once nothing is left.
    pub(super) fn pay(&self, steps: usize) -> bool {
        if self.is_spent() {
            return false;
        }
        self.steps
            .set(self.steps.get().saturating_sub(steps as u64));
        true
    }

    pub(super) fn holds_inexact(&self, value: &Value) -> bool {
        match value {
            Value::Number(_) => self.inexact.contains_key(&address(value)),
            Value::Array(items) => items.iter().any(|item| self.holds_inexact(item)),
            Value::Object(members) => members.values().any(|member| self.holds_inexact(member)),
            _ => false,
        }
    }
}
