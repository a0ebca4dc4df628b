//! Ranking losses.
//!
//! [`RankingKind::Pairs`] is `ln(1 + exp(s_n - s_p))`, averaged over pairs of a negative row with score `s_n`
//! and a positive row with score `s_p`. It is, up to a factor, an upper bound of 1 - AUC, and its minimizer
//! also maximizes the AUC (Burges et al. 2005, eq. 3; Gao and Zhou 2015).
//!
//! [`RankingKind::Precision`] is 1 minus smooth average precision, the mean of `R_p / (R_p + B_p)` over the
//! positive rows. For a positive row, `R_p` and `B_p` are the numbers of positive and negative rows ranked
//! above it; `R_p` also counts the row itself. Each row is counted by the logistic function of the difference
//! of the two scores (Qin, Liu and Li 2010; Brown, Xie, Kalogeiton and Zisserman 2020, eq. 6).
//!
//! Every round uses all pairs of rows. Rows with similar scores are grouped into cells, and pairs of cells
//! are evaluated instead of pairs of rows.

use crate::boosted::loss::{MOST_OF_A_ROW, RankingKind, logistic};
use rayon::prelude::*;

const CELLS: usize = 512;

const STRETCH: usize = 1 << 13;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredRow {
    pub(crate) score: f64,
    pub(crate) weight: f64,
    pub(crate) is_positive: bool,
}

type Derivatives = (f64, f64);

#[derive(Debug)]
pub(crate) struct RankingDerivatives {
    cells: ScoreGrid,
    slopes: Vec<[Derivatives; 2]>,
}

#[derive(Clone, Copy, Debug)]
struct ScoreGrid {
    low: f64,
    in_one: f64,
}

/// Cell of rows with similar scores: their mean score, and the mass of either class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScoreCell {
    pub(crate) score: f64,
    pub(crate) masses: [f64; 2],
}

impl ScoreGrid {
    fn from_scores(scores: impl Iterator<Item = f64>) -> Self {
        let (low, high) = scores
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| (low.min(score), high.max(score)));
        let in_one = if high > low { CELLS as f64 / (high - low) } else { 0.0 };
        Self { low, in_one }
    }

    /// Returns the index of the cell of a score; scores out of range get the nearest cell.
    #[inline]
    fn cell_index_of_score(self, score: f64) -> usize {
        // The cast turns negative numbers into 0.
        #[allow(clippy::cast_sign_loss)]
        let place = ((score - self.low) * self.in_one) as usize;
        place.min(CELLS - 1)
    }

    /// Chunks, and thus rounding errors, do not depend on the number of threads.
    fn score_cells_of_rows(self, rows: &[ScoredRow]) -> Vec<ScoreCell> {
        let chunk_cells = |rows: &[ScoredRow]| {
            let mut cells = vec![ScoreCell::default(); CELLS];
            for row in rows {
                let cell = &mut cells[self.cell_index_of_score(row.score)];
                cell.masses[usize::from(row.is_positive)] += row.weight;
                cell.score += row.weight * row.score;
            }
            cells
        };
        let mut all = vec![ScoreCell::default(); CELLS];
        for cells in rows.par_chunks(STRETCH).map(chunk_cells).collect::<Vec<_>>() {
            for (all, cell) in all.iter_mut().zip(cells) {
                all.score += cell.score;
                all.masses.iter_mut().zip(cell.masses).for_each(|(all, mass)| *all += mass);
            }
        }
        for cell in &mut all {
            let mass = cell.masses[0] + cell.masses[1];
            cell.score = if mass > 0.0 { cell.score / mass } else { 0.0 };
        }
        all
    }
}

/// Returns the nonempty cells of the rows, by ascending score.
pub(crate) fn group_rows_into_score_cells(rows: &[ScoredRow]) -> Vec<ScoreCell> {
    let cells = ScoreGrid::from_scores(rows.iter().map(|row| row.score)).score_cells_of_rows(rows);
    cells.into_iter().filter(|cell| cell.masses != [0.0; 2]).collect()
}

impl RankingDerivatives {
    /// Both ranking losses are multiplied by the factor `lift`.
    ///
    /// The pairwise loss is the mean over all pairs, multiplied by the mass of the smaller class.
    pub(crate) fn new(of: RankingKind, rows: &[ScoredRow], lift: f64) -> Self {
        let place = ScoreGrid::from_scores(rows.iter().map(|row| row.score));
        let cells = place.score_cells_of_rows(rows);
        let masses = [0, 1].map(|class| cells.iter().map(|cell| cell.masses[class]).sum::<f64>());
        let mut slopes = vec![[(0.0, 0.0); 2]; CELLS];
        if masses.iter().all(|&mass| mass > 0.0) {
            let mass = masses[0].min(masses[1]) * lift;
            slopes = match of {
                RankingKind::Pairs => pairwise_derivatives(&cells, mass / (masses[0] * masses[1])),
                RankingKind::Precision => {
                    rescale_hessians(average_precision_derivatives(&cells), &cells, mass)
                }
            };
        }
        Self { cells: place, slopes }
    }

    #[inline]
    pub(crate) fn derivatives(&self, score: f64, is_positive: bool) -> Derivatives {
        self.slopes[self.cells.cell_index_of_score(score)][usize::from(is_positive)]
    }
}

/// Empty cells get the default value.
fn map_cells<T: Send + Default>(
    cells: &[ScoreCell],
    compute: impl Fn(usize, &ScoreCell) -> T + Sync,
) -> Vec<T> {
    let value = |(index, cell): (usize, &ScoreCell)| {
        if cell.masses == [0.0; 2] { T::default() } else { compute(index, cell) }
    };
    cells.par_iter().enumerate().with_min_len(CELLS / 16).map(value).collect()
}

/// Derivatives of the summed logistic losses of all pairs, multiplied by the factor `share`.
fn pairwise_derivatives(cells: &[ScoreCell], share: f64) -> Vec<[Derivatives; 2]> {
    map_cells(cells, |_, cell| {
        let mut slopes = [(0.0, 0.0); 2];
        for (class, slope) in slopes.iter_mut().enumerate() {
            // The loss of a positive row increases with the scores of negative rows, and decreases with its
            // own score. For a negative row, the signs are reversed.
            let sign = if class == 1 { -1.0 } else { 1.0 };
            for other in cells {
                let mass = share * other.masses[1 - class];
                if mass > 0.0 {
                    let wrong = logistic(sign * (cell.score - other.score));
                    slope.0 += sign * wrong * mass;
                    slope.1 += wrong * (1.0 - wrong) * mass;
                }
            }
        }
        slopes
    })
}

/// Derivatives of 1 minus smooth average precision, summed over the positive rows.
///
/// Let `a = R / (R + B)^2` and `b = B / (R + B)^2` for a positive row, with `R` and `B` as `R_p` and `B_p` in
/// the module documentation. Let `d` be the slope of the logistic function at the score difference of two
/// rows. Each pair of a negative and a positive row adds `a d` to the gradient of the negative row and
/// subtracts `a d` from the gradient of the positive row. A pair of positive rows adds `(b - b') d` to the
/// gradient of the first row, where `b'` is the `b` of the second row. The Hessians are sums of the absolute
/// values of these terms, so they are never negative. They bound the curvature of each pair for fixed `a` and
/// `b`.
fn average_precision_derivatives(cells: &[ScoreCell]) -> Vec<[Derivatives; 2]> {
    let parts: Vec<[f64; 2]> = map_cells(cells, |_, own| {
        if own.masses[1] == 0.0 {
            return [0.0; 2];
        }
        // A positive row counts itself with logistic(0) = 0.5.
        let (mut same, mut others) = (0.5, 0.0);
        for cell in cells {
            let above = logistic(cell.score - own.score);
            others += cell.masses[0] * above;
            same += cell.masses[1] * above;
        }
        let squared = (same + others) * (same + others);
        [same / squared, others / squared]
    });
    map_cells(cells, |at, own| {
        let [a, b] = parts[at];
        let mut slopes = [(0.0, 0.0); 2];
        for (cell, [other_a, other_b]) in cells.iter().zip(&parts) {
            // A pair of negative rows contributes nothing.
            if own.masses[1] == 0.0 && cell.masses[1] == 0.0 {
                continue;
            }
            let above = logistic(cell.score - own.score);
            let d = above * (1.0 - above);
            let [negative, positive] = cell.masses.map(|mass| mass * d);
            slopes[0].0 += positive * other_a;
            slopes[0].1 += positive * other_a;
            slopes[1].0 += positive * (b - other_b) - negative * a;
            slopes[1].1 += positive * (b - other_b).abs() + negative * a;
        }
        slopes
    })
}

/// Rescales the derivatives so that the Hessians of positive rows sum to `mass / 4`.
///
/// `mass` is the mass of the smaller class, times the factor of the loss. Before the first round, the
/// Hessians of the pairwise loss have this sum. Thus the L2 penalty has the same effect in every round,
/// although the Hessians of smooth average precision shrink as the ranking improves.
///
/// If a Hessian would exceed [`MOST_OF_A_ROW`], it is set to this maximum, and its gradient is scaled by the
/// same factor. The sum of the Hessians is then smaller than `mass / 4`.
fn rescale_hessians(
    mut slopes: Vec<[Derivatives; 2]>,
    cells: &[ScoreCell],
    mass: f64,
) -> Vec<[Derivatives; 2]> {
    let bend: f64 = slopes.iter().zip(cells).map(|(slopes, cell)| slopes[1].1 * cell.masses[1]).sum();
    let times = if bend > 0.0 { mass / (4.0 * bend) } else { 0.0 };
    for (gradient, hessian) in slopes.iter_mut().flatten() {
        let times = if times * *hessian > MOST_OF_A_ROW { MOST_OF_A_ROW / *hessian } else { times };
        *gradient *= times;
        *hessian *= times;
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 1e-4;

    fn rows(scores: &[f64]) -> Vec<ScoredRow> {
        let of = |(at, &score): (usize, &f64)| ScoredRow {
            score,
            weight: 1.0 + (at % 4) as f64 / 2.0,
            is_positive: at % 3 == 0,
        };
        scores.iter().enumerate().map(of).collect()
    }

    const SCORES: [f64; 13] = [0.3, -1.0, 2.0, 0.1, -0.4, 0.0, 1.5, 0.7, -2.2, 0.2, 0.5, -0.3, 1.1];

    fn mass(rows: &[ScoredRow], is_positive: bool) -> f64 {
        rows.iter().filter(|row| row.is_positive == is_positive).map(|row| row.weight).sum()
    }

    /// Pairwise loss: the mean over all pairs, times the mass of the smaller class.
    fn pairs(rows: &[ScoredRow]) -> f64 {
        let of = |p: &ScoredRow, n: &ScoredRow| p.weight * n.weight * (n.score - p.score).exp().ln_1p();
        let each = |p: &ScoredRow| rows.iter().filter(|n| !n.is_positive).map(|n| of(p, n)).sum::<f64>();
        let total: f64 = rows.iter().filter(|p| p.is_positive).map(each).sum();
        total / mass(rows, true).max(mass(rows, false))
    }

    /// Smooth numbers of positive and of negative rows ranked above the positive row `p`.
    ///
    /// The first number also counts `p` itself. Each row is counted by the logistic function of the score
    /// difference.
    fn above(rows: &[ScoredRow], p: &ScoredRow) -> [f64; 2] {
        let of = |is_positive: bool| {
            let rows = rows.iter().filter(move |row| row.is_positive == is_positive);
            rows.map(|row| row.weight * logistic(row.score - p.score)).sum::<f64>()
        };
        [0.5 + of(true), of(false)]
    }

    fn precision(rows: &[ScoredRow]) -> f64 {
        let share = |p: &ScoredRow| {
            let [same, others] = above(rows, p);
            p.weight * same / (same + others)
        };
        -rows.iter().filter(|p| p.is_positive).map(share).sum::<f64>()
    }

    fn measured(rows: &[ScoredRow], row: usize, loss: impl Fn(&[ScoredRow]) -> f64) -> [f64; 2] {
        let shifted = |d: f64| {
            let mut rows = rows.to_vec();
            rows[row].score += d;
            loss(&rows)
        };
        [(shifted(H) - shifted(-H)) / (2.0 * H), (shifted(H) - 2.0 * shifted(0.0) + shifted(-H)) / (H * H)]
    }

    #[test]
    fn derivatives_of_pairs_are_those_of_the_loss() {
        let rows = rows(&SCORES);
        let order = RankingDerivatives::new(RankingKind::Pairs, &rows, 1.0);
        for (index, row) in rows.iter().enumerate() {
            let (gradient, hessian) = order.derivatives(row.score, row.is_positive);
            let [slope, bend] = measured(&rows, index, pairs);
            assert!(
                (row.weight * gradient - slope).abs() < 1e-7 && (row.weight * hessian - bend).abs() < 1e-6
            );
        }
    }

    #[test]
    fn derivatives_of_smooth_precision_are_those_of_the_loss_and_bound_its_bends() {
        let rows = rows(&SCORES);
        let cells = group_rows_into_score_cells(&rows);
        let slopes = average_precision_derivatives(&cells);
        // The Hessian treats `a` and `b` of each positive row as constants. They are therefore computed from
        // the unchanged scores.
        let factors: Vec<[f64; 2]> = rows.iter().map(|row| above(&rows, row)).collect();
        let with_fixed_factors = |moved: &[ScoredRow]| {
            let share = |(p, [same, others]): (&ScoredRow, &[f64; 2])| {
                let squared = (same + others) * (same + others);
                let [up, down] = above(moved, p);
                p.weight * (down * same - up * others) / squared
            };
            moved.iter().zip(&factors).filter(|(p, _)| p.is_positive).map(share).sum()
        };
        for (index, row) in rows.iter().enumerate() {
            let cell = cells.iter().position(|cell| (cell.score - row.score).abs() < 1e-9).unwrap();
            let (gradient, hessian) = slopes[cell][usize::from(row.is_positive)];
            let [slope, _] = measured(&rows, index, precision);
            assert!((row.weight * gradient - slope).abs() < 1e-7, "{gradient} {slope}");
            let [slope, bend] = measured(&rows, index, with_fixed_factors);
            assert!((row.weight * gradient - slope).abs() < 1e-7, "{gradient} {slope}");
            assert!(row.weight * hessian > bend.abs() - 1e-6, "{hessian} {bend}");
        }
    }

    /// With one row per class, both losses depend only on the difference of the two scores.
    ///
    /// The factor `lift` multiplies both losses.
    #[test]
    fn one_pair_has_logistic_loss_of_score_difference() {
        let ranked = |score, is_positive| ScoredRow { score, weight: 1.0, is_positive };
        let rows = [ranked(0.4, false), ranked(-0.2, true)];
        let (wrong, bend) = (logistic(0.6), logistic(0.6) * logistic(-0.6));
        let found = |of, lift| {
            let order = RankingDerivatives::new(of, &rows, lift);
            [order.derivatives(0.4, false), order.derivatives(-0.2, true)]
        };
        for ((gradient, hessian), sign) in found(RankingKind::Pairs, 2.0).into_iter().zip([1.0, -1.0]) {
            assert!((gradient - 2.0 * sign * wrong).abs() < 1e-12 && (hessian - 2.0 * bend).abs() < 1e-12);
        }
        // The Hessian of smooth average precision is rescaled to 1/4, which is the Hessian of the pairwise
        // loss at equal scores.
        for ((gradient, hessian), sign) in found(RankingKind::Precision, 1.0).into_iter().zip([1.0, -1.0]) {
            assert!((gradient - sign / 4.0).abs() < 1e-12 && (hessian - 0.25).abs() < 1e-12);
        }
    }

    #[test]
    fn derivatives_are_zero_for_one_class() {
        let rows: Vec<ScoredRow> =
            rows(&SCORES).into_iter().map(|row| ScoredRow { is_positive: false, ..row }).collect();
        for of in [RankingKind::Pairs, RankingKind::Precision] {
            assert_eq!(RankingDerivatives::new(of, &rows, 1.0).derivatives(0.0, false), (0.0, 0.0));
        }
    }
}
