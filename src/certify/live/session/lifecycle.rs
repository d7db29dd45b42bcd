//! How a client and the server come to one version, and how it is told of changes.

use serde::Deserialize;
use serde_json::json;

use super::{Headers, MOST_SUBSCRIPTIONS, Refused, Session};
use crate::certify::live::headers;
use crate::certify::live::reply::{self, Answer, UNSUPPORTED_VERSION};
use crate::certify::live::request::{INVALID_PARAMS, Message, is_object, string};
use crate::certify::live::script::Event;
use crate::source::cut;

impl Session {
    pub(super) fn initialize(
        &mut self,
        message: &Message<'_>,
        id: &str,
        event: &mut Event,
    ) -> Answer {
        self.initialized = true;
        if string(message.params.protocol_version).is_none() {
            event.problem = Some("`protocolVersion` is missing or no string".to_owned());
        }
        let result = json!({
            "protocolVersion": self.version(),
            "capabilities": self.capabilities(),
            "serverInfo": reply::server_info(),
        });
        reply::result(id, &result.to_string())
    }

    pub(super) fn discover(&self, id: &str) -> Answer {
        let result = json!({
            "resultType": "complete",
            "supportedVersions": [self.version()],
            "capabilities": self.capabilities(),
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": reply::server_info()},
        });
        reply::result(id, &result.to_string())
    }

    pub(super) fn capabilities(&self) -> serde_json::Value {
        if self.changes() {
            json!({"tools": {"listChanged": true}})
        } else {
            json!({"tools": {}})
        }
    }

    pub(super) fn listen(&mut self, message: &Message<'_>, id: &str) -> Answer {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Filter {
            #[serde(default)]
            tools_list_changed: bool,
        }
        let filter = message.params.notifications;
        let wanted = filter.and_then(|raw| serde_json::from_str::<Filter>(raw.get()).ok());
        let wanted = wanted.is_some_and(|filter| filter.tools_list_changed);
        if wanted && self.subscriptions.len() < MOST_SUBSCRIPTIONS {
            self.subscriptions.push(id.to_owned());
        }
        let agreed = if wanted {
            json!({"toolsListChanged": true})
        } else {
            json!({})
        };
        let meta = reply::subscription_meta(id);
        Answer::Listen {
            id: id.to_owned(),
            text: format!(
                "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\
                 \"params\":{{{meta},\"notifications\":{agreed}}}}}"
            ),
        }
    }

    /// What a request of 2026-07-28 has to say of itself, in its body and over HTTP in its headers.
    pub(super) fn check_stateless(
        &self,
        message: &Message<'_>,
        headers: Option<&Headers>,
    ) -> Result<(), Refused> {
        // The handshake of the versions before: its client learns only here what is spoken.
        if message.method == "initialize" {
            let requested = string(message.params.protocol_version);
            return Err(self.unsupported(&requested.unwrap_or_default()));
        }
        let meta = message.params.meta();
        let Some(version) = meta.as_ref().and_then(|meta| string(meta.version)) else {
            return Err(Refused::new(
                INVALID_PARAMS,
                "`_meta` has no `io.modelcontextprotocol/protocolVersion` that is a string",
            ));
        };
        if let Some(headers) = headers {
            headers::check(headers, message, &version)?;
        }
        if version != self.version().as_str() {
            return Err(self.unsupported(&version));
        }
        let capabilities = meta.and_then(|meta| meta.capabilities);
        if !capabilities.is_some_and(is_object) {
            return Err(Refused::new(
                INVALID_PARAMS,
                "`_meta` has no `io.modelcontextprotocol/clientCapabilities` that is an object",
            ));
        }
        Ok(())
    }

    pub(super) fn unsupported(&self, requested: &str) -> Refused {
        let requested = cut(requested, 120);
        Refused {
            code: UNSUPPORTED_VERSION,
            message: format!(
                "protocol version {requested:?} is not supported; {} is",
                self.version()
            ),
            data: Some(json!({"supported": [self.version()], "requested": requested})),
        }
    }
}
