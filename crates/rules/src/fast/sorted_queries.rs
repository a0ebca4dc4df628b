//! Nearest smaller and larger data value of many query values, in one pass over the data.
//!
//! The sorted distinct queries `t_1 < ... < t_n` divide the real line into `n + 1` gaps. For each gap `g`,
//! `most[g]` is the largest and `least[g]` the smallest data value in it. The largest value strictly below
//! `t_g` is the maximum of `most[0..g]`, so one pass over the gaps gives the results of all queries. A lookup
//! table with cells of equal width finds the gap of a value in about one comparison. The total cost is
//! `O(rows + n)`.

use serde::{Deserialize, Serialize};

/// Query values of one numeric feature.
///
/// The same type stores the results of the queries: each query is then replaced by its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct QueryValues {
    /// Queries whose result is the largest data value strictly below the query.
    ///
    /// The result is minus infinity if there is no such value.
    pub(crate) below: Vec<f64>,
    /// Queries whose result is the smallest data value strictly above the query.
    ///
    /// The result is infinity if there is no such value.
    pub(crate) above: Vec<f64>,
}

/// Sorted distinct finite queries, with a lookup table.
///
/// The table divides the range from the smallest to the largest query into cells of equal width, with few
/// queries in each cell. Despite rounding, a larger value never has a smaller cell index.
pub(super) struct SortedQueries {
    steps: Vec<f64>,
    per_cell: f64,
    /// Number of queries below each cell.
    first: Vec<u32>,
}

const CELLS: usize = 4;

/// Largest and smallest data value in every gap between neighboring queries.
///
/// A value that equals a query counts for `least` in the gap below the query, and for `most` in the gap above
/// it. It is therefore not found as the value next to this query.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct IntervalExtrema {
    most: Vec<f64>,
    least: Vec<f64>,
}

impl IntervalExtrema {
    pub(super) fn merge(&mut self, other: &Self) {
        // 0 and -0 are equal, and the first of them in row order is kept. The result therefore does not
        // depend on the partitioning of the rows.
        self.most.iter_mut().zip(&other.most).for_each(|(a, &b)| *a = if b > *a { b } else { *a });
        self.least.iter_mut().zip(&other.least).for_each(|(a, &b)| *a = if b < *a { b } else { *a });
    }
}

impl SortedQueries {
    pub(super) fn new(asked: &QueryValues) -> Self {
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
        // If the cells are too narrow or too wide for a float, all queries share one cell.
        let per_cell = if per_cell.is_normal() { per_cell } else { 0.0 };
        let mut ladder = Self { steps, per_cell, first: Vec::new() };
        let cells: Vec<usize> = ladder.steps.iter().map(|&step| ladder.lookup_cell_of_value(step)).collect();
        ladder.first =
            (0..=n_cells).map(|cell| cells.partition_point(|&other| other < cell) as u32).collect();
        ladder
    }

    /// Cell of a value; the first or last cell if the value is outside the range of the queries.
    #[allow(clippy::cast_sign_loss)] // The cast maps negative numbers to 0.
    fn lookup_cell_of_value(&self, x: f64) -> usize {
        let place = ((x - self.steps[0]) * self.per_cell) as i32;
        (place.max(0) as usize).min(self.steps.len() * CELLS)
    }

    pub(super) fn empty_extrema(&self) -> IntervalExtrema {
        let n = self.steps.len() + 1;
        IntervalExtrema { most: vec![f64::NEG_INFINITY; n], least: vec![f64::INFINITY; n] }
    }

    pub(super) fn update_extrema(&self, values: impl Iterator<Item = f64>, rungs: &mut IntervalExtrema) {
        for x in values.filter(|x| !x.is_nan()) {
            // After the loop, `under` is the number of queries below x, and `up_to` the number of queries of
            // at most x. They differ only if x equals a query.
            let mut under = self.first[self.lookup_cell_of_value(x)] as usize;
            while self.steps.get(under).is_some_and(|&step| step < x) {
                under += 1;
            }
            let up_to = under + usize::from(self.steps.get(under) == Some(&x));
            // After the first rows these conditions are rarely true. The branches are then well predicted,
            // and most values are not written.
            if x < rungs.least[under] {
                rungs.least[under] = x;
            }
            if x > rungs.most[up_to] {
                rungs.most[up_to] = x;
            }
        }
    }

    pub(super) fn distinct_queries(&self) -> &[f64] {
        &self.steps
    }

    pub(super) fn nearest_values_per_query(
        &self,
        mut rungs: IntervalExtrema,
        asked: &QueryValues,
    ) -> QueryValues {
        for gap in 1..rungs.most.len() {
            rungs.most[gap] = rungs.most[gap].max(rungs.most[gap - 1]);
        }
        for gap in (1..rungs.least.len()).rev() {
            rungs.least[gap - 1] = rungs.least[gap - 1].min(rungs.least[gap]);
        }
        let place = |at: f64| self.steps.partition_point(|&step| step < at);
        let below = |&at: &f64| if at.is_finite() { rungs.most[place(at)] } else { f64::NEG_INFINITY };
        let above = |&at: &f64| if at.is_finite() { rungs.least[place(at) + 1] } else { f64::INFINITY };
        QueryValues {
            below: asked.below.iter().map(below).collect(),
            above: asked.above.iter().map(above).collect(),
        }
    }
}
