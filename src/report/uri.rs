//! Paths as the URI references that SARIF asks for.

use std::fmt::Write as _;

/// A path as a URI reference: relative to the repository as it is, absolute with the scheme `file`.
pub(super) fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_becomes_a_uri_reference() {
        assert_eq!(uri("./listings/tickets.json"), "listings/tickets.json");
        assert_eq!(
            uri("with space/größe:1.json"),
            "with%20space/gr%C3%B6%C3%9Fe%3A1.json"
        );
        assert_eq!(uri("/srv/tools.json"), "file:///srv/tools.json");
        assert_eq!(uri("../tools.json"), "../tools.json");
    }
}
