//! Tables of golden cases and random ones.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use imbcore_core::{Frame, Label, Result, RunContext, SeedKey};
use imbcore_resample::{Algorithm, DistanceSpace, NeighborIndex, ResamplingPlan, ResamplingTask, plan};
use imbcore_tests::{codes, golden, items, matrix};
use serde_json::Value;

/// Numeric rows with classes.
#[derive(Clone, Debug)]
pub struct Table {
    pub values: Vec<f64>,
    pub width: usize,
    pub classes: Vec<u32>,
}

impl Table {
    pub fn new(values: Vec<f64>, classes: Vec<u32>) -> Self {
        Self { width: values.len() / classes.len(), values, classes }
    }

    pub fn from_case(case: &Value) -> Self {
        Self::new(matrix(&case["x"]), codes(&case["y"]))
    }

    pub fn frame(&self) -> Frame<'_> {
        Frame::from_row_major(&self.values, self.classes.len(), self.width).unwrap()
    }

    pub fn labels(&self) -> Vec<Label> {
        (0..=self.classes.iter().copied().max().unwrap()).map(|class| Label::Int(class.into())).collect()
    }

    pub fn rows(&self) -> Vec<u32> {
        (0..self.classes.len() as u32).collect()
    }

    pub fn row(&self, row: u32) -> &[f64] {
        &self.values[row as usize * self.width..(row as usize + 1) * self.width]
    }

    pub fn rows_of(&self, class: u32) -> Vec<u32> {
        self.rows().into_iter().filter(|&row| self.classes[row as usize] == class).collect()
    }

    /// Squared distance, by the definition.
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        self.row(a).iter().zip(self.row(b)).fold(0.0, |sum, (x, y)| sum + (x - y) * (x - y))
    }

    /// The rows of `pool` without the row itself, sorted by distance.
    pub fn order(&self, row: u32, pool: &[u32]) -> Vec<u32> {
        let mut others: Vec<u32> = pool.iter().copied().filter(|&other| other != row).collect();
        others.sort_by(|&a, &b| self.distance(row, a).total_cmp(&self.distance(row, b)).then(a.cmp(&b)));
        others
    }

    pub fn plan(&self, name: &str, given: &Value, seed: u64) -> Result<ResamplingPlan> {
        let (frame, labels) = (self.frame(), self.labels());
        let task = ResamplingTask::new(Some(&frame), &self.classes, &labels)?;
        plan(name, given.as_object().unwrap(), &task, SeedKey::root(seed), RunContext::silent())
    }

    /// Calls `work` with the points of the table prepared for one search algorithm.
    pub fn searched<T>(
        &self,
        algorithm: Algorithm,
        work: impl FnOnce(&NeighborIndex<'_>, RunContext<'_>) -> T,
    ) -> T {
        // Blocks of two queries, so that work is parallel as with large tables.
        let ctl = RunContext::silent().with_smaller_tasks(128);
        let frame = self.frame();
        let space = DistanceSpace::from_numeric(&frame, None, ctl).unwrap();
        work(&NeighborIndex::new(space, algorithm), ctl)
    }
}

/// All cases of a file.
pub fn cases(file: &str) -> Vec<Value> {
    let golden = golden(&format!("resampling/{file}"));
    let cases = items(&golden["cases"]).to_vec();
    assert!(!cases.is_empty(), "{file} has no cases");
    cases
}

/// A list of lists of rows.
pub fn lists(value: &Value) -> Vec<Vec<u32>> {
    items(value).iter().map(codes).collect()
}
