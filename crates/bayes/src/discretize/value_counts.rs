//! Numbers of rows by value and class.
//!
//! The counts can be updated batch by batch, and are sufficient to learn cut points. A key is an integer that
//! sorts like the value. Values are in buckets by the top bits of their keys, so that merging new rows moves
//! only the values of one bucket. Memory is about 15 bytes per distinct pair of value and class, independent
//! of the number of rows.

use super::value_profile::STRETCH;
use imbcore_core::{Result, RunContext, float_from_key, float_key, memory};

/// Number of highest bits of an integer key by which keys are distributed to buckets.
///
/// All keys of a bucket have equal highest bits, so the bucket stores the class code in their place.
const BITS: u32 = 16;
const LOW: u64 = (1 << BITS) - 1;
const VALUES: &str = "values of a column";
const FRESH: usize = 256;

#[derive(Clone, Debug)]
pub(super) struct ValueCounts {
    /// For each value of the highest key bits, the index of its bucket; `u32::MAX` if none.
    places: Vec<u32>,
    buckets: Vec<Bucket>,
}

/// Row counts of all values whose integer keys have the same highest bits.
///
/// The remaining bits of the key and the class form one number, called a pair. The key is the upper part, so
/// sorting pairs sorts by value, then by class.
#[derive(Clone, Debug, Default)]
struct Bucket {
    pairs: Vec<u64>,
    rows: Vec<u32>,
    fresh: Vec<u64>,
}

impl ValueCounts {
    pub(super) fn new() -> Self {
        Self { places: vec![u32::MAX; 1 << BITS], buckets: Vec::new() }
    }

    pub(super) fn can_store_classes(n_classes: usize) -> bool {
        n_classes <= 1 << BITS
    }

    /// Counts rows; NaN is skipped.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(super) fn add(&mut self, rows: impl Iterator<Item = (f64, u32)>, ctl: RunContext<'_>) -> Result<()> {
        for (at, (value, class)) in rows.enumerate() {
            if at % STRETCH == 0 {
                ctl.check()?;
            }
            if !value.is_nan() {
                let key = float_key(value);
                self.bucket_of_key(key).push(key, class)?;
            }
        }
        Ok(())
    }

    fn bucket_of_key(&mut self, key: u64) -> &mut Bucket {
        let place = &mut self.places[(key >> (u64::BITS - BITS)) as usize];
        if *place == u32::MAX {
            *place = self.buckets.len() as u32;
            self.buckets.push(Bucket::default());
        }
        &mut self.buckets[*place as usize]
    }

    /// Triples (key of the value, class, number of rows), ascending by value, then class.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(super) fn sorted_counts(mut self) -> Result<impl Iterator<Item = (u64, u32, f64)>> {
        self.buckets.iter_mut().try_for_each(Bucket::merge_new_rows)?;
        let Self { places, mut buckets } = self;
        let ordered = (0_u64..).zip(places).filter(|&(_, place)| place != u32::MAX);
        let lists = ordered.map(move |(top, place)| (top, std::mem::take(&mut buckets[place as usize])));
        Ok(lists.flat_map(|(top, Bucket { pairs, rows, .. })| {
            let whole = move |pair: u64| (top << (u64::BITS - BITS) | pair >> BITS, (pair & LOW) as u32);
            let counted = pairs.into_iter().zip(rows);
            counted.map(move |(pair, rows)| (whole(pair).0, whole(pair).1, f64::from(rows)))
        }))
    }
}

impl Bucket {
    fn push(&mut self, key: u64, class: u32) -> Result<()> {
        memory::push(&mut self.fresh, key << BITS | u64::from(class), VALUES)?;
        if self.fresh.len() < FRESH.max(self.pairs.len() / 4) {
            return Ok(());
        }
        self.merge_new_rows()
    }

    fn merge_new_rows(&mut self) -> Result<()> {
        self.fresh.sort_unstable();
        let distinct = self.fresh.chunk_by(|a, b| a == b).count();
        let room = self.pairs.len() + distinct;
        let (mut pairs, mut rows) =
            (memory::try_with_capacity(room, VALUES)?, memory::try_with_capacity(room, VALUES)?);
        let mut known = self.pairs.iter().copied().zip(self.rows.iter().copied()).peekable();
        for run in self.fresh.chunk_by(|a, b| a == b) {
            while let Some((lower, before)) = known.next_if(|&(pair, _)| pair < run[0]) {
                pairs.push(lower);
                rows.push(before);
            }
            let before = known.next_if(|&(pair, _)| pair == run[0]).map_or(0, |(_, rows)| rows);
            pairs.push(run[0]);
            rows.push(before + run.len() as u32);
        }
        for (higher, before) in known {
            pairs.push(higher);
            rows.push(before);
        }
        self.fresh.clear();
        (self.pairs, self.rows) = (pairs, rows);
        Ok(())
    }
}

pub(super) fn keys_to_values(
    sorted: impl Iterator<Item = (u64, u32, f64)>,
) -> impl Iterator<Item = (f64, u32, f64)> {
    sorted.map(|(key, class, rows)| (float_from_key(key), class, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_whatever_their_order_and_cuts() {
        let rows: Vec<(f64, u32)> = (0..20_000_u32)
            .map(|i| i.wrapping_mul(2_654_435_761) >> 7)
            .map(|noise| (f64::from(noise % 3001) / 7.0 - 100.0, u32::from(noise % 11 == 0)))
            .chain([(-0.0, 0), (0.0, 0), (f64::NAN, 1), (f64::MAX, 1), (-1e-300, 0)])
            .collect();
        let mut expected = std::collections::BTreeMap::new();
        for &(value, class) in rows.iter().filter(|(value, _)| !value.is_nan()) {
            *expected.entry((float_key(value), class)).or_insert(0.0) += 1.0;
        }
        let expected: Vec<_> = expected.into_iter().map(|((key, class), rows)| (key, class, rows)).collect();
        for piece in [1, 17, 1000, rows.len()] {
            let mut tally = ValueCounts::new();
            for part in rows.chunks(piece) {
                tally.add(part.iter().copied(), RunContext::silent()).unwrap();
            }
            assert_eq!(tally.sorted_counts().unwrap().collect::<Vec<_>>(), expected);
        }
    }
}
