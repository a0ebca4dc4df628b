//! Properties of every registered method; new methods are tested automatically.

use imbcore_core::{
    Column, CostMatrixSpec, Dataset, DecisionPlan, Error, Frame, ParamSpec, RunContext, Schema, SeedKey,
    random_below,
};
use imbcore_methods::{FitContext, FitTask, MethodInfo, Model, fit, methods};
use serde_json::{Value, json};

const N_ROWS: usize = 90;

/// Three numeric columns; the first two predict the class, one row in five, with some errors.
struct Data {
    columns: Vec<Vec<f64>>,
    classes: Vec<u32>,
}

impl Data {
    fn new() -> Self {
        let mut rng = SeedKey::root(1).rng();
        let mut draw = |bound| random_below(&mut rng, bound);
        let columns: Vec<Vec<f64>> =
            (0..3).map(|_| (0..N_ROWS).map(|_| f64::from(draw(40)) / 4.0).collect()).collect();
        let rare = |row: usize| columns[0][row] > 5.0 && columns[1][row] < 4.0;
        let classes = (0..N_ROWS).map(|row| u32::from(rare(row) != (draw(15) == 0))).collect();
        Self { columns, classes }
    }

    fn frame(&self) -> Frame<'_> {
        Frame::new(self.columns.iter().map(|values| Column::from_numbers(values)).collect()).unwrap()
    }

    /// The same rows in another order.
    fn reordered(&self) -> Self {
        let back = |values: &Vec<f64>| values.iter().rev().copied().collect();
        Self {
            columns: self.columns.iter().map(back).collect(),
            classes: self.classes.iter().rev().copied().collect(),
        }
    }

    fn schema() -> Schema {
        let features: Vec<Value> =
            (0..3).map(|j| json!({"name": format!("x{j}"), "kind": "numeric"})).collect();
        let all = json!({"features": features, "named": true, "classes": [0, 1], "class_dtype": "int64"});
        Schema::from_json(&all.to_string()).unwrap()
    }

    fn fit(&self, method: &MethodInfo, params: &Value, weights: Option<&[f64]>) -> Result<Model, Error> {
        let data = Dataset::new(self.frame(), &self.classes, 2, weights)?;
        let costs = DecisionPlan { matrix: Some(CostMatrixSpec::Balanced), ..DecisionPlan::default() };
        let task = FitTask {
            method: method.name,
            params: &params.to_string(),
            class_weight: None,
            // The method needs costs.
            costs: (method.name == "metacost").then_some(&costs),
            positive: None,
            key: SeedKey::root(5),
            context: FitContext::default(),
        };
        fit(&task, &data, Self::schema(), RunContext::silent())
    }
}

/// Default parameters, with few members for ensembles.
fn small_params(method: &MethodInfo) -> Value {
    let has = |name: &str| method.params.iter().any(|spec| spec.name == name);
    if has("n_estimators") {
        json!({"n_estimators": 3})
    } else if has("n_rounds") {
        json!({"n_rounds": 3})
    } else {
        json!({})
    }
}

fn proba(model: &Model, data: &Data) -> Vec<f64> {
    model.proba(&data.frame(), RunContext::silent()).unwrap()
}

#[test]
fn probabilities_sum_to_one_and_separate_the_classes() {
    let data = Data::new();
    for method in methods() {
        let model = data.fit(&method, &small_params(&method), None).unwrap();
        let found = proba(&model, &data);
        for row in found.chunks_exact(2) {
            assert!(row.iter().all(|p| (0.0..=1.0).contains(p)), "{}: {row:?}", method.name);
            assert!((row[0] + row[1] - 1.0).abs() < 1e-12, "{}: {row:?}", method.name);
        }
        let mean = |class: u32| {
            let of = |(row, p): (&u32, &[f64])| (*row == class).then_some(p[1]);
            let of: Vec<f64> = data.classes.iter().zip(found.chunks_exact(2)).filter_map(of).collect();
            of.iter().sum::<f64>() / of.len() as f64
        };
        assert!(mean(1) > mean(0), "{}: {} {}", method.name, mean(1), mean(0));
    }
}

#[test]
fn parameters_refer_to_columns_and_classes_by_name() {
    let data = Data::new();
    let fitted = |name: &str, params: Value| {
        let method = methods().into_iter().find(|method| method.name == name).unwrap();
        data.fit(&method, &params, None)
    };
    let inner = |signs: Value| json!({"estimator": "cart", "estimator_params": {"monotonic_cst": signs}});
    for (method, named, placed) in [
        ("cart", json!({"monotonic_cst": {"x1": 1}}), json!({"monotonic_cst": [0, 1, 0]})),
        ("full_bayes", json!({"forbidden_arcs": [["x0", "class"]]}), json!({"forbidden_arcs": [[0, 3]]})),
        ("full_bayes", json!({"tiers": {"x0": 1, "class": 2}}), json!({"tiers": [1, 0, 0, 2]})),
        ("svr_tree", json!({"penalized_classes": [true]}), json!({"penalized_classes": [1]})),
        ("ova", inner(json!({"x2": -1})), inner(json!([0, 0, -1]))),
        ("metacost", inner(json!({"x2": -1})), inner(json!([0, 0, -1]))),
    ] {
        let bytes = |params| fitted(method, params).unwrap().to_bytes().unwrap();
        assert!(bytes(named.clone()) == bytes(placed), "{method} {named}");
    }
    let message = fitted("ova", inner(json!({"x7": 1}))).unwrap_err().to_string();
    assert!(message.contains("must name features of the data, got 'x7'"), "{message}");
    assert!(
        fitted("svr_tree", json!({"penalized_classes": [3]}))
            .unwrap_err()
            .to_string()
            .contains("labels of y")
    );
}

#[test]
fn equal_fits_have_equal_bytes_and_are_read_back() {
    let data = Data::new();
    for method in methods() {
        let model = data.fit(&method, &small_params(&method), None).unwrap();
        let bytes = model.to_bytes().unwrap();
        assert!(
            data.fit(&method, &small_params(&method), None).unwrap().to_bytes().unwrap() == bytes,
            "{}",
            method.name
        );
        let again = Model::from_bytes(&bytes).unwrap();
        assert!(again == model && again.to_bytes().unwrap() == bytes, "{}", method.name);
        assert!(proba(&again, &data) == proba(&model, &data), "{}", method.name);
    }
}

#[test]
fn predictions_do_not_depend_on_other_rows() {
    let data = Data::new();
    for method in methods() {
        let model = data.fit(&method, &small_params(&method), None).unwrap();
        let mut reordered: Vec<[f64; 2]> =
            proba(&model, &data.reordered()).chunks_exact(2).map(|p| [p[0], p[1]]).collect();
        reordered.reverse();
        assert!(proba(&model, &data) == reordered.concat(), "{}", method.name);
    }
}

#[test]
fn weights_of_one_equal_no_weights() {
    let data = Data::new();
    for method in methods() {
        let plain = data.fit(&method, &small_params(&method), None).unwrap();
        let weighted = data.fit(&method, &small_params(&method), Some(&[1.0; N_ROWS])).unwrap();
        assert!(proba(&plain, &data) == proba(&weighted, &data), "{}", method.name);
    }
}

#[test]
fn unknown_parameters_are_rejected_by_name() {
    let data = Data::new();
    for method in methods() {
        let error = data.fit(&method, &json!({"no_such_parameter": 1}), None).unwrap_err().to_string();
        assert!(error.contains("no_such_parameter"), "{}: {error}", method.name);
        assert!(error.contains(method.name), "{}: {error}", method.name);
    }
}

/// A parameter of a method, or of a variant of one of its parameters.
struct ParameterPath {
    path: String,
    variant: Option<(&'static str, &'static str)>,
    spec: ParamSpec,
}

fn parameter_paths(method: &MethodInfo) -> Vec<ParameterPath> {
    let mut all = Vec::new();
    for spec in &method.params {
        all.push(ParameterPath { path: spec.name.to_owned(), variant: None, spec: spec.clone() });
        for variant in &spec.choices {
            all.extend(variant.params.iter().map(|own| ParameterPath {
                path: format!("{}__{}", spec.name, own.name),
                variant: Some((spec.name, variant.name)),
                spec: own.clone(),
            }));
        }
    }
    all
}

/// The Python type of a parameter, used by type checkers, agrees with its parser.
#[test]
fn parameters_accept_the_values_of_their_types() {
    let data = Data::new();
    let names: Vec<&str> = methods().iter().map(|method| method.name).collect();
    for method in methods() {
        for ParameterPath { path, variant, spec } in parameter_paths(&method) {
            let refuses = |value: Value| {
                let mut params = small_params(&method);
                if method.params.iter().any(|spec| spec.name == "time_limit") {
                    params["time_limit"] = json!(0.01);
                }
                // A flipped reference distribution requires an order below 1.
                if spec.name == "reference" && method.name == "alpha_tree" {
                    params["alpha"] = json!(0.5);
                }
                // This option needs out-of-bag predictions.
                if path == "n_estimators" && value == "auto" {
                    params["bootstrap"] = json!(true);
                }
                if let Some((chooser, variant)) = variant {
                    params[chooser] = json!(variant);
                }
                params[&path] = value.clone();
                let refused = match data.fit(&method, &params, None) {
                    Err(Error::Parameter { name, .. }) => name == path,
                    Err(Error::Unknown { .. }) => true,
                    _ => false,
                };
                (refused, format!("{} {variant:?} {path}={value}, {}", method.name, spec.python_type))
            };
            let written = spec.python_type.to_string();
            let kinds: Vec<&str> = written.split(" | ").collect();
            let choices = kinds.iter().find_map(|kind| kind.strip_prefix("Literal[")?.strip_suffix(']'));
            for choice in choices.into_iter().flat_map(|all| all.split(", ")) {
                let (refused, what) = refuses(json!(choice.trim_matches('"')));
                assert!(!refused, "{what}");
            }
            for (wrong, right) in [
                (json!(null), "None"),
                (json!(true), "bool"),
                (json!(0.5), "float"),
                (json!("no such"), "str"),
            ] {
                let (refused, what) = refuses(wrong);
                assert!(refused || kinds.contains(&right), "{what}");
            }
            // The default belongs to the type.
            let shown = match &spec.default {
                Value::Null => "None".to_owned(),
                Value::Bool(_) => "bool".to_owned(),
                Value::Number(number) => if number.is_f64() { "float" } else { "int" }.to_owned(),
                Value::String(name) if names.contains(&name.as_str()) && choices.is_none() => {
                    "MethodName".to_owned()
                }
                Value::String(name) => format!("\"{name}\""),
                other => panic!("{}: {other}", spec.name),
            };
            assert!(written.contains(&shown), "{} {}: {shown}", method.name, spec.name);
        }
    }
}
