//! MCP Descriptions: tools with scopes of their own, and schemas and examples kept as components.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::component::{BrokenReference, Components, Namespace};
use super::{At, Listing, Role, Subjects, Tool, scope};
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::source::{Format, Pointer};

/// The editions of the format, as far as they differ here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edition {
    /// 0.7: one protocol version, in `info`, and neither scopes nor components.
    V0_7,
    /// 0.8 and 0.9: root `protocolVersions`, scopes and components.
    V0_8,
    /// One that is not known.
    Unknown,
}

impl Edition {
    /// The edition that the member `mcpdesc` of a description names.
    fn of(root: &At<'_>) -> Self {
        let named = root.value.get("mcpdesc").and_then(Value::as_str);
        let (release, stage) = match named.map(|text| text.split_once('-')) {
            Some(Some((release, stage))) => (release, Some(stage)),
            _ => (named.unwrap_or_default(), None),
        };
        match release {
            _ if stage.is_some_and(|stage| !is_stage(stage)) => Self::Unknown,
            "0.7.0" => Self::V0_7,
            "0.8.0" | "0.9.0" => Self::V0_8,
            _ => Self::Unknown,
        }
    }
}

/// Whether a version's suffix is that of a release candidate or a draft: `rc.4`, `draft.1`.
fn is_stage(stage: &str) -> bool {
    let number = stage
        .strip_prefix("rc.")
        .or_else(|| stage.strip_prefix("draft."));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// An entry of a description that may have a scope of its own.
#[derive(Debug)]
pub struct Entry<'a> {
    /// The entry.
    pub at: At<'a>,
    /// The versions that its own `protocolVersions` names; `None` where it has the root's.
    pub own: Option<VersionSet>,
}

impl<'a> Entry<'a> {
    fn new(at: At<'a>, edition: Edition) -> Self {
        let own = at
            .value
            .get("protocolVersions")
            .filter(|own| own.is_array());
        Self {
            own: own.filter(|_| edition != Edition::V0_7).map(scope),
            at,
        }
    }

    /// Whether the entry is said to hold on `version`, one of the root's.
    pub fn holds_on(&self, version: ProtocolVersion) -> bool {
        self.own.is_none_or(|own| own.contains(version))
    }
}

/// A tool as a description has it.
#[derive(Debug)]
pub struct DescribedTool<'a> {
    /// The entry of `tools`.
    pub entry: Entry<'a>,
    /// The tool, as an index into [`Subjects::tools`].
    pub tool: usize,
    /// Whether its `inputSchema` is there, and not behind a broken reference.
    pub has_input: bool,
    /// Whether its `outputSchema` is there, and not behind a broken reference.
    pub has_output: bool,
    /// Its examples.
    pub examples: Vec<ToolExample<'a>>,
}

/// An example of a tool.
#[derive(Debug)]
pub struct ToolExample<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where the tool has it.
    pub used: Pointer,
    /// Where it stands, there or among the components; `None` behind a broken reference.
    pub at: Option<At<'a>>,
}

/// An MCP Description.
#[derive(Debug)]
pub struct Description<'a> {
    /// The document.
    pub at: At<'a>,
    /// The edition of the format that it follows.
    pub edition: Edition,
    /// How it is written.
    pub format: Format,
    /// The versions to judge it on.
    pub versions: VersionSet,
    /// Whether these are assumed, since neither the document nor the user names any.
    pub assumed: bool,
    /// The versions that it says it is for.
    pub declared: VersionSet,
    /// Its tools; they are among [`Subjects::tools`] too.
    pub tools: Vec<DescribedTool<'a>>,
    /// Its transports, where it has that section.
    pub transports: Option<Vec<Entry<'a>>>,
    /// The names in its catalogue of tags, where it has one.
    pub tags: Option<Vec<&'a str>>,
    /// References that lead to no component.
    pub broken: Vec<BrokenReference<'a>>,
}

/// What stands in for a schema that cannot be had: one behind a broken reference, or an input
/// schema that 0.7 lets a tool leave out. No rule finds fault with it, since the fault, if there
/// is one, is reported where it lies.
static STAND_IN: LazyLock<Value> =
    LazyLock::new(|| json!({"type": "object", "additionalProperties": false}));

/// Reads a description. What it says of versions yields to `forced`; a tool that is scoped away
/// from a forced version stays away, unless the root does not know that version either.
pub(super) fn read<'a>(
    subjects: &mut Subjects<'a>,
    root: At<'a>,
    format: Format,
    forced: Option<VersionSet>,
) {
    let edition = Edition::of(&root);
    let declared = declared(&root, edition);
    let stated = forced.or((!declared.is_empty()).then_some(declared));
    let versions = stated.unwrap_or(VersionSet::STRUCTURED);
    subjects.versions = versions;
    let mut components = Components::new(&root);
    let mut tools = Vec::new();
    for at in elements(&root, "tools") {
        let entry = Entry::new(at, edition);
        let judged = versions.iter().filter(|version| {
            entry.holds_on(*version) || forced.is_some() && !declared.contains(*version)
        });
        let judged = judged.collect();
        tools.push(read_tool(subjects, &mut components, entry, edition, judged));
    }
    resolve_others(&root, &mut components);
    if root.value.get("tools").is_some_and(Value::is_array) {
        add_listings(subjects, &root, versions);
    }
    let list = |name| root.get(name).filter(|at| at.value.is_array());
    let entry = |at| Entry::new(at, edition);
    let tag = |at: At<'a>| at.value.get("name")?.as_str();
    subjects.description = Some(Description {
        edition,
        format,
        versions,
        assumed: stated.is_none(),
        declared,
        tools,
        transports: list("transports").map(|list| list.elements().map(entry).collect()),
        tags: list("tags").map(|list| list.elements().filter_map(tag).collect()),
        broken: components.broken,
        at: root,
    });
}

/// The versions that a description says it is for, those that are known. One of an unknown edition
/// may say it in either way.
fn declared(root: &At<'_>, edition: Edition) -> VersionSet {
    let listed = root.value.get("protocolVersions").map(scope);
    let single = || {
        let date = root.value.get("info")?.get("protocolVersion")?.as_str()?;
        date.parse::<ProtocolVersion>().ok().map(VersionSet::from)
    };
    let found = match edition {
        Edition::V0_7 => single(),
        Edition::V0_8 => listed,
        Edition::Unknown => listed.or_else(single),
    };
    found.unwrap_or(VersionSet::EMPTY)
}

fn read_tool<'a>(
    subjects: &mut Subjects<'a>,
    components: &mut Components<'a>,
    entry: Entry<'a>,
    edition: Edition,
    versions: VersionSet,
) -> DescribedTool<'a> {
    let at = entry.at.clone();
    let mut schema = |member| {
        let written = at.get(member);
        let found = written
            .clone()
            .and_then(|schema| components.resolve(schema, Namespace::Schemas));
        let missed = written.is_some() || member == "inputSchema" && edition == Edition::V0_7;
        let stand_in = || missed.then(|| At::new(&STAND_IN, at.pointer.join(member)));
        (found.is_some(), found.or_else(stand_in))
    };
    let (has_input, input) = schema("inputSchema");
    let (has_output, output) = schema("outputSchema");
    let examples = at.get("examples");
    let examples = examples.iter().flat_map(At::members);
    let examples = examples.map(|(name, example)| ToolExample {
        name,
        used: example.pointer.clone(),
        at: components.resolve(example, Namespace::ToolExamples),
    });
    let examples = examples.collect();
    let tool = subjects.tools.len();
    subjects.tools.push(Tool {
        role: Role::Tool,
        at,
        versions,
        input,
        output,
    });
    DescribedTool {
        entry,
        tool,
        has_input,
        has_output,
        examples,
    }
}

/// Follows the references that no tool rule needs: those of the other primitives' examples and of
/// every primitive's elicitations. That they lead somewhere is asked of them too.
fn resolve_others<'a>(root: &At<'a>, components: &mut Components<'a>) {
    for (collection, namespace) in [
        ("tools", Namespace::ToolExamples),
        ("resources", Namespace::ResourceExamples),
        ("resourceTemplates", Namespace::ResourceTemplateExamples),
        ("prompts", Namespace::PromptExamples),
    ] {
        for primitive in elements(root, collection) {
            for elicitation in elements(&primitive, "elicitations") {
                if let Some(requested) = elicitation.get("requestedSchema") {
                    components.resolve(requested, Namespace::Schemas);
                }
            }
            let examples = primitive.get("examples");
            for (_, example) in examples.iter().flat_map(At::members) {
                components.resolve(example, namespace);
            }
        }
    }
}

/// Adds one listing for each version: the tools that a client of that version sees.
fn add_listings<'a>(subjects: &mut Subjects<'a>, root: &At<'a>, versions: VersionSet) {
    for version in versions.iter() {
        let tools = subjects.tools.iter().enumerate();
        let seen = tools.filter(|(_, tool)| tool.versions.contains(version));
        let listing = Listing {
            at: root.clone(),
            versions: version.into(),
            full: false,
            tools: seen.map(|(index, _)| index).collect(),
            earlier: Vec::new(),
        };
        subjects.listings.push(listing);
    }
}

/// The elements of the array that `at` has under `name`.
fn elements<'a>(at: &At<'a>, name: &str) -> impl Iterator<Item = At<'a>> + use<'a> {
    at.get(name).into_iter().flat_map(|list| list.elements())
}
