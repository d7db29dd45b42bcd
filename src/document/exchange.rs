//! Exchanges: some of a tool, its arguments and its result, outside any envelope.

use super::{At, Call, CallResult, Catalogue, Subjects, Tool, scope};
use crate::protocol::VersionSet;

/// Reads an exchange. Absent arguments are not judged: nothing says that there was a call. Where a
/// catalogue is at hand, `tool` may be the name of one of its tools.
pub(super) fn read<'a>(
    subjects: &mut Subjects<'a>,
    root: &At<'a>,
    forced: Option<VersionSet>,
    catalogue: Option<&'a Catalogue>,
) {
    let own = root.value.get("protocolVersions").map(scope);
    let own = own.filter(|set| !set.is_empty());
    let versions = forced.or(own).unwrap_or(VersionSet::STRUCTURED);
    subjects.versions = versions;
    let tool = root.get("tool").map(|at| {
        let named = catalogue.and_then(|catalogue| catalogue.tool(at.value.as_str()?).ok());
        if let Some(entry) = named {
            return subjects.consult(entry);
        }
        subjects.tools.push(Tool::new(at, versions));
        subjects.tools.len() - 1
    });
    if let Some(arguments) = root.get("arguments") {
        subjects.calls.push(Call {
            params: None,
            arguments: Some(arguments),
            versions,
            tool,
            unknown: false,
        });
    }
    if let Some(at) = root.get("result") {
        subjects.results.push(CallResult {
            at,
            versions,
            full: false,
            tool,
        });
    }
}
