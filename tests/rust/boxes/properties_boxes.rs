//! Fast Boxes compared with reference outputs, and properties of boxes on random tables.

use imbcore_core::{Classifier, ColumnBuf, Dataset, Frame, FrameBuf, Learner, RunContext, SeedKey};
use imbcore_metrics::Hull;
use imbcore_rules::fast::{
    BoundAdjustmentRule, ClusteredRows, FastBoxesParams, FastBoxesSweep, FinalAdjustment, LossParams,
    NO_CLUSTER, NegativeValues, NestedBoxes, RowRanking,
};
use imbcore_rules::{
    BoxDrawing, BoxModel, FeatureScale, MissingRule, NO_BOX, PrimParams, Scaling, training_range,
};
use imbcore_tests::toy::{Kinds, Toy, toys};
use imbcore_tests::{close, codes, golden, items, matrix, number, numbers};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use serde_json::Value;

const FAST: [&str; 15] = [
    "breast_minmax",
    "constant_feature",
    "duplicates",
    "empty_cluster",
    "grid_ties",
    "high_dim_400",
    "iris_minmax",
    "no_negatives",
    "one_feature",
    "one_sided",
    "overlapping_3d_beta0",
    "overlapping_3d_beta100",
    "singleton_clusters",
    "two_clusters_2d",
    "wine_maxabs",
];

/// Whether two numbers are equal up to the relative tolerance of the files for bounds, 1e-9.
fn same(found: f64, expected: f64) -> bool {
    close(found, expected, 1e-9 * expected.abs().max(1.0))
}

/// Rows of a matrix, row-major, without those of empty clusters (null).
fn non_empty_rows(matrix: &Value) -> Vec<f64> {
    items(matrix).iter().map(numbers).filter(|row| !row[0].is_nan()).flatten().collect()
}

fn assert_same(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (index, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        assert!(same(found, expected), "{what} {index}: {found} for {expected}");
    }
}

fn in_boxes(drawing: &BoxDrawing, frame: &Frame<'_>) -> Vec<u32> {
    let first = drawing.first_containing_box(frame, MissingRule::Outside, RunContext::silent()).unwrap();
    first.into_iter().map(|number| u32::from(number != NO_BOX)).collect()
}

/// Clusters of a file, renumbered without the empty ones.
fn clusters(file: &Value) -> (Vec<u32>, usize) {
    let given: Vec<f64> = numbers(&file["cluster"]);
    let mut known: Vec<f64> = given.iter().copied().filter(|&cluster| cluster >= 0.0).collect();
    known.sort_by(f64::total_cmp);
    known.dedup();
    let number = |cluster: &f64| known.iter().position(|k| k == cluster).map_or(NO_CLUSTER, |n| n as u32);
    (given.iter().map(number).collect(), known.len())
}

const RULES: [(&str, BoundAdjustmentRule); 4] = [
    ("paper", BoundAdjustmentRule::Paper),
    ("program", BoundAdjustmentRule::Program),
    ("expand", BoundAdjustmentRule::Expand),
    ("none", BoundAdjustmentRule::None),
];

/// The positive rows, around which boxes are drawn.
struct Positives {
    numbers: Vec<usize>,
    rows: FrameBuf,
}

impl Positives {
    fn from_cluster(frame: &Frame<'_>, cluster: &[u32]) -> Self {
        let numbers: Vec<usize> = (0..cluster.len()).filter(|&row| cluster[row] != NO_CLUSTER).collect();
        let of: Vec<u32> = numbers.iter().map(|&row| row as u32).collect();
        Self { numbers, rows: frame.take(&of, RunContext::silent()).unwrap() }
    }

    fn groups<'a>(&'a self, table: &'a Frame<'a>, cluster: Vec<u32>, n_clusters: usize) -> ClusteredRows<'a> {
        let positives = self.rows.borrow().unwrap();
        let cluster = cluster.into_iter().filter(|&own| own != NO_CLUSTER).collect();
        ClusteredRows { rows: table, positives, of: &self.numbers, cluster, n_clusters, weights: None }
    }
}

#[test]
fn golden_fast_boxes() {
    for name in FAST {
        let file = golden(&format!("boxes/fast_{name}"));
        let x = matrix(&file["X"]);
        let (cluster, n_clusters) = clusters(&file);
        let n_features = x.len() / cluster.len();
        let frame = Frame::from_row_major(&x, cluster.len(), n_features).unwrap();
        let test_x = matrix(&file["test_X"]);
        let test = Frame::from_row_major(&test_x, test_x.len() / n_features, n_features).unwrap();
        let ctl = RunContext::silent();
        let positives = Positives::from_cluster(&frame, &cluster);
        let groups = positives.groups(&frame, cluster, n_clusters);
        let sweep = FastBoxesSweep::new(&groups, FeatureScale::identity(n_features), ctl).unwrap();
        assert_same(sweep.start.lower_bounds(), &non_empty_rows(&file["start_lower"]), name);
        assert_same(sweep.start.upper_bounds(), &non_empty_rows(&file["start_upper"]), name);
        assert_log_sums(&sweep, &file["log_sums"], n_features, name);

        let (beta, eps) = (number(&file["beta"]), number(&file["eps"]));
        let per_c = items(&file["per_c"]);
        let settings: Vec<LossParams> =
            per_c.iter().map(|one| LossParams { c: number(&one["c"]), beta }).collect();
        for (label, rule) in RULES {
            let finish = FinalAdjustment { rule, eps };
            let drawings = sweep.drawings_for_settings(&groups, finish, &settings, ctl).unwrap();
            for (one, drawing) in per_c.iter().zip(&drawings) {
                let what = format!("{name} {label} c = {}", one["c"]);
                let expected = &one[label];
                assert_same(drawing.lower_bounds(), &non_empty_rows(&expected["final_lower"]), &what);
                assert_same(drawing.upper_bounds(), &non_empty_rows(&expected["final_upper"]), &what);
                assert_eq!(in_boxes(drawing, &frame), codes(&expected["predict_train"]), "{what}");
                assert_eq!(in_boxes(drawing, &test), codes(&expected["predict_test"]), "{what}");
            }
            let Some(critical) = file["critical_c_test"].get(label) else { continue };
            // Without drawings to bracket the score, it is the closed form alone.
            for (weights, drawings) in [(vec![], vec![]), drawings_by_weight(&sweep, &groups, finish, beta)] {
                let negatives = Some(NegativeValues::collect(&groups, &sweep, ctl).unwrap());
                if rule == BoundAdjustmentRule::Program && weights.is_empty() {
                    // The start bounds of the box are already those of the drawing at infinite weight.
                    continue;
                }
                let sweep = sweep.clone();
                let nested = NestedBoxes { sweep, finish, beta, weights, drawings, negatives };
                let logs = nested.log_scores(&test, MissingRule::Outside, ctl).unwrap();
                let found: Vec<f64> = logs.into_iter().map(f64::exp).collect();
                assert_same(&found, &numbers(critical), &format!("{name} {label} critical c"));
            }
        }
    }
}

/// Drawings at a few weights up to infinity.
fn drawings_by_weight(
    sweep: &FastBoxesSweep,
    groups: &ClusteredRows<'_>,
    finish: FinalAdjustment,
    beta: f64,
) -> (Vec<f64>, Vec<BoxDrawing>) {
    let weights = vec![0.01, 0.3, 1.0, f64::INFINITY];
    let settings: Vec<LossParams> = weights.iter().map(|&c| LossParams { c, beta }).collect();
    let drawings = sweep.drawings_for_settings(groups, finish, &settings, RunContext::silent()).unwrap();
    (weights, drawings)
}

/// Checks the logarithms of the sums. The files have ln P and ln N of the lower and then the upper bound, for
/// every box and feature.
fn assert_log_sums(sweep: &FastBoxesSweep, log_sums: &Value, n_features: usize, name: &str) {
    let boxes = items(log_sums).iter().filter(|row| !items(row)[0].is_null());
    for (number, features) in boxes.enumerate() {
        for (feature, four) in items(features).iter().enumerate() {
            let side = (number * n_features + feature) * 2;
            let sums = &sweep.sums;
            let found = [sums.log_p[side], sums.log_n[side], sums.log_p[side + 1], sums.log_n[side + 1]];
            assert_same(&found, &numbers(four), &format!("{name} sums of box {number}, feature {feature}"));
        }
    }
}

#[test]
fn sums_over_rows_far_inside_a_box_do_not_overflow() {
    let frame = Frame::from_row_major(&[0.0, 4000.0, 1000.0, 1500.0, 3990.0, 5000.0], 6, 1).unwrap();
    let cluster = [0, 0, NO_CLUSTER, NO_CLUSTER, NO_CLUSTER, NO_CLUSTER];
    let positives = Positives::from_cluster(&frame, &cluster);
    let groups = positives.groups(&frame, cluster.to_vec(), 1);
    let ctl = RunContext::silent();
    let scale = FeatureScale::new(Scaling::None, &training_range(&frame, ctl).unwrap());
    let sums = FastBoxesSweep::new(&groups, scale, ctl).unwrap().sums;
    assert_eq!(sums.log_p, [0.0, 0.0]);
    // ln(e^1000 + e^1500), and ln(e^10 + e^-1000), to the rounding of one exponential.
    assert!(sums.log_n.iter().zip([1500.0, 10.0]).all(|(log, exact)| (log - exact).abs() < 1e-14 * exact));
}

#[test]
fn golden_bounds_in_raw_units() {
    for name in FAST {
        let file = golden(&format!("boxes/fast_{name}"));
        let Some(raw) = file.get("raw_X") else { continue };
        let x = matrix(raw);
        let (cluster, n_clusters) = clusters(&file);
        let frame = Frame::from_row_major(&x, cluster.len(), x.len() / cluster.len()).unwrap();
        let ctl = RunContext::silent();
        let scaling = if file["scaler"] == "minmax" { Scaling::MinMax } else { Scaling::MaxAbs };
        let scale = FeatureScale::new(scaling, &training_range(&frame, ctl).unwrap());
        let positives = Positives::from_cluster(&frame, &cluster);
        let groups = positives.groups(&frame, cluster, n_clusters);
        let sweep = FastBoxesSweep::new(&groups, scale, ctl).unwrap();
        for one in items(&file["per_c"]) {
            let setting = LossParams { c: number(&one["c"]), beta: number(&file["beta"]) };
            for (label, rule) in RULES {
                let finish = FinalAdjustment { rule, eps: number(&file["eps"]) };
                let drawing = &sweep.drawings_for_settings(&groups, finish, &[setting], ctl).unwrap()[0];
                let what = format!("{name} {label} raw");
                assert_same(drawing.lower_bounds(), &non_empty_rows(&one[label]["final_lower_raw"]), &what);
                assert_same(drawing.upper_bounds(), &non_empty_rows(&one[label]["final_upper_raw"]), &what);
            }
        }
    }
}

#[test]
fn golden_areas_under_hulls() {
    for case in items(&golden("boxes/auh_cases")) {
        let (fpr, tpr): (Vec<f64>, Vec<f64>) =
            items(&case["points"]).iter().map(numbers).map(|point| (point[0], point[1])).unzip();
        let area = Hull::from_points(&fpr, &tpr).unwrap().area();
        assert!(close(area, number(&case["auh"]), 1e-12), "{case}: {area}");
    }
}

/// Random tables of two classes.
fn two_classes() -> impl Strategy<Value = Toy> {
    toys(Kinds { classes: 2, ..Kinds::ALL }).prop_filter("two classes", |toy| toy.n_classes == 2)
}

fn fast(toy: &Toy, change: impl FnOnce(&mut FastBoxesParams)) -> BoxModel {
    let mut params = FastBoxesParams::default();
    change(&mut params);
    let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
    let learner = params.check("fast_boxes").unwrap().with_class_weight(toy.class_weight.clone());
    learner.fit(&data, SeedKey::root(3), RunContext::silent()).unwrap()
}

fn prim(toy: &Toy, change: impl FnOnce(&mut PrimParams)) -> BoxModel {
    let mut params = PrimParams::default();
    change(&mut params);
    let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
    let learner = params.check("prim").unwrap().with_class_weight(toy.class_weight.clone());
    learner.fit(&data, SeedKey::root(3), RunContext::silent()).unwrap()
}

fn any_rule() -> impl Strategy<Value = BoundAdjustmentRule> {
    prop::sample::select(RULES.map(|(_, rule)| rule).to_vec())
}

fn any_missing() -> impl Strategy<Value = MissingRule> {
    prop::sample::select(vec![MissingRule::Inside, MissingRule::Outside])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(192)))]

    #[test]
    fn critical_weights_match_the_drawings_that_contain_a_row(
        toy in two_classes(), rule in any_rule(), missing in any_missing(), exact in any::<bool>(),
        beta in prop::sample::select(vec![0.0, 1.0, 30.0]), eps in prop::sample::select(vec![0.0, 0.01, 0.5, 1.0]),
    ) {
        let model = fast(&toy, |params| {
            params.bound_rule = rule;
            params.missing = missing;
            params.expansion = beta;
            params.eps = eps;
            params.negative_weight = 0.35;
            params.ranking = if exact { RowRanking::Exact } else { RowRanking::Levels };
        });
        let imbcore_rules::BoxScoring::Nested { nested, .. } = model.scoring() else { panic!("nested") };
        let (frame, ctl) = (toy.frame(), RunContext::silent());
        let logs = nested.log_scores(&frame, missing, ctl).unwrap();
        for (c, drawing) in nested.weights.iter().zip(&nested.drawings) {
            let first = drawing.first_containing_box(&frame, missing, ctl).unwrap();
            for (log, number) in logs.iter().zip(first) {
                prop_assert_eq!(*log >= c.ln(), number != NO_BOX);
            }
        }
        let proba = model.proba(&frame, ctl).unwrap();
        let most_probable: Vec<u32> = proba.chunks(2).map(|p| u32::from(p[1] > p[0])).collect();
        prop_assert_eq!(model.predict(&frame, ctl).unwrap(), most_probable);
    }

    #[test]
    fn boxes_contain_all_rows_of_their_cluster(
        toy in two_classes(),
        rule in any_rule().prop_filter("some rule", |rule| *rule != BoundAdjustmentRule::None),
    ) {
        let model = fast(&toy, |params| {
            params.bound_rule = rule;
            params.missing = MissingRule::Inside;
        });
        let weights = toy.row_weights();
        let found = model.predict(&toy.frame(), RunContext::silent()).unwrap();
        for (row, &class) in toy.classes.iter().enumerate() {
            if class == model.positive_class() && weights[row] > 0.0 {
                prop_assert_eq!(found[row], class);
            }
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_model(toy in two_classes(), n_threads in 1..6_usize) {
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        prop_assert_eq!(&pool.install(|| fast(&toy, |_| {})), &fast(&toy, |_| {}));
        let validated = |params: &mut PrimParams| params.validation = 0.3;
        prop_assert_eq!(&pool.install(|| prim(&toy, validated)), &prim(&toy, validated));
    }

    #[test]
    fn weight_of_two_equals_a_repeated_row(toy in two_classes(), doubled in prop::collection::vec(any::<bool>(), 60)) {
        let toy = Toy { weights: None, class_weight: None, ..toy };
        let n = toy.classes.len();
        let twice = |row: &usize| doubled[row % doubled.len()];
        let rows: Vec<u32> =
            (0..n).chain((0..n).filter(twice)).map(|row| row as u32).collect();
        let mut repeated = toy.take(&rows);
        repeated.weights = None;
        let weights: Vec<f64> = (0..n).map(|row| if twice(&row) { 2.0 } else { 1.0 }).collect();
        // The rarer class is the same in both tables.
        let weighted = Toy { weights: Some(weights), ..toy };
        let (frame, ctl) = (weighted.frame(), RunContext::silent());
        let (a, b) = (fast(&weighted, |_| {}), fast(&repeated, |_| {}));
        let (pa, pb) = (a.proba(&frame, ctl).unwrap(), b.proba(&frame, ctl).unwrap());
        prop_assert!(pa.iter().zip(&pb).all(|(a, b)| close(*a, *b, 1e-9)));
        let (a, b) = (prim(&weighted, |_| {}), prim(&repeated, |_| {}));
        prop_assert_eq!(a.drawing(), b.drawing());
    }

    #[test]
    fn peeling_respects_the_minimum_mass_and_chooses_the_best_mean(toy in two_classes(), missing in any_missing(), paste in 0.0..0.3_f64) {
        let model = prim(&toy, |params| {
            params.missing = missing;
            params.paste_alpha = paste;
            params.min_mass = Some(0.1);
        });
        let imbcore_rules::BoxScoring::Covering(covering) = model.scoring() else { panic!("covering") };
        let total = model.training_stats().total;
        let mut inside_before = 0.0;
        let first = model.first_containing_box(&toy.frame(), RunContext::silent()).unwrap();
        let weights = toy.row_weights();
        for (box_number, (trajectory, rate)) in (0..).zip(covering.trajectories.iter().zip(&covering.rates)) {
            let steps = &trajectory.steps;
            prop_assert!(steps.windows(2).all(|pair| pair[1].mass < pair[0].mass && pair[1].mass >= 0.1 * total - 1e-9));
            let mean = |at: usize| steps[at].positives / steps[at].mass;
            prop_assert!((0..steps.len()).all(|at| mean(at) <= mean(trajectory.chosen) + 1e-12));
            // Pasting can only raise the mean of the chosen box.
            prop_assert!(*rate >= mean(trajectory.chosen) - 1e-9);
            prop_assert!((steps[0].mass - (total - inside_before)).abs() < 1e-9);
            let held = first.iter().zip(&weights).filter(|(number, _)| **number == box_number);
            inside_before += held.map(|(_, weight)| weight).sum::<f64>();
        }
    }
}

/// A box around a rare level admits rows of other levels only if no row of the other class has them.
#[test]
fn levels_without_negative_rows_join_a_box() {
    // Positive rows have level 0, rows of the other class level 1, no rows level 2.
    let toy = Toy {
        columns: vec![ColumnBuf::Nominal { codes: vec![0, 0, 1, 1, 1], levels: 3 }],
        classes: vec![1, 1, 0, 0, 0],
        n_classes: 2,
        weights: None,
        class_weight: None,
    };
    let codes = vec![0, 1, 2, u32::MAX];
    let probe = Toy { columns: vec![ColumnBuf::Nominal { codes, levels: 3 }], ..toy.clone() };
    let predict = |change: &dyn Fn(&mut FastBoxesParams)| {
        fast(&toy, change).predict(&probe.frame(), RunContext::silent()).unwrap()
    };
    assert_eq!(predict(&|params| params.expansion = 0.0), [1, 0, 1, 0]);
    // P = 2, N = 3 e^-2 for level 1: delta = ln(2 / (3 c e^-2)) / 2 reaches 2 for c <= (2 / 3) e^-2 = 0.0902.
    let small = |c| move |params: &mut FastBoxesParams| (params.negative_weight, params.expansion) = (c, 0.0);
    assert_eq!(predict(&small(0.0903)), [1, 0, 1, 0]);
    assert_eq!(predict(&small(0.0902)), [1, 1, 1, 1]);
}
