//! Choice of the hierarchical shrinkage of a forest by its log loss on held-out rows.
//!
//! Trees of inner folds are grown without shrinkage. One pass over the leaves of the held-out rows evaluates all
//! amounts, and the forest of all rows is then shrunk by the best one. The choice depends on the data, the parameters
//! and the seed, but not on the number of trees, so that parts of a forest and larger forests agree.

use crate::grower::ForestGrower;
use crate::learner::{ForestData, ForestLearner};
use crate::shrinkage_choice::{ShrinkageChoice, TreeOptions};
use imbcore_core::{Error, PriorShift, Result, RowDependence, RowGroups, RunContext, SeedKey, memory, tags};
use imbcore_metrics::CvSplits;
use imbcore_trees::{LeafEstimate, MOST_IN_TABLE, TreeModel};
use rayon::prelude::*;

/// Number of inner folds, and of the trees of each.
const FOLDS: u32 = 2;
const TREES: u32 = 50;

/// Smallest amount of shrinkage that is tried.
///
/// Without any shrinkage, a row of a rare class in a pure leaf could have an infinite log loss.
const SMALLEST: f64 = 0.1;

/// Smallest probability in a log loss.
const EPSILON: f64 = 1e-15;

/// Amounts to choose from for a forest of this number of rows, ascending.
/// Two amounts in each decade, and as the last one the first that is not below the number of rows.
fn amounts(n_rows: usize) -> Vec<f64> {
    let mut amounts = vec![SMALLEST];
    while let Some(&last) = amounts.last()
        && last < n_rows as f64
    {
        let decade = i32::try_from(amounts.len() / 2).unwrap_or(i32::MAX);
        amounts.push(SMALLEST * 10_f64.powi(decade) * if amounts.len() % 2 == 1 { 3.0 } else { 1.0 });
    }
    amounts
}

/// Rows on which the shrinkage is chosen.
struct HeldOutRows<'r> {
    /// Their indices, ascending.
    rows: &'r [u32],
    /// Group of each row of the table, if rows have groups.
    groups: Option<&'r [u32]>,
    /// Log loss of each row for the class proportions of the training rows.
    prior: Vec<f64>,
    weights: Vec<f64>,
}

/// Sums over independent units of rows.
///
/// Means and standard errors of the differences follow from them.
#[derive(Default)]
struct LossSums {
    n_rows: usize,
    /// Sums of the weights and of the weighted log losses of the prior.
    weight: f64,
    prior: f64,
    /// Sum of the squared weights of the units.
    square: f64,
    /// For each amount, the sums of `d`, `w d` and `d d` over the units.
    ///
    /// `w` is the weight of a unit, and `d` its weighted difference.
    differences: Vec<[f64; 3]>,
}

impl LossSums {
    fn new(n_amounts: usize) -> Self {
        Self { differences: vec![[0.0; 3]; n_amounts], ..Self::default() }
    }

    /// Adds the log losses of held-out rows, `n_rows x n_amounts`, which are overwritten.
    fn add(&mut self, rows: &HeldOutRows<'_>, losses: &mut [f64]) {
        let width = self.differences.len();
        self.n_rows += rows.rows.len();
        for ((losses, prior), weight) in losses.chunks_exact_mut(width).zip(&rows.prior).zip(&rows.weights) {
            for loss in losses.iter_mut() {
                *loss = weight * (*loss - prior);
            }
            self.weight += weight;
            self.prior += weight * prior;
        }
        let Some(groups) = rows.groups else {
            for (differences, &weight) in losses.chunks_exact(width).zip(&rows.weights) {
                self.add_unit(weight, differences);
            }
            return;
        };
        let by_group = RowGroups::new(rows.rows.iter().map(|&row| groups[row as usize]));
        for group in 0..by_group.n_groups() {
            let mut weight = 0.0;
            let mut sums = vec![0.0; width];
            for &row in by_group.rows(group) {
                weight += rows.weights[row as usize];
                let row = &losses[row as usize * width..];
                sums.iter_mut().zip(row).for_each(|(sum, difference)| *sum += difference);
            }
            self.add_unit(weight, &sums);
        }
    }

    fn add_unit(&mut self, weight: f64, differences: &[f64]) {
        self.square += weight * weight;
        for ([sum, product, square], difference) in self.differences.iter_mut().zip(differences) {
            *sum += difference;
            *product += weight * difference;
            *square += difference * difference;
        }
    }

    /// Returns the best amount, or the largest one if the best does not beat the prior.
    ///
    /// The best amount beats the prior if its log loss is lower by at least one standard error.
    fn choice(&self, amounts: &[f64]) -> Option<ShrinkageChoice> {
        if self.weight <= 0.0 {
            return None;
        }
        let mean = |at: usize| self.differences[at][0] / self.weight;
        // The largest of equally good amounts.
        let best = (0..amounts.len()).rev().min_by(|&a, &b| mean(a).total_cmp(&mean(b)))?;
        let [_, product, square] = self.differences[best];
        let variance = square - 2.0 * mean(best) * product + mean(best) * mean(best) * self.square;
        let beats_prior = mean(best) + variance.max(0.0).sqrt() / self.weight < 0.0;
        let chosen = if beats_prior { best } else { amounts.len() - 1 };
        let prior_log_loss = self.prior / self.weight;
        let log_loss = (prior_log_loss + mean(chosen)).max(0.0);
        let (amount, n_rows) = (amounts[chosen], self.n_rows);
        Some(ShrinkageChoice { amount, log_loss, prior_log_loss, n_rows, beats_prior })
    }
}

/// Probabilities of the leaves of a tree for every amount.
struct ShrunkLeaves {
    model: TreeModel,
    /// Array of shape `n_nodes x n_numbers x n_amounts`.
    ///
    /// The numbers are the probabilities of the classes, and the sum of the
    /// probabilities times the factors of the prior correction, if enabled.
    numbers: Vec<f64>,
    n_numbers: usize,
}

impl ShrunkLeaves {
    fn new(
        model: TreeModel,
        (rule, m): (LeafEstimate, f64),
        amounts: &[f64],
        shift: Option<&PriorShift>,
    ) -> Self {
        let (tree, width) = (model.tree(), amounts.len());
        let (c, root) = (tree.n_classes(), tree.mass(0));
        let mut proba = tree.shrunk_probabilities(amounts);
        if rule != LeafEstimate::Frequency {
            let mut estimate = Vec::with_capacity(c);
            for leaf in tree.leaves() {
                let (total, cells) =
                    (tree.total_mass(leaf), &mut proba[leaf * c * width..(leaf + 1) * c * width]);
                for at in 0..width {
                    let mass: Vec<f64> = (0..c).map(|class| total * cells[class * width + at]).collect();
                    estimate.clear();
                    rule.estimate(&mass, &root, m, &mut estimate);
                    (0..c).for_each(|class| cells[class * width + at] = estimate[class]);
                }
            }
        }
        let Some(shift) = shift else { return Self { numbers: proba, n_numbers: c, model } };
        let mut numbers = Vec::with_capacity(proba.len() / c * (c + 1));
        for node in proba.chunks_exact(c * width) {
            numbers.extend_from_slice(node);
            let sum = |at: usize| {
                (0..c).map(|class| shift.factors()[class] * node[class * width + at]).sum::<f64>()
            };
            numbers.extend((0..width).map(sum));
        }
        Self { numbers, n_numbers: c + 1, model }
    }

    /// The number with index `number` of a leaf, for every amount of shrinkage.
    fn of_leaf(&self, leaf: u32, number: usize, width: usize) -> &[f64] {
        let start = (leaf as usize * self.n_numbers + number) * width;
        &self.numbers[start..start + width]
    }
}

impl<G: ForestGrower> ForestLearner<G> {
    /// Options of the trees of the forest.
    pub(crate) fn options(&self, field: &ForestData<'_, '_, G>) -> TreeOptions<'static> {
        let chosen = || field.choice.map_or(0.0, |choice| choice.amount);
        let amount = self.plan.shrinkage.unwrap_or_else(chosen);
        TreeOptions { trains: None, shrinkage: amount * self.mean_weight(field) }
    }

    /// Checks that values are available on which shrinkage can be chosen, if it is to be chosen.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
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
    /// `None` if no inner folds are possible, for small samples, whose rows may not all be in memory, and for many
    /// classes, whose leaves store lists of the classes that they contain.
    ///
    /// # Errors
    /// As growing trees.
    pub(crate) fn choose_shrinkage(
        &self,
        field: &ForestData<'_, '_, G>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Option<ShrinkageChoice>> {
        let data = field.data;
        if field.ground.is_none() || data.n_classes() > MOST_IN_TABLE {
            return Ok(None);
        }
        let rows: Vec<u32> = (0..data.n_rows() as u32).filter(|&row| self.weight(field, row) > 0.0).collect();
        // Classes are numbered by their first rows, so that renaming them does not change the folds.
        let mut order: Vec<u32> = Vec::new();
        let mut number = |class: u32| {
            order.iter().position(|&known| known == class).unwrap_or_else(|| {
                order.push(class);
                order.len() - 1
            }) as u32
        };
        let codes: Vec<u32> = rows.iter().map(|&row| number(data.classes()[row as usize])).collect();
        let dependence = data.dependence().take(rows.iter().copied());
        let Some(splits) = splits(&codes, dependence.borrow(), key.child(tags::forest::FOLDS, 0), ctl)?
        else {
            return Ok(None);
        };
        let amounts = amounts(rows.len());
        let mut sums = LossSums::new(amounts.len());
        for (repeat, fold) in splits.tests() {
            let (train, test) = splits.rows(repeat, fold);
            let of_table = |places: Vec<u32>| places.into_iter().map(|place| rows[place as usize]);
            let mut trains = vec![false; data.n_rows()];
            of_table(train).for_each(|row| trains[row as usize] = true);
            let key = key.child(tags::forest::FOLD, fold);
            self.evaluate_fold(field, (&trains, of_table(test).collect()), (&amounts, &mut sums), key, ctl)?;
        }
        Ok(sums.choice(&amounts))
    }

    /// Mean weight of the rows with positive weight.
    ///
    /// Amounts are relative to it, so that multiplying all weights by a constant does not change the forest.
    fn mean_weight(&self, field: &ForestData<'_, '_, G>) -> f64 {
        let (mut n_rows, mut total) = (0, 0.0);
        for class in field.facts.present(self.grower.class_weights()) {
            let of_class = &field.facts.classes()[class as usize];
            n_rows += of_class.n_weighing;
            total +=
                of_class.mass * self.grower.class_weights().map_or(1.0, |weights| weights[class as usize]);
        }
        total / n_rows as f64
    }

    /// Weight of a row in training.
    fn weight(&self, field: &ForestData<'_, '_, G>, row: u32) -> f64 {
        let class = field.data.classes()[row as usize] as usize;
        field.data.weight(row as usize) * self.grower.class_weights().map_or(1.0, |weights| weights[class])
    }

    /// Adds the log losses of the rows `test` for trees of the other rows.
    fn evaluate_fold(
        &self,
        field: &ForestData<'_, '_, G>,
        (trains, mut test): (&[bool], Vec<u32>),
        (amounts, sums): (&[f64], &mut LossSums),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let (data, c, width) = (field.data, field.data.n_classes(), amounts.len());
        let mean_weight = self.mean_weight(field);
        let amounts: Vec<f64> = amounts.iter().map(|amount| amount * mean_weight).collect();
        let mut masses = vec![0.0; c];
        for row in (0..data.n_rows() as u32).filter(|&row| trains[row as usize]) {
            masses[data.classes()[row as usize] as usize] += self.weight(field, row);
        }
        // A class without training rows has probability 0 for any amount.
        test.retain(|&row| masses[data.classes()[row as usize] as usize] > 0.0);
        let total: f64 = masses.iter().sum();
        let mut prior: Vec<f64> = masses.iter().map(|mass| mass / total).collect();
        let shift = self.shift(field);
        if let Some(shift) = &shift {
            shift.apply(&mut prior);
        }
        let classes: Vec<usize> = test.iter().map(|&row| data.classes()[row as usize] as usize).collect();
        // Corrected probabilities refer to the class proportions of the data, so class weights must not count;
        // uncorrected probabilities refer to the proportions with class weights.
        let weight =
            |&row: &u32| if shift.is_some() { data.weight(row as usize) } else { self.weight(field, row) };
        let held = HeldOutRows {
            rows: &test,
            groups: data.dependence().groups(),
            prior: classes.iter().map(|&class| loss(prior[class])).collect(),
            weights: test.iter().map(weight).collect(),
        };
        let options = TreeOptions { trains: Some(trains), shrinkage: 0.0 };
        let grown = self.grow_all(field, (0..TREES, options), key, ctl.quiet())?;
        let frame = data.frame().take(&test, ctl)?;
        let frame = frame.borrow()?;
        let n_numbers = if shift.is_some() { 2 } else { 1 };
        let mut votes = memory::filled(test.len() * n_numbers * width, 0.0, "held-out predictions")?;
        let (rule, m, fraction) = self.grower.leaf_rule();
        for tree in grown {
            let model = TreeModel::new(tree.unpacked(&field.columns)?, rule, m, fraction);
            let leaves = ShrunkLeaves::new(model, (rule, m), &amounts, shift.as_ref());
            let add = |votes: &mut [f64], leaf: u32, class: usize, share: f64| {
                for (votes, number) in votes.chunks_exact_mut(width).zip([class, c]) {
                    let numbers = leaves.of_leaf(leaf, number, width);
                    votes.iter_mut().zip(numbers).for_each(|(vote, number)| *vote += share * number);
                }
            };
            let rows = votes.par_chunks_exact_mut(n_numbers * width).zip(&classes);
            if fraction && frame.has_missing() {
                let reached = leaves.model.reached(&frame, ctl)?;
                rows.zip(reached).for_each(|((votes, &class), reached)| {
                    for (leaf, share) in reached {
                        add(votes, leaf, class, share);
                    }
                });
            } else {
                let reached = leaves.model.apply(&frame, ctl)?;
                rows.zip(reached).for_each(|((votes, &class), leaf)| add(votes, leaf, class, 1.0));
            }
        }
        let mut losses = Vec::with_capacity(test.len() * width);
        for (votes, &class) in votes.chunks_exact(n_numbers * width).zip(&classes) {
            losses.extend((0..width).map(|at| {
                loss(match &shift {
                    Some(shift) => votes[at] * shift.factors()[class] / votes[width + at],
                    None => votes[at] / f64::from(TREES),
                })
            }));
        }
        sums.add(&held, &mut losses);
        Ok(())
    }
}

/// Log loss of a row whose class has this probability.
fn loss(probability: f64) -> f64 {
    -probability.clamp(EPSILON, 1.0).ln()
}

/// Inner folds; `None` if they are not possible.
fn splits(
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
    match CvSplits::inside_fit(codes, dependence, FOLDS, key, ctl) {
        Err(Error::Data(_)) => Ok(None),
        splits => splits.map(Some),
    }
}
