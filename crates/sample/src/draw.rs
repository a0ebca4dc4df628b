//! Random choices of samplers.

use imbcore_base::{Error, Result, SeedKey, below, tags};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// The key of one class, below which stands a stream for each use: by its place among the classes in the order of their first
/// rows ([`places`]), not by its code, so that other names for the classes give the same rows.
pub(crate) fn of_class(key: SeedKey, place: u32) -> SeedKey {
    key.child(tags::sampler::CLASS, place)
}

/// Place of each class in the order of their first rows; classes without rows come last.
pub fn places(first_rows: impl IntoIterator<Item = Option<u32>>) -> Vec<u32> {
    let firsts: Vec<u32> = first_rows.into_iter().map(|row| row.unwrap_or(u32::MAX)).collect();
    let place = |own: &u32| firsts.iter().filter(|first| *first < own).count() as u32;
    firsts.iter().map(place).collect()
}

/// `k` different numbers below `n` in random order; the cost is that of `k`, not of `n`.
pub fn distinct(rng: &mut ChaCha8Rng, n: usize, k: usize) -> Vec<u32> {
    let k = k.min(n);
    if k < n / DENSE {
        return few_distinct(rng, n, k);
    }
    let mut all: Vec<u32> = (0..n as u32).collect();
    for at in 0..k {
        let other = at + below(rng, (n - at) as u32) as usize;
        all.swap(at, other);
    }
    all.truncate(k);
    all
}

/// One number in so many is many: then a list of all costs less than to look moved ones up.
const DENSE: usize = 16;

/// The same, where only the numbers that are not in their places are kept.
fn few_distinct(rng: &mut ChaCha8Rng, n: usize, k: usize) -> Vec<u32> {
    let mut moved = BTreeMap::new();
    let at_place = |moved: &BTreeMap<u32, u32>, place: u32| moved.get(&place).copied().unwrap_or(place);
    let draw = |at: u32| {
        let other = at + below(rng, n as u32 - at);
        let drawn = at_place(&moved, other);
        let left = at_place(&moved, at);
        moved.insert(other, left);
        drawn
    };
    (0..k as u32).map(draw).collect()
}

/// `n` numbers below `bound`, each drawn from all.
pub fn repeated(rng: &mut ChaCha8Rng, bound: usize, n: usize) -> Vec<u32> {
    repeatedly(rng, bound, n).collect()
}

/// The same numbers, one after the other.
pub fn repeatedly(rng: &mut ChaCha8Rng, bound: usize, n: usize) -> impl Iterator<Item = u32> + '_ {
    (0..n).map(move |_| below(rng, bound as u32))
}

/// A number of rows to make, where memory can hold so many.
///
/// # Errors
/// [`Error::Memory`].
pub(crate) fn rows(n: u64) -> Result<usize> {
    const WHAT: &str = "added rows";
    let n = usize::try_from(n).ok().filter(|&n| n < 1 << 31);
    let n = n.ok_or(Error::Memory { bytes: usize::MAX, what: WHAT })?;
    imbcore_base::memory::room_for::<[u64; 4]>(n, WHAT)?;
    Ok(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_numbers_are_distinct() {
        let mut rng = SeedKey::root(1).rng();
        let mut drawn = distinct(&mut rng, 10, 7);
        assert_eq!(drawn.len(), 7);
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 7);
        assert_eq!(distinct(&mut rng, 3, 5).len(), 3);
    }

    #[test]
    fn few_of_many_are_those_that_the_list_of_all_gives() {
        for seed in 0..50 {
            let mut rng = SeedKey::root(seed).rng();
            let mut all: Vec<u32> = (0..40).collect();
            for at in 0..20 {
                let other = at + below(&mut rng, 40 - at as u32) as usize;
                all.swap(at, other);
            }
            assert_eq!(few_distinct(&mut SeedKey::root(seed).rng(), 40, 20), all[..20]);
        }
    }
}
