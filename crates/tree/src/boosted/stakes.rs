//! Cost weights of rows for each true class.
//!
//! The weight is the cost of an error minus the cost of a correct prediction. Weighting the logistic loss by cost
//! shifts the optimal log-odds by the log of the ratio of a row's two weights (Zadrozny, Langford and Abe 2003).
//! The ratio is known for every row, so the shift is removed from predictions.

use imbcore_base::formula::{Draft, Op, Vector};
use imbcore_base::{CostCell, CostCells, CostRule, Error, Frame, Result};
use serde::{Deserialize, Serialize};

/// Minimum weight as a fraction of the mean: with a weight of 0, the odds would be undefined.
const LEAST: f64 = 1e-3;

/// Cost weights of the rows for each of two classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stakes {
    /// Costs in row-major order: true class, then predicted class.
    cells: Vec<CostCell>,
    /// Minimum weight.
    least: f64,
}

/// Weights of rows for both classes.
pub(crate) type OfRows = Vec<[f64; 2]>;

impl Stakes {
    /// Computes the cost weights from the costs, and the weights of all rows scaled to mean 1.
    /// `rows` contains each training row with its weight and class.
    ///
    /// # Errors
    /// [`Error::Parameter`] for costs passed as an array or for another number of classes; [`Error::Data`] if a
    /// correct prediction costs more than an error, or if no error has a cost; errors of [`CostCells::of_rows`].
    pub(crate) fn of_rule(
        (method, rule): (&str, Option<&CostRule>),
        frame: &Frame<'_>,
        rows: &[(u32, f64, u32)],
    ) -> Result<(Self, OfRows)> {
        let refuse = |expected, got: &str| Err(Error::parameter(method, "costs", expected, got));
        let cells: Vec<CostCell> = match rule {
            None => return refuse("given with objective=\"cost\", or cost_matrix", "None"),
            Some(CostRule::Handed(_)) => {
                return refuse("numbers or columns of X with objective=\"cost\"", "an array or a function");
            }
            Some(CostRule::Same(costs)) => costs.cells().iter().map(|&cost| CostCell::Number(cost)).collect(),
            Some(CostRule::Columns(cells)) => cells.cells().to_vec(),
        };
        let free = Self { cells, least: 0.0 };
        let stakes = free.of_rows(frame)?;
        let cost_mass =
            |&(row, weight, class): &(u32, f64, u32)| weight * stakes[row as usize][class as usize];
        let is_negative = |stake: &[f64; 2]| stake.iter().any(|&part| part < 0.0);
        if let Some((row, [alarm, miss])) = (0..).zip(&stakes).find(|(_, stake)| is_negative(stake)) {
            return Err(Error::Data(format!(
                "objective=\"cost\" requires that errors cost at least as much as correct predictions, but row {row} \
                 (counted from 0) has differences {alarm} and {miss}; raise the costs of errors"
            )));
        }
        let mass: f64 = rows.iter().map(|&(_, weight, _)| weight).sum();
        let mean = rows.iter().map(cost_mass).sum::<f64>() / mass;
        if mean.is_nan() || mean <= 0.0 {
            return Err(Error::Data(
                "objective=\"cost\" requires a row whose error has a positive cost; set costs above 0".into(),
            ));
        }
        let found = Self { least: LEAST * mean, ..free };
        let raised = |stake: [f64; 2]| stake.map(|part| part.max(found.least) / mean);
        let stakes = stakes.into_iter().map(raised).collect();
        Ok((found, stakes))
    }

    /// Computes the weights of all rows of a table.
    fn of_rows(&self, frame: &Frame<'_>) -> Result<OfRows> {
        let costs = CostCells::new(self.cells.clone(), 2)?.of_rows(frame)?;
        let stake = |row: usize, class: usize| {
            (costs.of(row, class, 1 - class) - costs.of(row, class, class)).max(self.floor())
        };
        Ok((0..frame.n_rows()).map(|row| [0, 1].map(|class| stake(row, class))).collect())
    }

    /// Before the minimum is set, weights are not clipped.
    fn floor(&self) -> f64 {
        if self.least > 0.0 { self.least } else { f64::NEG_INFINITY }
    }

    /// Removes the effect of the cost weights from probabilities.
    ///
    /// # Errors
    /// As [`CostCells::of_rows`].
    pub(crate) fn undo(&self, proba: &mut [f64], frame: &Frame<'_>) -> Result<()> {
        for (proba, stakes) in proba.chunks_exact_mut(2).zip(self.of_rows(frame)?) {
            undo(proba, stakes);
        }
        Ok(())
    }

    /// Adds the correction to an exported formula: the term subtracted from the log-odds.
    pub(crate) fn draft(&self, draft: &mut Draft, columns: &[usize]) -> Vector {
        let least = draft.number(self.least);
        let mut stake = |class: usize| {
            let mut cost = |predicted: usize| match self.cells[class * 2 + predicted] {
                CostCell::Number(cost) => draft.number(cost),
                CostCell::Column(column) => draft.of_row(Op::Value { feature: columns[column as usize] }, 1),
            };
            let [wrong, right] = [cost(1 - class), cost(class)];
            let stake = draft.minus(wrong, right);
            let both = draft.join(&[stake, least]);
            let larger = draft.largest(both);
            draft.log(larger)
        };
        let [of_first, of_second] = [stake(0), stake(1)];
        draft.minus(of_second, of_first)
    }

    /// Returns whether the costs are valid for two classes and the columns.
    pub(crate) fn fits(&self, n_classes: usize, n_columns: usize) -> bool {
        let is_valid = |cell: &CostCell| match cell {
            CostCell::Number(cost) => cost.is_finite() && *cost >= 0.0,
            CostCell::Column(column) => (*column as usize) < n_columns,
        };
        let is_number = self.least.is_finite() && self.least > 0.0;
        n_classes == 2 && self.cells.len() == 4 && self.cells.iter().all(is_valid) && is_number
    }
}

/// Removes the effect of a row's cost weights from its probabilities.
pub(crate) fn undo(proba: &mut [f64], stakes: [f64; 2]) {
    let parts = [proba[0] / stakes[0], proba[1] / stakes[1]];
    let total = parts[0] + parts[1];
    proba.iter_mut().zip(parts).for_each(|(p, part)| *p = part / total);
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_base::Column;

    /// A false alert costs 5, a miss the amount.
    fn rule() -> CostRule {
        let cells =
            vec![CostCell::Number(0.0), CostCell::Number(5.0), CostCell::Column(0), CostCell::Number(0.0)];
        CostRule::Columns(CostCells::new(cells, 2).unwrap())
    }

    #[test]
    fn stakes_have_a_mean_of_one_and_are_taken_out_again() {
        let amounts = [10.0, 0.0, 45.0];
        let frame = Frame::new(vec![Column::numeric(&amounts)]).unwrap();
        // Two rows of class 0 with weight 5, and one of weight 2 of class 1: a mean of 100 / 4.
        let rows = [(0, 1.0, 0), (1, 1.0, 0), (2, 2.0, 1)];
        let (stakes, of_rows) = Stakes::of_rule(("m", Some(&rule())), &frame, &rows).unwrap();
        for (found, known) in of_rows.iter().flatten().zip([0.2, 0.4, 0.2, 0.001, 0.2, 1.8]) {
            assert!((found - known).abs() < 1e-12, "{found} {known}");
        }
        // Cost-weighted odds of 3 to 1 are the true odds times the ratio of the weights.
        let mut proba = [0.25, 0.75].repeat(3);
        stakes.undo(&mut proba, &frame).unwrap();
        for (p, ratio) in proba.chunks_exact(2).zip([2.0, 0.005, 9.0]) {
            assert!((p[1] / p[0] * ratio - 3.0).abs() < 1e-9 && (p[0] + p[1] - 1.0).abs() < 1e-12);
        }
        assert!(stakes.fits(2, 1) && !stakes.fits(2, 0) && !stakes.fits(3, 1));
    }

    #[test]
    fn costs_that_are_none_are_refused() {
        let frame = Frame::new(vec![Column::numeric(&[1.0, 2.0])]).unwrap();
        let rows = [(0, 1.0, 0), (1, 1.0, 1)];
        let message = |rule: Option<&CostRule>| {
            Stakes::of_rule(("m", rule), &frame, &rows).map(drop).unwrap_err().to_string()
        };
        assert!(message(None).contains("given with objective"));
        assert!(message(Some(&CostRule::Handed(2))).contains("columns of X"));
        let dear = [1.0, 0.5, 0.0, 0.0].map(CostCell::Number).to_vec();
        let dear = CostRule::Columns(CostCells::new(dear, 2).unwrap());
        assert!(message(Some(&dear)).contains("row 0 (counted from 0) has differences -0.5 and 0"));
    }
}
