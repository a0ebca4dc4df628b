//! Random draws for several samplers.

use imbcore_core::{Error, Result, SeedKey, random_below, tags};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Seed key for the random draws of one class.
///
/// The key depends on the rank of the class by [`rank_classes_by_first_row`]. It does not depend on the
/// class code, so the same rows are drawn if classes are renamed.
pub(crate) fn class_seed_key(key: SeedKey, place: u32) -> SeedKey {
    key.child(tags::sampler::CLASS, place)
}

/// Rank of each class, from 0, if classes are sorted by their first rows.
///
/// Classes without rows come last.
pub(crate) fn rank_classes_by_first_row(first_rows: impl IntoIterator<Item = Option<u32>>) -> Vec<u32> {
    let firsts: Vec<u32> = first_rows.into_iter().map(|row| row.unwrap_or(u32::MAX)).collect();
    let place = |own: &u32| firsts.iter().filter(|first| *first < own).count() as u32;
    firsts.iter().map(place).collect()
}

/// Draws `k` distinct numbers below `n` in random order.
///
/// If k is small relative to n, the time is O(k log k).
pub fn draw_distinct(rng: &mut ChaCha8Rng, n: usize, k: usize) -> Vec<u32> {
    let k = k.min(n);
    if k < n / DENSE {
        return draw_few_distinct(rng, n, k);
    }
    let mut all: Vec<u32> = (0..n as u32).collect();
    for at in 0..k {
        let other = at + random_below(rng, (n - at) as u32) as usize;
        all.swap(at, other);
    }
    all.truncate(k);
    all
}

/// If at least 1 of 16 numbers is drawn, a full shuffle is faster than a sparse shuffle.
const DENSE: usize = 16;

/// Sparse Fisher-Yates shuffle for few draws, which stores only swapped positions.
fn draw_few_distinct(rng: &mut ChaCha8Rng, n: usize, k: usize) -> Vec<u32> {
    let mut moved = BTreeMap::new();
    let at_place = |moved: &BTreeMap<u32, u32>, place: u32| moved.get(&place).copied().unwrap_or(place);
    let draw = |at: u32| {
        let other = at + random_below(rng, n as u32 - at);
        let drawn = at_place(&moved, other);
        let left = at_place(&moved, at);
        moved.insert(other, left);
        drawn
    };
    (0..k as u32).map(draw).collect()
}

/// Draws `n` numbers below `bound` with replacement.
pub fn draw_with_replacement(rng: &mut ChaCha8Rng, bound: usize, n: usize) -> Vec<u32> {
    iter_with_replacement(rng, bound, n).collect()
}

/// Iterator over the numbers that [`draw_with_replacement`] draws.
pub fn iter_with_replacement(rng: &mut ChaCha8Rng, bound: usize, n: usize) -> impl Iterator<Item = u32> + '_ {
    (0..n).map(move |_| random_below(rng, bound as u32))
}

/// Checks that memory suffices for `n` added rows, and returns `n`.
pub(crate) fn checked_n_added_rows(n: u64) -> Result<usize> {
    const WHAT: &str = "added rows";
    let n = usize::try_from(n).ok().filter(|&n| n < 1 << 31);
    let n = n.ok_or(Error::Memory { bytes: usize::MAX, what: WHAT })?;
    imbcore_core::memory::check_values_fit_in_memory::<[u64; 4]>(n, WHAT)?;
    Ok(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_numbers_are_distinct() {
        let mut rng = SeedKey::root(1).rng();
        let mut drawn = draw_distinct(&mut rng, 10, 7);
        assert_eq!(drawn.len(), 7);
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 7);
        assert_eq!(draw_distinct(&mut rng, 3, 5).len(), 3);
    }

    #[test]
    fn sparse_sampling_equals_sampling_from_the_full_list() {
        for seed in 0..50 {
            let mut rng = SeedKey::root(seed).rng();
            let mut all: Vec<u32> = (0..40).collect();
            for at in 0..20 {
                let other = at + random_below(&mut rng, 40 - at as u32) as usize;
                all.swap(at, other);
            }
            assert_eq!(draw_few_distinct(&mut SeedKey::root(seed).rng(), 40, 20), all[..20]);
        }
    }
}
