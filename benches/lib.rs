//! Data for the benches: Gaussian features, and a rare class that depends on the first of them.
#![forbid(unsafe_code)]

use imbcore_core::{Dataset, Frame, Result, SeedKey, random_below};
use std::sync::OnceLock;

/// Runs work in a thread pool as in a fit; without one, it would be single-threaded.
///
/// # Panics
/// If the system provides no threads.
#[allow(clippy::unwrap_used)]
pub fn pooled<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    static POOL: OnceLock<rayon::ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| rayon::ThreadPoolBuilder::new().build().unwrap()).install(work)
}

/// A table for fits.
#[derive(Debug)]
pub struct Table {
    values: Vec<f64>,
    classes: Vec<u32>,
    n_columns: usize,
    n_classes: usize,
}

impl Table {
    /// `n_rows x n_columns` numbers; one row in `rarity` is not of class 0, and the first columns are informative about
    /// it.
    pub fn new(n_rows: usize, n_columns: usize, n_classes: usize, rarity: u32) -> Self {
        let mut rng = SeedKey::root(0).rng();
        // The sum of four uniform numbers is approximately normal.
        let mut normal = || {
            (0..4).map(|_| f64::from(random_below(&mut rng, 1 << 24)) / 2.0_f64.powi(24)).sum::<f64>() - 2.0
        };
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

    /// 26 balanced classes and 16 integer features from 0 to 15, as in the letter data of Frey and Slate (1991): each
    /// class has its own mean of each feature, with noise around it.
    pub fn letters(n_rows: usize) -> Self {
        let (n_columns, n_classes) = (16, 26);
        let mut rng = SeedKey::root(1).rng();
        let mut uniform = || f64::from(random_below(&mut rng, 1 << 24)) / 2.0_f64.powi(24);
        let means: Vec<f64> = (0..n_columns * n_classes).map(|_| 3.0 + 9.0 * uniform()).collect();
        let classes: Vec<u32> = (0..n_rows).map(|row| (row % n_classes) as u32).collect();
        let mut value = |mean: f64| {
            let noise = (0..4).map(|_| uniform()).sum::<f64>() - 2.0;
            (mean + 5.0 * noise).round().clamp(0.0, 15.0)
        };
        let values = classes
            .iter()
            .flat_map(|&class| &means[class as usize * n_columns..(class as usize + 1) * n_columns])
            .map(|&mean| value(mean))
            .collect();
        Self { values, classes, n_columns, n_classes }
    }

    /// The features, row-major.
    pub fn frame(&self) -> Result<Frame<'_>> {
        Frame::from_row_major(&self.values, self.classes.len(), self.n_columns)
    }

    /// The features with their classes.
    pub fn data(&self) -> Result<Dataset<'_>> {
        Dataset::new(self.frame()?, &self.classes, self.n_classes, None)
    }
}
