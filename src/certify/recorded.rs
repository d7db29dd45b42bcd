//! Certificates that were written earlier, read again: `certify --format json` wrote them, and
//! `docs/schemas/certificate.schema.json` describes them. Members that this program does not know
//! are passed over, so that a certificate of a later version can still be read.

use std::io::Read;

use super::certificate::Certificate;

impl Certificate {
    /// Reads a certificate of at most `most` bytes; the whole corpus takes about four million.
    ///
    /// # Errors
    /// Why that is not possible, as a clause: it cannot be read at all, is longer, is no JSON, or is
    /// JSON and not a certificate.
    pub fn read(from: impl Read, most: u64) -> Result<Self, String> {
        let mut text = Vec::new();
        let read = from.take(most.saturating_add(1)).read_to_end(&mut text);
        read.map_err(|error| error.to_string())?;
        if text.len() as u64 > most {
            return Err(format!("is longer than {most} bytes"));
        }
        serde_json::from_slice(&text).map_err(|error| {
            if error.is_data() {
                format!("is not a certificate, which `certify --format json` writes: {error}")
            } else {
                format!("is not JSON: {error}")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Certificate;

    #[test]
    fn what_is_no_certificate_is_told_so() {
        let said = |text: &str| {
            let read = Certificate::read(text.as_bytes(), 40);
            read.err().unwrap_or_default()
        };
        assert!(said("{\"levels\": ").starts_with("is not JSON: EOF"));
        assert!(said("").starts_with("is not JSON"));
        let other = said("{\"tools\": []}");
        assert!(other.starts_with("is not a certificate"), "{other}");
        assert!(other.contains("missing field `implementation`"), "{other}");
        assert!(said("[1]").starts_with("is not a certificate"));
        assert_eq!(said(&" ".repeat(41)), "is longer than 40 bytes");
        let deep = "[".repeat(4_000);
        assert!(Certificate::read(deep.as_bytes(), 4_000).is_err());
    }
}
