//! Fitted boosted trees and their predictions.

use crate::boosted::boosted_tree::BoostedTree;
use crate::boosted::cost_differences::CostProbaConversion;
use crate::boosted::loss::Loss;
use crate::model::allocate_shapley_values;
use crate::prediction::shapley::{self, TreeShapContext};
use crate::prediction::tree_traversal::{fill_in_blocks, write_block_leaves};
use crate::statistics::TargetStatisticTables;
use crate::tree::{ColumnKind, Tree};
use imbcore_core::{
    Classifier, Error, Frame, PriorShift, Result, RunContext, index_of_first_largest, memory,
};

/// Trees whose leaf values add up to the scores of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct BoostedModel {
    pub(crate) members: Vec<BoostedTree>,
    pub(crate) columns: Vec<ColumnKind>,
    pub(crate) n_classes: usize,
    pub(crate) loss: Loss,
    /// Scores of a row before the first tree, including the base-rate correction of the log loss.
    pub(crate) start: Vec<f64>,
    pub(crate) shift: Option<PriorShift>,
    pub(crate) cost_differences: Option<CostProbaConversion>,
    /// Held-out score after every round; empty unless early stopping chose the number of rounds.
    pub(crate) path: Vec<f64>,
    pub(crate) statistics: TargetStatisticTables,
}

impl BoostedModel {
    /// Adds a correction so that the mean probabilities match the class frequencies of the data.
    ///
    /// `given` contains the class masses of the data. `learned` contains the class masses after
    /// multiplication by the class weights of the objective. The correction first undoes the class weights,
    /// and then multiplies the probabilities by the class `factors`. Predicted classes of a model with
    /// balanced weights do not change.
    pub(crate) fn with_base_rate_correction(
        mut self,
        factors: &[f64],
        (learned, given): (&[f64], &[f64]),
    ) -> Self {
        let logs: Vec<f64> = factors.iter().map(|factor| factor.ln()).collect();
        if let Some(differences) = self.cost_differences {
            self.cost_differences = Some(differences.with_log_odds_offset(logs[1] - logs[0]));
            return self;
        }
        if learned != given {
            let given: Vec<f64> = given.iter().zip(factors).map(|(mass, factor)| mass * factor).collect();
            self.shift = PriorShift::from_proportions(learned, &given);
            return self;
        }
        match self.loss {
            Loss::Softmax => self.start.iter_mut().zip(logs).for_each(|(start, log)| *start += log),
            Loss::Logistic => self.start[0] += logs[1] - logs[0],
            Loss::Focal { gamma, .. } => self.loss = Loss::Focal { gamma, level: logs[1] - logs[0] },
            // For ranking losses, the intercept of `with_calibration_line` already contains the correction.
            Loss::Order { .. } => {}
        }
        self
    }

    pub(crate) fn with_calibration_line(mut self, line: [f64; 2]) -> Self {
        if let Loss::Order { slope, level, .. } = &mut self.loss {
            [*slope, *level] = line;
        }
        self
    }

    /// Number of scores per row: one for two classes, otherwise one per class.
    pub fn n_scores(&self) -> usize {
        self.start.len()
    }

    /// Number of rounds.
    pub fn n_rounds(&self) -> usize {
        self.members.len() / self.n_scores()
    }

    /// Returns the model truncated to the first `n` rounds.
    ///
    /// # Errors
    /// [`Error::Data`] if `n` is 0 or exceeds the number of rounds.
    pub fn truncate(&self, n: usize) -> Result<Self> {
        let all = self.n_rounds();
        if n == 0 || n > all {
            return Err(Error::Data(format!(
                "`n` must be between 1 and the number of rounds {all}, got {n}"
            )));
        }
        let Self { columns, n_classes, loss, start, shift, cost_differences, path, statistics, .. } = self;
        Ok(Self {
            members: self.members[..n * self.n_scores()].to_vec(),
            columns: columns.clone(),
            n_classes: *n_classes,
            loss: *loss,
            start: start.clone(),
            shift: shift.clone(),
            cost_differences: cost_differences.clone(),
            path: path.clone(),
            statistics: statistics.clone(),
        })
    }

    /// Number of trees.
    pub fn n_trees(&self) -> usize {
        self.members.len()
    }

    /// Total number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.members.iter().map(|member| member.tree.n_leaves()).sum()
    }

    /// Maximum depth of the trees.
    pub fn depth(&self) -> u32 {
        let depth = |member: &BoostedTree| member.tree.depths().into_iter().max().unwrap_or_default();
        self.members.iter().map(depth).max().unwrap_or_default()
    }

    /// Returns a tree, its node values, and the index of the score to which the values are added.
    ///
    /// # Errors
    /// [`Error::Data`] if there is no such tree.
    pub fn tree(&self, tree: usize) -> Result<(&Tree, &[f64], usize)> {
        let member = self.members.get(tree).ok_or_else(|| {
            Error::Data(format!("the model has {} trees, so there is no tree {tree}", self.n_trees()))
        })?;
        Ok((&member.tree, &member.values, member.score as usize))
    }

    /// Scores of a row before the first tree, including the base-rate correction of the log loss.
    pub fn initial_scores(&self) -> &[f64] {
        &self.start
    }

    /// Held-out score after every round; empty unless early stopping chose the number of rounds.
    ///
    /// The score is the log loss, or the negative average precision.
    pub fn stopping_scores(&self) -> &[f64] {
        &self.path
    }

    /// Correction of the probabilities for the class weights of the objective.
    ///
    /// The corrected probabilities match the class frequencies of the data on average. `None` if the
    /// objective does not weight classes.
    pub fn prior_correction(&self) -> Option<&PriorShift> {
        self.shift.as_ref()
    }

    /// Fraction of the total gain of all splits for each feature; all 0 if there are no splits.
    pub fn feature_importances(&self) -> Vec<f64> {
        let mut gains = vec![0.0; self.columns.len()];
        for BoostedTree { tree, .. } in &self.members {
            for node in (0..tree.n_nodes()).filter(|&node| !tree.children(node).is_empty()) {
                gains[tree.column(node)] += tree.split_gain(node);
            }
        }
        let total: f64 = gains.iter().sum();
        if total > 0.0 {
            for gain in &mut gains {
                *gain /= total;
            }
        }
        gains
    }

    /// Scores of every row, `n_rows x n_scores`: the initial scores plus the leaf values.
    ///
    /// With two classes and a logistic loss, the score is the log-odds of the second class (or label, if the
    /// labels were computed from costs) before the prior correction. The scores of focal and ranking losses
    /// are not log-odds.
    ///
    /// # Errors
    /// [`Error::Column`] for an infinity, [`Error::Cancelled`], [`Error::Memory`].
    pub fn scores(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let n = self.n_scores();
        let mut scores = memory::filled(frame.n_rows() * n, 0.0, "predictions")?;
        fill_in_blocks(&mut scores, n, ctl, |rows, scores| {
            let content = frame.special_value_flags(rows.clone());
            if content.infinite {
                frame.check_finite()?;
            }
            let mut leaves = vec![0; rows.len()];
            for BoostedTree { tree, values, score } in &self.members {
                ctl.check()?;
                write_block_leaves(tree, frame, (rows.start, content.missing), &mut leaves);
                for (&leaf, scores) in leaves.iter().zip(scores.chunks_exact_mut(n)) {
                    scores[*score as usize] += values[leaf as usize];
                }
            }
            for scores in scores.chunks_exact_mut(n) {
                scores.iter_mut().zip(&self.start).for_each(|(score, start)| *score += start);
            }
            Ok(())
        })?;
        Ok(scores)
    }

    /// Index of the leaf of every row in every tree, `n_rows x n_trees`.
    ///
    /// # Errors
    /// [`Error::Column`] for an infinity, [`Error::Cancelled`], [`Error::Memory`].
    pub fn apply(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        let n = self.n_trees();
        let mut all = memory::filled(frame.n_rows() * n, 0, "predictions")?;
        for (tree, member) in self.members.iter().enumerate() {
            let leaves = crate::prediction::tree_traversal::leaf_of_rows(&member.tree, frame, ctl)?;
            all.chunks_exact_mut(n).zip(leaves).for_each(|(row, leaf)| row[tree] = leaf);
        }
        Ok(all)
    }

    fn proba_before_correction(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let scores = self.scores(frame, ctl)?;
        let mut proba = memory::filled(frame.n_rows() * self.n_classes, 0.0, "predictions")?;
        for (scores, proba) in
            scores.chunks_exact(self.n_scores()).zip(proba.chunks_exact_mut(self.n_classes))
        {
            self.loss.proba(scores, proba);
        }
        if let Some(differences) = &self.cost_differences {
            differences.convert_to_class_proba(&mut proba, frame)?;
        }
        Ok(proba)
    }

    /// Shapley values of the score of `class`, `n_rows x n_columns`, and the base value.
    ///
    /// With more than two classes, each class has a score. With two classes, there is only the score of the
    /// second class, and its sign is reversed for the first class. See [`Self::scores`].
    ///
    /// # Errors
    /// Same errors as [`crate::TreeModel::shapley`].
    pub fn shapley(
        &self,
        frame: &Frame<'_>,
        class: usize,
        background: Option<&Frame<'_>>,
        ctl: RunContext<'_>,
    ) -> Result<(Vec<f64>, f64)> {
        let (score, sign) = match (self.n_scores(), class) {
            (1, 0) => (0, -1.0),
            (1, _) => (0, 1.0),
            _ => (class, 1.0),
        };
        let mut sums = allocate_shapley_values(frame, background)?;
        let mut base = sign * self.start[score];
        let n = self.members.len() as u64;
        for (at, member) in (1..).zip(&self.members) {
            if member.score as usize == score {
                let values = member.values.iter().map(|value| sign * value).collect();
                let game = TreeShapContext::new(&member.tree, values, false, frame.n_columns(), background);
                shapley::add_shapley_values(&game, frame, &mut sums, ctl)?;
                base += game.base_value(ctl)?;
            }
            ctl.report_progress("trees", at, n);
        }
        Ok((sums, base))
    }
}

impl Classifier for BoostedModel {
    fn n_classes(&self) -> usize {
        self.n_classes
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        Ok(self.predict_with_proba(frame, ctl)?.1)
    }

    /// Classes are chosen before the prior correction; probabilities are returned after it.
    ///
    /// Thus a model fitted with balanced weights treats the classes as balanced when it predicts classes, but
    /// returns calibrated probabilities.
    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        let mut proba = self.proba_before_correction(frame, ctl)?;
        let answers = proba.chunks_exact(self.n_classes).map(index_of_first_largest).collect();
        if let Some(shift) = &self.shift {
            shift.apply(&mut proba);
        }
        Ok((answers, proba))
    }
}
