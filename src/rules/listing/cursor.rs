//! mcp.list.cursor: the cursor of the next page is not empty.

use crate::diagnostic::Finding;
use crate::document::Listing;
use crate::rules::context::Context;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    listing: &Listing<'_>,
    out: &mut Vec<Finding>,
) {
    if context.subjects.description.is_some() {
        return;
    }
    if let Some(cursor) = listing.at.get("nextCursor")
        && cursor.value.as_str() == Some("")
    {
        let message = "`nextCursor` is empty: some clients stop here, others ask again for ever";
        out.push(Finding::new(cursor.pointer, message));
    }
}
