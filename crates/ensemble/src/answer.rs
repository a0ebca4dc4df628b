//! Answers of packed trees for blocks of rows.

use crate::packed::Packed;
use imbcore_base::{Column, Frame, MISSING, Result, RunCtl, first_largest, memory, share};
use imbcore_tree::LeafRule;
use serde::{Deserialize, Serialize};

/// How the answers of the trees become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Vote {
    /// The mean of their probabilities.
    Soft,
    /// The share of trees for each class; a tree is for the most probable class of its leaf, the lowest of equals.
    Hard,
}

/// What a leaf says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeafVoice {
    pub(crate) rule: LeafRule,
    pub(crate) m: f64,
    pub(crate) vote: Vote,
    /// Whether a hard vote counts as much as a row of the leaf weighs on average (Chen, Liaw and Breiman 2004).
    pub(crate) weighted: bool,
}

/// Rows of a block: so many that their values and the answers stay in the nearer caches.
fn block_rows(n_columns: usize) -> usize {
    ((1 << 15) / n_columns.max(1)).clamp(1 << 5, 1 << 12)
}

/// Sums of the answers of trees, row by row; a tree is asked about the rows for which `asks(tree, row)` holds.
///
/// Returns `n_rows x n_classes` sums and the weight of the answers in each row.
pub(crate) fn sum_answers(
    packed: &Packed,
    voice: LeafVoice,
    frame: &Frame<'_>,
    asks: Option<&(dyn Fn(usize, usize) -> bool + Sync)>,
    ctl: RunCtl<'_>,
) -> Result<(Vec<f64>, Vec<f64>)> {
    frame.check_finite()?;
    let (c, width) = (packed.n_classes(), frame.n_columns());
    let block = ctl.grain(block_rows(width));
    let mut sums = memory::filled(frame.n_rows() * c, 0.0, "answers")?;
    let mut weights = memory::filled(frame.n_rows(), 0.0, "answers")?;
    // Many rows meet a leaf more than once: what it says is then computed once.
    let said = if frame.n_rows() > packed.n_leaves() { voice.all_answers(packed) } else { Vec::new() };
    share::try_map_with(
        sums.chunks_mut(block * c).zip(weights.chunks_mut(block)).enumerate(),
        || (Vec::new(), Vec::new(), Vec::with_capacity(c)),
        |(values, rows, answer), (index, (sums, weights))| {
            let first = index * block;
            load(frame, first..first + weights.len(), values);
            for tree in 0..packed.n_trees() {
                ctl.check()?;
                let mut say = |row: usize, leaf: usize| {
                    let known = said.get(leaf * (c + 1)..(leaf + 1) * (c + 1));
                    let (answer, weight) = if let Some(known) = known {
                        (&known[..c], known[c])
                    } else {
                        let weight = voice.answer(packed, tree, leaf, answer);
                        (&answer[..], weight)
                    };
                    for (sum, part) in sums[row * c..(row + 1) * c].iter_mut().zip(answer) {
                        *sum += part;
                    }
                    weights[row] += weight;
                };
                let n_rows = values.len() / width;
                if let Some(asks) = asks {
                    for row in (0..n_rows).filter(|&row| asks(tree, first + row)) {
                        say(row, packed.leaf_of(tree, &values[row * width..(row + 1) * width]));
                    }
                } else {
                    packed.route(tree, values, width, rows, say);
                }
            }
            Ok(())
        },
    )?;
    Ok((sums, weights))
}

/// Writes the values of rows side by side: codes of levels as numbers, NaN where there is no value.
fn load(frame: &Frame<'_>, rows: std::ops::Range<usize>, values: &mut Vec<f64>) {
    let width = frame.n_columns();
    values.clear();
    if let Some(matrix) = frame.row_major() {
        values.extend_from_slice(&matrix[rows.start * width..rows.end * width]);
        return;
    }
    values.resize(rows.len() * width, 0.0);
    for (place, column) in frame.columns().iter().enumerate() {
        let cells = values[place..].iter_mut().step_by(width);
        match column {
            Column::Numeric(numbers) => {
                for (cell, row) in cells.zip(rows.clone()) {
                    *cell = numbers.get(row);
                }
            }
            Column::Nominal { codes, .. } => {
                for (cell, &code) in cells.zip(&codes[rows.clone()]) {
                    *cell = if code == MISSING { f64::NAN } else { f64::from(code) };
                }
            }
        }
    }
}

impl LeafVoice {
    /// What every leaf says about each class, and then the weight of its voice.
    fn all_answers(self, packed: &Packed) -> Vec<f64> {
        let mut all = Vec::with_capacity(packed.n_leaves() * (packed.n_classes() + 1));
        let mut answer = Vec::new();
        for tree in 0..packed.n_trees() {
            for leaf in packed.leaves(tree) {
                let weight = self.answer(packed, tree, leaf, &mut answer);
                all.extend_from_slice(&answer);
                all.push(weight);
            }
        }
        all
    }

    /// Writes what a leaf says about each class; returns the weight of its voice.
    fn answer(self, packed: &Packed, tree: usize, leaf: usize, answer: &mut Vec<f64>) -> f64 {
        let mass = packed.leaf_mass(leaf);
        answer.clear();
        self.rule.estimate(mass, packed.root_mass(tree), self.m, answer);
        match self.vote {
            Vote::Soft => 1.0,
            Vote::Hard => {
                let weight = if self.weighted { packed.mean_weight(leaf) } else { 1.0 };
                cast(weight, answer)
            }
        }
    }
}

/// Turns probabilities into a vote of this weight for the most probable class; returns the weight.
pub(crate) fn cast(weight: f64, answer: &mut [f64]) -> f64 {
    let winner = first_largest(answer) as usize;
    answer.fill(0.0);
    answer[winner] = weight;
    weight
}
