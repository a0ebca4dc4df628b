//! Tests of classifiers, from data to predictions.

use super::learner::BayesParams;
use super::params::{
    FullBayesParams, KdbBayesParams, NaiveBayesParams, TanBayesParams, bayes_bagging_defaults,
    full_bayes_defaults,
};
use super::{BayesModel, DiscretizationTiming, MemberWeighting};
use crate::golden::{golden, table_of};
use crate::search::{TemperedUse, Tempering};
use crate::table::DiscreteTable;
use imbcore_core::{
    Classifier, Column, ColumnBuf, CompositeParams, Dataset, Error, Frame, Learner, RunContext, Schema,
    SeedKey,
};

struct Data {
    columns: Vec<Vec<u32>>,
    levels: Vec<u32>,
    classes: Vec<u32>,
    n_classes: usize,
}

impl Data {
    fn new(table: &DiscreteTable, class: usize) -> Self {
        let wide = |at: usize| {
            let code =
                |&code: &u16| if code == crate::MISSING { imbcore_core::MISSING } else { u32::from(code) };
            table.codes(at).iter().map(code).collect::<Vec<u32>>()
        };
        let others = || (0..table.n_columns()).filter(|&at| at != class);
        Self {
            columns: others().map(wide).collect(),
            levels: others().map(|at| table.n_states_by_column()[at]).collect(),
            classes: wide(class),
            n_classes: table.n_states_by_column()[class] as usize,
        }
    }

    fn frame(&self) -> Frame<'_> {
        let columns = self.columns.iter().zip(&self.levels);
        Frame::new(columns.map(|(codes, &levels)| Column::Nominal { codes, levels }).collect()).unwrap()
    }

    fn fit(&self, params: impl BayesParams, weights: Option<Vec<f64>>) -> imbcore_core::Result<BayesModel> {
        let data = Dataset::new(self.frame(), &self.classes, self.n_classes, None)?;
        params.build_learner("test")?.with_class_weight(weights).fit(
            &data,
            SeedKey::root(3),
            RunContext::silent(),
        )
    }

    fn balanced(&self) -> Vec<f64> {
        let count = |class: u32| self.classes.iter().filter(|&&code| code == class).count();
        let scale = self.classes.len() as f64 / self.n_classes as f64;
        (0..self.n_classes as u32).map(|class| scale / count(class) as f64).collect()
    }
}

fn arcs(model: &BayesModel, class: u32) -> Vec<(u32, u32)> {
    let member = &model.members()[0];
    let place = |at: u32| match member.columns.get(at as usize) {
        Some(&column) => column + u32::from(column >= class),
        None => class,
    };
    let mut arcs: Vec<_> =
        member.network.dag().arcs().into_iter().map(|(from, to)| (place(from), place(to))).collect();
    arcs.sort_unstable();
    arcs
}

fn kdb(k: u32) -> KdbBayesParams {
    let mut params = KdbBayesParams::default();
    params.inner.own.own.max_feature_parents = k;
    params
}

#[test]
fn graphs_are_those_of_the_golden_classifiers() {
    let file = golden("classifiers");
    for case in file["cases"].as_array().unwrap() {
        let class = u32::try_from(case["class"].as_u64().unwrap()).unwrap();
        let data = Data::new(&table_of(case), class as usize);
        let wanted = |name: &str| -> Vec<(u32, u32)> { serde_json::from_value(case[name].clone()).unwrap() };
        let what = case["net"].as_str().unwrap();
        assert_eq!(
            arcs(&data.fit(NaiveBayesParams::default(), None).unwrap(), class),
            wanted("nb"),
            "{what}"
        );
        assert_eq!(arcs(&data.fit(TanBayesParams::default(), None).unwrap(), class), wanted("tan"), "{what}");
        assert_eq!(arcs(&data.fit(kdb(1), None).unwrap(), class), wanted("kdb1"), "{what}");
        assert_eq!(arcs(&data.fit(kdb(2), None).unwrap(), class), wanted("kdb2"), "{what}");
        let balanced = data.fit(TanBayesParams::default(), Some(data.balanced())).unwrap();
        assert_eq!(arcs(&balanced, class), wanted("tan_balanced"), "{what}");
        // With exponent phi = 0, tempered weights give all classes equal total weight, like balanced class
        // weights.
        let mut params = TanBayesParams::default();
        params.inner.own.inner.rectify = Some(Tempering::Tempered);
        params.inner.own.inner.phi = 0.0;
        assert_eq!(arcs(&data.fit(params, None).unwrap(), class), wanted("tan_balanced"), "{what}");
    }
}

fn toy() -> Data {
    let mut state = 5_u64;
    let mut draw = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % bound
    };
    let classes: Vec<u32> = (0..400).map(|_| u32::from(draw(8) == 0)).collect();
    let mut signal = |strength: u64| -> Vec<u32> {
        let value = |&class: &u32| {
            if draw(40) == 0 {
                imbcore_core::MISSING
            } else if draw(10) < strength {
                class
            } else {
                draw(3) as u32
            }
        };
        classes.iter().map(value).collect()
    };
    let columns = vec![signal(8), signal(0), signal(6), signal(0)];
    Data { columns, levels: vec![3; 4], classes, n_classes: 2 }
}

fn schema() -> Schema {
    let feature = |at: usize| format!(r#"{{"name":"c{at}","kind":"nominal","levels":[0,1,2]}}"#);
    let features: Vec<String> = (0..4).map(feature).collect();
    let text = format!(
        r#"{{"features":[{}],"named":true,"classes":["no","yes"],"class_dtype":"<U3"}}"#,
        features.join(",")
    );
    Schema::from_json(&text).unwrap()
}

fn proba(model: &BayesModel, data: &Data) -> Vec<f64> {
    model.proba(&data.frame(), RunContext::silent()).unwrap()
}

#[test]
fn tempered_probabilities_come_back_by_calibration() {
    let data = toy();
    let with = |phi: f64, weights| {
        let mut params = NaiveBayesParams::default();
        params.inner.own.inner.rectify = Some(Tempering::Tempered);
        params.inner.own.inner.phi = phi;
        params.inner.own.inner.used_for = weights;
        data.fit(params, None).unwrap()
    };
    // In naive Bayes, tempered class weights change only the class distribution, apart from the small effect
    // of the prior.
    let plain = proba(&data.fit(NaiveBayesParams::default(), None).unwrap(), &data);
    let even = with(0.0, TemperedUse::Both);
    assert_eq!(even.training_stats().weighted_fractions, [0.5, 0.5]);
    let calibrated = even.calibrated_proba(&data.frame(), RunContext::silent()).unwrap();
    let worst = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst(&plain, &calibrated) < 0.02, "{}", worst(&plain, &calibrated));
    assert!(worst(&plain, &proba(&even, &data)) > 0.2);
    assert_eq!(proba(&with(0.0, TemperedUse::Structure), &data), plain);
}

#[test]
fn ensemble_with_test_weights_is_a_mixture() {
    let data = toy();
    let bagged = |weights: MemberWeighting, discretize, stratified| {
        let mut params = bayes_bagging_defaults();
        params.own.n_estimators = 4;
        params.own.weights = weights;
        params.own.discretize = discretize;
        params.own.stratified = stratified;
        data.fit(params, None).unwrap()
    };
    for discretize in [DiscretizationTiming::Once, DiscretizationTiming::Member] {
        for weights in
            [MemberWeighting::Plain, MemberWeighting::Test, MemberWeighting::Train, MemberWeighting::Marginal]
        {
            for stratified in [false, true] {
                let model = bagged(weights, discretize, stratified);
                assert_eq!(model.members().len(), 4);
                let found = proba(&model, &data);
                assert!(found.chunks(2).all(|row| (row[0] + row[1] - 1.0).abs() < 1e-12));
                let logs = model.row_log_probabilities(&data.frame(), RunContext::silent()).unwrap();
                assert!(logs.iter().all(|log| log.is_finite() && *log <= 0.0));
                let best = model.member_log_weights().iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(best, 0.0);
            }
        }
    }
}

#[test]
fn a_class_without_arcs_is_diagnosed_and_can_be_joined() {
    let data = toy();
    let searched = |constant: f64, require_class_arc| {
        let mut params: FullBayesParams = full_bayes_defaults();
        params.inner.own.inner.structure_constant = constant;
        params.inner.own.own.require_class_arc = require_class_arc;
        data.fit(params, None).unwrap()
    };
    let alone = searched(1000.0, false).diagnose_zero_recall(&schema(), RunContext::silent()).unwrap();
    assert_eq!((alone.class_isolated, alone.arc_unaffordable), (1, Some(true)));
    assert_eq!(alone.never_predicted, Some(vec![1]));
    assert_eq!(alone.train_recall, [Some(1.0), Some(0.0)]);
    let named = ["class_isolated", "arc_unaffordable", "never_predicted", "train_recall"];
    assert!(named.iter().zip(&alone.messages).all(|(name, message)| message.starts_with(name)));
    assert!(alone.messages[2].contains("more probable than yes"), "{:?}", alone.messages);
    let joined = searched(1000.0, true);
    let dag = joined.members()[0].network.dag();
    // The first column depends on the class most strongly. If values are missing, the two directions of the
    // arc have different scores, so both are accepted.
    assert!([[(4, 0)], [(0, 4)]].contains(&[dag.arcs()[0]]) && dag.arcs().len() == 1, "{:?}", dag.arcs());
    let fine = searched(1.0, false).diagnose_zero_recall(&schema(), RunContext::silent()).unwrap();
    assert_eq!((fine.class_isolated, fine.arc_unaffordable), (0, Some(false)));
    assert_eq!(fine.messages, Vec::<String>::new());
}

#[test]
fn column_constraints_are_translated_to_variables() {
    let mut data = toy();
    data.columns.insert(0, vec![0; data.classes.len()]);
    data.levels.insert(0, 3);
    let searched = |required: Vec<(u32, u32)>, forbidden: Vec<(u32, u32)>| {
        let mut params = full_bayes_defaults();
        params.inner.own.inner.required_arcs = Some(required);
        params.inner.own.inner.forbidden_arcs = Some(forbidden);
        data.fit(params, None)
    };
    let plain = searched(vec![], vec![]).unwrap();
    assert_eq!(plain.members()[0].columns, [1, 2, 3, 4]);
    // Because one column is left out, column 2 is variable 1 of the network, and the class (column 5) is
    // variable 4.
    let ruled = searched(vec![(2, 5)], vec![(5, 1), (1, 5), (0, 5)]).unwrap();
    let arcs = ruled.members()[0].network.dag().arcs();
    assert!(arcs.contains(&(1, 4)) && !arcs.contains(&(4, 0)) && !arcs.contains(&(0, 4)), "{arcs:?}");
    assert!(matches!(searched(vec![(0, 5)], vec![]), Err(Error::Column { column: 0, .. })));
    assert!(matches!(searched(vec![(6, 5)], vec![]), Err(Error::Parameter { .. })));
}

#[test]
fn parameters_out_of_their_domain_are_named() {
    let message = |params: CompositeParams<_, _>| {
        BayesParams::build_learner(params, "bayes_bagging").unwrap_err().to_string()
    };
    let mut params = bayes_bagging_defaults();
    params.own.n_estimators = 0;
    assert!(message(params).contains("n_estimators"));
    let mut params = bayes_bagging_defaults();
    params.own.temperature = 0.0;
    assert!(message(params).contains("temperature"));
    let mut params = bayes_bagging_defaults();
    params.inner.inner.inner.nu0 = 0.9;
    assert!(message(params).contains("nu0"));
    let mut params = TanBayesParams::default();
    params.inner.own.inner.phi = -0.5;
    assert!(params.build_learner("tan").unwrap_err().to_string().contains("phi"));
}

#[test]
fn sampled_rows_follow_the_learned_distribution() {
    let data = toy();
    let numbers: Vec<f64> =
        (0..400).map(|row| f64::from(data.classes[row]) + (row % 17) as f64 / 10.0).collect();
    let mut columns = data.frame().columns().to_vec();
    columns.push(Column::from_numbers(&numbers));
    let frame = Frame::new(columns).unwrap();
    let dataset = Dataset::new(frame.clone(), &data.classes, 2, None).unwrap();
    let learner = TanBayesParams::default().build_learner("tan").unwrap();
    let model = learner.fit(&dataset, SeedKey::root(0), RunContext::silent()).unwrap();
    let draw = |class| model.sample(4000, class, SeedKey::root(9), RunContext::silent()).unwrap();
    let (rows, classes) = draw(None);
    let rare = classes.iter().filter(|&&class| class == 1).count() as f64 / 4000.0;
    assert!(
        (rare - model.training_stats().shares[1]).abs() < 5.0 * (rare * (1.0 - rare) / 4000.0).sqrt(),
        "{rare}"
    );
    let (low, high) = model.training_stats().ranges[4].unwrap();
    let inside = |value: &f64| (low..=high).contains(value);
    match &rows.columns()[4] {
        ColumnBuf::Numeric(values) => assert!(values.iter().all(inside)),
        ColumnBuf::Nominal { .. } => panic!("a numeric column became nominal"),
    }
    let (rare_rows, rare_classes) = draw(Some(1));
    assert!(rare_classes.iter().all(|&class| class == 1));
    let mean = |rows: &imbcore_core::FrameBuf| {
        let proba = model.proba(&rows.borrow().unwrap(), RunContext::silent()).unwrap();
        proba.chunks(2).map(|row| row[1]).sum::<f64>() / 4000.0
    };
    assert!(mean(&rare_rows) > mean(&rows) + 0.2);
    assert!(model.sample(1, Some(2), SeedKey::root(0), RunContext::silent()).is_err());
}

fn log_odds(proba: &[f64], n_classes: usize, class: usize) -> Vec<f64> {
    let odds = |row: &[f64]| {
        let rest: f64 = row.iter().enumerate().filter(|(at, _)| *at != class).map(|(_, p)| p).sum();
        (row[class] / rest).ln()
    };
    proba.chunks_exact(n_classes).map(odds).collect()
}

#[test]
fn weights_of_evidence_are_steps_of_the_log_odds() {
    let mut data = toy();
    let third = |(row, class): (usize, &mut u32)| *class += u32::from(*class == 1 && row % 2 == 0);
    data.classes.iter_mut().enumerate().for_each(third);
    data.n_classes = 3;
    let mut bagged = bayes_bagging_defaults();
    bagged.own.n_estimators = 3;
    bagged.own.weights = MemberWeighting::Test;
    let single = [
        data.fit(NaiveBayesParams::default(), None).unwrap(),
        data.fit(TanBayesParams::default(), None).unwrap(),
        data.fit(kdb(2), None).unwrap(),
    ];
    for model in single.into_iter().chain([data.fit(bagged, None).unwrap()]) {
        let order: Vec<usize> = match model.members() {
            [one] => one.network.topological_order().iter().map(|&v| v as usize).filter(|&v| v < 4).collect(),
            _ => (0..4).collect(),
        };
        for class in 0..3 {
            let (found, base) =
                model.weights_of_evidence(&data.frame(), class, RunContext::silent()).unwrap();
            let mut shown = Data { columns: vec![vec![imbcore_core::MISSING; 400]; 4], ..toy() };
            let mut before = log_odds(&proba(&model, &shown), 3, class);
            assert!(before.iter().all(|odds| (odds - base).abs() < 1e-9));
            for &column in &order {
                shown.columns[column].clone_from(&data.columns[column]);
                let now = log_odds(&proba(&model, &shown), 3, class);
                for row in 0..400 {
                    let step = found[row * 4 + column];
                    assert!((step - (now[row] - before[row])).abs() < 1e-9, "{step}");
                    if data.columns[column][row] == imbcore_core::MISSING {
                        assert_eq!(step, 0.0);
                    }
                }
                before = now;
            }
        }
    }
}

#[test]
fn evidence_of_two_classes_is_the_log_ratio_of_the_columns_table() {
    let mut data = toy();
    for codes in &mut data.columns {
        for code in codes.iter_mut().filter(|code| **code == imbcore_core::MISSING) {
            *code = 2;
        }
    }
    for params in [kdb(0), kdb(1), kdb(2)] {
        let model = data.fit(params, None).unwrap();
        let (found, base) = model.weights_of_evidence(&data.frame(), 1, RunContext::silent()).unwrap();
        let network = &model.members()[0].network;
        for row in 0..400 {
            for column in 0..4 {
                let cpt = &network.cpts()[column];
                let log = |class: u32| {
                    let code = |v: u32| if v == 4 { class } else { data.columns[v as usize][row] };
                    let parents = cpt.parents().iter().zip(cpt.n_states_by_parent());
                    let place = parents
                        .fold(0, |place, (&v, &levels)| place * u64::from(levels) + u64::from(code(v)));
                    cpt.row(place)[data.columns[column][row] as usize].ln()
                };
                assert!((found[row * 4 + column] - (log(1) - log(0))).abs() < 1e-10);
            }
        }
        let prior = network.cpts()[4].row(0);
        assert!((base - (prior[1] / prior[0]).ln()).abs() < 1e-12);
    }
}

#[test]
fn certain_predictions_have_finite_evidence() {
    // Without a prior, a value that no row of a class has gives this class probability 0.
    let columns = vec![vec![0, 0, 0, 1, 1, 1], vec![0, 1, 0, 1, 0, 1]];
    let data = Data { columns, levels: vec![2, 2], classes: vec![0, 0, 0, 1, 1, 1], n_classes: 2 };
    let mut params = NaiveBayesParams::default();
    params.inner.inner.weight = crate::prior::PriorWeight::Rows(0.0);
    let model = data.fit(params, None).unwrap();
    let (found, base) = model.weights_of_evidence(&data.frame(), 1, RunContext::silent()).unwrap();
    assert_eq!(base, 0.0);
    assert_eq!((found[0], found[6]), (-1000.0, 1000.0));
    assert!(found.iter().all(|value| value.is_finite()));
}
