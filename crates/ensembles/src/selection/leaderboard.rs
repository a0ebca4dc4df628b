//! Leaderboard of an ensemble selection: candidates with their held-out scores and weights.

use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Reason why a candidate was not fitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OmissionReason {
    /// The estimated work of the candidates up to this one exceeds the budget.
    Budget,
    /// The candidate was not complete within its part of the time limit, or was not started.
    TimeLimit,
    /// The run was cancelled before the candidate was complete.
    Interrupted,
    /// The fit of the candidate failed with this message.
    Failed(String),
}

/// One candidate member.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderboardEntry {
    /// Name of the candidate.
    pub member: String,
    /// Registered name of the candidate's method.
    pub method: String,
    /// Parameters that differ from the defaults of the method.
    pub params: Map<String, Value>,
    /// Held-out score; None if the candidate was not fitted, or the score is undefined.
    pub score: Option<f64>,
    /// Weight in the ensemble.
    pub weight: f64,
    /// Number of models of the candidate in the ensemble; 0 if its weight is 0.
    ///
    /// Otherwise there is one model per fold, or one model of all rows if rows have times.
    pub n_models: u32,
    /// Estimated work in units of the budget.
    pub work: f64,
    /// Reason why the candidate was not fitted.
    pub left_out: Option<OmissionReason>,
    /// Wall-clock seconds of the fits.
    /// They are not stored in files and not compared, because they are not reproducible.
    #[serde(skip)]
    pub seconds: Option<f64>,
}

impl PartialEq for LeaderboardEntry {
    fn eq(&self, other: &Self) -> bool {
        let key = |entry: &Self| (entry.score, entry.weight, entry.n_models, entry.work);
        (&self.member, &self.method, &self.params, &self.left_out)
            == (&other.member, &other.method, &other.params, &other.left_out)
            && key(self) == key(other)
    }
}

/// All candidates of a selection, and the held-out score of the ensemble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leaderboard {
    /// Candidates in the order of the fits.
    pub entries: Vec<LeaderboardEntry>,
    /// Held-out score of the ensemble; None if it is undefined.
    ///
    /// Each fold is predicted with weights that were selected on the other folds.
    pub score: Option<f64>,
}

impl Leaderboard {
    /// Entry of the candidate that has the model at position `model` of the ensemble.
    pub fn entry_of_model(&self, model: usize) -> Option<&LeaderboardEntry> {
        let mut end = 0;
        self.entries.iter().find(|entry| {
            end += entry.n_models as usize;
            model < end
        })
    }

    pub(super) fn validated(self, n_models: usize) -> Result<Self> {
        let total: u64 = self.entries.iter().map(|entry| u64::from(entry.n_models)).sum();
        let valid = |entry: &LeaderboardEntry| {
            (0.0..=1.0 + 1e-9).contains(&entry.weight)
                && entry.work.is_finite()
                && entry.work >= 0.0
                && entry.score.is_none_or(f64::is_finite)
        };
        if total == n_models as u64 && self.score.is_none_or(f64::is_finite) && self.entries.iter().all(valid)
        {
            Ok(self)
        } else {
            Err(Error::damaged("its leaderboard is invalid"))
        }
    }
}
