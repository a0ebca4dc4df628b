//! Encoding of the columns of a table as columns of a design matrix.
//!
//! Every design column has a slot, which is the index of its coefficient. Slot 0 is the intercept. The slots
//! of standardized columns follow, and then all other slots.
//!
//! A spline has a slot for each knot. The slot of the reference knot is unused, and the coefficients of the
//! other slots are the changes of the function from knot to knot. For scores,
//! [`TableEncoding::convert_knot_changes_to_values`] converts these coefficients to the values of the
//! function at the knots. A row then needs at most two numbers (entries) per spline.

use crate::params::{LogisticParams, NumericBasis};
use crate::quantiles::DistinctValues;
use crate::scaling::{LinearScale, fit_scaling, has_missing, standardize};
use imbcore_core::{Column, Frame, MISSING, Result, RunContext, Strided, memory, parallel};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Basis {
    /// No design columns: the column is constant or has no values.
    Nothing,
    /// Standardized value `(x / unit - center) * factor`; the unit is a power of two.
    Linear { unit: f64, center: f64, factor: f64 },
    /// Piecewise linear function, which is 0 at the reference knot.
    Spline { knots: Vec<f64>, reference: usize },
    /// One-hot bins between ascending cut points.
    Bins { cuts: Vec<f64> },
    /// One-hot levels; the level codes are ascending.
    Levels { known: Vec<u32> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColumnEncoding {
    pub(crate) basis: Basis,
    pub(crate) indicator: bool,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct ColumnSlots {
    pub(crate) basis: usize,
    pub(crate) n_basis: usize,
    /// Slot of the reference knot of a spline, which has no coefficient.
    pub(crate) unused: Option<usize>,
    pub(crate) indicator: Option<usize>,
}

impl ColumnSlots {
    pub(crate) fn used_slots(&self) -> impl Iterator<Item = usize> + '_ {
        let basis = (self.basis..self.basis + self.n_basis).filter(|slot| Some(*slot) != self.unused);
        basis.chain(self.indicator)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableEncoding {
    pub(crate) columns: Vec<ColumnEncoding>,
    pub(crate) slots: Vec<ColumnSlots>,
    pub(crate) n_dense: usize,
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
        let all_rows = are_all_rows(frame, rows);
        let total = weights.iter().sum();
        let columns = parallel::try_map(frame.columns(), |column| {
            ctl.check()?;
            fit_column(params, column, (rows, all_rows), (weights, total))
        })?;
        Ok(Self::new(columns))
    }

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

    /// Slots with coefficients except the intercept, column by column.
    pub(crate) fn used_slots(&self) -> Vec<usize> {
        self.slots.iter().flat_map(ColumnSlots::used_slots).collect()
    }

    pub(crate) fn convert_knot_changes_to_values(&self, coefficients: &mut [f64]) {
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

    /// Transpose of [`Self::convert_knot_changes_to_values`], for sums over entries.
    pub(crate) fn convert_to_column_sums(&self, sums: &mut [f64]) {
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

    /// `None` unless the column is standardized, contiguous, and has no missing training values.
    #[inline]
    pub(crate) fn contiguous_values_and_scale<'v>(
        &self,
        at: usize,
        column: &Column<'v>,
    ) -> Option<(&'v [f64], LinearScale)> {
        match (&self.columns[at], column) {
            (
                ColumnEncoding { basis: Basis::Linear { unit, center, factor }, indicator: false },
                Column::Numeric(values),
            ) => Some((values.as_slice()?, (unit.recip(), *center, *factor))),
            _ => None,
        }
    }

    /// Calls `visit(position, rank, slot, value)` for each entry of rows in a column.
    ///
    /// `position` is the position of the row in `rows`. `rank` counts the entries of the row in this column,
    /// from 0. Each kind of encoding has a separate loop, which is faster.
    #[inline]
    pub(crate) fn for_each_entry(
        &self,
        at: usize,
        column: &Column<'_>,
        rows: impl Iterator<Item = usize>,
        visit: impl FnMut(usize, usize, usize, f64),
    ) {
        let (encoding, slots) = (&self.columns[at], &self.slots[at]);
        let missing = slots.indicator.map(|slot| (slot, 1.0));
        let one = |place: usize| Some((slots.basis + place, 1.0));
        match (&encoding.basis, column) {
            (Basis::Levels { known }, Column::Nominal { codes, .. }) => {
                // `known` is ascending. If its last code is `known.len() - 1`, no lower code is missing in
                // it, and each code is its position in `known`.
                let is_complete = known.last().is_some_and(|&last| last as usize + 1 == known.len());
                for_each_row_entry(rows, visit, |row| {
                    let code = codes[row];
                    let place = if is_complete {
                        Some(code as usize).filter(|&place| place < known.len())
                    } else {
                        known.binary_search(&code).ok()
                    };
                    place.map_or(missing, one)
                });
            }
            (_, Column::Nominal { codes, .. }) => {
                for_each_row_entry(rows, visit, |row| missing.filter(|_| codes[row] == MISSING));
            }
            (basis, Column::Numeric(values)) => {
                let is_missing = |row: usize| values.get(row).is_nan();
                match basis {
                    Basis::Linear { unit, center, factor } => {
                        let scale = (unit.recip(), *center, *factor);
                        for_each_row_entry(rows, visit, |row| {
                            let number = (slots.basis, standardize(values.get(row), scale));
                            if is_missing(row) { missing } else { Some(number) }
                        });
                    }
                    Basis::Bins { cuts } => for_each_row_entry(rows, visit, |row| {
                        let value = values.get(row);
                        if value.is_nan() { missing } else { one(cuts.partition_point(|cut| *cut < value)) }
                    }),
                    Basis::Spline { knots, .. } => {
                        let mut visit = visit;
                        for (position, row) in rows.enumerate() {
                            if is_missing(row) {
                                if let Some((slot, one)) = missing {
                                    visit(position, 0, slot, one);
                                }
                                continue;
                            }
                            let (place, part) = knot_interval(knots, values.get(row));
                            visit(position, 0, slots.basis + place, 1.0 - part);
                            if part > 0.0 {
                                visit(position, 1, slots.basis + place + 1, part);
                            }
                        }
                    }
                    Basis::Nothing | Basis::Levels { .. } => {
                        for_each_row_entry(rows, visit, |row| missing.filter(|_| is_missing(row)));
                    }
                }
            }
        }
    }
}

/// Calls `visit` for each row that has an entry; a row has at most one entry, of rank 0.
#[inline]
fn for_each_row_entry(
    rows: impl Iterator<Item = usize>,
    mut visit: impl FnMut(usize, usize, usize, f64),
    entry: impl Fn(usize) -> Option<(usize, f64)>,
) {
    for (position, row) in rows.enumerate() {
        if let Some((slot, value)) = entry(row) {
            visit(position, 0, slot, value);
        }
    }
}

/// Index of the last knot at or below a value, and the fraction of the way to the next knot.
///
/// Values below the first knot or above the last knot are replaced by this knot.
#[inline]
fn knot_interval(knots: &[f64], value: f64) -> (usize, f64) {
    let above = knots.partition_point(|knot| *knot <= value);
    if above == 0 || above == knots.len() {
        return (above.saturating_sub(1), 0.0);
    }
    let (low, high) = (knots[above - 1], knots[above]);
    (above - 1, (value - low) / (high - low))
}

impl Basis {
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
    (rows, all_rows): (&[u32], bool),
    (weights, total): (&[f64], f64),
) -> Result<ColumnEncoding> {
    let (basis, n_missing) = match column {
        Column::Nominal { codes, levels } => {
            let mut seen = vec![false; *levels as usize];
            let mut n_missing = 0;
            for &row in rows {
                match seen.get_mut(codes[row as usize] as usize) {
                    Some(seen) => *seen = true,
                    None => n_missing += 1,
                }
            }
            let known: Vec<u32> = (0..*levels).filter(|&level| seen[level as usize]).collect();
            // A column in which all nonmissing values are the same level has no information about the class.
            (if known.len() > 1 { Basis::Levels { known } } else { Basis::Nothing }, n_missing)
        }
        Column::Numeric(values) => {
            let mut present = gather_rows(*values, rows, all_rows)?;
            let (mut weights, mut total) = (Cow::Borrowed(weights), total);
            if has_missing(&present) {
                let known = weights.iter().zip(&*present).filter(|(_, value)| !value.is_nan());
                weights = known.map(|(weight, _)| *weight).collect();
                present.to_mut().retain(|value| !value.is_nan());
                total = weights.iter().sum();
            }
            let n_missing = rows.len() - present.len();
            (
                if present.is_empty() {
                    Basis::Nothing
                } else {
                    fit_numeric(params, &present, (&weights, total))?
                },
                n_missing,
            )
        }
    };
    Ok(ColumnEncoding { basis, indicator: n_missing > 0 && n_missing < rows.len() })
}

fn fit_numeric(params: &LogisticParams, values: &[f64], (weights, total): (&[f64], f64)) -> Result<Basis> {
    let pairs = || values.iter().copied().zip(weights.iter().copied());
    Ok(match params.numeric {
        NumericBasis::Linear => match fit_scaling(values, (weights, total)) {
            Some((unit, center, factor)) => Basis::Linear { unit, center, factor },
            None => Basis::Nothing,
        },
        NumericBasis::Spline => {
            let (knots, reference) = DistinctValues::new(pairs())?.spline_knots(params.n_knots as usize);
            if knots.len() > 1 { Basis::Spline { knots, reference } } else { Basis::Nothing }
        }
        NumericBasis::Quantile => {
            let cuts = DistinctValues::new(pairs())?.cut_points(params.n_bins as usize);
            if cuts.is_empty() { Basis::Nothing } else { Basis::Bins { cuts } }
        }
    })
}

/// Values are borrowed if `all_rows` is true and the column is contiguous, otherwise copied.
pub(crate) fn gather_rows<'v>(values: Strided<'v>, rows: &[u32], all_rows: bool) -> Result<Cow<'v, [f64]>> {
    if let Some(values) = values.as_slice().filter(|_| all_rows) {
        return Ok(Cow::Borrowed(values));
    }
    let mut gathered = memory::try_with_capacity(rows.len(), "the values of a column")?;
    gathered.extend(rows.iter().map(|&row| values.get(row as usize)));
    Ok(Cow::Owned(gathered))
}

pub(crate) fn are_all_rows(frame: &Frame<'_>, rows: &[u32]) -> bool {
    rows.len() == frame.n_rows() && rows.is_sorted_by(|row, next| row < next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spline(n_knots: usize, reference: usize) -> ColumnEncoding {
        let knots = (0..n_knots).map(|knot| knot as f64).collect();
        ColumnEncoding { basis: Basis::Spline { knots, reference }, indicator: true }
    }

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
            encoding.convert_knot_changes_to_values(&mut weights);
            encoding.convert_to_column_sums(&mut spread);
            let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            assert!((inner(&weights, &sums) - inner(&coefficients, &spread)).abs() < 1e-12, "{reference}");
        }
    }

    #[test]
    fn a_spline_is_linear_between_knots_and_constant_beyond() {
        let encoding = TableEncoding::new(vec![spline(3, 1)]);
        // The weights are those of the intercept, the three knots, the indicator, and unused entries. The
        // knot coefficients are 2 below the reference knot and 3 above it; the 9 of the reference knot is
        // unused.
        let mut weights = [0.0, 2.0, 9.0, 3.0, 7.0, 0.0];
        encoding.convert_knot_changes_to_values(&mut weights);
        let values = [-5.0, 0.0, 0.5, 1.0, 1.5, 2.0, 9.0, f64::NAN];
        let column = Column::from_numbers(&values);
        let mut heights = [0.0; 8];
        encoding.for_each_entry(0, &column, 0..values.len(), |row, _, slot, value| {
            heights[row] += value * weights[slot];
        });
        assert_eq!(heights, [-2.0, -2.0, -1.0, 0.0, 1.5, 3.0, 3.0, 7.0]);
    }
}
