//! How the members of a committee are heard: their votes, what they see, and the rule that makes one answer of theirs.

use super::staged::Staged;
use super::teacher::Voice;
use imbcore_base::{Error, PriorShift, Result};
use serde::{Deserialize, Serialize};

/// How the answers of the members become one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The mean of their probabilities, by their votes.
    Soft,
    /// The share of the votes for each class.
    Hard,
    /// The votes for each class against those for the others, as boosting answers.
    Votes,
    /// As [`Rule::Votes`], stage by stage.
    Staged(Staged),
}

impl Rule {
    /// What members are asked for.
    pub fn voice(&self) -> Voice {
        match self {
            Self::Soft => Voice::Law,
            Self::Hard | Self::Votes | Self::Staged(_) => Voice::Choice,
        }
    }

    /// Whether it is a rule for so many members and classes.
    fn fits(&self, n_members: usize, n_classes: usize) -> bool {
        match self {
            Self::Soft | Self::Hard => true,
            Self::Votes => n_classes > 1,
            Self::Staged(staged) => n_classes > 1 && staged.fits(n_members, n_classes),
        }
    }
}

/// All of a committee but its members.
#[derive(Clone, Debug, PartialEq)]
pub struct Ballot {
    /// How their answers become one.
    pub rule: Rule,
    /// What each member counts.
    pub votes: Vec<f64>,
    /// The error of each member by which its vote was found; empty where votes follow from nothing.
    pub errors: Vec<f64>,
    /// Columns that each member sees, ascending; empty for all.
    pub columns: Vec<Vec<u32>>,
    /// Number of classes.
    pub n_classes: usize,
    /// From the class shares that the members saw to those of the data, where probabilities are recalibrated.
    pub shift: Option<PriorShift>,
}

impl Ballot {
    /// Looks at parts that come from anywhere; the table has `n_columns`.
    ///
    /// # Errors
    /// [`Error::Format`].
    pub fn checked(self, n_columns: usize) -> Result<Self> {
        let n = self.votes.len();
        let seen = |columns: &Vec<u32>| {
            columns.is_sorted_by(|a, b| a < b) && columns.last().is_none_or(|&at| (at as usize) < n_columns)
        };
        let valid = n > 0
            && self.rule.fits(n, self.n_classes)
            && self.columns.len() == n
            && self.columns.iter().all(seen)
            && self.votes.iter().all(|vote| vote.is_finite() && *vote >= 0.0)
            && self.votes.iter().any(|vote| *vote > 0.0)
            && [0, n].contains(&self.errors.len())
            && self.errors.iter().all(|error| error.is_finite());
        if valid {
            Ok(self)
        } else {
            Err(Error::damaged("the votes or columns of its members are impossible"))
        }
    }
}
