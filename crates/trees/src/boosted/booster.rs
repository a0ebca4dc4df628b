//! Boosting rounds: compute derivatives at the current scores, grow trees, update the scores.

use crate::boosted::base_rate_correction::HeldOutProba;
use crate::boosted::boosted_tree::BoostedTree;
use crate::boosted::constraints::BoostingConstraints;
use crate::boosted::cost_differences::CostDerivedLabels;
use crate::boosted::dropout::{DartRound, DartTreeHistory, Dropout};
use crate::boosted::fixed_point::{FixedPointDerivatives, FixedPointScale};
use crate::boosted::gradient_histogram::{GradientHistogram, RowDerivatives};
use crate::boosted::loss::Loss;
use crate::boosted::matrix::BoostedMatrix;
use crate::boosted::ranking_loss::{RankingDerivatives, ScoredRow};
use crate::boosted::regularization::Regularization;
use crate::boosted::row_sampling::{RoundRowSample, RowSampling};
use crate::boosted::target_encoder::TargetEncoder;
use crate::boosted::tree_grower::{BoostedGrower, GrownNode};
use crate::prediction::tree_traversal::leaf_of_rows;
use crate::rows::training::RowWeights;
use imbcore_core::{Frame, PriorShift, Result, RowDependence, RunContext, SeedKey, memory, shuffle, tags};
use rayon::prelude::*;
use std::sync::Arc;

const STRETCH: usize = 1 << 13;

pub(crate) struct BoostingTask<'t> {
    /// Binned columns, with target statistics that are computed from all training rows.
    pub(crate) matrix: &'t Arc<BoostedMatrix>,
    pub(crate) encoder: &'t TargetEncoder<'t>,
    pub(crate) classes: &'t [u32],
    pub(crate) dependence: RowDependence<'t>,
    pub(crate) n_classes: usize,
    pub(crate) weighing: &'t RowWeights,
    /// Class weights of the objective, by which the weights of the rows are multiplied.
    pub(crate) factors: &'t [f64],
    pub(crate) cost_labels: Option<&'t CostDerivedLabels<'t>>,
    pub(crate) loss: Loss,
    pub(crate) positive: u32,
    /// Mass of the smallest class among all training rows.
    pub(crate) lesser: f64,
    pub(crate) shift: Option<&'t PriorShift>,
    pub(crate) limits: &'t Regularization,
    pub(crate) rules: &'t BoostingConstraints,
    pub(crate) draw: RowSampling,
    pub(crate) dropout: Dropout,
    pub(crate) columns: f64,
}

impl BoostingTask<'_> {
    /// Returns the weight of a row without the class weights of the objective.
    pub(crate) fn unscaled_row_weight(&self, row: usize) -> f64 {
        match self.weighing {
            RowWeights::ByClass(weights) => weights[self.classes[row] as usize],
            RowWeights::ByRow(weights) => weights[row],
        }
    }

    #[inline]
    fn scaled_row_weight(&self, row: usize) -> f64 {
        self.unscaled_row_weight(row) * self.factors[self.classes[row] as usize]
    }

    fn scaled_class_masses(&self, rows: &[u32]) -> Vec<f64> {
        self.class_masses(rows).iter().zip(self.factors).map(|(mass, factor)| mass * factor).collect()
    }

    /// Returns the weight sum of each class in `rows`, without the objective's class weights.
    pub(crate) fn class_masses(&self, rows: &[u32]) -> Vec<f64> {
        let mut masses = vec![0.0; self.n_classes];
        for &row in rows {
            masses[self.classes[row as usize] as usize] += self.unscaled_row_weight(row as usize);
        }
        masses
    }

    /// Sign by which a score is multiplied so that larger scores favor the positive class.
    fn positive_class_sign(&self) -> f64 {
        if self.positive == 1 { 1.0 } else { -1.0 }
    }

    /// Returns the factor by which ranking losses are multiplied; 1 for other losses.
    ///
    /// It is the mass of the smallest class among all training rows, divided by the smallest class mass in
    /// `rows`. Thus the loss on a sample of the rows has the same scale as the loss on all rows.
    fn ranking_loss_factor(&self, rows: &[u32]) -> f64 {
        let part = smallest_class_mass(&self.class_masses(rows));
        if matches!(self.loss, Loss::Order { .. }) && part > 0.0 { self.lesser / part } else { 1.0 }
    }

    fn rarest_class(&self, rows: &[u32]) -> (u32, usize) {
        let mut counts = vec![0; self.n_classes];
        for &row in rows {
            counts[self.classes[row as usize] as usize] += 1;
        }
        (0..).zip(counts).filter(|&(_, count)| count > 0).min_by_key(|&(_, count)| count).unwrap_or((0, 0))
    }

    fn initial_scores(&self, rows: &[u32]) -> Vec<f64> {
        let masses = self.scaled_class_masses(rows);
        let total: f64 = masses.iter().sum();
        // An absent class gets a tiny probability instead of 0.
        let log_share = |mass: f64| (mass / total).max(1e-300).ln();
        match self.loss {
            Loss::Order { .. } => vec![0.0],
            Loss::Softmax => masses.iter().map(|&mass| log_share(mass)).collect(),
            loss => vec![loss.score_of_log_odds(log_share(masses[1]) - log_share(masses[0]))],
        }
    }
}

pub(crate) fn smallest_class_mass(masses: &[f64]) -> f64 {
    masses.iter().copied().fold(f64::INFINITY, f64::min)
}

enum SharedRoundValues {
    /// No shared values: the derivatives of a row depend only on the row's own score.
    Nothing,
    /// Class probabilities of all rows, if there is more than one score per row.
    Proba(Vec<f64>),
    Order(RankingDerivatives),
}

pub(crate) struct Booster<'t> {
    task: &'t BoostingTask<'t>,
    matrix: Arc<BoostedMatrix>,
    /// Training rows, in ascending order.
    ///
    /// `others` are the remaining rows, ascending: their scores are updated, but trees are not fitted to
    /// them.
    rows: Vec<u32>,
    others: Vec<u32>,
    rarest: u32,
    lift: f64,
    pub(crate) start: Vec<f64>,
    /// Sum of the leaf values of all trees, for every row of the table and every score.
    ///
    /// The numbers are in row-major order. Initial scores are not included.
    sums: Vec<f64>,
    kept: Vec<f64>,
    past: DartTreeHistory,
    scale: FixedPointScale,
    slopes: Vec<FixedPointDerivatives>,
    spare: Vec<GradientHistogram>,
}

impl<'t> Booster<'t> {
    /// The target statistics in `matrix` must be computed from the training rows `rows`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn new(
        task: &'t BoostingTask<'t>,
        matrix: Arc<BoostedMatrix>,
        rows: Vec<u32>,
        others: Vec<u32>,
    ) -> Result<Self> {
        let n_rows = matrix.n_rows;
        let heaviest = rows.iter().map(|&row| task.scaled_row_weight(row as usize)).fold(0.0, f64::max);
        let (rarest, n_rare) = task.rarest_class(&rows);
        let (start, lift) = (task.initial_scores(&rows), task.ranking_loss_factor(&rows));
        let most = heaviest * lift * task.draw.max_weight_factor(rows.len() - n_rare);
        Ok(Self {
            task,
            matrix,
            scale: FixedPointScale::new(task.loss.derivative_bounds().map(|slope| slope * most), rows.len()),
            sums: memory::filled(n_rows * start.len(), 0.0, "scores")?,
            kept: Vec::new(),
            past: DartTreeHistory::default(),
            slopes: memory::filled(n_rows, FixedPointDerivatives::default(), "derivatives")?,
            rows,
            others,
            rarest,
            lift,
            start,
            spare: Vec::new(),
        })
    }

    fn write_row_scores(&self, row: usize, scores: &mut [f64]) {
        let sums = &self.sums[row * self.start.len()..];
        for ((score, sum), start) in scores.iter_mut().zip(sums).zip(&self.start) {
            *score = sum + start;
        }
    }

    pub(crate) fn predictions(&self, training: bool) -> HeldOutProba {
        let (n, rows) = (self.task.n_classes, if training { &self.rows } else { &self.others });
        let (mut scores, mut proba) = (vec![0.0; self.start.len()], vec![0.0; rows.len() * n]);
        for (&row, proba) in rows.iter().zip(proba.chunks_exact_mut(n)) {
            self.write_row_scores(row as usize, &mut scores);
            self.task.loss.proba(&scores, proba);
        }
        if let Some(shift) = self.task.shift {
            shift.apply(&mut proba);
        }
        if let Some(labels) = self.task.cost_labels {
            return labels.held_out_proba(rows, proba);
        }
        let classes = rows.iter().map(|&row| self.task.classes[row as usize]).collect();
        let weights = rows.iter().map(|&row| self.task.unscaled_row_weight(row as usize)).collect();
        HeldOutProba { classes, weights, proba }
    }

    pub(crate) fn class_proportions(&self) -> Vec<f64> {
        let HeldOutProba { classes, weights, .. } = self.predictions(true);
        let mut masses = vec![0.0; self.task.n_classes];
        for (class, weight) in classes.into_iter().zip(weights) {
            masses[class as usize] += weight;
        }
        let total: f64 = masses.iter().sum();
        masses.into_iter().map(|mass| mass / total).collect()
    }

    pub(crate) fn held_out_rows(&self) -> &[u32] {
        &self.others
    }

    pub(crate) fn save_scores(&mut self) {
        self.kept.clone_from(&self.sums);
    }

    /// Restores the scores of the best round and frees the buffers that training needs.
    pub(crate) fn restore_best_scores(&mut self) {
        self.sums = std::mem::take(&mut self.kept);
        (self.slopes, self.spare, self.past) = (Vec::new(), Vec::new(), DartTreeHistory::default());
    }

    /// Trains one round: one tree per score.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn train_round(&mut self, key: SeedKey, ctl: RunContext<'_>) -> Result<DartRound> {
        let shared_matrix = Arc::clone(&self.matrix);
        let (matrix, n_scores) = (&*shared_matrix, self.start.len());
        let order = self.task.encoder.draw_row_order(key);
        let dropout = (self.task.dropout, key.child(tags::boosted::DROPPED, 0));
        let left_out = self.past.subtract_dropped_rounds(dropout, (matrix, &mut self.sums, n_scores));
        let shared = self.compute_shared_round_values(ctl)?;
        let mut drawn = self.draw_rows(&shared, key);
        let mut members = Vec::with_capacity(n_scores);
        for score in 0..n_scores {
            self.compute_derivatives(score, &shared, &drawn, ctl)?;
            if score > 0 {
                // Rows are sorted again, because growing a tree leaves them in the order of the leaves.
                drawn.lists.lists.iter_mut().for_each(|rows| rows.sort_unstable());
            }
            let places = self.draw_columns(order, key.child(tags::boosted::COLUMNS, score as u32));
            let grower = BoostedGrower {
                matrix,
                limits: self.task.limits,
                rules: self.task.rules,
                slopes: RowDerivatives { of_rows: &self.slopes, scale: self.scale },
                places: &places,
                key: key.child(tags::boosted::NOISE, score as u32),
                ctl,
            };
            let nodes = grower.grow(&mut drawn.lists, &mut self.spare)?;
            members.push(self.add_grown_tree_to_scores(&nodes, &drawn, (score, left_out.share)));
        }
        Ok(self.past.restore_dropped_rounds(left_out, members, (matrix, &mut self.sums, n_scores)))
    }

    fn draw_rows(&self, shared: &SharedRoundValues, key: SeedKey) -> RoundRowSample {
        let key = key.child(tags::boosted::ROWS, 0);
        let (rows, others) = (&self.rows, &self.others);
        match self.task.draw {
            RowSampling::Uniform(share) if share >= 1.0 => RoundRowSample::with_all_rows(rows, others),
            RowSampling::Uniform(share) => RoundRowSample::sample_uniformly(share, rows, others, key),
            RowSampling::OneSide { top, other } => {
                let is_rare = |row: &&u32| self.task.classes[**row as usize] == self.rarest;
                let (rare, common): (Vec<u32>, Vec<u32>) = rows.iter().partition(is_rare);
                let size = |&row: &u32| self.total_absolute_gradient(row as usize, shared);
                let sizes: Vec<f64> = common.par_iter().map(size).collect();
                let key = (key, self.matrix.n_rows);
                RoundRowSample::sample_by_gradient((top, other), (&rare, &common), &sizes, others, key)
            }
        }
    }

    fn total_absolute_gradient(&self, row: usize, shared: &SharedRoundValues) -> f64 {
        (0..self.start.len()).map(|score| self.weighted_derivatives(row, score, shared).0.abs()).sum()
    }

    /// `order` selects the random order of rows on which the target statistics depend.
    fn draw_columns(&self, order: u32, key: SeedKey) -> Vec<u32> {
        let mut places = self.matrix.splittable_columns(order);
        let share = self.task.columns;
        if share < 1.0 && !places.is_empty() {
            shuffle(&mut key.rng(), &mut places);
            // The fraction and the count are nonnegative, so the cast loses no sign.
            #[allow(clippy::cast_sign_loss)]
            places.truncate(((share * places.len() as f64).round() as usize).max(1));
            places.sort_unstable();
        }
        places
    }

    fn compute_shared_round_values(&self, ctl: RunContext<'_>) -> Result<SharedRoundValues> {
        Ok(match self.task.loss {
            Loss::Logistic | Loss::Focal { .. } => SharedRoundValues::Nothing,
            Loss::Softmax => SharedRoundValues::Proba(self.softmax_of_all_rows(ctl)?),
            Loss::Order { of, .. } => {
                let ranked = |&row: &u32| ScoredRow {
                    score: self.task.positive_class_sign() * self.sums[row as usize],
                    weight: self.task.unscaled_row_weight(row as usize),
                    is_positive: self.task.classes[row as usize] == self.task.positive,
                };
                let rows: Vec<ScoredRow> = self.rows.iter().map(ranked).collect();
                SharedRoundValues::Order(RankingDerivatives::new(of, &rows, self.lift))
            }
        })
    }

    fn softmax_of_all_rows(&self, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let n = self.start.len();
        let mut proba = memory::filled(self.sums.len(), 0.0, "probabilities")?;
        proba.par_chunks_mut(STRETCH * n).enumerate().try_for_each(|(chunk, proba)| {
            ctl.check()?;
            for (row, proba) in (chunk * STRETCH..).zip(proba.chunks_exact_mut(n)) {
                self.write_row_scores(row, proba);
                self.task.loss.activate_scores(proba);
            }
            Ok(())
        })?;
        Ok(proba)
    }

    #[inline]
    fn weighted_derivatives(&self, row: usize, score: usize, shared: &SharedRoundValues) -> (f64, f64) {
        let (task, n) = (self.task, self.start.len());
        let score_class = if n == 1 { 1 } else { score as u32 };
        let class = task.classes[row];
        let of_loss = |score| task.loss.derivatives(score, class == score_class, task.n_classes);
        let (gradient, hessian) = match shared {
            SharedRoundValues::Nothing => of_loss(self.sums[row] + self.start[0]),
            SharedRoundValues::Proba(proba) => of_loss(proba[row * n + score]),
            SharedRoundValues::Order(order) => {
                let sign = task.positive_class_sign();
                let (gradient, hessian) = order.derivatives(sign * self.sums[row], class == task.positive);
                (sign * gradient, hessian)
            }
        };
        let weight = task.scaled_row_weight(row);
        (gradient * weight, hessian * weight)
    }

    fn compute_derivatives(
        &mut self,
        score: usize,
        shared: &SharedRoundValues,
        drawn: &RoundRowSample,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let mut slopes = std::mem::take(&mut self.slopes);
        slopes.par_chunks_mut(STRETCH).enumerate().try_for_each(|(chunk, slopes)| {
            ctl.check()?;
            for (row, slope) in (chunk * STRETCH..).zip(slopes) {
                let (gradient, hessian) = self.weighted_derivatives(row, score, shared);
                let times = drawn.weight_factor(row);
                *slope = self.scale.to_fixed_point(gradient * times, hessian * times);
            }
            Ok(())
        })?;
        self.slopes = slopes;
        Ok(())
    }

    /// Adds the leaf values of a new tree, times the DART factor `share`, to all rows' scores.
    fn add_grown_tree_to_scores(
        &mut self,
        nodes: &[GrownNode],
        drawn: &RoundRowSample,
        (score, share): (usize, f64),
    ) -> BoostedTree {
        // A tree without splits gets the value 0, because its value would only reflect which rows were drawn.
        let step = |node: &GrownNode| {
            if nodes.len() == 1 {
                return 0.0;
            }
            let value = self.task.limits.leaf_value(self.scale.cell_to_float_sums(node.sums));
            share * node.reach.clip_leaf_value(value)
        };
        let values: Vec<f64> = nodes.iter().map(step).collect();
        self.update_scores(nodes, drawn, (&values, score));
        if self.task.dropout.is_enabled() {
            self.past.add_tree_to_history(nodes, &self.matrix, (&values, score));
        }
        let mass = self.node_masses(nodes, drawn);
        let n_rows = |node: &GrownNode| self.scale.n_rows_in_cell(node.sums);
        BoostedTree::new((nodes, &*self.matrix), n_rows, (values, mass), score as u32)
    }

    /// Adds the leaf values of the trees of an earlier fit to the scores of all rows.
    ///
    /// `key` is the random key of the earlier fit; it determines the target statistics that each tree used.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn add_earlier_tree_scores(
        &mut self,
        members: &[BoostedTree],
        (frame, key): (&Frame<'_>, SeedKey),
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let n = self.start.len();
        for (at, BoostedTree { tree, values, score }) in members.iter().enumerate() {
            ctl.check()?;
            let leaves = if tree.target_statistic_tables().tables().is_empty() {
                leaf_of_rows(tree, frame, ctl)?
            } else {
                let order =
                    self.task.encoder.draw_row_order(key.child(tags::boosted::ROUND, (at / n) as u32));
                self.matrix.training_leaf_of_rows(tree, frame.columns(), order)
            };
            for (sums, leaf) in self.sums.chunks_exact_mut(n).zip(leaves) {
                sums[*score as usize] += values[leaf as usize];
            }
        }
        Ok(())
    }

    /// Each thread updates a chunk of the table.
    ///
    /// It finds the rows of a leaf in this chunk by binary search, because the rows of a leaf are ascending.
    fn update_scores(
        &mut self,
        nodes: &[GrownNode],
        drawn: &RoundRowSample,
        (values, score): (&[f64], usize),
    ) {
        let n = self.start.len();
        let leaves = nodes.iter().zip(values).filter(|(node, _)| node.split.is_none());
        let lists = leaves.flat_map(|(node, value)| {
            drawn.lists.lists.iter().zip(&node.rows).map(move |(rows, part)| (&rows[part.clone()], value))
        });
        let lists: Vec<(&[u32], &f64)> = lists.filter(|(rows, _)| !rows.is_empty()).collect();
        self.sums.par_chunks_mut(STRETCH * n).enumerate().for_each(|(chunk, sums)| {
            let (first, end) = (chunk * STRETCH, (chunk + 1) * STRETCH);
            for (rows, value) in &lists {
                let begin = rows.partition_point(|&row| (row as usize) < first);
                for &row in rows[begin..].iter().take_while(|&&row| (row as usize) < end) {
                    sums[(row as usize - first) * n + score] += *value;
                }
            }
        });
    }

    fn node_masses(&self, nodes: &[GrownNode], drawn: &RoundRowSample) -> Vec<f64> {
        let n = self.task.n_classes;
        let leaf_mass = |node: &GrownNode| {
            let mut mass = vec![0.0; n];
            if node.split.is_none() {
                for &row in &drawn.lists.lists[0][node.rows[0].clone()] {
                    let row = row as usize;
                    mass[self.task.classes[row] as usize] +=
                        self.task.unscaled_row_weight(row) * drawn.weight_factor(row);
                }
            }
            mass
        };
        let mut masses: Vec<f64> = nodes.par_iter().map(leaf_mass).collect::<Vec<_>>().concat();
        // Children have larger indices than their parents, so a reverse loop visits them first.
        for (index, node) in nodes.iter().enumerate().rev() {
            let Some(split) = &node.split else { continue };
            for class in 0..n {
                let mass = |node: usize| masses[node * n + class];
                masses[index * n + class] = mass(split.first_child) + mass(split.first_child + 1);
            }
        }
        masses
    }
}
