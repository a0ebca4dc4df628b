//! Decomposable scores in nats, computed from counts of rows; higher is better.
//!
//! A family is a variable with its parents. The score of a graph is the sum of the scores of its families.

use crate::counts::FamilyCounts;
use crate::regret::NmlPenalty;
use std::ops::AddAssign;

/// `n ln n` is stored in a table for numbers of rows below this one.
const TABLE: usize = 1 << 20;

pub(crate) trait RowCount: Copy + Default + AddAssign + PartialEq + Send + Sync {
    const ZERO: Self;
    fn to_f64(self) -> f64;
    fn from_count(count: u32) -> Self;
    fn from_row_weight(weights: Option<&[f64]>, row: usize) -> Self;
    /// `n ln n`, with `0 ln 0 = 0`; `table` has the values for the smallest whole numbers n.
    fn x_ln_x(self, table: &[f64]) -> f64;
}

impl RowCount for u32 {
    const ZERO: Self = 0;

    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn from_count(count: u32) -> Self {
        count
    }

    #[inline]
    fn from_row_weight(_: Option<&[f64]>, _: usize) -> Self {
        1
    }

    #[inline]
    fn x_ln_x(self, table: &[f64]) -> f64 {
        table.get(self as usize).copied().unwrap_or_else(|| f64::from(self) * f64::from(self).ln())
    }
}

impl RowCount for f64 {
    const ZERO: Self = 0.0;

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }

    fn from_count(count: u32) -> Self {
        f64::from(count)
    }

    #[inline]
    fn from_row_weight(weights: Option<&[f64]>, row: usize) -> Self {
        weights.map_or(1.0, |weights| weights[row])
    }

    #[inline]
    fn x_ln_x(self, _: &[f64]) -> f64 {
        x_ln_x(self)
    }
}

pub(crate) fn x_ln_x(x: f64) -> f64 {
    if x > 0.0 { x * x.ln() } else { 0.0 }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ScoreFunction {
    /// Log-likelihood minus `penalty` per free parameter.
    ///
    /// The standard penalty is 1 for AIC and half the logarithm of the number of rows for BIC.
    Likelihood {
        /// Nats per free parameter.
        penalty: f64,
    },
    /// K2: Bayesian Dirichlet with one imaginary row per cell (Cooper and Herskovits 1992).
    K2,
    /// `BDeu`: Bayesian Dirichlet with `ess` imaginary rows, spread evenly over all cells.
    ///
    /// See Heckerman, Geiger and Chickering 1995.
    Bdeu {
        /// Equivalent sample size.
        ess: f64,
    },
    /// BDs: as `BDeu`, but only configurations that occur get imaginary rows (Scutari 2016).
    Bds {
        /// Equivalent sample size.
        ess: f64,
    },
    /// Bayesian Dirichlet with half an imaginary row per cell, Jeffreys' prior (Suzuki 2016).
    Bdj,
    /// Factorized normalized maximum likelihood.
    ///
    /// See Silander, Roos, Kontkanen and Myllymäki 2008, equation 8.
    Fnml,
    /// Quotient normalized maximum likelihood.
    ///
    /// See Silander, Leppä-aho, Jääsaari and Roos 2018, equation 9.
    Qnml,
}

impl ScoreFunction {
    pub(crate) fn bic(total: f64, constant: f64) -> Self {
        Self::Likelihood { penalty: constant * total.ln() / 2.0 }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FamilyScorer {
    measure: ScoreFunction,
    /// Number of rows to which likelihoods are scaled if some rows have missing values.
    ///
    /// `None` if likelihoods are sums over the complete rows.
    scaled_to: Option<f64>,
    x_ln_x: Vec<f64>,
    nml: Option<NmlPenalty>,
}

impl FamilyScorer {
    /// Builds a score for tables of at most `total` rows.
    ///
    /// With `node_average`, the likelihood of a family with missing values is its mean per complete row times
    /// `total` (Bodewes and Scutari 2021). Otherwise the likelihood is a sum over complete rows, which favors
    /// families with few complete rows.
    pub(crate) fn new(measure: ScoreFunction, total: f64, node_average: bool) -> Self {
        let needed = (0..TABLE).map(|n| n as f64).take_while(|&n| n <= total);
        let normalised = matches!(measure, ScoreFunction::Fnml | ScoreFunction::Qnml);
        Self {
            measure,
            scaled_to: node_average.then_some(total),
            x_ln_x: needed.map(x_ln_x).collect(),
            nml: normalised.then(|| NmlPenalty::new(total)),
        }
    }

    pub(crate) fn score_counts(&self, counts: &FamilyCounts) -> f64 {
        let rows = counts.counts_by_configuration().map(|(_, row)| row.iter().copied());
        self.score_family(rows, counts.n_child_states(), counts.n_configurations() as f64)
    }

    /// Whether Markov-equivalent graphs have equal scores on complete data.
    pub(crate) fn is_score_equivalent(&self) -> bool {
        matches!(
            self.measure,
            ScoreFunction::Likelihood { .. } | ScoreFunction::Bdeu { .. } | ScoreFunction::Qnml
        )
    }

    pub(crate) fn has_same_scores_as(&self, other: &Self) -> bool {
        (self.measure, self.scaled_to) == (other.measure, other.scaled_to)
    }

    /// Upper bound on the absolute value of each term in the score of a variable without parents.
    ///
    /// The variable has at most `total` rows and `levels` states.
    pub(crate) fn score_term_bound(&self, total: f64, levels: u32) -> f64 {
        let imagined = match self.measure {
            ScoreFunction::Likelihood { penalty } => {
                return x_ln_x(total).max(penalty * f64::from(levels - 1));
            }
            ScoreFunction::Fnml | ScoreFunction::Qnml => return x_ln_x(total),
            ScoreFunction::K2 | ScoreFunction::Bdj => f64::from(levels),
            ScoreFunction::Bdeu { ess } | ScoreFunction::Bds { ess } => ess,
        };
        libm::lgamma(total + imagined)
    }

    pub(crate) fn penalty_per_parameter(&self) -> Option<f64> {
        match self.measure {
            ScoreFunction::Likelihood { penalty } => Some(penalty),
            _ => None,
        }
    }

    pub(crate) fn n_ln_n_table(&self) -> &[f64] {
        &self.x_ln_x
    }

    /// Whether each parent configuration that occurs lowers the score by at least `ln r`.
    ///
    /// Here r is the number of states of the child. The first row of a configuration has probability 1 / r,
    /// and each further row has probability at most 1.
    pub(crate) fn has_configuration_penalty(&self) -> bool {
        !matches!(self.measure, ScoreFunction::Likelihood { .. } | ScoreFunction::Qnml)
    }

    pub(crate) fn family_score_bound(&self, levels: f64, configurations: f64) -> f64 {
        match self.measure {
            ScoreFunction::Likelihood { penalty } => -penalty * configurations * (levels - 1.0),
            _ => 0.0,
        }
    }

    /// Score of a variable from the counts of its states in each parent configuration.
    ///
    /// `rows` must have all configurations that occur; `configurations` is the number of all configurations.
    pub(crate) fn score_family<N: RowCount, R: Iterator<Item = N>>(
        &self,
        rows: impl Iterator<Item = R> + Clone,
        levels: usize,
        configurations: f64,
    ) -> f64 {
        let r = levels as f64;
        match self.measure {
            ScoreFunction::Likelihood { penalty } => {
                self.log_likelihood(rows) - penalty * configurations * (r - 1.0)
            }
            ScoreFunction::K2 => dirichlet_log_marginal(rows, 1.0, r),
            ScoreFunction::Bdj => dirichlet_log_marginal(rows, 0.5, r / 2.0),
            ScoreFunction::Fnml => {
                let totals = rows.clone().map(|row| row.map(RowCount::to_f64).sum());
                self.log_likelihood(rows)
                    - self.nml.as_ref().map_or(0.0, |nml| nml.factorized_regret(totals, levels))
            }
            ScoreFunction::Qnml => {
                self.log_likelihood(rows)
                    - self.nml.as_ref().map_or(0.0, |nml| nml.quotient_regret(r, configurations))
            }
            ScoreFunction::Bdeu { ess } => {
                dirichlet_log_marginal(rows, ess / (configurations * r), ess / configurations)
            }
            ScoreFunction::Bds { ess } => {
                let occurs = |row: &mut R| row.any(|n| n != N::ZERO);
                let observed = rows.clone().map(|mut row| occurs(&mut row)).filter(|&occurs| occurs).count();
                let observed = observed as f64;
                dirichlet_log_marginal(rows, ess / (observed * r), ess / observed)
            }
        }
    }

    fn log_likelihood<N: RowCount, R: Iterator<Item = N>>(&self, rows: impl Iterator<Item = R>) -> f64 {
        let (mut sum, mut used) = (0.0, 0.0);
        for row in rows {
            let mut total = N::ZERO;
            for n in row {
                sum += n.x_ln_x(&self.x_ln_x);
                total += n;
            }
            sum -= total.x_ln_x(&self.x_ln_x);
            used += total.to_f64();
        }
        match self.scaled_to {
            Some(total) if used > 0.0 && used != total => total * (sum / used),
            _ => sum,
        }
    }
}

/// Log marginal likelihood if each cell of a table row has the pseudo-count `cell`.
///
/// The pseudo-counts of the cells of a row sum to `row`.
fn dirichlet_log_marginal<N: RowCount, R: Iterator<Item = N>>(
    rows: impl Iterator<Item = R>,
    cell: f64,
    row: f64,
) -> f64 {
    let (cell_start, row_start) = (libm::lgamma(cell), libm::lgamma(row));
    let mut sum = 0.0;
    for counts in rows {
        let mut total = 0.0;
        for n in counts.filter(|&n| n != N::ZERO) {
            sum += libm::lgamma(n.to_f64() + cell) - cell_start;
            total += n.to_f64();
        }
        if total > 0.0 {
            sum += row_start - libm::lgamma(total + row);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::DiscreteTable;

    const ROWS: u32 = 6;

    fn columns() -> impl Iterator<Item = Vec<u16>> {
        (0..3_u32.pow(ROWS)).map(|number| (0..ROWS).map(|row| (number / 3_u32.pow(row) % 3) as u16).collect())
    }

    fn build_score(measure: ScoreFunction) -> FamilyScorer {
        FamilyScorer::new(measure, f64::from(ROWS), true)
    }

    fn scored(score: &FamilyScorer, columns: Vec<Vec<u16>>, child: u32, parents: &[u32]) -> f64 {
        let table = DiscreteTable::new(columns, vec![2, 3]).unwrap();
        score.score_counts(&FamilyCounts::from_table(&table, child, parents).unwrap())
    }

    #[test]
    fn probabilities_of_all_columns_add_to_one() {
        let parent = vec![0_u16, 1, 1, 0, 1, 1];
        for (measure, parents) in [
            (ScoreFunction::Bdj, &[0][..]),
            (ScoreFunction::Fnml, &[0]),
            (ScoreFunction::Fnml, &[]),
            (ScoreFunction::Qnml, &[]),
        ] {
            let score = build_score(measure);
            let one = |child| scored(&score, vec![parent.clone(), child], 1, parents).exp();
            let sum: f64 = columns().map(one).sum();
            assert!((sum - 1.0).abs() < 1e-10, "{measure:?}: {sum}");
        }
    }

    #[test]
    fn qnml_is_score_equivalent() {
        let (score, first) = (build_score(ScoreFunction::Qnml), vec![0_u16, 1, 1, 0, 1, 1]);
        for second in columns().step_by(7) {
            let family_score =
                |child, parents: &[u32]| scored(&score, vec![first.clone(), second.clone()], child, parents);
            let (forth, back) =
                (family_score(0, &[]) + family_score(1, &[0]), family_score(1, &[]) + family_score(0, &[1]));
            assert!((forth - back).abs() < 1e-10, "{second:?}: {forth} {back}");
        }
    }
}
