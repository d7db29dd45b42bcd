//! Words of the command line that a type knows by name.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of `all` by its name.
pub(super) fn one_of<T>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = all.iter().map(move |it| name(*it));
    PossibleValuesParser::new(names).try_map(move |word| {
        let found = all.iter().copied().find(|it| name(*it) == word);
        found.ok_or("no such word")
    })
}
