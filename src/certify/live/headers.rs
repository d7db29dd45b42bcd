//! The headers of a request over HTTP against its body (SEP-2243, and the version's own header).

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::reply::HEADER_MISMATCH;
use super::request::{INVALID_REQUEST, Message, string};
use super::session::{Headers, Refused};
use crate::protocol::ProtocolVersion;
use crate::source::cut;

const VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// The header of a session's version. One that is missing is noted: servers are told to assume an
/// old version then, which says nothing about the client's results.
///
/// # Errors
/// Another version than the session's.
pub(super) fn check_version(
    headers: &Headers,
    version: ProtocolVersion,
) -> Result<Option<String>, Refused> {
    match headers.get(VERSION) {
        None => Ok(Some(format!("the header {VERSION} is missing"))),
        Some(named) if named == version.as_str() => Ok(None),
        Some(named) => Err(Refused::new(
            INVALID_REQUEST,
            format!(
                "the header {VERSION} is {:?} in a session of {version}",
                cut(named, 40)
            ),
        )),
    }
}

/// The headers of a stateless request: each has to be there and to say what the body says.
///
/// # Errors
/// The first that does not.
pub(super) fn check(
    headers: &Headers,
    message: &Message<'_>,
    version: &str,
) -> Result<(), Refused> {
    equal(headers, VERSION, version)?;
    equal(headers, METHOD, &message.method)?;
    if matches!(&*message.method, "tools/call" | "prompts/get")
        && let Some(name) = string(message.params.name)
    {
        let sent = headers.get(NAME).ok_or_else(|| missing(NAME))?;
        if decoded(sent).as_deref() != Some(&*name) {
            return Err(differs(NAME, sent));
        }
    }
    Ok(())
}

fn equal(headers: &Headers, header: &str, value: &str) -> Result<(), Refused> {
    let sent = headers.get(header).ok_or_else(|| missing(header))?;
    if sent == value {
        Ok(())
    } else {
        Err(differs(header, sent))
    }
}

pub(super) fn missing(header: &str) -> Refused {
    Refused::new(HEADER_MISMATCH, format!("the header {header} is missing"))
}

pub(super) fn differs(header: &str, sent: &str) -> Refused {
    let sent = cut(sent, 80);
    Refused::new(
        HEADER_MISMATCH,
        format!("the header {header} is {sent:?}, and the body has another value"),
    )
}

/// The value that a header carries: itself, or what its Base64 form holds, which is the form for
/// whatever is not printable ASCII. `None` where that form is damaged, or was not used though it
/// had to be.
pub(super) fn decoded(value: &str) -> Option<String> {
    let Some(inner) = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    else {
        let plain = |byte: u8| matches!(byte, b'\t' | b' '..=b'~');
        return value.bytes().all(plain).then(|| value.to_owned());
    };
    String::from_utf8(BASE64_STANDARD.decode(inner).ok()?).ok()
}
