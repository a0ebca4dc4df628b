//! Misclassification costs per row, read from columns of the table or passed with the rows.
//!
//! A cost rule states, for each cell of the cost matrix, whether the cell is a number or is read from a
//! column. Applied to the rows of a table, a cost rule gives [`RowCosts`], which compute expected costs.

use crate::costs::{Costs, argmin};
use crate::error::{Error, Result};
use crate::frame::{Column, Frame};
use crate::memory;
use crate::parallel;
use crate::strided::Strided;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

const BLOCK: usize = 1024;

/// Source of the cost in one cell of a row's cost matrix: a number or a column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostCell {
    /// The same number for every row.
    Number(f64),
    /// The row's value in this column.
    Column(u32),
}

/// Cost matrix whose cells are numbers or columns of the table.
/// Row `k`, column `j` is the cost of predicting `j` if `k` is true.
#[derive(Clone, Debug, PartialEq)]
pub struct CostCells {
    cells: Vec<CostCell>,
    n_classes: usize,
}

impl CostCells {
    /// Checks row-major cells and combines them into a cost matrix.
    ///
    /// # Errors
    /// [`Error::Data`] for fewer than 2 classes, for a wrong number of cells, or for a number that is
    /// infinite, NaN or negative.
    pub fn new(cells: Vec<CostCell>, n_classes: usize) -> Result<Self> {
        if n_classes < 2 || cells.len() != n_classes * n_classes {
            return Err(Error::Data(format!(
                "costs must have a cell for each pair of at least 2 classes, got {} cells for {n_classes} classes",
                cells.len()
            )));
        }
        if let Some(CostCell::Number(number)) =
            cells.iter().find(|cell| matches!(cell, CostCell::Number(number) if !is_cost(*number)))
        {
            return Err(Error::Data(format!("costs must be finite numbers of at least 0, got {number}")));
        }
        Ok(Self { cells, n_classes })
    }

    /// The cells, row-major.
    pub fn cells(&self) -> &[CostCell] {
        &self.cells
    }

    /// Adapts the column indices of the costs to a table that has only the columns `columns`.
    ///
    /// Returns `None` if a cost column is not among `columns`.
    pub fn renumber_columns(&self, columns: &[u32]) -> Option<Self> {
        let moved = |cell: &CostCell| match cell {
            CostCell::Column(column) => {
                let place = columns.iter().position(|kept| kept == column)?;
                Some(CostCell::Column(place as u32))
            }
            number @ CostCell::Number(_) => Some(*number),
        };
        let cells = self.cells.iter().map(moved).collect::<Option<Vec<_>>>()?;
        Some(Self { cells, n_classes: self.n_classes })
    }

    /// Returns the cost matrices that the cost rule gives for the rows of a table.
    ///
    /// # Errors
    /// [`Error::Column`] for a column that is not numeric, or that has an infinite, missing or negative
    /// value; the message contains the row number. [`Error::Data`] for a column that does not exist.
    pub fn to_row_costs<'a>(&self, frame: &Frame<'a>) -> Result<RowCosts<'a>> {
        let cells = self.cells.iter().map(|cell| match *cell {
            CostCell::Number(number) => Ok(CostSource::Number(number)),
            CostCell::Column(column) => cost_column(frame, column as usize).map(CostSource::Column),
        });
        let matrices = CostMatrices::Cells(cells.collect::<Result<_>>()?);
        Ok(RowCosts { matrices, n_classes: self.n_classes, n_rows: frame.n_rows() })
    }
}

fn is_cost(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

fn cost_column<'a>(frame: &Frame<'a>, column: usize) -> Result<Strided<'a>> {
    let fault = |message: String| Error::Column { column, message };
    let values = match frame.columns().get(column) {
        Some(Column::Numeric(values)) => *values,
        Some(Column::Nominal { .. }) => {
            return Err(fault(
                "contains text, but costs must be numbers; name a numeric column in costs=".into(),
            ));
        }
        None => {
            return Err(Error::Data(format!(
                "costs= refers to column {column}, but X does not have this column"
            )));
        }
    };
    match values.iter().enumerate().find(|(_, value)| !is_cost(*value)) {
        None => Ok(values),
        Some((row, value)) => {
            let held = if value.is_nan() { "has no cost".into() } else { format!("contains {value}") };
            Err(fault(format!(
                "row {row} (counted from 0) {held}; costs= reads this column, so every row needs a finite number of at least 0"
            )))
        }
    }
}

/// Misclassification costs: the same for all rows, or one matrix per row.
#[derive(Clone, Debug, PartialEq)]
pub enum CostRule {
    /// The same matrix for all rows.
    Same(Costs),
    /// Cost matrices read from columns of the table.
    Columns(CostCells),
    /// Cost matrices passed with the rows; the field is the number of classes.
    PerRow(usize),
}

impl CostRule {
    pub(crate) fn check(&self, n_classes: usize) -> Result<()> {
        let expected = match self {
            Self::Same(costs) => costs.n_classes(),
            Self::Columns(cells) => cells.n_classes,
            Self::PerRow(n_classes) => *n_classes,
        };
        if expected == n_classes {
            return Ok(());
        }
        Err(Error::Data(format!("cost_matrix is for {expected} classes, but there are {n_classes}")))
    }

    /// The cost matrix, if all rows have the same matrix.
    pub fn matrix(&self) -> Option<&Costs> {
        match self {
            Self::Same(costs) => Some(costs),
            _ => None,
        }
    }
}

/// Cost matrices of the rows of one table.
#[derive(Clone, Debug)]
pub struct RowCosts<'a> {
    matrices: CostMatrices<'a>,
    n_classes: usize,
    n_rows: usize,
}

#[derive(Clone, Debug)]
enum CostMatrices<'a> {
    Same(Cow<'a, [f64]>),
    /// One row-major matrix after another.
    PerRow(&'a [f64]),
    Cells(Vec<CostSource<'a>>),
}

#[derive(Clone, Copy, Debug)]
enum CostSource<'a> {
    Number(f64),
    Column(Strided<'a>),
}

impl CostSource<'_> {
    fn get(&self, row: usize) -> f64 {
        match self {
            Self::Number(cost) => *cost,
            Self::Column(costs) => costs.get(row),
        }
    }
}

impl<'a> RowCosts<'a> {
    /// Creates costs with one matrix for all rows.
    pub fn with_one_matrix(costs: &'a Costs, n_rows: usize) -> Self {
        let matrices = CostMatrices::Same(Cow::Borrowed(costs.cells()));
        Self { matrices, n_classes: costs.n_classes(), n_rows }
    }

    /// Creates costs that own one matrix for all rows.
    pub fn from_matrix(costs: Costs, n_rows: usize) -> Self {
        let n_classes = costs.n_classes();
        Self { matrices: CostMatrices::Same(Cow::Owned(costs.into_cells())), n_classes, n_rows }
    }

    /// Creates costs with a matrix for each row, `n_rows x n_classes x n_classes`, row-major.
    ///
    /// # Errors
    /// [`Error::Data`] for a wrong number of cells, or for a value that is infinite, NaN or negative; the
    /// message contains the row number.
    pub fn from_row_matrices(values: &'a [f64], n_rows: usize, n_classes: usize) -> Result<Self> {
        let size = n_classes * n_classes;
        if n_classes < 2 || values.len() != n_rows * size {
            return Err(Error::Data(format!(
                "cost_matrix must have the shape ({n_rows}, {n_classes}, {n_classes}): a matrix for each row; got {} cells",
                values.len()
            )));
        }
        if let Some(at) = values.iter().position(|&value| !is_cost(value)) {
            let (row, cell) = (at / size, at % size);
            return Err(Error::Data(format!(
                "cost_matrix must contain finite numbers of at least 0; the matrix of row {row} (counted from 0) contains {} at ({}, {})",
                values[at],
                cell / n_classes,
                cell % n_classes
            )));
        }
        Ok(Self { matrices: CostMatrices::PerRow(values), n_classes, n_rows })
    }

    /// Returns an error unless the costs are for the given numbers of rows and classes.
    ///
    /// # Errors
    /// [`Error::Data`].
    pub fn check(&self, n_rows: usize, n_classes: usize) -> Result<()> {
        if (self.n_rows, self.n_classes) == (n_rows, n_classes) {
            return Ok(());
        }
        Err(Error::Data(format!(
            "cost_matrix is for {} rows and {} classes, but there are {n_rows} rows and {n_classes} classes",
            self.n_rows, self.n_classes
        )))
    }

    /// Cost of predicting class `predicted` for a row if class `truth` is true.
    pub fn cost(&self, row: usize, truth: usize, predicted: usize) -> f64 {
        let at = truth * self.n_classes + predicted;
        match &self.matrices {
            CostMatrices::Same(cells) => cells[at],
            CostMatrices::PerRow(values) => values[row * self.n_classes * self.n_classes + at],
            CostMatrices::Cells(cells) => cells[at].get(row),
        }
    }

    /// The matrices, row-major, in the format of [`RowCosts::from_row_matrices`].
    pub fn matrices(&self) -> Vec<f64> {
        let c = self.n_classes;
        let cells = |row| (0..c * c).map(move |cell| self.cost(row, cell / c, cell % c));
        (0..self.n_rows).flat_map(cells).collect()
    }

    /// Writes the expected cost of each prediction for a row.
    /// It is `sum_k p_k cost[k][predicted]` (Elkan 2001, eq. 1). `row_proba` contains the class probabilities
    /// `p_k` of the row.
    ///
    /// The matrix is read in the order of its memory, and classes of probability 0 are skipped.
    fn write_expected_costs(&self, row: usize, row_proba: &[f64], expected: &mut [f64]) {
        let c = self.n_classes;
        expected.fill(0.0);
        for (truth, &p) in row_proba.iter().enumerate().filter(|(_, p)| **p != 0.0) {
            let add = |costs: &[f64], expected: &mut [f64]| {
                expected.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += p * cost);
            };
            match &self.matrices {
                CostMatrices::Same(cells) => add(&cells[truth * c..][..c], expected),
                CostMatrices::PerRow(values) => add(&values[(row * c + truth) * c..][..c], expected),
                CostMatrices::Cells(cells) => {
                    let costs = cells[truth * c..][..c].iter().map(|cell| cell.get(row));
                    expected.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += p * cost);
                }
            }
        }
    }

    /// Expected cost of predicting each class for every row, `n_rows x n_classes`, row-major.
    ///
    /// # Errors
    /// [`Error::Data`] if the probabilities are for another number of rows or classes than the costs.
    pub fn expected_costs(&self, proba: &[f64]) -> Result<Vec<f64>> {
        self.check(proba.len() / self.n_classes, self.n_classes)?;
        let mut expected = memory::filled(proba.len(), 0.0, "expected costs")?;
        let rows = proba.chunks_exact(self.n_classes).zip(expected.chunks_exact_mut(self.n_classes));
        for (row, (row_proba, expected)) in rows.enumerate() {
            self.write_expected_costs(row, row_proba, expected);
        }
        Ok(expected)
    }

    /// Class of least expected cost for every row, the lowest class code on ties.
    ///
    /// # Errors
    /// Same errors as [`RowCosts::expected_costs`].
    pub fn cheapest_classes(&self, proba: &[f64]) -> Result<Vec<u32>> {
        self.check(proba.len() / self.n_classes, self.n_classes)?;
        let c = self.n_classes;
        let predict = |(block, row_probas): (usize, &[f64])| {
            let mut expected = vec![0.0; c];
            let rows = (block * BLOCK..).zip(row_probas.chunks_exact(c));
            let predict_row = |(row, row_proba)| {
                self.write_expected_costs(row, row_proba, &mut expected);
                argmin(&expected)
            };
            rows.map(predict_row).collect::<Vec<_>>()
        };
        Ok(parallel::map(proba.chunks(BLOCK * c).enumerate(), predict).concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A false alert costs 5, and a miss costs the amount in column 1; class 1 is fraud.
    fn fraud() -> CostCells {
        let cells =
            vec![CostCell::Number(0.0), CostCell::Number(5.0), CostCell::Column(1), CostCell::Number(0.0)];
        CostCells::new(cells, 2).unwrap()
    }

    #[test]
    fn each_row_gets_the_class_of_least_cost() {
        let (age, amount) = ([1.0, 2.0, 3.0], [10.0, 50.0, 45.0]);
        let frame = Frame::new(vec![Column::from_numbers(&age), Column::from_numbers(&amount)]).unwrap();
        let rule = fraud();
        let costs = rule.to_row_costs(&frame).unwrap();
        // With a fraud probability of 0.1, an alert has the expected cost 0.9 * 5 = 4.5. No alert has the
        // cost 0.1 * amount, which is 1, 5 and 4.5 for the three rows. The third row is a tie.
        let proba = [0.9, 0.1].repeat(3);
        assert_eq!(costs.expected_costs(&proba).unwrap(), [1.0, 4.5, 5.0, 4.5, 4.5, 4.5]);
        assert_eq!(costs.cheapest_classes(&proba).unwrap(), [0, 1, 0]);
        let handed: Vec<f64> = amount.iter().flat_map(|&amount| [0.0, 5.0, amount, 0.0]).collect();
        let handed = RowCosts::from_row_matrices(&handed, 3, 2).unwrap();
        assert_eq!(handed.expected_costs(&proba).unwrap(), costs.expected_costs(&proba).unwrap());
        assert_eq!(handed.matrices(), costs.matrices());
        assert!(costs.cheapest_classes(&proba[..4]).is_err());
    }

    #[test]
    fn one_matrix_for_all_rows_is_a_cost_matrix() {
        let matrix = Costs::new(vec![0.0, 1.0, 10.0, 0.0], 2).unwrap();
        let costs = RowCosts::with_one_matrix(&matrix, 2);
        assert_eq!(costs.cheapest_classes(&[0.95, 0.05, 0.9, 0.1]).unwrap(), [0, 1]);
    }

    #[test]
    fn blocks_of_rows_keep_their_places() {
        let n = 3 * BLOCK + 5;
        let amount: Vec<f64> = (0..n).map(|row| f64::from(u8::from(row % 7 == 0)) * 100.0).collect();
        let frame = Frame::new(vec![Column::from_numbers(&amount), Column::from_numbers(&amount)]).unwrap();
        let found = fraud().to_row_costs(&frame).unwrap().cheapest_classes(&[0.9, 0.1].repeat(n)).unwrap();
        assert!(found.iter().enumerate().all(|(row, &class)| class == u32::from(row % 7 == 0)));
    }

    #[test]
    fn invalid_costs_are_reported_with_column_and_row() {
        let age = [1.0, 2.0];
        for (amounts, expected) in [
            ([1.0, f64::NAN], "row 1 (counted from 0) has no cost"),
            ([-2.0, 1.0], "row 0 (counted from 0) contains -2"),
            ([1.0, f64::INFINITY], "contains inf"),
        ] {
            let frame = Frame::new(vec![Column::from_numbers(&age), Column::from_numbers(&amounts)]).unwrap();
            match fraud().to_row_costs(&frame).unwrap_err() {
                Error::Column { column: 1, message } => assert!(message.contains(expected), "{message}"),
                other => panic!("{other}"),
            }
        }
        let names = Column::Nominal { codes: &[0, 1], levels: 2 };
        let frame = Frame::new(vec![Column::from_numbers(&age), names]).unwrap();
        assert!(fraud().to_row_costs(&frame).unwrap_err().to_string().contains("contains text"));
        let frame = Frame::new(vec![Column::from_numbers(&age)]).unwrap();
        assert!(fraud().to_row_costs(&frame).is_err());
        let handed =
            |values: &[f64]| RowCosts::from_row_matrices(values, 1, 2).map(drop).unwrap_err().to_string();
        assert!(handed(&[0.0, 1.0, -1.0, 0.0]).contains("row 0 (counted from 0) contains -1 at (1, 0)"));
        assert!(handed(&[0.0, 1.0]).contains("shape (1, 2, 2)"));
        assert!(CostCells::new(vec![CostCell::Number(-1.0); 4], 2).is_err());
        assert!(CostCells::new(vec![CostCell::Number(1.0); 3], 2).is_err());
    }

    #[test]
    fn a_part_of_the_columns_has_the_costs_or_none() {
        let moved = fraud().renumber_columns(&[3, 1]).unwrap();
        assert_eq!(moved.cells()[2], CostCell::Column(1));
        assert_eq!(fraud().renumber_columns(&[1]).unwrap().cells()[2], CostCell::Column(0));
        assert_eq!(fraud().renumber_columns(&[0, 2]), None);
    }
}
