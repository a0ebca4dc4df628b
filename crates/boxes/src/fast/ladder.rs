//! The values next to many others, found by one look at each value.
//!
//! The asked values are the steps of a ladder, `t_1 < ... < t_n`, and part the line of numbers into `n + 1` gaps. After any
//! number of rows, `most[g]` is the largest value seen in gap `g` and `least[g]` the smallest; the largest value strictly below
//! `t_g` is then the largest of `most[0..g]`, which one pass over the gaps gives for all steps. A value finds its gap through a
//! table of cells in about one step of a search, so that the rows cost a constant each and the answers the number of steps.

use serde::{Deserialize, Serialize};

/// Values of one numeric feature that are asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// Sought: the largest value strictly below each; minus infinity where there is none.
    pub(crate) below: Vec<f64>,
    /// Sought: the smallest value strictly above each; infinity where there is none.
    pub(crate) above: Vec<f64>,
}

/// All finite values asked about, ascending and distinct: the line of numbers falls into the gaps between them.
///
/// A value is looked up by its cell among many of equal width between the outermost steps: a step in a lower cell is
/// smaller, whatever the rounding, and few share a cell.
pub(super) struct Ladder {
    steps: Vec<f64>,
    per_cell: f64,
    /// Steps below each cell.
    first: Vec<u32>,
}

/// Cells of a ladder for every step.
const CELLS: usize = 4;

/// Per gap the largest and the smallest value in it; a value equal to a step is in the gap above for `least` (which looks
/// up) and in the gap below for `most`... so that a step never answers itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rungs {
    most: Vec<f64>,
    least: Vec<f64>,
}

impl Rungs {
    pub(super) fn join(&mut self, other: &Self) {
        // Of 0 and -0 the first one met stays, whoever joins the parts.
        self.most.iter_mut().zip(&other.most).for_each(|(a, &b)| *a = if b > *a { b } else { *a });
        self.least.iter_mut().zip(&other.least).for_each(|(a, &b)| *a = if b < *a { b } else { *a });
    }
}

impl Ladder {
    pub(super) fn new(asked: &Asked) -> Self {
        let mut steps: Vec<f64> =
            asked.below.iter().chain(&asked.above).copied().filter(|step| step.is_finite()).collect();
        steps.sort_by(f64::total_cmp);
        steps.dedup();
        let n_cells = steps.len() * CELLS;
        let width = match steps[..] {
            [low, .., high] => high - low,
            _ => 0.0,
        };
        let per_cell = n_cells as f64 / width;
        // Steps too near to or too far from each other for this all share one cell.
        let per_cell = if per_cell.is_normal() { per_cell } else { 0.0 };
        let mut ladder = Self { steps, per_cell, first: Vec::new() };
        let cells: Vec<usize> = ladder.steps.iter().map(|&step| ladder.cell(step)).collect();
        ladder.first = (0..=n_cells).map(|cell| cells.partition_point(|&own| own < cell) as u32).collect();
        ladder
    }

    /// Cell of a value; what lies outside is in the first or the last.
    #[allow(clippy::cast_sign_loss)] // The cast takes what is negative to 0.
    fn cell(&self, x: f64) -> usize {
        let place = ((x - self.steps[0]) * self.per_cell) as i32;
        (place.max(0) as usize).min(self.steps.len() * CELLS)
    }

    pub(super) fn rungs(&self) -> Rungs {
        let n = self.steps.len() + 1;
        Rungs { most: vec![f64::NEG_INFINITY; n], least: vec![f64::INFINITY; n] }
    }

    pub(super) fn climb(&self, values: impl Iterator<Item = f64>, rungs: &mut Rungs) {
        for x in values.filter(|x| !x.is_nan()) {
            // Steps below x, and steps not above it: they differ only where x is a step itself.
            let mut under = self.first[self.cell(x)] as usize;
            while self.steps.get(under).is_some_and(|&step| step < x) {
                under += 1;
            }
            let up_to = under + usize::from(self.steps.get(under) == Some(&x));
            // x lies strictly above the first `under` steps, and strictly below all from `up_to` on.
            // Hardly ever true after the first rows, so that jumps are foreseen and nothing waits for a store.
            if x < rungs.least[under] {
                rungs.least[under] = x;
            }
            if x > rungs.most[up_to] {
                rungs.most[up_to] = x;
            }
        }
    }

    /// All that is asked about, ascending.
    pub(super) fn steps(&self) -> &[f64] {
        &self.steps
    }

    /// The largest values below and the smallest above.
    pub(super) fn answer(&self, mut rungs: Rungs, asked: &Asked) -> Asked {
        for gap in 1..rungs.most.len() {
            rungs.most[gap] = rungs.most[gap].max(rungs.most[gap - 1]);
        }
        for gap in (1..rungs.least.len()).rev() {
            rungs.least[gap - 1] = rungs.least[gap - 1].min(rungs.least[gap]);
        }
        let place = |at: f64| self.steps.partition_point(|&step| step < at);
        let below = |&at: &f64| if at.is_finite() { rungs.most[place(at)] } else { f64::NEG_INFINITY };
        let above = |&at: &f64| if at.is_finite() { rungs.least[place(at) + 1] } else { f64::INFINITY };
        Asked {
            below: asked.below.iter().map(below).collect(),
            above: asked.above.iter().map(above).collect(),
        }
    }
}
