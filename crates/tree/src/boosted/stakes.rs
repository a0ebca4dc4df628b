//! What is at stake in a row: how much dearer the wrong answer is than the right one, for each of two classes that it may be of.
//!
//! A logistic loss that each row enters by its own stake is least where the log-odds are those of the class plus the logarithm of the ratio of
//! both stakes of the row (Zadrozny, Langford and Abe 2003: the costs of a row are a weight of it). The ratio is known of every row, and so
//! it is taken off again.

use imbcore_base::formula::{Draft, Op, Vector};
use imbcore_base::{CostCell, CostCells, CostRule, Error, Frame, Result};
use serde::{Deserialize, Serialize};

/// A stake counts as this share of the mean at least: a row of none would have no odds.
const LEAST: f64 = 1e-3;

/// What a row is weighed by for each of two classes, as far as it enters the odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stakes {
    /// Row-major: what answering a class costs when another one is true.
    cells: Vec<CostCell>,
    /// Least stake.
    least: f64,
}

/// Stakes of rows, for both classes.
pub(crate) type OfRows = Vec<[f64; 2]>;

impl Stakes {
    /// Of the rows of a table, each with a weight and a class, with what they are for every row: of a mean of 1 over the weights.
    ///
    /// # Errors
    /// [`Error::Parameter`] for costs that are handed over with the rows, or of another number of classes; [`Error::Data`] where a right answer is
    /// dearer than the wrong one, or nothing is at stake; as [`CostCells::of_rows`].
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
        let own = |&(row, weight, class): &(u32, f64, u32)| weight * stakes[row as usize][class as usize];
        let below = |stake: &[f64; 2]| stake.iter().any(|&part| part < 0.0);
        if let Some((row, [alarm, miss])) = (0..).zip(&stakes).find(|(_, stake)| below(stake)) {
            return Err(Error::Data(format!(
                "objective=\"cost\" learns what wrong answers cost more than right ones, but row {row} (counted from 0) has {alarm} and {miss}; \
                 give errors no smaller costs than right answers"
            )));
        }
        let mass: f64 = rows.iter().map(|&(_, weight, _)| weight).sum();
        let mean = rows.iter().map(own).sum::<f64>() / mass;
        if mean.is_nan() || mean <= 0.0 {
            return Err(Error::Data(
                "objective=\"cost\" finds no row whose error costs anything; give costs above 0".into(),
            ));
        }
        let found = Self { least: LEAST * mean, ..free };
        let raised = |stake: [f64; 2]| stake.map(|part| part.max(found.least) / mean);
        let stakes = stakes.into_iter().map(raised).collect();
        Ok((found, stakes))
    }

    /// Of all rows of a table.
    fn of_rows(&self, frame: &Frame<'_>) -> Result<OfRows> {
        let costs = CostCells::new(self.cells.clone(), 2)?.of_rows(frame)?;
        let stake = |row: usize, class: usize| {
            (costs.of(row, class, 1 - class) - costs.of(row, class, class)).max(self.floor())
        };
        Ok((0..frame.n_rows()).map(|row| [0, 1].map(|class| stake(row, class))).collect())
    }

    /// Nothing is cut off before the least is known.
    fn floor(&self) -> f64 {
        if self.least > 0.0 { self.least } else { f64::NEG_INFINITY }
    }

    /// Takes the stakes of rows out of their probabilities.
    ///
    /// # Errors
    /// As [`CostCells::of_rows`].
    pub(crate) fn undo(&self, proba: &mut [f64], frame: &Frame<'_>) -> Result<()> {
        for (proba, stakes) in proba.chunks_exact_mut(2).zip(self.of_rows(frame)?) {
            undo(proba, stakes);
        }
        Ok(())
    }

    /// The same as steps of a formula: what is taken from the log-odds.
    pub(crate) fn draft(&self, draft: &mut Draft, columns: &[usize]) -> Vector {
        let least = draft.number(self.least);
        let mut stake = |class: usize| {
            let mut cost = |answer: usize| match self.cells[class * 2 + answer] {
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

    /// Whether they are those of two classes.
    pub(crate) fn fits(&self, n_classes: usize, n_columns: usize) -> bool {
        let there = |cell: &CostCell| match cell {
            CostCell::Number(cost) => cost.is_finite() && *cost >= 0.0,
            CostCell::Column(column) => (*column as usize) < n_columns,
        };
        let is_number = self.least.is_finite() && self.least > 0.0;
        n_classes == 2 && self.cells.len() == 4 && self.cells.iter().all(there) && is_number
    }
}

/// Takes the stakes of a row out of its probabilities.
pub(crate) fn undo(proba: &mut [f64], stakes: [f64; 2]) {
    let parts = [proba[0] / stakes[0], proba[1] / stakes[1]];
    let total = parts[0] + parts[1];
    proba.iter_mut().zip(parts).for_each(|(p, part)| *p = part / total);
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_base::Column;

    /// An alarm costs 5, a miss the amount.
    fn rule() -> CostRule {
        let cells =
            vec![CostCell::Number(0.0), CostCell::Number(5.0), CostCell::Column(0), CostCell::Number(0.0)];
        CostRule::Columns(CostCells::new(cells, 2).unwrap())
    }

    #[test]
    fn stakes_have_a_mean_of_one_and_are_taken_out_again() {
        let amounts = [10.0, 0.0, 45.0];
        let frame = Frame::new(vec![Column::numeric(&amounts)]).unwrap();
        // Two rows of class 0 whose stake is 5, and one of weight 2 of class 1: a mean of 100 / 4.
        let rows = [(0, 1.0, 0), (1, 1.0, 0), (2, 2.0, 1)];
        let (stakes, of_rows) = Stakes::of_rule(("m", Some(&rule())), &frame, &rows).unwrap();
        for (found, known) in of_rows.iter().flatten().zip([0.2, 0.4, 0.2, 0.001, 0.2, 1.8]) {
            assert!((found - known).abs() < 1e-12, "{found} {known}");
        }
        // Odds of 3 to 1 in the world of stakes are those of the classes times the ratio.
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
        let said = |rule: Option<&CostRule>| {
            Stakes::of_rule(("m", rule), &frame, &rows).map(drop).unwrap_err().to_string()
        };
        assert!(said(None).contains("given with objective"));
        assert!(said(Some(&CostRule::Handed(2))).contains("columns of X"));
        let dear = [1.0, 0.5, 0.0, 0.0].map(CostCell::Number).to_vec();
        let dear = CostRule::Columns(CostCells::new(dear, 2).unwrap());
        assert!(said(Some(&dear)).contains("row 0 (counted from 0) has -0.5 and 0"));
    }
}
