//! Voting scheme of an ensemble: weights, columns and combination rule of the members.

use super::base_learner::OutputKind;
use super::staged_voting::StagedVoting;
use imbcore_core::{Error, PriorShift, Result};
use serde::{Deserialize, Serialize};

/// Combination rule for the members' predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VotingRule {
    /// Weighted mean of the probabilities.
    Soft,
    /// Weighted fraction of the votes for each class.
    Hard,
    /// Weighted votes for each class minus the mean votes for the other classes, as in boosting.
    Votes,
    /// The members of each stage vote as for [`Self::Votes`], and the stages are combined.
    Staged(StagedVoting),
}

impl VotingRule {
    /// Kind of member output that the rule needs.
    pub fn output_kind(&self) -> OutputKind {
        match self {
            Self::Soft => OutputKind::Proba,
            Self::Hard | Self::Votes | Self::Staged(_) => OutputKind::Choice,
        }
    }

    fn is_valid_for(&self, n_members: usize, n_classes: usize) -> bool {
        match self {
            Self::Soft | Self::Hard => true,
            Self::Votes => n_classes > 1,
            Self::Staged(staged) => n_classes > 1 && staged.is_valid_for(n_members, n_classes),
        }
    }
}

/// Description of how the members of an ensemble are combined.
#[derive(Clone, Debug, PartialEq)]
pub struct VotingScheme {
    /// Combination rule.
    pub rule: VotingRule,
    /// Weight of each member's vote.
    pub votes: Vec<f64>,
    /// Weighted training error of each member, from which its vote was computed.
    /// Empty if votes do not depend on errors.
    pub errors: Vec<f64>,
    /// Columns that each member uses, ascending; an empty list stands for all columns.
    pub columns: Vec<Vec<u32>>,
    /// Number of classes.
    pub n_classes: usize,
    /// Prior correction from the class proportions of the bags to those of the data, if enabled.
    pub shift: Option<PriorShift>,
}

impl VotingScheme {
    /// Validates a voting scheme from an untrusted file, for a table of `n_columns` columns.
    ///
    /// # Errors
    /// [`Error::Format`].
    pub fn validated(self, n_columns: usize) -> Result<Self> {
        let n = self.votes.len();
        let seen = |columns: &Vec<u32>| {
            columns.is_sorted_by(|a, b| a < b) && columns.last().is_none_or(|&at| (at as usize) < n_columns)
        };
        let valid = n > 0
            && self.rule.is_valid_for(n, self.n_classes)
            && self.columns.len() == n
            && self.columns.iter().all(seen)
            && self.votes.iter().all(|vote| vote.is_finite() && *vote >= 0.0)
            && self.votes.iter().any(|vote| *vote > 0.0)
            && [0, n].contains(&self.errors.len())
            && self.errors.iter().all(|error| error.is_finite());
        if valid { Ok(self) } else { Err(Error::damaged("the votes or columns of its members are invalid")) }
    }
}
