//! Voting in stages.
//! The members of a stage vote together, and the results of the stages are combined.

use super::votes::votes_to_proba;
use imbcore_core::{Result, memory};
use serde::{Deserialize, Serialize};

/// Combination rule for the results of the stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageCombination {
    /// Mean of the stages' probabilities.
    Mean,
    /// Sum of the stages' scores minus the sum of their thresholds, as a fraction of all votes.
    Sum,
    /// Smallest margin of a stage: its score minus its threshold, as a fraction of its votes.
    All,
}

/// Partition of the members into stages, and the combination rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagedVoting {
    /// For each stage, the number of members in this stage and all earlier stages, ascending.
    ends: Vec<u32>,
    join: StageCombination,
    /// For each stage, the threshold of its score for the positive class.
    /// Empty for [`StageCombination::Mean`].
    thetas: Vec<f64>,
    positive: u32,
}

impl StagedVoting {
    pub(crate) fn for_mean_of_stages(ends: Vec<u32>) -> Self {
        Self { ends, join: StageCombination::Mean, thetas: Vec::new(), positive: 0 }
    }

    /// Predicts the positive class if the sum of the scores exceeds the sum of the thresholds.
    /// This rule is for two classes only. The score of a stage is the sum of the votes for the positive class
    /// minus the votes against it (Liu, Wu and Zhou 2009, figure 4).
    pub(crate) fn for_sum_of_scores(ends: Vec<u32>, thetas: Vec<f64>, positive: u32) -> Self {
        Self { ends, join: StageCombination::Sum, thetas, positive }
    }

    /// Predicts the positive class if the score of every stage exceeds its threshold.
    /// This rule is for two classes only.
    pub(crate) fn for_unanimous_stages(ends: Vec<u32>, thetas: Vec<f64>, positive: u32) -> Self {
        Self { ends, join: StageCombination::All, thetas, positive }
    }

    /// Ends of the stages, combination rule, thresholds, and code of the positive class.
    /// The end of a stage is the number of members in this stage and all earlier stages.
    pub fn to_parts(&self) -> (&[u32], StageCombination, &[f64], u32) {
        (&self.ends, self.join, &self.thetas, self.positive)
    }

    pub(super) fn is_valid_for(&self, n_members: usize, n_classes: usize) -> bool {
        let of_two = self.join != StageCombination::Mean;
        self.ends.is_sorted_by(|a, b| a < b)
            && self.ends.first().is_some_and(|&end| end > 0)
            && self.ends.last().is_some_and(|&end| end as usize == n_members)
            && self.thetas.len() == if of_two { self.ends.len() } else { 0 }
            && self.thetas.iter().all(|theta| theta.is_finite())
            && (!of_two || (n_classes == 2 && self.positive < 2))
    }
}

#[derive(Debug)]
pub(super) struct StageAccumulator<'b> {
    staged: &'b StagedVoting,
    n_classes: usize,
    n_closed: usize,
    /// Accumulated values of each row, `n_rows x n_classes`.
    ///
    /// - `Mean`: the sum of the stages' probabilities of each class.
    /// - `Sum`: the sum of the scores minus the thresholds, then the sum of all votes.
    /// - `All`: the smallest margin of a stage (see [`StageCombination`]).
    joined: Vec<f64>,
}

impl<'b> StageAccumulator<'b> {
    pub(super) fn new(staged: &'b StagedVoting, n_rows: usize, n_classes: usize) -> Result<Self> {
        let first = if staged.join == StageCombination::All { f64::INFINITY } else { 0.0 };
        let joined = memory::filled(n_rows * n_classes, first, "predictions")?;
        Ok(Self { staged, n_classes, n_closed: 0, joined })
    }

    pub(super) fn stage_ends_at(&self, n_added: usize) -> bool {
        self.staged.ends.get(self.n_closed).is_some_and(|&end| end as usize == n_added)
    }

    /// Adds a stage to the result; then resets `sums` and `votes` to 0 for the next stage.
    ///
    /// `sums` has the votes per row and class, and `votes` the sum of all votes per row.
    pub(super) fn close_stage(&mut self, sums: &mut [f64], votes: &mut [f64]) {
        let theta = self.staged.thetas.get(self.n_closed).copied().unwrap_or_default();
        self.n_closed += 1;
        let c = self.n_classes;
        let rows = self.joined.chunks_exact_mut(c).zip(sums.chunks_exact_mut(c)).zip(votes);
        for ((joined, sums), votes) in rows {
            let score = 2.0 * sums[self.staged.positive as usize] - *votes - theta;
            match self.staged.join {
                StageCombination::Mean => {
                    for sum in &mut *sums {
                        *sum /= *votes;
                    }
                    votes_to_proba(sums);
                    joined.iter_mut().zip(&*sums).for_each(|(all, share)| *all += share);
                }
                StageCombination::Sum => {
                    joined[0] += score;
                    joined[1] += *votes;
                }
                StageCombination::All => joined[0] = joined[0].min(score / *votes),
            }
            sums.fill(0.0);
            *votes = 0.0;
        }
    }

    pub(super) fn probabilities(mut self) -> Vec<f64> {
        let n_stages = self.n_closed as f64;
        for joined in self.joined.chunks_exact_mut(self.n_classes) {
            let score = match self.staged.join {
                StageCombination::Mean => {
                    for share in joined {
                        *share /= n_stages;
                    }
                    continue;
                }
                StageCombination::Sum => joined[0] / joined[1],
                StageCombination::All => joined[0],
            };
            // For `Sum` and `All`, the logistic function converts the score to a probability, as for boosted
            // votes. A score equal to its threshold does not predict the positive class, so the probability
            // of the class must be below 1/2.
            let positive = 1.0 / (1.0 + (-2.0 * score).exp());
            let positive = if score > 0.0 { positive } else { positive.min(0.5_f64.next_down()) };
            let at = self.staged.positive as usize;
            joined[at] = positive;
            joined[1 - at] = 1.0 - positive;
        }
        self.joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proba(staged: &StagedVoting, votes: [f64; 2]) -> Vec<f64> {
        let mut stages = StageAccumulator::new(staged, 1, 2).unwrap();
        assert!(!stages.stage_ends_at(1) && stages.stage_ends_at(2));
        stages.close_stage(&mut [3.0 - votes[0], votes[0]], &mut [3.0]);
        stages.close_stage(&mut [1.0 - votes[1], votes[1]], &mut [1.0]);
        stages.probabilities()
    }

    #[test]
    fn scores_are_compared_with_thresholds() {
        let ends = || vec![2, 3];
        let logit = |p: &[f64]| (p[1] / p[0]).ln();
        // Margins of the stages: 3 - 0.5 and -1 - 0. Their sum is 1.5, and the votes of both stages sum to 4.
        let sum = StagedVoting::for_sum_of_scores(ends(), vec![0.5, 0.0], 1);
        assert!((logit(&proba(&sum, [3.0, 0.0])) - 2.0 * 1.5 / 4.0).abs() < 1e-14);
        let all = StagedVoting::for_unanimous_stages(ends(), vec![0.5, 0.0], 1);
        assert!((logit(&proba(&all, [3.0, 0.0])) + 2.0).abs() < 1e-14);
        assert!(proba(&all, [3.0, 1.0])[1] > 0.5);
        // If a score equals its threshold, the positive class is not predicted, whether its code is 0 or 1.
        for positive in [0, 1] {
            let sum = StagedVoting::for_sum_of_scores(ends(), vec![0.0, 0.0], positive);
            assert!(proba(&sum, [1.5, 0.5])[positive as usize] < 0.5);
        }
        let mean = proba(&StagedVoting::for_mean_of_stages(ends()), [3.0, 0.0]);
        assert!((mean[0] - 0.5).abs() < 1e-15);
    }

    #[test]
    fn inconsistent_stages_are_rejected() {
        assert!(StagedVoting::for_mean_of_stages(vec![2, 3]).is_valid_for(3, 5));
        assert!(
            !StagedVoting::for_mean_of_stages(vec![2, 3]).is_valid_for(4, 2)
                && !StagedVoting::for_mean_of_stages(vec![]).is_valid_for(0, 2)
        );
        assert!(
            !StagedVoting::for_mean_of_stages(vec![3, 3]).is_valid_for(3, 2)
                && !StagedVoting::for_mean_of_stages(vec![0, 3]).is_valid_for(3, 2)
        );
        assert!(StagedVoting::for_sum_of_scores(vec![3], vec![0.0], 1).is_valid_for(3, 2));
        assert!(
            !StagedVoting::for_sum_of_scores(vec![3], vec![], 1).is_valid_for(3, 2)
                && !StagedVoting::for_sum_of_scores(vec![3], vec![0.0], 2).is_valid_for(3, 3)
        );
        assert!(!StagedVoting::for_unanimous_stages(vec![3], vec![f64::NAN], 1).is_valid_for(3, 2));
    }
}
