//! Predictions of compact forests for blocks of rows.

use crate::packed::CompactForest;
use imbcore_base::{Frame, Result, RunContext, first_largest, memory, share};
use imbcore_tree::{BatchTraversal, Cursors, LeafEstimate, RowBlock};
use serde::{Deserialize, Serialize};

/// Combination rule for the predictions of the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VotingMode {
    /// Mean of the probabilities.
    Soft,
    /// Fraction of trees that vote for each class.
    /// A tree votes for the most probable class of its leaf, the lowest code on ties.
    Hard,
}

/// Rule for the prediction of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeafVote {
    pub(crate) rule: LeafEstimate,
    pub(crate) m: f64,
    pub(crate) vote: VotingMode,
    /// Whether hard votes are weighted by the mean row weight of the leaf.
    /// See Chen, Liaw and Breiman 2004.
    pub(crate) weighted: bool,
}

/// Scratch memory reused between blocks.
#[derive(Default)]
struct Scratch {
    block: RowBlock,
    rows: Vec<u32>,
    answer: Vec<f64>,
    leaves: Vec<u32>,
    walkers: Cursors,
}

/// Trees laid out for traversal of many rows, with the prediction of every leaf.
struct PreparedTrees {
    lockstep: BatchTraversal,
    answers: Vec<f64>,
    /// Vote weight of every leaf; empty if all are 1.
    weights: Vec<f64>,
}

impl PreparedTrees {
    /// Lays out the trees, if that pays off for the number of rows.
    fn new(
        packed: &CompactForest,
        leaf_vote: LeafVote,
        frame: &Frame<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Option<Self>> {
        if !BatchTraversal::pays(frame.n_rows(), packed.n_nodes()) {
            return Ok(None);
        }
        let steps = |tree| ctl.check().map(|()| packed.steps(tree));
        let lockstep = BatchTraversal::new(frame.n_columns(), (0..packed.n_trees()).map(steps))?;
        let mut answers =
            memory::try_with_capacity(packed.n_leaves() * packed.n_classes(), "predictions of leaves")?;
        let (mut weights, mut answer) = (Vec::new(), Vec::new());
        for tree in 0..packed.n_trees() {
            ctl.check()?;
            for leaf in packed.leaves(tree) {
                let weight = leaf_vote.answer(packed, tree, leaf, &mut answer);
                answers.extend_from_slice(&answer);
                if leaf_vote.weighted {
                    weights.push(weight);
                }
            }
        }
        Ok(Some(Self { lockstep, answers, weights }))
    }

    /// Adds the predictions of the leaves that rows reach in a tree to the sums.
    /// The vote weights of the leaves are added to `weights`.
    fn add(
        &self,
        leaves: &[u32],
        c: usize,
        sums: &mut [f64],
        weights: &mut [f64],
        includes: impl Fn(usize) -> bool,
    ) {
        let cells = sums.chunks_exact_mut(c).zip(weights);
        for (row, (&leaf, (sums, weight))) in leaves.iter().zip(cells).enumerate() {
            if includes(row) {
                let leaf = leaf as usize;
                add(sums, &self.answers[leaf * c..(leaf + 1) * c]);
                *weight += self.weights.get(leaf).copied().unwrap_or(1.0);
            }
        }
    }

    /// As [`Self::add`] if all rows count in all trees with weight 1.
    /// The caller updates the weights.
    fn add_all(&self, leaves: &[u32], c: usize, sums: &mut [f64]) {
        if c == 2 {
            let (answers, (sums, _)) = (self.answers.as_chunks::<2>().0, sums.as_chunks_mut::<2>());
            for (&leaf, [first, second]) in leaves.iter().zip(sums) {
                let [a, b] = answers[leaf as usize];
                *first += a;
                *second += b;
            }
            return;
        }
        for (&leaf, sums) in leaves.iter().zip(sums.chunks_exact_mut(c)) {
            add(sums, &self.answers[leaf as usize * c..][..c]);
        }
    }
}

/// Sums the predictions of trees for each row.
/// A tree is included for the rows for which `includes(tree, row)` holds.
///
/// Returns `n_rows x n_classes` sums and the sum of the vote weights of each row.
pub(crate) fn sum_predictions(
    packed: &CompactForest,
    leaf_vote: LeafVote,
    frame: &Frame<'_>,
    includes: Option<&(dyn Fn(usize, usize) -> bool + Sync)>,
    ctl: RunContext<'_>,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let c = packed.n_classes();
    let size = ctl.grain(RowBlock::rows(frame.n_columns()));
    let ready = PreparedTrees::new(packed, leaf_vote, frame, ctl)?;
    let mut sums = memory::filled(frame.n_rows() * c, 0.0, "predictions")?;
    let mut weights = memory::filled(frame.n_rows(), 0.0, "predictions")?;
    share::try_map_with(
        sums.chunks_mut(size * c).zip(weights.chunks_mut(size)).enumerate(),
        Scratch::default,
        |Scratch { block, rows, answer, leaves, walkers }, (index, (sums, weights))| {
            let first = index * size;
            block.turn(frame, first..first + weights.len(), ready.is_some())?;
            leaves.resize(weights.len(), 0);
            let mut all_alike = 0.0;
            for tree in 0..packed.n_trees() {
                ctl.check()?;
                if let Some(ready) = &ready
                    && ready.lockstep.route(tree, block, walkers, leaves)
                {
                    match includes {
                        None if ready.weights.is_empty() => {
                            ready.add_all(leaves, c, sums);
                            all_alike += 1.0;
                        }
                        _ => {
                            let includes = |row| includes.is_none_or(|includes| includes(tree, first + row));
                            ready.add(leaves, c, sums, weights, includes);
                        }
                    }
                    continue;
                }
                packed.route(tree, block, rows, |leaf, rows| {
                    let weight = leaf_vote.answer(packed, tree, leaf, answer);
                    let included =
                        |&&row: &&u32| includes.is_none_or(|includes| includes(tree, first + row as usize));
                    for &row in rows.iter().filter(included) {
                        let row = row as usize;
                        add(&mut sums[row * c..(row + 1) * c], answer);
                        weights[row] += weight;
                    }
                });
            }
            // The weights are integers, so the sum does not depend on the order.
            for weight in weights {
                *weight += all_alike;
            }
            Ok(())
        },
    )?;
    Ok((sums, weights))
}

/// Adds a prediction to sums.
#[inline]
fn add(sums: &mut [f64], answer: &[f64]) {
    if let ([first, second], [a, b]) = (&mut *sums, answer) {
        // The usual case of two classes, without a loop.
        *first += a;
        *second += b;
        return;
    }
    sums.iter_mut().zip(answer).for_each(|(sum, part)| *sum += part);
}

impl LeafVote {
    /// Writes the prediction of a leaf for each class; returns its vote weight.
    fn answer(self, packed: &CompactForest, tree: usize, leaf: usize, answer: &mut Vec<f64>) -> f64 {
        let mass = packed.leaf_mass(leaf);
        answer.clear();
        self.rule.estimate(mass, packed.root_mass(tree), self.m, answer);
        match self.vote {
            VotingMode::Soft => 1.0,
            VotingMode::Hard => {
                let weight = if self.weighted { packed.mean_weight(leaf) } else { 1.0 };
                cast(weight, answer)
            }
        }
    }
}

/// Replaces probabilities by a vote of this weight for the most probable class.
/// Returns the weight.
pub(crate) fn cast(weight: f64, answer: &mut [f64]) -> f64 {
    let winner = first_largest(answer) as usize;
    answer.fill(0.0);
    answer[winner] = weight;
    weight
}
