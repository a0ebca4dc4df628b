//! Multinomial regret `ln C(k, n)` of normalized maximum likelihood (NML).
//!
//! Consider a code for the n values of a variable with k states. The regret is the largest number of nats
//! that the code loses against the best code in hindsight (Kontkanen and Myllymäki 2007).

/// Maximum number of states for which the recurrence is used.
///
/// For more states, an approximation has an error below 3e-6.
const EXACT: usize = 1 << 16;
/// Maximum number of rows for which `C(2, n)` is computed as a sum.
///
/// For more rows, an expansion has a relative error below 1e-11.
const SUMMED: usize = 1000;

#[derive(Clone, Debug)]
struct MultinomialRegret {
    two: Vec<f64>,
}

impl MultinomialRegret {
    fn new() -> Self {
        Self { two: (0..=SUMMED).map(nml_constant_of_two_states).collect() }
    }

    /// Ratios `C(k + 1, n) / C(k, n)` for `k = 1, 2, ...`, where n is the number of rows.
    ///
    /// They follow from the recurrence `C(k + 2, n) = C(k + 1, n) + n / k C(k, n)`, divided by `C(k + 1, n)`.
    #[allow(clippy::cast_sign_loss)] // Rows are counted.
    fn nml_constant_ratios(&self, rows: f64) -> impl Iterator<Item = f64> {
        let first = self.two.get(rows as usize).copied().unwrap_or_else(|| ramanujan_expansion(rows));
        (1..).scan(first, move |ratio, k| {
            let now = *ratio;
            *ratio = 1.0 + rows / (f64::from(k) * now);
            Some(now)
        })
    }

    /// `ln C(values, rows)` by the recurrence, with `rows` rounded to an integer.
    fn ln_nml_constant(&self, values: usize, rows: f64) -> f64 {
        self.nml_constant_ratios(rows.round()).take(values - 1).map(f64::ln).sum()
    }

    /// `ln C(k, rows)` for `k = 1, 2, ...`, up to [`EXACT`] states.
    fn ln_nml_constant_table(&self, rows: f64) -> Vec<f64> {
        let sums = self.nml_constant_ratios(rows.round()).scan(0.0, |sum, ratio| {
            *sum += ratio.ln();
            Some(*sum)
        });
        std::iter::once(0.0).chain(sums).take(EXACT).collect()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct NmlPenalty {
    total: f64,
    regret: MultinomialRegret,
    /// Regrets for the total number of rows; entry k - 1 is for a variable with k states.
    of_all: Vec<f64>,
}

impl NmlPenalty {
    pub(crate) fn new(total: f64) -> Self {
        let regret = MultinomialRegret::new();
        Self { total, of_all: regret.ln_nml_constant_table(total), regret }
    }

    /// Regret of qNML: of parents and child as one joint variable, minus that of the parents.
    pub(crate) fn quotient_regret(&self, levels: f64, configurations: f64) -> f64 {
        let ln_constant = |values| ln_nml_constant_from_table(&self.of_all, values, self.total);
        ln_constant(configurations * levels) - ln_constant(configurations)
    }

    /// Regret of fNML: the sum of the regrets of the child in each parent configuration.
    pub(crate) fn factorized_regret(&self, rows: impl Iterator<Item = f64>, levels: usize) -> f64 {
        rows.map(|rows| self.regret.ln_nml_constant(levels, rows)).sum()
    }
}

/// `ln C(values, rows)` for any number of states, `values`.
///
/// `table` has `ln C(k, rows)` for the first numbers of states `k = 1, 2, ...`.
#[allow(clippy::cast_sign_loss)] // Values are counted.
fn ln_nml_constant_from_table(table: &[f64], values: f64, rows: f64) -> f64 {
    if values <= table.len() as f64 {
        table[values as usize - 1]
    } else {
        ln_nml_constant_asymptotic(values, rows.round())
    }
}

/// `C(2, n)` as the sum `1 + sum_k n (n - 1) ... (n - k + 1) / n^k`.
fn nml_constant_of_two_states(n: usize) -> f64 {
    let n = n as f64;
    let mut term = 1.0;
    let mut sum = 1.0;
    let mut left = n;
    while left > 0.0 {
        term *= left / n;
        sum += term;
        left -= 1.0;
    }
    sum
}

/// `C(2, n)` for large `n`: 1 plus Ramanujan's Q-function.
///
/// See Flajolet, Grabner, Kirschenhofer and Prodinger 1995.
fn ramanujan_expansion(n: f64) -> f64 {
    let root = (std::f64::consts::PI / (2.0 * n)).sqrt();
    n * root + 2.0 / 3.0 + root / 12.0 - 4.0 / (135.0 * n) + root / (288.0 * n) + 8.0 / (2835.0 * n * n)
}

/// `ln C(values, rows)` if the number of states, `values`, is large.
///
/// See Szpankowski and Weinberger 2012, theorem 1.
fn ln_nml_constant_asymptotic(values: f64, rows: f64) -> f64 {
    if rows == 0.0 {
        return 0.0;
    }
    let alpha = values / rows;
    // This computes c - 1 without cancellation; c is the variable `c` below, not the constant `C(k, n)`.
    let above = (2.0 / alpha) / ((1.0 + 4.0 / alpha).sqrt() + 1.0);
    let c = 1.0 + above;
    rows * (alpha.ln() + (alpha + 2.0) * above.ln_1p() - 1.0 / c) - 0.5 * (c + 2.0 / alpha).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `C(values, rows)` by its definition: a sum over all assignments of states to rows.
    fn by_definition(values: usize, rows: usize) -> f64 {
        if values == 1 {
            return 1.0;
        }
        let n = rows as f64;
        let power = |k: usize| if k == 0 { 1.0 } else { (k as f64 / n).powf(k as f64) };
        let binomial = |k: usize| (0..k).map(|i| (rows - i) as f64 / (i + 1) as f64).product::<f64>();
        (0..=rows)
            .map(|k| binomial(k) * power(k) * power(rows - k) * by_definition(values - 1, rows - k))
            .sum()
    }

    #[test]
    fn recurrence_is_the_sum_over_all_tables() {
        let regret = MultinomialRegret::new();
        for (values, rows) in [(1, 5), (2, 1), (2, 9), (3, 8), (4, 6), (6, 3), (3, 0)] {
            let slow = by_definition(values, rows).ln();
            let table = regret.ln_nml_constant_table(rows as f64);
            assert!((regret.ln_nml_constant(values, rows as f64) - slow).abs() < 1e-12, "{values} {rows}");
            assert!((table[values - 1] - slow).abs() < 1e-12, "{values} {rows}");
        }
    }

    #[test]
    fn two_values_of_many_rows_and_many_values_meet_what_is_exact() {
        for n in [SUMMED, 5000, 100_000] {
            assert!(
                (nml_constant_of_two_states(n) / ramanujan_expansion(n as f64) - 1.0).abs() < 1e-11,
                "{n}"
            );
        }
        let regret = MultinomialRegret::new();
        for rows in [1.0, 10.0, 1000.0, 100_000.0, 1e6] {
            let table = regret.ln_nml_constant_table(rows);
            let gap = ln_nml_constant_asymptotic(EXACT as f64, rows) - table[EXACT - 1];
            assert!(gap.abs() < 3e-6, "{rows}: {gap}");
            assert_eq!(ln_nml_constant_from_table(&table, EXACT as f64, rows), table[EXACT - 1]);
        }
        // Almost all of the 1e15^50 assignments give each row its own state and have the likelihood 50^-50,
        // so C is about (1e15 / 50)^50.
        let all = ln_nml_constant_from_table(&regret.ln_nml_constant_table(50.0), 1e15, 50.0);
        assert!((all - 50.0 * 2e13_f64.ln()).abs() < 1e-9, "{all}");
    }
}
