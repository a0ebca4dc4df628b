//! Cooperative game of a tree: output of the tree if only some columns are in the coalition.

use crate::prediction::tree_traversal::branch_of_row;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Column, Frame, Result, RunContext};

#[derive(Clone, Copy)]
pub(crate) struct RowRef<'a> {
    pub(crate) columns: &'a [Column<'a>],
    pub(crate) row: usize,
}

pub(crate) struct TreeShapContext<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) values: Vec<f64>,
    fraction: bool,
    /// Background rows, whose values replace columns outside the coalition.
    /// Without background rows, a split on such a column sends a row to all children in proportion to
    /// training weights.
    pub(crate) background: Option<&'t Frame<'t>>,
    trained: Vec<f64>,
    pub(crate) deepest: usize,
    pub(crate) n_columns: usize,
}

impl<'t> TreeShapContext<'t> {
    pub(crate) fn new(
        tree: &'t Tree,
        values: Vec<f64>,
        fraction: bool,
        n_columns: usize,
        background: Option<&'t Frame<'t>>,
    ) -> Self {
        let n_nodes = tree.n_nodes();
        let (mut depth, mut trained) = (vec![0_usize; n_nodes], vec![1.0; n_nodes]);
        for node in 0..n_nodes {
            let mass = |child: usize| tree.mass_reaching_node(child);
            let total: f64 = tree.children(node).map(mass).sum();
            for child in tree.children(node) {
                depth[child] = depth[node] + 1;
                // If no training row reached the children, the child for missing values gets the whole
                // weight.
                let missing = child == tree.children(node).start + tree.missing_branch(node);
                trained[child] = if total > 0.0 { mass(child) / total } else { f64::from(u8::from(missing)) };
            }
        }
        let deepest = depth.into_iter().max().unwrap_or(0);
        Self { tree, values, fraction, background, trained, deepest, n_columns }
    }

    /// Fraction of a row that goes to a child; for `None`, fraction of the training weight.
    pub(crate) fn child_fraction(&self, node: usize, child: usize, of: Option<RowRef<'_>>) -> f64 {
        let Some(RowRef { columns, row }) = of else { return self.trained[child] };
        match branch_of_row(self.tree, node, columns, row) {
            None if self.fraction => self.trained[child],
            taken => {
                let branch = taken.unwrap_or_else(|| self.tree.missing_branch(node));
                f64::from(u8::from(child == self.tree.children(node).start + branch))
            }
        }
    }

    pub(crate) fn is_split_by_missing(&self, player: RowRef<'_>) -> bool {
        self.fraction && player.columns.iter().any(|column| column.is_missing(player.row))
    }

    /// Without a background, the only item is `None`, which stands for the training weights.
    pub(crate) fn background_rows(&self) -> impl Iterator<Item = Option<RowRef<'t>>> + use<'t> {
        let background = self.background;
        (0..self.n_background_rows())
            .map(move |row| background.map(|frame| RowRef { columns: frame.columns(), row }))
    }

    pub(crate) fn n_background_rows(&self) -> usize {
        self.background.map_or(1, Frame::n_rows)
    }

    /// Returns the output of the tree for the empty coalition.
    ///
    /// It is the mean output over the items of [`Self::background_rows`].
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn base_value(&self, ctl: RunContext<'_>) -> Result<f64> {
        let mut sum = 0.0;
        for other in self.background_rows() {
            ctl.check()?;
            sum += self.expected_output(other);
        }
        Ok(sum / self.n_background_rows() as f64)
    }

    fn expected_output(&self, of: Option<RowRef<'_>>) -> f64 {
        let mut share = vec![0.0; self.tree.n_nodes()];
        share[0] = 1.0;
        let mut value = 0.0;
        for node in 0..self.tree.n_nodes() {
            if share[node] == 0.0 {
                continue;
            }
            if self.tree.split(node) == TreeSplit::Leaf {
                value += share[node] * self.values[node];
            }
            for child in self.tree.children(node) {
                share[child] = share[node] * self.child_fraction(node, child, of);
            }
        }
        value
    }
}
