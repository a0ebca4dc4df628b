//! Training rows of one member: rows of the training table, and synthetic rows.

use imbcore_core::{
    Column, ColumnBuf, Dataset, Error, Frame, FrameBuf, OwnedRowDependence, Result, RunContext, SeedKey,
    uniform,
};
use imbcore_resample::AddedRows;

/// Rows of a training table, possibly with repetitions, followed by synthetic rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bag {
    /// Rows of the training table, ascending.
    pub rows: Vec<u32>,
    /// Synthetic rows made from rows of the training table.
    pub made: AddedRows,
    /// Weight of each drawn row, then of each synthetic row.
    /// If `None`, a drawn row has its weight in the training table, and a synthetic row has the weight of the
    /// row from which it is made.
    pub weights: Option<Vec<f64>>,
    /// Columns that the member uses, ascending; empty for all columns.
    pub columns: Vec<u32>,
}

impl Bag {
    /// Creates a bag of unchanged rows.
    pub fn from_rows(rows: Vec<u32>) -> Self {
        Self { rows, ..Self::default() }
    }

    /// Creates a bag with weights on any scale.
    /// The weights are scaled to a mean of 1, so that parameters such as a minimum number of rows per leaf
    /// keep their meaning.
    pub fn from_weights(rows: Vec<u32>, made: AddedRows, shares: Vec<f64>) -> Self {
        Self { rows, made, weights: Some(scale_to_mean_one(shares)), ..Self::default() }
    }

    /// Number of rows, including synthetic ones.
    pub fn len(&self) -> usize {
        self.rows.len() + self.made.len()
    }

    /// Whether the bag is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Class code of each drawn row, followed by the class codes of the synthetic rows.
    pub fn class_of_each_row(&self, data: &Dataset<'_>) -> Vec<u32> {
        let given = self.rows.iter().map(|&row| data.class_codes()[row as usize]);
        given.chain(self.made.classes.iter().copied()).collect()
    }

    /// Groups and times of the drawn rows, then of the synthetic rows.
    /// A synthetic row has the group and the time of the row from which it is made.
    pub fn groups_and_times(&self, data: &Dataset<'_>) -> OwnedRowDependence {
        data.dependence().take(self.rows.iter().chain(&self.made.sources).copied())
    }

    /// Weight of each drawn row, then of each synthetic row; `None` stands for weights of 1.
    pub(crate) fn weights(&self, data: &Dataset<'_>) -> Option<Vec<f64>> {
        let of_rows = |of: &[f64]| {
            self.rows.iter().chain(&self.made.sources).map(|&row| of[row as usize]).collect::<Vec<f64>>()
        };
        self.weights.clone().or_else(|| data.weights().map(of_rows))
    }

    /// Weight of each class in the bag.
    pub fn class_masses(&self, data: &Dataset<'_>) -> Vec<f64> {
        let mut masses = vec![0.0; data.n_classes()];
        let weights = self.weights(data);
        for (at, class) in self.class_of_each_row(data).into_iter().enumerate() {
            masses[class as usize] += weights.as_ref().map_or(1.0, |weights| weights[at]);
        }
        masses
    }

    /// Draws a bag of equal size from this bag, with replacement and in proportion to `weights`.
    ///
    /// A drawn row has the weight 1, whatever its weight in `data`, which is part of `weights`.
    pub(crate) fn resample_by_weight(&self, weights: &[f64], data: &Dataset<'_>, key: SeedKey) -> Self {
        let sums: Vec<f64> = weights
            .iter()
            .scan(0.0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        let total = sums.last().copied().unwrap_or_default();
        let mut rng = key.rng();
        let last = sums.len().saturating_sub(1);
        let mut drawn: Vec<u32> = (0..sums.len())
            .map(|_| {
                let at = uniform(&mut rng) * total;
                sums.partition_point(|&sum| sum <= at).min(last) as u32
            })
            .collect();
        drawn.sort_unstable();
        let n_rows = self.rows.len() as u32;
        let (rows, made): (Vec<u32>, Vec<u32>) = drawn.into_iter().partition(|&at| at < n_rows);
        Self {
            rows: rows.into_iter().map(|at| self.rows[at as usize]).collect(),
            made: self.made.select_rows(&made.into_iter().map(|at| at - n_rows).collect::<Vec<u32>>()),
            weights: data.weights().map(|_| vec![1.0; weights.len()]),
            columns: self.columns.clone(),
        }
    }

    /// Copies the rows into a table of the member's columns; `frame` is the training table.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Cancelled`].
    pub fn copy_rows_to_frame(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<FrameBuf> {
        let seen = select_frame_columns(frame, &self.columns)?;
        let taken = seen.take(&self.rows, ctl)?;
        if self.made.is_empty() {
            return Ok(taken);
        }
        let columns = self.all_columns(frame);
        let numbers = self.made.numeric_values(frame)?;
        // `numbers` has a row for each synthetic row, with its values in all numeric columns. `place` maps a
        // column of the table to its index among the numeric columns.
        let place: Vec<usize> = frame
            .columns()
            .iter()
            .scan(0, |next, column| {
                let own = *next;
                *next += usize::from(matches!(column, Column::Numeric(_)));
                Some(own)
            })
            .collect();
        let width = numbers.len() / self.made.len();
        let lengthened = taken.into_columns().into_iter().zip(columns).map(|(column, at)| match column {
            ColumnBuf::Numeric(mut values) => {
                values.extend(numbers.iter().skip(place[at]).step_by(width.max(1)));
                Ok(ColumnBuf::Numeric(values))
            }
            ColumnBuf::Nominal { mut codes, levels } => {
                let Column::Nominal { codes: all, .. } = &frame.columns()[at] else {
                    return Err(Error::Internal("a column and its copy have different types".into()));
                };
                codes.extend(self.made.nominal_column_codes(at, all));
                Ok(ColumnBuf::Nominal { codes, levels })
            }
        });
        FrameBuf::new(lengthened.collect::<Result<_>>()?)
    }

    fn all_columns(&self, frame: &Frame<'_>) -> Vec<usize> {
        if self.columns.is_empty() {
            (0..frame.n_columns()).collect()
        } else {
            self.columns.iter().map(|&column| column as usize).collect()
        }
    }
}

pub(crate) fn scale_to_mean_one(mut shares: Vec<f64>) -> Vec<f64> {
    let scale = shares.len() as f64 / shares.iter().sum::<f64>();
    for share in &mut shares {
        *share *= scale;
    }
    shares
}

/// Restricts a table to `columns`; an empty list stands for all columns.
pub(crate) fn select_frame_columns<'a>(frame: &Frame<'a>, columns: &[u32]) -> Result<Frame<'a>> {
    if columns.is_empty() {
        return Ok(frame.clone());
    }
    let column = |&at: &u32| frame.columns().get(at as usize).copied();
    let seen: Option<Vec<Column<'a>>> = columns.iter().map(column).collect();
    Frame::new(seen.ok_or_else(|| Error::Internal("a member uses a column that does not exist".into()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synthetic_rows_follow_the_others_in_every_column() {
        let (x, y) = ([0.0, 1.0, 2.0], [10.0, 20.0, 40.0]);
        let nominal = Column::Nominal { codes: &[0, 1, 1], levels: 2 };
        let frame = Frame::new(vec![Column::from_numbers(&x), nominal, Column::from_numbers(&y)]).unwrap();
        let made = AddedRows {
            classes: vec![1],
            sources: vec![1],
            neighbors: vec![2],
            fractions: vec![0.25],
            ..AddedRows::default()
        };
        let bag = Bag { rows: vec![0, 2, 2], made, columns: vec![1, 2], ..Bag::default() };
        let found = bag.copy_rows_to_frame(&frame, RunContext::silent()).unwrap().into_columns();
        assert_eq!(found[0], ColumnBuf::Nominal { codes: vec![0, 1, 1, 1], levels: 2 });
        assert_eq!(found[1], ColumnBuf::Numeric(vec![10.0, 40.0, 40.0, 25.0]));
        let data = Dataset::new(frame, &[0, 1, 1], 2, Some(&[1.0, 2.0, 4.0])).unwrap();
        assert_eq!(bag.class_of_each_row(&data), [0, 1, 1, 1]);
        assert_eq!(bag.class_masses(&data), [1.0, 10.0]);
    }

    #[test]
    fn rows_are_drawn_by_weight_and_never_with_weight_0() {
        let x = [0.0; 4];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::new(frame, &[0, 0, 1, 1], 2, None).unwrap();
        let bag = Bag::from_weights(vec![0, 1, 2, 3], AddedRows::default(), vec![3.0, 0.0, 1.0, 0.0]);
        assert_eq!(bag.weights, Some(vec![3.0, 0.0, 1.0, 0.0]));
        let mut counts = [0_u32; 4];
        for seed in 0..1000 {
            let drawn = bag.resample_by_weight(&bag.weights(&data).unwrap(), &data, SeedKey::root(seed));
            assert!(drawn.rows.len() == 4 && drawn.rows.is_sorted());
            drawn.rows.iter().for_each(|&row| counts[row as usize] += 1);
        }
        assert_eq!([counts[1], counts[3]], [0, 0]);
        // Row 0 gets three quarters of the 4000 draws. The standard deviation of the count is 27.4.
        assert!((f64::from(counts[0]) - 3000.0).abs() < 5.0 * 27.4);
    }

    #[test]
    fn rows_drawn_by_weight_have_the_weight_1() {
        let frame = Frame::new(vec![Column::from_numbers(&[0.0; 4])]).unwrap();
        let weights = [1.0, 8.0, 2.0, 5.0];
        let data = Dataset::new(frame, &[0, 0, 1, 1], 2, Some(&weights)).unwrap();
        let drawn = Bag::from_rows(vec![0, 1, 2, 3]).resample_by_weight(&weights, &data, SeedKey::root(3));
        let n_rows = |class: u32| drawn.rows.iter().filter(|&&row| row / 2 == class).count() as f64;
        assert_eq!(drawn.class_masses(&data), [n_rows(0), n_rows(1)]);
    }
}
