//! Bit sets of small integers (codes, row numbers), stored as 64-bit words.

use imbcore_core::{Result, memory};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    pub(crate) fn empty(n: usize) -> Self {
        Self(vec![0; n.div_ceil(64)])
    }

    pub(crate) fn full(n: usize) -> Self {
        let mut words = vec![u64::MAX; n.div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !n.is_multiple_of(64)
        {
            *last = (1 << (n % 64)) - 1;
        }
        Self(words)
    }

    pub(crate) fn from_predicate(n: usize, keep: impl Fn(usize) -> bool) -> Self {
        let mut bits = Self::empty(n);
        for at in (0..n).filter(|&at| keep(at)) {
            bits.insert(at);
        }
        bits
    }

    pub(crate) fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub(crate) fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    pub(crate) fn contains(&self, at: usize) -> bool {
        contains(&self.0, at)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(crate) fn union_with(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    pub(crate) fn intersect_with(&mut self, other: &Self) {
        self.intersect_words(&other.0);
    }

    #[inline]
    pub(crate) fn intersect_words(&mut self, other: &[u64]) {
        for (word, other) in self.0.iter_mut().zip(other) {
            *word &= other;
        }
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }

    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| word & !other == 0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        members(&self.0)
    }

    pub(crate) fn sum_weights(&self, weight: &[f64]) -> f64 {
        self.iter().map(|at| weight[at]).sum()
    }
}

#[inline]
pub(crate) fn contains(words: &[u64], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
}

#[inline]
pub(crate) fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(place, &word)| OneBitPositions(word).map(move |bit| 64 * place + bit))
}

#[derive(Clone, Debug)]
pub(crate) struct BitSetTable {
    n_words: usize,
    words: Vec<u64>,
}

impl BitSetTable {
    pub(crate) fn new(n: usize) -> Self {
        Self { n_words: n.div_ceil(64), words: Vec::new() }
    }

    /// Reserves memory for `n_sets` further sets.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn reserve(&mut self, n_sets: usize) -> Result<()> {
        memory::reserve_exact(&mut self.words, n_sets.saturating_mul(self.n_words), "sets of rows")
    }

    pub(crate) fn push(&mut self, bits: &BitSet) {
        self.words.extend_from_slice(&bits.0);
    }

    #[inline]
    pub(crate) fn set_words(&self, place: usize) -> &[u64] {
        &self.words[place * self.n_words..(place + 1) * self.n_words]
    }
}

struct OneBitPositions(u64);

impl Iterator for OneBitPositions {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted_across_words() {
        let odd = BitSet::from_predicate(130, |at| at % 2 == 1);
        let third = BitSet::from_predicate(130, |at| at % 3 == 0);
        let weight: Vec<f64> = (0..130).map(f64::from).collect();
        let expected: f64 = (0..130).filter(|at| at % 6 == 3).map(f64::from).sum();
        let mut both = odd.clone();
        both.intersect_with(&third);
        assert_eq!(both.sum_weights(&weight), expected);
        assert_eq!(odd.iter().count(), 65);
        let mut rest = third.clone();
        rest.subtract(&odd);
        assert!(rest.iter().eq((0..130).filter(|at| at % 6 == 0)));
        assert!(BitSet::from_predicate(130, |at| at % 6 == 0).is_subset(&third) && !odd.is_subset(&third));
        let mut all = odd.clone();
        all.union_with(&BitSet::from_predicate(130, |at| at % 2 == 0));
        assert_eq!(all.sum_weights(&weight), weight.iter().sum::<f64>());
        assert!(all.contains(129) && BitSet::empty(130).is_empty());
    }
}
