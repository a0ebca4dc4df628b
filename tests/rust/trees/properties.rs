//! Properties of every criterion and every tree on random data.

use imbcore_core::{Classifier, ColumnBuf, RunContext};
use imbcore_criteria::{
    AnyCriterion, BranchMasses, Criterion, CriterionVisitor, NodeScorer, best_bipartition,
};
use imbcore_tests::toy::{
    Kinds, Toy, criteria, criteria_of_two_branches, toys, toys_and_criteria, toys_and_settings, without_gain,
};
use imbcore_trees::{RowLayout, Tree, TreeArrays, TreeModel, TreeSplit};
use proptest::prelude::*;
use proptest::sample::select;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Scores one table by a criterion.
struct Score<'a>(&'a [f64], usize);

impl CriterionVisitor for Score<'_> {
    type Out = f64;

    fn visit<C: Criterion>(self, criterion: &C) -> f64 {
        let Self(table, n_classes) = self;
        criterion.node_scorer(&totals(table, n_classes)).score(BranchMasses::new(table, n_classes))
    }
}

fn totals(table: &[f64], n_classes: usize) -> Vec<f64> {
    (0..n_classes).map(|class| table.iter().skip(class).step_by(n_classes).sum()).collect()
}

pub(crate) fn score(criterion: &Value, table: &[f64], n_classes: usize) -> f64 {
    let criterion: AnyCriterion = serde_json::from_value(criterion.clone()).unwrap();
    criterion.accept(Score(table, n_classes))
}

/// Class weights of `n_branches` branches: integers, sparse or unequal; at least two classes have weight.
fn contingency(n_branches: usize, most_classes: usize) -> impl Strategy<Value = (Vec<f64>, usize)> {
    let whole = || (0..40_u32).prop_map(f64::from);
    let sparse = || (0..12_u32).prop_map(|raw| if raw > 3 { 0.0 } else { f64::from(raw) });
    let uneven = || (0..40_u32).prop_map(|raw| f64::from(raw) * 0.1);
    (2..=most_classes).prop_flat_map(move |n_classes| {
        let n = n_branches * n_classes;
        prop_oneof![
            prop::collection::vec(whole(), n),
            prop::collection::vec(sparse(), n),
            prop::collection::vec(uneven(), n),
        ]
        .prop_filter("two classes with weight", move |table| {
            totals(table, n_classes).iter().filter(|&&mass| mass > 0.0).count() >= 2
        })
        .prop_map(move |table| (table, n_classes))
    })
}

fn with_criterion(n_branches: usize, most_classes: usize) -> impl Strategy<Value = (Vec<f64>, usize, Value)> {
    contingency(n_branches, most_classes).prop_flat_map(move |(table, n)| {
        let criteria = if n_branches == 2 { criteria_of_two_branches(n) } else { criteria(n) };
        (Just(table), Just(n), select(criteria))
    })
}

/// Largest squared Hellinger distance over all bipartitions, each summed separately.
fn exhaustive(table: &[f64], n_classes: usize) -> f64 {
    let inside = |set: u32, class: usize| set >> class & 1 == 1;
    let group = |cells: &[f64], set: u32, side: bool| -> f64 {
        cells.iter().enumerate().filter(|&(class, _)| inside(set, class) == side).map(|(_, mass)| mass).sum()
    };
    let all = totals(table, n_classes);
    (1..1_u32 << (n_classes - 1))
        .map(|set| {
            let (a, b) = (group(&all, set, true), group(&all, set, false));
            if a == 0.0 || b == 0.0 {
                return 0.0;
            }
            let distance = |cells: &[f64]| {
                (f64::sqrt(group(cells, set, true) / a) - f64::sqrt(group(cells, set, false) / b)).powi(2)
            };
            table.chunks_exact(n_classes).map(distance).sum()
        })
        .fold(0.0, f64::max)
}

/// Class masses of all nodes.
fn masses(tree: &Tree) -> Vec<f64> {
    (0..tree.n_nodes()).flat_map(|node| tree.class_masses(node).into_owned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(1024)))]

    #[test]
    fn scores_are_nonnegative_and_finite((table, n_classes, criterion) in with_criterion(3, 5)) {
        let score = score(&criterion, &table, n_classes);
        prop_assert!(score >= 0.0 && score.is_finite(), "{} scores {}", criterion, score);
    }

    #[test]
    fn branches_proportional_to_the_node_score_zero(
        (node, n_classes, criterion) in with_criterion(1, 5),
        parts in prop::collection::vec(1..60_u32, 2..5),
    ) {
        let table: Vec<f64> =
            parts.iter().flat_map(|&part| node.iter().map(move |mass| mass * f64::from(part))).collect();
        prop_assert!(score(&criterion, &table, n_classes) < 1e-12, "{}", criterion);
    }

    #[test]
    fn scores_do_not_depend_on_the_order_of_branches_and_classes(
        (table, n_classes, criterion) in with_criterion(3, 5),
        turn in 0..5_usize,
    ) {
        // A reference distribution refers to classes by position, so it would have to be permuted, too.
        prop_assume!(!criterion["reference"].is_array());
        let mut turned: Vec<Vec<f64>> = table.chunks_exact(n_classes).map(<[f64]>::to_vec).collect();
        turned.reverse();
        for branch in &mut turned {
            branch.rotate_left(turn % n_classes);
        }
        let (plain, turned) = (score(&criterion, &table, n_classes), score(&criterion, &turned.concat(), n_classes));
        prop_assert!((plain - turned).abs() <= 1e-12 * plain.max(1e-2), "{}: {} {}", criterion, plain, turned);
    }

    #[test]
    fn empty_classes_and_branches_do_not_change_scores((table, n_classes, criterion) in with_criterion(2, 4)) {
        // A reference distribution has a proportion for every class.
        prop_assume!(criterion["reference"].is_null() && criterion != "dkm");
        let wider = |cells: &[f64]| [&cells[..1], &[0.0], &cells[1..], &[0.0]].concat();
        let mut wide: Vec<f64> = table.chunks_exact(n_classes).flat_map(wider).collect();
        wide.extend(vec![0.0; n_classes + 2]);
        let (plain, wide) = (score(&criterion, &table, n_classes), score(&criterion, &wide, n_classes + 2));
        // With a third, empty branch the multi-class Hellinger distance uses exhaustive search.
        prop_assert!((plain - wide).abs() <= 1e-12 * plain.max(1e-2), "{}: {} {}", criterion, plain, wide);
    }

    #[test]
    fn sorted_prefixes_contain_the_best_bipartition((table, n_classes) in contingency(2, 8)) {
        let (found, group) = best_bipartition(&totals(&table, n_classes), BranchMasses::new(&table, n_classes));
        let expected = exhaustive(&table, n_classes);
        // The naive square of a difference of roots loses half of the digits of a small distance.
        prop_assert!((found - expected).abs() <= 1e-14 + 1e-11 * expected, "{} instead of {}", found, expected);
        prop_assert!(!group.is_empty());
    }

    #[test]
    fn several_branches_use_the_best_of_all_bipartitions((table, n_classes) in contingency(3, 8)) {
        let (found, _) = best_bipartition(&totals(&table, n_classes), BranchMasses::new(&table, n_classes));
        let expected = exhaustive(&table, n_classes);
        prop_assert!((found - expected).abs() <= 1e-14 + 1e-11 * expected, "{} instead of {}", found, expected);
    }
}

fn same_but_gain(a: &TreeModel, b: &TreeModel) -> Result<(), TestCaseError> {
    prop_assert_eq!(without_gain(a.tree()), without_gain(b.tree()));
    Ok(())
}

/// Splits and row counts, without class weights and gains.
fn structure(tree: &Tree) -> TreeArrays {
    TreeArrays { mass: imbcore_trees::NodeMasses::Table(Vec::new()), ..without_gain(tree) }
}

fn ext(alpha: f64, reference: impl Into<Value>) -> Value {
    json!({"criterion": {"name": "alpha_ext", "alpha": alpha, "reference": reference.into()}})
}

fn plain(name: &str) -> Value {
    json!({"criterion": name})
}

const TWO: Kinds = Kinds { classes: 2, ..Kinds::ALL };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(512)))]

    #[test]
    fn hellinger_dkm_and_flipped_half_grow_equal_trees(toy in toys(TWO), nominal in select(vec!["ovr", "multiway"])) {
        let fit = |mut params: Value| {
            params["categorical_split"] = json!(nominal);
            toy.fit(&params)
        };
        let hellinger = fit(plain("hellinger"));
        same_but_gain(&hellinger, &fit(plain("dkm")))?;
        same_but_gain(&hellinger, &fit(ext(0.5, "flipped")))?;
    }

    #[test]
    fn extended_alpha_equals_gini_and_entropy(toy in toys(Kinds::ALL)) {
        same_but_gain(&toy.fit(&plain("gini")), &toy.fit(&ext(2.0, "uniform")))?;
        let entropy = toy.fit(&plain("entropy"));
        same_but_gain(&entropy, &toy.fit(&json!({"criterion": {"name": "alpha", "alpha": 1.0}})))?;
        same_but_gain(&entropy, &toy.fit(&ext(1.0, "uniform")))?;
        let shares: Vec<f64> = (1..=toy.n_classes).map(|k| k as f64 / (1..=toy.n_classes).sum::<usize>() as f64).collect();
        same_but_gain(&entropy, &toy.fit(&ext(1.0, shares)))?;
    }
}

fn proba(model: &TreeModel, toy: &Toy) -> Vec<f64> {
    model.proba(&toy.frame(), RunContext::silent()).unwrap()
}

fn relatively_close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * a.abs().max(b.abs()))
}

static POOLS: LazyLock<Vec<ThreadPool>> = LazyLock::new(|| {
    [1, 2, 7].map(|n| ThreadPoolBuilder::new().num_threads(n).build().unwrap()).into_iter().collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(1500)))]

    #[test]
    fn every_layout_and_scan_grows_the_same_tree((toy, params) in toys_and_settings(Kinds::ALL)) {
        let model = toy.fit(&params);
        let other = |layout, every_cut| {
            toy.try_fit(&params, |learner| learner.with_row_layout(layout).with_every_threshold(every_cut)).unwrap()
        };
        prop_assert_eq!(&model, &other(RowLayout::Presorted, true), "every cut");
        prop_assert_eq!(&model, &other(RowLayout::Listed, false), "listed rows");
        prop_assert_eq!(&model, &other(RowLayout::Listed, true), "listed rows, every cut");
        prop_assert_eq!(&model, &other(RowLayout::Ranked, false), "ranked rows");
        prop_assert_eq!(&model, &other(RowLayout::Ranked, true), "ranked rows, every cut");
    }

    #[test]
    fn training_rows_reach_the_leaves_that_counted_them((toy, mut params) in toys_and_settings(Kinds::ALL)) {
        if params["missing"] == "fraction" {
            params["missing"] = json!("direction");
        }
        let model = toy.fit(&params);
        let tree = model.tree();
        let (starts, nodes) = model.decision_path(&toy.frame(), RunContext::silent()).unwrap();
        let leaves = model.apply(&toy.frame(), RunContext::silent()).unwrap();
        let mut rows = vec![0; tree.n_nodes()];
        let mut mass = vec![0.0; tree.n_nodes() * tree.n_classes()];
        for (row, &weight) in toy.row_weights().iter().enumerate() {
            let path = &nodes[starts[row]..starts[row + 1]];
            prop_assert_eq!(path.last(), Some(&leaves[row]));
            // A single row does not use the batch traversal.
            let alone = toy.take(&[row as u32]);
            prop_assert_eq!(model.apply(&alone.frame(), RunContext::silent()).unwrap(), [leaves[row]]);
            for &node in path.iter().filter(|_| weight > 0.0) {
                rows[node as usize] += 1;
                mass[node as usize * tree.n_classes() + toy.classes[row] as usize] += weight;
            }
        }
        for node in 0..tree.n_nodes() {
            prop_assert_eq!(tree.n_node_rows(node), rows[node], "node {}", node);
            // A branch without rows has the class weights of its parent.
            if rows[node] > 0 {
                let own = &mass[node * tree.n_classes()..(node + 1) * tree.n_classes()];
                prop_assert!(relatively_close(&tree.class_masses(node), own, 1e-13), "node {}", node);
            }
        }
    }

    #[test]
    fn limits_are_respected((toy, mut params) in toys_and_settings(Kinds::ALL)) {
        // Branches of a multiway split may be empty.
        if params["categorical_split"].as_str().is_some_and(|rule| rule.ends_with("multiway")) {
            params["categorical_split"] = json!("ovr");
        }
        let model = toy.fit(&params);
        let tree = model.tree();
        let limit = |name: &str| params[name].as_f64();
        prop_assert!(tree.depths().iter().all(|&depth| f64::from(depth) <= limit("max_depth").unwrap_or(1e9)));
        prop_assert!(tree.n_leaves() as f64 <= limit("max_leaf_nodes").unwrap_or(1e9));
        for node in (0..tree.n_nodes()).filter(|&node| tree.split(node) != TreeSplit::Leaf) {
            prop_assert!(f64::from(tree.n_node_rows(node)) >= limit("min_samples_split").unwrap());
            prop_assert!(tree.split_gain(node) >= limit("min_split_gain").unwrap());
            for child in tree.children(node) {
                prop_assert!(f64::from(tree.n_node_rows(child)) >= limit("min_samples_leaf").unwrap());
                prop_assert!(tree.class_masses(child).iter().sum::<f64>() >= limit("min_weight_leaf").unwrap() - 1e-9);
            }
        }
    }

    #[test]
    fn fractional_rows_conserve_their_weight((toy, mut params) in toys_and_settings(Kinds::ALL)) {
        params["missing"] = json!("fraction");
        let model = toy.fit(&params);
        let tree = model.tree();
        let mut mass = vec![0.0; tree.n_classes()];
        for leaf in (0..tree.n_nodes()).filter(|&node| tree.split(node) == TreeSplit::Leaf && tree.n_node_rows(node) > 0) {
            mass.iter_mut().zip(tree.class_masses(leaf).iter()).for_each(|(sum, part)| *sum += part);
        }
        prop_assert!(relatively_close(&mass, &tree.class_masses(0), 1e-12), "{:?} from {:?}", mass, tree.class_masses(0));
    }

    #[test]
    fn probabilities_are_nonnegative_and_sum_to_one((toy, params) in toys_and_settings(Kinds::ALL), other in toys(Kinds::ALL)) {
        let model = toy.fit(&params);
        for rows in proba(&model, &toy).chunks_exact(toy.n_classes) {
            // Without a tolerance: scores such as the Brier score refuse a probability above 1.
            prop_assert!(rows.iter().all(|p| (0.0..=1.0).contains(p)));
            prop_assert!((rows.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        // Other data of the same kinds reach branches that had no training rows.
        if other.kinds() == toy.kinds() {
            let all = model.proba(&other.frame(), RunContext::silent()).unwrap();
            prop_assert!(all.chunks_exact(toy.n_classes).all(|rows| (rows.iter().sum::<f64>() - 1.0).abs() < 1e-12));
        }
    }

    #[test]
    fn arrays_store_the_whole_tree((toy, params) in toys_and_settings(Kinds::ALL)) {
        let model = toy.fit(&params);
        let again = Tree::from_arrays(model.tree().to_arrays(), &toy.kinds(), toy.n_classes);
        prop_assert_eq!(again.as_ref(), Ok(model.tree()));
    }
}

/// Integer weights of at least 0; the first two rows keep theirs.
fn integer_weights(toy: &Toy, raw: &[u32]) -> Vec<u32> {
    (0..toy.classes.len()).map(|row| if row < 2 { 1 } else { raw[row] % 4 }).collect()
}

/// Moves the weight limit away from all sums of weights: at 2 = 0.1 + 0.3 + 1.6 the order of summation would
/// decide.
fn clear_of_sums(mut params: Value) -> Value {
    params["min_weight_leaf"] = json!(params["min_weight_leaf"].as_f64().unwrap() + 0.037_137);
    params
}

fn levels_of(column: &ColumnBuf) -> Option<u32> {
    match column {
        ColumnBuf::Numeric(_) => None,
        ColumnBuf::Nominal { levels, .. } => Some(*levels),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(512)))]

    #[test]
    fn tree_does_not_depend_on_the_number_of_threads((toy, params) in toys_and_settings(Kinds::ALL)) {
        let trees: Vec<TreeModel> = POOLS.iter().map(|pool| pool.install(|| toy.fit(&params))).collect();
        prop_assert!(trees.windows(2).all(|two| two[0] == two[1]));
    }

    #[test]
    fn unreachable_limits_change_nothing((toy, params) in toys_and_criteria(Kinds::ALL)) {
        let mut limited = params.clone();
        limited["max_leaf_nodes"] = json!(1_000_000);
        limited["max_features"] = json!(1.0);
        prop_assert_eq!(toy.fit(&params), toy.fit(&limited));
    }

    #[test]
    fn integer_weights_equal_repeated_rows(
        (toy, params) in toys_and_criteria(Kinds { weights: false, ..Kinds::ALL }),
        raw in prop::collection::vec(any::<u32>(), 40),
    ) {
        // The mean gain of C4.5 omits columns by their number of levels per row, regardless of weights.
        prop_assume!(params["criterion"] != "c45" || toy.columns.iter().all(|column| levels_of(column).is_none()));
        let weights = integer_weights(&toy, &raw);
        let rows: Vec<u32> =
            weights.iter().enumerate().flat_map(|(row, &n)| std::iter::repeat_n(row as u32, n as usize)).collect();
        let weighted = Toy { weights: Some(weights.into_iter().map(f64::from).collect()), ..toy.clone() };
        let by_weight = weighted.fit(&params).tree().to_arrays();
        let by_rows = toy.take(&rows).fit(&params).tree().to_arrays();
        // `rows` counts rows without weights, which also decides the branch of missing values that training
        // did not have.
        let comparable = |arrays: TreeArrays| TreeArrays { rows: vec![], missing_child: vec![], ..arrays };
        prop_assert_eq!(comparable(by_weight), comparable(by_rows));
    }

    #[test]
    fn tree_does_not_depend_on_the_row_order((toy, params) in toys_and_settings(Kinds { weights: false, ..Kinds::ALL }), turn in 0..40_usize) {
        let mut params = clear_of_sums(params);
        if params["missing"] == "fraction" {
            // It would compare estimates that are equal except for the order of summation.
            params["monotonic_cst"] = Value::Null;
        }
        let mut rows: Vec<u32> = (0..toy.classes.len() as u32).rev().collect();
        rows.rotate_left(turn % toy.classes.len());
        let (plain, turned) = (toy.fit(&params), toy.take(&rows).fit(&params));
        if params["missing"] == "fraction" {
            prop_assert_eq!(structure(plain.tree()), structure(turned.tree()));
            prop_assert!(relatively_close(&masses(plain.tree()), &masses(turned.tree()), 1e-12));
        } else {
            prop_assert_eq!(plain, turned);
        }
    }

    #[test]
    fn structure_does_not_depend_on_the_order_of_weights((toy, params) in toys_and_criteria(Kinds::ALL)) {
        let rows: Vec<u32> = (0..toy.classes.len() as u32).rev().collect();
        let (plain, turned) = (toy.fit(&params), toy.take(&rows).fit(&params));
        prop_assert_eq!(structure(plain.tree()), structure(turned.tree()));
    }

    #[test]
    fn class_weights_do_not_change_binary_hellinger_splits(
        toy in toys(Kinds { weights: false, ..TWO }),
        weights in [select(vec![0.1, 1.0, 7.3]), select(vec![0.3, 1.0, 1e3])],
    ) {
        let weighted = Toy { class_weight: Some(weights.to_vec()), ..toy.clone() };
        let (plain, weighted) = (toy.fit(&plain("hellinger")), weighted.fit(&plain("hellinger")));
        prop_assert_eq!(structure(plain.tree()), structure(weighted.tree()));
    }

    #[test]
    fn tree_depends_only_on_the_order_of_values((toy, mut params) in toys_and_settings(Kinds::ALL)) {
        // Equally spaced thresholds depend on the numbers.
        params["splitter"] = json!("best");
        let grown = |values: &Vec<f64>| {
            let mut known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            known.sort_by(f64::total_cmp);
            known.dedup();
            let rank = |&value: &f64| known.iter().position(|&other| other == value).map_or(f64::NAN, |r| (r * r) as f64);
            ColumnBuf::Numeric(values.iter().map(rank).collect())
        };
        let columns = toy.columns.iter().map(|column| match column {
            ColumnBuf::Numeric(values) => grown(values),
            nominal @ ColumnBuf::Nominal { .. } => nominal.clone(),
        });
        let ranked = Toy { columns: columns.collect(), ..toy.clone() };
        let (plain, ranked_model) = (toy.fit(&params), ranked.fit(&params));
        let no_thresholds = |model: &TreeModel| TreeArrays { operand: vec![], ..model.tree().to_arrays() };
        prop_assert_eq!(no_thresholds(&plain), no_thresholds(&ranked_model));
        let (a, b) = (plain.apply(&toy.frame(), RunContext::silent()), ranked_model.apply(&ranked.frame(), RunContext::silent()));
        for ((a, b), weight) in a.unwrap().iter().zip(b.unwrap()).zip(toy.row_weights()) {
            // Midpoints move, so a value without a training row may change sides.
            prop_assert!(*a == b || weight == 0.0);
        }
    }

    #[test]
    fn tree_does_not_depend_on_the_order_of_classes((toy, params) in toys_and_settings(Kinds::ALL), turn in 1..5_u32) {
        prop_assume!(!params["criterion"]["reference"].is_array());
        let mut params = clear_of_sums(params);
        // Best-first growth compares weighted gains to the last bit, which depends on the order of classes.
        params["max_leaf_nodes"] = Value::Null;
        // Constraints and the order of levels refer to the proportion of the positive class.
        params["monotonic_cst"] = Value::Null;
        if params["categorical_split"] == "subset" {
            params["categorical_split"] = json!("ovr");
        }
        let n = toy.n_classes as u32;
        let mut class_weight = toy.class_weight.clone();
        if let Some(weights) = &mut class_weight {
            weights.rotate_right((turn % n) as usize);
        }
        let turned = Toy {
            classes: toy.classes.iter().map(|class| (class + turn) % n).collect(),
            class_weight,
            ..toy.clone()
        };
        let (plain, mut other) = (proba(&toy.fit(&params), &toy), proba(&turned.fit(&params), &turned));
        for row in other.chunks_exact_mut(toy.n_classes) {
            row.rotate_left((turn % n) as usize);
        }
        prop_assert!(relatively_close(&plain, &other, 1e-12), "{:?}\n{:?}", plain, other);
    }
}

/// A missing row too light for its own branch: within a run of one class, the outermost threshold is best.
#[test]
fn outermost_cuts_are_tried_if_missing_rows_are_too_few_for_a_branch() {
    let toy = Toy {
        columns: vec![ColumnBuf::Numeric(vec![1.0, 2.0, 3.0, f64::NAN])],
        classes: vec![0, 0, 0, 1],
        n_classes: 2,
        weights: Some(vec![2.0, 2.0, 2.0, 0.5]),
        class_weight: None,
    };
    let params = json!({"min_weight_leaf": 1.0});
    let every_cut = toy.try_fit(&params, |learner| learner.with_every_threshold(true)).unwrap();
    assert_eq!(every_cut.tree().n_leaves(), 2);
    assert_eq!(toy.fit(&params), every_cut);
}

/// The observed rows have one class; any split would distribute the missing ones proportionally.
#[test]
fn column_with_pure_observed_rows_is_not_split_with_fractions() {
    let toy = Toy {
        columns: vec![ColumnBuf::Numeric(vec![1.0, 2.0, f64::NAN])],
        classes: vec![0, 0, 1],
        n_classes: 2,
        weights: None,
        class_weight: None,
    };
    for every_cut in [false, true] {
        let params = json!({"missing": "fraction"});
        let model = toy.try_fit(&params, |learner| learner.with_every_threshold(every_cut)).unwrap();
        assert_eq!(model.tree().n_nodes(), 1);
    }
}
