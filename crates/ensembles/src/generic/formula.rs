//! Conversion of ensembles to expressions for export.

use super::model::Ensemble;
use super::staged_voting::{StageCombination, StagedVoting};
use super::stored::restrict_schema;
use super::{OutputKind, VotingRule};
use imbcore_core::{Result, RunContext};
use imbcore_export::{
    ComparisonOp, ExportOutput, ExprBuilder, ExprFeatures, ExprRef, PredictionExpr, ToExpr, VoteSpec,
};
use std::ops::Range;

impl<M: ToExpr> ToExpr for Ensemble<M> {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        let (scheme, all) = (self.voting(), 0..self.members().len());
        let mut converter = VoteExprConverter { ensemble: self, features, builder };
        let votes = match &scheme.rule {
            VotingRule::Staged(staged) => converter.staged_proba_expr(staged)?,
            VotingRule::Votes => converter.vote_proba_expr(all)?,
            VotingRule::Soft | VotingRule::Hard => converter.vote_fraction_expr(all)?,
        };
        Ok(PredictionExpr::from_votes(builder, votes, scheme.shift.as_ref()))
    }
}

struct VoteExprConverter<'a, M> {
    ensemble: &'a Ensemble<M>,
    features: ExprFeatures<'a>,
    builder: &'a mut ExprBuilder,
}

impl<M: ToExpr> VoteExprConverter<'_, M> {
    fn vote_fraction_expr(&mut self, members: Range<usize>) -> Result<ExprRef> {
        let votes = self.builder.constant_number(self.total_vote_weight(members.clone()));
        let sums = self.vote_sum_expr(members)?;
        Ok(self.builder.divide(sums, votes))
    }

    fn vote_proba_expr(&mut self, members: Range<usize>) -> Result<ExprRef> {
        let fractions = self.vote_fraction_expr(members)?;
        Ok(votes_to_proba_expr(fractions, self.builder))
    }

    fn total_vote_weight(&self, members: Range<usize>) -> f64 {
        self.ensemble.voting().votes[members].iter().fold(0.0, |sum, vote| sum + vote)
    }

    fn vote_sum_expr(&mut self, members: Range<usize>) -> Result<ExprRef> {
        let (scheme, features) = (self.ensemble.voting(), self.features);
        let output = match scheme.rule.output_kind() {
            OutputKind::Proba => ExportOutput::Proba,
            OutputKind::Choice => ExportOutput::Class,
        };
        let (mut sum, ctl) = (None, RunContext::silent());
        for at in members {
            ctl.check()?;
            let schema = restrict_schema(features.schema, &scheme.columns[at]);
            let columns: Vec<usize> = match &scheme.columns[at][..] {
                [] => features.columns.to_vec(),
                own => own.iter().map(|&column| features.columns[column as usize]).collect(),
            };
            let own = ExprFeatures { schema: &schema, columns: &columns, ..features };
            let vote = VoteSpec { output, weight: scheme.votes[at], n_classes: scheme.n_classes };
            let votes = self.ensemble.members()[at].to_vote(self.builder, own, vote)?;
            sum = Some(sum.map_or(votes, |sum| self.builder.plus(sum, votes)));
        }
        Ok(sum.unwrap_or_else(|| self.builder.constant(&vec![0.0; scheme.n_classes])))
    }

    fn staged_proba_expr(&mut self, staged: &StagedVoting) -> Result<ExprRef> {
        let (ends, join, thetas, positive) = staged.to_parts();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let stages: Vec<_> = starts.zip(ends).map(|(start, &end)| start as usize..end as usize).collect();
        if join == StageCombination::Mean {
            let mut sum = self.builder.constant(&vec![0.0; self.ensemble.voting().n_classes]);
            for stage in &stages {
                let proba = self.vote_proba_expr(stage.clone())?;
                sum = self.builder.plus(sum, proba);
            }
            let n_stages = self.builder.constant_number(stages.len() as f64);
            return Ok(self.builder.divide(sum, n_stages));
        }
        let (mut joined, mut all_votes) = (None, 0.0);
        for (stage, &theta) in stages.iter().zip(thetas) {
            let votes = self.total_vote_weight(stage.clone());
            all_votes += votes;
            let sums = self.vote_sum_expr(stage.clone())?;
            let builder = &mut *self.builder;
            let of_class = builder.select(sums, positive as usize);
            let [two, votes, theta] = [2.0, votes, theta].map(|number| builder.constant_number(number));
            let twice = builder.times(two, of_class);
            let lead = builder.minus(twice, votes);
            let mut score = builder.minus(lead, theta);
            if join == StageCombination::All {
                score = builder.divide(score, votes);
            }
            joined = Some(match joined {
                None => score,
                Some(before) if join == StageCombination::All => {
                    builder.select_if((score, ComparisonOp::Less, before), score, before)
                }
                Some(before) => builder.plus(before, score),
            });
        }
        let mut score = joined.unwrap_or_else(|| self.builder.constant_number(0.0));
        if join != StageCombination::All {
            let votes = self.builder.constant_number(all_votes);
            score = self.builder.divide(score, votes);
        }
        Ok(score_to_proba_expr(score, positive == 1, self.builder))
    }
}

/// Same formula as `votes_to_proba`, which computes predictions.
fn votes_to_proba_expr(shares: ExprRef, builder: &mut ExprBuilder) -> ExprRef {
    let others = (builder.width(shares) - 1) as f64;
    let [one, others] = [1.0, others].map(|number| builder.constant_number(number));
    let rest = builder.minus(one, shares);
    let against = builder.divide(rest, others);
    let lead = builder.minus(shares, against);
    let score = builder.divide(lead, others);
    let grown = builder.exp(score);
    builder.normalize(grown)
}

/// Probabilities of two classes from a score for the positive class.
///
/// A score of 0 or less gives the positive class a probability below 1/2. `is_second` states whether the
/// positive class is the second class.
fn score_to_proba_expr(score: ExprRef, is_second: bool, builder: &mut ExprBuilder) -> ExprRef {
    let [zero, two, below] = [0.0, 2.0, 0.5_f64.next_down()].map(|number| builder.constant_number(number));
    let twice = builder.times(two, score);
    let p = builder.logistic(twice);
    let least = builder.select_if((p, ComparisonOp::Less, below), p, below);
    let p = builder.select_if((zero, ComparisonOp::Less, score), p, least);
    builder.two_class_proba(p, is_second)
}
