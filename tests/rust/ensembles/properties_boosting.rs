//! Properties of boosting: whole methods with a recording base learner, and with real trees.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use imbcore_core::{
    Classifier, Column, Dataset, Frame, Label, Result, RunContext, Schema, SeedKey, parse_params,
    random_below,
};
use imbcore_ensembles::boost::{
    AdaBoostParams, AdaC2Params, BalanceCascadeParams, EasyEnsembleParams, RusBoostParams, SmoteBoostParams,
};
use imbcore_ensembles::generic::{
    Bag, BaseLearner, EnsembleMethod, FittedMembers, OutputKind, TrainingContext,
};
use imbcore_methods::{FitContext, FitTask, Model, fit};
use imbcore_tests::{close, codes, golden, items, number, numbers};
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};
use std::sync::Mutex;

const METHODS: [&str; 8] =
    ["adaboost", "rusboost", "smoteboost", "adac1", "adac2", "adac3", "easy_ensemble", "balance_cascade"];

/// Base learner that records the bags; its members predict `predict_class(member, row)`.
struct RecordingLearner<F> {
    n_classes: usize,
    n_rows: usize,
    predict_class: F,
    bags: Mutex<Vec<Bag>>,
}

impl<F: Fn(usize, u32) -> u32 + Sync> RecordingLearner<F> {
    fn new(data: &Dataset<'_>, predict_class: F) -> Self {
        Self { n_classes: data.n_classes(), n_rows: data.n_rows(), predict_class, bags: Mutex::default() }
    }

    fn bags(self) -> Vec<Bag> {
        self.bags.into_inner().unwrap()
    }
}

impl<F: Fn(usize, u32) -> u32 + Sync> BaseLearner for RecordingLearner<F> {
    type Member = usize;
    type Preparation = Vec<u32>;

    fn supports_weights(&self) -> bool {
        true
    }

    fn is_sequential(&self) -> bool {
        true
    }

    fn fit_to_bag(&self, bag: &Bag, _: u32, _: RunContext<'_>) -> Result<usize> {
        let mut bags = self.bags.lock().unwrap();
        bags.push(bag.clone());
        Ok(bags.len() - 1)
    }

    fn prepare(&self, rows: Option<&[u32]>, _: RunContext<'_>) -> Result<Vec<u32>> {
        Ok(rows.map_or_else(|| (0..self.n_rows as u32).collect(), <[u32]>::to_vec))
    }

    fn fit_weighted(
        &self,
        rows: &Vec<u32>,
        weights: &[f64],
        seed: u32,
        ctl: RunContext<'_>,
    ) -> Result<usize> {
        self.fit_to_bag(&Bag { weights: Some(weights.to_vec()), ..Bag::from_rows(rows.clone()) }, seed, ctl)
    }

    fn member_output(
        &self,
        member: &usize,
        rows: &Vec<u32>,
        _: &[u32],
        _: OutputKind,
        _: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let predictions = |&row: &u32| {
            let mut proba = vec![0.0; self.n_classes];
            proba[(self.predict_class)(*member, row) as usize] = 1.0;
            proba
        };
        Ok(rows.iter().flat_map(predictions).collect())
    }
}

fn assembled<P: EnsembleMethod + Default, T: BaseLearner>(
    params: &Value,
    base_learner: &T,
    data: &Dataset<'_>,
) -> Result<FittedMembers<T::Member>> {
    let params = parse_params("test", &P::default(), params.as_object().unwrap())?;
    params.check("test")?;
    let labels: Vec<Label> =
        (0..data.n_classes()).map(|class| Label::Int(i64::try_from(class).unwrap())).collect();
    let (positive, key, ctl) = (1, SeedKey::root(3), RunContext::silent());
    params.fit_members("test", base_learner, &TrainingContext { data, labels: &labels, positive, key, ctl })
}

/// Bag weights, votes and errors of `AdaBoost` equal those of scikit-learn's arithmetic.
#[test]
fn votes_match_scikit_learn_for_its_members() {
    for case in items(&golden("resampling/boosting")["cases"]) {
        let classes = codes(&case["y"]);
        let x = vec![0.0; classes.len()];
        let n_classes = case["n_classes"].as_u64().unwrap() as usize;
        let data =
            Dataset::new(Frame::new(vec![Column::from_numbers(&x)]).unwrap(), &classes, n_classes, None)
                .unwrap();
        let predictions: Vec<Vec<u32>> = items(&case["predictions"]).iter().map(codes).collect();
        let costs = &case["costs"];
        for (name, trace) in [
            ("m1", json!({"algorithm": "M1"})),
            ("samme", json!({})),
            ("adac2", json!({"class_costs": costs})),
        ] {
            let Some(expected) = case["traces"].get(name) else { continue };
            let recorder = RecordingLearner::new(&data, |member, row| predictions[member][row as usize]);
            let mut params = trace;
            params["n_estimators"] = json!(predictions.len());
            let found = match name {
                "adac2" => assembled::<AdaC2Params, _>(&params, &recorder, &data).unwrap(),
                _ => assembled::<AdaBoostParams, _>(&params, &recorder, &data).unwrap(),
            };
            let agree = |found: &[f64], expected: &Value| {
                let expected = numbers(expected);
                found.len() == expected.len()
                    && found.iter().zip(&expected).all(|(a, b)| close(*a, *b, 1e-10))
            };
            assert!(agree(&found.voting.votes, &expected["alphas"]), "{name}");
            assert!(agree(&found.voting.errors, &expected["errors"]), "{name}");
            let n = classes.len() as f64;
            for (bag, weights) in recorder.bags().iter().zip(items(&expected["weights"])) {
                let shares: Vec<f64> =
                    bag.weights.as_ref().unwrap().iter().map(|weight| weight / n).collect();
                assert!(agree(&shares, weights), "{name}");
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{name}");
            }
        }
    }
}

/// Rows of two columns; the last `n_rare` of `n` rows have class 1 and are shifted.
struct RareClassData {
    columns: [Vec<f64>; 2],
    classes: Vec<u32>,
}

impl RareClassData {
    fn new(n: usize, n_rare: usize) -> Self {
        let mut rng = SeedKey::root(11).rng();
        let classes: Vec<u32> = (0..n).map(|row| u32::from(row >= n - n_rare)).collect();
        let mut column = |shift: f64| -> Vec<f64> {
            classes
                .iter()
                .map(|&class| f64::from(random_below(&mut rng, 1000)) / 250.0 + shift * f64::from(class))
                .collect()
        };
        let columns = [column(1.5), column(0.5)];
        Self { columns, classes }
    }

    fn data(&self) -> Dataset<'_> {
        let frame =
            Frame::new(self.columns.iter().map(|values| Column::from_numbers(values)).collect()).unwrap();
        Dataset::new(frame, &self.classes, 2, None).unwrap()
    }

    fn fit(&self, method: &str, params: &Value, n_threads: usize) -> Result<Model> {
        let features: Vec<Value> =
            (0..2).map(|j| json!({"name": format!("x{j}"), "kind": "numeric"})).collect();
        let schema = json!({"features": features, "named": true, "classes": [0, 1], "class_dtype": "int64"});
        let schema = Schema::from_json(&schema.to_string()).unwrap();
        let task = FitTask {
            method,
            params: &params.to_string(),
            class_weight: None,
            costs: None,
            positive: None,
            key: SeedKey::root(5),
            context: FitContext::default(),
        };
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| fit(&task, &self.data(), schema, RunContext::silent()))
    }

    fn proba(&self, model: &Model) -> Vec<f64> {
        model.proba(self.data().frame(), RunContext::silent()).unwrap()
    }
}

#[test]
fn bytes_do_not_depend_on_threads_or_runs() {
    let rare = RareClassData::new(300, 30);
    for method in METHODS {
        for base in [json!({}), json!({"estimator": "hddt", "estimator_params": {"max_depth": 3}})] {
            let mut params = base;
            params["n_estimators"] = json!(4);
            let one = rare.fit(method, &params, 1).unwrap();
            let bytes = one.to_bytes().unwrap();
            for n_threads in [1, 2, 7] {
                let again = rare.fit(method, &params, n_threads).unwrap();
                assert!(again.to_bytes().unwrap() == bytes, "{method}: {n_threads} threads");
            }
            let read = Model::from_bytes(&bytes).unwrap();
            assert!(read == one && rare.proba(&read) == rare.proba(&one), "{method}");
        }
    }
}

#[test]
fn members_no_better_than_chance_raise_an_error() {
    // A constant column and balanced classes: a stump is right for half of the weight.
    let even = RareClassData {
        columns: [vec![0.0; 40], vec![1.0; 40]],
        classes: (0..40).map(|row| row % 2).collect(),
    };
    for method in METHODS {
        // With unequal costs a constant member is better than chance.
        let params = if method.starts_with("adac") { json!({"class_costs": [1.0, 1.0]}) } else { json!({}) };
        let error = even.fit(method, &params, 1).unwrap_err().to_string();
        assert!(error.contains("better than chance"), "{method}: {error}");
    }
}

#[test]
fn perfect_member_ends_boosting() {
    let rare = RareClassData::new(60, 20);
    let data = rare.data();
    let recorder = RecordingLearner::new(&data, |member, row| {
        if member < 2 && row as usize % 7 == member {
            1 - rare.classes[row as usize]
        } else {
            rare.classes[row as usize]
        }
    });
    let found = assembled::<AdaBoostParams, _>(&json!({}), &recorder, &data).unwrap();
    assert_eq!((found.members, found.voting.votes[2], found.voting.errors[2]), (vec![0, 1, 2], 1.0, 0.0));
}

#[test]
fn bad_round_is_resampled_until_attempts_are_used_up() {
    let rare = RareClassData::new(200, 20);
    let data = rare.data();
    // The first two members of each round are wrong on all rows, the third on some.
    let predict_class = |member: usize, row: u32| {
        let right = rare.classes[row as usize];
        if member % 3 < 2 || (row as usize + member).is_multiple_of(5) { 1 - right } else { right }
    };
    for loss in ["m2", "samme"] {
        let recorder = RecordingLearner::new(&data, predict_class);
        let params = json!({"n_estimators": 4, "max_resamples": 3, "loss": loss});
        let found = assembled::<RusBoostParams, _>(&params, &recorder, &data).unwrap();
        assert_eq!(found.members, [2, 5, 8, 11], "{loss}");
        let bags = recorder.bags();
        assert!(
            (1..bags.len()).all(|at| bags[at].rows != bags[at - 1].rows),
            "every attempt draws a new bag"
        );
        for bag in &bags {
            assert_eq!(bag.class_masses(&data).len(), 2);
            assert_eq!(bag.rows.iter().filter(|&&row| row >= 180).count(), 20);
            assert_eq!(bag.rows.len(), 40);
        }
        let stopped = assembled::<RusBoostParams, _>(
            &json!({"max_resamples": 2, "loss": loss}),
            &RecordingLearner::new(&data, predict_class),
            &data,
        );
        assert!(stopped.unwrap_err().to_string().contains("better than chance"), "{loss}");
    }
}

#[test]
fn weights_restart_when_all_attempts_fail() {
    let rare = RareClassData::new(200, 20);
    let data = rare.data();
    // Member 0 is wrong on one row in ten, members 1 and 2 on all rows, 3 as 0, and all later ones on all
    // rows.
    let predict_class = |member: usize, row: u32| {
        let right = rare.classes[row as usize];
        let good = [0, 3].contains(&member) && !row.is_multiple_of(10);
        if good { right } else { 1 - right }
    };
    let boosted = |restarts: bool| {
        let recorder = RecordingLearner::new(&data, predict_class);
        let params = json!({"n_estimators": 9, "max_resamples": 2, "restarts": restarts});
        (assembled::<RusBoostParams, _>(&params, &recorder, &data).unwrap(), recorder.bags())
    };
    let (found, bags) = boosted(true);
    assert_eq!(found.members, [0, 3]);
    // Equal errors because of equal weights, those of the first round.
    assert_eq!(found.voting.errors[0].to_bits(), found.voting.errors[1].to_bits());
    let even = |bag: &Bag| bag.weights.as_ref().unwrap().iter().all(|weight| (weight - 1.0).abs() < 1e-9);
    assert_eq!(
        bags.iter().map(even).collect::<Vec<_>>(),
        [true, false, false, true, false, false, true, true]
    );
    let (found, bags) = boosted(false);
    assert_eq!((found.members, bags.len()), (vec![0], 3));
}

#[test]
fn synthetic_rows_are_interpolations_with_the_right_weights() {
    let rare = RareClassData::new(90, 12);
    let data = rare.data();
    let point = |row: u32| rare.columns.each_ref().map(|column| column[row as usize]);
    let distance = |a: u32, b: u32| {
        let (a, b) = (point(a), point(b));
        (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
    };
    let nearest = |row: u32| -> Vec<u32> {
        let mut others: Vec<u32> = (78..90).filter(|&other| other != row).collect();
        others.sort_by(|&a, &b| distance(row, a).total_cmp(&distance(row, b)).then(a.cmp(&b)));
        others[..3].to_vec()
    };
    for (params, n_synthetic) in [
        (json!({}), 66),
        (json!({"percent": 200.0, "synthetic_weight": "uniform"}), 24),
        (json!({"sampling_strategy": 0.5}), 27),
        (json!({"percent": 0.0}), 0),
    ] {
        let mut params = params;
        params["k_neighbors"] = json!(3);
        params["n_estimators"] = json!(5);
        let recorder = RecordingLearner::new(&data, |member, row| {
            rare.classes[row as usize] ^ u32::from((row as usize + member).is_multiple_of(9))
        });
        assembled::<SmoteBoostParams, _>(&params, &recorder, &data).unwrap();
        let bags = recorder.bags();
        assert_eq!(bags.len(), 5);
        assert!(n_synthetic == 0 || bags[0].made != bags[1].made, "each round generates new rows");
        for bag in &bags {
            assert_eq!((bag.rows.len(), bag.made.len()), (90, n_synthetic));
            let weights = bag.weights.as_ref().unwrap();
            let mean = |rows: &[f64]| rows.iter().sum::<f64>() / rows.len() as f64;
            let wanted = if params["synthetic_weight"] == "uniform" {
                mean(&weights[..90])
            } else {
                mean(&weights[78..90])
            };
            for at in 0..n_synthetic {
                let (source, mate, gap) =
                    (bag.made.sources[at], bag.made.neighbors[at], bag.made.fractions[at]);
                assert!(
                    (78..90).contains(&source)
                        && nearest(source).contains(&mate)
                        && (0.0..1.0).contains(&gap)
                );
                assert_eq!(bag.made.classes[at], 1);
                assert!((weights[90 + at] / wanted - 1.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn cascade_keeps_as_many_hard_negatives_as_positives() {
    let (n, n_rare) = (410, 10);
    let rare = RareClassData::new(n, n_rare);
    let data = rare.data();
    // Members predict all positives correctly; a negative is a false positive of more members if its number
    // is higher.
    let predict_class = |member: usize, row: u32| {
        let easy = row < [100, 200, 300, 380][member % 4];
        u32::from(row >= 400 || !easy)
    };
    let recorder = RecordingLearner::new(&data, predict_class);
    let params = json!({"n_estimators": 3, "n_rounds_per_subset": 4});
    let found = assembled::<BalanceCascadeParams, _>(&params, &recorder, &data).unwrap();
    assert!(found.members.len() >= 3);
    let bags = recorder.bags();
    let negatives = |bag: &Bag| -> Vec<u32> { bag.rows.iter().copied().filter(|&row| row < 400).collect() };
    for bag in &bags {
        assert_eq!((bag.rows.len(), negatives(bag).len()), (20, 10));
    }
    // 400 to 63 to 10 rows by the factor 0.158. All scores of the last ones are equal, so the first of them
    // are kept.
    let last = negatives(bags.last().unwrap());
    assert!(last.iter().all(|&row| row >= 300), "{last:?}");
    let error = assembled::<BalanceCascadeParams, _>(
        &json!({"n_estimators": 1}),
        &RecordingLearner::new(&data, predict_class),
        &data,
    );
    assert!(error.unwrap_err().to_string().contains("n_estimators"));
}

/// Proportion of the votes for the second class, of the members in `part`.
fn vote_proportion(model: &Model, frame: &Frame<'_>, part: std::ops::Range<usize>) -> Vec<f64> {
    let ensemble = model.fitted_estimator().ensemble().unwrap();
    let votes = &ensemble.voting().votes[part.clone()];
    let mut sums = vec![0.0; frame.n_rows()];
    for (member, vote) in ensemble.members()[part].iter().zip(votes) {
        let predictions = member.predict(frame, RunContext::silent()).unwrap();
        sums.iter_mut().zip(predictions).for_each(|(sum, class)| *sum += vote * f64::from(class));
    }
    let total: f64 = votes.iter().sum();
    sums.iter().map(|sum| sum / total).collect()
}

#[test]
fn easy_ensemble_pools_members_or_averages_samples() {
    let rare = RareClassData::new(400, 40);
    let data = rare.data();
    let logistic = |vote_proportion: &f64| 1.0 / (1.0 + (-2.0 * (2.0 * vote_proportion - 1.0)).exp());
    let params = |combine: &str, prior_correction: &str| json!({"n_estimators": 3, "n_rounds_per_subset": 4, "combine": combine, "prior_correction": prior_correction});
    let sum = rare.fit("easy_ensemble", &params("sum", "none"), 2).unwrap();
    let n = sum.fitted_estimator().ensemble().unwrap().members().len();
    assert_eq!(n, 12);
    let pooled = vote_proportion(&sum, data.frame(), 0..n);
    for (p, vote_proportion) in rare.proba(&sum).chunks_exact(2).zip(&pooled) {
        assert!((p[1] - logistic(vote_proportion)).abs() < 1e-12);
    }
    let proba = rare.fit("easy_ensemble", &params("proba", "none"), 2).unwrap();
    let stages: Vec<Vec<f64>> =
        (0..3).map(|stage| vote_proportion(&proba, data.frame(), 4 * stage..4 * stage + 4)).collect();
    for (row, p) in rare.proba(&proba).chunks_exact(2).enumerate() {
        let mean = stages.iter().map(|stage| logistic(&stage[row])).sum::<f64>() / 3.0;
        assert!((p[1] - mean).abs() < 1e-12);
    }
    // Nine negatives per positive: the odds are divided by nine and the predictions stay.
    let prior = rare.fit("easy_ensemble", &params("sum", "prior"), 2).unwrap();
    for (p, raw) in rare.proba(&prior).chunks_exact(2).zip(rare.proba(&sum).chunks_exact(2)) {
        assert!((p[1] / p[0] * 9.0 / (raw[1] / raw[0]) - 1.0).abs() < 1e-12);
    }
    let predict = |model: &Model| model.predict(data.frame(), RunContext::silent()).unwrap();
    assert_eq!(predict(&prior), predict(&sum));
    assert_ne!(
        predict(&prior),
        rare.proba(&prior).chunks_exact(2).map(|p| u32::from(p[1] > 0.5)).collect::<Vec<_>>()
    );
}

#[test]
fn grid_chooses_the_largest_of_equally_good_costs() {
    let rare = RareClassData::new(120, 24);
    let data = rare.data();
    // Predictions do not depend on the costs: every cost has the same score.
    let predict_class = |_: usize, row: u32| rare.classes[row as usize] ^ u32::from(row % 10 == 3);
    let recorder = RecordingLearner::new(&data, predict_class);
    let params = json!({"n_estimators": 2, "grid": [0.5, 1.0, 0.7], "grid_cv": 3});
    let found = assembled::<AdaC2Params, _>(&params, &recorder, &data).unwrap();
    let given = RecordingLearner::new(&data, predict_class);
    let costs =
        assembled::<AdaC2Params, _>(&json!({"n_estimators": 2, "class_costs": [1.0, 1.0]}), &given, &data)
            .unwrap();
    assert_eq!(found.voting.votes, costs.voting.votes);
    assert!(number(&json!(found.voting.errors[0])) > 0.0);
}

#[test]
fn binary_methods_reject_three_classes() {
    let classes: Vec<u32> = (0..30).map(|row| row % 3).collect();
    let x: Vec<f64> = (0..30).map(|row| f64::from(row % 3)).collect();
    let data = Dataset::new(Frame::new(vec![Column::from_numbers(&x)]).unwrap(), &classes, 3, None).unwrap();
    let predict_class = |_: usize, row: u32| if row.is_multiple_of(5) { (row + 1) % 3 } else { row % 3 };
    let refused =
        assembled::<BalanceCascadeParams, _>(&json!({}), &RecordingLearner::new(&data, predict_class), &data);
    assert!(refused.unwrap_err().to_string().contains("OVA"));
    let found =
        assembled::<EasyEnsembleParams, _>(&json!({}), &RecordingLearner::new(&data, predict_class), &data)
            .unwrap();
    assert!(!found.members.is_empty());
    assert!(
        assembled::<AdaC2Params, _>(
            &json!({"class_costs": "ratio"}),
            &RecordingLearner::new(&data, predict_class),
            &data
        )
        .is_ok()
    );
}
