//! Scores of a family from its counts. All are decomposable: the score of a graph is the sum over its families, in nats,
//! and higher is better.

use crate::counts::FamilyCounts;
use crate::regret::Nml;
use std::ops::AddAssign;

/// Rows up to which `n ln n` comes from a table.
const TABLE: usize = 1 << 20;

/// A count of rows, or their weight.
pub(crate) trait Count: Copy + Default + AddAssign + PartialEq + Send + Sync {
    const ZERO: Self;
    fn value(self) -> f64;
    fn from_count(count: u32) -> Self;
    /// What one row counts.
    fn of_row(weights: Option<&[f64]>, row: usize) -> Self;
    /// `n ln n`, with `0 ln 0 = 0`; `table` holds the values of the first integers.
    fn x_ln_x(self, table: &[f64]) -> f64;
}

impl Count for u32 {
    const ZERO: Self = 0;

    #[inline]
    fn value(self) -> f64 {
        f64::from(self)
    }

    fn from_count(count: u32) -> Self {
        count
    }

    #[inline]
    fn of_row(_: Option<&[f64]>, _: usize) -> Self {
        1
    }

    #[inline]
    fn x_ln_x(self, table: &[f64]) -> f64 {
        table.get(self as usize).copied().unwrap_or_else(|| f64::from(self) * f64::from(self).ln())
    }
}

impl Count for f64 {
    const ZERO: Self = 0.0;

    #[inline]
    fn value(self) -> f64 {
        self
    }

    fn from_count(count: u32) -> Self {
        f64::from(count)
    }

    #[inline]
    fn of_row(weights: Option<&[f64]>, row: usize) -> Self {
        weights.map_or(1.0, |weights| weights[row])
    }

    #[inline]
    fn x_ln_x(self, _: &[f64]) -> f64 {
        x_ln_x(self)
    }
}

/// `x ln x`, 0 at 0.
pub(crate) fn x_ln_x(x: f64) -> f64 {
    if x > 0.0 { x * x.ln() } else { 0.0 }
}

/// What a family is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Measure {
    /// Log-likelihood less `penalty` for every free parameter: AIC has 1, BIC half the logarithm of the number of rows.
    Likelihood {
        /// Nats a parameter.
        penalty: f64,
    },
    /// Cooper and Herskovits 1992: a uniform prior over every row of a table.
    K2,
    /// Bayesian Dirichlet with `ess` imagined rows spread over all cells (Heckerman, Geiger and Chickering 1995).
    Bdeu {
        /// Equivalent sample size.
        ess: f64,
    },
    /// The same, spread over the configurations that occur (Scutari 2016).
    Bds {
        /// Equivalent sample size.
        ess: f64,
    },
    /// Bayesian Dirichlet with half an imagined row a cell, Jeffreys' prior (Suzuki 2016).
    Bdj,
    /// Factorised normalised maximum likelihood (Silander, Roos, Kontkanen and Myllymäki 2008, equation 8).
    Fnml,
    /// Quotient normalised maximum likelihood (Silander, Leppä-aho, Jääsaari and Roos 2018, equation 9).
    Qnml,
}

impl Measure {
    /// BIC of `total` rows, its penalty times `constant`.
    pub(crate) fn bic(total: f64, constant: f64) -> Self {
        Self::Likelihood { penalty: constant * total.ln() / 2.0 }
    }
}

/// A measure, made ready for many families of one table.
#[derive(Clone, Debug)]
pub(crate) struct Score {
    measure: Measure,
    /// Rows in all, where likelihoods of incomplete families are scaled up to them.
    scaled_to: Option<f64>,
    x_ln_x: Vec<f64>,
    nml: Option<Nml>,
}

impl Score {
    /// A score for tables of at most `total` rows. With `node_average` the likelihood of a family that only some rows
    /// know is their average times `total` (Bodewes and Scutari 2021): otherwise families with few usable rows win.
    pub(crate) fn new(measure: Measure, total: f64, node_average: bool) -> Self {
        let needed = (0..TABLE).map(|n| n as f64).take_while(|&n| n <= total);
        let normalised = matches!(measure, Measure::Fnml | Measure::Qnml);
        Self {
            measure,
            scaled_to: node_average.then_some(total),
            x_ln_x: needed.map(x_ln_x).collect(),
            nml: normalised.then(|| Nml::new(total)),
        }
    }

    /// Score of one family.
    pub(crate) fn of(&self, counts: &FamilyCounts) -> f64 {
        let rows = counts.rows().map(|(_, row)| row.iter().copied());
        self.family(rows, counts.levels(), counts.n_configurations() as f64)
    }

    /// Whether graphs that imply the same independences score the same, on complete data.
    pub(crate) fn is_equivalent(&self) -> bool {
        matches!(self.measure, Measure::Likelihood { .. } | Measure::Bdeu { .. } | Measure::Qnml)
    }

    /// Whether both compute the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.measure, self.scaled_to) == (other.measure, other.scaled_to)
    }

    /// Largest number in the sum of a family without parents, of so many rows and levels at most.
    pub(crate) fn largest(&self, total: f64, levels: u32) -> f64 {
        let imagined = match self.measure {
            Measure::Likelihood { penalty } => return x_ln_x(total).max(penalty * f64::from(levels - 1)),
            Measure::Fnml | Measure::Qnml => return x_ln_x(total),
            Measure::K2 | Measure::Bdj => f64::from(levels),
            Measure::Bdeu { ess } | Measure::Bds { ess } => ess,
        };
        libm::lgamma(total + imagined)
    }

    /// Nats a parameter, where it is a likelihood less a penalty.
    pub(crate) fn penalty(&self) -> Option<f64> {
        match self.measure {
            Measure::Likelihood { penalty } => Some(penalty),
            _ => None,
        }
    }

    /// `n ln n` of the first numbers.
    pub(crate) fn known(&self) -> &[f64] {
        &self.x_ln_x
    }

    /// Whether each configuration that occurs costs a family the logarithm of its levels at least: the first row of a
    /// configuration has the probability 1 / levels, and each further one at most 1.
    pub(crate) fn pays_for_configurations(&self) -> bool {
        !matches!(self.measure, Measure::Likelihood { .. } | Measure::Qnml)
    }

    /// Most that a family can score: for likelihoods, minus its penalty.
    pub(crate) fn bound(&self, levels: f64, configurations: f64) -> f64 {
        match self.measure {
            Measure::Likelihood { penalty } => -penalty * configurations * (levels - 1.0),
            _ => 0.0,
        }
    }

    /// Score from the rows of counts, one a configuration that occurs (others add nothing), of `configurations` in all.
    pub(crate) fn family<N: Count, R: Iterator<Item = N>>(
        &self,
        rows: impl Iterator<Item = R> + Clone,
        levels: usize,
        configurations: f64,
    ) -> f64 {
        let r = levels as f64;
        match self.measure {
            Measure::Likelihood { penalty } => self.likelihood(rows) - penalty * configurations * (r - 1.0),
            Measure::K2 => dirichlet(rows, 1.0, r),
            Measure::Bdj => dirichlet(rows, 0.5, r / 2.0),
            Measure::Fnml => {
                let totals = rows.clone().map(|row| row.map(Count::value).sum());
                self.likelihood(rows) - self.nml.as_ref().map_or(0.0, |nml| nml.factorised(totals, levels))
            }
            Measure::Qnml => {
                self.likelihood(rows) - self.nml.as_ref().map_or(0.0, |nml| nml.quotient(r, configurations))
            }
            Measure::Bdeu { ess } => dirichlet(rows, ess / (configurations * r), ess / configurations),
            Measure::Bds { ess } => {
                let occurs = |row: &mut R| row.any(|n| n != N::ZERO);
                let observed = rows.clone().map(|mut row| occurs(&mut row)).filter(|&occurs| occurs).count();
                let observed = observed as f64;
                dirichlet(rows, ess / (observed * r), ess / observed)
            }
        }
    }

    fn likelihood<N: Count, R: Iterator<Item = N>>(&self, rows: impl Iterator<Item = R>) -> f64 {
        let (mut sum, mut used) = (0.0, 0.0);
        for row in rows {
            let mut total = N::ZERO;
            for n in row {
                sum += n.x_ln_x(&self.x_ln_x);
                total += n;
            }
            sum -= total.x_ln_x(&self.x_ln_x);
            used += total.value();
        }
        match self.scaled_to {
            Some(total) if used > 0.0 && used != total => total * (sum / used),
            _ => sum,
        }
    }
}

/// Logarithm of the marginal likelihood under a Dirichlet prior of `cell` a cell and `row` a row.
fn dirichlet<N: Count, R: Iterator<Item = N>>(rows: impl Iterator<Item = R>, cell: f64, row: f64) -> f64 {
    let (cell_start, row_start) = (libm::lgamma(cell), libm::lgamma(row));
    let mut sum = 0.0;
    for counts in rows {
        let mut total = 0.0;
        for n in counts.filter(|&n| n != N::ZERO) {
            sum += libm::lgamma(n.value() + cell) - cell_start;
            total += n.value();
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

    /// Every column of three levels and some rows.
    fn columns() -> impl Iterator<Item = Vec<u16>> {
        (0..3_u32.pow(ROWS)).map(|number| (0..ROWS).map(|row| (number / 3_u32.pow(row) % 3) as u16).collect())
    }

    fn of(measure: Measure) -> Score {
        Score::new(measure, f64::from(ROWS), true)
    }

    fn scored(score: &Score, columns: Vec<Vec<u16>>, child: u32, parents: &[u32]) -> f64 {
        let table = DiscreteTable::new(columns, vec![2, 3]).unwrap();
        score.of(&FamilyCounts::of(&table, child, parents).unwrap())
    }

    #[test]
    fn probabilities_of_all_columns_add_to_one() {
        let parent = vec![0_u16, 1, 1, 0, 1, 1];
        for (measure, parents) in
            [(Measure::Bdj, &[0][..]), (Measure::Fnml, &[0]), (Measure::Fnml, &[]), (Measure::Qnml, &[])]
        {
            let score = of(measure);
            let one = |child| scored(&score, vec![parent.clone(), child], 1, parents).exp();
            let sum: f64 = columns().map(one).sum();
            assert!((sum - 1.0).abs() < 1e-10, "{measure:?}: {sum}");
        }
    }

    #[test]
    fn the_quotient_does_not_see_which_way_an_arc_points() {
        let (score, first) = (of(Measure::Qnml), vec![0_u16, 1, 1, 0, 1, 1]);
        for second in columns().step_by(7) {
            let of =
                |child, parents: &[u32]| scored(&score, vec![first.clone(), second.clone()], child, parents);
            let (forth, back) = (of(0, &[]) + of(1, &[0]), of(1, &[]) + of(0, &[1]));
            assert!((forth - back).abs() < 1e-10, "{second:?}: {forth} {back}");
        }
    }
}
