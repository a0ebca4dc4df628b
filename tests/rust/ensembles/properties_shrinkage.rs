//! Hierarchical shrinkage of trees, and its choice on held-out rows, against naive loops.
//!
//! Kind: the default forest adapts its leaves to the data, and its choice is the one of a search that fits a
//! forest to the rows of each fold and evaluates every amount by itself. An amount that does not beat the
//! class proportions keeps its ranking of the rows.

use imbcore_core::{
    Classifier, CompositeParams, Dataset, Error, Learner, PriorShift, RowDependence, RunContext, SeedKey,
    TimeGap, parse_params, tags,
};
use imbcore_ensembles::{
    AdaptiveForestParams, CriterionTreeGrower, ForestLearner, ForestModel, ForestParams, ForestSettings,
    ShrinkageChoice,
};
use imbcore_metrics::{CvSplits, SignalEvidence};
use imbcore_tests::toy::{Kinds, Toy, toys, toys_and_settings};
use imbcore_trees::{LeafEstimate, NodeMasses, Tree, TreeArrays, TreeModel, TreeParams};
use proptest::prelude::*;
use proptest::sample::select;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

const KEY: u64 = 3;

/// Shrunk probability of a class in a node, by the definition.
fn shrunk_probability(tree: &Tree, node: usize, class: usize, amount: f64) -> f64 {
    let parents = tree.parents();
    let share = |node: usize| tree.class_masses(node)[class] / tree.total_mass(node);
    let mut path = vec![node];
    while path[path.len() - 1] != 0 {
        path.push(parents[path[path.len() - 1]]);
    }
    let steps = path.windows(2).filter(|pair| tree.n_node_rows(pair[0]) > 0);
    share(0)
        + steps
            .map(|pair| (share(pair[0]) - share(pair[1])) / (1.0 + amount / tree.total_mass(pair[1])))
            .sum::<f64>()
}

fn without_mass(tree: &Tree) -> TreeArrays {
    TreeArrays { mass: NodeMasses::Table(Vec::new()), ..tree.to_arrays() }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + b.abs())
}

/// A table with groups and times.
struct Task<'t> {
    toy: &'t Toy,
    groups: Option<Vec<u32>>,
    times: Option<Vec<f64>>,
}

/// Losses of a held-out row: of the prior, and of every amount without and with its scale.
struct HeldOutLosses {
    weight: f64,
    unit: (u32, u32),
    prior: f64,
    losses: Vec<f64>,
    scaled: Vec<f64>,
    /// Squared deviations from the class proportion.
    squares: Vec<f64>,
}

/// Factor with which the deviations of an amount have the size of those of the last amount.
fn scale(squares: &[f64], at: usize) -> f64 {
    (squares[squares.len() - 1] / squares[at]).sqrt().min(1.0)
}

/// Amounts that are compared: 0.1, 0.3, 1, 3 and so on, up to the number of rows.
fn amounts_for(n_rows: usize) -> Vec<f64> {
    let decades = (-1..).flat_map(|decade| [1.0, 3.0].map(|factor| factor * 10_f64.powi(decade)));
    let mut amounts: Vec<f64> = decades.take(40).collect();
    let last = amounts.iter().position(|&amount| amount * (1.0 + 1e-12) >= n_rows as f64).unwrap();
    amounts.truncate(last + 1);
    amounts
}

impl Task<'_> {
    fn dependence(&self) -> RowDependence<'_> {
        let gap = self.times.as_ref().map(|_| TimeGap::Rows(0));
        RowDependence::new(self.groups.as_deref(), self.times.as_deref(), gap, self.toy.classes.len())
            .unwrap()
    }

    fn fit(&self, params: &Value) -> ForestModel {
        let toy = self.toy;
        let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
        let data = data.with_dependence(self.dependence());
        adaptive(toy, params).fit(&data, SeedKey::root(KEY), RunContext::silent()).unwrap()
    }

    /// Amounts, and the losses of held-out rows by a separate forest for the rows of each fold.
    #[allow(clippy::too_many_lines)]
    fn held_out_losses(&self, params: &Value) -> Option<(Vec<f64>, Vec<HeldOutLosses>)> {
        let toy = self.toy;
        let weights = toy.row_weights();
        let rows: Vec<u32> = (0..weights.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
        let classes: Vec<u32> = rows.iter().map(|&row| toy.classes[row as usize]).collect();
        let several = |class: &u32| classes.iter().filter(|code| *code == class).count() > 1;
        let first = |class: u32| classes.iter().position(|&other| other == class).unwrap();
        // The number of a class is the number of classes whose first row is earlier.
        let number = |class: u32| (0..first(class)).filter(|&row| first(classes[row]) == row).count() as u32;
        let codes: Vec<u32> = classes.iter().map(|&class| number(class)).collect();
        if (0..toy.n_classes as u32).filter(several).count() < 2 {
            return None;
        }
        let dependence = self.dependence().take(rows.iter().copied());
        let (key, ctl) = (SeedKey::root(KEY), RunContext::silent());
        let splits =
            CvSplits::inner_folds(&codes, dependence.borrow(), 2, key.child(tags::forest::FOLDS, 0), ctl);
        let splits = match splits {
            Err(Error::Data(_)) => return None,
            splits => splits.unwrap(),
        };
        let mean_weight = rows.iter().map(|&row| weights[row as usize]).sum::<f64>() / rows.len() as f64;
        let amounts = amounts_for(rows.len());
        let mut found: Vec<HeldOutLosses> = Vec::new();
        for (repeat, fold) in splits.tested_folds() {
            let (train, test) = splits.train_and_test_rows(repeat, fold);
            let of_table =
                |places: Vec<u32>| places.into_iter().map(|place| rows[place as usize]).collect::<Vec<_>>();
            let (train, test) = (toy.take(&of_table(train)), of_table(test));
            let frame = train.frame();
            let data = Dataset::with_single_class_allowed(
                frame,
                &train.classes,
                toy.n_classes,
                train.weights.as_deref(),
            );
            let forest =
                fixed(toy, params).fit(&data.unwrap(), key.child(tags::forest::FOLD, fold), ctl).unwrap();
            let held = toy.take(&test);
            let mut mean = vec![vec![0.0; test.len() * toy.n_classes]; amounts.len()];
            for tree in 0..forest.n_trees() {
                let tree = forest.expand_tree_model(tree).unwrap();
                for (mean, &amount) in mean.iter_mut().zip(&amounts) {
                    let rule = if params["leaf_estimate"] == "laplace" {
                        LeafEstimate::Laplace
                    } else {
                        LeafEstimate::Frequency
                    };
                    let fraction = params["missing"] == "fraction";
                    let shrunk = TreeModel::new(
                        tree.tree().clone().shrink(amount * mean_weight, 1.0),
                        rule,
                        1.0,
                        fraction,
                    );
                    let proba = shrunk.proba(&held.frame(), ctl).unwrap();
                    mean.iter_mut().zip(proba).for_each(|(mean, p)| *mean += p / forest.n_trees() as f64);
                }
            }
            let train_classes = &train.classes;
            let mass = |weights: &[f64]| -> Vec<f64> {
                let of_class = |class| (0..weights.len()).filter(move |&row| train_classes[row] == class);
                (0..toy.n_classes as u32).map(|class| of_class(class).map(|row| weights[row]).sum()).collect()
            };
            let mut prior = mass(&train.row_weights());
            let total: f64 = prior.iter().sum();
            for mass in &mut prior {
                *mass /= total;
            }
            let shift = correction(toy, params);
            let own = toy.weights.as_ref();
            let weight = |row: u32| {
                if shift.is_some() { own.map_or(1.0, |own| own[row as usize]) } else { weights[row as usize] }
            };
            let class = |row: u32| toy.classes[row as usize] as usize;
            let tested = || test.iter().enumerate().filter(|&(_, &row)| prior[class(row)] > 0.0);
            let square = |mean: &[f64], place: usize, row: u32| {
                (mean[place * toy.n_classes + class(row)] - prior[class(row)]).powi(2)
            };
            let squares: Vec<f64> = mean
                .iter()
                .map(|mean| tested().map(|(place, &row)| weight(row) * square(mean, place, row)).sum())
                .collect();
            for (place, &row) in tested() {
                let loss = |proba: &[f64]| {
                    let mut proba = proba.to_vec();
                    if let Some(shift) = &shift {
                        shift.apply(&mut proba);
                    }
                    -proba[class(row)].clamp(1e-15, 1.0).ln()
                };
                let proba = |at: usize, scale: f64| -> Vec<f64> {
                    let cells = &mean[at][place * toy.n_classes..(place + 1) * toy.n_classes];
                    cells.iter().zip(&prior).map(|(p, prior)| prior + scale * (p - prior)).collect()
                };
                let losses = (0..amounts.len()).map(|at| loss(&proba(at, 1.0))).collect();
                let scaled = (0..amounts.len()).map(|at| loss(&proba(at, scale(&squares, at)))).collect();
                let squares = mean.iter().map(|mean| square(mean, place, row)).collect();
                let groups = self.dependence().groups();
                let unit = groups.map_or((row, u32::MAX), |groups| (groups[row as usize], fold));
                let (weight, prior) = (weight(row), loss(&prior));
                found.push(HeldOutLosses { weight, unit, prior, losses, scaled, squares });
            }
        }
        Some((amounts, found))
    }

    /// The choice by a separate forest for the rows of each fold.
    fn naive_choice(&self, params: &Value) -> Option<ShrinkageChoice> {
        let (amounts, found) = self.held_out_losses(params)?;
        let weight: f64 = found.iter().map(|row| row.weight).sum();
        if weight == 0.0 {
            return None;
        }
        let mean = |of: &dyn Fn(&HeldOutLosses) -> f64| {
            found.iter().map(|row| row.weight * of(row)).sum::<f64>() / weight
        };
        let means: Vec<f64> = (0..amounts.len()).map(|at| mean(&|row| row.losses[at] - row.prior)).collect();
        let best = (0..amounts.len()).rev().min_by(|&a, &b| means[a].total_cmp(&means[b])).unwrap();
        let mut units: Vec<(u32, u32)> = found.iter().map(|row| row.unit).collect();
        units.sort_unstable();
        units.dedup();
        let deviation = |unit: &(u32, u32)| {
            let rows = found.iter().filter(|row| row.unit == *unit);
            rows.map(|row| row.weight * (row.losses[best] - row.prior - means[best])).sum::<f64>().powi(2)
        };
        let error = units.iter().map(deviation).sum::<f64>().sqrt() / weight;
        let margin = means[best] + error;
        // A margin near 0 is decided by rounding, as is the better of two equal amounts; `n_rows` 0 marks
        // them.
        let equal =
            means.iter().enumerate().any(|(at, mean)| at != best && (mean - means[best]).abs() < 1e-9);
        let n_rows = if margin.abs() < 1e-9 || equal { 0 } else { found.len() };
        let prior_log_loss = mean(&|row| row.prior);
        let squares: Vec<f64> = (0..amounts.len()).map(|at| mean(&|row| row.squares[at])).collect();
        let (beats_prior, amount) = (margin < 0.0, amounts[best]);
        let (scale, log_loss) = if beats_prior {
            (1.0, prior_log_loss + means[best])
        } else {
            (scale(&squares, best), mean(&|row| row.scaled[best]))
        };
        let evidence = SignalEvidence { log_loss, prior_log_loss, n_rows, beats_prior };
        Some(ShrinkageChoice { amount, scale, evidence })
    }
}

fn correction(toy: &Toy, params: &Value) -> Option<PriorShift> {
    if params["prior_correction"] != "prior" {
        return None;
    }
    let mass = |weights: &[f64]| -> Vec<f64> {
        let rows = |class| (0..weights.len()).filter(move |&row| toy.classes[row] == class);
        (0..toy.n_classes as u32).map(|class| rows(class).map(|row| weights[row]).sum()).collect()
    };
    let given = toy.weights.clone().unwrap_or_else(|| vec![1.0; toy.classes.len()]);
    PriorShift::from_proportions(&mass(&toy.row_weights()), &mass(&given))
}

fn with_trees(toy: &Toy, plan: ForestSettings, trees: TreeParams) -> ForestLearner<CriterionTreeGrower> {
    let trees = trees.check("forest").unwrap().with_class_weight(toy.class_weight.clone());
    ForestLearner::new("forest", plan, trees)
}

fn adaptive(toy: &Toy, params: &Value) -> ForestLearner<CriterionTreeGrower> {
    let defaults = CompositeParams::new(AdaptiveForestParams::default(), TreeParams::default());
    let CompositeParams { own, inner } =
        parse_params("forest", &defaults, params.as_object().unwrap()).unwrap();
    let min_samples_leaf = own.min_samples_leaf();
    with_trees(toy, own.check("forest").unwrap(), TreeParams { min_samples_leaf, ..inner })
}

/// The forest without shrinkage whose trees a fold has.
fn fixed(toy: &Toy, params: &Value) -> ForestLearner<CriterionTreeGrower> {
    let mut params = params.clone();
    params
        .as_object_mut()
        .unwrap()
        .extend(json!({"min_samples_leaf": 2, "n_estimators": 50}).as_object().unwrap().clone());
    let defaults = CompositeParams::new(
        ForestParams { bootstrap: false, ..ForestParams::default() },
        TreeParams::default(),
    );
    let CompositeParams { own, inner } =
        parse_params("forest", &defaults, params.as_object().unwrap()).unwrap();
    with_trees(toy, own.check("forest").unwrap(), inner)
}

fn settings() -> impl Strategy<Value = Value> {
    let all = vec![
        json!({}),
        json!({"splitter": "random", "criterion": "hellinger"}),
        json!({"prior_correction": "prior"}),
        json!({"leaf_estimate": "laplace", "prior_correction": "prior"}),
        json!({"missing": "fraction", "max_features": "sqrt"}),
    ];
    select(all).prop_map(|mut params| {
        params["n_estimators"] = json!(3);
        params
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(256)))]

    #[test]
    fn shrunk_trees_follow_the_definition(
        (toy, params) in toys_and_settings(Kinds::ALL),
        amount in select(vec![0.1, 2.5, 1e3, 1e9]),
        scale in select(vec![1.0, 0.25]),
    ) {
        let model = toy.fit(&params);
        let tree = model.tree();
        let shrunk = tree.clone().shrink(amount, scale);
        prop_assert_eq!(without_mass(&shrunk), without_mass(tree));
        for node in 0..tree.n_nodes() {
            prop_assert!(close(shrunk.total_mass(node), tree.total_mass(node)));
            for class in 0..toy.n_classes {
                let found = shrunk.class_masses(node)[class] / shrunk.total_mass(node);
                let root = tree.class_masses(0)[class] / tree.total_mass(0);
                let expected = root + scale * (shrunk_probability(tree, node, class, amount) - root);
                prop_assert!(close(found, expected));
            }
        }
        prop_assert_eq!(&tree.clone().shrink(0.0, 1.0), tree);
        // Shrinkage keeps the class proportions of all rows.
        for class in 0..toy.n_classes {
            let leaves = shrunk.leaves().filter(|&leaf| tree.n_node_rows(leaf) > 0);
            let sum: f64 = leaves.map(|leaf| shrunk.class_masses(leaf)[class]).sum();
            prop_assert!(close(sum, tree.class_masses(0)[class]));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(128)))]

    #[test]
    fn choice_is_that_of_separate_forests(
        toy in toys(Kinds::ALL),
        params in settings(),
        groups in prop::option::weighted(0.4, prop::collection::vec(0_u32..8, 40)),
        times in prop::option::weighted(0.3, prop::collection::vec(0_u32..30, 40)),
    ) {
        let n = toy.classes.len();
        let task = Task {
            toy: &toy,
            groups: groups.map(|codes| codes[..n].iter().map(|code| code % n as u32).collect()),
            times: times.map(|times| times[..n].iter().map(|&time| f64::from(time)).collect()),
        };
        let (model, expected) = (task.fit(&params), task.naive_choice(&params));
        let found = model.shrinkage();
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let (Some(found), Some(expected)) = (found, expected) {
            let (evidence, naive) = (found.evidence, expected.evidence);
            prop_assert!(close(evidence.prior_log_loss, naive.prior_log_loss));
            if naive.n_rows > 0 {
                prop_assert_eq!((evidence.n_rows, evidence.beats_prior), (naive.n_rows, naive.beats_prior));
                prop_assert!(close(found.amount, expected.amount), "{:?} {:?}", found, expected);
                prop_assert!(close(found.scale, expected.scale), "{:?} {:?}", found, expected);
                prop_assert!(close(evidence.log_loss, naive.log_loss), "{:?} {:?}", found, expected);
            }
        }
        // The trees are those without shrinkage, shrunk by the amount.
        let mut plain = params.clone();
        plain["min_samples_leaf"] = json!(2);
        let without = task.fit(&plain);
        prop_assert_eq!(without.shrinkage(), None);
        let weights: Vec<f64> = toy.row_weights().into_iter().filter(|&weight| weight > 0.0).collect();
        let mean_weight = weights.iter().sum::<f64>() / weights.len() as f64;
        for at in 0..3 {
            let amount = found.map_or(0.0, |choice| choice.amount * mean_weight);
            let scale = found.map_or(1.0, |choice| choice.scale);
            let expected = without.expand_tree_model(at).unwrap().tree().clone().shrink(amount, scale);
            let member = model.expand_tree_model(at).unwrap();
            prop_assert_eq!(without_mass(member.tree()), without_mass(&expected));
            for leaf in expected.leaves() {
                let pairs = member.tree().class_masses(leaf).iter().zip(&*expected.class_masses(leaf)).all(|(a, b)| close(*a, *b));
                prop_assert!(pairs);
            }
        }
    }
}

/// Rows of two classes whose first column is informative for some of them.
fn table(n: u32, n_classes: u32) -> Toy {
    let value =
        |row: u32, column: u32| f64::from((row * 7919 + column * 104_729).wrapping_mul(2_654_435_761) >> 12);
    let class = |row: u32| if value(row, 0) > 7e5 { row % n_classes } else { 0 };
    Toy {
        columns: (0..4)
            .map(|column| imbcore_core::ColumnBuf::Numeric((0..n).map(|row| value(row, column)).collect()))
            .collect(),
        classes: (0..n).map(class).collect(),
        n_classes: n_classes as usize,
        weights: None,
        class_weight: None,
    }
}

#[test]
fn choice_does_not_depend_on_threads_or_trees() {
    let toy = table(400, 3);
    let task = Task { toy: &toy, groups: None, times: None };
    let params = |n_trees: u32| json!({"splitter": "random", "max_features": 0.5, "n_estimators": n_trees});
    let on_threads = |n_threads: usize, n_trees: u32| {
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| task.fit(&params(n_trees)))
    };
    let model = on_threads(1, 7);
    assert!(model.shrinkage().is_some_and(|choice| choice.evidence.beats_prior));
    assert_eq!(on_threads(2, 7), model);
    assert_eq!(on_threads(7, 7), model);
    let few = on_threads(2, 3);
    assert_eq!(few.shrinkage(), model.shrinkage());
    for at in 0..3 {
        assert_eq!(few.expand_tree_model(at).unwrap(), model.expand_tree_model(at).unwrap());
    }
    let data = Dataset::new(toy.frame(), &toy.classes, 3, None).unwrap();
    let (learner, key, ctl) = (adaptive(&toy, &params(7)), SeedKey::root(KEY), RunContext::silent());
    assert_eq!(learner.fit_more_trees(Some(&few), &data, key, ctl).unwrap(), model);
    let part = learner.fit_tree_range(2..5, &data, key, ctl).unwrap();
    assert_eq!(part.shrinkage(), model.shrinkage());
    assert_eq!(part.expand_tree_model(0).unwrap(), model.expand_tree_model(2).unwrap());
}

#[test]
fn bootstrap_forests_and_given_amounts() {
    let toy = table(300, 2);
    let task = Task { toy: &toy, groups: None, times: None };
    let fit = |extra: Value| {
        let mut params = json!({"n_estimators": 5});
        params.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        task.fit(&params)
    };
    // Held-out rows of a bootstrap forest are chosen by the folds, not by the samples of the trees.
    assert_eq!(fit(json!({"bootstrap": true})).shrinkage().unwrap().evidence.n_rows, 300);
    // Trees of few rows are not shrunk.
    assert_eq!(fit(json!({"max_samples": 0.1})).shrinkage(), None);
    let (given, plain) = (fit(json!({"hierarchical_shrinkage": 4.0})), fit(json!({"min_samples_leaf": 2})));
    assert_eq!(given.shrinkage(), None);
    let expected = plain.expand_tree_model(0).unwrap().tree().clone().shrink(4.0, 1.0);
    for leaf in expected.leaves() {
        let found = given.expand_tree_model(0).unwrap();
        assert!(
            found
                .tree()
                .class_masses(leaf)
                .iter()
                .zip(&*expected.class_masses(leaf))
                .all(|(a, b)| close(*a, *b))
        );
    }
    assert_eq!(fit(json!({"hierarchical_shrinkage": 0.0})), plain);
}
