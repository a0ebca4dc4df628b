//! Fitted forests.

use crate::compact_forest::CompactForest;
use crate::forest_predictions::{LeafVoteRule, VotingMode, sum_predictions, vote_for_largest};
use crate::importance_sums::ImportanceSums;
use crate::shrinkage_choice::ShrinkageChoice;
use imbcore_core::{
    Classifier, Column, Error, Frame, PriorShift, Result, RunContext, index_of_first_largest, memory,
};
use imbcore_trees::{
    ColumnKind, EncodedData, LeafEstimate, TargetStatisticTables, Tree, TreeModel, allocate_shapley_values,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LeafPredictionRule {
    pub leaf: LeafEstimate,
    /// Weight of the prior in the m-estimate.
    pub m: f64,
    /// Whether a row with a missing value goes to every branch of a split, with a fraction each.
    pub fraction: bool,
    pub voting: VotingMode,
    /// Whether the hard vote of a leaf is weighted by the mean weight of its training rows.
    /// See Chen, Liaw and Breiman 2004.
    pub weighted_votes: bool,
}

/// Out-of-bag predictions of a forest or an ensemble, and their score.
#[derive(Clone, Debug)]
pub struct OutOfBag {
    /// Out-of-bag predictions for every training row, `n_rows x n_classes`.
    /// They are NaN for rows without a prediction, such as rows to which every member was fitted.
    pub decision: Vec<f64>,
    /// Score of the out-of-bag predictions.
    pub score: f64,
}

impl OutOfBag {
    /// Copies predictions to a larger table with `n_rows` rows; the i-th row moves to `rows[i]`.
    ///
    /// All other rows of the larger table get NaN.
    pub(crate) fn scatter_to_larger_table(&mut self, rows: &[u32], n_rows: usize) {
        if rows.is_empty() {
            return;
        }
        let n_classes = self.decision.len() / rows.len();
        let mut decision = vec![f64::NAN; n_rows * n_classes];
        for (&row, answer) in rows.iter().zip(self.decision.chunks_exact(n_classes)) {
            decision[row as usize * n_classes..][..n_classes].copy_from_slice(answer);
        }
        self.decision = decision;
    }
}

impl PartialEq for OutOfBag {
    /// Compares bit by bit, including NaN.
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits();
        self.decision.len() == other.decision.len()
            && self.decision.iter().zip(&other.decision).all(|(a, b)| same(a, b))
            && same(&self.score, &other.score)
    }
}

/// A forest: trees in compact form, and the prediction rule.
#[derive(Clone, Debug)]
pub struct ForestModel {
    pub(crate) packed: CompactForest,
    pub(crate) columns: Vec<ColumnKind>,
    pub(crate) prediction_rule: LeafPredictionRule,
    pub(crate) importances: Vec<f64>,
    pub(crate) alphas: Vec<f64>,
    pub(crate) out_of_bag: Option<OutOfBag>,
    /// For each tree, the bit set of its training rows, if out-of-bag predictions are requested.
    pub(crate) seen: Arc<[Vec<u64>]>,
    pub(crate) shift: Option<PriorShift>,
    /// Sums of gains; the importances of a larger forest are computed from them.
    ///
    /// They are not stored in files.
    pub(crate) gains: Option<ImportanceSums>,
    /// Tables of target statistics of nominal columns.
    ///
    /// The compact trees treat these tables as further columns, after the columns of the data.
    pub(crate) statistics: TargetStatisticTables,
    pub(crate) shrinkage: Option<ShrinkageChoice>,
}

impl PartialEq for ForestModel {
    /// Compares all values that affect predictions or are stored in files.
    fn eq(&self, other: &Self) -> bool {
        let Self {
            packed,
            columns,
            prediction_rule,
            importances,
            alphas,
            out_of_bag,
            seen: _,
            shift,
            gains: _,
            shrinkage,
            statistics,
        } = self;
        *packed == other.packed
            && *columns == other.columns
            && *prediction_rule == other.prediction_rule
            && *importances == other.importances
            && *alphas == other.alphas
            && *out_of_bag == other.out_of_bag
            && *shift == other.shift
            && *statistics == other.statistics
            && *shrinkage == other.shrinkage
    }
}

impl ForestModel {
    pub(crate) fn new(packed: CompactForest, columns: Vec<ColumnKind>, rule: LeafPredictionRule) -> Self {
        let (importances, alphas, seen) = (vec![0.0; columns.len()], Vec::new(), [].into());
        let (out_of_bag, shift, gains, shrinkage) = (None, None, None, None);
        let statistics = TargetStatisticTables::default();
        Self {
            packed,
            columns,
            prediction_rule: rule,
            importances,
            alphas,
            out_of_bag,
            seen,
            shift,
            gains,
            statistics,
            shrinkage,
        }
    }

    /// Converts a forest on columns of target statistics to a forest on the original columns.
    ///
    /// The result cannot be extended by more trees, because its sums of gains belong to the columns of target
    /// statistics.
    #[must_use]
    pub(crate) fn with_original_columns(mut self, encoded: &EncodedData) -> Self {
        self.packed.renumber_columns(encoded.source_columns());
        Self {
            columns: encoded.column_kinds().to_vec(),
            importances: encoded.sum_by_source_column(&self.importances),
            statistics: encoded.target_statistic_tables().clone(),
            gains: None,
            ..self
        }
    }

    pub(crate) fn with_prior_correction(self, shift: Option<PriorShift>) -> Self {
        Self { shift, ..self }
    }

    pub(crate) fn with_shrinkage(self, shrinkage: Option<ShrinkageChoice>) -> Self {
        Self { shrinkage, ..self }
    }

    /// Shrinkage of the leaf probabilities, if it was chosen on held-out rows.
    ///
    /// `None` also for a merged forest whose parts have different shrinkage.
    pub fn shrinkage(&self) -> Option<ShrinkageChoice> {
        self.shrinkage
    }

    /// Prior correction from the class proportions of samples to those of the data, if enabled.
    pub fn prior_correction(&self) -> Option<&PriorShift> {
        self.shift.as_ref()
    }

    pub(crate) fn with_tree_stats(self, gains: ImportanceSums, alphas: Vec<f64>) -> Self {
        Self { importances: gains.means(), gains: Some(gains), alphas, ..self }
    }

    pub(crate) fn with_out_of_bag(self, out_of_bag: OutOfBag, seen: Vec<Vec<u64>>) -> Self {
        Self { out_of_bag: Some(out_of_bag), seen: seen.into(), ..self }
    }

    /// Merges the trees of several forests in order.
    /// `importances` has the importances of each tree.
    ///
    /// # Errors
    /// [`Error::Data`] if there are no forests, if the forests differ in columns, classes, prediction rules or
    /// target statistics, or if only some of them have an alpha for every tree.
    pub fn from_merged_forests(parts: &[&Self], importances: &[Vec<f64>]) -> Result<Self> {
        let Some(&first) = parts.first() else {
            return Err(Error::Data("there are no forests to merge".into()));
        };
        let alike = |part: &&Self| {
            part.columns == first.columns
                && part.prediction_rule == first.prediction_rule
                && part.n_classes() == first.n_classes()
                && part.statistics == first.statistics
                && part.alphas.is_empty() == first.alphas.is_empty()
        };
        if !parts.iter().all(alike) {
            return Err(Error::Data(
                "forests with different columns, classes, votes or target statistics cannot be merged".into(),
            ));
        }
        let (mut packed, mut gains) =
            (CompactForest::new(first.n_classes()), ImportanceSums::new(first.columns.len()));
        for part in parts {
            packed.append(&part.packed);
        }
        for of_tree in importances {
            gains.add(of_tree);
        }
        packed.shrink_to_fit();
        let alphas = parts.iter().flat_map(|part| &part.alphas).copied().collect();
        let shifts: Vec<_> = parts.iter().map(|part| (part.shift.as_ref(), part.n_trees())).collect();
        // Forests that were fitted to different rows may have different shrinkage. No single value would
        // describe the merged forest.
        let shrinkage =
            first.shrinkage.filter(|_| parts.iter().all(|part| part.shrinkage == first.shrinkage));
        let merged = Self::new(packed, first.columns.clone(), first.prediction_rule)
            .with_shrinkage(shrinkage)
            .with_tree_stats(gains, alphas)
            .with_prior_correction(PriorShift::average_shifts(&shifts));
        Ok(Self { statistics: first.statistics.clone(), ..merged })
    }

    /// Number of trees.
    pub fn n_trees(&self) -> usize {
        self.packed.n_trees()
    }

    /// Total number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.packed.n_leaves()
    }

    /// Total number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.packed.n_nodes()
    }

    /// Largest number of splits on a path from a root to a leaf.
    pub fn depth(&self) -> u32 {
        let depth = |tree| self.packed.node_depths(tree).into_iter().max().unwrap_or_default();
        (0..self.n_trees()).map(depth).max().unwrap_or_default()
    }

    /// Memory of the trees in bytes.
    pub fn memory_size_bytes(&self) -> usize {
        self.packed.memory_size_bytes()
    }

    /// For each feature, its mean fraction of the total gain of a tree.
    /// Trees without gain, such as trees without a split, are not counted.
    pub fn feature_importances(&self) -> &[f64] {
        &self.importances
    }

    /// Alpha of every tree; empty if all trees have the same criterion.
    pub fn criterion_alpha_by_tree(&self) -> &[f64] {
        &self.alphas
    }

    /// Out-of-bag predictions and their score, if requested.
    pub fn out_of_bag(&self) -> Option<&OutOfBag> {
        self.out_of_bag.as_ref()
    }

    /// Replaces row numbers of out-of-bag predictions and samples by those of the whole table.
    ///
    /// The whole table has `n_rows` rows, including rows of weight 0 that the fit did not get. For each row
    /// of the fit, `rows` has its number in the whole table.
    pub fn map_out_of_bag_rows(&mut self, rows: &[u32], n_rows: usize) {
        let Some(found) = &mut self.out_of_bag else { return };
        found.scatter_to_larger_table(rows, n_rows);
        let placed = |seen: &Vec<u64>| {
            let mut bits = vec![0_u64; n_rows.div_ceil(64)];
            for (_, &row) in rows.iter().enumerate().filter(|(at, _)| seen[at / 64] >> (at % 64) & 1 == 1) {
                bits[row as usize / 64] |= 1 << (row % 64);
            }
            bits
        };
        self.seen = self.seen.iter().map(placed).collect();
    }

    /// Removes out-of-bag predictions that the fit needed, but the user did not request.
    pub fn discard_out_of_bag(&mut self) {
        self.out_of_bag = None;
        self.seen = [].into();
    }

    /// Expands one tree.
    ///
    /// # Errors
    /// [`Error::Data`] if there is no such tree.
    pub fn expand_tree_model(&self, tree: usize) -> Result<TreeModel> {
        if tree >= self.n_trees() {
            let message = format!("the forest has {} trees, there is no tree {tree}", self.n_trees());
            return Err(Error::Data(message));
        }
        let arrays = self.statistics.decode_splits(self.packed.unpack_tree_arrays(tree), self.columns.len());
        let tree = Tree::from_arrays(arrays, &self.columns, self.packed.n_classes())?;
        let LeafPredictionRule { leaf, m, fraction, .. } = self.prediction_rule;
        Ok(TreeModel::new(tree, leaf, m, fraction))
    }

    pub(crate) fn leaf_prediction_and_weight(&self, member: &TreeModel, leaf: usize) -> (Vec<f64>, f64) {
        let mut answer = member.node_proba(leaf).to_vec();
        let weight = match self.prediction_rule.voting {
            VotingMode::Soft => 1.0,
            VotingMode::Hard if self.prediction_rule.weighted_votes => {
                vote_for_largest(mean_row_weight_in_leaf(member, leaf as u32), &mut answer)
            }
            VotingMode::Hard => vote_for_largest(1.0, &mut answer),
        };
        (answer, weight)
    }

    /// For each row and tree, whether the tree was fitted without the row: `n_rows x n_trees`.
    pub fn out_of_bag_mask(&self) -> Option<Vec<bool>> {
        let n_rows = self.out_of_bag.as_ref()?.decision.len() / self.packed.n_classes();
        let unseen = |row: usize| self.seen.iter().map(move |seen| seen[row / 64] >> (row % 64) & 1 == 0);
        (!self.seen.is_empty()).then(|| (0..n_rows).flat_map(unseen).collect())
    }

    /// Class probabilities of every row by each tree, `n_trees x n_rows x n_classes`.
    ///
    /// # Errors
    /// Same errors as the trees; [`Error::Memory`].
    pub fn trees_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let size = self.n_trees() * frame.n_rows() * self.packed.n_classes();
        let mut all = memory::try_with_capacity(size, "predictions of the trees")?;
        for tree in 0..self.n_trees() {
            all.extend(self.expand_tree_model(tree)?.proba(frame, ctl.without_observer())?);
        }
        Ok(all)
    }

    /// Leaf of every row in every tree, `n_rows x n_trees`, as node indices of the single trees.
    ///
    /// # Errors
    /// [`Error::Column`] for an infinity, [`Error::Cancelled`].
    pub fn apply(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        let n_trees = self.n_trees();
        let mut leaves = vec![0; frame.n_rows() * n_trees];
        for tree in 0..n_trees {
            let of_tree = self.expand_tree_model(tree)?.apply(frame, ctl)?;
            for (leaf, row) in of_tree.into_iter().zip(leaves.chunks_exact_mut(n_trees)) {
                row[tree] = leaf;
            }
        }
        Ok(leaves)
    }

    /// Shapley values of every column for the forest's prediction of `class`.
    /// They are `n_rows x n_columns`, returned with the base value. Both are means of [`TreeModel::shapley`]
    /// over the trees, before prior correction.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the prediction is not a sum over trees. This is the case for weighted votes,
    /// and for votes if a row can reach several leaves. Otherwise the same errors as [`TreeModel::shapley`].
    pub fn shapley(
        &self,
        frame: &Frame<'_>,
        class: usize,
        background: Option<&Frame<'_>>,
        ctl: RunContext<'_>,
    ) -> Result<(Vec<f64>, f64)> {
        let LeafPredictionRule { voting, weighted_votes, fraction, .. } = self.prediction_rule;
        let mut frames = background.into_iter().chain([frame]);
        let which = match voting {
            VotingMode::Hard if weighted_votes => "votes weighted by leaf",
            VotingMode::Hard if fraction && frames.any(Frame::has_missing) => {
                "votes on rows that reach several leaves"
            }
            _ => "",
        };
        if !which.is_empty() {
            let message =
                format!("{which} are not additive, so they have no Shapley values; fit with voting=\"soft\"");
            return Err(Error::Unsupported(message));
        }
        let leaf_value = |proba: &[f64]| match voting {
            VotingMode::Soft => proba[class],
            VotingMode::Hard => f64::from(u8::from(index_of_first_largest(proba) == class as u32)),
        };
        let n_trees = self.n_trees();
        let mut sums = allocate_shapley_values(frame, background)?;
        let mut base = 0.0;
        for tree in 0..n_trees {
            base +=
                self.expand_tree_model(tree)?.add_shapley(leaf_value, frame, background, &mut sums, ctl)?;
            ctl.report_progress("trees", tree as u64 + 1, n_trees as u64);
        }
        for sum in &mut sums {
            *sum /= n_trees as f64;
        }
        Ok((sums, base / n_trees as f64))
    }

    fn mean_tree_predictions(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let (mut sums, weights) = self.sum_tree_predictions(frame, None, ctl)?;
        divide_by_weights(&mut sums, &weights);
        Ok(sums)
    }

    pub(crate) fn sum_tree_predictions(
        &self,
        frame: &Frame<'_>,
        includes: Option<&(dyn Fn(usize, usize) -> bool + Sync)>,
        ctl: RunContext<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let LeafPredictionRule { leaf, m, fraction, voting, weighted_votes } = self.prediction_rule;
        let leaf_vote = LeafVoteRule { rule: leaf, m, voting, weighted: weighted_votes };
        if fraction && frame.has_missing() {
            return self.sum_fractional_row_predictions(leaf_vote, frame, includes, ctl);
        }
        if self.statistics.tables().is_empty() {
            return sum_predictions(&self.packed, leaf_vote, frame, includes, ctl);
        }
        let numbers = self.statistics.target_statistics_of_rows(frame)?;
        let columns = frame.columns().iter().copied().chain(numbers.iter().map(|x| Column::from_numbers(x)));
        sum_predictions(&self.packed, leaf_vote, &Frame::new(columns.collect())?, includes, ctl)
    }

    /// Like [`Self::sum_tree_predictions`], for trees in which a row may reach several leaves.
    fn sum_fractional_row_predictions(
        &self,
        leaf_vote: LeafVoteRule,
        frame: &Frame<'_>,
        includes: Option<&(dyn Fn(usize, usize) -> bool + Sync)>,
        ctl: RunContext<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let c = self.packed.n_classes();
        let mut sums = memory::filled(frame.n_rows() * c, 0.0, "predictions")?;
        let mut weights = memory::filled(frame.n_rows(), 0.0, "predictions")?;
        for tree in 0..self.n_trees() {
            let member = self.expand_tree_model(tree)?;
            let mut proba = member.proba(frame, ctl)?;
            let leaves = if leaf_vote.weighted { member.apply(frame, ctl)? } else { Vec::new() };
            for (row, answer) in proba.chunks_exact_mut(c).enumerate() {
                if includes.is_some_and(|includes| !includes(tree, row)) {
                    continue;
                }
                let vote_weight = |&leaf: &u32| mean_row_weight_in_leaf(&member, leaf);
                weights[row] += match leaf_vote.voting {
                    VotingMode::Soft => 1.0,
                    VotingMode::Hard => vote_for_largest(leaves.get(row).map_or(1.0, vote_weight), answer),
                };
                for (sum, part) in sums[row * c..(row + 1) * c].iter_mut().zip(answer) {
                    *sum += *part;
                }
            }
        }
        Ok((sums, weights))
    }
}

fn mean_row_weight_in_leaf(model: &TreeModel, leaf: u32) -> f64 {
    match model.tree().n_node_rows(leaf as usize) {
        0 => 1.0,
        rows => model.tree().total_mass(leaf as usize) / f64::from(rows),
    }
}

impl Classifier for ForestModel {
    fn n_classes(&self) -> usize {
        self.packed.n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let mut proba = self.mean_tree_predictions(frame, ctl)?;
        if let Some(shift) = &self.shift {
            shift.apply(&mut proba);
        }
        Ok(proba)
    }

    /// Predicted classes are computed from the votes before prior correction.
    /// A forest trained on balanced samples therefore predicts as if all classes were equally frequent.
    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        let mut proba = self.mean_tree_predictions(frame, ctl)?;
        let answers = proba.chunks_exact(self.n_classes()).map(index_of_first_largest).collect();
        if let Some(shift) = &self.shift {
            shift.apply(&mut proba);
        }
        Ok((answers, proba))
    }
}

/// Divides sums of predictions by sums of weights; NaN if the weights sum to 0.
pub(crate) fn divide_by_weights(sums: &mut [f64], weights: &[f64]) {
    let c = sums.len() / weights.len().max(1);
    for (answers, &weight) in sums.chunks_exact_mut(c.max(1)).zip(weights) {
        for answer in answers {
            *answer = if weight > 0.0 { *answer / weight } else { f64::NAN };
        }
    }
}
