//! Keys by which rows are sorted and counted in the search for splits: ranks or values.

use crate::rows::train_column::FlaggedRow;
use crate::split::split_candidate::ColumnSplit;
use imbcore_core::{Result, RunContext, Strided, radix_sort};
use std::cmp::Ordering;

/// Maximum number of anchors that are searched linearly.
const NEAR: usize = 8;

pub(crate) trait ScanKeys<K>: Copy {
    fn key_of_row(self, row: usize) -> K;
}

impl ScanKeys<u32> for &[u32] {
    #[inline]
    fn key_of_row(self, row: usize) -> u32 {
        self[row]
    }
}

impl ScanKeys<f64> for Strided<'_> {
    #[inline]
    fn key_of_row(self, row: usize) -> f64 {
        Strided::get(&self, row)
    }
}

pub(crate) trait ScanKey: Copy + Default + PartialOrd {
    const LEAST: Self;
    /// Key above the key of every row; a reversed key is at most this key.
    const BEYOND: Self;

    /// Returns the smallest key above this key.
    fn next_key(self) -> Self;

    fn reverse_order(self) -> Self;

    fn compare(&self, other: &Self) -> Ordering;

    /// Sorts by key; equal keys may be in any order, because their rows are counted together.
    fn sort_by_key(rare: &mut Vec<(Self, u32)>, ctl: RunContext<'_>) -> Result<()>;

    /// `counts` must be filled with zeros.
    ///
    /// `first` is a buffer, whose old content is not used.
    fn count_rows_by_anchor(
        anchors: &mut Vec<Self>,
        first: &mut Vec<u32>,
        counts: &mut [u32],
        frequent: &[FlaggedRow],
        keys: impl ScanKeys<Self>,
    );

    fn split_below_key(bound: Self, n_left: usize) -> ColumnSplit;
}

impl ScanKey for u32 {
    const LEAST: Self = 0;
    const BEYOND: Self = u32::MAX;

    fn next_key(self) -> Self {
        self + 1
    }

    fn reverse_order(self) -> Self {
        u32::MAX - self
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn sort_by_key(rare: &mut Vec<(Self, u32)>, ctl: RunContext<'_>) -> Result<()> {
        if rare.len() >= 512 {
            return radix_sort(rare, ctl);
        }
        rare.sort_unstable_by_key(|&(rank, class)| u64::from(rank) << 32 | u64::from(class));
        Ok(())
    }

    /// Locates each rank by a lookup table, which has the first anchor of each range of ranks.
    fn count_rows_by_anchor(
        anchors: &mut Vec<Self>,
        first: &mut Vec<u32>,
        counts: &mut [u32],
        frequent: &[FlaggedRow],
        ranks: impl ScanKeys<Self>,
    ) {
        let (lowest, highest) = (anchors[0], anchors[anchors.len() - 1]);
        let slots = (4 * anchors.len()).next_power_of_two();
        let mut shift = 0;
        while (highest - lowest) as usize >> shift >= slots {
            shift += 1;
        }
        let last = (highest - lowest) >> shift;
        first.clear();
        for (place, &anchor) in anchors.iter().enumerate() {
            first.resize(((anchor - lowest) >> shift) as usize + 1, place as u32);
        }
        first.push(anchors.len() as u32);
        anchors.push(u32::MAX);
        for &entry in frequent {
            let rank = ranks.key_of_row(entry as usize);
            let slot = (rank.saturating_sub(lowest) >> shift).min(last) as usize;
            let (mut place, end) = (first[slot] as usize, first[slot + 1] as usize);
            if end - place > NEAR {
                place += anchors[place..end].partition_point(|&anchor| anchor < rank);
            } else {
                while anchors[place] < rank {
                    place += 1;
                }
            }
            counts[2 * place + usize::from(anchors[place] == rank)] += 1;
        }
        anchors.pop();
    }

    fn split_below_key(bound: Self, _n_left: usize) -> ColumnSplit {
        ColumnSplit::RankBelow(bound)
    }
}

impl ScanKey for f64 {
    const LEAST: Self = f64::NEG_INFINITY;
    const BEYOND: Self = f64::INFINITY;

    fn next_key(self) -> Self {
        self.next_up()
    }

    fn reverse_order(self) -> Self {
        -self
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
    }

    fn sort_by_key(rare: &mut Vec<(Self, u32)>, _ctl: RunContext<'_>) -> Result<()> {
        rare.sort_unstable_by(|a, b| a.0.compare(&b.0));
        Ok(())
    }

    fn count_rows_by_anchor(
        anchors: &mut Vec<Self>,
        _first: &mut Vec<u32>,
        counts: &mut [u32],
        frequent: &[FlaggedRow],
        values: impl ScanKeys<Self>,
    ) {
        for &entry in frequent {
            let value = values.key_of_row(entry as usize);
            let place = anchors.partition_point(|&anchor| anchor < value);
            let equal = anchors.get(place) == Some(&value);
            counts[2 * place + usize::from(equal)] += 1;
        }
    }

    fn split_below_key(bound: Self, n_left: usize) -> ColumnSplit {
        ColumnSplit::ValueAtMost { bound, n_left }
    }
}
