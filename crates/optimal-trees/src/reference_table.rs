//! Brute-force search that verifies claims; it shares no search code with the fit.
//!
//! Every split of the rows is tried, together with every split of both children. Without a minimum leaf
//! weight, there is one shortcut. If a split costs much more than the best cost so far, the next splits of
//! the feature are skipped. The search of the feature continues once enough moved rows can make up the
//! difference.

use crate::integer_costs::{IntegerCostScale, common_unit};
use crate::tree_certificate::SplitTest;
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Column, Dataset, Result, RunContext, midpoint};
use std::collections::BTreeMap;

const HOLE: u32 = u32::MAX;

enum ColumnCodes {
    Numbers {
        of_row: Vec<u32>,
        values: Vec<f64>,
    },
    /// A missing value has the code `n_levels`.
    Levels {
        of_row: Vec<u32>,
        n_levels: u32,
    },
}

pub(crate) struct VerifierTable {
    columns: Vec<ColumnCodes>,
    /// Unit of every class; if `exact`, the row weights of a class are integer multiples of it.
    pub(crate) unit: Vec<f64>,
    pub(crate) exact: bool,
    /// Weight of each class in every joined row, in units of the class.
    pub(crate) units: Vec<Vec<f64>>,
    weight: Vec<f64>,
    /// Index of the joined row of every training row; `None` if the row has no weight.
    pub(crate) place: Vec<Option<usize>>,
}

/// Sequence of splits by one column.
///
/// The first child of each split has the rows of the first child of the previous split, and some more rows.
pub(crate) struct SplitSequence {
    pub(crate) feature: usize,
    pub(crate) missing_first: bool,
    /// For each split: its test, and the rows that join the first child at this split.
    pub(crate) steps: Vec<(SplitTest, Vec<u32>)>,
}

/// Cost of each prediction for every row; the last number of a row is its weight.
pub(crate) struct CostedRows<'a, const W: usize> {
    pub(crate) plain: &'a VerifierTable,
    cost: Vec<[f64; W]>,
    leaf: f64,
    whole: IntegerCostScale,
    least_weight: f64,
    budget: &'a SearchBudget<'a>,
}

fn add_vectors<const W: usize>(mut a: [f64; W], b: &[f64; W]) -> [f64; W] {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    a
}

fn subtract_vector<const W: usize>(mut a: [f64; W], b: &[f64; W]) -> [f64; W] {
    a.iter_mut().zip(b).for_each(|(a, b)| *a -= b);
    a
}

impl ColumnCodes {
    fn from_column(column: &Column<'_>, kept: &[usize]) -> Self {
        match column {
            Column::Numeric(values) => {
                let of_row: Vec<f64> = kept.iter().map(|&row| values.get(row) + 0.0).collect();
                let mut values: Vec<f64> = of_row.iter().copied().filter(|value| !value.is_nan()).collect();
                values.sort_by(f64::total_cmp);
                values.dedup();
                let code = |value: &f64| {
                    if value.is_nan() { HOLE } else { values.partition_point(|other| other < value) as u32 }
                };
                Self::Numbers { of_row: of_row.iter().map(code).collect(), values }
            }
            Column::Nominal { codes, levels } => {
                let of_row = kept.iter().map(|&row| codes[row].min(*levels)).collect();
                Self::Levels { of_row, n_levels: *levels }
            }
        }
    }

    fn row_codes(&self) -> &[u32] {
        match self {
            Self::Numbers { of_row, .. } | Self::Levels { of_row, .. } => of_row,
        }
    }

    fn select_rows(&mut self, rows: &[usize]) {
        match self {
            Self::Numbers { of_row, .. } | Self::Levels { of_row, .. } => {
                *of_row = rows.iter().map(|&row| of_row[row]).collect();
            }
        }
    }
}

impl VerifierTable {
    /// If `rounds` is true, weights that are not multiples of a common unit are rounded.
    pub(crate) fn new(
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
        rounds: bool,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let class = |row: usize| data.class_codes()[row] as usize;
        let weigh = |row: usize| data.weight(row) * class_weight.map_or(1.0, |weights| weights[class(row)]);
        let kept: Vec<usize> = (0..data.n_rows()).filter(|&row| weigh(row) > 0.0).collect();
        let mut columns = Vec::new();
        for column in data.frame().columns() {
            ctl.check()?;
            columns.push(ColumnCodes::from_column(column, &kept));
        }
        let mut seen: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        let (mut mass, mut firsts, mut place) = (Vec::new(), Vec::new(), vec![None; data.n_rows()]);
        for (position, &row) in kept.iter().enumerate() {
            if position % 1024 == 0 {
                ctl.check()?;
            }
            let key = columns.iter().map(|column| column.row_codes()[position]).collect();
            let joined = *seen.entry(key).or_insert_with(|| {
                firsts.push(position);
                mass.push(vec![0.0; data.n_classes()]);
                mass.len() - 1
            });
            mass[joined][class(row)] += weigh(row);
            place[row] = Some(joined);
        }
        for column in &mut columns {
            column.select_rows(&firsts);
        }
        let weight = mass.iter().map(|row: &Vec<f64>| row.iter().sum()).collect();
        let of_class = |class: usize| common_unit(&mass.iter().map(|row| row[class]).collect::<Vec<f64>>());
        let (unit, exact): (Vec<f64>, Vec<bool>) = (0..data.n_classes()).map(of_class).unzip();
        let in_units = |row: &Vec<f64>| {
            let units = |class: usize| {
                let units = row[class] / unit[class];
                if exact[class] || rounds { units.round() } else { units }
            };
            (0..unit.len()).map(units).collect()
        };
        let units = mass.iter().map(in_units).collect();
        Ok(Self { columns, units, weight, place, exact: exact.iter().all(|exact| *exact), unit })
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.units.len()
    }

    pub(crate) fn all_rows(&self) -> Vec<u32> {
        (0..self.n_rows() as u32).collect()
    }

    pub(crate) fn split_sequences(&self, rows: &[u32]) -> Vec<SplitSequence> {
        let mut ladders = Vec::new();
        for (feature, column) in self.columns.iter().enumerate() {
            let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for &row in rows {
                groups.entry(column.row_codes()[row as usize]).or_default().push(row);
            }
            match column {
                ColumnCodes::Numbers { values, .. } => {
                    add_numeric_splits(feature, groups, values, &mut ladders);
                }
                ColumnCodes::Levels { n_levels, .. } => {
                    add_nominal_splits(feature, groups, *n_levels, &mut ladders);
                }
            }
        }
        ladders
    }
}

/// Adds the splits at all thresholds between neighboring values of a numeric column.
///
/// In one sequence, all missing values are in the second child, in another in the first child.
fn add_numeric_splits(
    feature: usize,
    mut groups: BTreeMap<u32, Vec<u32>>,
    values: &[f64],
    ladders: &mut Vec<SplitSequence>,
) {
    let holes = groups.remove(&HOLE).unwrap_or_default();
    let next: Vec<u32> = groups.keys().copied().skip(1).collect();
    let cut = |(place, (code, rows)): (usize, (u32, Vec<u32>))| {
        let above = next.get(place).map(|&above| values[above as usize]);
        (
            above.map_or(SplitTest::Known, |above| SplitTest::AtMost(midpoint(values[code as usize], above))),
            rows,
        )
    };
    let mut steps: Vec<(SplitTest, Vec<u32>)> = groups.into_iter().enumerate().map(cut).collect();
    let last = steps.pop();
    if holes.is_empty() {
        ladders.push(SplitSequence { feature, missing_first: false, steps });
        return;
    }
    let mut with_holes = steps.clone();
    if let Some((_, first)) = with_holes.first_mut() {
        first.extend(&holes);
    }
    steps.extend(last);
    ladders.push(SplitSequence { feature, missing_first: false, steps });
    ladders.push(SplitSequence { feature, missing_first: true, steps: with_holes });
}

/// Adds splits of a nominal column.
///
/// They separate each level from the rest, and all levels from missing values. In a split by a single level,
/// missing values are tried in both children.
fn add_nominal_splits(
    feature: usize,
    mut groups: BTreeMap<u32, Vec<u32>>,
    n_levels: u32,
    ladders: &mut Vec<SplitSequence>,
) {
    let holes = groups.remove(&n_levels).unwrap_or_default();
    let n_seen = groups.len() + usize::from(!holes.is_empty());
    let mut ladder = |missing_first: bool, test: SplitTest, rows: Vec<u32>| {
        ladders.push(SplitSequence { feature, missing_first, steps: vec![(test, rows)] });
    };
    for (&level, rows) in groups.iter().filter(|_| n_seen > 1) {
        ladder(false, SplitTest::Level(level), rows.clone());
        if !holes.is_empty() && n_seen > 2 {
            ladder(true, SplitTest::Level(level), [&rows[..], &holes].concat());
        }
    }
    if !holes.is_empty() && !groups.is_empty() {
        ladder(false, SplitTest::Known, groups.into_values().flatten().collect());
    }
}

impl<'a, const W: usize> CostedRows<'a, W> {
    /// Builds rows with the costs `prices[class][predicted]` per unit of the class.
    pub(crate) fn new(
        plain: &'a VerifierTable,
        prices: &[Vec<f64>],
        leaf: f64,
        least_weight: f64,
        budget: &'a SearchBudget<'a>,
    ) -> Option<Self> {
        let whole = IntegerCostScale::new(&plain.units, prices, leaf)?;
        let n_classes = prices.len();
        let cost = |(units, weight): (&Vec<f64>, &f64)| {
            let mut cost = [0.0; W];
            for (predicted, cost) in cost.iter_mut().enumerate() {
                // The array has a fixed width. Entries beyond the last class repeat the cost of the first
                // class.
                let predicted = if predicted < n_classes { predicted } else { 0 };
                *cost = whole.integer_row_cost(units, prices, predicted);
            }
            cost[W - 1] = *weight;
            cost
        };
        let cost = plain.units.iter().zip(&plain.weight).map(cost).collect();
        Some(Self { plain, cost, leaf: whole.integer_leaf_cost(leaf), whole, least_weight, budget })
    }

    pub(crate) fn max_rounding_error(&self) -> f64 {
        self.whole.slack
    }

    pub(crate) fn integer_leaf_cost(&self) -> f64 {
        self.leaf
    }

    pub(crate) fn unavoidable_cost(&self, rows: &[u32]) -> f64 {
        rows.iter().map(|&row| min_prediction_cost(&self.cost[row as usize])).sum()
    }

    pub(crate) fn max_cost(&self, rows: &[u32]) -> f64 {
        let dearest = |cost: &[f64; W]| cost[..W - 1].iter().copied().fold(0.0, f64::max);
        rows.iter().map(|&row| dearest(&self.cost[row as usize])).sum()
    }

    fn min_leaf_cost(&self, sums: &[f64; W]) -> f64 {
        self.leaf + min_prediction_cost(sums)
    }

    /// Least cost of trees of depth at most `depth` over some rows, but at most `goal`.
    pub(crate) fn min_tree_cost(&self, rows: &[u32], depth: u32, goal: f64) -> Result<f64> {
        self.budget.check_limits()?;
        let sorted = self.sort_numeric_columns(rows);
        let mut first = vec![false; self.plain.n_rows()];
        let [_, stump] = self.min_stump_costs(rows, &sorted, &first, depth > 0);
        let mut best = goal.min(stump);
        if depth < 2 {
            return Ok(best);
        }
        for ladder in self.plain.split_sequences(rows) {
            for &row in rows {
                first[row as usize] = false;
            }
            let mut to_spare = -1.0;
            for (_, step) in &ladder.steps {
                for &row in step {
                    first[row as usize] = true;
                }
                to_spare -= self.max_cost(step) - self.unavoidable_cost(step);
                if to_spare >= 0.0 && self.least_weight <= 0.0 {
                    continue;
                }
                self.budget.check_limits()?;
                let value = self.min_cost_with_root_split(rows, &sorted, &first, depth, best)?;
                to_spare = value - best;
                best = best.min(value);
            }
        }
        Ok(best)
    }

    /// Least cost of trees with a given root split, if it is below `goal`.
    ///
    /// If the least cost is at least `goal`, returns a number from `goal` to the least cost.
    fn min_cost_with_root_split(
        &self,
        rows: &[u32],
        sorted: &[Vec<u32>],
        first: &[bool],
        depth: u32,
        goal: f64,
    ) -> Result<f64> {
        let (left, right): (Vec<u32>, Vec<u32>) = rows.iter().partition(|&&row| first[row as usize]);
        let weight = |rows: &[u32]| rows.iter().map(|&row| self.plain.weight[row as usize]).sum::<f64>();
        if self.least_weight > 0.0 && weight(&left).min(weight(&right)) < self.least_weight {
            return Ok(f64::INFINITY);
        }
        if depth == 2 {
            return Ok(self.min_stump_costs(rows, sorted, first, true).iter().sum());
        }
        let one = self.min_tree_cost(&left, depth - 1, goal)?;
        Ok(one + self.min_tree_cost(&right, depth - 1, (goal - one).max(0.0))?)
    }

    fn sort_numeric_columns(&self, rows: &[u32]) -> Vec<Vec<u32>> {
        let order = |column: &ColumnCodes| match column {
            ColumnCodes::Numbers { of_row, .. } => {
                let mut order: Vec<u32> =
                    rows.iter().copied().filter(|&row| of_row[row as usize] != HOLE).collect();
                order.sort_by_key(|&row| of_row[row as usize]);
                order
            }
            ColumnCodes::Levels { .. } => Vec::new(),
        };
        self.plain.columns.iter().map(order).collect()
    }

    /// For each child of a root split, the least cost if the child is a single leaf.
    ///
    /// If `splits` is true, the child may also have one split.
    fn min_stump_costs(&self, rows: &[u32], sorted: &[Vec<u32>], first: &[bool], splits: bool) -> [f64; 2] {
        let side = |row: u32| usize::from(!first[row as usize]);
        let mut totals = [[0.0; W]; 2];
        for &row in rows {
            totals[side(row)] = add_vectors(totals[side(row)], &self.cost[row as usize]);
        }
        let mut best = [self.min_leaf_cost(&totals[0]), self.min_leaf_cost(&totals[1])];
        let mut offer = |side: usize, one: &[f64; W]| {
            let other = subtract_vector(totals[side], one);
            if one[W - 1] >= self.least_weight && other[W - 1] >= self.least_weight {
                best[side] = best[side].min(self.min_leaf_cost(one) + self.min_leaf_cost(&other));
            }
        };
        for (column, order) in self.plain.columns.iter().zip(sorted).filter(|_| splits) {
            let ColumnCodes::Numbers { of_row, .. } = column else {
                self.for_each_level_split(column, (rows, first), &mut offer);
                continue;
            };
            let mut holes = [[0.0; W]; 2];
            if order.len() < rows.len() {
                for &row in rows.iter().filter(|&&row| of_row[row as usize] == HOLE) {
                    holes[side(row)] = add_vectors(holes[side(row)], &self.cost[row as usize]);
                }
            }
            let n_starts = if order.len() < rows.len() { 2 } else { 1 };
            for mut sums in [[[0.0; W]; 2], holes].into_iter().take(n_starts) {
                for (place, &row) in order.iter().enumerate() {
                    let child = side(row);
                    sums[child] = add_vectors(sums[child], &self.cost[row as usize]);
                    let next = order.get(place + 1).map(|&next| of_row[next as usize]);
                    if next != Some(of_row[row as usize]) {
                        offer(0, &sums[0]);
                        offer(1, &sums[1]);
                    }
                }
            }
        }
        best
    }

    /// Tries splits of both children by a nominal column, each by a set of levels.
    ///
    /// If children have a minimum weight, a set has only one level.
    fn for_each_level_split(
        &self,
        column: &ColumnCodes,
        (rows, first): (&[u32], &[bool]),
        offer: &mut dyn FnMut(usize, &[f64; W]),
    ) {
        let ColumnCodes::Levels { of_row, n_levels } = column else { return };
        let mut sums = vec![[[0.0; W]; 2]; *n_levels as usize + 1];
        for &row in rows {
            let of_level = &mut sums[of_row[row as usize] as usize][usize::from(!first[row as usize])];
            *of_level = add_vectors(*of_level, &self.cost[row as usize]);
        }
        for side in 0..2 {
            let levels: Vec<[f64; W]> = sums.iter().map(|sums| sums[side]).collect();
            let holes = levels[*n_levels as usize];
            if self.least_weight > 0.0 {
                for level in &levels[..*n_levels as usize] {
                    offer(side, level);
                    offer(side, &add_vectors(*level, &holes));
                }
                offer(side, &holes);
                continue;
            }
            for one in 0..W - 1 {
                for other in 0..W - 1 {
                    // The first child gets the levels whose rows cost less with its prediction than with the
                    // prediction of the second child.
                    let chosen = levels.iter().filter(|level| level[one] < level[other]);
                    offer(side, &chosen.fold([0.0; W], add_vectors));
                }
            }
        }
    }
}

/// Cost of the cheapest prediction; the last number of `sums` is a weight and is ignored.
fn min_prediction_cost<const W: usize>(sums: &[f64; W]) -> f64 {
    sums[..W - 1].iter().copied().fold(f64::INFINITY, f64::min)
}
