//! Groups of rows with equal scores.

use crate::argument_checks;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScoreGroup {
    pub(crate) score: f64,
    /// Total weight of the rows; it is above 0.
    pub(crate) weight: f64,
    /// Total weight of the rows of the class whose probability the curve calibrates.
    pub(crate) positive: f64,
}

/// Joins rows with equal probabilities of `class` to groups, by ascending probability.
///
/// Rows of weight 0 are left out.
pub(crate) fn group_by_class_probability(
    class: usize,
    truth: &[u32],
    proba: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
) -> Vec<ScoreGroup> {
    group_scores(class, truth, |row| proba[row * n_classes + class], weights)
}

pub(crate) fn group_scores(
    class: usize,
    truth: &[u32],
    score: impl Fn(usize) -> f64,
    weights: Option<&[f64]>,
) -> Vec<ScoreGroup> {
    let mut rows: Vec<ScoreGroup> = (0..truth.len())
        .map(|row| {
            let weight = argument_checks::weight_or_one(weights, row);
            let positive = if truth[row] as usize == class { weight } else { 0.0 };
            // Adding 0 turns -0 into 0.
            ScoreGroup { score: score(row) + 0.0, weight, positive }
        })
        .filter(|row| row.weight > 0.0)
        .collect();
    // Rows of equal score are sorted by weight too. The rounding errors of sums then do not depend on the row
    // order.
    let order = |a: &ScoreGroup, b: &ScoreGroup| {
        a.score
            .total_cmp(&b.score)
            .then(a.weight.total_cmp(&b.weight))
            .then(a.positive.total_cmp(&b.positive))
    };
    rows.sort_unstable_by(order);
    rows.dedup_by(|row, group| {
        let same = row.score == group.score;
        if same {
            group.weight += row.weight;
            group.positive += row.positive;
        }
        same
    });
    rows
}

/// Smoothed targets for rows of the class and for the other rows (Platt 1999, section 2.2).
///
/// They replace the targets 1 and 0. Both are posterior means of a probability with a uniform prior: the
/// first after observing only the rows of the class, the second after observing only the other rows.
pub(crate) fn smoothed_targets(groups: &[ScoreGroup]) -> (f64, f64) {
    let positive: f64 = groups.iter().map(|group| group.positive).sum();
    let negative: f64 = groups.iter().map(|group| group.weight - group.positive).sum();
    ((positive + 1.0) / (positive + 2.0), 1.0 / (negative + 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_are_one_group() {
        let proba = [1.0, -0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 0.0, 0.2, 0.8];
        let found =
            group_by_class_probability(1, &[0, 1, 0, 1, 1], &proba, 2, Some(&[1.0, 2.0, 1.0, 3.0, 0.0]));
        let group = |score, weight, positive| ScoreGroup { score, weight, positive };
        assert_eq!(found, [group(0.0, 4.0, 3.0), group(0.5, 3.0, 2.0)]);
        assert_eq!(smoothed_targets(&found), (6.0 / 7.0, 0.25));
    }
}
