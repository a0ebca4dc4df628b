//! Search for target leaks: columns whose values are probably known only after the target.
//!
//! Such columns have values for rows of one class only, or separate the classes nearly perfectly.

use imbcore_core::{Column, Dataset, MISSING};

/// Maximum probability that a reported column has values in only one class by chance.
const CHANCE: f64 = 1e-6;
/// A column is reported if the AUC of a single split exceeds this value with 95 % confidence.
const NEARLY: f64 = 0.98;
/// Minimum AUC of a split on a sample; splits with a lower AUC are not evaluated on all rows.
const SAMPLE_NEARLY: f64 = 0.95;
/// Minimum number of rows per class for the check by AUC.
const FEWEST: usize = 10;
const FOLDS: usize = 5;
/// 95 % quantile of the standard normal distribution.
const ONE_SIDED_95: f64 = 1.645;
/// Limits that determine how many rows of each class are sampled.
///
/// The requested number s is `SAMPLED_VALUES` divided by the number of columns, but at most `SAMPLE` and at
/// least `SMALLEST_SAMPLE`. Of a class with n rows, every `floor(n / s)`-th row is sampled. If n is not a
/// multiple of s, this gives more than s rows, but fewer than `2 s`. If n is below s, all rows are sampled.
const SAMPLE: usize = 200;
const SMALLEST_SAMPLE: usize = 50;
const SAMPLED_VALUES: usize = 200_000;

/// The single class of all rows that have a value in the column.
///
/// `None` if rows of several classes have values, or if the single class may be due to chance. It may be due
/// to chance if as many rows, drawn at random, all have this class with a probability of at least [`CHANCE`].
pub(crate) fn class_of_nonmissing_rows(
    column: &Column<'_>,
    data: &Dataset<'_>,
    counts: &[usize],
) -> Option<u32> {
    let mut filled = None;
    let mut known = 0_usize;
    for row in (0..data.n_rows()).filter(|&row| data.weight(row) > 0.0 && !column.is_missing(row)) {
        let class = data.class_codes()[row];
        if *filled.get_or_insert(class) != class {
            return None;
        }
        known += 1;
    }
    let class = filled?;
    let (own, all): (usize, usize) = (counts[class as usize], counts.iter().sum());
    // Logarithm of the probability that `known` rows, drawn at random, are all of class `class`.
    let mut log_chance = 0.0;
    for drawn in 0..known {
        log_chance += ((own - drawn) as f64 / (all - drawn) as f64).ln();
        if log_chance < CHANCE.ln() {
            return Some(class);
        }
    }
    None
}

/// Test whether a single split of a column nearly separates the two classes.
pub(crate) struct NearSeparationTest<'a, 'd> {
    data: &'a Dataset<'d>,
    /// The first of the two classes.
    first: u32,
    sample: Vec<SampledRow>,
}

impl<'a, 'd> NearSeparationTest<'a, 'd> {
    /// Samples rows; `None` unless there are exactly two classes of at least [`FEWEST`] rows.
    pub(crate) fn new(data: &'a Dataset<'d>, counts: &[usize]) -> Option<Self> {
        let present: Vec<u32> =
            (0..).zip(counts).filter(|&(_, &count)| count > 0).map(|(class, _)| class).collect();
        let &[first, second] = present.as_slice() else { return None };
        if counts[first as usize].min(counts[second as usize]) < FEWEST {
            return None;
        }
        let sample = (SAMPLED_VALUES / data.frame().columns().len().max(1)).clamp(SMALLEST_SAMPLE, SAMPLE);
        let strides = [first, second].map(|class| (counts[class as usize] / sample).max(1));
        Some(Self { data, first, sample: sample_rows(data, first, strides) })
    }

    /// Cross-validated AUC of the best single split of a column.
    ///
    /// `None` unless the AUC is above [`NEARLY`] with 95 % confidence. A split predicts only two different
    /// scores, so its AUC is the mean of the recalls of the two classes.
    pub(crate) fn cross_validated_auc(&self, column: &Column<'_>) -> Option<f64> {
        if SortedColumn::new(column, &self.sample).cross_validated_auc(None).0 < SAMPLE_NEARLY {
            return None;
        }
        let all = sample_rows(self.data, self.first, [1, 1]);
        let (area, error) = SortedColumn::new(column, &all).cross_validated_auc(Some(FOLDS));
        (area - ONE_SIDED_95 * error > NEARLY).then_some(area)
    }
}

/// A sampled row; `second` states whether its class is the second of the two classes.
struct SampledRow {
    row: usize,
    second: bool,
    fold: usize,
}

/// Samples every k-th row of each class; `strides` has the number k of each class.
fn sample_rows(data: &Dataset<'_>, first: u32, strides: [usize; 2]) -> Vec<SampledRow> {
    let mut seen = [0_usize; 2];
    let mut rows = Vec::new();
    for row in (0..data.n_rows()).filter(|&row| data.weight(row) > 0.0) {
        let second = data.class_codes()[row] != first;
        let class = usize::from(second);
        let at = seen[class];
        seen[class] += 1;
        if at % strides[class] == 0 {
            rows.push(SampledRow { row, second, fold: (at / strides[class]) % FOLDS });
        }
    }
    rows
}

/// Rows of a column, sorted by value; a nominal value is represented by its code.
struct SortedColumn {
    rows: Vec<LabeledValue>,
    ordered: bool,
}

struct LabeledValue {
    value: Option<f64>,
    second: bool,
    fold: usize,
}

impl SortedColumn {
    fn new(column: &Column<'_>, rows: &[SampledRow]) -> Self {
        let value = |row: usize| match column {
            Column::Numeric(values) => Some(values.get(row)).filter(|value| !value.is_nan()),
            Column::Nominal { codes, .. } => Some(codes[row]).filter(|&code| code != MISSING).map(f64::from),
        };
        let mut rows: Vec<LabeledValue> = rows
            .iter()
            .map(|&SampledRow { row, second, fold }| LabeledValue { value: value(row), second, fold })
            .collect();
        let ordered = matches!(column, Column::Numeric(_));
        rows.sort_by(|a, b| match (a.value, b.value) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        Self { rows, ordered }
    }

    /// AUC of the best split, and its standard error.
    ///
    /// With `folds`, both are cross-validated. Without `folds`, the AUC is computed on the same rows that
    /// determined the split.
    fn cross_validated_auc(&self, folds: Option<usize>) -> (f64, f64) {
        let (mut right, mut all) = ([0.0; 2], [0.0; 2]);
        for fold in 0..folds.unwrap_or(1) {
            let trains = |case: &&LabeledValue| folds.is_none() || case.fold != fold;
            let tests = |case: &&LabeledValue| folds.is_none() || case.fold == fold;
            let split = self.best_split(&trains);
            for case in self.rows.iter().filter(tests) {
                let class = usize::from(case.second);
                all[class] += 1.0;
                right[class] += match split.predicts_second_class(case.value) {
                    // A level without training rows has no prediction, so its test rows count as half
                    // correct.
                    None => 0.5,
                    Some(second) => f64::from(u8::from(second == case.second)),
                };
            }
        }
        let [first, second] = [0, 1].map(|class| right[class] / all[class]);
        let variance = |class: usize, recall: f64| recall * (1.0 - recall) / all[class];
        (f64::midpoint(first, second), (variance(0, first) + variance(1, second)).sqrt() / 2.0)
    }

    /// Finds the split with the least impurity on the rows for which `trains` is true.
    ///
    /// For a numeric column, the split is a threshold. For a nominal column, it predicts a class for each
    /// level.
    fn best_split(&self, trains: &dyn Fn(&&LabeledValue) -> bool) -> Split {
        // Distinct values in ascending order, and for each value the number of rows of each class.
        let mut groups: Vec<(f64, [f64; 2])> = Vec::new();
        let mut missing = [0.0; 2];
        let mut totals = [0.0_f64; 2];
        for case in self.rows.iter().filter(trains) {
            let class = usize::from(case.second);
            totals[class] += 1.0;
            match (case.value, groups.last_mut()) {
                (None, _) => missing[class] += 1.0,
                (Some(value), Some((last, counts))) if *last == value => counts[class] += 1.0,
                (Some(value), _) => {
                    let mut counts = [0.0; 2];
                    counts[class] += 1.0;
                    groups.push((value, counts));
                }
            }
        }
        let leans = |counts: [f64; 2]| {
            (counts[0] + counts[1] > 0.0)
                .then(|| counts[1] / totals[1].max(1.0) > counts[0] / totals[0].max(1.0))
        };
        let missing = leans(missing);
        if !self.ordered {
            let levels =
                groups.iter().filter_map(|&(level, counts)| leans(counts).map(|is| (level, is))).collect();
            return Split::Levels { levels, missing };
        }
        // Search for the threshold with the least Gini impurity. Invariant: `below` has the number of rows of
        // each class up to the current value.
        let known = groups.iter().fold([0.0; 2], |sum, (_, counts)| [sum[0] + counts[0], sum[1] + counts[1]]);
        let purity = |counts: [f64; 2]| {
            (counts[0] * counts[0] + counts[1] * counts[1]) / (counts[0] + counts[1]).max(1.0)
        };
        let (mut at, mut best, mut above) = (f64::NEG_INFINITY, 0.0, true);
        let mut below = [0.0; 2];
        for (place, &(value, counts)) in groups.iter().enumerate() {
            let next = groups.get(place + 1).map_or(value, |&(next, _)| next);
            below = [below[0] + counts[0], below[1] + counts[1]];
            let pure = purity(below) + purity([known[0] - below[0], known[1] - below[1]]);
            if pure > best {
                (at, best) = (f64::midpoint(value, next), pure);
                above = below[0] * known[1] > below[1] * known[0];
            }
        }
        Split::Threshold { at, above, missing }
    }
}

/// A split, which predicts the first or the second class from a value.
enum Split {
    Threshold { at: f64, above: bool, missing: Option<bool> },
    Levels { levels: Vec<(f64, bool)>, missing: Option<bool> },
}

impl Split {
    fn predicts_second_class(&self, value: Option<f64>) -> Option<bool> {
        match (self, value) {
            (Self::Threshold { missing, .. } | Self::Levels { missing, .. }, None) => *missing,
            (&Self::Threshold { at, above, .. }, Some(value)) => Some((value > at) == above),
            (Self::Levels { levels, .. }, Some(value)) => levels
                .binary_search_by(|(level, _)| level.total_cmp(&value))
                .ok()
                .map(|found| levels[found].1),
        }
    }
}
