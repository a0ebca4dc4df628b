//! Copies of the rows of one tree, for trees that use few of the rows.

use imbcore_core::{Dataset, FrameBuf, Result, RunContext};

pub(crate) struct CopiedRows {
    frame: FrameBuf,
    classes: Vec<u32>,
    n_classes: usize,
    weights: Option<Vec<f64>>,
    /// Row indices in this table, ascending; an index occurs as often as its row was drawn.
    pub(crate) rows: Vec<u32>,
}

impl CopiedRows {
    /// Copies each of the drawn `rows` of `data` once; `rows` is ascending, with repetitions.
    pub(crate) fn new(data: &Dataset<'_>, rows: &[u32], ctl: RunContext<'_>) -> Result<Self> {
        let mut once: Vec<u32> = Vec::with_capacity(rows.len());
        let mut place = |row: u32| {
            if once.last() != Some(&row) {
                once.push(row);
            }
            once.len() as u32 - 1
        };
        let rows = rows.iter().map(|&row| place(row)).collect();
        let index = |row: &u32| *row as usize;
        Ok(Self {
            frame: data.frame().take(&once, ctl)?,
            classes: once.iter().map(|row| data.class_codes()[index(row)]).collect(),
            n_classes: data.n_classes(),
            weights: data.weights().map(|weights| once.iter().map(|row| weights[index(row)]).collect()),
            rows,
        })
    }

    pub(crate) fn as_dataset(&self) -> Result<Dataset<'_>> {
        let frame = self.frame.borrow()?;
        Dataset::with_single_class_allowed(frame, &self.classes, self.n_classes, self.weights.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Column, ColumnBuf, Frame};

    #[test]
    fn a_row_drawn_twice_is_copied_once() {
        let x = [0.0, 10.0, 20.0, 30.0];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::new(frame, &[0, 1, 0, 1], 2, Some(&[1.0, 2.0, 3.0, 4.0])).unwrap();
        let own = CopiedRows::new(&data, &[1, 1, 2, 3, 3], RunContext::silent()).unwrap();
        assert_eq!(own.frame.columns(), [ColumnBuf::Numeric(vec![10.0, 20.0, 30.0])]);
        assert_eq!((own.rows.as_slice(), own.classes.as_slice()), (&[0, 0, 1, 2, 2][..], &[1, 0, 1][..]));
        assert_eq!(own.as_dataset().unwrap().weights(), Some(&[2.0, 3.0, 4.0][..]));
    }
}
