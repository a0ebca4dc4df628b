//! Choice of the hierarchical shrinkage of a forest by its log loss on held-out rows.
//!
//! Trees of inner folds are grown without shrinkage. One pass over the leaves that held-out rows reach
//! evaluates all candidate amounts. The forest of all rows is then shrunk by the best amount.
//!
//! The choice depends on the data, the parameters and the seed, but not on the number of trees. Parts of a
//! forest and larger forests therefore have the same shrinkage.

use crate::grower::ForestGrower;
use crate::learner::{ForestLearner, ForestTrainingData};
use crate::shrinkage_choice::{ShrinkageChoice, TreeGrowthOptions};
use crate::shrinkage_comparison::{HeldOutRows, ShrinkageComparison};
use imbcore_core::{Error, PriorShift, Result, RowDependence, RunContext, SeedKey, memory, tags};
use imbcore_metrics::CvSplits;
use imbcore_trees::{LeafEstimate, MOST_IN_TABLE, Tree, TreeModel};
use rayon::prelude::*;

/// Number of inner folds; [`TREES`] trees are grown for each fold.
const FOLDS: u32 = 2;
const TREES: u32 = 50;

/// Smallest amount of shrinkage that is tried.
///
/// Without any shrinkage, a row of a rare class in a pure leaf could have an infinite log loss.
const SMALLEST: f64 = 0.1;

/// Minimum number of rows per parallel task that adds votes.
const FEWEST_ROWS: usize = 1024;

/// Random key of the trees of an inner fold, and the progress of the folds before it.
struct FoldTask {
    key: SeedKey,
    n_trees_before: u32,
    n_trees_in_all: u32,
}

/// Candidate amounts of shrinkage for a forest of `n_rows` rows, ascending.
/// There are two amounts in each decade. The last amount is the first one that is at least the number of
/// rows.
fn candidate_amounts(n_rows: usize) -> Vec<f64> {
    let mut amounts = vec![SMALLEST];
    while let Some(&last) = amounts.last()
        && last < n_rows as f64
    {
        let decade = i32::try_from(amounts.len() / 2).unwrap_or(i32::MAX);
        amounts.push(SMALLEST * 10_f64.powi(decade) * if amounts.len() % 2 == 1 { 3.0 } else { 1.0 });
    }
    amounts
}

struct ShrunkLeaves {
    /// Array of shape `n_nodes x n_numbers x n_amounts`.
    ///
    /// The numbers of a node are its class probabilities. If a prior correction is enabled, one more number
    /// follows: the sum of the class probabilities, each multiplied by its correction factor.
    numbers: Vec<f64>,
    n_numbers: usize,
}

impl ShrunkLeaves {
    fn new(tree: &Tree, (rule, m): (LeafEstimate, f64), amounts: &[f64], shift: Option<&PriorShift>) -> Self {
        let width = amounts.len();
        let (c, root) = (tree.n_classes(), tree.class_masses(0));
        let mut proba = tree.shrunk_node_probabilities(amounts);
        if rule != LeafEstimate::Frequency {
            let mut estimate = Vec::with_capacity(c);
            for leaf in tree.leaves() {
                let (total, cells) =
                    (tree.total_mass(leaf), &mut proba[leaf * c * width..(leaf + 1) * c * width]);
                for at in 0..width {
                    let mass: Vec<f64> = (0..c).map(|class| total * cells[class * width + at]).collect();
                    estimate.clear();
                    rule.append_probabilities(&mass, &root, m, &mut estimate);
                    (0..c).for_each(|class| cells[class * width + at] = estimate[class]);
                }
            }
        }
        let Some(shift) = shift else { return Self { numbers: proba, n_numbers: c } };
        let mut numbers = Vec::with_capacity(proba.len() / c * (c + 1));
        for node in proba.chunks_exact(c * width) {
            numbers.extend_from_slice(node);
            let sum = |at: usize| {
                (0..c).map(|class| shift.factors()[class] * node[class * width + at]).sum::<f64>()
            };
            numbers.extend((0..width).map(sum));
        }
        Self { numbers, n_numbers: c + 1 }
    }

    fn leaf_values_by_amount(&self, leaf: u32, number: usize, width: usize) -> &[f64] {
        let start = (leaf as usize * self.n_numbers + number) * width;
        &self.numbers[start..start + width]
    }
}

impl<G: ForestGrower> ForestLearner<G> {
    pub(crate) fn tree_options_with_shrinkage(
        &self,
        field: &ForestTrainingData<'_, '_, G>,
    ) -> TreeGrowthOptions<'static> {
        let chosen = || field.choice.map_or((0.0, 1.0), |choice| (choice.amount, choice.scale));
        let (amount, scale) = self.plan.shrinkage.map_or_else(chosen, |amount| (amount, 1.0));
        TreeGrowthOptions { trains: None, amount: amount * self.mean_training_row_weight(field), scale }
    }

    pub(crate) fn check_values_for_shrinkage(&self) -> Result<()> {
        if self.plan.shrinkage.is_some() {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "{} does not support this streamed training data: min_samples_leaf=\"auto\" needs predictions for held-out rows; \
             pass a number",
            self.method
        )))
    }

    /// Chooses the amount of shrinkage on held-out rows.
    ///
    /// Returns `None` if no amount can be chosen. The main cases are:
    /// - No inner folds are possible, or no held-out row remains.
    /// - Samples are small, so that not all rows may be in memory.
    /// - There are so many classes that leaves store lists of classes.
    pub(crate) fn choose_shrinkage(
        &self,
        field: &ForestTrainingData<'_, '_, G>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Option<ShrinkageChoice>> {
        let data = field.data;
        if field.prepared.is_none() || data.n_classes() > MOST_IN_TABLE {
            return Ok(None);
        }
        let rows: Vec<u32> =
            (0..data.n_rows() as u32).filter(|&row| self.training_row_weight(field, row) > 0.0).collect();
        // Classes are numbered in the order of their first rows, so that renaming them does not change the
        // folds.
        let mut order: Vec<u32> = Vec::new();
        let mut number = |class: u32| {
            order.iter().position(|&known| known == class).unwrap_or_else(|| {
                order.push(class);
                order.len() - 1
            }) as u32
        };
        let codes: Vec<u32> = rows.iter().map(|&row| number(data.class_codes()[row as usize])).collect();
        let dependence = data.dependence().take(rows.iter().copied());
        let Some(splits) =
            inner_cv_splits(&codes, dependence.borrow(), key.child(tags::forest::FOLDS, 0), ctl)?
        else {
            return Ok(None);
        };
        let mut comparison = ShrinkageComparison::new(candidate_amounts(rows.len()));
        let folds = splits.tested_folds();
        let n_trees_in_all = folds.len() as u32 * TREES;
        for (n_trees_before, (repeat, fold)) in (0..).step_by(TREES as usize).zip(folds) {
            let (train, test) = splits.train_and_test_rows(repeat, fold);
            let of_table = |places: Vec<u32>| places.into_iter().map(|place| rows[place as usize]);
            let mut trains = vec![false; data.n_rows()];
            of_table(train).for_each(|row| trains[row as usize] = true);
            let key = key.child(tags::forest::FOLD, fold);
            let task = FoldTask { key, n_trees_before, n_trees_in_all };
            self.evaluate_fold(field, (&trains, of_table(test).collect()), &mut comparison, &task, ctl)?;
        }
        Ok(comparison.best_shrinkage())
    }

    /// Mean weight of the rows with positive weight.
    ///
    /// Amounts of shrinkage are multiples of this mean, so that multiplying all weights by a constant does
    /// not change the forest.
    fn mean_training_row_weight(&self, field: &ForestTrainingData<'_, '_, G>) -> f64 {
        let (mut n_rows, mut total) = (0, 0.0);
        for class in field.facts.present_classes(self.grower.class_weights()) {
            let of_class = &field.facts.stats_by_class()[class as usize];
            n_rows += of_class.n_weighing;
            total +=
                of_class.mass * self.grower.class_weights().map_or(1.0, |weights| weights[class as usize]);
        }
        total / n_rows as f64
    }

    fn training_row_weight(&self, field: &ForestTrainingData<'_, '_, G>, row: u32) -> f64 {
        let class = field.data.class_codes()[row as usize] as usize;
        field.data.weight(row as usize) * self.grower.class_weights().map_or(1.0, |weights| weights[class])
    }

    fn evaluate_fold(
        &self,
        field: &ForestTrainingData<'_, '_, G>,
        (trains, mut test): (&[bool], Vec<u32>),
        comparison: &mut ShrinkageComparison,
        task: &FoldTask,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let (data, c, width) = (field.data, field.data.n_classes(), comparison.amounts.len());
        let mean_weight = self.mean_training_row_weight(field);
        let amounts: Vec<f64> = comparison.amounts.iter().map(|amount| amount * mean_weight).collect();
        let mut masses = vec![0.0; c];
        for row in (0..data.n_rows() as u32).filter(|&row| trains[row as usize]) {
            masses[data.class_codes()[row as usize] as usize] += self.training_row_weight(field, row);
        }
        // Test rows of a class without training rows are dropped, because the class has no mass in any leaf
        // for any amount.
        test.retain(|&row| masses[data.class_codes()[row as usize] as usize] > 0.0);
        let total: f64 = masses.iter().sum();
        let shift = self.prior_shift_of_samples(field);
        let classes: Vec<usize> = test.iter().map(|&row| data.class_codes()[row as usize] as usize).collect();
        let frame = data.frame().take(&test, ctl)?;
        let frame = frame.borrow()?;
        let n_numbers = if shift.is_some() { 2 } else { 1 };
        let mut votes = memory::filled(test.len() * n_numbers * width, 0.0, "held-out predictions")?;
        let leaf_rule = self.grower.leaf_estimate_rule();
        let options = TreeGrowthOptions { trains: Some(trains), amount: 0.0, scale: 1.0 };
        let evaluate = |tree: u32| {
            ctl.check()?;
            let key = task.key.child(tags::forest::TREE, tree);
            let (tree, _, _) = self.grow_tree(field, options, key, ctl.without_observer())?;
            let (rule, m, fraction) = leaf_rule;
            let model = TreeModel::new(tree, rule, m, fraction);
            let reached = if fraction && frame.has_missing() {
                ReachedLeaves::Several(model.row_leaf_fractions(&frame, ctl)?)
            } else {
                ReachedLeaves::Single(model.apply(&frame, ctl)?)
            };
            Ok((ShrunkLeaves::new(model.tree(), (rule, m), &amounts, shift.as_ref()), reached))
        };
        // To save memory, only one tree per thread is in memory at a time. Votes are added in the order of
        // the trees, so that the sums do not depend on the number of threads.
        let n_threads = rayon::current_num_threads().max(1) as u32;
        for first in (0..TREES).step_by(n_threads as usize) {
            let batch = first..TREES.min(first + n_threads);
            let trees = batch.into_par_iter().with_max_len(1).map(evaluate).collect::<Result<Vec<_>>>()?;
            for (leaves, reached) in &trees {
                let rows = votes.par_chunks_exact_mut(n_numbers * width).zip(&classes).enumerate();
                rows.with_min_len(FEWEST_ROWS).for_each(|(row, (votes, &class))| {
                    reached.for_each_leaf(row, |leaf, share| {
                        for (votes, number) in votes.chunks_exact_mut(width).zip([class, c]) {
                            let numbers = leaves.leaf_values_by_amount(leaf, number, width);
                            votes.iter_mut().zip(numbers).for_each(|(vote, number)| *vote += share * number);
                        }
                    });
                });
            }
            let n_done = task.n_trees_before + TREES.min(first + n_threads);
            ctl.report_progress("held-out trees", n_done.into(), task.n_trees_in_all.into());
        }
        for vote in &mut votes {
            *vote /= f64::from(TREES);
        }
        // With a prior correction, probabilities are for the class proportions of the data, so rows have
        // their own weights. Without it, they are for the proportions after class weighting, so class weights
        // multiply the row weights.
        let weight = |&row: &u32| {
            if shift.is_some() { data.weight(row as usize) } else { self.training_row_weight(field, row) }
        };
        let groups = data.dependence().groups();
        let rows = HeldOutRows {
            classes: &classes,
            weights: test.iter().map(weight).collect(),
            groups: groups.map(|groups| test.iter().map(|&row| groups[row as usize]).collect()),
            proportions: masses.iter().map(|mass| mass / total).collect(),
            shift,
        };
        comparison.add_fold(&rows, &votes);
        Ok(())
    }
}

enum ReachedLeaves {
    Single(Vec<u32>),
    /// Each row may reach several leaves, each with a fraction of the row.
    Several(Vec<Vec<(u32, f64)>>),
}

impl ReachedLeaves {
    /// Calls `add` for each leaf that a row reaches, with the fraction of the row in the leaf.
    fn for_each_leaf(&self, row: usize, mut add: impl FnMut(u32, f64)) {
        match self {
            Self::Single(leaves) => add(leaves[row], 1.0),
            Self::Several(leaves) => leaves[row].iter().for_each(|&(leaf, share)| add(leaf, share)),
        }
    }
}

fn inner_cv_splits(
    codes: &[u32],
    dependence: RowDependence<'_>,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<Option<CvSplits>> {
    let mut counts = vec![0_usize; codes.iter().max().map_or(0, |&most| most as usize + 1)];
    for &code in codes {
        counts[code as usize] += 1;
    }
    if counts.iter().filter(|&&count| count >= FOLDS as usize).count() < 2 {
        return Ok(None);
    }
    match CvSplits::inner_folds(codes, dependence, FOLDS, key, ctl) {
        Err(Error::Data(_)) => Ok(None),
        splits => splits.map(Some),
    }
}
