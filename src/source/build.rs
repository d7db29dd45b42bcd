//! From events to values, and from events to positions.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Fault, Limits, Parsed, Pointer, Span, number};

/// One step of a text, whatever its format.
pub(super) enum Event<'a> {
    ObjectStart,
    ArrayStart,
    /// The end of the innermost object or array.
    End,
    Key(Cow<'a, str>),
    Null,
    Bool(bool),
    /// A number as JSON writes it.
    Number(Cow<'a, str>),
    String(Cow<'a, str>),
}

/// A member that its object has already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The member.
    pub pointer: Pointer,
    /// Where its name stands again.
    pub span: Span,
}

/// A number whose value a double cannot hold: 2^53+1, 0.12345678901234567890, 1e-400.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundedNumber {
    /// The number.
    pub pointer: Pointer,
    /// The number as it is written.
    pub text: String,
    /// Whether the value holds it exactly all the same, as an integer of 64 bits.
    pub exact: bool,
}

enum Frame {
    Object {
        members: Map<String, Value>,
        key: String,
    },
    Array(Vec<Value>),
}

/// Builds the value of one text from its events.
pub(super) struct Builder<'l> {
    limits: &'l Limits,
    stack: Vec<Frame>,
    done: bool,
    parsed: Parsed,
    /// For each duplicate, how many rounded numbers stood before it.
    before: Vec<usize>,
    /// Where the value stands in a larger document: the line of a log.
    base: Pointer,
}

impl<'l> Builder<'l> {
    pub(super) fn new(limits: &'l Limits, base: Pointer) -> Self {
        Self {
            limits,
            stack: Vec::new(),
            done: false,
            parsed: Parsed::default(),
            before: Vec::new(),
            base,
        }
    }

    /// What was built. Of equal members the last counts, so the numbers in those before it do not.
    pub(super) fn finish(self) -> Parsed {
        let mut parsed = self.parsed;
        let pointers = parsed.duplicates.iter().map(|twice| twice.pointer.as_str());
        let replaced: HashMap<&str, usize> = pointers.zip(self.before).collect();
        if !replaced.is_empty() {
            let mut place = 0..;
            parsed.rounded.retain(|number| {
                let (at, place) = (number.pointer.as_str(), place.next().unwrap_or(0));
                let ends = at.match_indices('/').map(|(end, _)| end).chain([at.len()]);
                let mut members = ends.filter_map(|end| replaced.get(&at[..end]));
                members.all(|before| place >= *before)
            });
        }
        parsed
    }

    /// Whether the root value is complete.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    fn pointer(&self) -> Pointer {
        let mut pointer = self.base.clone();
        for frame in &self.stack {
            match frame {
                Frame::Object { key, .. } => pointer.push(key),
                Frame::Array(items) => pointer.push(items.len()),
            }
        }
        pointer
    }

    pub(super) fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        let value = match event {
            Event::ObjectStart | Event::ArrayStart => {
                if self.stack.len() >= self.limits.depth {
                    return Err(Fault::bounds(
                        span,
                        format!("more than {} levels of nesting", self.limits.depth),
                    ));
                }
                self.stack.push(match event {
                    Event::ObjectStart => Frame::Object {
                        members: Map::new(),
                        key: String::new(),
                    },
                    _ => Frame::Array(Vec::new()),
                });
                return Ok(());
            }
            Event::Key(name) => {
                let repeated = match self.stack.last_mut() {
                    Some(Frame::Object { members, key }) => {
                        *key = name.into_owned();
                        members.contains_key(key.as_str())
                    }
                    _ => false,
                };
                if repeated {
                    let pointer = self.pointer();
                    self.parsed.duplicates.push(Duplicate { pointer, span });
                    self.before.push(self.parsed.rounded.len());
                }
                return Ok(());
            }
            Event::End => match self.stack.pop() {
                Some(Frame::Object { members, .. }) => Value::Object(members),
                Some(Frame::Array(items)) => Value::Array(items),
                None => return Ok(()),
            },
            Event::Null => Value::Null,
            Event::Bool(value) => Value::Bool(value),
            Event::String(text) => Value::String(text.into_owned()),
            Event::Number(text) => self.number(&text, span)?,
        };
        match self.stack.last_mut() {
            Some(Frame::Object { members, key }) => {
                members.insert(std::mem::take(key), value);
            }
            Some(Frame::Array(items)) => items.push(value),
            None => {
                self.parsed.value = value;
                self.done = true;
            }
        }
        Ok(())
    }

    fn number(&mut self, text: &str, span: Span) -> Result<Value, Fault> {
        let Some(number) = number::parse(text) else {
            return Err(Fault::bounds(
                span,
                format!(
                    "the number {} is larger than any double",
                    super::cut(text, 40)
                ),
            ));
        };
        if number::double_would_change(text) {
            let pointer = self.pointer();
            self.parsed.rounded.push(RoundedNumber {
                pointer,
                text: text.to_owned(),
                exact: !number.is_f64(),
            });
        }
        Ok(Value::Number(number))
    }
}

/// The positions of the values that somebody asks for.
pub(super) struct Index {
    wanted: HashMap<Pointer, Option<Span>>,
    /// The length of the longest pointer wanted: what stands deeper is not looked up.
    longest: usize,
    stack: Vec<Step>,
    path: Pointer,
}

struct Step {
    /// The length of the path to the container.
    path: usize,
    /// The next element of an array; `None` in an object.
    element: Option<usize>,
}

impl Index {
    pub(super) fn new<'p>(pointers: impl Iterator<Item = &'p Pointer>) -> Self {
        let mut wanted = HashMap::new();
        let mut longest = 0;
        for pointer in pointers {
            longest = longest.max(pointer.as_str().len());
            // The ancestors too: the nearest that exists stands in for what is missing.
            let mut next = Some(pointer.clone());
            while let Some(pointer) = next {
                next = pointer.parent();
                if wanted.insert(pointer, None).is_some() {
                    break;
                }
            }
        }
        Self {
            wanted,
            longest,
            stack: Vec::new(),
            path: Pointer::root(),
        }
    }

    /// Starts a value that stands at `base` in a larger document.
    pub(super) fn start(&mut self, base: Pointer) {
        self.stack.clear();
        self.path = base;
    }

    /// Takes an event; of equal members the last one's place counts, as its value does.
    pub(super) fn event(&mut self, event: &Event<'_>, span: Span) {
        match event {
            Event::Key(name) => {
                if let Some(step) = self.stack.last() {
                    self.path.truncate(step.path);
                    self.path.push(name);
                }
                return;
            }
            Event::End => {
                if let Some(step) = self.stack.pop() {
                    self.path.truncate(step.path);
                }
                return;
            }
            _ => {}
        }
        if let Some(Step {
            path,
            element: Some(element),
        }) = self.stack.last_mut()
        {
            self.path.truncate(*path);
            self.path.push(*element);
            *element += 1;
        }
        if self.path.as_str().len() <= self.longest
            && let Some(place) = self.wanted.get_mut(&self.path)
        {
            *place = Some(span);
        }
        if matches!(event, Event::ObjectStart | Event::ArrayStart) {
            self.stack.push(Step {
                path: self.path.as_str().len(),
                element: matches!(event, Event::ArrayStart).then_some(0),
            });
        }
    }

    pub(super) fn nearest(&self, pointer: &Pointer) -> Span {
        let mut next = Some(pointer.clone());
        while let Some(pointer) = next {
            if let Some(Some(span)) = self.wanted.get(&pointer) {
                return span.clone();
            }
            next = pointer.parent();
        }
        0..0
    }
}
