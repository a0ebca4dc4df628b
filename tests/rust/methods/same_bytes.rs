//! Equal data, parameters and seed give equal model bytes in every run, for any number of threads.

use imbcore_core::{Column, Dataset, FeatureKind, Frame, MISSING, RunContext, Schema, SeedKey, random_below};
use imbcore_methods::{FitContext, FitTask, MethodInfo, Model, fit, methods};
use imbcore_trees::PARALLEL_WORK;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

const N_ROWS: usize = 1200;

/// Factor by which chunks of parallel work are smaller than usual in these tests.
const GRAIN_DIVISOR: usize = 256;

fn ctl() -> RunContext<'static> {
    RunContext::silent().with_smaller_tasks(GRAIN_DIVISOR)
}

/// Six numeric and two nominal columns, some missing values, four unbalanced classes.
struct Data {
    numbers: Vec<Vec<f64>>,
    levels: Vec<Vec<u32>>,
    classes: Vec<u32>,
    weights: Vec<f64>,
}

impl Data {
    fn new() -> Self {
        let mut rng = SeedKey::root(1).rng();
        let mut draw = |bound| random_below(&mut rng, bound);
        let mut number = |distinct: u32, holes: u32| -> Vec<f64> {
            let value = |raw, hole| if hole < holes { f64::NAN } else { f64::from(raw) / 8.0 };
            (0..N_ROWS).map(|_| value(draw(distinct), draw(20))).collect()
        };
        let numbers = vec![
            number(1 << 20, 0),
            number(1 << 20, 1),
            number(50, 0),
            number(9, 2),
            number(1 << 12, 0),
            number(1000, 0),
        ];
        let mut level = |levels| -> Vec<u32> {
            (0..N_ROWS).map(|_| if draw(30) == 0 { MISSING } else { draw(levels) }).collect()
        };
        let levels = vec![level(3), level(12)];
        let class = |row: usize| match draw(12) {
            0 => draw(4),
            _ if numbers[0][row] > 110_000.0 && levels[0][row] == 1 => 3,
            _ if numbers[1][row] > 100_000.0 => 2,
            _ => u32::from(numbers[5][row] > 90.0),
        };
        let classes = (0..N_ROWS).map(class).collect();
        let weights = (0..N_ROWS).map(|_| f64::from(draw(30)) * 0.1).collect();
        Self { numbers, levels, classes, weights }
    }

    /// The same with class 3 against all others.
    fn of_two_classes() -> Self {
        let data = Self::new();
        let classes = data.classes.iter().map(|&class| u32::from(class == 3)).collect();
        Self { classes, ..data }
    }

    fn n_classes(&self) -> usize {
        self.classes.iter().max().map_or(0, |&class| class as usize + 1)
    }

    fn frame(&self) -> Frame<'_> {
        let numbers = self.numbers.iter().map(|values| Column::from_numbers(values));
        let levels = self.levels.iter().zip([3, 12]);
        let levels = levels.map(|(codes, levels)| Column::Nominal { codes, levels });
        Frame::new(numbers.chain(levels).collect()).unwrap()
    }
}

fn schema(n_classes: usize) -> Schema {
    let numeric = |j: usize| json!({"name": format!("x{j}"), "kind": "numeric"});
    let nominal =
        |name: &str, n: u32| json!({"name": name, "kind": "nominal", "levels": (0..n).collect::<Vec<_>>()});
    let mut features: Vec<Value> = (0..6).map(numeric).collect();
    features.extend([nominal("a", 3), nominal("b", 12)]);
    let classes: Vec<usize> = (0..n_classes).collect();
    let all = json!({"features": features, "named": true, "classes": classes, "class_dtype": "int64"});
    let schema = Schema::from_json(&all.to_string()).unwrap();
    assert_eq!(schema.features.iter().filter(|f| f.kind == FeatureKind::Numeric).count(), 6);
    schema
}

/// Methods that grow trees themselves.
/// Methods that fit another method are tested in `properties_decompositions`, exact trees, which have none of
/// these parameters, in their own crate, and rule lists, which need two classes, with the boxes.
fn trees() -> impl Iterator<Item = MethodInfo> {
    let grows = |method: &MethodInfo| method.params.iter().any(|param| param.name == "max_depth");
    let others = ["optimal_tree", "rule_list"];
    methods().into_iter().filter(move |method| grows(method) && !others.contains(&method.name))
}

fn grow(data: &Data, method: &str, params: &Value, weighted: bool, n_threads: usize) -> Vec<u8> {
    fit_bytes(data, method, &with_few_trees(method, params), weighted, n_threads)
}

fn fit_bytes(data: &Data, method: &str, params: &Value, weighted: bool, n_threads: usize) -> Vec<u8> {
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
    pool.install(|| fitted(data, method, params, weighted, ctl()))
}

fn fitted(data: &Data, method: &str, params: &Value, weighted: bool, ctl: RunContext<'_>) -> Vec<u8> {
    let weights = weighted.then_some(&*data.weights);
    let n_classes = data.n_classes();
    let dataset = Dataset::new(data.frame(), &data.classes, n_classes, weights).unwrap();
    let params = params.to_string();
    let task = FitTask {
        method,
        params: &params,
        class_weight: None,
        costs: None,
        positive: None,
        key: SeedKey::root(5),
        context: FitContext::default(),
    };
    fit(&task, &dataset, schema(n_classes), ctl).unwrap().to_bytes().unwrap()
}

/// Whether a method has all these parameters and accepts their string values.
fn accepts(method: &MethodInfo, params: &Value) -> bool {
    let takes = |value: &Value, expected: &str| value.as_str().is_none_or(|word| expected.contains(word));
    let known = |(name, value): (&String, &Value)| {
        method.params.iter().any(|spec| spec.name == name && takes(value, spec.expected))
    };
    params.as_object().unwrap().iter().all(known)
}

/// The same parameters, with few trees if the method is an ensemble.
fn with_few_trees(method: &str, params: &Value) -> Value {
    let method = methods().into_iter().find(|known| known.name == method).unwrap();
    let mut params = params.clone();
    let takes = |name| method.params.iter().any(|spec| spec.name == name);
    if takes("n_estimators") {
        params["n_estimators"] = json!(3);
        if takes("oob_score") {
            params["oob_score"] = json!(true);
        }
        if ["extra_trees", "forest"].contains(&method.name) {
            // Trees of these methods use all rows by default.
            params["bootstrap"] = json!(true);
        }
    }
    if method.params.iter().any(|spec| spec.name == "max_rounds") {
        params["max_rounds"] = json!(3);
    }
    params
}

#[test]
fn upper_nodes_are_parallel_and_lower_ones_are_not() {
    let shared = ctl().task_size(PARALLEL_WORK);
    let n_columns = Data::new().frame().n_columns();
    // Four levels of even splits, and leaves of 5 rows.
    assert!(N_ROWS * n_columns >= 16 * shared && 5 * n_columns < shared);
}

/// Smaller chunks of work only affect speed: the bytes equal those of a sequential run.
#[test]
fn bytes_do_not_depend_on_the_grain_of_parallel_work() {
    let data = Data::new();
    for (method, params) in [
        ("cart", json!({"max_leaf_nodes": 60})),
        ("c45", json!({})),
        ("random_forest", json!({"n_estimators": 3, "oob_score": true})),
        ("extra_trees", json!({"n_estimators": 3})),
        ("svr_tree", json!({})),
        ("boosted_trees", json!({"max_rounds": 3})),
        ("auto", json!({"budget": 20.0})),
        ("logistic_regression", json!({"n_knots": 4})),
        ("aode", json!({"discretizer": "equal_freq", "max_super_parents": 2, "rectify": "tempered"})),
        ("full_bayes", json!({"discretizer": "equal_freq"})),
    ] {
        for weighted in [false, true] {
            let usual = fitted(&data, method, &params, weighted, RunContext::silent());
            assert!(fitted(&data, method, &params, weighted, ctl()) == usual, "{method}");
        }
    }
}

#[test]
fn bytes_do_not_depend_on_threads_or_runs() {
    let data = Data::new();
    for method in trees() {
        for (params, weighted) in [
            (json!({}), false),
            (json!({"max_features": "sqrt", "min_samples_leaf": 5}), true),
            (json!({"max_leaf_nodes": 60}), false),
            (json!({"missing": "fraction", "max_depth": 7}), false),
            (json!({"categorical_split": "multiway", "max_features": 3, "max_leaf_nodes": 200}), true),
            (json!({"subsample": 0.6, "colsample_bytree": 0.5, "objective": "balanced"}), true),
            (json!({"penalty": 0.0005, "feature_selection": true, "pure_nodes": "freeze"}), true),
            (json!({"regularizer": "surface", "penalty": 0.01, "stop_rule": "dequeues"}), false),
        ] {
            if !accepts(&method, &params) {
                continue;
            }
            let one = grow(&data, method.name, &params, weighted, 1);
            for n_threads in [2, 7] {
                let again = grow(&data, method.name, &params, weighted, n_threads);
                assert!(again == one, "{} {params}: {n_threads} threads", method.name);
            }
            let model = Model::from_bytes(&one).unwrap();
            assert!(model.to_bytes().unwrap() == one, "{}: written back", method.name);
        }
    }
}

#[test]
fn model_read_from_file_predicts_alike() {
    let data = Data::new();
    let dataset = Dataset::new(data.frame(), &data.classes, 4, None).unwrap();
    for method in trees() {
        let params = with_few_trees(method.name, &json!({})).to_string();
        let task = FitTask {
            method: method.name,
            params: &params,
            class_weight: None,
            costs: None,
            positive: None,
            key: SeedKey::root(5),
            context: FitContext::default(),
        };
        let model = fit(&task, &dataset, schema(4), RunContext::silent()).unwrap();
        let again = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
        assert!(again == model);
        let proba = |model: &Model| model.proba(&data.frame(), RunContext::silent()).unwrap();
        assert!(proba(&again) == proba(&model));
    }
}

#[test]
fn bytes_of_exact_boxes_do_not_depend_on_threads_or_runs() {
    let mut rng = SeedKey::root(3).rng();
    let mut draw = |bound| f64::from(random_below(&mut rng, bound));
    let numbers: Vec<Vec<f64>> = (0..3).map(|_| (0..150).map(|_| draw(40) / 4.0).collect()).collect();
    let inside = |row: usize| (numbers[0][row] - 5.0).abs() < 3.0 && numbers[1][row] > 3.0;
    let classes: Vec<u32> = (0..150).map(|row| u32::from(inside(row) != (draw(12) == 0.0))).collect();
    let weights: Vec<f64> = (0..150).map(|_| draw(4) * 0.5).collect();
    let features: Vec<Value> = (0..3).map(|j| json!({"name": format!("x{j}"), "kind": "numeric"})).collect();
    let schema =
        json!({"features": features, "named": true, "classes": [0, 1], "class_dtype": "int64"}).to_string();
    let grown = |params: &Value, weights: Option<&[f64]>, n_threads: usize| {
        let frame = Frame::new(numbers.iter().map(|values| Column::from_numbers(values)).collect()).unwrap();
        let data = Dataset::new(frame, &classes, 2, weights).unwrap();
        let params = params.to_string();
        let task = FitTask {
            method: "exact_boxes",
            params: &params,
            class_weight: None,
            costs: None,
            // Some runs draw boxes around the frequent class.
            positive: params.contains("maxabs").then_some(0),
            key: SeedKey::root(5),
            context: FitContext::default(),
        };
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let schema = Schema::from_json(&schema).unwrap();
        pool.install(|| fit(&task, &data, schema, ctl()).unwrap())
    };
    for params in [
        json!({"time_limit": null, "abs_gap": 2.0}),
        json!({"n_boxes": 1, "negative_weight": 0.3, "decode": "margin", "scale": "maxabs"}),
        json!({"heuristic": "clusters", "init": "none"}),
        json!({"heuristic": "neighborhood", "radius": 0.1, "abs_gap": 2.0}),
        json!({"n_boxes": 1, "expand": 0.01, "box_cost": 0.0}),
    ] {
        for weights in [None, Some(&*weights)] {
            let one = grown(&params, weights, 1);
            assert!(one.fitted_estimator().boxes().unwrap().drawing().n_boxes() > 0, "{params}");
            let bytes = one.to_bytes().unwrap();
            for n_threads in [1, 2, 7] {
                assert!(grown(&params, weights, n_threads).to_bytes().unwrap() == bytes, "{params}");
            }
            let again = Model::from_bytes(&bytes).unwrap();
            assert!(again == one && again.to_bytes().unwrap() == bytes, "{params}: read back");
        }
    }
}

#[test]
fn bytes_of_boxes_do_not_depend_on_threads_or_runs() {
    let data = Data::of_two_classes();
    for (method, params) in [
        ("fast_boxes", json!({})),
        (
            "fast_boxes",
            json!({"bound_rule": "program", "clustering": "program", "scale": "maxabs", "missing": "inside"}),
        ),
        ("fast_boxes", json!({"ranking": "exact", "expansion": 0, "negative_weight": 0.25})),
        ("fast_boxes", json!({"bound_rule": "none", "n_boxes": 9})),
        ("prim", json!({})),
        ("prim", json!({"validation": 0.3, "drop": true, "max_boxes": 3, "missing": "inside"})),
        ("rule_list", json!({"n_estimators": 6, "max_candidates": 12, "time_limit": null})),
        (
            "rule_list",
            json!({"n_estimators": 6, "max_candidates": 9, "objective": {"recall": 0.5}, "categorical_split": "multiway"}),
        ),
    ] {
        for weighted in [false, true] {
            let one = fit_bytes(&data, method, &params, weighted, 1);
            for n_threads in [1, 2, 7] {
                assert!(fit_bytes(&data, method, &params, weighted, n_threads) == one, "{method} {params}");
            }
            let model = Model::from_bytes(&one).unwrap();
            assert!(model.to_bytes().unwrap() == one, "{method} {params}: written back");
        }
    }
}

#[test]
fn bytes_of_bayesian_networks_do_not_depend_on_threads_or_runs() {
    let data = Data::new();
    for (method, params) in [
        ("naive_bayes", json!({"discretizer": "equal_freq", "feature_selection": true})),
        ("tan", json!({"prune_arcs": true, "rectify": "tempered"})),
        ("kdb", json!({"discretizer": "caim", "missing": "state", "prior": "local", "prior__gamma": 0.5})),
        ("aode", json!({"discretizer": "equal_freq", "max_super_parents": 2, "rectify": "tempered"})),
        ("full_bayes", json!({"discretizer": "equal_freq"})),
        (
            "full_bayes",
            json!({"search": {"name": "rb", "max_iters": 60}, "search__time_limit": null, "missing": "drop_rows"}),
        ),
        (
            "full_bayes",
            json!({"search": "ils", "search.max_iters": 2, "rectify": "tempered", "require_class_arc": true}),
        ),
        ("bayes_bagging", json!({"weights": "train", "temperature": 1000.0})),
        (
            "bayes_bagging",
            json!({"weights": "test", "discretize": "member", "stratified": true, "search": "hc"}),
        ),
    ] {
        let mut params = params;
        if method == "bayes_bagging" {
            params["n_estimators"] = json!(3);
        }
        for weighted in [false, true] {
            let one = fit_bytes(&data, method, &params, weighted, 1);
            for n_threads in [2, 7] {
                assert!(fit_bytes(&data, method, &params, weighted, n_threads) == one, "{method} {params}");
            }
            let model = Model::from_bytes(&one).unwrap();
            assert!(model.to_bytes().unwrap() == one, "{method} {params}: written back");
        }
    }
}

#[test]
fn bytes_of_bagging_do_not_depend_on_threads_or_runs() {
    let data = Data::new();
    let shallow = json!({"max_depth": 4});
    for (method, mut params) in [
        (
            "bagging",
            json!({"estimator": "hddt", "max_features": 3, "bootstrap_features": true, "oob_score": true}),
        ),
        (
            "under_bagging",
            json!({"estimator": "naive_bayes", "estimator_params": {"discretizer": "equal_freq"}}),
        ),
        ("over_bagging", json!({"estimator": "c45", "estimator_params": shallow, "voting": "hard"})),
        (
            "under_over_bagging",
            json!({"estimator": "random_forest", "estimator_params": {"n_estimators": 2}}),
        ),
        ("balanced_bagging", json!({"estimator": "under_bagging", "estimator_params": {"n_estimators": 2}})),
        ("balanced_bagging", json!({"estimator": "ova", "sampler": "random_over", "max_samples": 0.5})),
    ] {
        params["n_estimators"] = json!(3);
        for weighted in [false, true] {
            let one = fit_bytes(&data, method, &params, weighted, 1);
            for n_threads in [2, 7] {
                assert!(fit_bytes(&data, method, &params, weighted, n_threads) == one, "{method} {params}");
            }
            let model = Model::from_bytes(&one).unwrap();
            assert!(model.to_bytes().unwrap() == one, "{method} {params}: written back");
        }
    }
}
