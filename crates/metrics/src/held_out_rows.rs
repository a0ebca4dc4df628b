//! Rows held out for a guarantee, and their groups.

use crate::goal::unmet_target_error;
use imbcore_core::{Result, RowGroups, SeedKey, random_below, tags};

/// Scores at most this far outside [0, 1] are probabilities with rounding errors.
const ROUNDING: f64 = 1e-9;

/// Held-out rows.
#[derive(Clone, Copy, Debug)]
pub struct HeldOutRows<'a> {
    /// Class codes.
    pub truth: &'a [u32],
    /// Code of the positive class.
    pub positive: u32,
    /// Scores that increase with the probability of the positive class.
    pub scores: &'a [f64],
    /// Groups of the rows; `None` if rows are independent.
    pub groups: Option<HeldOutGroups<'a>>,
}

/// Groups of held-out rows.
#[derive(Clone, Copy, Debug)]
pub struct HeldOutGroups<'a> {
    /// Group code of each row.
    pub codes: &'a [u32],
    /// Random key with which groups, and rows of groups, are drawn.
    pub key: SeedKey,
}

impl HeldOutRows<'_> {
    /// Lowest and highest possible threshold.
    ///
    /// They are 0 and 1 if all scores are probabilities, and infinite otherwise.
    pub(crate) fn threshold_range(&self) -> (f64, f64) {
        if self.first_invalid_probability_row().is_none() {
            (0.0, 1.0)
        } else {
            (f64::NEG_INFINITY, f64::INFINITY)
        }
    }

    pub(crate) fn first_invalid_probability_row(&self) -> Option<usize> {
        self.scores.iter().position(|score| !(-ROUNDING..=1.0 + ROUNDING).contains(score))
    }

    pub(crate) fn sorted_scores(&self, selected: impl Fn(u32) -> bool) -> Vec<f64> {
        let rows = self.truth.iter().zip(self.scores).filter(|&(&class, _)| selected(class));
        let mut scores: Vec<f64> = rows.map(|(_, &score)| score).collect();
        scores.sort_by(f64::total_cmp);
        scores
    }

    /// Threshold midway between the score `beyond` and the next larger score.
    ///
    /// Without a larger score, the next score is the highest possible threshold. Error messages state
    /// `limit`, the target rate.
    pub(crate) fn threshold_above_score(&self, beyond: f64, limit: f64) -> Result<f64> {
        let next = self.scores.iter().copied().filter(|&score| score > beyond).fold(f64::INFINITY, f64::min);
        let (_, highest) = self.threshold_range();
        match next {
            next if next.is_finite() => Ok(crate::threshold::midpoint_between(beyond, next)),
            _ if beyond < highest => Ok(f64::midpoint(beyond, highest)),
            _ => Err(unmet_target_error(&format!(
                "keeps the rate within {limit}: too many rows have the score 1"
            ))),
        }
    }
}

/// Draws one random row per group among the selected rows.
///
/// The result has the order of the first rows of the groups. Groups without selected rows are skipped.
pub fn draw_one_row_per_group(groups: &[u32], is_selected: impl Fn(usize) -> bool, key: SeedKey) -> Vec<u32> {
    let members = RowGroups::new(groups.iter().copied());
    let mut rng = key.child(tags::folds::GROUPS, 0).rng();
    let mut draw = |group: usize| {
        let selected = members.rows(group).iter().copied().filter(|&row| is_selected(row as usize));
        let rows: Vec<u32> = selected.collect();
        let drawn = random_below(&mut rng, rows.len() as u32);
        rows.get(drawn as usize).copied()
    };
    (0..members.n_groups()).filter_map(&mut draw).collect()
}
