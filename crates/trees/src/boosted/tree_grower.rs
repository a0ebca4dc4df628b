//! Leaf-wise growth from gradients and Hessians.
//!
//! The leaf whose split has the largest score is split next.

use crate::boosted::constraints::{BoostingConstraints, NodeConstraints};
use crate::boosted::fixed_point::{GradientCell, subtract_cells};
use crate::boosted::gradient_histogram::{GradientHistogram, KEPT_FROM, NodeSumSource, RowDerivatives};
use crate::boosted::gradient_split::{BinSplit, GainSplit, SplitSearch};
use crate::boosted::matrix::BoostedMatrix;
use crate::boosted::regularization::Regularization;
use crate::boosted::row_lists::{BinnedRowSplit, RoundRowLists};
use imbcore_core::{Result, RunContext, SeedKey, tags};
use std::ops::Range;

#[derive(Debug)]
pub(crate) struct GrownNode {
    pub(crate) sums: GradientCell,
    pub(crate) rows: [Range<usize>; 2],
    pub(crate) split: Option<GrownSplit>,
    pub(crate) reach: NodeConstraints,
}

/// Split of a node; its children have adjacent indices.
#[derive(Debug)]
pub(crate) struct GrownSplit {
    pub(crate) found: GainSplit,
    pub(crate) first_child: usize,
}

struct OpenLeaf {
    node: usize,
    depth: usize,
    histogram: Option<GradientHistogram>,
    found: GainSplit,
}

pub(crate) struct BoostedGrower<'g> {
    pub(crate) matrix: &'g BoostedMatrix,
    pub(crate) limits: &'g Regularization,
    pub(crate) rules: &'g BoostingConstraints,
    pub(crate) slopes: RowDerivatives<'g>,
    pub(crate) places: &'g [u32],
    pub(crate) key: SeedKey,
    pub(crate) ctl: RunContext<'g>,
}

impl BoostedGrower<'_> {
    /// Grows a tree from the drawn rows, which are the first of the two lists.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn grow(
        &self,
        lists: &mut RoundRowLists,
        spare: &mut Vec<GradientHistogram>,
    ) -> Result<Vec<GrownNode>> {
        let rows = [0, 1].map(|list| 0..lists.lists[list].len());
        let sums = self.slopes.sum_rows(&lists.lists[0]);
        let mut nodes = vec![GrownNode { sums, rows, split: None, reach: self.rules.root_constraints() }];
        let mut open = Vec::new();
        if self.can_split_node(&nodes[0], 0) && self.limits.max_leaves > 1 {
            let histogram = self.build_histogram(&lists.lists[0], spare)?;
            let found = self.best_split((0, &nodes[0]), lists, histogram.as_ref());
            push_open_leaf((0, 0), histogram, found, (&mut open, spare));
        }
        let mut n_leaves = 1;
        while let Some(index) = best_open_leaf(&open) {
            self.ctl.check()?;
            let OpenLeaf { node, depth, histogram, found } = open.swap_remove(index);
            self.split_leaf(node, found, &mut nodes, lists);
            n_leaves += 1;
            if n_leaves == self.limits.max_leaves {
                spare.extend(histogram);
                break;
            }
            self.search_child_splits(depth + 1, &nodes, lists, histogram, (&mut open, spare))?;
        }
        spare.extend(open.into_iter().filter_map(|open| open.histogram));
        Ok(nodes)
    }

    fn can_split_node(&self, node: &GrownNode, depth: usize) -> bool {
        let rows = self.slopes.scale.n_rows_in_cell(node.sums);
        depth < self.limits.max_depth && rows / 2 >= self.limits.min_rows && !self.places.is_empty()
    }

    fn build_histogram(
        &self,
        rows: &[u32],
        spare: &mut Vec<GradientHistogram>,
    ) -> Result<Option<GradientHistogram>> {
        if rows.len() < KEPT_FROM {
            return Ok(None);
        }
        let mut histogram = spare.pop().unwrap_or_else(|| GradientHistogram::new(self.matrix));
        histogram.fill(self.matrix, rows, self.slopes, self.ctl)?;
        Ok(Some(histogram))
    }

    fn best_split(
        &self,
        (at, node): (usize, &GrownNode),
        lists: &RoundRowLists,
        histogram: Option<&GradientHistogram>,
    ) -> Option<GainSplit> {
        let GrownNode { sums: all, reach, rows, .. } = node;
        let rows = &lists.lists[0][rows[0].clone()];
        let sums = histogram.map_or(NodeSumSource::Rows(rows, self.slopes), NodeSumSource::Kept);
        let (limits, scale, rules) = (self.limits, self.slopes.scale, self.rules);
        let key = self.key.child(tags::boosted::NOISE, at as u32);
        SplitSearch { limits, scale, all: *all, rules, reach, key }.best_split(self.matrix, self.places, sums)
    }

    fn split_leaf(
        &self,
        node: usize,
        found: GainSplit,
        nodes: &mut Vec<GrownNode>,
        lists: &mut RoundRowLists,
    ) {
        let (column, left) = (&self.matrix.columns[found.place], found.bins_going_left(self.matrix));
        let way = BinnedRowSplit { codes: &column.codes, left: &left };
        let parts = nodes[node].rows.clone();
        let middles = [0, 1].map(|list| lists.partition(list, parts[list].clone(), way, self.ctl));
        let first_child = nodes.len();
        let sums = [found.left, subtract_cells(nodes[node].sums, found.left)];
        let steps = sums.map(|sums| self.limits.leaf_value(self.slopes.scale.cell_to_float_sums(sums)));
        let is_ordered = matches!(found.cut, BinSplit::Upto(_));
        let reaches = self.rules.child_constraints(&nodes[node].reach, (column.column, is_ordered), steps);
        for (side, (sums, reach)) in sums.into_iter().zip(reaches).enumerate() {
            let part = |list: usize| {
                if side == 0 { parts[list].start..middles[list] } else { middles[list]..parts[list].end }
            };
            nodes.push(GrownNode { sums, rows: [part(0), part(1)], split: None, reach });
        }
        nodes[node].split = Some(GrownSplit { found, first_child });
    }

    /// Computes the histogram of the smaller node from its rows.
    ///
    /// The histogram of the larger node is the parent's histogram minus the rows of the smaller node. Nodes
    /// with fewer than [`KEPT_FROM`] rows have no histogram.
    fn search_child_splits(
        &self,
        depth: usize,
        nodes: &[GrownNode],
        lists: &RoundRowLists,
        histogram: Option<GradientHistogram>,
        (open, spare): (&mut Vec<OpenLeaf>, &mut Vec<GradientHistogram>),
    ) -> Result<()> {
        let last = nodes.len() - 1;
        let (small, large) = if nodes[last].rows[0].len() < nodes[last - 1].rows[0].len() {
            (last, last - 1)
        } else {
            (last - 1, last)
        };
        let (seek_small, seek_large) =
            (self.can_split_node(&nodes[small], depth), self.can_split_node(&nodes[large], depth));
        if !seek_large {
            spare.extend(histogram);
            return Ok(());
        }
        let rows = &lists.lists[0][nodes[small].rows[0].clone()];
        let of_small = self.build_histogram(rows, spare)?;
        let of_large = match histogram {
            Some(mut all) if nodes[large].rows[0].len() >= KEPT_FROM => {
                match &of_small {
                    Some(part) => all.subtract(part, self.matrix),
                    None => all.subtract_rows(self.matrix, rows, self.slopes, self.ctl)?,
                }
                Some(all)
            }
            unused => {
                spare.extend(unused);
                None
            }
        };
        let (found_small, found_large) = rayon::join(
            || {
                seek_small
                    .then(|| self.best_split((small, &nodes[small]), lists, of_small.as_ref()))
                    .flatten()
            },
            || self.best_split((large, &nodes[large]), lists, of_large.as_ref()),
        );
        push_open_leaf((small, depth), of_small, found_small, (open, spare));
        push_open_leaf((large, depth), of_large, found_large, (open, spare));
        Ok(())
    }
}

fn push_open_leaf(
    (node, depth): (usize, usize),
    histogram: Option<GradientHistogram>,
    found: Option<GainSplit>,
    (open, spare): (&mut Vec<OpenLeaf>, &mut Vec<GradientHistogram>),
) {
    match found {
        Some(found) => open.push(OpenLeaf { node, depth, histogram, found }),
        None => spare.extend(histogram),
    }
}

/// Returns the open leaf whose split has the largest score; ties go to the oldest leaf.
fn best_open_leaf(open: &[OpenLeaf]) -> Option<usize> {
    (0..open.len()).max_by(|&a, &b| {
        let (a, b) = (&open[a], &open[b]);
        a.found.score.total_cmp(&b.found.score).then(b.node.cmp(&a.node))
    })
}
