//! The rows of a node on their way to its children, and the values next to the cut.

use crate::binned::bins::Codes;
use crate::binned::count::BinTable;
use crate::rows::divide::{both_sides, cut_up};
use crate::rows::entry::{Entry, row_of};
use crate::split::candidate::FoundSplit;
use crate::split::candidate::Split;
use crate::split::plan::SplitPlan;
use imbcore_base::midpoint;

/// The bins on both sides of a cut, and the values of the node's rows next to it.
pub(crate) struct Edge<'v> {
    values: &'v [f64],
    /// The last bin below the cut and the first above it that hold rows.
    bins: [usize; 2],
    /// Largest value below the cut and smallest above it, among the rows seen so far.
    lower: f64,
    upper: f64,
}

impl<'v> Edge<'v> {
    /// The edge of a numeric cut; none for other splits. `values` are those of the column.
    pub(crate) fn new(split: &Split, values: &'v [f64], table: &BinTable, n_bins: usize) -> Option<Self> {
        let FoundSplit::Below(place) = split.found else { return None };
        let below = (0..place).rfind(|&bin| table.holds(bin))?;
        let above = (place..n_bins).find(|&bin| table.holds(bin))?;
        Some(Self { values, bins: [below, above], lower: f64::NEG_INFINITY, upper: f64::INFINITY })
    }

    /// Looks at a row and its bin; no bin between the two holds rows of the node.
    #[inline]
    fn see(&mut self, row: usize, bin: usize) {
        let [below, above] = self.bins;
        if bin.wrapping_sub(below) <= above - below {
            self.note(row, bin == below);
        }
    }

    #[cold]
    fn note(&mut self, row: usize, is_below: bool) {
        let value = self.values[row];
        if is_below {
            self.lower = self.lower.max(value);
        } else {
            self.upper = self.upper.min(value);
        }
    }

    /// Half way between the values next to the cut, of which every row must have been seen.
    pub(crate) fn threshold(&self) -> f64 {
        midpoint(self.lower, self.upper)
    }
}

/// Divides the rows of a node among its children, stably and in place, and shows every row to `edge`.
///
/// `branches` holds the child of every bin. Where no child is wanted the rows stay, and the children get none.
pub(crate) fn divide<'o>(
    entries: &'o mut [Entry],
    codes: &Codes,
    branches: &Branches,
    edge: Option<&mut Edge<'_>>,
    spare: &mut Vec<Entry>,
) -> Vec<&'o mut [Entry]> {
    match codes {
        Codes::Narrow(bins) => divide_by(entries, |row| bins[row] as usize, branches, edge, spare),
        Codes::Wide(bins) => divide_by(entries, |row| bins[row] as usize, branches, edge, spare),
    }
}

/// The child that the rows of each bin go to.
pub(crate) struct Branches {
    of_bin: Vec<u32>,
    n_children: usize,
    any_wanted: bool,
}

impl Branches {
    pub(crate) fn new(plan: &SplitPlan, n_bins: usize, wanted: &[bool]) -> Self {
        // Padded, so that every byte has a place in it.
        let mut of_bin = vec![0; (n_bins + 1).max(256)];
        for (bins, branch) in plan.all_runs(n_bins + 1) {
            of_bin[bins].fill(branch as u32);
        }
        Self { of_bin, n_children: wanted.len(), any_wanted: wanted.contains(&true) }
    }
}

fn divide_by<'o>(
    entries: &'o mut [Entry],
    bin: impl Fn(usize) -> usize,
    branches: &Branches,
    edge: Option<&mut Edge<'_>>,
    spare: &mut Vec<Entry>,
) -> Vec<&'o mut [Entry]> {
    let of_bin = &*branches.of_bin;
    if !branches.any_wanted {
        if let Some(edge) = edge {
            for &entry in &*entries {
                edge.see(row_of(entry), bin(row_of(entry)));
            }
        }
        return std::iter::repeat_with(<&mut [Entry]>::default).take(branches.n_children).collect();
    }
    if branches.n_children > 2 {
        let branch = |row| of_bin[bin(row)] as usize;
        let mut sizes = vec![0; branches.n_children];
        for &entry in &*entries {
            sizes[branch(row_of(entry))] += 1;
        }
        return cut_up(entries, branch, &sizes);
    }
    let (left, right) = match edge {
        Some(edge) => both_sides(entries, spare, |row| {
            let bin = bin(row);
            edge.see(row, bin);
            of_bin[bin] as usize
        }),
        None => both_sides(entries, spare, |row| of_bin[bin(row)] as usize),
    };
    vec![left, right]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branches(of_bin: Vec<u32>, n_children: usize, any_wanted: bool) -> Branches {
        Branches { of_bin, n_children, any_wanted }
    }

    #[test]
    fn an_edge_finds_its_neighbours_in_the_node_only() {
        let values = [0.1, 0.2, 0.3, 5.0, 5.5, 9.0];
        let codes = Codes::Narrow(vec![0, 0, 0, 2, 2, 3]);
        let edge = || Edge { values: &values, bins: [0, 2], lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        for any_wanted in [true, false] {
            let mut seen = edge();
            // Row 2, the largest of bin 0, and row 3, the smallest of bin 2, are in other nodes.
            let mut entries = [0, 1, 4, 5];
            let branches = branches(vec![0, 0, 1, 1], 2, any_wanted);
            let parts = divide(&mut entries, &codes, &branches, Some(&mut seen), &mut Vec::new());
            assert_eq!(parts.len(), 2);
            assert_eq!(seen.threshold(), 0.2 + (5.5 - 0.2) / 2.0);
        }
    }

    #[test]
    fn rows_keep_their_order_within_each_child() {
        let codes = Codes::Narrow(vec![0, 2, 1, 0, 2, 1, 0]);
        let mut entries = [0, 1, 2, 4, 5, 6];
        let two = divide(&mut entries, &codes, &branches(vec![0, 1, 0], 2, true), None, &mut Vec::new());
        assert_eq!(two, [&[0, 1, 4, 6][..], &[2, 5][..]]);
        let mut entries = [0, 1, 2, 4, 5, 6];
        let three = divide(&mut entries, &codes, &branches(vec![2, 0, 1], 3, true), None, &mut Vec::new());
        // Here the rows of bins 1, 2 and 0 go to children 0, 1 and 2.
        assert_eq!(three, [&[2, 5][..], &[1, 4][..], &[0, 6][..]]);
    }
}
