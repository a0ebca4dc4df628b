//! Shapley values of all rows of a frame.

use crate::prediction::shapley::context::{RowRef, TreeShapContext};
use crate::prediction::shapley::leaf_paths::{LeafPaths, TOGETHER};
use crate::prediction::shapley::recursive::RecursiveShap;
use crate::prediction::tree_traversal::fill_in_blocks;
use imbcore_core::{Frame, Result, RunContext};

/// Adds the Shapley values of every row of a frame to `sums`, `n_rows x n_columns`.
///
/// If [`LeafPaths`] supports the tree and the background, it explains all rows that are not split into
/// fractions. [`RecursiveShap`] explains all other rows.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
pub(crate) fn add_shapley_values(
    game: &TreeShapContext<'_>,
    frame: &Frame<'_>,
    sums: &mut [f64],
    ctl: RunContext<'_>,
) -> Result<()> {
    let (width, columns) = (game.n_columns, frame.columns());
    let ways = LeafPaths::new(game, frame.n_rows(), ctl)?;
    fill_in_blocks(sums, width, ctl, |rows, sums| {
        let mut walk = RecursiveShap::new(game);
        let (mut alone, mut scratch) = (vec![0.0; width], ways.as_ref().map(LeafPaths::allocate_buffers));
        for (first, sums) in rows.step_by(TOGETHER).zip(sums.chunks_mut(TOGETHER * width)) {
            ctl.check()?;
            let all = first..first + sums.len() / width;
            let player = |row| RowRef { columns, row };
            let (together, apart): (Vec<usize>, Vec<usize>) =
                all.partition(|&row| ways.is_some() && !game.is_split_by_missing(player(row)));
            if let (Some(ways), Some(scratch)) = (&ways, &mut scratch) {
                ways.visit_contributions(columns, &together, scratch, |row, column, value| {
                    sums[(row - first) * width + column] += value;
                });
            }
            for row in apart {
                alone.fill(0.0);
                for other in game.background_rows() {
                    // Cancellation is checked for every row, because explaining one row visits every node.
                    ctl.check()?;
                    walk.add_shapley_values_of_row(player(row), other, &mut alone);
                }
                for (sum, value) in sums[(row - first) * width..].iter_mut().zip(&alone) {
                    *sum += value / game.n_background_rows() as f64;
                }
            }
        }
        Ok(())
    })
}
