//! What samples say should become of a payload, and the schema that they say it of.

use serde_json::Value;

use super::context::{Context, SchemaAt};
use crate::document::{At, Samples, Unfound, Unresolved};

/// What should become of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expected<'a> {
    /// Whether it should fit.
    pub(super) fits: bool,
    /// The keyword that it should violate.
    pub(super) keyword: Option<&'a str>,
    /// The place in it that should be at fault.
    pub(super) at: Option<&'a str>,
}

/// Reads `"pass"`, `"fail"`, or an object of a verdict with its keyword and place.
pub(super) fn expected<'a>(entry: &At<'a>) -> Option<Expected<'a>> {
    let (verdict, members) = match entry.value {
        Value::Object(members) => (members.get("verdict")?, Some(members)),
        word => (word, None),
    };
    let fits = match verdict.as_str()? {
        "pass" => true,
        "fail" => false,
        _ => return None,
    };
    let known = |name: &String| matches!(name.as_str(), "verdict" | "keyword" | "at");
    if members.is_some_and(|members| !members.keys().all(known)) {
        return None;
    }
    let text = |name| match members.and_then(|members| members.get(name)) {
        None => Some(None),
        Some(value) => value.as_str().map(Some),
    };
    let (keyword, at) = (text("keyword")?, text("at")?);
    // What fits has no reason.
    let is_sound = !fits || keyword.is_none() && at.is_none();
    is_sound.then_some(Expected { fits, keyword, at })
}

/// The schema that samples are about, where the reference leads to one that is an object.
pub(super) fn schema<'c>(context: &Context<'c>, samples: &Samples<'_>) -> Option<&'c SchemaAt<'c>> {
    let (tool, is_output) = *samples.target.as_ref().ok()?;
    let view = context.tool(Some(tool))?;
    match is_output {
        true => view.output.as_ref(),
        false => view.input.as_ref(),
    }
}

/// Why a reference leads to no one schema, as a clause; `None` where that is a matter of its form.
pub(super) fn unresolved(why: &Unresolved, what: &str) -> Option<String> {
    Some(match why {
        Unresolved::Malformed => return None,
        Unresolved::NoCatalogue => {
            "no catalogue is at hand: no folder above holds schemas/, and --tools names none"
                .to_owned()
        }
        Unresolved::NoSchema => "the tool declares no such schema".to_owned(),
        Unresolved::Unfound(Unfound::Name) => format!("the catalogue has no {what} of that name"),
        Unresolved::Unfound(Unfound::Version(versions)) if versions.is_empty() => {
            "the catalogue has a schema of that name, and it is of no version".to_owned()
        }
        Unresolved::Unfound(Unfound::Version(versions)) => format!(
            "the catalogue has a schema of that name, and not in that version but in {}",
            crate::source::cut(&versions.join(", "), 80)
        ),
        Unresolved::Unfound(Unfound::Ambiguous(paths)) => {
            format!("{} files of the catalogue have that name", paths.len())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Pointer;
    use serde_json::json;

    #[test]
    fn a_verdict_is_a_word_or_a_word_with_its_reason() {
        let read = |value: &Value| {
            expected(&At::new(value, Pointer::root())).map(|it| (it.fits, it.keyword.is_some()))
        };
        assert_eq!(read(&json!("pass")), Some((true, false)));
        assert_eq!(read(&json!("fail")), Some((false, false)));
        let reason = json!({"verdict": "fail", "keyword": "enum", "at": "/status"});
        assert_eq!(read(&reason), Some((false, true)));
        for wrong in [
            json!("passes"),
            json!(true),
            json!({"keyword": "enum"}),
            json!({"verdict": "pass", "keyword": "enum"}),
            json!({"verdict": "fail", "because": "enum"}),
            json!({"verdict": "fail", "at": 0}),
        ] {
            assert_eq!(read(&wrong), None, "{wrong}");
        }
    }
}
