//! Properties of forests on random tables: trees, votes and out-of-bag predictions.

use imbcore_core::{
    ArrayReader, ArrayWriter, Classifier, Column, ColumnBuf, CompositeParams, Dataset, Feature, FeatureKind,
    Label, Learner, OuterParams, Params, Persist, Result, RunContext, Schema, SeedKey, parse_params,
    random_below,
};
use imbcore_ensembles::{
    AlphaDistribution, BalancedForestParams, BeatParams, CriterionTreeGrower, ForestLearner, ForestModel,
    ForestParams, ForestSettings, SvrForestParams,
};
use imbcore_tests::toy::{Kinds, Toy, toys, toys_and_settings, without_gain};
use imbcore_tests::{golden, items, number};
use imbcore_trees::svr::SvrParams;
use imbcore_trees::{DrawnRows, NodeMasses, RowLayout, TreeArrays, TreeParams};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

/// Converts forest parameters into a plan.
trait Planned: Params + OuterParams + Default {
    fn plan(self) -> Result<ForestSettings>;
}

macro_rules! planned {
    ($($params:ty),*) => {$(
        impl Planned for $params {
            fn plan(self) -> Result<ForestSettings> {
                self.check("forest")
            }
        }
    )*};
}

planned! { ForestParams, BalancedForestParams, BeatParams }

fn learner<F: Planned>(
    toy: &Toy,
    params: &Value,
    change: impl FnOnce(ForestSettings) -> ForestSettings,
) -> Result<ForestLearner<CriterionTreeGrower>> {
    let defaults = CompositeParams::new(F::default(), TreeParams::default());
    let CompositeParams { own, inner } = parse_params("forest", &defaults, params.as_object().unwrap())?;
    let trees = inner.check("forest")?.with_class_weight(toy.class_weight.clone());
    Ok(ForestLearner::new("forest", change(own.plan()?), trees))
}

fn grow_at<F: Planned>(
    toy: &Toy,
    params: &Value,
    key: SeedKey,
    change: impl FnOnce(ForestSettings) -> ForestSettings,
) -> ForestModel {
    let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
    let learner = learner::<F>(toy, params, change).unwrap();
    learner.fit(&data, key, RunContext::silent()).unwrap()
}

fn grow<F: Planned>(
    toy: &Toy,
    params: &Value,
    change: impl FnOnce(ForestSettings) -> ForestSettings,
) -> ForestModel {
    grow_at::<F>(toy, params, SeedKey::root(3), change)
}

fn forest(toy: &Toy, params: &Value) -> ForestModel {
    grow::<ForestParams>(toy, params, |plan| plan)
}

/// Parameters of a tree and of a forest in one object.
fn joined(tree: &Value, forest: &Value) -> Value {
    let mut all = tree.clone();
    all.as_object_mut().unwrap().extend(forest.as_object().unwrap().clone());
    all
}

fn trees(model: &ForestModel) -> Vec<TreeArrays> {
    (0..model.n_trees()).map(|tree| model.expand_tree_model(tree).unwrap().tree().to_arrays()).collect()
}

/// Checks that trees are equal; class weights of inner nodes in a packed forest are sums with other last
/// digits.
fn assert_same_tree(found: &TreeArrays, expected: &TreeArrays) -> std::result::Result<(), TestCaseError> {
    let without_masses =
        |tree: &TreeArrays| TreeArrays { mass: NodeMasses::Table(Vec::new()), ..tree.clone() };
    prop_assert_eq!(without_masses(found), without_masses(expected));
    let (NodeMasses::Table(found), NodeMasses::Table(expected)) = (&found.mass, &expected.mass) else {
        return Err(TestCaseError::fail("masses are not a table"));
    };
    prop_assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs()));
    Ok(())
}

#[test]
fn golden_alphas() {
    let file = golden("ensembles/forests");
    for case in items(&file["beat_alpha"]) {
        let distribution = AlphaDistribution { a: number(&case["a"]), b: number(&case["b"]) };
        let (found, expected) = (distribution.quantile(number(&case["u"])), number(&case["alpha"]));
        assert!((found - expected).abs() <= 1e-12 * expected, "{case}: {found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(256)))]

    #[test]
    fn forest_of_one_tree_on_all_rows_is_the_tree((toy, params) in toys_and_settings(Kinds::ALL)) {
        let forest = forest(&toy, &joined(&params, &json!({"n_estimators": 1, "bootstrap": false})));
        let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
        let learner = parse_params("tree", &TreeParams::default(), params.as_object().unwrap()).unwrap();
        let learner = learner.check("tree").unwrap().with_class_weight(toy.class_weight.clone()).with_random_feature_order(true);
        // The seed key of the first tree of a forest.
        let single = learner.fit(&data, SeedKey::root(3).child(20, 0), RunContext::silent()).unwrap();
        assert_same_tree(&trees(&forest)[0], &single.tree().to_arrays())?;
        let proba = forest.proba(&toy.frame(), RunContext::silent()).unwrap();
        let expected = single.proba(&toy.frame(), RunContext::silent()).unwrap();
        prop_assert!(proba.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-12));
    }

    #[test]
    fn predictions_do_not_depend_on_other_rows((toy, params) in toys_and_settings(Kinds::ALL), hard in any::<bool>()) {
        let vote = if hard { "hard" } else { "soft" };
        let forest = forest(&toy, &joined(&params, &json!({"n_estimators": 11, "voting": vote})));
        let together = forest.proba(&toy.frame(), RunContext::silent()).unwrap();
        prop_assert_eq!(&forest.proba(&toy.frame(), RunContext::silent().with_smaller_tasks(100_000)).unwrap(), &together);
        for (row, expected) in (0..).zip(together.chunks_exact(toy.n_classes)) {
            let alone = toy.take(&[row]);
            prop_assert_eq!(&forest.proba(&alone.frame(), RunContext::silent()).unwrap(), expected);
        }
    }

    #[test]
    fn sampled_rows_grow_the_tree_of_their_table(
        (toy, params) in toys_and_settings(Kinds::ALL),
        raw in prop::collection::vec(any::<u32>(), 1..60),
    ) {
        prop_assume!(params["min_weight_leaf"] == 0.0);
        // If missing values are a level, the whole table may have one that the sampled rows do not.
        prop_assume!(params["missing"] != "value");
        let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
        let weights = toy.row_weights();
        // The first two rows have different classes and nonzero weight; a single class cannot be split.
        let mut rows: Vec<u32> = raw.iter().map(|raw| raw % toy.classes.len() as u32).chain([0, 1]).collect();
        rows.retain(|&row| weights[row as usize] > 0.0);
        rows.sort_unstable();
        let table = toy.take(&rows);
        for layout in [RowLayout::Presorted, RowLayout::Ranked] {
            let learner = parse_params("tree", &TreeParams::default(), params.as_object().unwrap()).unwrap();
            let learner = learner.check("tree").unwrap().with_class_weight(toy.class_weight.clone()).with_row_layout(layout);
            let ground = learner.prepare(&data, RunContext::silent()).unwrap();
            let (key, drawn) = (SeedKey::root(3), DrawnRows::Listed(&rows));
            let tree = learner.grow(&ground, learner.criterion(), drawn, key, RunContext::silent()).unwrap();
            // The whole table decides which rows are rare, and so the order of summation.
            let expected = table.fit(&params);
            let (found, expected) = (without_gain(&tree), without_gain(expected.tree()));
            prop_assert_eq!(&found.kind, &expected.kind, "{:?}", layout);
            prop_assert_eq!(&found.rows, &expected.rows);
            prop_assert_eq!(&found.operand, &expected.operand);
        }
    }

    #[test]
    fn soft_and_hard_votes_are_those_of_the_members((toy, params) in toys_and_settings(Kinds::ALL)) {
        let settings = joined(&params, &json!({"n_estimators": 7}));
        let soft = forest(&toy, &settings);
        let hard = forest(&toy, &joined(&settings, &json!({"voting": "hard"})));
        let (frame, c) = (toy.frame(), toy.n_classes);
        let ctl = RunContext::silent();
        let mut mean = vec![0.0; frame.n_rows() * c];
        let mut votes = mean.clone();
        for tree in 0..7 {
            let member = soft.expand_tree_model(tree).unwrap();
            for (sum, p) in mean.iter_mut().zip(member.proba(&frame, ctl).unwrap()) {
                *sum += p / 7.0;
            }
            for (row, class) in member.predict(&frame, ctl).unwrap().into_iter().enumerate() {
                votes[row * c + class as usize] += 1.0 / 7.0;
            }
        }
        let near = |found: &[f64], expected: &[f64]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        prop_assert!(near(&soft.proba(&frame, ctl).unwrap(), &mean));
        prop_assert!(near(&hard.proba(&frame, ctl).unwrap(), &votes));
        prop_assert_eq!(trees(&soft), trees(&hard));
    }

    #[test]
    fn more_trees_and_threads_do_not_change_the_first_trees(
        (toy, params) in toys_and_settings(Kinds::ALL),
        n_threads in 1..8_usize,
    ) {
        let few = forest(&toy, &joined(&params, &json!({"n_estimators": 3, "oob_score": true})));
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let many = joined(&params, &json!({"n_estimators": 8, "oob_score": true}));
        let many = pool.install(|| forest(&toy, &many));
        prop_assert_eq!(&trees(&few)[..], &trees(&many)[..3]);
    }

    #[test]
    fn warm_started_forest_equals_a_cold_one((toy, params) in toys_and_settings(Kinds::ALL)) {
        let given = |n: u32, oob_score: bool| {
            joined(&params, &json!({"n_estimators": n, "oob_score": oob_score, "prior_correction": "prior"}))
        };
        let (few, many) = (forest(&toy, &given(3, false)), forest(&toy, &given(8, true)));
        let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
        let from = |earlier: &ForestModel, n: u32| {
            let learner = learner::<ForestParams>(&toy, &given(n, true), |plan| plan).unwrap();
            learner.fit_more_trees(Some(earlier), &data, SeedKey::root(3), RunContext::silent()).unwrap()
        };
        prop_assert_eq!(&from(&few, 8), &many);
        prop_assert_eq!(&from(&from(&few, 5), 8), &many);
        prop_assert_eq!(&from(&many, 8), &many);
        // The trees are really reused, even those of another forest.
        let other = grow_at::<ForestParams>(&toy, &given(3, false), SeedKey::root(4), |plan| plan);
        let mixed = trees(&from(&other, 8));
        prop_assert_eq!(&mixed[..3], &trees(&other)[..]);
        prop_assert_eq!(&mixed[3..], &trees(&many)[3..]);
    }

    #[test]
    fn hellinger_and_dkm_forests_are_equal(toy in toys(Kinds { classes: 2, ..Kinds::ALL })) {
        let grow = |criterion: &str| {
            let params = json!({"criterion": criterion, "n_estimators": 4, "max_features": "sqrt"});
            let mut trees = trees(&forest(&toy, &params));
            for tree in &mut trees {
                tree.gain.clear();
            }
            trees
        };
        prop_assert_eq!(grow("hellinger"), grow("dkm"));
    }

    #[test]
    fn swapped_labels_swap_probabilities(toy in toys(Kinds { weights: false, ..Kinds::PLAIN })) {
        let last = toy.n_classes as u32 - 1;
        // Samples depend on the classes that occur, not on their names; ties between classes may break
        // differently.
        let turned = Toy { classes: toy.classes.iter().map(|class| last - class).collect(), ..toy.clone() };
        let params = json!({"n_estimators": 5, "criterion": "hellinger", "voting": "soft"});
        prop_assume!(toy.n_classes == 2);
        let ctl = RunContext::silent();
        let plain = forest(&toy, &params).proba(&toy.frame(), ctl).unwrap();
        let mut other = forest(&turned, &params).proba(&toy.frame(), ctl).unwrap();
        other.chunks_mut(toy.n_classes).for_each(<[f64]>::reverse);
        prop_assert!(plain.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn out_of_bag_predictions_use_a_subset_of_the_trees(
        (toy, params) in toys_and_settings(Kinds::ALL),
        hard in any::<bool>(),
    ) {
        // A separate column identifies every row, so that a tree reveals its sample.
        let vote = if hard { "hard" } else { "soft" };
        let settings = joined(&params, &json!({"n_estimators": 6, "oob_score": true, "voting": vote}));
        let model = forest(&toy, &settings);
        let decision = &model.out_of_bag().unwrap().decision;
        let (frame, c, ctl) = (toy.frame(), toy.n_classes, RunContext::silent());
        let answers: Vec<Vec<f64>> = (0..6).map(|tree| {
            let member = model.expand_tree_model(tree).unwrap();
            let mut proba = member.proba(&frame, ctl).unwrap();
            if hard {
                for (row, class) in member.predict(&frame, ctl).unwrap().into_iter().enumerate() {
                    proba[row * c..(row + 1) * c].fill(0.0);
                    proba[row * c + class as usize] = 1.0;
                }
            }
            proba
        }).collect();
        // Without knowing the samples: each prediction must be that of some subset of the trees.
        for (row, found) in decision.chunks(c).enumerate() {
            let explained = (0..1_u32 << 6).any(|set| {
                let chosen: Vec<&Vec<f64>> =
                    (0..6).filter(|tree| set >> tree & 1 == 1).map(|tree| &answers[tree]).collect();
                (0..c).all(|class| {
                    if chosen.is_empty() {
                        return found[class].is_nan();
                    }
                    let sum: f64 = chosen.iter().map(|answer| answer[row * c + class]).sum();
                    (sum / chosen.len() as f64 - found[class]).abs() < 1e-12
                })
            });
            prop_assert!(explained, "row {row}: {found:?}");
        }
    }

    #[test]
    fn balanced_samples_have_equal_class_counts((toy, params) in toys_and_settings(Kinds::ALL)) {
        prop_assume!(params["missing"] == "direction");
        let model = grow::<BalancedForestParams>(&toy, &joined(&params, &json!({"n_estimators": 3})), |plan| plan);
        let weights = toy.row_weights();
        let mut counts = vec![0_u32; toy.n_classes];
        for (&class, &weight) in toy.classes.iter().zip(&weights) {
            counts[class as usize] += u32::from(weight > 0.0);
        }
        let present: Vec<u32> = counts.into_iter().filter(|&count| count > 0).collect();
        let expected = present.iter().min().unwrap() * present.len() as u32;
        prop_assert!(trees(&model).iter().all(|tree| tree.rows[0] == expected));
    }

    #[test]
    fn forests_are_read_back_from_files((toy, params) in toys_and_settings(Kinds::ALL)) {
        let settings = joined(&params, &json!({"n_estimators": 3}));
        let model = forest(&toy, &settings);
        let mut file = ArrayWriter::default();
        model.write(&mut file).unwrap();
        let again = ForestModel::read(&ArrayReader::from(&file), &schema(&toy)).unwrap();
        prop_assert_eq!(trees(&again), trees(&model));
        let ctl = RunContext::silent();
        prop_assert_eq!(again.proba(&toy.frame(), ctl).unwrap(), model.proba(&toy.frame(), ctl).unwrap());
    }
}

/// Names of the columns and classes of a toy data set.
fn schema(toy: &Toy) -> Schema {
    let labels = |n: u32| (0..n).map(|code| Label::Int(code.into())).collect::<Vec<_>>();
    let feature = |column: &Column<'_>| {
        let kind = match column {
            Column::Numeric(_) => FeatureKind::Numeric,
            Column::Nominal { levels, .. } => FeatureKind::Nominal { levels: labels(*levels) },
        };
        Feature { name: "x".into(), kind }
    };
    Schema {
        features: toy.frame().columns().iter().map(feature).collect(),
        named: false,
        named_beside: false,
        classes: labels(toy.n_classes as u32),
        class_dtype: "int64".into(),
        column_labels: Vec::new(),
        without_values: Vec::new(),
    }
}

/// Mean and its standard error.
fn mean(values: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.clone().sum::<f64>() / n;
    (mean, (values.map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt())
}

/// Identically distributed columns with few values, which often split a node alike; the class depends on
/// their sum.
fn exchangeable(n_rows: usize, n_columns: usize, seed: u64) -> Toy {
    let mut rng = SeedKey::root(seed).rng();
    let mut column = || (0..n_rows).map(|_| f64::from(random_below(&mut rng, 4))).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..n_columns).map(|_| column()).collect();
    let noise = column();
    let sum = |row: usize| columns.iter().map(|values| values[row]).sum::<f64>() + noise[row];
    let classes = (0..n_rows).map(|row| u32::from(sum(row) > 2.0 * n_columns as f64)).collect();
    let columns = columns.into_iter().map(ColumnBuf::Numeric).collect();
    Toy { columns, classes, n_classes: 2, weights: None, class_weight: None }
}

/// Grows a forest with parameters.
type Grow = fn(&Toy, &Value, SeedKey) -> ForestModel;

/// All feature sampling options in a forest of five trees.
fn feature_sampling_options() -> Vec<(Value, Grow)> {
    let plain = |toy: &Toy, params: &Value, key| grow_at::<ForestParams>(toy, params, key, |plan| plan);
    let balanced =
        |toy: &Toy, params: &Value, key| grow_at::<BalancedForestParams>(toy, params, key, |plan| plan);
    let beat = |toy: &Toy, params: &Value, key| grow_at::<BeatParams>(toy, params, key, |plan| plan);
    let svr = |toy: &Toy, _: &Value, key| {
        let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, None).unwrap();
        let plan = SvrForestParams { n_estimators: 5, ..SvrForestParams::default() }.check("forest").unwrap();
        let trees = SvrParams::default().check("forest").unwrap();
        ForestLearner::for_svr_trees("forest", plan, trees).fit(&data, key, RunContext::silent()).unwrap()
    };
    vec![
        (json!("svr"), svr),
        (json!({"n_estimators": 5, "max_features": "sqrt"}), plain),
        (
            json!({"n_estimators": 5, "max_features": "sqrt", "criterion": "hellinger", "max_leaf_nodes": 8}),
            plain,
        ),
        (json!({"n_estimators": 5, "max_features": "sqrt", "max_bins": 8}), plain),
        (json!({"n_estimators": 5, "max_features": "sqrt", "missing": "fraction"}), balanced),
        (json!({"n_estimators": 5, "criterion": "c45", "min_weight_leaf": 2.0}), plain),
        (json!({"n_estimators": 5, "max_bins": 8}), plain),
        (json!({"n_estimators": 5, "categorical_split": "dummy"}), beat),
    ]
}

/// Of columns with equal splits the first drawn one is used, so equal columns have equal importances.
#[test]
fn equal_columns_have_equal_importances() {
    for (params, grow) in feature_sampling_options() {
        let importances: Vec<Vec<f64>> = (0..40)
            .map(|seed| {
                let one = exchangeable(80, 1, seed);
                let toy = Toy { columns: vec![one.columns[0].clone(); 6], ..one };
                grow(&toy, &params, SeedKey::root(seed)).feature_importances().to_vec()
            })
            .collect();
        for column in 0..6 {
            let (mean, error) = mean(importances.iter().map(|of_forest| of_forest[column]));
            assert!(
                (mean - 1.0 / 6.0).abs() < 4.0 * error,
                "{params}: column {column} has {mean} +- {error}"
            );
        }
    }
}

/// Permuting exchangeable columns changes neither importances nor accuracy.
#[test]
fn column_order_does_not_favor_any_column() {
    let n_columns = 8;
    for (params, grow) in feature_sampling_options() {
        let (mut tilts, mut gains) = (Vec::new(), Vec::new());
        for seed in 0..40 {
            let toy = exchangeable(260, n_columns, 100 + seed);
            let reversed = Toy { columns: toy.columns.iter().rev().cloned().collect(), ..toy.clone() };
            let measure = |toy: &Toy| {
                let (train, test) =
                    (toy.take(&(0..100).collect::<Vec<_>>()), toy.take(&(100..260).collect::<Vec<_>>()));
                let model = grow(&train, &params, SeedKey::root(seed));
                let answers = model.predict(&test.frame(), RunContext::silent()).unwrap();
                let right =
                    answers.iter().zip(&test.classes).filter(|(answer, class)| answer == class).count();
                (model.feature_importances().to_vec(), right as f64 / 160.0)
            };
            let ((plain, accuracy), (turned, other)) = (measure(&toy), measure(&reversed));
            let low: f64 = plain[..n_columns / 2].iter().sum();
            let high: f64 = turned[n_columns / 2..].iter().sum();
            // The same columns, once in the first and once in the second half of the table.
            tilts.push(low - high);
            gains.push(accuracy - other);
        }
        for (what, values) in [("importances", tilts), ("accuracy", gains)] {
            let (mean, error) = mean(values.iter().copied());
            assert!(mean.abs() < 4.0 * error, "{params}: {what} move by {mean} +- {error}");
        }
    }
}

/// Every row is identified by its number, so each tree reveals its sample.
#[test]
fn out_of_bag_rows_are_those_not_in_the_sample() {
    let n = 40;
    let toy = Toy {
        columns: vec![ColumnBuf::Nominal { codes: (0..n).collect(), levels: n }],
        classes: (0..n).map(|row| row % 3 % 2).collect(),
        n_classes: 2,
        weights: None,
        class_weight: None,
    };
    let model = forest(&toy, &json!({"categorical_split": "multiway", "n_estimators": 9, "oob_score": true}));
    let decision = &model.out_of_bag().unwrap().decision;
    for row in 0..n as usize {
        let (mut sum, mut unseen) = ([0.0; 2], 0.0);
        for tree in 0..9 {
            let member = model.expand_tree_model(tree).unwrap();
            // The root has one child per row; a child without rows was not sampled.
            let leaf = member.tree().children(0).start + row;
            if member.tree().n_node_rows(leaf) == 0 {
                unseen += 1.0;
                sum.iter_mut().zip(member.node_proba(leaf).iter()).for_each(|(sum, p)| *sum += p);
            }
        }
        for class in 0..2 {
            let found = decision[row * 2 + class];
            assert!(if unseen == 0.0 { found.is_nan() } else { (found - sum[class] / unseen).abs() < 1e-15 });
        }
    }
}

#[test]
fn invalid_parameters_are_rejected() {
    let toy = Toy {
        columns: vec![ColumnBuf::Numeric(vec![1.0, 2.0, 3.0, 4.0])],
        classes: vec![0, 0, 1, 1],
        n_classes: 2,
        weights: None,
        class_weight: None,
    };
    let data = Dataset::new(toy.frame(), &toy.classes, 2, None).unwrap();
    let cases = [
        (json!({"n_estimators": 0}), "n_estimators"),
        (json!({"max_samples": 0.0}), "max_samples"),
        (json!({"max_samples": 1.5}), "max_samples"),
        (json!({"max_samples": 5, "bootstrap": false}), "at most 4"),
        (json!({"oob_score": true, "bootstrap": false}), "oob_score"),
    ];
    for (params, message) in cases {
        let found = learner::<ForestParams>(&toy, &params, |plan| plan)
            .and_then(|learner| learner.fit(&data, SeedKey::root(0), RunContext::silent()));
        assert!(found.unwrap_err().to_string().contains(message));
    }
    let shape = learner::<BeatParams>(&toy, &json!({"beta_a": 0.0}), |plan| plan).unwrap_err().to_string();
    assert!(shape.contains("`beta_a` must be a number above 0"), "{shape}");
    let flipped = json!({"reference": "flipped", "beta_a": 9.0});
    let reference = learner::<BeatParams>(&toy, &flipped, |plan| plan).unwrap();
    let error = reference.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap_err().to_string();
    assert!(error.contains("flipped"), "{error}");
}
