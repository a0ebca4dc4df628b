//! Arrays of 64-bit words that are aligned to cache lines.
//!
//! A vector load that spans two cache lines takes twice as long.

use std::ops::{Deref, DerefMut};

pub(crate) const LINE: usize = 8;

#[derive(Debug)]
pub(crate) struct AlignedWords {
    /// Words of memory, with a few spare words so that the array can start at a cache line.
    all: Vec<u64>,
    from: usize,
    n: usize,
}

impl AlignedWords {
    pub(crate) fn zeros(n: usize) -> Self {
        let all = vec![0; n + LINE - 1];
        let from = all.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE - 1);
        Self { all, from, n }
    }

    pub(crate) fn truncate(&mut self, n: usize) {
        self.n = self.n.min(n);
    }
}

impl Deref for AlignedWords {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.all[self.from..self.from + self.n]
    }
}

impl DerefMut for AlignedWords {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.all[self.from..self.from + self.n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_a_line_and_can_be_written() {
        for n in [0, 1, 7, 8, 1000, 1 << 17] {
            let mut lines = AlignedWords::zeros(n);
            assert_eq!(lines.len(), n);
            assert!(lines.iter().all(|&word| word == 0));
            assert_eq!(lines.as_ptr() as usize % 64, 0);
            lines.fill(3);
            lines.truncate(5);
            assert_eq!(&*lines, &[3; 5][..n.min(5)]);
        }
    }
}
