//! The rules that an audit holds records to, as sets that fit a register.

use std::sync::LazyLock;

use crate::protocol::ProtocolVersion;
use crate::rules::find;

/// One rule of the audit, as an index into [`IDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(u8);

/// Their ids, in the order of reports: the text, the call, the result, the definition.
const IDS: [&str; 20] = [
    "json.syntax",
    "json.bounds",
    "json.duplicate-key",
    "mcp.call.tool.known",
    "mcp.result.shape",
    "mcp.result.type",
    "mcp.result.structured-content.object",
    "mcp.result.structured-content.required",
    "mcp.result.structured-content.schema",
    "mcp.result.error-structured",
    "mcp.result.legacy-wrapper",
    "mcp.tool.shape",
    "mcp.tool.schema.dialect",
    "mcp.tool.schema.bounds",
    "mcp.tool.schema.id",
    "mcp.tool.schema.ref-unresolved",
    "mcp.tool.schema.ref-external",
    "mcp.tool.schema.ref-cycle",
    "mcp.tool.schema.pattern",
    "mcp.tool.schema.valid",
];

impl Rule {
    pub(super) const SYNTAX: Self = Self(0);
    pub(super) const BOUNDS: Self = Self(1);
    pub(super) const DUPLICATE_KEY: Self = Self(2);
    pub(super) const TOOL_KNOWN: Self = Self(3);
    pub(super) const SHAPE: Self = Self(4);
    pub(super) const TYPE: Self = Self(5);
    pub(super) const OBJECT: Self = Self(6);
    pub(super) const REQUIRED: Self = Self(7);
    pub(super) const SCHEMA: Self = Self(8);
    pub(super) const ERROR_STRUCTURED: Self = Self(9);
    pub(super) const LEGACY_WRAPPER: Self = Self(10);

    /// Its id.
    pub fn id(self) -> &'static str {
        IDS[usize::from(self.0)]
    }

    /// The rule of this id, if the audit knows it.
    pub fn named(id: &str) -> Option<Self> {
        let index = IDS.iter().position(|known| *known == id)?;
        u8::try_from(index).ok().map(Self)
    }

    /// Whether the catalogue gives it a severity on `version`.
    pub(super) fn is_on(self, version: ProtocolVersion) -> bool {
        static ON: LazyLock<[RuleSet; 5]> = LazyLock::new(|| {
            ProtocolVersion::ALL.map(|version| {
                let all = IDS
                    .iter()
                    .filter(|id| find(id).is_some_and(|rule| rule.severity(version).is_some()));
                all.filter_map(|id| Rule::named(id)).collect()
            })
        });
        ON[version.index()].contains(self)
    }
}

/// Some of the rules; iterates in the order of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleSet(u32);

impl RuleSet {
    /// Adds `rule`.
    pub fn insert(&mut self, rule: Rule) {
        self.0 |= 1 << rule.0;
    }

    /// Whether `rule` is among them.
    pub fn contains(self, rule: Rule) -> bool {
        self.0 & (1 << rule.0) != 0
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rules, one by one.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        (0..32).map(Rule).filter(move |rule| self.contains(*rule))
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        let mut set = Self::default();
        rules.into_iter().for_each(|rule| set.insert(rule));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_in_the_catalogue_and_has_its_name() {
        for id in IDS {
            assert!(find(id).is_some(), "{id}");
            assert_eq!(Rule::named(id).map(Rule::id), Some(id));
        }
        assert_eq!(Rule::SCHEMA.id(), "mcp.result.structured-content.schema");
        assert_eq!(Rule::LEGACY_WRAPPER.id(), "mcp.result.legacy-wrapper");
    }

    #[test]
    fn the_catalogue_says_where_a_rule_holds() {
        use ProtocolVersion::{V2025_03_26, V2025_11_25, V2026_07_28};
        assert!(Rule::SCHEMA.is_on(V2025_11_25) && !Rule::SCHEMA.is_on(V2025_03_26));
        assert!(
            Rule::LEGACY_WRAPPER.is_on(V2025_11_25) && !Rule::LEGACY_WRAPPER.is_on(V2026_07_28)
        );
    }
}
