//! Accumulation of the members' votes, and their conversion to predictions.

use super::staged_voting::StageAccumulator;
use super::votes::votes_to_proba;
use super::voting::{VotingRule, VotingScheme};
use crate::model::divide_by_weights;
use imbcore_core::{Result, index_of_first_largest, memory};

/// Accumulated votes of the members so far.
#[derive(Debug)]
pub struct VoteAccumulator<'b> {
    voting: &'b VotingScheme,
    /// Sum of the members' weighted outputs, `n_rows x n_classes`.
    ///
    /// A stage is a group of members that vote together (see `staged_voting`). This sum and `votes` are set
    /// to zero after each stage.
    sums: Vec<f64>,
    /// Sum of the vote weights of the members that predicted each row.
    votes: Vec<f64>,
    n_added: usize,
    stages: Option<StageAccumulator<'b>>,
}

impl<'b> VoteAccumulator<'b> {
    /// Creates an empty accumulator for `n_rows` rows.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub fn new(voting: &'b VotingScheme, n_rows: usize) -> Result<Self> {
        let stages = match &voting.rule {
            VotingRule::Staged(staged) => Some(StageAccumulator::new(staged, n_rows, voting.n_classes)?),
            _ => None,
        };
        Ok(Self {
            voting,
            stages,
            sums: memory::filled(n_rows * voting.n_classes, 0.0, "predictions")?,
            votes: memory::filled(n_rows, 0.0, "predictions")?,
            n_added: 0,
        })
    }

    /// Adds the output of the next member, which must be of the kind that the voting rule needs.
    pub fn add_output(&mut self, output: &[f64]) {
        self.add_output_of_rows(output, |_| true);
    }

    pub(crate) fn add_output_of_rows(&mut self, output: &[f64], includes: impl Fn(usize) -> bool) {
        let c = self.voting.n_classes;
        let vote = self.voting.votes.get(self.n_added).copied().unwrap_or_default();
        self.n_added += 1;
        let rows = self.sums.chunks_exact_mut(c).zip(output.chunks_exact(c)).zip(&mut self.votes);
        for (_, ((sums, output), votes)) in rows.enumerate().filter(|(row, _)| includes(*row)) {
            sums.iter_mut().zip(output).for_each(|(sum, value)| *sum += vote * value);
            *votes += vote;
        }
        self.close_stage_if_complete();
    }

    /// Adds the predicted classes of the next member; each counts like a probability of 1.
    pub(crate) fn add_classes(&mut self, answers: &[u32]) {
        let c = self.voting.n_classes;
        let vote = self.voting.votes.get(self.n_added).copied().unwrap_or_default();
        self.n_added += 1;
        if c == 2 {
            // Two classes are the usual case, for which this loop without branches is fast.
            for ([first, second], &answer) in self.sums.as_chunks_mut().0.iter_mut().zip(answers) {
                *first += if answer == 0 { vote } else { 0.0 };
                *second += if answer == 0 { 0.0 } else { vote };
            }
        } else {
            let rows = self.sums.chunks_exact_mut(c).zip(answers);
            rows.for_each(|(sums, &answer)| sums[answer as usize] += vote);
        }
        self.votes.iter_mut().for_each(|votes| *votes += vote);
        self.close_stage_if_complete();
    }

    fn close_stage_if_complete(&mut self) {
        if let Some(stages) = self.stages.as_mut().filter(|stages| stages.stage_ends_at(self.n_added)) {
            stages.close_stage(&mut self.sums, &mut self.votes);
        }
    }

    /// Probabilities before prior correction; NaN for rows without any vote.
    pub fn probabilities(mut self) -> Vec<f64> {
        if let Some(stages) = self.stages {
            return stages.probabilities();
        }
        divide_by_weights(&mut self.sums, &self.votes);
        if self.voting.rule == VotingRule::Votes {
            self.sums.chunks_exact_mut(self.voting.n_classes).for_each(votes_to_proba);
        }
        self.sums
    }

    /// Decision function, before prior correction.
    ///
    /// With two classes the result has one number per row, which is positive if the second class is
    /// predicted. With more classes it has `n_rows x n_classes` numbers.
    ///
    /// - [`VotingRule::Votes`] gives `f_1 - f_0` for two classes and `f_c` for more classes. Here,
    ///   `f_c = share_c - (1 - share_c) / (K - 1)`, `share_c` is the fraction of the votes for class c, and
    ///   `K` is the number of classes.
    /// - [`VotingRule::Staged`] gives the log-odds of the second class for two classes. For more classes, it
    ///   gives `K - 1` times the centered logarithms of the probabilities.
    /// - Other rules give the second probability minus the first for two classes, and the probabilities for
    ///   more classes.
    pub fn decision_function(self) -> Vec<f64> {
        let voting = self.voting;
        let by_votes = matches!(voting.rule, VotingRule::Votes | VotingRule::Staged(_));
        decision_scores(&self.probabilities(), voting.n_classes, by_votes)
    }

    /// Predicted class for every row, the lowest on ties, and the probabilities.
    ///
    /// Predicted classes are computed before prior correction. If members are trained on balanced classes,
    /// the predictions are therefore those for balanced classes.
    pub fn predict_with_proba(self) -> (Vec<u32>, Vec<f64>) {
        let voting = self.voting;
        let mut proba = self.probabilities();
        let answers = proba.chunks_exact(voting.n_classes).map(index_of_first_largest).collect();
        voting.shift.iter().for_each(|shift| shift.apply(&mut proba));
        (answers, proba)
    }
}

/// Decision scores from probabilities; with `by_votes`, the inverse of [`votes_to_proba`].
fn decision_scores(proba: &[f64], n_classes: usize, by_votes: bool) -> Vec<f64> {
    let others = (n_classes - 1) as f64;
    let rows = proba.chunks_exact(n_classes);
    match (n_classes, by_votes) {
        (2, true) => rows.map(|row| (row[1] / row[0]).ln()).collect(),
        (2, false) => rows.map(|row| row[1] - row[0]).collect(),
        (_, false) => proba.to_vec(),
        (_, true) => rows
            .flat_map(|row| {
                // The decision scores of a row sum to 0 over the classes (Zhu, Zou, Rosset and Hastie 2009),
                // so the mean over the classes is subtracted.
                let mean = row.iter().map(|share| share.ln()).sum::<f64>() / n_classes as f64;
                row.iter().map(move |share| others * (share.ln() - mean))
            })
            .collect(),
    }
}

pub(crate) fn one_hot(answers: &[u32], n_classes: usize) -> Vec<f64> {
    let mut output = vec![0.0; answers.len() * n_classes];
    for (row, &class) in output.chunks_exact_mut(n_classes).zip(answers) {
        row[class as usize] = 1.0;
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{PriorCorrection, PriorShift};

    fn voting(rule: VotingRule, shift: Option<PriorShift>) -> VotingScheme {
        let votes = vec![1.0, 3.0];
        VotingScheme { rule, votes, errors: Vec::new(), columns: vec![Vec::new(); 2], n_classes: 2, shift }
    }

    #[test]
    fn votes_are_weighted_and_rows_count_only_their_members() {
        let voting = voting(VotingRule::Soft, None);
        let mut tally = VoteAccumulator::new(&voting, 3).unwrap();
        tally.add_output_of_rows(&[1.0, 0.0, 0.5, 0.5, 0.5, 0.5], |row| row < 2);
        tally.add_output_of_rows(&[0.0, 1.0, 1.0, 0.0, 0.5, 0.5], |row| row == 0);
        let proba = tally.probabilities();
        assert_eq!(proba[..4], [0.25, 0.75, 0.5, 0.5]);
        assert!(proba[4].is_nan());
    }

    #[test]
    fn predicted_classes_count_as_whole_votes() {
        for n_classes in [2, 3] {
            let mut voting = voting(VotingRule::Votes, None);
            (voting.n_classes, voting.votes) = (n_classes, vec![0.3, 0.7]);
            let (mut by_proba, mut by_class) =
                (VoteAccumulator::new(&voting, 3).unwrap(), VoteAccumulator::new(&voting, 3).unwrap());
            for answers in [[1, 0, 1], [0, n_classes as u32 - 1, 1]] {
                by_proba.add_output(&one_hot(&answers, n_classes));
                by_class.add_classes(&answers);
            }
            assert_eq!(by_proba.predict_with_proba(), by_class.predict_with_proba());
        }
    }

    #[test]
    fn decisions_invert_the_probabilities_of_votes() {
        // The second class has three quarters of the votes: f_1 - f_0 = 2 (3/4 - 1/4) = 1.
        let shift = PriorCorrection::Prior.prior_shift_if_enabled(&[1.0, 1.0], &[9.0, 1.0]);
        let mut of_two = voting(VotingRule::Votes, shift);
        let decision_of = |voting: &VotingScheme, output: [&[f64]; 2]| {
            let mut tally = VoteAccumulator::new(voting, 1).unwrap();
            for output in output {
                tally.add_output(output);
            }
            tally.decision_function()
        };
        let output = [&[1.0, 0.0][..], &[0.0, 1.0][..]];
        assert!((decision_of(&of_two, output)[0] - 1.0).abs() < 1e-15);
        of_two.rule = VotingRule::Hard;
        assert_eq!(decision_of(&of_two, output), [0.5]);
        let of_three = VotingScheme { n_classes: 3, rule: VotingRule::Votes, shift: None, ..of_two };
        let found = decision_of(&of_three, [&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]]);
        for (found, share) in found.iter().zip([0.25, 0.75, 0.0]) {
            assert!((found - (share - (1.0 - share) / 2.0)).abs() < 1e-14, "{found} of {share}");
        }
    }

    #[test]
    fn predictions_precede_the_correction_and_ties_go_to_the_lower_class() {
        let shift = PriorCorrection::Prior.prior_shift_if_enabled(&[1.0, 1.0], &[9.0, 1.0]);
        let voting = voting(VotingRule::Hard, shift);
        let mut tally = VoteAccumulator::new(&voting, 2).unwrap();
        tally.add_output(&one_hot(&[0, 1], 2));
        tally.add_output(&one_hot(&[1, 1], 2));
        let (answers, proba) = tally.predict_with_proba();
        assert_eq!(answers, [1, 1]);
        // The prior correction divides the odds of the second class by 9: odds of 3 become odds of 1/3.
        assert!((proba[1] - 0.25).abs() < 1e-15 && proba[3] == 1.0);
        let mut even = VoteAccumulator::new(&voting, 1).unwrap();
        even.add_output(&[0.5, 0.5]);
        assert_eq!(even.predict_with_proba().0, [0]);
    }
}
