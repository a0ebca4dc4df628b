//! The rows of a node on their way to its children, and the values next to the cut.

use crate::binned::by_rows::{RowBins, RowCodes, RowColumn};
use crate::binned::count::BinTable;
use crate::rows::divide::{both_sides, cut_up};
use crate::rows::entry::{Entry, row_of};
use crate::split::candidate::FoundSplit;
use crate::split::candidate::Split;
use crate::split::plan::SplitPlan;
use imbcore_base::midpoint;

/// The bins on both sides of a cut, and the rows of the node that are in them.
pub(crate) struct Edge<'v> {
    values: &'v [f64],
    /// The last bin below the cut and the first above it that hold rows.
    bins: [usize; 2],
    /// Largest value below the cut and smallest above it, where each of the bins holds one value; none where rows decide.
    known: Option<[f64; 2]>,
    /// Rows in these bins, so many of them, marked where they lie above the cut.
    near: &'v mut Vec<u32>,
    n_near: usize,
}

/// Marks a row above the cut.
const ABOVE: u32 = 1 << 31;

/// Flags of a bin: that its rows go right, and that they are next to the cut.
const RIGHT: u8 = 1;
const NEAR: u8 = 2;

impl<'v> Edge<'v> {
    /// The edge of a numeric cut; none for other splits. `values` are those of the column, and `near` is room for as many rows
    /// as the node has.
    pub(crate) fn new(
        split: &Split,
        (values, column): (&'v [f64], &RowColumn),
        table: &BinTable,
        near: &'v mut Vec<u32>,
    ) -> Option<Self> {
        let FoundSplit::Below(place) = split.found else { return None };
        let edges = column.edges.as_ref()?;
        let below = (0..place).rfind(|&bin| table.holds(bin))?;
        let above = (place..column.n_bins).find(|&bin| table.holds(bin))?;
        let is_one = |bin: usize| edges.low[bin] == edges.high[bin];
        let known = (is_one(below) && is_one(above)).then(|| [edges.high[below], edges.low[above]]);
        Some(Self { values, bins: [below, above], known, near, n_near: 0 })
    }

    /// Whether the rows decide.
    pub(crate) fn asks(&self) -> bool {
        self.known.is_none()
    }

    /// Makes room for so many rows.
    fn reserve(&mut self, n_rows: usize) {
        if self.near.len() < n_rows {
            self.near.resize(n_rows, 0);
        }
    }

    /// Looks at a row of a bin with these flags. Values are read afterwards, so that no row waits for that of another.
    #[inline]
    fn see(&mut self, row: usize, flags: u8) {
        self.near[self.n_near] = row as u32 | u32::from(flags & RIGHT) << 31;
        self.n_near += usize::from(flags / NEAR);
    }

    /// Half way between the values next to the cut, of which every row must have been seen.
    pub(crate) fn threshold(&self) -> f64 {
        let [mut lower, mut upper] = self.known.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        for &row in &self.near[..self.n_near] {
            let value = self.values[(row & !ABOVE) as usize];
            if row & ABOVE == 0 {
                lower = lower.max(value);
            } else {
                upper = upper.min(value);
            }
        }
        midpoint(lower, upper)
    }
}

/// Divides the rows of a node among its children, stably and in place, and shows every row to `edge`.
///
/// `branches` holds the child of every bin. Where no child is wanted the rows stay, and the children get none.
pub(crate) fn divide<'o>(
    entries: &'o mut [Entry],
    (bins, codes): (&RowBins, &RowCodes),
    branches: &Branches,
    edge: Option<&mut Edge<'_>>,
    spare: &mut Vec<Entry>,
) -> Vec<&'o mut [Entry]> {
    match codes {
        &RowCodes::Narrow(place) => {
            // Of fixed size, so that a byte lies inside without a test.
            let mut flags = [0; 256];
            branches.flag(edge.as_deref(), &mut flags);
            let of_row = |row| flags[usize::from(bins.at(row, place))];
            divide_by(entries, |row| bins.at(row, place).into(), of_row, branches, edge, spare)
        }
        RowCodes::Wide(codes) => {
            let mut flags = vec![0; branches.of_bin.len()];
            branches.flag(edge.as_deref(), &mut flags);
            let of_row = |row: usize| flags[codes[row] as usize];
            divide_by(entries, |row| codes[row] as usize, of_row, branches, edge, spare)
        }
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

    /// Flags of the bins where there are two children.
    fn flag(&self, edge: Option<&Edge<'_>>, flags: &mut [u8]) {
        for (flags, &branch) in flags.iter_mut().zip(&self.of_bin) {
            *flags = if branch == 1 { RIGHT } else { 0 };
        }
        for bin in edge.into_iter().flat_map(|edge| edge.bins) {
            flags[bin] |= NEAR;
        }
    }
}

fn divide_by<'o>(
    entries: &'o mut [Entry],
    bin: impl Fn(usize) -> usize,
    flags: impl Fn(usize) -> u8,
    branches: &Branches,
    mut edge: Option<&mut Edge<'_>>,
    spare: &mut Vec<Entry>,
) -> Vec<&'o mut [Entry]> {
    if let Some(edge) = &mut edge {
        edge.reserve(entries.len());
    }
    if !branches.any_wanted {
        if let Some(edge) = edge {
            for &entry in &*entries {
                edge.see(row_of(entry), flags(row_of(entry)));
            }
        }
        return std::iter::repeat_with(<&mut [Entry]>::default).take(branches.n_children).collect();
    }
    if branches.n_children > 2 {
        let branch = |row| branches.of_bin[bin(row)] as usize;
        let mut sizes = vec![0; branches.n_children];
        for &entry in &*entries {
            sizes[branch(row_of(entry))] += 1;
        }
        return cut_up(entries, branch, &sizes);
    }
    let (left, right) = match edge {
        Some(edge) => both_sides(entries, spare, |row| {
            let flags = flags(row);
            edge.see(row, flags);
            usize::from(flags & RIGHT)
        }),
        None => both_sides(entries, spare, |row| usize::from(flags(row) & RIGHT)),
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
        let bins = RowBins::of_one(vec![0, 0, 0, 2, 2, 3]);
        for any_wanted in [true, false] {
            let mut near = Vec::new();
            let mut seen = Edge { values: &values, bins: [0, 2], known: None, near: &mut near, n_near: 0 };
            // Row 2, the largest of bin 0, and row 3, the smallest of bin 2, are in other nodes.
            let mut entries = [0, 1, 4, 5];
            let branches = branches(vec![0, 0, 1, 1], 2, any_wanted);
            let of = (&bins, &RowCodes::Narrow(0));
            let parts = divide(&mut entries, of, &branches, Some(&mut seen), &mut Vec::new());
            assert_eq!(parts.len(), 2);
            assert_eq!(seen.threshold(), 0.2 + (5.5 - 0.2) / 2.0);
        }
    }

    #[test]
    fn rows_keep_their_order_within_each_child() {
        let bins = RowBins::of_one(vec![0, 2, 1, 0, 2, 1, 0]);
        let of = (&bins, &RowCodes::Narrow(0));
        let mut entries = [0, 1, 2, 4, 5, 6];
        let two = divide(&mut entries, of, &branches(vec![0, 1, 0], 2, true), None, &mut Vec::new());
        assert_eq!(two, [&[0, 1, 4, 6][..], &[2, 5][..]]);
        let mut entries = [0, 1, 2, 4, 5, 6];
        let three = divide(&mut entries, of, &branches(vec![2, 0, 1], 3, true), None, &mut Vec::new());
        // Here the rows of bins 1, 2 and 0 go to children 0, 1 and 2.
        assert_eq!(three, [&[2, 5][..], &[1, 4][..], &[0, 6][..]]);
    }
}
