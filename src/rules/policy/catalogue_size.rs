//! policy.catalogue.size: where there are many tools, one of them finds the others.

use crate::diagnostic::Finding;
use crate::document::Tool;
use crate::rules::context::{Context, ToolView};

/// Tools that a model can be shown at once and still choose well among.
const MOST: usize = 10;
/// Words that name a tool which leads to others by themselves.
const ROUTES: [&str; 5] = ["route", "router", "routing", "dispatch", "dispatcher"];
/// Words that do so together with what they look for.
const SEARCHES: [&str; 6] = ["search", "find", "discover", "lookup", "list", "select"];
/// What such a tool looks for.
const SOUGHT: [&str; 6] = ["tool", "tools", "catalogue", "catalog", "capability", "capabilities"];

/// The tool that is one too many bears the finding, so that there is one.
pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let offer = offer(context, view.tool);
    if offer.len() <= MOST || !std::ptr::eq(offer[MOST].0, view.tool.at.value) {
        return;
    }
    let finders: Vec<_> = offer.iter().filter(|(tool, _)| finds_tools(tool)).collect();
    if finders.iter().any(|(_, is_typed)| *is_typed) {
        return;
    }
    let count = offer.len();
    let lack = match finders.is_empty() {
        true => "none of them searches or routes",
        false => "the one that searches or routes declares no outputSchema",
    };
    let message = format!("{count} tools are offered together, more than {MOST}, and {lack}");
    out.push(Finding::new(view.tool.at.pointer.clone(), message));
}

/// The tools that are offered together with `tool`, each with whether its output is typed.
fn offer<'c>(context: &Context<'c>, tool: &Tool<'_>) -> Vec<(&'c serde_json::Value, bool)> {
    let is_it = |index: &usize| std::ptr::eq(context.subjects.tools[*index].at.value, tool.at.value);
    if let Some(file) = &context.subjects.schema_file {
        let Some((catalogue, own)) = file.among else {
            return Vec::new();
        };
        let entries = catalogue.entries.iter().enumerate();
        let tools = entries.filter(|(_, entry)| entry.kind == crate::document::EntryKind::Tool);
        return tools
            .map(|(index, entry)| {
                let value = if index == own { file.at.value } else { &entry.value };
                (value, entry.value.get("outputSchema").is_some())
            })
            .collect();
    }
    let in_scope = context.subjects.listings.iter();
    let mut in_scope = in_scope.filter(|listing| listing.versions.contains(context.version));
    let listing = in_scope.find(|listing| listing.tools.iter().any(is_it));
    let shown = listing
        .into_iter()
        .flat_map(|it| it.earlier.iter().chain(&it.tools))
        .filter_map(|index| context.tool(Some(*index)));
    // Every tool asks; one of them needs the whole answer.
    let tips = shown.clone().nth(MOST);
    if !tips.is_some_and(|view| std::ptr::eq(view.tool.at.value, tool.at.value)) {
        return Vec::new();
    }
    shown
        .map(|view| (view.tool.at.value, view.tool.output.is_some()))
        .collect()
}

fn finds_tools(tool: &serde_json::Value) -> bool {
    let name = tool.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let words: Vec<_> = name.split(['_', '-', '.']).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    has(&ROUTES) || has(&SEARCHES) && has(&SOUGHT)
}
