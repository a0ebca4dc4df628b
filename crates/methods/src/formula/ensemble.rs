//! Expression steps of ensembles: members of any kind, combined by their voting rule.

use super::class_expr::{ClassExpr, FeatureMap, PredictedClass, ToClassExpr, chosen, of_trees, shares};
use crate::fitted::FittedEstimator;
use imbcore_base::Result;
use imbcore_base::formula::{ComparisonOp, ExprBuilder, ExprRef};
use imbcore_ensemble::generic::{Ensemble, OutputKind, StageCombination, StagedVoting, VotingRule, seen};
use imbcore_tree::TreeModel;
use std::ops::Range;

/// Expression of an ensemble's prediction; `says` converts each member.
pub(super) fn ensemble_expr(
    ensemble: &Ensemble<FittedEstimator>,
    draft: &mut ExprBuilder,
    sight: FeatureMap<'_>,
    says: ToClassExpr,
) -> Result<ClassExpr> {
    let mut hearing = EnsembleConverter { ensemble, sight, says, needed: Vec::new() };
    let voting = ensemble.voting();
    let votes = match &voting.rule {
        VotingRule::Staged(staged) => hearing.staged(staged, draft)?,
        VotingRule::Votes => {
            let shares = hearing.shares(0..voting.votes.len(), draft)?;
            votes_to_proba(shares, draft)
        }
        VotingRule::Soft | VotingRule::Hard => hearing.shares(0..voting.votes.len(), draft)?,
    };
    let proba = voting.shift.as_ref().map_or(votes, |shift| draft.shifted(votes, shift.factors()));
    Ok(ClassExpr { own: PredictedClass::Most(votes), needed: hearing.needed, ..ClassExpr::most(proba) })
}

/// Conversion of an ensemble in progress.
struct EnsembleConverter<'a> {
    ensemble: &'a Ensemble<FittedEstimator>,
    sight: FeatureMap<'a>,
    says: ToClassExpr,
    needed: Vec<ExprRef>,
}

impl EnsembleConverter<'_> {
    /// Votes of some members for each class, as a fraction of all their votes.
    fn shares(&mut self, members: Range<usize>, draft: &mut ExprBuilder) -> Result<ExprRef> {
        let votes = draft.number(self.votes(members.clone()));
        let sums = self.sums(members, draft)?;
        Ok(draft.over(sums, votes))
    }

    /// Sum of the votes of some members, in their order.
    fn votes(&self, members: Range<usize>) -> f64 {
        self.ensemble.voting().votes[members].iter().fold(0.0, |sum, vote| sum + vote)
    }

    /// Summed votes of some members for each class.
    fn sums(&mut self, members: Range<usize>, draft: &mut ExprBuilder) -> Result<ExprRef> {
        let voting = self.ensemble.voting();
        let mut sum = None;
        for at in members {
            let (member, vote) = (&self.ensemble.members()[at], voting.votes[at]);
            let schema = seen(self.sight.schema, &voting.columns[at]);
            let columns: Vec<usize> = match &voting.columns[at][..] {
                [] => self.sight.columns.to_vec(),
                own => own.iter().map(|&column| self.sight.columns[column as usize]).collect(),
            };
            let sight = FeatureMap { schema: &schema, columns: &columns, holes: self.sight.holes };
            let output_kind = voting.rule.output_kind();
            let term = if let Some(tree) = member.tree().filter(|tree| !shares(tree, sight)) {
                of_trees(draft, &[tree], sight, |tree, leaf| {
                    weighted_leaf_output(tree, leaf, output_kind, vote)
                })
            } else {
                let mut expr = (self.says)(member, draft, sight)?;
                self.needed.append(&mut expr.needed);
                match output_kind {
                    OutputKind::Choice => chosen(expr.own, voting.n_classes, vote, draft),
                    OutputKind::Proba => {
                        let vote = draft.number(vote);
                        draft.times(vote, expr.proba()?)
                    }
                }
            };
            sum = Some(sum.map_or(term, |sum| draft.plus(sum, term)));
        }
        Ok(sum.unwrap_or_else(|| draft.constant(&vec![0.0; voting.n_classes])))
    }

    /// Probabilities of members combined in stages.
    fn staged(&mut self, staged: &StagedVoting, draft: &mut ExprBuilder) -> Result<ExprRef> {
        let (ends, join, thetas, positive) = staged.parts();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let stages: Vec<_> = starts.zip(ends).map(|(start, &end)| start as usize..end as usize).collect();
        if join == StageCombination::Mean {
            let mut sum = draft.constant(&vec![0.0; self.ensemble.voting().n_classes]);
            for stage in &stages {
                let shares = self.shares(stage.clone(), draft)?;
                let proba = votes_to_proba(shares, draft);
                sum = draft.plus(sum, proba);
            }
            let n_stages = draft.number(stages.len() as f64);
            return Ok(draft.over(sum, n_stages));
        }
        let (mut joined, mut all_votes) = (None, 0.0);
        for (stage, &theta) in stages.iter().zip(thetas) {
            let votes = self.votes(stage.clone());
            all_votes += votes;
            let sums = self.sums(stage.clone(), draft)?;
            let of_class = draft.part(sums, positive as usize);
            let [two, votes, theta] = [2.0, votes, theta].map(|number| draft.number(number));
            let twice = draft.times(two, of_class);
            let lead = draft.minus(twice, votes);
            let mut score = draft.minus(lead, theta);
            if join == StageCombination::All {
                score = draft.over(score, votes);
            }
            joined = Some(match joined {
                None => score,
                Some(before) if join == StageCombination::All => {
                    draft.choose((score, ComparisonOp::Less, before), score, before)
                }
                Some(before) => draft.plus(before, score),
            });
        }
        let mut score = joined.unwrap_or_else(|| draft.number(0.0));
        if join != StageCombination::All {
            let votes = draft.number(all_votes);
            score = draft.over(score, votes);
        }
        Ok(score_to_proba(score, positive == 1, draft))
    }
}

/// Output of a leaf, multiplied by a vote.
fn weighted_leaf_output(tree: &TreeModel, leaf: usize, output_kind: OutputKind, vote: f64) -> Vec<f64> {
    let output = |class: usize| match output_kind {
        OutputKind::Proba => vote * tree.node_proba(leaf)[class],
        OutputKind::Choice => vote * f64::from(u8::from(tree.node_class(leaf) == class)),
    };
    (0..tree.tree().n_classes()).map(output).collect()
}

/// Converts fractions of votes to probabilities.
///
/// The softmax of `f / (K - 1)`, where `f_c = share_c - (1 - share_c) / (K - 1)`.
fn votes_to_proba(shares: ExprRef, draft: &mut ExprBuilder) -> ExprRef {
    let others = (draft.width(shares) - 1) as f64;
    let [one, others] = [1.0, others].map(|number| draft.number(number));
    let rest = draft.minus(one, shares);
    let against = draft.over(rest, others);
    let lead = draft.minus(shares, against);
    let score = draft.over(lead, others);
    let grown = draft.exp(score);
    draft.normalised(grown)
}

/// Probabilities of two classes from a score.
///
/// The positive class is predicted if the score is above 0.
fn score_to_proba(score: ExprRef, is_second: bool, draft: &mut ExprBuilder) -> ExprRef {
    let [zero, two, below] = [0.0, 2.0, 0.5_f64.next_down()].map(|number| draft.number(number));
    let twice = draft.times(two, score);
    let p = draft.logistic(twice);
    let least = draft.choose((p, ComparisonOp::Less, below), p, below);
    let p = draft.choose((zero, ComparisonOp::Less, score), p, least);
    draft.pair(p, is_second)
}
