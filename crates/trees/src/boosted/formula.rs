//! Boosted trees as steps of an exported formula.

use crate::boosted::boosted_tree::BoostedTree;
use crate::boosted::loss::{Loss, MOST_SCORE};
use crate::boosted::model::BoostedModel;
use imbcore_core::{Result, RunContext};
use imbcore_export::{ComparisonOp, ExprBuilder, ExprFeatures, ExprRef, Op, PredictionExpr, ToExpr};

impl ToExpr for BoostedModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        let proba = self.uncorrected_proba_expr(builder, features.columns)?;
        Ok(PredictionExpr::from_votes(builder, proba, self.prior_correction()))
    }
}

impl BoostedModel {
    /// Builds the expression of the class probabilities before the prior correction.
    ///
    /// It converts scores to probabilities as [`Loss::proba`] does. If the model was trained on labels
    /// computed from costs, it then converts label probabilities to class probabilities. `columns` are the
    /// indices of the model's features.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    fn uncorrected_proba_expr(&self, builder: &mut ExprBuilder, columns: &[usize]) -> Result<ExprRef> {
        let (width, ctl) = (self.n_scores(), RunContext::silent());
        let lookups = self.statistics.add_tables_to_formula(builder, columns);
        let plan = |BoostedTree { tree, values, score }: &BoostedTree| {
            ctl.check()?;
            tree.to_export_tree(columns, false, &lookups, |leaf| {
                let mut scores = vec![0.0; width];
                scores[*score as usize] = values[leaf];
                scores
            })
        };
        let trees = self.members.iter().map(plan).collect::<Result<Vec<_>>>()?;
        let sum = builder.add_feature_step(Op::Trees { trees }, width);
        let start = builder.constant(&self.start);
        let scores = builder.plus(sum, start);
        let log_odds = match self.loss {
            Loss::Softmax => {
                let largest = builder.largest(scores);
                let below = builder.minus(scores, largest);
                let grown = builder.exp(below);
                return Ok(builder.normalize(grown));
            }
            Loss::Logistic => scores,
            Loss::Order { slope, level, .. } => {
                let [slope, level] = [slope, level].map(|number| builder.constant_number(number));
                let sloped = builder.times(slope, scores);
                builder.plus(sloped, level)
            }
            Loss::Focal { gamma, level } => focal_log_odds_expr([gamma, level], scores, builder),
        };
        let log_odds = match &self.cost_differences {
            Some(differences) => differences.class_log_odds_expr(log_odds, builder, columns),
            None => log_odds,
        };
        let zero = builder.constant_number(0.0);
        let turned = builder.minus(zero, log_odds);
        let pair = [turned, log_odds].map(|log_odds| builder.logistic(log_odds));
        Ok(builder.concatenate(&pair))
    }
}

fn focal_log_odds_expr([gamma, level]: [f64; 2], score: ExprRef, builder: &mut ExprBuilder) -> ExprRef {
    let [zero, one, power, rest, low, high] =
        [0.0, 1.0, gamma, gamma - 1.0, -MOST_SCORE, MOST_SCORE].map(|number| builder.constant_number(number));
    let score = builder.select_if((score, ComparisonOp::Less, low), low, score);
    let score = builder.select_if((high, ComparisonOp::Less, score), high, score);
    let turned = builder.minus(zero, score);
    let [part, other] = [score, turned].map(|s| {
        let grown = builder.exp(s);
        let whole = builder.plus(one, grown);
        let log = builder.log(whole);
        let weighed = builder.times(power, log);
        let sum = builder.plus(grown, weighed);
        builder.log(sum)
    });
    let difference = builder.minus(part, other);
    let line = builder.times(rest, score);
    let sum = builder.plus(line, difference);
    let level = builder.constant_number(level);
    builder.plus(sum, level)
}
