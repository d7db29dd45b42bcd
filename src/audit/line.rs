//! What a line of a log says, before any of it is judged.

use jsonschema::json::Node as _;

use super::tape::Doc;
use super::value::Node;
use crate::gate::{Readable, Recorded};
use crate::protocol::ProtocolVersion;
use crate::rules::Form;

/// The kinds of line.
pub(super) enum Entry<'a> {
    /// A call and what it came to.
    Call(Call<'a>),
    /// JSON-RPC messages: of the transcript of a session, which only makes sense as a whole.
    Messages,
    /// Neither: JSON that records nothing.
    Stray(&'static str),
}

/// A recorded call. No member is checked yet.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) tool: Option<&'a str>,
    pub(super) server: Option<&'a str>,
    /// How it is to be judged; `None` where what should say so says nothing that is known.
    pub(super) recorded: Option<Recorded<Node<'a>>>,
    pub(super) result: Node<'a>,
    /// Which message of a batch holds it.
    pub(super) element: Option<usize>,
}

impl<'a> Entry<'a> {
    /// Reads a line; `default` is the version of calls that name none.
    pub(super) fn of(doc: &'a Doc<'a>, default: ProtocolVersion) -> Self {
        let root = doc.root();
        let Some(members) = root.as_object() else {
            let is_batch = root
                .as_array()
                .is_some_and(|mut items| items.any(|item| is_message(&item)));
            return if is_batch {
                Self::Messages
            } else {
                Self::Stray("the value is no object")
            };
        };
        let [mut tool, mut server] = [None::<&str>; 2];
        let [mut record, mut protocol, mut result] = [None::<Node<'a>>; 3];
        let mut is_call = false;
        for (name, node) in members {
            match name {
                "tool" => (is_call, tool) = (true, node.as_str()),
                "server" => server = node.as_str(),
                "record" => record = Some(node),
                "protocol" => protocol = Some(node),
                "result" => result = Some(node),
                _ => {}
            }
        }
        if !is_call && is_message(&root) {
            return Self::Messages;
        }
        let recorded = match (record, protocol) {
            (Some(record), _) => Some(Recorded::Record(record)),
            (None, None) => Some(Recorded::Protocol(default)),
            (None, Some(protocol)) => {
                let version = protocol.as_str().and_then(|date| date.parse().ok());
                version.map(Recorded::Protocol)
            }
        };
        let tool = tool.or_else(|| record?.get("tool")?.as_str());
        match (tool, result) {
            (None, _) => Self::Stray("there is no `tool` that is a string, and it is no message"),
            (_, None) => Self::Stray("there is no `result`"),
            (_, Some(result)) => Self::Call(Call {
                tool,
                server,
                recorded,
                result,
                element: None,
            }),
        }
    }
}

/// Whether a value is a JSON-RPC message.
pub(super) fn is_message(node: &Node<'_>) -> bool {
    let has = |name| node.get(name).is_some();
    has("jsonrpc")
        || node
            .get("method")
            .is_some_and(|method| method.as_str().is_some())
        || has("id") && (has("result") || has("error"))
}

/// The members of a result that decide how it is judged.
#[derive(Clone, Copy, Default)]
pub(super) struct Body<'a> {
    pub(super) is_object: bool,
    pub(super) structured: Option<Node<'a>>,
    pub(super) is_error: Option<Node<'a>>,
    kind: Option<Node<'a>>,
    content: bool,
    task: bool,
}

impl<'a> Body<'a> {
    pub(super) fn of(result: Node<'a>) -> Self {
        let mut body = Self::default();
        let Some(members) = result.as_object() else {
            return body;
        };
        body.is_object = true;
        for (name, node) in members {
            match name {
                "content" => body.content = true,
                "structuredContent" => body.structured = Some(node),
                "isError" => body.is_error = Some(node),
                "resultType" => body.kind = Some(node),
                "task" => body.task = node.members().is_some(),
                _ => {}
            }
        }
        body
    }

    /// Whether it is what a call comes to, as far as can be told from it alone.
    pub(super) fn is_of_a_call(&self) -> bool {
        self.content || self.structured.is_some() || self.is_error.is_some()
    }

    pub(super) fn form(&self, version: ProtocolVersion) -> Form {
        let kind = self.kind.as_ref().map(Node::as_str);
        Form::told(version, kind, || self.task && !self.content)
    }
}
