//! Greedy selection of an ensemble from fitted members, by held-out predictions.
//!
//! [`select_members`] chooses the weight of every member (Caruana, Niculescu-Mizil, Crew and Ksikes 2004),
//! and [`SelectedEnsemble`] is the weighted mean of the members' probabilities with the [`Leaderboard`] of
//! the choice.

mod contributions;
mod formula;
mod greedy;
mod leaderboard;
mod model;
mod params;
mod stored;

pub use contributions::AdditiveContributions;
pub use greedy::{HeldOutTable, SelectedWeights, select_members};
pub use leaderboard::{Leaderboard, LeaderboardEntry, OmissionReason};
pub use model::SelectedEnsemble;
pub use params::{AutoParams, MissingHandling, SelectionMetric};
