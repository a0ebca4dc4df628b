//! What stands for the values of a column in a search that counts: their ranks, or the values themselves.

use crate::rows::entry::Entry;
use crate::split::candidate::FoundSplit;
use imbcore_base::{Result, RunCtl, Strided, radix_sort};
use std::cmp::Ordering;

/// Anchors that are passed one by one.
const NEAR: usize = 8;

/// The keys of all rows: ranks side by side, or values where they are.
pub(crate) trait Keys<K>: Copy {
    /// That of a row.
    fn of(self, row: usize) -> K;
}

impl Keys<u32> for &[u32] {
    #[inline]
    fn of(self, row: usize) -> u32 {
        self[row]
    }
}

impl Keys<f64> for Strided<'_> {
    #[inline]
    fn of(self, row: usize) -> f64 {
        self.get(row)
    }
}

/// A rank or a value; there is one for every row.
pub(crate) trait Key: Copy + Default + PartialOrd {
    /// At most any key.
    const LEAST: Self;
    /// Above every key, also if turned.
    const BEYOND: Self;

    /// The least number above.
    fn after(self) -> Self;

    /// A number that falls as this one grows.
    fn turned(self) -> Self;

    /// Which of two is larger.
    fn order(&self, other: &Self) -> Ordering;

    /// Sorts by key; equal keys may come in any order, since they are counted together.
    fn sort(rare: &mut Vec<(Self, u32)>, ctl: RunCtl<'_>) -> Result<()>;

    /// Counts rows between many `anchors` and at them, where all `counts` are 0; `first` is room.
    fn count_many(
        anchors: &mut Vec<Self>,
        first: &mut Vec<u32>,
        counts: &mut [u32],
        frequent: &[Entry],
        keys: impl Keys<Self>,
    );

    /// The rows of a key below `bound`, so many of them, against the rest.
    fn found(bound: Self, n_left: usize) -> FoundSplit;
}

impl Key for u32 {
    const LEAST: Self = 0;
    const BEYOND: Self = u32::MAX;

    fn after(self) -> Self {
        self + 1
    }

    fn turned(self) -> Self {
        u32::MAX - self
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn sort(rare: &mut Vec<(Self, u32)>, ctl: RunCtl<'_>) -> Result<()> {
        if rare.len() >= 512 {
            return radix_sort(rare, ctl);
        }
        rare.sort_unstable_by_key(|&(rank, class)| u64::from(rank) << 32 | u64::from(class));
        Ok(())
    }

    /// By a table that says where to start looking.
    fn count_many(
        anchors: &mut Vec<Self>,
        first: &mut Vec<u32>,
        counts: &mut [u32],
        frequent: &[Entry],
        ranks: impl Keys<Self>,
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
            let rank = ranks.of(entry as usize);
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

    fn found(bound: Self, _n_left: usize) -> FoundSplit {
        FoundSplit::Under(bound)
    }
}

impl Key for f64 {
    const LEAST: Self = f64::NEG_INFINITY;
    const BEYOND: Self = f64::INFINITY;

    fn after(self) -> Self {
        self.next_up()
    }

    fn turned(self) -> Self {
        -self
    }

    fn order(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
    }

    fn sort(rare: &mut Vec<(Self, u32)>, _ctl: RunCtl<'_>) -> Result<()> {
        rare.sort_unstable_by(|a, b| a.0.order(&b.0));
        Ok(())
    }

    fn count_many(
        anchors: &mut Vec<Self>,
        _first: &mut Vec<u32>,
        counts: &mut [u32],
        frequent: &[Entry],
        values: impl Keys<Self>,
    ) {
        for &entry in frequent {
            let value = values.of(entry as usize);
            let place = anchors.partition_point(|&anchor| anchor < value);
            let equal = anchors.get(place) == Some(&value);
            counts[2 * place + usize::from(equal)] += 1;
        }
    }

    fn found(bound: Self, n_left: usize) -> FoundSplit {
        FoundSplit::AtMost { bound, n_left }
    }
}
