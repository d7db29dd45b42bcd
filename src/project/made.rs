//! One schema as a target has it.

use serde_json::Value;

use super::maker::{Maker, Stop};
use super::usable::usable;
use super::view::View;
use super::{Change, Effect, Loss, Making, NameMap, Part, Refusal, Target, limits};
use crate::schema::Schema;
use crate::source::Pointer;

/// One schema as the target has it.
pub(super) fn made(
    schema: &Schema<'_>,
    target: &Target,
    (member, role): (&'static str, &str),
    source: &Pointer,
) -> Result<(Value, Part, Vec<Loss>), Refusal> {
    usable(schema, source)?;
    let view = View::new(schema.tree());
    let names = property_names(&view, target, source)?;
    let mut maker = Maker::new(&view, target, (role, source), &names);
    let made = match target.schema {
        Making::Kept => maker.keep(),
        Making::Rebuilt => maker.rebuild(),
    };
    let value = made.map_err(|stop| match stop {
        Stop::Nothing => Refusal::new(source, None, "no value fits the projection"),
        Stop::Refused(refusal) => refusal,
    })?;
    if let Some(why) = limits::exceeded(&value, &target.limits) {
        return Err(Refusal::new(source, None, why));
    }
    for (name, taken) in names.changed() {
        let at = Pointer::root().join("properties").join(name);
        let why = format!(
            "{}: `{name}` is `{taken}` here, and reads back",
            target.names.because
        );
        maker.lose_at(&at, "properties", (Change::Rewritten, Effect::None), why);
    }
    maker.settle();
    maker.mapping.names = names.clone();
    let part = Part {
        member,
        source: source.clone(),
        place: Pointer::root(),
        mapping: maker.mapping,
        edits: maker.edits,
        narrowed: maker.narrowed,
    };
    Ok((value, part, maker.losses))
}

/// The names of all properties as the target takes them.
fn property_names(
    view: &View<'_, '_>,
    target: &Target,
    source: &Pointer,
) -> Result<NameMap, Refusal> {
    let Some(charset) = &target.names.property else {
        return Ok(NameMap::default());
    };
    let declared = view.every().flat_map(|id| {
        let named = view
            .named(id, "properties")
            .into_iter()
            .map(|(name, _)| name);
        named.chain(view.required(id))
    });
    NameMap::new(declared, charset).map_err(|(one, other)| {
        let why = format!(
            "{}: `{one}` and `{other}` would both be written as `{}`",
            target.names.because,
            NameMap::new([one.as_str()], charset)
                .map_or_else(|_| one.clone(), |map| map.forward(&one).to_owned())
        );
        Refusal::new(source, Some("properties"), why)
    })
}
