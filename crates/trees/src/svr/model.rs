//! Fitted SVR tree.

use super::params::ProbabilityRule;
use super::svr_stats::SvrGrowthStats;
use crate::model::TreeModel;
use crate::tree::Tree;
use imbcore_core::{Classifier, Frame, Result, RunContext};
use imbcore_export::{ExprBuilder, ExprFeatures, ExprRef, PredictionExpr, ToExpr, VoteSpec};

/// Tree whose leaves predict the labels that were assigned to them during growth.
///
/// The label of a leaf may differ from the most frequent class in the leaf. [`Self::set_decision_rule`]
/// replaces the predictions, but not the labels.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrModel {
    tree: TreeModel,
    labels: Vec<u32>,
    facts: SvrGrowthStats,
    probability: ProbabilityRule,
}

impl SvrModel {
    pub(super) fn new(
        tree: Tree,
        labels: Vec<u32>,
        facts: SvrGrowthStats,
        probability: ProbabilityRule,
    ) -> Self {
        let n_classes = tree.n_classes();
        let weight = |class: usize| match probability {
            ProbabilityRule::Weighted => 1.0,
            ProbabilityRule::Unweighted => facts.class_weights[class],
        };
        let mut proba = Vec::with_capacity(tree.n_nodes() * n_classes);
        for node in 0..tree.n_nodes() {
            let masses = tree.class_masses(node);
            let masses = masses.iter().enumerate();
            // A class of weight 0 has mass 0, so the code does not divide by this weight.
            let share = |(class, &mass): (usize, &f64)| if mass > 0.0 { mass / weight(class) } else { 0.0 };
            let shares: Vec<f64> = masses.map(share).collect();
            let total: f64 = shares.iter().sum();
            proba.extend(shares.iter().map(|share| share / total));
        }
        let tree = TreeModel::from_node_predictions(tree, proba, labels.clone());
        Self { tree, labels, facts, probability }
    }

    pub(super) fn probability_rule(&self) -> ProbabilityRule {
        self.probability
    }

    /// Returns the tree, which predicts the labels unless a decision rule was set.
    pub fn tree(&self) -> &TreeModel {
        &self.tree
    }

    /// Label assigned to every node; for an internal node, the label that it had as a leaf.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Returns the settings and statistics of the tree's growth.
    pub fn growth_stats(&self) -> &SvrGrowthStats {
        &self.facts
    }

    /// Sets the predicted classes of leaves by a decision rule on their probabilities.
    ///
    /// # Errors
    /// Same errors as [`TreeModel::set_decision_rule`].
    pub fn set_decision_rule(&mut self, decide: impl Fn(&[f64]) -> Result<Vec<u32>>) -> Result<()> {
        self.tree.set_decision_rule(decide)
    }
}

impl ToExpr for SvrModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        self.tree().to_expr(builder, features)
    }

    fn to_vote(
        &self,
        builder: &mut ExprBuilder,
        features: ExprFeatures<'_>,
        vote: VoteSpec,
    ) -> Result<ExprRef> {
        self.tree().to_vote(builder, features, vote)
    }
}

impl Classifier for SvrModel {
    fn n_classes(&self) -> usize {
        self.tree.n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.tree.proba(frame, ctl)
    }

    fn predict(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        self.tree.predict(frame, ctl)
    }

    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        self.tree.predict_with_proba(frame, ctl)
    }
}
