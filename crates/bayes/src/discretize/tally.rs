//! How many rows of each class have each value: all that cuts are learnt from, and it adds up over pieces of the rows.
//!
//! Values lie in buckets by the top bits of their keys, so that a merge moves a small part of them only: memory is some 20 bytes
//! a distinct value and class, however many rows there are.

use super::profile::STRETCH;
use imbcore_base::{Result, RunCtl, float_key, key_float, memory};

/// Bits of a key that choose a bucket.
const BITS: u32 = 16;
/// New rows that a bucket takes before it is put in order for the first time.
const FRESH: usize = 256;

/// Rows by value and class.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// Bucket of every leading part of a key; none has the number beyond the last.
    places: Vec<u32>,
    buckets: Vec<Bucket>,
}

#[derive(Clone, Debug, Default)]
struct Bucket {
    /// Key, class and rows; ascending, no pair twice.
    counted: Vec<(u64, u32, u32)>,
    /// Key and class of rows that are not counted yet.
    fresh: Vec<(u64, u32)>,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self { places: vec![u32::MAX; 1 << BITS], buckets: Vec::new() }
    }

    /// Counts rows; those without a value have none to count.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Memory`], [`imbcore_base::Error::Cancelled`].
    pub(super) fn add(&mut self, rows: impl Iterator<Item = (f64, u32)>, ctl: RunCtl<'_>) -> Result<()> {
        for (at, (value, class)) in rows.enumerate() {
            if at % STRETCH == 0 {
                ctl.check()?;
            }
            if !value.is_nan() {
                let key = float_key(value);
                self.bucket(key).push(key, class)?;
            }
        }
        Ok(())
    }

    fn bucket(&mut self, key: u64) -> &mut Bucket {
        let place = &mut self.places[(key >> (u64::BITS - BITS)) as usize];
        if *place == u32::MAX {
            *place = self.buckets.len() as u32;
            self.buckets.push(Bucket::default());
        }
        &mut self.buckets[*place as usize]
    }

    /// Value, class and number of rows, ascending by value and class.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Memory`].
    pub(super) fn sorted(mut self) -> Result<impl Iterator<Item = (u64, u32, f64)>> {
        self.buckets.iter_mut().try_for_each(Bucket::settle)?;
        let Self { places, mut buckets } = self;
        let ordered = places.into_iter().filter(|&place| place != u32::MAX);
        let lists = ordered.map(move |place| std::mem::take(&mut buckets[place as usize].counted));
        Ok(lists.flatten().map(|(key, class, rows)| (key, class, f64::from(rows))))
    }
}

impl Bucket {
    fn push(&mut self, key: u64, class: u32) -> Result<()> {
        memory::push(&mut self.fresh, (key, class), "values of a column")?;
        if self.fresh.len() < FRESH.max(self.counted.len() / 4) {
            return Ok(());
        }
        self.settle()
    }

    /// Puts new rows among those that are counted.
    fn settle(&mut self) -> Result<()> {
        self.fresh.sort_unstable();
        let distinct = self.fresh.chunk_by(|a, b| a == b).count();
        let room = self.counted.len() + distinct;
        let mut merged = memory::reserved(room, "values of a column")?;
        let mut known = std::mem::take(&mut self.counted).into_iter().peekable();
        for run in self.fresh.chunk_by(|a, b| a == b) {
            let (key, class) = run[0];
            while let Some(lower) = known.next_if(|&(k, c, _)| (k, c) < (key, class)) {
                merged.push(lower);
            }
            let before = known.next_if(|&(k, c, _)| (k, c) == (key, class)).map_or(0, |(_, _, rows)| rows);
            merged.push((key, class, before + run.len() as u32));
        }
        merged.extend(known);
        self.fresh.clear();
        self.counted = merged;
        Ok(())
    }
}

/// The same rows with values in place of keys.
pub(super) fn valued(sorted: impl Iterator<Item = (u64, u32, f64)>) -> impl Iterator<Item = (f64, u32, f64)> {
    sorted.map(|(key, class, rows)| (key_float(key), class, rows))
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
            let mut tally = Tally::new();
            for part in rows.chunks(piece) {
                tally.add(part.iter().copied(), RunCtl::silent()).unwrap();
            }
            assert_eq!(tally.sorted().unwrap().collect::<Vec<_>>(), expected);
        }
    }
}
