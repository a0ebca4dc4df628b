//! Two lists of rows that are partitioned by the same splits.
//! A tree is grown from the first list; the rows of the second list are only assigned to leaves.

use imbcore_core::RunContext;
use rayon::prelude::*;
use std::ops::Range;

const SHARED: usize = 1 << 16;

pub(crate) struct RoundRowLists {
    pub(crate) lists: [Vec<u32>; 2],
    spare: Vec<u32>,
}

#[derive(Clone, Copy)]
pub(crate) struct BinnedRowSplit<'w> {
    pub(crate) codes: &'w [u8],
    pub(crate) left: &'w [bool; 256],
}

impl RoundRowLists {
    pub(crate) fn new(rows: Vec<u32>, others: Vec<u32>) -> Self {
        Self { lists: [rows, others], spare: Vec::new() }
    }

    /// Partitions stably, and returns the position of the first row that goes right.
    pub(crate) fn partition(
        &mut self,
        list: usize,
        part: Range<usize>,
        way: BinnedRowSplit<'_>,
        ctl: RunContext<'_>,
    ) -> usize {
        let rows = &mut self.lists[list][part.clone()];
        if self.spare.len() < rows.len() {
            self.spare.resize(rows.len(), 0);
        }
        let spare = &mut self.spare[..rows.len()];
        let (grain, n_threads) = (ctl.task_size(SHARED), rayon::current_num_threads());
        let n_left = if n_threads > 1 && rows.len() >= 2 * grain {
            way.partition_parallel(rows, spare, rows.len().div_ceil(n_threads).max(grain))
        } else {
            way.partition(rows, spare)
        };
        part.start + n_left
    }
}

impl BinnedRowSplit<'_> {
    fn partition(self, rows: &mut [u32], spare: &mut [u32]) -> usize {
        let (mut to_left, mut to_right) = (0, 0);
        // The loop has no conditional jump, because the side of a row is unpredictable.
        for place in 0..rows.len() {
            let row = rows[place];
            let is_left = usize::from(self.left[self.codes[row as usize] as usize]);
            rows[to_left.min(place)] = row;
            spare[to_right] = row;
            to_left += is_left;
            to_right += 1 - is_left;
        }
        rows[to_left..].copy_from_slice(&spare[..to_right]);
        to_left
    }

    fn partition_parallel(self, rows: &mut [u32], spare: &mut [u32], size: usize) -> usize {
        let pieces = rows.par_chunks_mut(size).zip(spare.par_chunks_mut(size));
        let n_left: Vec<usize> = pieces.map(|(rows, spare)| self.partition(rows, spare)).collect();
        let total = n_left.iter().sum();
        let (mut lefts, mut rights) = spare.split_at_mut(total);
        let mut copies = Vec::with_capacity(2 * n_left.len());
        for (piece, n_left) in rows.chunks(size).zip(n_left) {
            let sides = piece.split_at(n_left);
            for (side, target) in [(sides.0, &mut lefts), (sides.1, &mut rights)] {
                let (chunk, others) = std::mem::take(target).split_at_mut(side.len());
                copies.push((chunk, side));
                *target = others;
            }
        }
        copies.into_par_iter().for_each(|(target, side)| target.copy_from_slice(side));
        let pieces = rows.par_chunks_mut(size).zip(spare.par_chunks(size));
        pieces.for_each(|(rows, spare)| rows.copy_from_slice(spare));
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_partition_matches_sequential() {
        let codes: Vec<u8> = (0..5000_u32).map(|row| (row * row % 251) as u8).collect();
        let mut left = [false; 256];
        (0..256).filter(|bin| bin % 3 == 0).for_each(|bin| left[bin] = true);
        let way = BinnedRowSplit { codes: &codes, left: &left };
        let rows: Vec<u32> = (0..5000).filter(|row| row % 7 != 0).collect();
        let is_left = |row: &&u32| left[codes[**row as usize] as usize];
        let (lefts, rights): (Vec<u32>, Vec<u32>) = rows.iter().partition(is_left);
        let whole = [&lefts[..], &rights].concat();
        for size in [1, 13, 1000, 4000, 9000] {
            let (mut found, mut spare) = (rows.clone(), vec![0; rows.len()]);
            assert_eq!(way.partition_parallel(&mut found, &mut spare, size), lefts.len());
            assert_eq!(found, whole, "{size}");
        }
        let mut lists = RoundRowLists::new(vec![7; 3], rows);
        assert_eq!(lists.partition(1, 0..whole.len(), way, RunContext::silent()), lefts.len());
        assert_eq!(lists.lists[1], whole);
    }
}
