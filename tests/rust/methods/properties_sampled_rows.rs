//! Forests on small samples of many rows: the rows are sampled from class counts alone, and only they are read.

use imbcore_core::{
    ClassStats, Column, Dataset, Error, Frame, FrameBuf, RunContext, Schema, SeedKey, random_below,
};
use imbcore_methods::{FitContext, FitTask, Model, WarmStart, fit, merge, select_rows_for_fit};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Numeric columns and levels, and a class with one row in twenty.
pub(crate) struct Table {
    pub(crate) x: Vec<f64>,
    pub(crate) z: Vec<f64>,
    pub(crate) codes: Vec<u32>,
    pub(crate) classes: Vec<u32>,
    pub(crate) weights: Option<Vec<f64>>,
}

impl Table {
    pub(crate) fn new(seed: u64, n_rows: usize, weighted: bool) -> Self {
        let mut rng = SeedKey::root(seed).rng();
        let mut column = |bound: u32| -> Vec<f64> {
            (0..n_rows).map(|_| f64::from(random_below(&mut rng, bound))).collect()
        };
        let (x, z, level, rare) = (column(1000), column(12), column(5), column(20));
        let missing = |(x, at): (f64, usize)| if at % 13 == 5 { f64::NAN } else { x };
        let z = z.into_iter().zip(0..).map(missing).collect();
        let mut classes: Vec<u32> = rare.iter().map(|&x| u32::from(x == 7.0)).collect();
        (classes[0], classes[1]) = (0, 1);
        let weights: Vec<f64> =
            column(4).into_iter().map(|w| w / 3.0 + f64::from(u8::from(w > 0.0))).collect();
        let weights = weighted.then_some(weights).map(|mut w: Vec<f64>| {
            w[..2].fill(1.0);
            w
        });
        Self { x, z, codes: level.iter().map(|&l| l as u32).collect(), classes, weights }
    }

    fn frame(&self) -> Frame<'_> {
        let nominal = Column::Nominal { codes: &self.codes, levels: 5 };
        Frame::new(vec![Column::from_numbers(&self.x), Column::from_numbers(&self.z), nominal]).unwrap()
    }

    pub(crate) fn data(&self) -> Dataset<'_> {
        Dataset::new(self.frame(), &self.classes, 2, self.weights.as_deref()).unwrap()
    }

    /// Class statistics, summed over chunks that end at `cuts`.
    fn class_stats(&self, cuts: &[usize]) -> ClassStats {
        let mut class_stats = ClassStats::new(2);
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % self.classes.len()).collect();
        ends.push(self.classes.len());
        ends.sort_unstable();
        let mut start = 0;
        for end in ends {
            class_stats.add(&self.classes[start..end], self.weights.as_ref().map(|w| &w[start..end]));
            start = end;
        }
        class_stats
    }

    /// The rows of the table that a task reads, ascending.
    fn sampled_rows(&self, task: &FitTask<'_>, class_stats: &ClassStats) -> Result<Vec<u32>, Error> {
        let codes = [0, 1];
        let stand_in = Frame::new(vec![Column::Nominal { codes: &codes, levels: 2 }]).unwrap();
        let data = Dataset::new(stand_in, &codes, 2, None).unwrap().as_sample_of(class_stats);
        let of_class = select_rows_for_fit(task, &data, &schema(), RunContext::silent())?;
        let weighs = |row: &usize| self.weights.as_ref().is_none_or(|weights| weights[*row] > 0.0);
        let mut rows = Vec::new();
        for (class, sampled_rows) in (0..).zip(of_class) {
            let all: Vec<usize> =
                (0..self.classes.len()).filter(|&row| self.classes[row] == class).filter(weighs).collect();
            rows.extend(sampled_rows.into_iter().map(|place| all[place as usize] as u32));
        }
        rows.sort_unstable();
        Ok(rows)
    }
}

pub(crate) fn schema() -> Schema {
    let numeric = |name: &str| json!({"name": name, "kind": "numeric"});
    let nominal = json!({"name": "level", "kind": "nominal", "levels": ["a", "b", "c", "d", "e"]});
    let all = json!({"features": [numeric("x"), numeric("z"), nominal], "named": true, "classes": [0, 1],
        "class_dtype": "int64"});
    Schema::from_json(&all.to_string()).unwrap()
}

pub(crate) fn task<'a>(method: &'a str, params: &'a str, start: WarmStart<'a>) -> FitTask<'a> {
    let context = FitContext { start, ..FitContext::default() };
    FitTask {
        method,
        params,
        class_weight: None,
        costs: None,
        positive: None,
        key: SeedKey::root(4),
        context,
    }
}

/// Forests whose trees use few rows.
fn small_sample_forests() -> Vec<(&'static str, Value)> {
    vec![
        ("balanced_random_forest", json!({"n_estimators": 7})),
        (
            "balanced_random_forest",
            json!({"n_estimators": 3, "replacement": false, "criterion": "hellinger"}),
        ),
        ("balanced_random_forest", json!({"n_estimators": 3, "bootstrap": true, "max_samples": 0.5})),
        ("balanced_random_forest", json!({"n_estimators": 4, "sampling_strategy": "auto", "max_bins": 16})),
        ("random_forest", json!({"n_estimators": 5, "max_samples": 0.1})),
        ("weighted_random_forest", json!({"n_estimators": 5, "max_samples": 20, "bootstrap": false})),
        ("beat", json!({"n_estimators": 3, "max_samples": 0.2})),
        ("bagged_c45", json!({"n_estimators": 3, "max_samples": 0.25, "missing": "direction"})),
    ]
}

/// Fits a task on the rows that it samples.
fn fit_sampled(table: &Table, task: &FitTask<'_>, class_stats: &ClassStats) -> Model {
    let rows = table.sampled_rows(task, class_stats).unwrap();
    let of = |row: &u32| *row as usize;
    let frame: FrameBuf = table.frame().take(&rows, RunContext::silent()).unwrap();
    let classes: Vec<u32> = rows.iter().map(|row| table.classes[of(row)]).collect();
    let weights: Option<Vec<f64>> =
        table.weights.as_ref().map(|w| rows.iter().map(|row| w[of(row)]).collect());
    let data = Dataset::new(frame.borrow().unwrap(), &classes, 2, weights.as_deref()).unwrap();
    fit(task, &data.as_sample_of(class_stats), schema(), RunContext::silent()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn forest_of_the_sampled_rows_equals_that_of_the_table(
        seed in any::<u64>(),
        n_rows in 120_usize..500,
        weighted in any::<bool>(),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
        which in 0..small_sample_forests().len(),
    ) {
        let table = Table::new(seed, n_rows, weighted);
        let (method, params) = &small_sample_forests()[which];
        let params = params.to_string();
        let task = task(method, &params, WarmStart::Cold);
        let class_stats = table.class_stats(&cuts);
        prop_assert_eq!(&class_stats, &table.class_stats(&[]));
        match table.sampled_rows(&task, &class_stats) {
            // If the classes happen to be nearly balanced, the trees use too many rows.
            Err(Error::Unsupported(_)) => prop_assert!(method.starts_with("balanced")),
            Err(other) => prop_assert!(false, "{}", other),
            Ok(_) => {
                let whole = fit(&task, &table.data(), schema(), RunContext::silent()).unwrap();
                let sampled_rows = fit_sampled(&table, &task, &class_stats);
                prop_assert_eq!(whole.to_bytes().unwrap(), sampled_rows.to_bytes().unwrap());
            }
        }
    }

    #[test]
    fn merged_parts_equal_the_forest(seed in any::<u64>(), cut in 1_u32..3, which in 0..small_sample_forests().len()) {
        let table = Table::new(seed, 300, true);
        let (method, params) = &small_sample_forests()[which];
        let params = params.to_string();
        let fit = |start| fit(&task(method, &params, start), &table.data(), schema(), RunContext::silent()).unwrap();
        let parts = [fit(WarmStart::Part(0, cut)), fit(WarmStart::Part(cut, 99))];
        // The parts pass through files, as from other machines.
        let parts = parts.map(|part| Model::from_bytes(&part.to_bytes().unwrap()).unwrap());
        let merged = merge(&[&parts[0], &parts[1]]).unwrap();
        prop_assert_eq!(merged.to_bytes().unwrap(), fit(WarmStart::Cold).to_bytes().unwrap());
    }
}

#[test]
fn svr_forests_are_sampled_and_merged() {
    let table = Table::new(9, 300, false);
    let z: Vec<f64> = table.z.iter().map(|z| if z.is_nan() { 1.0 } else { *z }).collect();
    let table = Table { z, ..table };
    let params = json!({"n_estimators": 4, "max_samples": 0.2}).to_string();
    let fit = |start| fit(&task("svr_forest", &params, start), &table.data(), schema(), RunContext::silent());
    let whole = fit(WarmStart::Cold).unwrap();
    let sampled_rows =
        fit_sampled(&table, &task("svr_forest", &params, WarmStart::Cold), &table.class_stats(&[]));
    assert_eq!(whole.to_bytes().unwrap(), sampled_rows.to_bytes().unwrap());
    let merged =
        merge(&[&fit(WarmStart::Part(0, 1)).unwrap(), &fit(WarmStart::Part(1, 4)).unwrap()]).unwrap();
    assert_eq!(whole.to_bytes().unwrap(), merged.to_bytes().unwrap());
}

#[test]
fn methods_that_read_all_rows_are_rejected() {
    let table = Table::new(1, 200, false);
    let class_stats = table.class_stats(&[]);
    let refusal = |method: &str, params: Value| {
        let params = params.to_string();
        table.sampled_rows(&task(method, &params, WarmStart::Cold), &class_stats).unwrap_err().to_string()
    };
    assert!(refusal("hddt", json!({})).contains("all rows at once"));
    assert!(refusal("random_forest", json!({})).contains("max_samples"));
    assert!(refusal("balanced_random_forest", json!({"oob_score": true})).contains("oob_score"));
    let light = |weights: Vec<f64>| Table { weights: Some(weights), ..Table::new(1, 200, false) };
    let table = light(vec![0.25; 200]);
    let class_stats = table.class_stats(&[]);
    let params = json!({}).to_string();
    let data = table.data().as_sample_of(&class_stats);
    let task = task("balanced_random_forest", &params, WarmStart::Cold);
    let error = fit(&task, &data, schema(), RunContext::silent()).unwrap_err();
    assert!(error.to_string().contains("ultiply all weights by a constant"), "{error}");
}

#[test]
fn fit_rejects_rows_other_than_the_sampled_ones() {
    let table = Table::new(3, 300, false);
    let params = json!({"n_estimators": 2}).to_string();
    let task = task("balanced_random_forest", &params, WarmStart::Cold);
    let class_stats = table.class_stats(&[]);
    let data = table.data().as_sample_of(&class_stats);
    let error = fit(&task, &data, schema(), RunContext::silent()).unwrap_err();
    assert!(error.to_string().contains("whether the data changed"), "{error}");
}

#[test]
fn only_models_that_differ_in_trees_are_merged() {
    let table = Table::new(3, 300, false);
    let of = |method: &str, params: Value| {
        fit(
            &task(method, &params.to_string(), WarmStart::Cold),
            &table.data(),
            schema(),
            RunContext::silent(),
        )
        .unwrap()
    };
    let forest = |params: Value| of("balanced_random_forest", params);
    let (a, b) = (forest(json!({"n_estimators": 2})), forest(json!({"n_estimators": 3})));
    let merged = merge(&[&a, &b]).unwrap();
    assert_eq!(merged.fitted_estimator().forest().unwrap().n_trees(), 5);
    assert_eq!(merged.params()["n_estimators"], 5);
    let refusal = |other: &Model| merge(&[&a, other]).unwrap_err().to_string();
    assert!(refusal(&forest(json!({"max_depth": 3}))).contains("its max_depth is 3, not None"));
    assert!(refusal(&of("random_forest", json!({}))).contains("its method is random_forest"));
    assert!(merge(&[&of("hddt", json!({}))]).unwrap_err().to_string().contains("not a forest"));
    assert!(merge(&[]).is_err());
}
