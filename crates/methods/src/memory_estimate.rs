//! Lower bounds on the memory of a fit, from its parameters and the size of its table.
//!
//! A bound is the sum of the data that a fit certainly holds at the same time: sorted or binned columns,
//! scores and votes of the rows, and members of the smallest size. The real size of trees depends on the data
//! and is not counted here. Forests estimate the size of their trees during the fit from the first trees
//! ([`imbcore_core::memory_estimate::MemberMemoryProjection`]).

use crate::fitted::FittedEstimator;
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{Column, Dataset, Error, Result, parallel};
use imbcore_trees::MOST_IN_TABLE;
use serde_json::{Map, Value};

/// Sizes in bytes of the basic values: a row index, a weight, and two derivatives.
///
/// A code of a level is as large as a row index.
const ENTRY: usize = size_of::<u32>();
const MASS: usize = size_of::<f64>();
const DERIVATIVES: usize = 2 * size_of::<u32>();

/// Bytes of a tree with a single node, without its class weights.
///
/// The node, the entry in the list of trees, and the headers of the tree's lists are included.
const SMALLEST_TREE: usize = 64;

/// Bytes that an SVR-Tree needs per row and axis.
///
/// An axis is a numeric column or a level of a nominal column, so a column has at least one axis.
const SVR_POINT: usize = 14;

/// Number of held-out rows of the smaller class that suffices to choose C.
const ENOUGH_HELD_OUT: usize = 500;

/// Number of trees with which a forest starts if `n_estimators="auto"`.
pub(crate) const FEWEST_TREES: usize = 50;

const FEWER_COLUMNS: &str = "use fewer rows or columns, or max_bins=255 if the method takes it";
const FEWER_TREES: &str = "use fewer trees";
const FEWER_MEMBERS: &str = "use fewer members (n_estimators)";
const FEWER_CLASSES: &str = "use fewer rows or classes";
const NO_OUT_OF_BAG: &str = "use fewer rows or trees, or oob_score=False";
const FEWER_THREADS: &str = "use fewer threads (n_threads) or rows";

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TableSize {
    /// Rows of positive weight.
    pub(crate) n_rows: usize,
    /// Number of rows of the positive class, without rows of weight 0.
    pub(crate) n_positives: usize,
    pub(crate) n_columns: usize,
    pub(crate) n_numeric: usize,
    /// Number of numeric columns whose values are not contiguous in memory.
    pub(crate) n_strided: usize,
    pub(crate) n_classes: usize,
    pub(crate) n_threads: usize,
    /// Whether the rows are independent, that is, have neither groups nor times.
    pub(crate) is_independent: bool,
}

impl TableSize {
    /// Size of a data set without the rows whose row weight or class weight is 0.
    pub(crate) fn new(data: &Dataset<'_>, class_weight: Option<&[f64]>, positive: u32) -> Self {
        let counts = |class: u32| class_weight.is_none_or(|weights| weights[class as usize] > 0.0);
        let used = (0..data.n_rows()).zip(data.class_codes());
        let used = used.filter(|&(row, &class)| data.weight(row) > 0.0 && counts(class));
        let (n_rows, n_positives) = used.fold((0, 0), |(rows, positives), (_, &class)| {
            (rows + 1, positives + usize::from(class == positive))
        });
        let columns = data.frame().columns();
        let is_numeric = |column: &&Column<'_>| matches!(column, Column::Numeric(_));
        let is_strided =
            |column: &&Column<'_>| matches!(column, Column::Numeric(values) if values.as_slice().is_none());
        Self {
            n_rows,
            n_positives,
            n_columns: columns.len(),
            n_numeric: columns.iter().filter(is_numeric).count(),
            n_strided: columns.iter().filter(is_strided).count(),
            n_classes: data.n_classes(),
            n_threads: parallel::n_threads(),
            is_independent: data.dependence().is_none(),
        }
    }

    fn column_bytes(&self, n_columns: usize, bytes: usize) -> usize {
        self.n_rows.saturating_mul(n_columns).saturating_mul(bytes)
    }

    fn describe_columns(&self, what: &str) -> String {
        format!("{} columns of {} rows {what}", self.n_columns, self.n_rows)
    }

    /// Memory of all columns, either as bins or as lists of sorted rows.
    ///
    /// Bins need one byte per value. Lists have one entry per row; if thresholds are random, numeric columns
    /// need no list.
    fn bins_or_sorted_rows_memory(&self, params: &Map<String, Value>) -> MemoryEstimate {
        if params.get("max_bins").is_some_and(Value::is_number) {
            let bytes = self.column_bytes(self.n_columns, 1);
            return MemoryEstimate::default().with_bytes(
                bytes,
                self.describe_columns("in bins"),
                "use fewer rows or columns",
            );
        }
        let is_random = has_string_value(params, "splitter", "random");
        let n_listed = if is_random { self.n_columns - self.n_numeric } else { self.n_columns };
        MemoryEstimate::default().with_bytes(
            self.column_bytes(n_listed, ENTRY),
            self.describe_columns("in order"),
            FEWER_COLUMNS,
        )
    }

    fn add_class_cell_memory(
        &self,
        estimate: MemoryEstimate,
        n_classes: usize,
        what: &str,
        remedy: &'static str,
    ) -> MemoryEstimate {
        let bytes = self.n_rows.saturating_mul(n_classes).saturating_mul(MASS);
        estimate.with_bytes(bytes, format!("{what} of {} rows and {n_classes} classes", self.n_rows), remedy)
    }
}

fn has_string_value(params: &Map<String, Value>, name: &str, value: &str) -> bool {
    params.get(name).and_then(Value::as_str) == Some(value)
}

pub(crate) fn integer_param(params: &Map<String, Value>, name: &str) -> Option<usize> {
    usize::try_from(params.get(name)?.as_u64()?).ok()
}

/// Lower bound on the memory of a single tree: bins, or a list of sorted rows per column.
///
/// With `missing="fraction"`, the fit sorts the columns at each node and keeps no lists.
pub(crate) fn tree_memory(params: &Map<String, Value>, table: &TableSize) -> MemoryEstimate {
    if has_string_value(params, "missing", "fraction") {
        return MemoryEstimate::default();
    }
    let estimate = table.bins_or_sorted_rows_memory(params);
    if has_string_value(params, "splitter", "random") || params.get("max_bins").is_some_and(Value::is_number)
    {
        return estimate;
    }
    // A column whose values are not contiguous in memory (strided) also needs a list of ranks.
    let bytes = table.column_bytes(table.n_strided, ENTRY);
    estimate.with_bytes(bytes, format!("ranks of {} columns", table.n_strided), "use a table in column order")
}

/// Lower bound on the memory of `auto`: a copy of the training rows of one inner fold.
///
/// The training rows are at least half of all rows. Candidates are not counted, because the fit of each
/// candidate checks its own memory.
pub(crate) fn auto_memory(table: &TableSize) -> MemoryEstimate {
    let numbers = table.column_bytes(table.n_numeric, size_of::<f64>());
    let bytes = numbers.saturating_add(table.column_bytes(table.n_columns - table.n_numeric, ENTRY)) / 2;
    MemoryEstimate::default().with_bytes(
        bytes,
        table.describe_columns("in inner folds"),
        "use fewer rows or columns",
    )
}

/// Memory of logistic regression: the encoded rows.
///
/// With `C="auto"`, the training rows of all inner folds are encoded at the same time.
pub(crate) fn logistic_memory(params: &Map<String, Value>, table: &TableSize) -> MemoryEstimate {
    // A standardized numeric column stores a number per row. Any other column stores the index of a
    // coefficient per row, and if there are splines also a number.
    let is_linear = has_string_value(params, "numeric", "linear");
    let has_splines = has_string_value(params, "numeric", "spline") && table.n_numeric > 0;
    let n_linear = if is_linear { table.n_numeric } else { 0 };
    let bytes = table.column_bytes(n_linear, MASS).saturating_add(
        table.column_bytes(table.n_columns - n_linear, if has_splines { ENTRY + MASS } else { ENTRY }),
    );
    let of_folds = match integer_param(params, "penalty_folds") {
        Some(n_folds)
            if has_string_value(params, "C", "auto") && table.n_classes == 2 && table.is_independent =>
        {
            let fewest = table.n_positives.min(table.n_rows - table.n_positives);
            let n_folds = n_folds.min(fewest).max(1);
            let n_held_out = (ENOUGH_HELD_OUT * n_folds).div_ceil(fewest.max(1)).min(n_folds);
            bytes / n_folds * (n_folds - 1) * n_held_out
        }
        _ => 0,
    };
    MemoryEstimate::default().with_bytes(
        bytes.max(of_folds),
        table.describe_columns("as encoded rows"),
        "use fewer rows or columns, or set C if it is \"auto\"",
    )
}

/// Lower bound on the memory of a forest.
///
/// It is the sum of the columns (bins or sorted lists), the rows of trees that are grown at the same time,
/// trees of minimum size, and the data for out-of-bag predictions.
pub(crate) fn forest_memory(params: &Map<String, Value>, table: &TableSize) -> MemoryEstimate {
    let given = integer_param(params, "n_estimators");
    let n_trees = given.unwrap_or(FEWEST_TREES);
    let TableSize { n_rows, n_classes, .. } = *table;
    // If each tree samples few rows, only the sampled rows are read, so the columns of all rows are not
    // counted.
    let reads_all =
        params.get("max_samples").is_none_or(Value::is_null) && !params.contains_key("sampling_strategy");
    let mut estimate = MemoryEstimate::default();
    if reads_all {
        let has_lists = params.contains_key("splitter") && !has_string_value(params, "missing", "fraction");
        estimate = if has_lists { table.bins_or_sorted_rows_memory(params) } else { estimate };
        let n_workers = table.n_threads.min(n_trees);
        let bytes = n_workers.saturating_mul(n_rows).saturating_mul(ENTRY / 2);
        estimate = estimate.with_bytes(
            bytes,
            format!("the rows of {n_workers} trees in {n_workers} threads"),
            FEWER_THREADS,
        );
    }
    // A tree stores at least one weight for each class of its rows. A small sample may lack most classes.
    let n_held = if reads_all { n_classes } else { 0 };
    let tree = MASS.saturating_mul(n_held).saturating_add(SMALLEST_TREE);
    estimate = estimate.with_bytes(
        n_trees.saturating_mul(tree),
        format!("{n_trees} trees and {n_classes} classes"),
        FEWER_TREES,
    );
    let is_scored =
        params.get("oob_score").is_some_and(|score| score.is_string() || *score == Value::Bool(true));
    if is_scored || given.is_none() {
        let rows = n_trees.saturating_mul(n_rows / 8);
        estimate = estimate.with_bytes(
            rows,
            format!("the rows that each of {n_trees} trees has seen"),
            NO_OUT_OF_BAG,
        );
        estimate = table.add_class_cell_memory(estimate, n_classes, "out-of-bag votes", NO_OUT_OF_BAG);
    }
    estimate
}

/// Lower bound on the memory of boosted trees.
///
/// It is the sum of the binned columns and of the scores and derivatives of the rows. For many classes, trees
/// of minimum size are added.
pub(crate) fn boosted_memory(params: &Map<String, Value>, table: &TableSize) -> MemoryEstimate {
    let n_scores = if table.n_classes > 2 { table.n_classes } else { 1 };
    let estimate = table.bins_or_sorted_rows_memory(params);
    let mut estimate = estimate;
    if table.n_classes > MOST_IN_TABLE
        && let Some(n_rounds) = integer_param(params, "n_rounds")
    {
        // With many classes, leaves store lists of classes. A tree then stores, for each class, at least one
        // factor, one code and one weight.
        let n_trees = n_rounds.saturating_mul(n_scores);
        let bytes = n_trees.saturating_mul(table.n_classes).saturating_mul(2 * MASS + ENTRY);
        let purpose = format!("{n_trees} trees and {} classes", table.n_classes);
        estimate = estimate.with_bytes(bytes, purpose, "use fewer rounds or classes");
    }
    let derivatives = table.n_rows.saturating_mul(DERIVATIVES);
    let estimate =
        estimate.with_bytes(derivatives, format!("derivatives of {} rows", table.n_rows), "use fewer rows");
    table.add_class_cell_memory(estimate, n_scores, "scores", FEWER_CLASSES)
}

/// Lower bound on the memory of an ensemble whose members are models of a base method.
///
/// It is the sum of members of minimum size and out-of-bag votes. Members of boosting are not counted,
/// because boosting may stop early.
pub(crate) fn ensemble_memory(params: &Map<String, Value>, table: &TableSize) -> MemoryEstimate {
    let mut estimate = MemoryEstimate::default();
    if params.contains_key("voting")
        && let Some(n_members) = integer_param(params, "n_estimators")
    {
        let bytes = n_members.saturating_mul(size_of::<FittedEstimator>());
        estimate = estimate.with_bytes(bytes, format!("{n_members} members"), FEWER_MEMBERS);
    }
    let is_scored =
        params.get("oob_score").is_some_and(|score| score.is_string() || *score == Value::Bool(true));
    if is_scored {
        table.add_class_cell_memory(estimate, table.n_classes, "out-of-bag votes", NO_OUT_OF_BAG)
    } else {
        estimate
    }
}

/// Lower bound on the memory of an SVR-Tree: a list of the rows for each axis.
pub(crate) fn svr_tree_memory(table: &TableSize) -> MemoryEstimate {
    let bytes = table.column_bytes(table.n_columns, SVR_POINT);
    MemoryEstimate::default().with_bytes(
        bytes,
        table.describe_columns("along axes"),
        "use fewer rows or columns",
    )
}

/// Lower bound on the memory of a forest of SVR-Trees.
///
/// It adds two items to the memory of any forest: a sorted list of all rows per numeric column, and the lists
/// of one tree, which has a list of its rows per axis.
pub(crate) fn svr_forest_memory(params: &Map<String, Value>, table: &TableSize) -> MemoryEstimate {
    let estimate = forest_memory(params, table);
    if params.get("max_samples").is_some_and(|size| !size.is_null()) {
        return estimate;
    }
    let bytes = table
        .column_bytes(table.n_numeric, ENTRY)
        .saturating_add(table.column_bytes(table.n_columns, SVR_POINT / 2));
    estimate.with_bytes(bytes, table.describe_columns("in order and along axes"), "use fewer rows or columns")
}

/// Lower bound on the memory of PRIM: copies of columns, and sorted lists of rows.
///
/// Only columns whose values are not contiguous in memory are copied. Each numeric column has a sorted list.
/// If rows are held out, the length of the lists is not known in advance, so they are not counted.
pub(crate) fn prim_memory(params: &Map<String, Value>, table: &TableSize) -> MemoryEstimate {
    let held_out = params.get("validation").and_then(Value::as_f64).unwrap_or(0.0) > 0.0;
    let orders = if held_out { 0 } else { table.column_bytes(table.n_numeric, ENTRY) };
    let bytes = table.column_bytes(table.n_strided, size_of::<f64>()).saturating_add(orders);
    MemoryEstimate::default().with_bytes(
        bytes,
        table.describe_columns("as copies and in order"),
        "use fewer rows or columns",
    )
}

/// Memory of Fast Boxes: the positive rows, and their coordinates for clustering.
pub(crate) fn fast_boxes_memory(table: &TableSize) -> MemoryEstimate {
    let TableSize { n_positives, n_columns, n_numeric, .. } = *table;
    let row = MASS * (n_columns + n_numeric) + ENTRY * (n_columns - n_numeric);
    let purpose = format!("coordinates of {n_positives} positive rows and {n_columns} columns");
    MemoryEstimate::default().with_bytes(
        n_positives.saturating_mul(row),
        purpose,
        "use fewer rows or columns",
    )
}

/// Lower bound on the memory of `MetaCost`.
///
/// It is the sum of models of minimum size and of one bit per model and row. The bit states whether the row
/// is in the model's bag. Predictions are computed in chunks of rows, so they are not counted.
pub(crate) fn metacost_memory(params: &Map<String, Value>, table: &TableSize) -> MemoryEstimate {
    let n_models = integer_param(params, "n_estimators").unwrap_or(1);
    let model = size_of::<FittedEstimator>().saturating_add(table.n_rows / 8);
    let purpose = format!("{n_models} models and the rows of their bags");
    MemoryEstimate::default().with_bytes(n_models.saturating_mul(model), purpose, FEWER_MEMBERS)
}

/// Memory of a decomposition: a model of minimum size for each class, or for each pair.
pub(crate) fn decomposition_memory(method: &str, table: &TableSize) -> MemoryEstimate {
    let n = table.n_classes;
    let n_members = match method {
        "ova" if n > 2 => n,
        "ovo" => n.saturating_mul(n.saturating_sub(1)) / 2,
        _ => return MemoryEstimate::default(),
    };
    let bytes = n_members.saturating_mul(size_of::<FittedEstimator>());
    MemoryEstimate::default().with_bytes(
        bytes,
        format!("{n_members} members for {n} classes"),
        "use ova, or fewer classes",
    )
}

pub(crate) fn check_memory(
    method: &str,
    params: &Value,
    estimate: MemoryEstimator,
    table: &TableSize,
) -> Result<()> {
    let Value::Object(params) = params else {
        return Err(Error::Internal(format!("parameters of {method} are no object")));
    };
    estimate(method, params, table).check(method)
}

pub(crate) type MemoryEstimator = fn(&str, &Map<String, Value>, &TableSize) -> MemoryEstimate;

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::Frame;
    use serde_json::json;

    const TABLE: TableSize = TableSize {
        n_rows: 1_000_000,
        n_positives: 100_000,
        n_columns: 10,
        n_numeric: 8,
        n_strided: 8,
        n_classes: 2,
        n_threads: 2,
        is_independent: true,
    };

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn trees_hold_columns_in_order_or_in_bins() {
        let bytes = |params| tree_memory(&object(&params), &TABLE).bytes();
        assert_eq!(bytes(json!({"splitter": "best", "max_bins": null, "missing": "direction"})), 72_000_000);
        assert_eq!(bytes(json!({"splitter": {"per_node": 10}, "max_bins": null})), 72_000_000);
        assert_eq!(bytes(json!({"splitter": "random", "max_bins": null})), 8_000_000);
        assert_eq!(bytes(json!({"splitter": "random", "max_bins": 255})), 10_000_000);
        assert_eq!(bytes(json!({"splitter": "best", "max_bins": 255})), 10_000_000);
        assert_eq!(bytes(json!({"splitter": "best", "missing": "fraction"})), 0);
    }

    #[test]
    fn forests_grow_with_trees_classes_threads_and_votes() {
        let params = |n: u64, oob| json!({"n_estimators": n, "max_samples": null, "splitter": "best", "oob_score": oob});
        let bytes = |params, table: &TableSize| forest_memory(&object(&params), table).bytes();
        let least = bytes(params(100, false), &TABLE);
        assert_eq!(least, 40_000_000 + 2 * 2_000_000 + 100 * (64 + 16));
        assert!(bytes(params(1_000_000, false), &TABLE) > 80_000_000);
        let classes = TableSize { n_classes: 2000, ..TABLE };
        assert_eq!(bytes(params(100, false), &classes) - least, 100 * 8 * 1998);
        assert_eq!(bytes(params(100, true), &TABLE) - least, 100 * 125_000 + 16_000_000);
        let threads = TableSize { n_threads: 64, ..TABLE };
        assert_eq!(bytes(params(100, false), &threads) - least, 62 * 2_000_000);
        assert!(bytes(json!({"n_estimators": 100, "max_samples": 0.1, "splitter": "best"}), &TABLE) < 10_000);
    }

    #[test]
    fn other_methods_hold_columns_positives_or_predictions() {
        assert_eq!(svr_tree_memory(&TABLE).bytes(), 140_000_000);
        let forest = object(&json!({"n_estimators": 1, "max_samples": null}));
        let without = forest_memory(&forest, &TABLE).bytes();
        assert_eq!(svr_forest_memory(&forest, &TABLE).bytes() - without, 32_000_000 + 70_000_000);
        assert_eq!(
            prim_memory(&object(&json!({"validation": 0.0})), &TABLE).bytes(),
            64_000_000 + 32_000_000
        );
        assert_eq!(prim_memory(&object(&json!({"validation": 0.3})), &TABLE).bytes(), 64_000_000);
        let logistic = |params, table: &TableSize| logistic_memory(&object(&params), table).bytes();
        let auto = json!({"C": "auto", "penalty_folds": 5, "numeric": "spline"});
        assert_eq!(logistic(auto.clone(), &TABLE), 120_000_000);
        let few = TableSize { n_positives: 500, ..TABLE };
        assert_eq!(logistic(auto.clone(), &few), 4 * 120_000_000);
        assert_eq!(logistic(auto, &TableSize { n_positives: 1250, ..TABLE }), 2 * 96_000_000);
        assert_eq!(logistic(json!({"C": 1.0, "penalty_folds": 5, "numeric": "linear"}), &few), 72_000_000);
        assert_eq!(logistic(json!({"C": 1.0, "penalty_folds": 5, "numeric": "quantile"}), &few), 40_000_000);
        assert_eq!(auto_memory(&TABLE).bytes(), 36_000_000);
        assert_eq!(fast_boxes_memory(&TABLE).bytes(), 100_000 * (8 * 16 + 2 * 12));
        let bag = 125_000 + size_of::<FittedEstimator>();
        assert_eq!(metacost_memory(&object(&json!({"n_estimators": 50})), &TABLE).bytes(), 50 * bag);
    }

    #[test]
    fn rows_without_weight_do_not_count() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let frame = Frame::from_row_major(&values, 4, 2).unwrap();
        let (classes, weights) = ([0, 1, 1, 0], [1.0, 0.0, 2.0, 1.0]);
        let data = Dataset::with_single_class_allowed(frame, &classes, 2, Some(&weights)).unwrap();
        let table = TableSize::new(&data, None, 1);
        assert_eq!([table.n_rows, table.n_positives, table.n_numeric, table.n_strided], [3, 1, 2, 2]);
        assert_eq!(TableSize::new(&data, Some(&[0.0, 1.0]), 1).n_rows, 1);
    }

    #[test]
    fn boosting_grows_with_rows_and_scores() {
        let bytes = |table: &TableSize| boosted_memory(&object(&json!({"max_bins": 255})), table).bytes();
        assert_eq!(bytes(&TABLE), 10_000_000 + 8_000_000 + 8_000_000);
        assert_eq!(bytes(&TableSize { n_classes: 100, ..TABLE }), 18_000_000 + 800_000_000);
    }

    #[test]
    fn members_of_pairs_grow_with_the_square_of_the_classes() {
        let classes = TableSize { n_classes: 2000, ..TABLE };
        assert_eq!(decomposition_memory("ovo", &classes).bytes(), 1_999_000 * size_of::<FittedEstimator>());
        assert_eq!(decomposition_memory("ova", &TABLE).bytes(), 0);
        let params = object(&json!({"voting": "soft", "n_estimators": 1000}));
        let bagging = ensemble_memory(&params, &TABLE);
        assert_eq!(bagging.bytes(), 1000 * size_of::<FittedEstimator>());
    }
}
