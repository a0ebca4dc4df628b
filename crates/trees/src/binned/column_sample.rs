//! Sample of a numeric column from which its bin edges are computed.
//!
//! If at most [`MOST_SAMPLED`] rows have a value and a positive weight, the sample contains all of them.
//! Otherwise it contains the rows whose row numbers have the smallest hashes. Thus the sample depends only on
//! the table, not on its division into chunks. Consider the fraction of rows below a value, estimated from
//! the sample. By the Dvoretzky-Kiefer-Wolfowitz inequality (Massart 1990), the error for any value exceeds
//! 0.0027 with probability at most 5 %, and it exceeds 0.0053 with probability at most one in a million.

use crate::binned::bin_edges::BinEdges;
use crate::binned::quantiles::{SAMPLE, order_preserving_key, quantile_bin_edges};
use crate::rows::training::TrainingTable;
use imbcore_core::{Result, RunContext, SeedKey, memory, tags};
use std::borrow::Cow;

/// Seed of the row hashes. It is constant, so that the user's seed does not affect the bins.
const HASHES: SeedKey = SeedKey::root(0);

pub(crate) const MOST_SAMPLED: usize = 1 << 18;

const STRETCH: usize = 1 << 16;

/// Serialized sample: row numbers, values, largest allowed hash, whether rows were left out.
pub type SerializedSample<'s> = (Cow<'s, [u32]>, Cow<'s, [f64]>, u64, bool);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnSample {
    rows: Vec<u32>,
    values: Vec<f64>,
    /// Largest hash with which a row can be part of the sample.
    bound: u64,
    partial: bool,
    most: usize,
}

impl Default for ColumnSample {
    fn default() -> Self {
        Self::with_max_rows(MOST_SAMPLED)
    }
}

impl ColumnSample {
    fn with_max_rows(most: usize) -> Self {
        Self { rows: Vec::new(), values: Vec::new(), bound: u64::MAX, partial: false, most }
    }

    /// Adds the next rows, in ascending order; each row must have a value and a positive weight.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn add_rows(
        &mut self,
        rows: impl Iterator<Item = (u32, f64)>,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        self.add_rows_with_hash_fn(hash_row, rows, ctl)
    }

    /// Adds rows like [`Self::add_rows`], with row hashes that are already computed.
    ///
    /// # Errors
    /// Same errors as [`Self::add_rows`].
    pub(crate) fn add_rows_with_known_hashes(
        &mut self,
        hashes: &RowHashes,
        rows: impl Iterator<Item = (u32, f64)>,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        self.add_rows_with_hash_fn(|row| hashes.hashes[(row - hashes.first) as usize], rows, ctl)
    }

    fn add_rows_with_hash_fn(
        &mut self,
        hash: impl Fn(u32) -> u64,
        rows: impl Iterator<Item = (u32, f64)>,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        for (n, (row, value)) in rows.enumerate() {
            if n % STRETCH == 0 {
                ctl.check()?;
            }
            if self.bound < u64::MAX && hash(row) > self.bound {
                self.partial = true;
                continue;
            }
            memory::push(&mut self.rows, row, SAMPLE)?;
            memory::push(&mut self.values, value, SAMPLE)?;
            if self.rows.len() > self.most + self.most / 4 {
                self.keep_smallest_hashes()?;
            }
        }
        Ok(())
    }

    pub(crate) fn to_parts(&self) -> SerializedSample<'_> {
        ((&*self.rows).into(), (&*self.values).into(), self.bound, self.partial)
    }

    pub(crate) fn from_parts((rows, values, bound, partial): SerializedSample<'_>) -> Self {
        let (rows, values) = (rows.into_owned(), values.into_owned());
        Self { rows, values, bound, partial, ..Self::default() }
    }

    /// Adds the rows of a sample that was drawn from later rows of the table.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn add_later_sample(&mut self, later: &Self, ctl: RunContext<'_>) -> Result<()> {
        self.partial |= later.partial;
        self.add_rows(later.rows.iter().copied().zip(later.values.iter().copied()), ctl)
    }

    fn keep_smallest_hashes(&mut self) -> Result<()> {
        if self.rows.len() <= self.most {
            return Ok(());
        }
        let hashes = memory::collect(self.rows.iter().map(|&row| hash_row(row)), SAMPLE)?;
        let mut copied = memory::collect(hashes.iter().copied(), SAMPLE)?;
        let bound = *copied.select_nth_unstable(self.most - 1).1;
        let mut stay = hashes.iter().map(|&hash| hash <= bound);
        self.values.retain(|_| stay.next() == Some(true));
        let mut stay = hashes.iter().map(|&hash| hash <= bound);
        self.rows.retain(|_| stay.next() == Some(true));
        (self.bound, self.partial) = (bound, true);
        Ok(())
    }

    pub(crate) fn has_left_out_rows(&self) -> bool {
        self.partial || self.rows.len() > self.most
    }

    /// Computes at most `most` bins as quantiles of the sample, with the row weights of `table`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn compute_edges(
        mut self,
        table: &TrainingTable<'_>,
        most: usize,
        ctl: RunContext<'_>,
    ) -> Result<BinEdges> {
        self.keep_smallest_hashes()?;
        if table.has_equal_weights() {
            let keys = memory::collect(self.values.iter().map(|&value| order_preserving_key(value)), SAMPLE)?;
            return quantile_bin_edges(&keys, most, ctl);
        }
        let weighted = |(&row, &value): (&u32, &f64)| (order_preserving_key(value), table.weight_of(row));
        let keys = memory::collect(self.rows.iter().zip(&self.values).map(weighted), SAMPLE)?;
        quantile_bin_edges(&keys, most, ctl)
    }
}

/// Hashes of consecutive rows, computed once for all columns.
#[derive(Clone, Debug)]
pub struct RowHashes {
    pub(crate) first: u32,
    hashes: Vec<u64>,
}

impl RowHashes {
    /// Computes the hashes of `n_rows` rows starting at row `first`.
    pub fn new(first: u32, n_rows: usize) -> Self {
        Self { first, hashes: (0..n_rows as u32).map(|row| hash_row(first + row)).collect() }
    }
}

fn hash_row(row: u32) -> u64 {
    HASHES.child(tags::tree::BINS, row).random_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(most: usize, pieces: &[&[(u32, f64)]]) -> ColumnSample {
        let mut sample = ColumnSample::with_max_rows(most);
        for piece in pieces {
            sample.add_rows(piece.iter().copied(), RunContext::silent()).unwrap();
        }
        sample.keep_smallest_hashes().unwrap();
        sample
    }

    #[test]
    fn sample_does_not_depend_on_chunks() {
        let rows: Vec<(u32, f64)> = (0..5000).map(|row| (row, f64::from(row * 7 % 31))).collect();
        let whole = sample(100, &[&rows]);
        let mut hashes: Vec<u32> = (0..5000).collect();
        hashes.sort_by_key(|&row| hash_row(row));
        hashes.truncate(100);
        hashes.sort_unstable();
        assert_eq!(whole.rows, hashes);
        assert!(
            whole.has_left_out_rows()
                && whole.values.iter().zip(&hashes).all(|(v, r)| *v == f64::from(r * 7 % 31))
        );
        let mut hashed = ColumnSample::with_max_rows(100);
        for part in rows.chunks(99) {
            let hashes = RowHashes::new(part[0].0, part.len());
            hashed.add_rows_with_known_hashes(&hashes, part.iter().copied(), RunContext::silent()).unwrap();
        }
        hashed.keep_smallest_hashes().unwrap();
        assert_eq!((hashed.rows, hashed.values), (whole.rows.clone(), whole.values.clone()));
        for size in [1, 99, 126, 1000, 4999] {
            assert_eq!(sample(100, &rows.chunks(size).collect::<Vec<_>>()).rows, whole.rows, "{size}");
        }
    }

    #[test]
    fn short_column_is_sampled_completely() {
        let rows: Vec<(u32, f64)> = (0..100).map(|row| (3 * row, f64::from(row))).collect();
        let all = sample(100, &[&rows]);
        assert!(!all.has_left_out_rows() && all.rows.len() == 100);
        assert!(sample(99, &[&rows]).has_left_out_rows());
    }

    #[test]
    fn rows_are_drawn_evenly() {
        let rows: Vec<(u32, f64)> = (0..100_000).map(|row| (row, 0.0)).collect();
        let drawn = sample(20_000, &[&rows]).rows;
        for step in [2, 7, 50] {
            let expected = 20_000.0 / f64::from(step);
            let found = drawn.iter().filter(|&&row| row % step == 0).count() as f64;
            assert!((found - expected).abs() < 6.0 * expected.sqrt(), "{step}: {found}");
        }
    }
}
