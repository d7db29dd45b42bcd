//! The end of what a process writes, however much that is.

use std::collections::VecDeque;

/// The most bytes that are kept.
const MOST: usize = 16 << 10;

#[derive(Debug, Default)]
pub(in crate::certify) struct Tail {
    bytes: VecDeque<u8>,
    cut: bool,
}

impl Tail {
    pub(in crate::certify) fn push(&mut self, bytes: &[u8]) {
        let bytes = match bytes.len().checked_sub(MOST) {
            Some(cut) if cut > 0 => {
                self.cut = true;
                &bytes[cut..]
            }
            _ => bytes,
        };
        let over = (self.bytes.len() + bytes.len()).saturating_sub(MOST);
        if over > 0 {
            self.cut = true;
            self.bytes.drain(..over);
        }
        self.bytes.extend(bytes);
    }

    pub(in crate::certify) fn text(&self) -> String {
        let (front, back) = self.bytes.as_slices();
        let text = String::from_utf8_lossy(&[front, back].concat()).into_owned();
        if self.cut { format!("…{text}") } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let mut tail = Tail::default();
        tail.push(b"start ");
        for _ in 0..100 {
            tail.push(&[b'x'; 1_000]);
        }
        tail.push(b" end");
        let text = tail.text();
        assert!(text.starts_with('…') && text.ends_with("x end"));
        assert_eq!(text.len(), MOST + '…'.len_utf8());
        tail.push(&[b'y'; 2 * MOST]);
        assert_eq!(tail.text().matches('y').count(), MOST);
    }
}
