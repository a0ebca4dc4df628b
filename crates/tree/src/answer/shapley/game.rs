//! A tree as a game: what it answers where only some columns of a row are known.

use crate::answer::route::known_branch;
use crate::tree::{Cut, Tree};
use imbcore_base::{Column, Frame, Result, RunCtl};

/// A row of a frame.
#[derive(Clone, Copy)]
pub(crate) struct Player<'a> {
    pub(crate) columns: &'a [Column<'a>],
    pub(crate) row: usize,
}

/// What does not hang on the row that is explained.
pub(crate) struct Game<'t> {
    pub(crate) tree: &'t Tree,
    /// Value of every node.
    pub(crate) values: Vec<f64>,
    /// Whether a row without a value goes every way in shares.
    fraction: bool,
    /// Rows whose values stand for those that are not known; the training rows in every node where there are none.
    pub(crate) background: Option<&'t Frame<'t>>,
    /// Share of the training weight of its parent that a node has.
    trained: Vec<f64>,
    /// Splits on the longest way.
    pub(crate) deepest: usize,
    pub(crate) n_columns: usize,
}

impl<'t> Game<'t> {
    /// The game of a tree whose nodes have `values`.
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
            let mass = |child: usize| tree.reached_mass(child);
            let total: f64 = tree.children(node).map(mass).sum();
            for child in tree.children(node) {
                depth[child] = depth[node] + 1;
                // Nobody in training went on from here: all go where rows without a value go.
                let missing = child == tree.children(node).start + tree.missing_branch(node);
                trained[child] = if total > 0.0 { mass(child) / total } else { f64::from(u8::from(missing)) };
            }
        }
        let deepest = depth.into_iter().max().unwrap_or(0);
        Self { tree, values, fraction, background, trained, deepest, n_columns }
    }

    /// Share of a row at a node that goes on to a child; of nobody in particular, that of the training weight.
    pub(crate) fn share(&self, node: usize, child: usize, of: Option<Player<'_>>) -> f64 {
        let Some(Player { columns, row }) = of else { return self.trained[child] };
        match known_branch(self.tree, node, columns, row) {
            None if self.fraction => self.trained[child],
            taken => {
                let branch = taken.unwrap_or_else(|| self.tree.missing_branch(node));
                f64::from(u8::from(child == self.tree.children(node).start + branch))
            }
        }
    }

    /// Whether a row may go several ways from one node.
    pub(crate) fn is_shared_out(&self, player: Player<'_>) -> bool {
        self.fraction && player.columns.iter().any(|column| column.is_missing(player.row))
    }

    /// Those who stand in for columns that are not known, one after the other.
    pub(crate) fn others(&self) -> impl Iterator<Item = Option<Player<'t>>> + use<'t> {
        let background = self.background;
        (0..self.n_others()).map(move |row| background.map(|frame| Player { columns: frame.columns(), row }))
    }

    /// How many they are.
    pub(crate) fn n_others(&self) -> usize {
        self.background.map_or(1, Frame::n_rows)
    }

    /// What the tree answers without any column: the mean over all that may stand in for them.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub(crate) fn base(&self, ctl: RunCtl<'_>) -> Result<f64> {
        let mut sum = 0.0;
        for other in self.others() {
            ctl.check()?;
            sum += self.answer(other);
        }
        Ok(sum / self.n_others() as f64)
    }

    fn answer(&self, of: Option<Player<'_>>) -> f64 {
        let mut share = vec![0.0; self.tree.n_nodes()];
        share[0] = 1.0;
        let mut answer = 0.0;
        for node in 0..self.tree.n_nodes() {
            if share[node] == 0.0 {
                continue;
            }
            if self.tree.cut(node) == Cut::Leaf {
                answer += share[node] * self.values[node];
            }
            for child in self.tree.children(node) {
                share[child] = share[node] * self.share(node, child, of);
            }
        }
        answer
    }
}
