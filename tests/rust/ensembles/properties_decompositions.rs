//! Properties of code books, decodings, costs and the models that use them.

use imbcore_core::{
    ClassWeights, CostMatrixSpec, CostRule, CostStrategy, Costs, Dataset, Decision, DecisionPlan, RowCosts,
    RunContext, Schema, SeedKey,
};
use imbcore_ensembles::decompose::{CodeBook, CodeColumnCountRule, ColumnPredictor, Decoding};
use imbcore_methods::{FitContext, FitTask, FittedEstimator, Model, fit};
use imbcore_tests::toy::{Kinds, Toy, toys};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

const WRAPPERS: [&str; 3] = ["ova", "ecoc", "ovo"];

fn differ(a: &[i8], b: &[i8]) -> usize {
    a.iter().zip(b).filter(|(x, y)| x != y).count()
}

#[test]
fn exhaustive_codes_contain_every_bipartition_once() {
    for n_classes in 3..=11 {
        let book = CodeBook::exhaustive(n_classes).unwrap();
        assert_eq!(book.n_columns(), (1 << (n_classes - 1)) - 1);
        let mut columns: Vec<Vec<i8>> = (0..book.n_columns()).map(|j| book.column(j).collect()).collect();
        assert!(columns.iter().all(|column| column[0] == 1 && column.contains(&0)));
        columns.sort_unstable();
        columns.dedup();
        assert_eq!(columns.len(), book.n_columns());
        for a in 0..n_classes {
            for b in 0..a {
                assert_eq!(differ(book.row(a), book.row(b)), 1 << (n_classes - 2), "{n_classes}: {a}, {b}");
            }
        }
    }
}

proptest! {
    #[test]
    fn random_codes_are_valid(n_classes in 3_usize..40, seed: u64, dense: bool) {
        let size = if dense { CodeColumnCountRule::Dense } else { CodeColumnCountRule::Default };
        let book = CodeBook::random(n_classes, size, SeedKey::root(seed)).unwrap();
        let columns: Vec<Vec<i8>> = (0..book.n_columns()).map(|j| book.column(j).collect()).collect();
        for (j, column) in columns.iter().enumerate() {
            prop_assert!(column.contains(&0) && column.contains(&1));
            for other in &columns[..j] {
                let distance = differ(column, other);
                prop_assert!(distance > 0 && distance < n_classes, "equal or complementary columns");
            }
        }
        for class in 0..n_classes {
            prop_assert!(book.row(class).contains(&0) && book.row(class).contains(&1));
            prop_assert!((0..class).all(|other| differ(book.row(class), book.row(other)) > 0));
        }
        // A user may pass every code that these rules accept.
        let rows: Vec<Vec<u8>> =
            (0..n_classes).map(|k| book.row(k).iter().map(|&bit| bit.cast_unsigned()).collect()).collect();
        prop_assert_eq!(CodeBook::from_rows(&rows, n_classes).unwrap(), book);
    }

    #[test]
    fn decodings_return_distributions(p in prop::collection::vec(0.0..=1.0_f64, 15), n_classes in 2_usize..=5) {
        let shares = vec![1.0 / n_classes as f64; n_classes];
        let (all, every, pairs) = (
            CodeBook::one_vs_all(n_classes).unwrap(),
            CodeBook::exhaustive(n_classes).unwrap(),
            CodeBook::one_vs_one(n_classes).unwrap(),
        );
        for (decoding, book) in [
            (Decoding::Normalize, &all),
            (Decoding::Sum, &all),
            (Decoding::Sum, &every),
            (Decoding::Log, &every),
            (Decoding::Hamming, &every),
            (Decoding::Vote, &pairs),
            (Decoding::Coupling, &pairs),
        ] {
            let proba_row = decoding.decode(book, &p[..book.n_columns()], &shares);
            prop_assert_eq!(proba_row.len(), n_classes);
            prop_assert!(proba_row.iter().all(|p| (0.0..=1.0).contains(p)), "{:?}: {:?}", decoding, proba_row);
            prop_assert!((proba_row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}: {:?}", decoding, proba_row);
        }
    }

    #[test]
    fn cost_decision_has_the_lowest_expected_cost(
        cells in prop::collection::vec(0_u8..6, 16),
        proba_row in prop::collection::vec(0_u8..5, 4),
    ) {
        let cells: Vec<f64> = cells.into_iter().map(f64::from).collect();
        let proba_row: Vec<f64> = proba_row.into_iter().map(|p| f64::from(p) / 8.0).collect();
        // Small integers divided by eight: every sum is exact, so ties are exact.
        let expected_cost = |answer: usize| (0..4).map(|truth| proba_row[truth] * cells[truth * 4 + answer]).sum::<f64>();
        let Ok(costs) = Costs::new(cells.clone(), 4) else { return Ok(()) };
        let answer = Decision::Costs(CostRule::Same(costs)).decide(&proba_row, 4).unwrap()[0] as usize;
        let least = (0..4).map(expected_cost).fold(f64::INFINITY, f64::min);
        prop_assert_eq!(answer, (0..4).position(|answer| expected_cost(answer) == least).unwrap());
    }

    #[test]
    fn ting_weights_keep_the_total(
        off_diagonal in prop::collection::vec(0.1..20.0_f64, 6),
        mass in prop::collection::vec(0.5..100.0_f64, 3),
    ) {
        let mut off = off_diagonal.into_iter();
        let cells = (0..9).map(|cell| if cell % 4 == 0 { 0.0 } else { off.next().unwrap() }).collect();
        let weights = Costs::new(cells, 3).unwrap().ting_class_weights(&mass).unwrap();
        let total: f64 = weights.iter().zip(&mass).map(|(w, n)| w * n).sum();
        let n: f64 = mass.iter().sum();
        prop_assert!((total - n).abs() < 1e-9 * n);
    }

    #[test]
    fn two_class_costs_equal_elkans_threshold(miss in 0.1..50.0_f64, false_alert in 0.1..50.0_f64, p in 0.0..=1.0_f64) {
        let costs = Costs::new(vec![0.0, false_alert, miss, 0.0], 2).unwrap();
        let threshold = costs.elkan_threshold().unwrap();
        prop_assume!((p - threshold).abs() > 1e-9);
        let cheapest = RowCosts::with_one_matrix(&costs, 1).cheapest_classes(&[1.0 - p, p]).unwrap();
        prop_assert_eq!(cheapest, [u32::from(p >= threshold)]);
    }
}

fn schema(toy: &Toy) -> Schema {
    let kind = |(index, kind): (usize, imbcore_trees::ColumnKind)| match kind {
        imbcore_trees::ColumnKind::Numeric => json!({"name": format!("x{index}"), "kind": "numeric"}),
        imbcore_trees::ColumnKind::Nominal(levels) => {
            json!({"name": format!("x{index}"), "kind": "nominal", "levels": (0..levels).collect::<Vec<_>>()})
        }
    };
    let features: Vec<Value> = toy.kinds().into_iter().enumerate().map(kind).collect();
    let classes: Vec<usize> = (0..toy.n_classes).collect();
    let all = json!({"features": features, "named": false, "classes": classes, "class_dtype": "int64"});
    Schema::from_json(&all.to_string()).unwrap()
}

fn model(
    toy: &Toy,
    method: &str,
    params: &Value,
    costs: Option<&DecisionPlan>,
) -> imbcore_core::Result<Model> {
    let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
    let params = params.to_string();
    let class_weight = toy.class_weight.clone().map(ClassWeights::Given);
    let task = FitTask {
        method,
        params: &params,
        class_weight: class_weight.as_ref(),
        costs,
        positive: None,
        key: SeedKey::root(3),
        context: FitContext::default(),
    };
    fit(&task, &data, schema(toy), RunContext::silent())
}

fn proba(model: &Model, toy: &Toy) -> Vec<f64> {
    model.proba(&toy.frame(), RunContext::silent()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn summed_ova_of_three_classes_is_the_exhaustive_code(toy in toys(Kinds { classes: 3, ..Kinds::ALL })) {
        prop_assume!(toy.n_classes == 3);
        let tree = json!({"max_depth": 4});
        let ova = model(&toy, "ova", &json!({"decoding": "sum", "estimator_params": tree}), None);
        let ecoc = model(&toy, "ecoc", &json!({"estimator_params": tree}), None);
        let (Ok(ova), Ok(ecoc)) = (ova, ecoc) else { return Ok(()) };
        // Column 100 of the code is class 0 against all; 101 and 110 are complements of the other two. A two-class tree
        // with Hellinger splits and Laplace leaves is the same for a task and its complement.
        for (a, b) in proba(&ova, &toy).iter().zip(proba(&ecoc, &toy)) {
            prop_assert!((a - b).abs() < 1e-12, "{} and {}", a, b);
        }
    }

    #[test]
    fn decompositions_are_read_back_from_files(toy in toys(Kinds::ALL), which in 0..WRAPPERS.len(), base in 0..2_usize) {
        let base = ["cart", "c44"][base];
        let params = json!({"estimator": base, "estimator_params": {"max_depth": 3}});
        let Ok(model) = model(&toy, WRAPPERS[which], &params, None) else { return Ok(()) };
        let again = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
        prop_assert!(again.to_bytes().unwrap() == model.to_bytes().unwrap());
        prop_assert_eq!(proba(&again, &toy), proba(&model, &toy));
    }

    #[test]
    fn permuted_classes_permute_probabilities(toy in toys(Kinds { classes: 4, ..Kinds::PLAIN })) {
        let c = toy.n_classes;
        let turned = Toy { classes: toy.classes.iter().map(|&k| (k + 1) % c as u32).collect(), ..toy.clone() };
        let tree = json!({"estimator_params": {"max_depth": 2}});
        let (Ok(a), Ok(b)) = (model(&toy, "ova", &tree, None), model(&turned, "ova", &tree, None)) else {
            return Ok(());
        };
        let (a, b) = (proba(&a, &toy), proba(&b, &toy));
        for (row, renamed) in a.chunks_exact(c).zip(b.chunks_exact(c)) {
            for class in 0..c {
                prop_assert!((row[class] - renamed[(class + 1) % c]).abs() < 1e-12);
            }
        }
    }
}

fn plan(strategy: CostStrategy, cells: Vec<f64>, n: usize) -> DecisionPlan {
    let matrix = Some(CostMatrixSpec::Given(Costs::new(cells, n).unwrap()));
    DecisionPlan { matrix, strategy, threshold: None, calibration: None }
}

/// Two overlapping classes on one numeric column; the second is rare.
fn overlapping() -> Toy {
    let values: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 100)).collect();
    let classes = (0..200_u32).map(|i| u32::from(i * 37 % 100 > 70 && i % 3 == 0)).collect();
    let columns = vec![imbcore_core::ColumnBuf::Numeric(values)];
    Toy { columns, classes, n_classes: 2, weights: None, class_weight: None }
}

#[test]
fn costs_change_decisions_but_not_probabilities() {
    let toy = overlapping();
    let costs = plan(CostStrategy::Decision, vec![0.0, 1.0, 9.0, 0.0], 2);
    let params = json!({"max_depth": 2});
    let (plain, costly) =
        (model(&toy, "cart", &params, None).unwrap(), model(&toy, "cart", &params, Some(&costs)).unwrap());
    assert_eq!(proba(&plain, &toy), proba(&costly, &toy));
    let answers = |model: &Model| model.predict(&toy.frame(), RunContext::silent()).unwrap();
    let by_hand: Vec<u32> =
        proba(&plain, &toy).chunks(2).map(|proba_row| u32::from(proba_row[1] * 9.0 > proba_row[0])).collect();
    assert_eq!(answers(&costly), by_hand);
    assert_ne!(answers(&costly), answers(&plain));
    let again = Model::from_bytes(&costly.to_bytes().unwrap()).unwrap();
    assert_eq!(again.decision(), costly.decision());
    assert_eq!(answers(&again), by_hand);
}

#[test]
fn reweighting_equals_training_with_tings_weights() {
    let toy = overlapping();
    let params = json!({"max_depth": 2});
    let costs = plan(CostStrategy::Reweight, vec![0.0, 1.0, 9.0, 0.0], 2);
    let n: f64 = toy.classes.iter().map(|&k| f64::from(k)).sum();
    let scale = 200.0 / ((200.0 - n) + 9.0 * n);
    let weighted = Toy { class_weight: Some(vec![scale, 9.0 * scale]), ..toy.clone() };
    let reweighted = model(&toy, "cart", &params, Some(&costs)).unwrap();
    assert_eq!(proba(&reweighted, &toy), proba(&model(&weighted, "cart", &params, None).unwrap(), &toy));
    assert_eq!(reweighted.decision(), &Decision::Argmax);
}

#[test]
fn pruning_by_cost_uses_the_matrix() {
    let toy = overlapping();
    let costs = plan(CostStrategy::Decision, vec![0.0, 1.0, 9.0, 0.0], 2);
    let grown = model(&toy, "cart", &json!({"ccp_criterion": "cost"}), Some(&costs)).unwrap();
    let path = grown.pruning_path(None).unwrap();
    let plain = model(&toy, "cart", &json!({"ccp_criterion": "cost"}), None).unwrap();
    assert_ne!(path.risks, plain.pruning_path(None).unwrap().risks);
    let middle = path.alphas[path.alphas.len() / 2];
    let params = json!({"ccp_criterion": "cost", "ccp_alpha": middle});
    let pruned = grown.pruned(middle, None).unwrap();
    assert_eq!(pruned.decision(), grown.decision());
    assert_eq!(
        pruned.fitted_estimator(),
        model(&toy, "cart", &params, Some(&costs)).unwrap().fitted_estimator()
    );
}

#[test]
fn metacost_predicts_the_costly_class_more_often_and_is_deterministic() {
    let toy = overlapping();
    let costs = plan(CostStrategy::Decision, vec![0.0, 1.0, 9.0, 0.0], 2);
    for out_of_bag in [false, true] {
        let params = json!({"estimator": "cart", "estimator_params": {"max_depth": 3}, "n_estimators": 11, "out_of_bag": out_of_bag});
        let costly = model(&toy, "metacost", &params, Some(&costs)).unwrap();
        assert!(costly.fitted_estimator().tree().is_some());
        let alarms =
            |model: &Model| model.predict(&toy.frame(), RunContext::silent()).unwrap().iter().sum::<u32>();
        let plain = model(&toy, "cart", &json!({"max_depth": 3}), None).unwrap();
        assert!(alarms(&costly) > alarms(&plain));
        for n_threads in [1, 2, 7] {
            let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let again = pool.install(|| model(&toy, "metacost", &params, Some(&costs)).unwrap());
            assert!(again.to_bytes().unwrap() == costly.to_bytes().unwrap());
        }
        let read = Model::from_bytes(&costly.to_bytes().unwrap()).unwrap();
        assert_eq!(proba(&read, &toy), proba(&costly, &toy));
    }
    let twice = plan(CostStrategy::Reweight, vec![0.0, 1.0, 9.0, 0.0], 2);
    assert!(
        model(&toy, "metacost", &json!({}), Some(&twice)).unwrap_err().to_string().contains("cost_strategy")
    );
    let absurd = plan(CostStrategy::Decision, vec![0.0, 0.0, 9.0, 0.0], 2);
    let error = model(&toy, "metacost", &json!({"n_estimators": 3}), Some(&absurd)).unwrap_err().to_string();
    assert!(error.contains("is 1 for every row"), "{error}");
}

#[test]
fn decompositions_do_not_depend_on_threads() {
    let values = |step: u32| (0..300_u32).map(|i| f64::from(i * step % 101)).collect::<Vec<_>>();
    let toy = Toy {
        columns: [7, 31, 53].map(|step| imbcore_core::ColumnBuf::Numeric(values(step))).to_vec(),
        classes: (0..300).map(|i| i * 13 % 17 % 5).collect(),
        n_classes: 5,
        weights: None,
        class_weight: Some(vec![1.0, 2.0, 1.5, 1.0, 3.0]),
    };
    for (method, own) in
        [("ova", json!({})), ("ecoc", json!({"code": "random"})), ("ovo", json!({"decoding": "vote"}))]
    {
        let mut params = json!({"estimator": "cart", "estimator_params": {"max_features": 1}});
        params.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        let run = |n_threads| {
            let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| model(&toy, method, &params, None).unwrap().to_bytes().unwrap())
        };
        let one = run(1);
        assert!([1, 2, 7].into_iter().all(|n_threads| run(n_threads) == one), "{method}");
    }
}

#[test]
fn exhaustive_code_of_eleven_classes_is_stored() {
    let values = (0..88).map(|i| f64::from(i * 29 % 88)).collect();
    let toy = Toy {
        columns: vec![imbcore_core::ColumnBuf::Numeric(values)],
        classes: (0..88).map(|i| i % 11).collect(),
        n_classes: 11,
        weights: None,
        class_weight: None,
    };
    let params = json!({"code": "exhaustive", "estimator_params": {"max_depth": 1}});
    let model = model(&toy, "ecoc", &params, None).unwrap();
    let bytes = model.to_bytes().unwrap();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    assert!(header < 8192, "{header}");
    let again = Model::from_bytes(&bytes).unwrap();
    let FittedEstimator::Decomposed(read) = again.fitted_estimator() else { panic!("another family") };
    assert_eq!(read.members().len(), 1023);
    assert!(read.members().iter().all(|member| matches!(member, ColumnPredictor::Fitted(_))));
    assert_eq!(proba(&again, &toy), proba(&model, &toy));
}

#[test]
fn invalid_parameters_are_rejected_by_name() {
    let toy = overlapping();
    let message = |method: &str, params: Value| model(&toy, method, &params, None).unwrap_err().to_string();
    assert!(message("ova", json!({"estimator": "ecoc"})).contains("parameter `estimator`"));
    assert!(message("ova", json!({"estimator": "metacost"})).contains("parameter `estimator`"));
    assert!(message("ova", json!({"estimator": "hdt"})).contains("did you mean `hddt`"));
    assert!(message("ova", json!({"estimator_params": {"depth": 3}})).contains("unknown parameter of hddt"));
    assert!(message("ova", json!({"decoding": "log"})).contains("\"normalize\" or \"sum\", got \"log\""));
    assert!(message("ovo", json!({"decoding": "sum"})).contains("parameter `decoding`"));
    assert!(message("ecoc", json!({"code": [[1], [1]]})).contains("constant column"));
    assert!(message("ecoc", json!({"code": "exhaustive", "code_size": 3})).contains("code_size"));
    assert!(message("ecoc", json!({"code": [[1, 2.5], [1]]})).contains("parameter `code`"));
}
