//! A small model of each structure that a file can hold.

use imbcore_core::{
    Column, CostMatrixSpec, Dataset, DecisionPlan, Frame, MISSING, RunContext, Schema, SeedKey, Threshold,
    random_below,
};
use imbcore_methods::{FitContext, FitTask, fit};
use serde_json::{Value, json};

const N_ROWS: usize = 120;

/// Two numeric and one nominal column, with missing values in both kinds.
pub(crate) struct Data {
    pub(crate) numbers: [Vec<f64>; 2],
    pub(crate) levels: Vec<u32>,
    pub(crate) classes: Vec<u32>,
}

impl Data {
    pub(crate) fn new(n_classes: u32) -> Self {
        let mut rng = SeedKey::root(11).rng();
        let mut draw = |bound| random_below(&mut rng, bound);
        let mut number = || -> Vec<f64> {
            (0..N_ROWS).map(|_| if draw(9) == 0 { f64::NAN } else { f64::from(draw(40)) / 4.0 }).collect()
        };
        let numbers = [number(), number()];
        let levels = (0..N_ROWS).map(|_| if draw(9) == 0 { MISSING } else { draw(3) }).collect();
        Self { numbers, levels, classes: (0..N_ROWS).map(|_| draw(n_classes)).collect() }
    }

    /// The same with numbers in place of missing values.
    fn complete(n_classes: u32) -> Self {
        let Self { numbers, levels, classes } = Self::new(n_classes);
        let numbers = numbers.map(|of| of.into_iter().map(|x| if x.is_nan() { -1.0 } else { x }).collect());
        Self { numbers, levels, classes }
    }

    pub(crate) fn frame(&self, nominal: bool) -> Frame<'_> {
        let mut columns =
            vec![Column::from_numbers(&self.numbers[0]), Column::from_numbers(&self.numbers[1])];
        if nominal {
            columns.push(Column::Nominal { codes: &self.levels, levels: 3 });
        }
        Frame::new(columns).unwrap()
    }
}

/// Bytes of a model of one method.
#[allow(clippy::needless_pass_by_value)] // `json!` makes owned values.
fn make(
    name: &'static str,
    method: &str,
    params: Value,
    n_classes: u32,
    nominal: bool,
) -> (&'static str, Vec<u8>) {
    let data = if method == "exact_boxes" { Data::complete(n_classes) } else { Data::new(n_classes) };
    let mut features = vec![json!({"name": "a", "kind": "numeric"}), json!({"name": "b", "kind": "numeric"})];
    if nominal {
        features.push(json!({"name": "c", "kind": "nominal", "levels": ["x", 1, true]}));
    }
    let classes: Vec<String> = (0..n_classes).map(|class| format!("class {class}")).collect();
    let schema = json!({"features": features, "named": true, "classes": classes, "class_dtype": "<U7"});
    let dataset = Dataset::new(data.frame(nominal), &data.classes, n_classes as usize, None).unwrap();
    let params = params.to_string();
    let plan = DecisionPlan { matrix: Some(CostMatrixSpec::Balanced), ..DecisionPlan::default() };
    let against = DecisionPlan { threshold: Some(Threshold::Prior), ..DecisionPlan::default() };
    let first = DecisionPlan { threshold: Some(Threshold::At(0.2)), ..DecisionPlan::default() };
    let costs = match name {
        "costs" => Some(&plan),
        "threshold" => Some(&first),
        "prior" => Some(&against),
        _ => None,
    };
    let task = FitTask {
        method,
        params: &params,
        class_weight: None,
        costs,
        positive: (name == "threshold").then_some(0),
        key: SeedKey::root(0),
        context: FitContext::default(),
    };
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    (name, fit(&task, &dataset, schema, RunContext::silent()).unwrap().to_bytes().unwrap())
}

/// Bytes of one model of each structure.
pub(crate) fn models() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        make("numeric", "hddt", json!({"max_depth": 5}), 2, false),
        make("fractions", "c44", json!({"min_weight_leaf": 1.0, "max_depth": 4}), 4, true),
        make("direction", "cart", json!({"max_depth": 5}), 3, true),
        make(
            "sets",
            "hddt",
            json!({"max_depth": 5, "categorical_split": "subset", "missing": "value"}),
            4,
            true,
        ),
        make("costs", "hddt", json!({"max_depth": 2}), 3, false),
        make("threshold", "hddt", json!({"max_depth": 2}), 2, false),
        make("members", "ecoc", json!({"estimator": "cart", "estimator_params": {"max_depth": 2}}), 3, true),
        make("pairs", "ovo", json!({"estimator": "c44", "estimator_params": {"max_depth": 2}}), 4, true),
        make(
            "ensemble",
            "balanced_bagging",
            json!({"estimator": "c44", "estimator_params": {"max_depth": 3}, "n_estimators": 3, "max_features": 2,
                   "oob_score": true}),
            3,
            true,
        ),
        make("alphas", "beat", json!({"n_estimators": 3, "max_depth": 4, "oob_score": true}), 2, false),
        make("labels", "svr_tree", json!({"probability": "unweighted", "max_leaf_nodes": 7}), 3, true),
        make("svr forest", "svr_forest", json!({"n_estimators": 3, "max_leaf_nodes": 5}), 3, true),
        make(
            "forest",
            "random_forest",
            json!({"n_estimators": 4, "max_depth": 4, "voting": "hard"}),
            3,
            true,
        ),
        make(
            "boosted",
            "boosted_trees",
            json!({"n_rounds": 3, "max_leaf_nodes": 5, "min_samples_leaf": 4}),
            3,
            true,
        ),
        make("focal", "boosted_trees", json!({"objective": "focal", "max_rounds": 4}), 2, true),
        make("smooth", "boosted_trees", json!({"objective": "smooth_ap", "n_rounds": 3}), 2, true),
        make(
            "pairwise",
            "boosted_trees",
            json!({"objective": "pairwise_auc", "max_rounds": 4, "sampling": "goss", "interaction_cst": [[0, 1]]}),
            2,
            true,
        ),
        make("linear", "logistic_regression", json!({"C": 1.0, "n_knots": 4}), 3, true),
        make("bins", "logistic_regression", json!({"numeric": "quantile", "penalty_folds": 2}), 2, true),
        make("boxes", "fast_boxes", json!({}), 2, true),
        make("exact boxes", "fast_boxes", json!({"ranking": "exact", "missing": "inside"}), 2, true),
        make("proof", "exact_boxes", json!({"abs_gap": 30.0, "missing": "outside"}), 2, false),
        make("rules", "rule_list", json!({"n_estimators": 5, "max_candidates": 12}), 2, true),
        make("one box", "exact_boxes", json!({"n_boxes": 1, "decode": "margin"}), 2, false),
        make(
            "network",
            "full_bayes",
            json!({"structure_score": "aic", "discretizer": "equal_freq"}),
            3,
            true,
        ),
        make(
            "prior",
            "tan",
            json!({"discretizer": {"name": "equal_freq", "n_bins": 3}, "missing": "state"}),
            2,
            true,
        ),
        make(
            "networks",
            "bayes_bagging",
            json!({"n_estimators": 2, "weights": "test", "structure_score": "aic"}),
            2,
            true,
        ),
        make("covering", "prim", json!({"min_mass": 0.05, "max_boxes": 3}), 2, true),
        make(
            "shares",
            "bagged_c45",
            json!({"n_estimators": 2, "max_depth": 3, "categorical_split": "multiway"}),
            2,
            true,
        ),
    ]
}
