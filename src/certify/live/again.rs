//! One question more to a live client, after its run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;

use super::client::Live;
use super::compose::question;
use super::driver::Driver;
use super::drivers::Drivers;
use super::stage::{Stage, broken};
use crate::certify::{Asked, NotStarted, Outcome, Request, Witness};
use crate::corpus::Case;

/// A client that is asked one case a session.
pub struct Again {
    stage: Stage,
    driver: Driver,
    deadline: Duration,
}

impl Again {
    /// The client of `live`, which may give no sign of life for `deadline`; `interrupt` ends every
    /// wait.
    ///
    /// # Errors
    /// Where the server's side cannot be set up.
    pub fn new(
        live: &Live,
        interrupt: &Arc<AtomicBool>,
        deadline: Duration,
    ) -> Result<Self, NotStarted> {
        Ok(Self {
            stage: Stage::new(live)?,
            driver: Driver::new(Arc::new(Drivers::new(live, interrupt))),
            deadline,
        })
    }
}

impl Witness for Again {
    fn ask(&mut self, case: &Case, request: &Request) -> Outcome {
        let version = request.version;
        let Some(expected) = case.on(version) else {
            return Outcome::skip(format!("the case asks nothing on {version}"));
        };
        let asked = Asked {
            case,
            version,
            expected,
            place: None,
        };
        let parts = [(asked, request.clone())];
        let held = self
            .stage
            .hold(version, &parts, &mut self.driver, self.deadline);
        match held {
            Err(error) => Outcome::error(format!("this program's own side failed: {error}")),
            Ok(past) => match &past.heard.broke {
                Some(broke) => broken(&parts[0], broke, None),
                None => {
                    let name = past.composed.names.first().and_then(Option::as_deref);
                    past.held().outcome(&parts[0], name)
                }
            },
        }
    }

    fn sent(&self, request: &Request) -> Value {
        question(request)
    }

    fn finish(&mut self) {
        self.driver.finish();
    }
}
