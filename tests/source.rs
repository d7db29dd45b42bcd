//! Texts: the restricted YAML profile, positions, members named twice, numbers that do not survive.

#[path = "source/json.rs"]
mod json;
#[path = "source/numbers.rs"]
mod numbers;
#[path = "source/positions.rs"]
mod positions;
#[path = "source/yaml.rs"]
mod yaml;

use mcp_conform::source::{Fault, Format, Limits, Parsed, Source};

/// Reads `text`; a fault comes with its line and column.
fn read(text: &str, format: Format) -> Result<Parsed, (Fault, (usize, usize))> {
    let source = Source::new("test", text, format);
    source.parse(&Limits::default()).map_err(|fault| {
        let place = source.position(fault.span.start);
        assert!(
            fault.span.start <= fault.span.end && fault.span.end <= text.len(),
            "{fault:?}"
        );
        assert!(
            !fault.message.is_empty() && !fault.message.ends_with('.'),
            "{fault:?}"
        );
        (fault, place)
    })
}
