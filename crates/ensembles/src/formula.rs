//! Conversion of forests to expressions for export.

use crate::forest_predictions::VotingMode;
use crate::model::ForestModel;
use imbcore_core::{Error, Result, RunContext};
use imbcore_export::{ExportOutput, ExprBuilder, ExprFeatures, ExprRef, PredictionExpr, ToExpr, VoteSpec};
use imbcore_trees::TreeModel;

impl ToExpr for ForestModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        let ctl = RunContext::silent();
        let n_trees = builder.constant_number(self.n_trees() as f64);
        let rule = self.prediction_rule;
        let votes = if rule.fraction && features.may_be_missing && rule.voting == VotingMode::Hard {
            if rule.weighted_votes {
                return Err(Error::Unsupported(
                    "votes weighted by leaf weight cannot be exported for a model that sends rows with missing values down all branches; fit with \
                     missing=\"direction\""
                        .into(),
                ));
            }
            let n_classes = self.packed.n_classes();
            let vote = VoteSpec { output: ExportOutput::Class, weight: 1.0, n_classes };
            let mut sum = builder.constant(&vec![0.0; n_classes]);
            for tree in 0..self.n_trees() {
                ctl.check()?;
                let votes = self.expand_tree_model(tree)?.to_vote(builder, features, vote)?;
                sum = builder.plus(sum, votes);
            }
            builder.divide(sum, n_trees)
        } else {
            let lookups = self.statistics.add_tables_to_formula(builder, features.columns);
            // To save memory, only one tree at a time is held both in compact form and as a `TreeModel`.
            let leaf_sums = |leaf_values: &dyn Fn(&TreeModel, usize) -> Vec<f64>| {
                let export = |tree: usize| {
                    ctl.check()?;
                    let tree = self.expand_tree_model(tree)?;
                    tree.to_export_tree(features, &lookups, |leaf| leaf_values(&tree, leaf))
                };
                (0..self.n_trees()).map(export).collect::<Result<Vec<_>>>()
            };
            if rule.weighted_votes {
                let sums = builder.add_tree_sum(leaf_sums(&|tree, leaf| {
                    let (mut votes, weight) = self.leaf_prediction_and_weight(tree, leaf);
                    votes.push(weight);
                    votes
                })?);
                let parts: Vec<ExprRef> =
                    (0..builder.width(sums)).map(|at| builder.select(sums, at)).collect();
                let (weight, parts) =
                    parts.split_last().map_or((n_trees, &[][..]), |(last, before)| (*last, before));
                let sums = builder.concatenate(parts);
                builder.divide(sums, weight)
            } else {
                let sums = builder
                    .add_tree_sum(leaf_sums(&|tree, leaf| self.leaf_prediction_and_weight(tree, leaf).0)?);
                builder.divide(sums, n_trees)
            }
        };
        Ok(PredictionExpr::from_votes(builder, votes, self.prior_correction()))
    }
}
