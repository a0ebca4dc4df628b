//! Members in stages: those of one stage vote with each other, and the stages' answers become one.

use super::votes::votes_law;
use imbcore_base::{Result, memory};
use serde::{Deserialize, Serialize};

/// How the answers of the stages become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// The mean of their laws.
    Mean,
    /// The sum of their scores against that of their thresholds.
    Sum,
    /// The stage that is nearest to a no.
    All,
}

/// Which members are a stage, and how the stages are heard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Staged {
    /// Number of members up to the end of each stage, ascending.
    ends: Vec<u32>,
    join: Join,
    /// What the score of each stage for the positive class has to exceed; empty where it is heard by its law.
    thetas: Vec<f64>,
    positive: u32,
}

impl Staged {
    /// The mean of what the stages say.
    pub(crate) fn mean(ends: Vec<u32>) -> Self {
        Self { ends, join: Join::Mean, thetas: Vec::new(), positive: 0 }
    }

    /// Positive of two classes where the sum of the scores exceeds that of the thresholds (Liu, Wu and Zhou 2009, figure
    /// 4). A score is the sum of the votes for the class less those against it.
    pub(crate) fn sum(ends: Vec<u32>, thetas: Vec<f64>, positive: u32) -> Self {
        Self { ends, join: Join::Sum, thetas, positive }
    }

    /// Positive of two classes where the score of every stage exceeds its threshold.
    pub(crate) fn all(ends: Vec<u32>, thetas: Vec<f64>, positive: u32) -> Self {
        Self { ends, join: Join::All, thetas, positive }
    }

    /// Number of members up to the end of each stage, how the stages are heard, and what the score of each for the positive class
    /// has to exceed.
    pub fn parts(&self) -> (&[u32], Join, &[f64], u32) {
        (&self.ends, self.join, &self.thetas, self.positive)
    }

    /// Whether the parts fit each other and so many members and classes.
    pub(super) fn fits(&self, n_members: usize, n_classes: usize) -> bool {
        let of_two = self.join != Join::Mean;
        self.ends.is_sorted_by(|a, b| a < b)
            && self.ends.first().is_some_and(|&end| end > 0)
            && self.ends.last().is_some_and(|&end| end as usize == n_members)
            && self.thetas.len() == if of_two { self.ends.len() } else { 0 }
            && self.thetas.iter().all(|theta| theta.is_finite())
            && (!of_two || (n_classes == 2 && self.positive < 2))
    }
}

/// What the stages heard so far say together.
#[derive(Debug)]
pub(super) struct Stages<'b> {
    staged: &'b Staged,
    n_classes: usize,
    n_closed: usize,
    /// `n_rows x n_classes`. Of laws, their sum; of scores, the sum and the votes that went into it, or the least share of
    /// the votes by which a threshold is exceeded.
    joined: Vec<f64>,
}

impl<'b> Stages<'b> {
    pub(super) fn new(staged: &'b Staged, n_rows: usize, n_classes: usize) -> Result<Self> {
        let first = if staged.join == Join::All { f64::INFINITY } else { 0.0 };
        let joined = memory::filled(n_rows * n_classes, first, "answers")?;
        Ok(Self { staged, n_classes, n_closed: 0, joined })
    }

    /// Whether a stage ends with so many members heard.
    pub(super) fn ends_at(&self, n_heard: usize) -> bool {
        self.staged.ends.get(self.n_closed).is_some_and(|&end| end as usize == n_heard)
    }

    /// Takes up a stage: the votes for each row and class, and all votes on each row; both start again at 0.
    pub(super) fn close(&mut self, sums: &mut [f64], votes: &mut [f64]) {
        let theta = self.staged.thetas.get(self.n_closed).copied().unwrap_or_default();
        self.n_closed += 1;
        let c = self.n_classes;
        let rows = self.joined.chunks_exact_mut(c).zip(sums.chunks_exact_mut(c)).zip(votes);
        for ((joined, sums), votes) in rows {
            let score = 2.0 * sums[self.staged.positive as usize] - *votes - theta;
            match self.staged.join {
                Join::Mean => {
                    for sum in &mut *sums {
                        *sum /= *votes;
                    }
                    votes_law(sums);
                    joined.iter_mut().zip(&*sums).for_each(|(all, share)| *all += share);
                }
                Join::Sum => {
                    joined[0] += score;
                    joined[1] += *votes;
                }
                Join::All => joined[0] = joined[0].min(score / *votes),
            }
            sums.fill(0.0);
            *votes = 0.0;
        }
    }

    /// Probabilities, row-major.
    pub(super) fn laws(mut self) -> Vec<f64> {
        let n_stages = self.n_closed as f64;
        for joined in self.joined.chunks_exact_mut(self.n_classes) {
            let score = match self.staged.join {
                Join::Mean => {
                    for share in joined {
                        *share /= n_stages;
                    }
                    continue;
                }
                Join::Sum => joined[0] / joined[1],
                Join::All => joined[0],
            };
            // The scale of the law of votes; a score that only meets its threshold is not positive.
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

    /// Two stages of two members and one, whose votes for the second class on one row are `votes`.
    fn answer(staged: &Staged, votes: [f64; 2]) -> Vec<f64> {
        let mut stages = Stages::new(staged, 1, 2).unwrap();
        assert!(!stages.ends_at(1) && stages.ends_at(2));
        // Of three votes, and of one.
        stages.close(&mut [3.0 - votes[0], votes[0]], &mut [3.0]);
        stages.close(&mut [1.0 - votes[1], votes[1]], &mut [1.0]);
        stages.laws()
    }

    #[test]
    fn scores_are_held_against_thresholds() {
        let ends = || vec![2, 3];
        let logit = |law: &[f64]| (law[1] / law[0]).ln();
        // Scores 3 and -1, thresholds 0.5 and 0: (3 - 1 - 0.5) of 4 votes.
        let sum = Staged::sum(ends(), vec![0.5, 0.0], 1);
        assert!((logit(&answer(&sum, [3.0, 0.0])) - 2.0 * 1.5 / 4.0).abs() < 1e-14);
        // The second stage says no.
        let all = Staged::all(ends(), vec![0.5, 0.0], 1);
        assert!((logit(&answer(&all, [3.0, 0.0])) + 2.0).abs() < 1e-14);
        assert!(answer(&all, [3.0, 1.0])[1] > 0.5);
        // Meeting the threshold is not enough, whichever class is positive.
        for positive in [0, 1] {
            let sum = Staged::sum(ends(), vec![0.0, 0.0], positive);
            assert!(answer(&sum, [1.5, 0.5])[positive as usize] < 0.5);
        }
        let mean = answer(&Staged::mean(ends()), [3.0, 0.0]);
        assert!((mean[0] - 0.5).abs() < 1e-15);
    }

    #[test]
    fn stages_that_fit_nothing_are_told() {
        assert!(Staged::mean(vec![2, 3]).fits(3, 5));
        assert!(!Staged::mean(vec![2, 3]).fits(4, 2) && !Staged::mean(vec![]).fits(0, 2));
        assert!(!Staged::mean(vec![3, 3]).fits(3, 2) && !Staged::mean(vec![0, 3]).fits(3, 2));
        assert!(Staged::sum(vec![3], vec![0.0], 1).fits(3, 2));
        assert!(
            !Staged::sum(vec![3], vec![], 1).fits(3, 2) && !Staged::sum(vec![3], vec![0.0], 2).fits(3, 3)
        );
        assert!(!Staged::all(vec![3], vec![f64::NAN], 1).fits(3, 2));
    }
}
