//! Variables, rows and objective of a sparse mixed-integer program.

use imbcore_core::{Error, Result};

/// Handle of a variable, valid only for the model to which the variable was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelVariable(pub(crate) u32);

impl ModelVariable {
    /// Index of the variable in the model and in the values of every solution.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Direction of optimization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Larger values are better.
    Maximize,
    /// Smaller values are better.
    Minimize,
}

impl Sense {
    /// Whether `a` is strictly better than `b`.
    pub fn is_better(self, a: f64, b: f64) -> bool {
        match self {
            Self::Maximize => a > b,
            Self::Minimize => a < b,
        }
    }
}

/// Model `optimize cost x, A x <= row_upper, lower <= x <= upper, some x integer`.
///
/// The bounds of all variables are finite, so they give a bound on the objective that does not depend on the
/// solver. A row is a linear constraint; rows are in insertion order.
#[derive(Clone, Debug)]
pub struct MipModel {
    pub(crate) sense: Sense,
    pub(crate) constant: f64,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) cost: Vec<f64>,
    pub(crate) whole: Vec<bool>,
    pub(crate) row_start: Vec<usize>,
    pub(crate) entries: Vec<(ModelVariable, f64)>,
    pub(crate) row_upper: Vec<f64>,
}

impl MipModel {
    /// Creates a model without variables and rows.
    pub fn new(sense: Sense) -> Self {
        Self {
            sense,
            constant: 0.0,
            lower: Vec::new(),
            upper: Vec::new(),
            cost: Vec::new(),
            whole: Vec::new(),
            row_start: vec![0],
            entries: Vec::new(),
            row_upper: Vec::new(),
        }
    }

    /// Adds a constant to the objective.
    pub fn add_objective_constant(&mut self, constant: f64) {
        self.constant += constant;
    }

    /// Adds a continuous variable.
    pub fn add_continuous(&mut self, lower: f64, upper: f64, cost: f64) -> ModelVariable {
        self.add_variable(lower, upper, cost, false)
    }

    /// Adds an integer variable.
    pub fn add_integer(&mut self, lower: f64, upper: f64, cost: f64) -> ModelVariable {
        self.add_variable(lower, upper, cost, true)
    }

    /// Adds a variable that is 0 or 1.
    pub fn add_binary(&mut self, cost: f64) -> ModelVariable {
        self.add_variable(0.0, 1.0, cost, true)
    }

    fn add_variable(&mut self, lower: f64, upper: f64, cost: f64, whole: bool) -> ModelVariable {
        self.lower.push(lower);
        self.upper.push(upper);
        self.cost.push(cost);
        self.whole.push(whole);
        ModelVariable(self.lower.len() as u32 - 1)
    }

    /// Adds the row (constraint) `entries <= bound`; a variable may occur only once in a row.
    pub fn add_at_most(&mut self, entries: &[(ModelVariable, f64)], bound: f64) {
        self.entries.extend_from_slice(entries);
        self.row_start.push(self.entries.len());
        self.row_upper.push(bound);
    }

    /// Adds the row `entries >= bound`.
    pub fn add_at_least(&mut self, entries: &[(ModelVariable, f64)], bound: f64) {
        self.entries.extend(entries.iter().map(|&(col, weight)| (col, -weight)));
        self.row_start.push(self.entries.len());
        self.row_upper.push(-bound);
    }

    /// Number of variables.
    pub fn n_cols(&self) -> usize {
        self.lower.len()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.row_upper.len()
    }

    pub(crate) fn row_entries_and_bound(&self, row: usize) -> (&[(ModelVariable, f64)], f64) {
        (&self.entries[self.row_start[row]..self.row_start[row + 1]], self.row_upper[row])
    }

    /// Value of the objective at `x`.
    pub fn objective(&self, x: &[f64]) -> f64 {
        self.cost.iter().zip(x).map(|(cost, x)| cost * x).sum::<f64>() + self.constant
    }

    pub(crate) fn objective_bound_without_rows(&self) -> f64 {
        let best = |((cost, lower), upper): ((&f64, &f64), &f64)| {
            let (a, b) = (cost * lower, cost * upper);
            if self.sense.is_better(a, b) { a } else { b }
        };
        self.cost.iter().zip(&self.lower).zip(&self.upper).map(best).sum::<f64>() + self.constant
    }

    /// Rounds the integer variables of `x`; `None` if the result violates a bound or constraint.
    ///
    /// Rounding may change a value by at most `tolerance`; otherwise the result is also `None`. Violations of
    /// at most `tolerance` are accepted. If the largest absolute term of a constraint exceeds 1, its
    /// tolerance is multiplied by this term.
    pub(crate) fn round_to_feasible(&self, x: &[f64], tolerance: f64) -> Option<Vec<f64>> {
        let mut clean = Vec::with_capacity(self.n_cols());
        for (col, &value) in x.iter().enumerate() {
            let nearest = if self.whole[col] { value.round() } else { value };
            if !((nearest - value).abs() <= tolerance
                && nearest >= self.lower[col] - tolerance
                && nearest <= self.upper[col] + tolerance)
            {
                return None;
            }
            clean.push(nearest.clamp(self.lower[col], self.upper[col]));
        }
        let holds = |row| {
            let (entries, bound) = self.row_entries_and_bound(row);
            let (mut sum, mut largest) = (0.0, 1.0_f64);
            for &(col, weight) in entries {
                sum += weight * clean[col.index()];
                largest = largest.max((weight * clean[col.index()]).abs());
            }
            sum <= bound + tolerance * largest
        };
        (clean.len() == self.n_cols() && (0..self.n_rows()).all(holds)).then_some(clean)
    }

    pub(crate) fn check(&self) -> Result<()> {
        let bad_col = (0..self.n_cols()).find(|&col| {
            !(self.lower[col].is_finite() && self.upper[col].is_finite() && self.cost[col].is_finite())
                || self.lower[col] > self.upper[col]
        });
        if let Some(col) = bad_col {
            return Err(Error::Internal(format!(
                "variable {col} of a MIP has bounds [{}, {}] and cost {}",
                self.lower[col], self.upper[col], self.cost[col]
            )));
        }
        let bad_row = (0..self.n_rows()).find(|&row| {
            let (entries, bound) = self.row_entries_and_bound(row);
            !bound.is_finite()
                || entries.iter().any(|&(col, w)| !w.is_finite() || col.index() >= self.n_cols())
        });
        match bad_row {
            Some(row) => Err(Error::Internal(format!("row {row} of a MIP has a number that is not finite"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_points_within_every_row_are_feasible() {
        let mut model = MipModel::new(Sense::Maximize);
        let (x, y) = (model.add_integer(0.0, 3.0, 1.0), model.add_continuous(-1.0, 1.0, -2.0));
        model.add_at_most(&[(x, 1.0), (y, 1.0)], 2.0);
        model.add_at_least(&[(x, 1.0)], 1.0);
        model.add_objective_constant(10.0);
        assert_eq!(model.round_to_feasible(&[1.0 + 1e-9, 0.5], 1e-6), Some(vec![1.0, 0.5]));
        assert_eq!(model.round_to_feasible(&[1.5, 0.0], 1e-6), None, "not whole");
        assert_eq!(model.round_to_feasible(&[0.0, 0.0], 1e-6), None, "below the second row");
        assert_eq!(model.round_to_feasible(&[2.0, 0.5], 1e-6), None, "above the first row");
        assert_eq!(model.round_to_feasible(&[4.0, -1.0], 1e-6), None, "above its bound");
        assert_eq!(model.round_to_feasible(&[f64::NAN, 0.0], 1e-6), None);
        assert_eq!(model.objective(&[1.0, 0.5]), 10.0);
        assert_eq!(model.objective_bound_without_rows(), 10.0 + 3.0 + 2.0);
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        let mut model = MipModel::new(Sense::Minimize);
        let x = model.add_binary(1.0);
        assert!(model.check().is_ok());
        model.add_at_most(&[(x, f64::NAN)], 1.0);
        assert!(model.check().is_err());
    }
}
