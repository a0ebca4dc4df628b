//! Partition of the rows of a node among its children by the bins of the split column.

use crate::binned::by_rows::{BinCodeLocation, RowMajorBins};
use crate::rows::partition::{partition_into_branches, partition_sides};
use crate::rows::train_column::{FlaggedRow, row_of_entry};
use crate::split::split_plan::SplitPlan;

const RIGHT: u8 = 1;

/// If no child needs its rows, no row is moved, and the children get empty slices.
pub(crate) fn partition_rows_by_bin<'o>(
    entries: &'o mut [FlaggedRow],
    (bins, codes): (&RowMajorBins, &BinCodeLocation),
    branches: &BinBranches,
    spare: &mut Vec<FlaggedRow>,
) -> Vec<&'o mut [FlaggedRow]> {
    match codes {
        &BinCodeLocation::InRow(place) => {
            // The array has a constant size, which avoids bounds checks.
            let mut flags = [0; 256];
            branches.write_right_child_flags(&mut flags);
            let flag = |row| flags[usize::from(bins.bin_code(row, place))];
            partition_rows_with_bin_fn(entries, |row| bins.bin_code(row, place).into(), flag, branches, spare)
        }
        BinCodeLocation::Separate(codes) => {
            let mut flags = vec![0; branches.of_bin.len()];
            branches.write_right_child_flags(&mut flags);
            let flag = |row: usize| flags[codes[row] as usize];
            partition_rows_with_bin_fn(entries, |row| codes[row] as usize, flag, branches, spare)
        }
    }
}

pub(crate) struct BinBranches {
    of_bin: Vec<u32>,
    n_children: usize,
    any_wanted: bool,
    more_right: bool,
}

impl BinBranches {
    pub(crate) fn new(plan: &SplitPlan, n_bins: usize, wanted: &[bool]) -> Self {
        // The list is padded to at least 256 entries, so that every byte is a valid index.
        let mut of_bin = vec![0; (n_bins + 1).max(256)];
        for (bins, branch) in plan.all_branch_ranges(n_bins + 1) {
            of_bin[bins].fill(branch as u32);
        }
        let more_right = plan.sums.len() > 1 && plan.sums[1].n_rows() > plan.sums[0].n_rows();
        Self { of_bin, n_children: wanted.len(), any_wanted: wanted.contains(&true), more_right }
    }

    fn write_right_child_flags(&self, flags: &mut [u8]) {
        for (flags, &branch) in flags.iter_mut().zip(&self.of_bin) {
            *flags = if branch == 1 { RIGHT } else { 0 };
        }
    }
}

fn partition_rows_with_bin_fn<'o>(
    entries: &'o mut [FlaggedRow],
    bin: impl Fn(usize) -> usize,
    flags: impl Fn(usize) -> u8,
    branches: &BinBranches,
    spare: &mut Vec<FlaggedRow>,
) -> Vec<&'o mut [FlaggedRow]> {
    if !branches.any_wanted {
        return std::iter::repeat_with(<&mut [FlaggedRow]>::default).take(branches.n_children).collect();
    }
    if branches.n_children > 2 {
        let branch = |row| branches.of_bin[bin(row)] as usize;
        let mut sizes = vec![0; branches.n_children];
        for &entry in &*entries {
            sizes[branch(row_of_entry(entry))] += 1;
        }
        return partition_into_branches(entries, branch, &sizes);
    }
    let (left, right) = partition_sides(entries, spare, branches.more_right, |row| usize::from(flags(row)));
    vec![left, right]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branches(of_bin: Vec<u32>, n_children: usize, any_wanted: bool) -> BinBranches {
        BinBranches { of_bin, n_children, any_wanted, more_right: false }
    }

    #[test]
    fn rows_keep_their_order_within_each_child() {
        let bins = RowMajorBins::from_column(vec![0, 2, 1, 0, 2, 1, 0]);
        let of = (&bins, &BinCodeLocation::InRow(0));
        let mut entries = [0, 1, 2, 4, 5, 6];
        let two = partition_rows_by_bin(&mut entries, of, &branches(vec![0, 1, 0], 2, true), &mut Vec::new());
        assert_eq!(two, [&[0, 1, 4, 6][..], &[2, 5][..]]);
        let mut entries = [0, 1, 2, 4, 5, 6];
        let three =
            partition_rows_by_bin(&mut entries, of, &branches(vec![2, 0, 1], 3, true), &mut Vec::new());
        assert_eq!(three, [&[2, 5][..], &[1, 4][..], &[0, 6][..]]);
    }
}
