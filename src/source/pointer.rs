//! JSON Pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt;

/// A JSON Pointer in its string form; the empty pointer is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer to the whole document.
    pub const fn root() -> Self {
        Self(String::new())
    }

    /// The pointer to member or element `token` of what this one points at.
    #[must_use]
    pub fn join(&self, token: impl fmt::Display) -> Self {
        let mut child = self.clone();
        child.push(token);
        child
    }

    /// Extends the pointer by one reference token, escaped as RFC 6901 section 3 asks.
    pub fn push(&mut self, token: impl fmt::Display) {
        let token = token.to_string();
        self.0.push('/');
        if token.contains(['~', '/']) {
            self.0
                .push_str(&token.replace('~', "~0").replace('/', "~1"));
        } else {
            self.0.push_str(&token);
        }
    }

    /// The pointer that `tail` names when read from this one.
    #[must_use]
    pub fn concat(&self, tail: &str) -> Self {
        Self(format!("{}{tail}", self.0))
    }

    /// The pointer to what holds this one; `None` at the root.
    pub fn parent(&self) -> Option<Self> {
        self.0.rfind('/').map(|cut| Self(self.0[..cut].to_owned()))
    }

    /// Keeps the first `length` bytes, which must end between two tokens.
    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// The text of the pointer.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the whole document.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The reference tokens, unescaped.
    pub fn tokens(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.0.split('/').skip(1).map(unescape)
    }

    /// The last reference token, unescaped; `None` at the root.
    pub fn last(&self) -> Option<Cow<'_, str>> {
        self.0.rsplit_once('/').map(|(_, token)| unescape(token))
    }

    /// The part of this pointer below `ancestor`, or `None` where it is not at or below it.
    pub fn below(&self, ancestor: &Self) -> Option<&str> {
        let tail = self.0.strip_prefix(ancestor.as_str())?;
        (tail.is_empty() || tail.starts_with('/')).then_some(tail)
    }
}

/// The text of a reference token without its escapes.
pub(crate) fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(token)
    }
}

impl From<&str> for Pointer {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Pointer {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_escaped_and_read_back() {
        let pointer = Pointer::root().join("a/b").join("m~n").join(0);
        assert_eq!(pointer.as_str(), "/a~1b/m~0n/0");
        assert_eq!(pointer.tokens().collect::<Vec<_>>(), ["a/b", "m~n", "0"]);
        assert_eq!(pointer.parent(), Some(Pointer::from("/a~1b/m~0n")));
        assert_eq!(Pointer::root().parent(), None);
    }

    #[test]
    fn below_compares_whole_tokens() {
        let tool = Pointer::from("/tools/1");
        assert_eq!(Pointer::from("/tools/1/name").below(&tool), Some("/name"));
        assert_eq!(tool.below(&tool), Some(""));
        assert_eq!(Pointer::from("/tools/10").below(&tool), None);
    }
}
