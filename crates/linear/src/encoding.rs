//! Encoding of the columns of a table as columns of a design matrix.
//!
//! Every design column has a slot, the index of its coefficient. Slot 0 is the intercept; standardized columns follow,
//! then all others. A spline has a slot for each knot; that of the reference knot is unused, the others hold the
//! changes of the function from knot to knot. Scores are computed from the values of the function at the knots
//! ([`TableEncoding::accumulate`]), because a row then has at most two entries in a spline.

use crate::params::{LogisticParams, NumericBasis};
use crate::quantiles::DistinctValues;
use imbcore_core::{Column, Frame, MISSING, Result, RunContext, share};
use serde::{Deserialize, Serialize};

/// Largest absolute value of a standardized number, so that scores are finite.
pub(crate) const MOST_STANDARD: f64 = 1e100;

/// Encoding of a column without its indicator of missing values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Basis {
    /// No design columns: the column is constant or has no values.
    Nothing,
    /// `(x / unit - center) * factor`; the unit is a power of two.
    Linear { unit: f64, center: f64, factor: f64 },
    /// Changes of a piecewise linear function from knot to knot.
    /// The function is 0 at the reference knot.
    Spline { knots: Vec<f64>, reference: usize },
    /// One-hot bins between ascending cut points.
    Bins { cuts: Vec<f64> },
    /// One-hot levels; the level codes are ascending.
    Levels { known: Vec<u32> },
}

/// Encoding of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColumnEncoding {
    pub(crate) basis: Basis,
    /// Whether missing values have a design column.
    pub(crate) indicator: bool,
}

/// Slots of a column.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct ColumnSlots {
    /// First slot of the basis.
    pub(crate) basis: usize,
    /// Number of slots of the basis.
    pub(crate) n_basis: usize,
    /// Unused slot: that of the reference knot of a spline.
    pub(crate) unused: Option<usize>,
    /// Slot of the indicator of missing values.
    pub(crate) indicator: Option<usize>,
}

impl ColumnSlots {
    /// Slots with coefficients, in the order of the design matrix.
    pub(crate) fn used(&self) -> impl Iterator<Item = usize> + '_ {
        let basis = (self.basis..self.basis + self.n_basis).filter(|slot| Some(*slot) != self.unused);
        basis.chain(self.indicator)
    }
}

/// Value of a row in a column, as entries of the slots of the column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Entries {
    /// Slots and values; a value of 0 is no entry.
    pub(crate) of: [(u32, f64); 2],
}

/// Encoding of all columns of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableEncoding {
    pub(crate) columns: Vec<ColumnEncoding>,
    pub(crate) slots: Vec<ColumnSlots>,
    /// Number of slots with a value in every row: the intercept and standardized columns.
    pub(crate) n_dense: usize,
    /// Number of slots.
    pub(crate) width: usize,
}

impl TableEncoding {
    /// Chooses the encoding of every column from the rows and their weights.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn fit(
        params: &LogisticParams,
        frame: &Frame<'_>,
        (rows, weights): (&[u32], &[f64]),
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let columns = share::try_map(frame.columns(), |column| {
            ctl.check()?;
            fit_column(params, column, rows, weights)
        })?;
        Ok(Self::new(columns))
    }

    /// Assigns slots to encoded columns.
    pub(crate) fn new(columns: Vec<ColumnEncoding>) -> Self {
        let n_dense =
            1 + columns.iter().filter(|column| matches!(column.basis, Basis::Linear { .. })).count();
        let (mut dense, mut width) = (1, n_dense);
        let mut slots = Vec::with_capacity(columns.len());
        for column in &columns {
            let mut of = ColumnSlots::default();
            if let Basis::Linear { .. } = column.basis {
                (of.basis, of.n_basis) = (dense, 1);
                dense += 1;
            } else {
                (of.basis, of.n_basis) = (width, column.basis.n_slots());
                width += of.n_basis;
            }
            if let Basis::Spline { reference, .. } = column.basis {
                of.unused = Some(of.basis + reference);
            }
            if column.indicator {
                of.indicator = Some(width);
                width += 1;
            }
            slots.push(of);
        }
        Self { columns, slots, n_dense, width }
    }

    /// Slots with coefficients, column by column.
    pub(crate) fn used_slots(&self) -> Vec<usize> {
        self.slots.iter().flat_map(ColumnSlots::used).collect()
    }

    /// Turns coefficients into weights of entries: changes between knots become values at knots.
    pub(crate) fn accumulate(&self, coefficients: &mut [f64]) {
        for slots in &self.slots {
            let Some(reference) = slots.unused else { continue };
            coefficients[reference] = 0.0;
            for slot in reference + 1..slots.basis + slots.n_basis {
                coefficients[slot] += coefficients[slot - 1];
            }
            for slot in (slots.basis..reference).rev() {
                coefficients[slot] = coefficients[slot + 1] - coefficients[slot];
            }
        }
    }

    /// Transpose of [`Self::accumulate`]: turns sums of entries into those of the design columns.
    pub(crate) fn spread(&self, sums: &mut [f64]) {
        for slots in &self.slots {
            let Some(reference) = slots.unused else { continue };
            sums[reference] = 0.0;
            for slot in (reference + 1..slots.basis + slots.n_basis - 1).rev() {
                sums[slot] += sums[slot + 1];
            }
            if reference > slots.basis {
                sums[slots.basis] = -sums[slots.basis];
                for slot in slots.basis + 1..reference {
                    sums[slot] = sums[slot - 1] - sums[slot];
                }
            }
        }
    }

    /// Entries of a row in a column.
    #[inline]
    pub(crate) fn entries(&self, at: usize, column: &Column<'_>, row: usize) -> Entries {
        let (encoding, slots) = (&self.columns[at], &self.slots[at]);
        let one = |slot: usize, value: f64| Entries { of: [(slot as u32, value), (0, 0.0)] };
        let missing = || slots.indicator.map_or_else(Entries::default, |slot| one(slot, 1.0));
        let of_basis = |place: usize| one(slots.basis + place, 1.0);
        match (&encoding.basis, column) {
            (Basis::Levels { known }, Column::Nominal { codes, .. }) => {
                known.binary_search(&codes[row]).map_or_else(|_| missing(), of_basis)
            }
            (_, Column::Nominal { codes, .. }) => {
                if codes[row] == MISSING {
                    missing()
                } else {
                    Entries::default()
                }
            }
            (basis, Column::Numeric(values)) => {
                let value = values.get(row);
                if value.is_nan() {
                    return missing();
                }
                match basis {
                    Basis::Linear { unit, center, factor } => {
                        one(slots.basis, standardized(value, (*unit, *center, *factor)))
                    }
                    Basis::Spline { knots, .. } => {
                        let above = knots.partition_point(|knot| *knot <= value);
                        if above == 0 {
                            return of_basis(0);
                        }
                        if above == knots.len() {
                            return of_basis(knots.len() - 1);
                        }
                        let (low, high) = (knots[above - 1], knots[above]);
                        let part = (value - low) / (high - low);
                        let slot = (slots.basis + above) as u32;
                        Entries { of: [(slot - 1, 1.0 - part), (slot, part)] }
                    }
                    Basis::Bins { cuts } => of_basis(cuts.partition_point(|cut| *cut < value)),
                    Basis::Nothing | Basis::Levels { .. } => Entries::default(),
                }
            }
        }
    }
}

/// Standardized value, within finite bounds.
#[inline]
pub(crate) fn standardized(value: f64, (unit, center, factor): (f64, f64, f64)) -> f64 {
    ((value / unit - center) * factor).clamp(-MOST_STANDARD, MOST_STANDARD)
}

impl Basis {
    /// Number of slots, including the unused one of a spline.
    fn n_slots(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Linear { .. } => 1,
            Self::Spline { knots, .. } => knots.len(),
            Self::Bins { cuts } => cuts.len() + 1,
            Self::Levels { known } => known.len(),
        }
    }
}

fn fit_column(
    params: &LogisticParams,
    column: &Column<'_>,
    rows: &[u32],
    weights: &[f64],
) -> Result<ColumnEncoding> {
    let n_missing = rows.iter().filter(|&&row| column.is_missing(row as usize)).count();
    let indicator = n_missing > 0 && n_missing < rows.len();
    if n_missing == rows.len() {
        return Ok(ColumnEncoding { basis: Basis::Nothing, indicator });
    }
    let basis = match column {
        Column::Nominal { codes, levels } => {
            let mut seen = vec![false; *levels as usize];
            for &row in rows {
                if let Some(seen) = seen.get_mut(codes[row as usize] as usize) {
                    *seen = true;
                }
            }
            let known: Vec<u32> = (0..*levels).filter(|&level| seen[level as usize]).collect();
            // A level that all rows have, possibly except those with missing values, adds nothing.
            if known.len() > 1 { Basis::Levels { known } } else { Basis::Nothing }
        }
        Column::Numeric(values) => {
            let pairs = || {
                let of_row = |(&row, &weight): (&u32, &f64)| (values.get(row as usize), weight);
                rows.iter().zip(weights).map(of_row).filter(|(value, _)| !value.is_nan())
            };
            match params.numeric {
                NumericBasis::Linear => linear(pairs),
                NumericBasis::Spline => {
                    let (knots, reference) = DistinctValues::new(pairs())?.knots(params.n_knots as usize);
                    if knots.len() > 1 { Basis::Spline { knots, reference } } else { Basis::Nothing }
                }
                NumericBasis::Quantile => {
                    let cuts = DistinctValues::new(pairs())?.cuts(params.n_bins as usize);
                    if cuts.is_empty() { Basis::Nothing } else { Basis::Bins { cuts } }
                }
            }
        }
    };
    Ok(ColumnEncoding { basis, indicator })
}

/// Standardization of weighted values.
fn linear<I: Iterator<Item = (f64, f64)>>(pairs: impl Fn() -> I) -> Basis {
    let (mut low, mut high, mut total) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
    for (value, weight) in pairs() {
        (low, high, total) = (low.min(value), high.max(value), total + weight);
    }
    if low == high {
        return Basis::Nothing;
    }
    let largest = low.abs().max(high.abs());
    // Numbers are divided by a power of two only if their squares could overflow or underflow. The largest power
    // of two is 2^1023.
    let unit = if (1e-100..1e100).contains(&largest) {
        1.0
    } else {
        largest.log2().floor().clamp(-1022.0, 1023.0).exp2()
    };
    // Weights are divided by their sum first, because sums of large weights times values may be infinite.
    let center: f64 = pairs().map(|(value, weight)| weight / total * (value / unit)).sum();
    let square = |(value, weight): (f64, f64)| {
        let difference = value / unit - center;
        weight / total * difference * difference
    };
    let variance: f64 = pairs().map(square).sum();
    let factor = variance.sqrt().recip();
    if factor.is_finite() { Basis::Linear { unit, center, factor } } else { Basis::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spline(n_knots: usize, reference: usize) -> ColumnEncoding {
        let knots = (0..n_knots).map(|knot| knot as f64).collect();
        ColumnEncoding { basis: Basis::Spline { knots, reference }, indicator: true }
    }

    /// Deterministic numbers without a pattern.
    fn numbers(n: usize, factor: f64) -> Vec<f64> {
        (1..=n).map(|at| (at as f64 * factor).sin()).collect()
    }

    #[test]
    fn sums_are_spread_by_the_transpose_of_the_accumulation() {
        for reference in 0..5 {
            let linear = Basis::Linear { unit: 1.0, center: 0.0, factor: 1.0 };
            let columns = vec![
                spline(5, reference),
                ColumnEncoding { basis: linear, indicator: false },
                ColumnEncoding { basis: Basis::Bins { cuts: vec![0.0] }, indicator: false },
                spline(3, 2 - reference / 2),
            ];
            let encoding = TableEncoding::new(columns);
            let n = encoding.width + 1;
            let (coefficients, sums) = (numbers(n, 1.7), numbers(n, 2.9));
            let (mut weights, mut spread) = (coefficients.clone(), sums.clone());
            encoding.accumulate(&mut weights);
            encoding.spread(&mut spread);
            let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            assert!((inner(&weights, &sums) - inner(&coefficients, &spread)).abs() < 1e-12, "{reference}");
        }
    }

    #[test]
    fn a_spline_is_linear_between_knots_and_constant_beyond() {
        let encoding = TableEncoding::new(vec![spline(3, 1)]);
        // Slots: intercept, three knots, indicator. Changes of 2 below the reference knot and 3 above.
        let mut weights = [0.0, 2.0, 9.0, 3.0, 7.0, 0.0];
        encoding.accumulate(&mut weights);
        let values = [-5.0, 0.0, 0.5, 1.0, 1.5, 2.0, 9.0, f64::NAN];
        let column = Column::numeric(&values);
        let height = |row: usize| -> f64 {
            encoding
                .entries(0, &column, row)
                .of
                .iter()
                .map(|&(slot, value)| value * weights[slot as usize])
                .sum()
        };
        let heights: Vec<f64> = (0..values.len()).map(height).collect();
        assert_eq!(heights, [-2.0, -2.0, -1.0, 0.0, 1.5, 3.0, 3.0, 7.0]);
    }

    #[test]
    fn standardized_values_are_finite_for_all_numbers() {
        for values in [vec![1e300, -1.7e308, 1.7e308], vec![5e-324, 0.0, 1e-323], vec![1e-200, 3e-200]] {
            let Basis::Linear { unit, center, factor } = linear(|| values.iter().map(|&value| (value, 1e50)))
            else {
                panic!("{values:?}")
            };
            let standard: Vec<f64> =
                values.iter().map(|&value| standardized(value, (unit, center, factor))).collect();
            let mean: f64 = standard.iter().sum();
            let square: f64 = standard.iter().map(|value| value * value).sum();
            assert!(mean.abs() < 1e-9 && (square - values.len() as f64).abs() < 1e-9, "{standard:?}");
            assert!(standardized(1e308, (unit, center, factor)).is_finite());
        }
        assert_eq!(linear(|| [(2.0, 1.0), (2.0, 3.0)].into_iter()), Basis::Nothing);
    }
}
