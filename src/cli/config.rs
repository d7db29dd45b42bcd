//! `mcp-conform.toml`: what a project asks of every run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobMatcher};
use serde::Deserialize;

use super::Failure;
use crate::diagnostic::Severity;
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::rules::{Override, Profile, Settings, find};

/// The name of the file, looked for from each document upwards.
const NAME: &str = "mcp-conform.toml";

/// The file as it is written.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    /// Judge on these versions, whatever documents say.
    protocol: Option<Vec<String>>,
    /// Warnings count as failures.
    #[serde(default)]
    deny_warnings: bool,
    /// The profiles of policies that are on.
    #[serde(default)]
    profiles: Vec<String>,
    /// What becomes of single rules: `off`, `warn` or `error`.
    #[serde(default)]
    rules: BTreeMap<String, String>,
    #[serde(default)]
    bounds: Bounds,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

/// Bounds may only be lowered where the default is what any reader can bear.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bounds {
    bytes: Option<usize>,
    depth: Option<usize>,
    levels: Option<usize>,
    subschemas: Option<usize>,
    expanded: Option<u64>,
    enum_members: Option<usize>,
    pattern_chars: Option<usize>,
}

/// What holds for some paths alone, and why.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Exception {
    path: String,
    rule: String,
    severity: String,
    reason: String,
}

/// A configuration, ready to be applied to files.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// Warnings count as failures.
    pub(super) deny_warnings: bool,
    settings: Settings,
    /// The folder that exceptions are relative to.
    folder: PathBuf,
    exceptions: Vec<(GlobMatcher, String, Override)>,
}

impl Config {
    /// Reads the file at `path`.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let fault =
            |what: &dyn std::fmt::Display| Failure::Usage(format!("{}: {what}", path.display()));
        let text = super::files::small_text(path).map_err(|error| fault(&error))?;
        let written: Written = toml::from_str(&text).map_err(|error| fault(&error))?;
        let mut config = Self {
            deny_warnings: written.deny_warnings,
            folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
            ..Self::default()
        };
        written
            .bounds
            .apply(&mut config.settings)
            .map_err(|error| fault(&error))?;
        if let Some(dates) = &written.protocol {
            config.settings.protocol = Some(versions(dates).map_err(|error| fault(&error))?);
        }
        for name in &written.profiles {
            config
                .settings
                .profiles
                .push(profile(name).map_err(|error| fault(&error))?);
        }
        for (id, word) in &written.rules {
            let (id, change) = rule_override(id, word).map_err(|error| fault(&error))?;
            config.settings.overrides.insert(id, change);
        }
        for exception in &written.exceptions {
            if exception.reason.trim().is_empty() {
                let what = format!("the exception for {} needs a reason", exception.path);
                return Err(fault(&what));
            }
            let glob = Glob::new(&exception.path).map_err(|error| fault(&error))?;
            let (id, change) = rule_override(&exception.rule, &exception.severity)
                .map_err(|error| fault(&error))?;
            config.exceptions.push((glob.compile_matcher(), id, change));
        }
        Ok(config)
    }

    /// The nearest file from the folder of `file` upwards.
    pub(super) fn find(file: &Path) -> Option<PathBuf> {
        let absolute = std::path::absolute(file).ok()?;
        absolute
            .ancestors()
            .skip(1)
            .map(|folder| folder.join(NAME))
            .find(|path| path.is_file())
    }

    /// The settings for `file`.
    pub(super) fn settings_for(&self, file: &Path) -> Settings {
        let mut settings = self.settings.clone();
        let relative = std::path::absolute(file).ok().and_then(|absolute| {
            let folder = std::path::absolute(&self.folder).ok()?;
            Some(absolute.strip_prefix(folder).ok()?.to_path_buf())
        });
        let relative = relative.as_deref().unwrap_or(file);
        for (glob, id, change) in &self.exceptions {
            if glob.is_match(relative) {
                settings.overrides.insert(id.clone(), *change);
            }
        }
        settings
    }
}

impl Bounds {
    fn apply(&self, settings: &mut Settings) -> Result<(), String> {
        let lower = |name: &str, asked: Option<usize>, bound: &mut usize| match asked {
            Some(value) if value > *bound => {
                Err(format!("bounds.{name} may only be lowered from {bound}"))
            }
            Some(value) => {
                *bound = value;
                Ok(())
            }
            None => Ok(()),
        };
        lower("bytes", self.bytes, &mut settings.limits.bytes)?;
        lower("depth", self.depth, &mut settings.limits.depth)?;
        let bounds = &mut settings.bounds;
        let set = |asked: Option<usize>, bound: &mut usize| *bound = asked.unwrap_or(*bound);
        set(self.levels, &mut bounds.levels);
        set(self.subschemas, &mut bounds.subschemas);
        set(self.enum_members, &mut bounds.enum_members);
        set(self.pattern_chars, &mut bounds.pattern_chars);
        bounds.expanded = self.expanded.unwrap_or(bounds.expanded);
        Ok(())
    }
}

/// The set of versions that these dates name.
pub(super) fn versions(dates: &[String]) -> Result<VersionSet, String> {
    if dates.is_empty() {
        return Err("`protocol` names no version to judge on".to_owned());
    }
    dates
        .iter()
        .map(|date| {
            date.parse::<ProtocolVersion>()
                .map_err(|error| error.to_string())
        })
        .collect()
}

/// The profile of this name.
fn profile(name: &str) -> Result<Profile, String> {
    name.parse().map_err(|()| {
        let known = Profile::ALL.iter().map(|profile| profile.as_str());
        let known = known.collect::<Vec<_>>().join(", ");
        format!("no profile is named {name:?}; there are {known}")
    })
}

/// The id of a rule and what `word` makes of it.
pub(super) fn rule_override(id: &str, word: &str) -> Result<(String, Override), String> {
    if find(id).is_none() {
        return Err(format!(
            "no rule has the id {id}; `mcp-conform rules list` has them all"
        ));
    }
    let change = match word {
        "off" => Override::Off,
        "warn" | "warning" => Override::As(Severity::Warning),
        "error" => Override::As(Severity::Error),
        other => return Err(format!("{id}: {other:?} is none of off, warn, error")),
    };
    Ok((id.to_owned(), change))
}
