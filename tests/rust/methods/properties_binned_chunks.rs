//! Fits on chunks of rows that are stored as bins only: the model equals that of the table in memory.

use crate::properties_sampled_rows::{Table, schema, task};
use imbcore_core::{
    BinnedFrame, BinnedFrameColumn, ClassWeights, Column, Dataset, Error, Frame, Result, RunContext, Strided,
};
use imbcore_methods::{FitTask, Model, WarmStart, bin_edges, fit, max_bins};
use imbcore_trees::{QuantileSketch, RowHashes, StreamBinEncoder};
use proptest::prelude::*;
use std::ops::Range;

/// Methods that use only the bins of numeric columns.
const BINNED: [(&str, &str); 7] = [
    ("cart", r#"{"max_bins": 255, "exact_split_max_rows": 0}"#),
    ("hddt", r#"{"exact_split_max_rows": 0, "max_bins": 16, "max_leaf_nodes": 9}"#),
    ("alpha_tree", r#"{"exact_split_max_rows": 0, "max_bins": 7, "alpha": 0.7}"#),
    (
        "random_forest",
        r#"{"n_estimators": 4, "exact_split_max_rows": 0, "max_bins": 20, "criterion": "hellinger"}"#,
    ),
    (
        "weighted_random_forest",
        r#"{"n_estimators": 3, "exact_split_max_rows": 0, "max_bins": 255, "max_depth": 4}"#,
    ),
    ("beat", r#"{"n_estimators": 3, "exact_split_max_rows": 0, "max_bins": 30, "bootstrap": false}"#),
    ("boosted_trees", r#"{"n_rounds": 4, "max_bins": 40}"#),
];

/// Chunks that end at `cuts`.
fn chunks(n_rows: usize, cuts: &[usize]) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % n_rows).collect();
    ends.extend([0, n_rows]);
    ends.sort_unstable();
    ends.windows(2).map(|two| two[0]..two[1]).filter(|chunk| !chunk.is_empty()).collect()
}

fn part<'a>(table: &'a Table, rows: &Range<usize>) -> (Frame<'a>, Option<&'a [f64]>) {
    let nominal = Column::Nominal { codes: &table.codes[rows.clone()], levels: 5 };
    let numbers = [&table.x, &table.z].map(|values| Column::from_numbers(&values[rows.clone()]));
    let frame = Frame::new(numbers.into_iter().chain([nominal]).collect()).unwrap();
    (frame, table.weights.as_ref().map(|weights| &weights[rows.clone()]))
}

/// Sketches of the columns: each chunk is either sketched separately and joined in row order, or added
/// directly.
fn sketches(table: &Table, cuts: &[usize], most: usize) -> Vec<Option<QuantileSketch>> {
    let fresh = || vec![Some(QuantileSketch::new(most)), Some(QuantileSketch::new(most)), None];
    let mut all = fresh();
    for (at, rows) in chunks(table.classes.len(), cuts).into_iter().enumerate() {
        let (frame, weights) = part(table, &rows);
        let mut separate = fresh();
        let into = if at % 2 == 0 { &mut all } else { &mut separate };
        for (sketch, column) in into.iter_mut().zip(frame.columns()) {
            if let (Some(sketch), Column::Numeric(values)) = (sketch, column) {
                let hashes = RowHashes::new(rows.start as u32, rows.len());
                sketch.add_values(&hashes, *values, weights, RunContext::silent()).unwrap();
            }
        }
        for (sketch, later) in all.iter_mut().zip(&separate) {
            if let (Some(sketch), Some(later)) = (sketch, later) {
                sketch.add_later_sketch(later, RunContext::silent()).unwrap();
            }
        }
    }
    all
}

fn fit_binned(table: &Table, task: &FitTask<'_>, cuts: &[usize]) -> Result<Model> {
    let (n_rows, ctl) = (table.classes.len(), RunContext::silent());
    let weights = table.weights.as_deref();
    let stand_in = Frame::new(vec![Column::Nominal { codes: &table.classes, levels: 2 }])?;
    let labels = Dataset::new(stand_in, &table.classes, 2, weights)?;
    let kept = sketches(table, cuts, max_bins(task, &schema())?);
    let edges = bin_edges(task, kept, &labels, &schema(), ctl)?;
    let (mut coder, mut separate) = (StreamBinEncoder::new(edges.clone()), StreamBinEncoder::new(edges));
    let mut codes = Vec::new();
    for (at, rows) in chunks(n_rows, cuts).iter().enumerate() {
        let (frame, weights) = part(table, rows);
        let by = if at % 2 == 0 { &mut coder } else { &mut separate };
        codes.extend(by.encode(&frame, weights, ctl)?);
    }
    coder.merge_value_ranges(&separate);
    let column = |edges: Option<_>| match edges {
        Some((low, high)) => BinnedFrameColumn::Numeric { low, high },
        None => BinnedFrameColumn::Nominal { levels: 5 },
    };
    let coded = BinnedFrame::new(&codes, n_rows, coder.value_ranges().map(column).collect())?;
    let unknown = Column::Numeric(Strided::all_missing(n_rows));
    let nominal = Column::Nominal { codes: &table.codes, levels: 5 };
    let frame = Frame::new(vec![unknown, unknown, nominal])?;
    fit(task, &Dataset::new(frame, &table.classes, 2, weights)?.with_bins(&coded), schema(), ctl)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn binned_chunks_give_the_model_of_the_table(
        seed in any::<u64>(),
        n_rows in 60..400_usize,
        weighed in any::<bool>(),
        balanced in any::<bool>(),
        cuts in prop::collection::vec(any::<usize>(), 0..9),
    ) {
        let table = Table::new(seed, n_rows, weighed);
        for (method, params) in BINNED {
            let class_weight = balanced.then_some(&ClassWeights::Balanced);
            let task = FitTask { class_weight, ..task(method, params, WarmStart::Cold) };
            let whole = fit(&task, &table.data(), schema(), RunContext::silent()).unwrap();
            let coded = fit_binned(&table, &task, &cuts).unwrap();
            prop_assert_eq!(whole.to_bytes().unwrap(), coded.to_bytes().unwrap(), "{}", method);
        }
    }
}

/// More rows than the bin sample holds: the sample does not depend on the chunks.
#[test]
fn bins_of_a_long_table_do_not_depend_on_chunks() {
    let n_rows = (1 << 18) + 30_000;
    let mut table = Table::new(3, n_rows, true);
    // So many distinct values that bins are quantiles, and a column with mostly missing values.
    table.x.iter_mut().zip(0_u32..).for_each(|(x, at)| *x += f64::from(at % 997) / 997.0);
    table
        .z
        .iter_mut()
        .zip(0_u32..)
        .for_each(|(z, at)| *z = if at % 50 == 0 { f64::from(at) } else { f64::NAN });
    for (method, params) in [
        ("hddt", r#"{"exact_split_max_rows": 0, "max_bins": 60, "max_leaf_nodes": 40}"#),
        (
            "random_forest",
            r#"{"n_estimators": 2, "exact_split_max_rows": 0, "max_bins": 255, "max_leaf_nodes": 40}"#,
        ),
    ] {
        let task = task(method, params, WarmStart::Cold);
        let whole = fit(&task, &table.data(), schema(), RunContext::silent()).unwrap().to_bytes().unwrap();
        for cuts in [&[][..], &[1, 100_000, 262_144, 262_145, 280_000]] {
            assert!(
                fit_binned(&table, &task, cuts).unwrap().to_bytes().unwrap() == whole,
                "{method} {cuts:?}"
            );
        }
    }
}

/// Without exact values, `max_bins="auto"` is resolved to 255, and exact splits are rejected.
#[test]
fn auto_bins_are_resolved_and_exact_rows_rejected() {
    let table = Table::new(2, 300, false);
    let model = |params| fit_binned(&table, &task("hddt", params, WarmStart::Cold), &[7]).unwrap();
    let auto = model(r#"{"max_bins": "auto"}"#);
    assert_eq!(
        auto.to_bytes().unwrap(),
        model(r#"{"max_bins": 255, "exact_split_max_rows": 0}"#).to_bytes().unwrap()
    );
    let exact_split_max_rows =
        task("hddt", r#"{"max_bins": 9, "exact_split_max_rows": 40}"#, WarmStart::Cold);
    let error = fit_binned(&table, &exact_split_max_rows, &[]).unwrap_err();
    assert!(matches!(error, Error::Parameter { ref name, .. } if name == "exact_split_max_rows"), "{error}");
}

#[test]
fn methods_that_need_values_are_rejected() {
    let table = Table::new(1, 200, false);
    for (method, params, words) in [
        ("cart", "{}", "max_bins"),
        ("c45", r#"{"max_bins": 20}"#, "values"),
        ("forest", "{}", "values"),
        ("naive_bayes", "{}", "values"),
        ("random_forest", r#"{"max_bins": 20, "oob_score": true}"#, "oob_score"),
    ] {
        let error = fit_binned(&table, &task(method, params, WarmStart::Cold), &[]).unwrap_err();
        assert!(
            matches!(error, Error::Unsupported(_)) && error.to_string().contains(words),
            "{method}: {error}"
        );
    }
    let none = ClassWeights::Given(vec![0.0, 1.0]);
    let task = FitTask { class_weight: Some(&none), ..task("cart", r#"{"max_bins": 9}"#, WarmStart::Cold) };
    assert!(fit_binned(&table, &task, &[]).is_err());
}
