//! Makes a JSON value small while something stays true of it.

use serde_json::{Map, Number, Value};

/// What asking about a smaller value came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It still holds.
    Holds,
    /// It does not hold any more.
    Fails,
    /// It was not asked: the value is beside the point. This costs no try.
    Beside,
    /// There is no more time to ask.
    Stop,
}

/// The smallest value that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Shrunk {
    /// The value.
    pub value: Value,
    /// How often it was asked.
    pub tries: usize,
}

/// Values that are beside the point, until the search gives up: they cost time all the same.
const MOST_BESIDE: usize = 20_000;

/// Shrinks `value` while `holds` says so, asking at most `tries` times: members and elements go,
/// many at once first, then one by one; a value gives way to a part of it; strings get shorter and
/// numbers rounder. The outcome depends on the value and the answers alone.
pub fn shrink(value: &Value, tries: usize, holds: &mut dyn FnMut(&Value) -> Tried) -> Shrunk {
    let mut search = Search {
        best: value.clone(),
        asked: 0,
        beside: 0,
        tries,
        over: tries == 0,
        holds,
    };
    let mut improved = true;
    while improved && !search.over {
        improved = search.round();
    }
    Shrunk {
        value: search.best,
        tries: search.asked,
    }
}

struct Search<'h> {
    best: Value,
    asked: usize,
    beside: usize,
    tries: usize,
    over: bool,
    holds: &'h mut dyn FnMut(&Value) -> Tried,
}

impl Search<'_> {
    /// One pass over all places, from the root down; true where something got smaller.
    fn round(&mut self) -> bool {
        let mut improved = false;
        let mut queue = vec![String::new()];
        while let Some(place) = queue.pop() {
            while self.step(&place) {
                improved = true;
            }
            let children: Vec<String> = match self.best.pointer(&place) {
                Some(Value::Array(items)) => (0..items.len())
                    .map(|index| format!("{place}/{index}"))
                    .collect(),
                Some(Value::Object(members)) => {
                    let escape = |name: &String| name.replace('~', "~0").replace('/', "~1");
                    members
                        .keys()
                        .map(|name| format!("{place}/{}", escape(name)))
                        .collect()
                }
                _ => Vec::new(),
            };
            queue.extend(children.into_iter().rev());
        }
        improved
    }

    /// Makes the value at `place` smaller, once.
    fn step(&mut self, place: &str) -> bool {
        let Some(here) = self.best.pointer(place) else {
            return false;
        };
        smaller(here)
            .into_iter()
            .any(|smaller| self.ask(place, smaller))
    }

    fn ask(&mut self, place: &str, smaller: Value) -> bool {
        if self.over {
            return false;
        }
        let mut candidate = self.best.clone();
        match candidate.pointer_mut(place) {
            Some(target) => *target = smaller,
            None => return false,
        }
        let answer = (self.holds)(&candidate);
        match answer {
            Tried::Beside => self.beside += 1,
            Tried::Stop => self.over = true,
            Tried::Holds | Tried::Fails => self.asked += 1,
        }
        self.over |= self.asked >= self.tries || self.beside >= MOST_BESIDE;
        if answer == Tried::Holds {
            self.best = candidate;
        }
        answer == Tried::Holds
    }
}

/// What could stand in place of `value`, the smallest first.
fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Null | Value::Bool(false) => Vec::new(),
        Value::Bool(true) => vec![Value::Bool(false)],
        Value::Number(number) => numbers(number),
        Value::String(text) => strings(text),
        Value::Array(items) => {
            let chunks = chunks(items.len());
            let left = chunks.into_iter().map(|(start, end)| {
                let kept = items[..start].iter().chain(&items[end..]);
                kept.cloned().collect()
            });
            left.collect()
        }
        Value::Object(members) => {
            let chunks = chunks(members.len());
            let left = chunks.into_iter().map(|(start, end)| {
                let kept = members.iter().enumerate();
                let kept = kept.filter(|(index, _)| !(start..end).contains(index));
                let kept = kept.map(|(_, (name, member))| (name.clone(), member.clone()));
                Value::Object(kept.collect::<Map<_, _>>())
            });
            left.collect()
        }
    }
}

/// Ranges to leave out: everything, halves, quarters, down to each one.
fn chunks(length: usize) -> Vec<(usize, usize)> {
    let mut chunks = Vec::new();
    let mut size = length;
    while size > 0 {
        let starts = (0..length).step_by(size);
        chunks.extend(starts.map(|start| (start, (start + size).min(length))));
        size /= 2;
    }
    chunks
}

fn numbers(number: &Number) -> Vec<Value> {
    let simple = |candidate: &Number| candidate.to_string().len() < number.to_string().len();
    let zero = Number::from(0);
    let one = Number::from(1);
    let halved = number.as_i64().map(|whole| Number::from(whole / 2));
    let rounded = number
        .as_f64()
        .filter(|double| double.abs() < 1e15 && double.fract() != 0.0);
    let rounded = rounded.and_then(|double| format!("{double:.0}").parse::<i64>().ok());
    let all = [Some(zero), Some(one), rounded.map(Number::from), halved]
        .into_iter()
        .flatten();
    let not_itself = |candidate: &Number| {
        candidate != number && (simple(candidate) || number.to_string().len() > 1)
    };
    let shorter = all.filter(|candidate| {
        not_itself(candidate) && candidate.to_string().len() <= number.to_string().len()
    });
    let smaller = shorter
        .filter(|candidate| candidate.as_f64().map(f64::abs) < number.as_f64().map(f64::abs));
    smaller.map(Value::Number).collect()
}

fn strings(text: &str) -> Vec<Value> {
    let count = text.chars().count();
    let mut lengths = vec![0, 1, count / 2, count.saturating_sub(1)];
    lengths.retain(|length| *length < count);
    lengths.dedup();
    let cut = |length| Value::from(text.chars().take(length).collect::<String>());
    lengths.into_iter().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shrunk(value: &Value, tries: usize, holds: impl Fn(&Value) -> bool) -> Shrunk {
        shrink(value, tries, &mut |value| {
            if holds(value) {
                Tried::Holds
            } else {
                Tried::Fails
            }
        })
    }

    #[test]
    fn only_what_matters_is_left() {
        let value = json!({
            "region": "north", "count": 1234,
            "rows": [{"id": "A-1"}, {"id": "A-2", "note": "late", "more": [1, 2]}, {"id": "A-3"}]
        });
        let has_note = |value: &Value| value.to_string().contains("\"note\"");
        let found = shrunk(&value, 200, has_note);
        assert_eq!(found.value, json!({"rows": [{"note": ""}]}));
        assert!(found.tries <= 200);
    }

    #[test]
    fn strings_get_shorter_and_numbers_rounder() {
        let is_text = |value: &Value| value["a"].as_str().is_some_and(|text| text.len() >= 3);
        assert_eq!(
            shrunk(&json!({"a": "abcdefgh"}), 200, is_text).value,
            json!({"a": "abc"})
        );
        let is_large = |value: &Value| value.as_f64().is_some_and(|number| number > 40.0);
        assert_eq!(shrunk(&json!(1000), 200, is_large).value, json!(62));
        assert_eq!(shrunk(&json!(41.25), 200, is_large).value, json!(41));
    }

    #[test]
    fn tries_are_bounded() {
        let value = json!((0..100).collect::<Vec<_>>());
        let found = shrunk(&value, 7, |_| false);
        assert_eq!((found.tries, found.value), (7, value.clone()));
        let beside = shrink(&value, 7, &mut |_| Tried::Beside);
        assert_eq!((beside.tries, beside.value), (0, value.clone()));
        let stopped = shrink(&value, 7, &mut |_| Tried::Stop);
        assert_eq!((stopped.tries, stopped.value), (0, value));
    }
}
