//! Predictions of compact forests for blocks of rows.

use crate::compact_forest::CompactForest;
use crate::leaf_value_table::{LeafValueTable, LeafValues, add_elementwise};
use imbcore_core::{Frame, Result, RunContext, index_of_first_largest, memory, parallel};
use imbcore_trees::{LeafEstimate, LockstepTrees, RowBlock, RowPositions};
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

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeafVoteRule {
    pub(crate) rule: LeafEstimate,
    pub(crate) m: f64,
    pub(crate) voting: VotingMode,
    pub(crate) weighted: bool,
}

#[derive(Default)]
struct TraversalScratch {
    block: RowBlock,
    rows: Vec<u32>,
    answer: LeafPrediction,
    leaves: Vec<u32>,
    walkers: RowPositions,
}

struct PreparedTrees {
    lockstep: LockstepTrees,
    answers: LeafValueTable,
    /// Vote weight of every leaf; empty if all vote weights are 1.
    weights: Vec<f64>,
}

impl PreparedTrees {
    /// Creates the memory layout with which many rows traverse the trees fast.
    ///
    /// Returns `None` if there are too few rows for the layout to save time. It also returns `None` if there
    /// are many classes and each leaf predicts a number for every class, because the predictions would need
    /// too much memory.
    fn new(
        packed: &CompactForest,
        leaf_vote: LeafVoteRule,
        frame: &Frame<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Option<Self>> {
        let fits = leaf_vote.stores_sparse_predictions(packed)
            || !packed.all_leaf_class_masses().has_sparse_leaves();
        if !fits || !LockstepTrees::is_lockstep_faster(frame.n_rows(), packed.n_nodes()) {
            return Ok(None);
        }
        let steps = |tree| ctl.check().map(|()| packed.layout_nodes(tree));
        let lockstep = LockstepTrees::new(frame.n_columns(), (0..packed.n_trees()).map(steps))?;
        // The predictions of the leaves need at most as much memory as their class masses: a prediction has
        // one number per class mass or, for a hard vote, a single number.
        let mut answers = LeafValueTable::new(packed.n_classes());
        answers.reserve(std::iter::once(packed.all_leaf_class_masses()), "predictions of leaves")?;
        let (mut weights, mut answer) = (Vec::new(), LeafPrediction::default());
        for tree in 0..packed.n_trees() {
            ctl.check()?;
            for leaf in packed.leaf_indices_of_tree(tree) {
                let weight = leaf_vote.write_prediction(packed, tree, leaf, &mut answer);
                answer.append_to_table(&mut answers);
                if leaf_vote.weighted {
                    weights.push(weight);
                }
            }
        }
        Ok(Some(Self { lockstep, answers, weights }))
    }

    fn add_leaf_predictions(
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
                self.answers.add_leaf_to_sums(leaf, sums);
                *weight += self.weights.get(leaf).copied().unwrap_or(1.0);
            }
        }
    }

    /// Like [`Self::add_leaf_predictions`], for a tree whose vote weight is 1 for every row.
    ///
    /// The caller adds the vote weights of all such trees at once.
    fn add_unweighted_predictions(&self, leaves: &[u32], c: usize, sums: &mut [f64]) {
        if c == 2 {
            let (answers, (sums, _)) = (self.answers.two_class_leaf_values(), sums.as_chunks_mut::<2>());
            for (&leaf, [first, second]) in leaves.iter().zip(sums) {
                let [a, b] = answers[leaf as usize];
                *first += a;
                *second += b;
            }
            return;
        }
        for (&leaf, sums) in leaves.iter().zip(sums.chunks_exact_mut(c)) {
            self.answers.add_leaf_to_sums(leaf as usize, sums);
        }
    }
}

/// Sums the predictions of the trees for each row.
/// A row is predicted by the trees for which `includes(tree, row)` is true. Without `includes`, all trees
/// predict it.
///
/// Returns `n_rows x n_classes` sums and, for each row, the sum of the vote weights.
pub(crate) fn sum_predictions(
    packed: &CompactForest,
    leaf_vote: LeafVoteRule,
    frame: &Frame<'_>,
    includes: Option<&(dyn Fn(usize, usize) -> bool + Sync)>,
    ctl: RunContext<'_>,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let c = packed.n_classes();
    let size = ctl.task_size(RowBlock::block_size(frame.n_columns()));
    let ready = PreparedTrees::new(packed, leaf_vote, frame, ctl)?;
    let mut sums = memory::filled(frame.n_rows() * c, 0.0, "predictions")?;
    let mut weights = memory::filled(frame.n_rows(), 0.0, "predictions")?;
    parallel::try_map_with(
        sums.chunks_mut(size * c).zip(weights.chunks_mut(size)).enumerate(),
        TraversalScratch::default,
        |TraversalScratch { block, rows, answer, leaves, walkers }, (index, (sums, weights))| {
            let first = index * size;
            block.load_rows(frame, first..first + weights.len(), ready.is_some())?;
            leaves.resize(weights.len(), 0);
            let mut all_alike = 0.0;
            for tree in 0..packed.n_trees() {
                ctl.check()?;
                if let Some(ready) = &ready
                    && ready.lockstep.write_leaves(tree, block, walkers, leaves)
                {
                    match includes {
                        None if ready.weights.is_empty() => {
                            ready.add_unweighted_predictions(leaves, c, sums);
                            all_alike += 1.0;
                        }
                        _ => {
                            let includes = |row| includes.is_none_or(|includes| includes(tree, first + row));
                            ready.add_leaf_predictions(leaves, c, sums, weights, includes);
                        }
                    }
                    continue;
                }
                packed.visit_reached_leaves(tree, block, rows, |leaf, rows| {
                    let weight = leaf_vote.write_prediction(packed, tree, leaf, answer);
                    let included =
                        |&&row: &&u32| includes.is_none_or(|includes| includes(tree, first + row as usize));
                    for &row in rows.iter().filter(included) {
                        let row = row as usize;
                        answer.add_to_class_sums(&mut sums[row * c..(row + 1) * c]);
                        weights[row] += weight;
                    }
                });
            }
            // `all_alike` is the number of trees whose vote weights `add_unweighted_predictions` did not add.
            // Each of these weights is 1, so their sum does not depend on the order of the trees.
            for weight in weights {
                *weight += all_alike;
            }
            Ok(())
        },
    )?;
    Ok((sums, weights))
}

#[derive(Default)]
struct LeafPrediction {
    /// Prediction for every class; empty if the prediction is stored in `list`.
    row: Vec<f64>,
    /// Classes with a prediction other than 0, in ascending order, with their predictions.
    list: Vec<(u32, f64)>,
    mass: Vec<f64>,
}

impl LeafPrediction {
    fn append_to_table(&self, all: &mut LeafValueTable) {
        if self.row.is_empty() {
            all.push_sparse_leaf(self.list.iter().copied());
        } else {
            all.push_dense_leaf(&self.row);
        }
    }

    #[inline]
    fn add_to_class_sums(&self, sums: &mut [f64]) {
        if self.row.is_empty() {
            self.list.iter().for_each(|&(class, number)| sums[class as usize] += number);
        } else {
            add_elementwise(sums, &self.row);
        }
    }
}

impl LeafVoteRule {
    /// Whether leaves store their predictions only for classes with a prediction other than 0.
    ///
    /// This saves memory for hard votes and unsmoothed probabilities. Smoothed probabilities are positive for
    /// all classes.
    fn stores_sparse_predictions(self, packed: &CompactForest) -> bool {
        packed.all_leaf_class_masses().has_sparse_leaves()
            && (self.voting == VotingMode::Hard || self.rule == LeafEstimate::Frequency)
    }

    /// Writes the prediction of a leaf to `answer`; returns the vote weight of the leaf.
    fn write_prediction(
        self,
        packed: &CompactForest,
        tree: usize,
        leaf: usize,
        answer: &mut LeafPrediction,
    ) -> f64 {
        let mass = packed.leaf_class_masses(leaf);
        let LeafPrediction { row, list, mass: room } = answer;
        row.clear();
        list.clear();
        if let (LeafEstimate::Frequency, LeafValues::List(classes, masses)) = (self.rule, mass) {
            let total = mass.sum_over_classes();
            list.extend(classes.iter().zip(masses).map(|(&class, mass)| (class, mass / total)));
        } else {
            self.rule.append_probabilities(
                mass.dense_row(packed.n_classes(), room),
                packed.root_class_masses(tree),
                self.m,
                row,
            );
        }
        if self.voting == VotingMode::Soft {
            return 1.0;
        }
        let weight = if self.weighted { packed.mean_row_weight_in_leaf(leaf) } else { 1.0 };
        if !self.stores_sparse_predictions(packed) {
            return vote_for_largest(weight, row);
        }
        let winner = if row.is_empty() {
            // Class with the largest prediction, the first one on ties, as in [`index_of_first_largest`].
            let larger = |best: (u32, f64), cell: &(u32, f64)| if cell.1 > best.1 { *cell } else { best };
            list.iter().fold((0, 0.0), larger).0
        } else {
            index_of_first_largest(row)
        };
        row.clear();
        list.clear();
        list.push((winner, weight));
        weight
    }
}

pub(crate) fn vote_for_largest(weight: f64, answer: &mut [f64]) -> f64 {
    let winner = index_of_first_largest(answer) as usize;
    answer.fill(0.0);
    answer[winner] = weight;
    weight
}
