//! Data for the benches: Gaussian features, a rare class that depends on the first of them.
#![forbid(unsafe_code)]

use imbcore_base::{Dataset, Frame, Result, SeedKey, below};

/// A table to fit on.
#[derive(Debug)]
pub struct Table {
    values: Vec<f64>,
    classes: Vec<u32>,
    n_columns: usize,
    n_classes: usize,
}

impl Table {
    /// `n_rows x n_columns` numbers; class 0 but for one row in `rarity`, whose class the first columns suggest.
    pub fn new(n_rows: usize, n_columns: usize, n_classes: usize, rarity: u32) -> Self {
        let mut rng = SeedKey::root(0).rng();
        // The sum of four uniform numbers is close enough to a normal one.
        let mut normal =
            || (0..4).map(|_| f64::from(below(&mut rng, 1 << 24)) / 2.0_f64.powi(24)).sum::<f64>() - 2.0;
        let mut values = Vec::with_capacity(n_rows * n_columns);
        let mut scores = Vec::with_capacity(n_rows);
        for _ in 0..n_rows {
            let row: Vec<f64> = (0..n_columns).map(|_| normal()).collect();
            scores.push(row[0] + normal());
            values.extend(row);
        }
        let mut sorted = scores.clone();
        sorted.sort_by(f64::total_cmp);
        let n_rare = (n_rows / rarity as usize).max(1);
        let threshold = sorted[n_rows - n_rare];
        let class = |(row, &score): (usize, &f64)| {
            if score < threshold { 0 } else { 1 + row as u32 % (n_classes as u32 - 1) }
        };
        let classes = scores.iter().enumerate().map(class).collect();
        Self { values, classes, n_columns, n_classes }
    }

    /// The features, row-major.
    pub fn frame(&self) -> Result<Frame<'_>> {
        Frame::from_rows(&self.values, self.classes.len(), self.n_columns)
    }

    /// The features with their classes.
    pub fn data(&self) -> Result<Dataset<'_>> {
        Dataset::new(self.frame()?, &self.classes, self.n_classes, None)
    }
}
