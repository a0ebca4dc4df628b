//! Expression steps of ensembles: members of any kind, combined by their voting rule.

use super::model::Ensemble;
use super::staged::{StageCombination, StagedVoting};
use super::stored::seen;
use super::{OutputKind, VotingRule};
use imbcore_base::Result;
use imbcore_export::{
    ClassExpr, ComparisonOp, ExportOutput, ExprBuilder, ExprRef, FeatureMap, ToExpr, VoteSpec,
};
use std::ops::Range;

impl<M: ToExpr> ToExpr for Ensemble<M> {
    fn to_expr(&self, builder: &mut ExprBuilder, features: FeatureMap<'_>) -> Result<ClassExpr> {
        let ballot = self.ballot();
        let votes = match &ballot.rule {
            VotingRule::Staged(staged) => self.staged(staged, builder, features)?,
            VotingRule::Votes => {
                let fractions = self.vote_fractions(0..ballot.votes.len(), builder, features)?;
                votes_to_proba(fractions, builder)
            }
            VotingRule::Soft | VotingRule::Hard => {
                self.vote_fractions(0..ballot.votes.len(), builder, features)?
            }
        };
        Ok(ClassExpr::corrected(builder, votes, ballot.shift.as_ref()))
    }
}

impl<M: ToExpr> Ensemble<M> {
    /// Votes of some members for each class, as a fraction of all their votes.
    fn vote_fractions(
        &self,
        members: Range<usize>,
        draft: &mut ExprBuilder,
        features: FeatureMap<'_>,
    ) -> Result<ExprRef> {
        let votes = draft.number(self.total_vote(members.clone()));
        let sums = self.vote_sums(members, draft, features)?;
        Ok(draft.over(sums, votes))
    }

    /// Sum of the votes of some members, in their order.
    fn total_vote(&self, members: Range<usize>) -> f64 {
        self.ballot().votes[members].iter().fold(0.0, |sum, vote| sum + vote)
    }

    /// Summed votes of some members for each class.
    fn vote_sums(
        &self,
        members: Range<usize>,
        draft: &mut ExprBuilder,
        features: FeatureMap<'_>,
    ) -> Result<ExprRef> {
        let ballot = self.ballot();
        let output = match ballot.rule.voice() {
            OutputKind::Law => ExportOutput::Proba,
            OutputKind::Choice => ExportOutput::Class,
        };
        let mut sum = None;
        for at in members {
            let schema = seen(features.schema, &ballot.columns[at]);
            let columns: Vec<usize> = match &ballot.columns[at][..] {
                [] => features.columns.to_vec(),
                own => own.iter().map(|&column| features.columns[column as usize]).collect(),
            };
            let own = FeatureMap { schema: &schema, columns: &columns, ..features };
            let vote = VoteSpec { output, weight: ballot.votes[at], n_classes: ballot.n_classes };
            let term = self.members()[at].to_vote(draft, own, vote)?;
            sum = Some(sum.map_or(term, |sum| draft.plus(sum, term)));
        }
        Ok(sum.unwrap_or_else(|| draft.constant(&vec![0.0; ballot.n_classes])))
    }

    /// Probabilities of members combined in stages.
    fn staged(
        &self,
        staged: &StagedVoting,
        draft: &mut ExprBuilder,
        features: FeatureMap<'_>,
    ) -> Result<ExprRef> {
        let (ends, join, thetas, positive) = staged.parts();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let stages: Vec<_> = starts.zip(ends).map(|(start, &end)| start as usize..end as usize).collect();
        if join == StageCombination::Mean {
            let mut sum = draft.constant(&vec![0.0; self.ballot().n_classes]);
            for stage in &stages {
                let fractions = self.vote_fractions(stage.clone(), draft, features)?;
                let proba = votes_to_proba(fractions, draft);
                sum = draft.plus(sum, proba);
            }
            let n_stages = draft.number(stages.len() as f64);
            return Ok(draft.over(sum, n_stages));
        }
        let (mut joined, mut all_votes) = (None, 0.0);
        for (stage, &theta) in stages.iter().zip(thetas) {
            let votes = self.total_vote(stage.clone());
            all_votes += votes;
            let sums = self.vote_sums(stage.clone(), draft, features)?;
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
