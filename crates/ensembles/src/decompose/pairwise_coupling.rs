//! Pairwise coupling: class probabilities from the probabilities of pairs.

use super::code_book::class_pairs;

/// Minimum distance of clamped pair probabilities from 0 and from 1.
/// If a probability were exactly 0 or 1, the system of equations in [`couple_pair_probabilities`] could be
/// singular.
const SURE: f64 = 1e-7;

/// Class probabilities from the probabilities of pairs.
/// For each pair `i < j` in lexicographic order, `high_wins` has the probability of `j` given that the class
/// is `i` or `j`.
///
/// This is the second approach of Wu, Lin and Weng 2004 (section 4.2). It minimizes `sum_i sum_(j != i) (r_ji
/// p_i - r_ij p_j)^2` subject to `sum p = 1`, where `p` are the class probabilities and `r_ij = P(i | i or
/// j)`. The minimum solves `[Q e; e' 0] [p; b] = [0; 1]` with `Q_ii = sum_(s != i) r_si^2`, `Q_ij = -r_ji
/// r_ij`, a vector `e` of ones and a multiplier `b`. No element of the solution `p` is negative. If the pair
/// probabilities are consistent with class probabilities, these class probabilities are the result.
pub(crate) fn couple_pair_probabilities(high_wins: &[f64], n_classes: usize) -> Vec<f64> {
    let n = n_classes;
    let width = n + 2;
    let mut system = vec![0.0; (n + 1) * width];
    for ((low, high), &raw) in class_pairs(n).zip(high_wins) {
        let high_won = raw.clamp(SURE, 1.0 - SURE);
        let low_won = 1.0 - high_won;
        system[low * width + low] += high_won * high_won;
        system[high * width + high] += low_won * low_won;
        system[low * width + high] = -high_won * low_won;
        system[high * width + low] = -high_won * low_won;
    }
    for class in 0..n {
        system[class * width + n] = 1.0;
        system[n * width + class] = 1.0;
    }
    system[n * width + n + 1] = 1.0;
    let mut proba = solve_linear_system(&mut system, n + 1);
    proba.truncate(n);
    // Rounding may give slightly negative values.
    let total: f64 = proba.iter().map(|p| p.max(0.0)).sum();
    proba.iter().map(|p| p.max(0.0) / total).collect()
}

/// Solves `n` linear equations by Gaussian elimination with partial pivoting.
///
/// Each equation is a row of `n` coefficients and the right-hand side.
fn solve_linear_system(system: &mut [f64], n: usize) -> Vec<f64> {
    let width = n + 1;
    for step in 0..n {
        let size = |row: usize| system[row * width + step].abs();
        let pivot = (step + 1..n).fold(step, |best, row| if size(row) > size(best) { row } else { best });
        for column in 0..width {
            system.swap(step * width + column, pivot * width + column);
        }
        for row in step + 1..n {
            let factor = system[row * width + step] / system[step * width + step];
            for column in step..width {
                system[row * width + column] -= factor * system[step * width + column];
            }
        }
    }
    let mut solution = vec![0.0; n];
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|column| system[row * width + column] * solution[column]).sum();
        solution[row] = (system[row * width + n] - known) / system[row * width + row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consistent_pairs_give_their_distribution() {
        let expected = [0.1, 0.2, 0.3, 0.4];
        let wins: Vec<f64> = class_pairs(4).map(|(i, j)| expected[j] / (expected[i] + expected[j])).collect();
        let found = couple_pair_probabilities(&wins, 4);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn two_classes_keep_their_probability() {
        assert!((couple_pair_probabilities(&[0.3], 2)[1] - 0.3).abs() < 1e-15);
    }

    #[test]
    fn certain_pairs_select_the_class_that_beats_all() {
        // Class 2 beats 0 and 1, and class 1 beats 0.
        let found = couple_pair_probabilities(&[1.0, 1.0, 1.0], 3);
        assert!(found[2] > 0.999 && found.iter().all(|p| (0.0..=1.0).contains(p)), "{found:?}");
        let circle = couple_pair_probabilities(&[1.0, 0.0, 1.0], 3);
        assert!(circle.iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-6), "{circle:?}");
    }
}
