//! Boosted trees as steps of an exported formula.

use crate::boosted::loss::{Loss, MOST_SCORE};
use crate::boosted::member::BoostedTree;
use crate::boosted::model::BoostedModel;
use imbcore_core::Result;
use imbcore_export::{ClassExpr, ComparisonOp, ExprBuilder, ExprRef, FeatureMap, Op, ToExpr};

impl ToExpr for BoostedModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: FeatureMap<'_>) -> Result<ClassExpr> {
        let proba = self.uncorrected_proba(builder, features.columns);
        Ok(ClassExpr::corrected(builder, proba, self.recalibration()))
    }
}

impl BoostedModel {
    /// Expression of the probabilities before the prior correction.
    /// The steps are those of [`Loss::proba`]; `columns` are the indices of the model's features.
    fn uncorrected_proba(&self, draft: &mut ExprBuilder, columns: &[usize]) -> ExprRef {
        let width = self.n_scores();
        let plan = |BoostedTree { tree, values, score }: &BoostedTree| {
            tree.plan(columns, false, |leaf| {
                let mut scores = vec![0.0; width];
                scores[*score as usize] = values[leaf];
                scores
            })
        };
        let sum = draft.of_row(Op::Trees { trees: self.members.iter().map(plan).collect() }, width);
        let start = draft.constant(&self.start);
        let scores = draft.plus(sum, start);
        let log_odds = match self.loss {
            Loss::Softmax => {
                let largest = draft.largest(scores);
                let below = draft.minus(scores, largest);
                let grown = draft.exp(below);
                return draft.normalised(grown);
            }
            Loss::Logistic => scores,
            Loss::Order { slope, level, .. } => {
                let [slope, level] = [slope, level].map(|number| draft.number(number));
                let sloped = draft.times(slope, scores);
                draft.plus(sloped, level)
            }
            Loss::Focal { gamma, level } => focal_log_odds([gamma, level], scores, draft),
        };
        let log_odds = match &self.cost_differences {
            Some(differences) => differences.draft(log_odds, draft, columns),
            None => log_odds,
        };
        let zero = draft.number(0.0);
        let turned = draft.minus(zero, log_odds);
        let pair = [turned, log_odds].map(|log_odds| draft.logistic(log_odds));
        draft.join(&pair)
    }
}

/// Writes [`Loss::log_odds`] of the focal loss into a formula.
fn focal_log_odds([gamma, level]: [f64; 2], score: ExprRef, draft: &mut ExprBuilder) -> ExprRef {
    let [zero, one, power, rest, low, high] =
        [0.0, 1.0, gamma, gamma - 1.0, -MOST_SCORE, MOST_SCORE].map(|number| draft.number(number));
    let score = draft.choose((score, ComparisonOp::Less, low), low, score);
    let score = draft.choose((high, ComparisonOp::Less, score), high, score);
    let turned = draft.minus(zero, score);
    let [part, other] = [score, turned].map(|s| {
        let grown = draft.exp(s);
        let whole = draft.plus(one, grown);
        let log = draft.log(whole);
        let weighed = draft.times(power, log);
        let sum = draft.plus(grown, weighed);
        draft.log(sum)
    });
    let difference = draft.minus(part, other);
    let line = draft.times(rest, score);
    let sum = draft.plus(line, difference);
    let level = draft.number(level);
    draft.plus(sum, level)
}
