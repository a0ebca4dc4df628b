//! Properties of splits: nominal columns, missing levels, monotone constraints, twoing, class groups.

use imbcore_core::{Classifier, ColumnBuf, MISSING, RunContext};
use imbcore_criteria::{AnyCriterion, BranchMasses, Criterion, CriterionVisitor, NodeScorer};
use imbcore_tests::toy::{
    Kinds, Toy, criteria_of_two_branches, signs, toys, toys_and_criteria, toys_and_settings, without_gain,
};
use imbcore_trees::{Tree, TreeModel, TreeSplit};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// Scores one table by a criterion.
struct Score<'a>(&'a [f64], usize);

impl CriterionVisitor for Score<'_> {
    type Out = f64;

    fn visit<C: Criterion>(self, criterion: &C) -> f64 {
        let Self(table, n_classes) = self;
        let totals: Vec<f64> =
            (0..n_classes).map(|class| table.iter().skip(class).step_by(n_classes).sum()).collect();
        criterion.node_scorer(&totals).score(BranchMasses::new(table, n_classes))
    }
}

fn score(criterion: &Value, table: &[f64], n_classes: usize) -> f64 {
    serde_json::from_value::<AnyCriterion>(criterion.clone()).unwrap().accept(Score(table, n_classes))
}

/// Every two-branch table that merges the rows of `levels` into two groups, each grouping once.
fn merged(levels: &[Vec<f64>]) -> impl Iterator<Item = Vec<f64>> {
    let n_classes = levels[0].len();
    (1..1_u32 << (levels.len() - 1)).map(move |set| {
        let side = |inside: bool| {
            let mut sum = vec![0.0; n_classes];
            for (place, level) in levels.iter().enumerate() {
                if (set >> place & 1 == 1) == inside {
                    sum.iter_mut().zip(level).for_each(|(sum, mass)| *sum += mass);
                }
            }
            sum
        };
        [side(true), side(false)].concat()
    })
}

/// One nominal column with up to seven levels, some of them missing.
fn one_column(classes: u32) -> impl Strategy<Value = Toy> {
    (2..=classes, prop::collection::vec(any::<u32>(), 3..60)).prop_map(|(n_classes, raw)| {
        let code = |&raw: &u32| if raw % 8 == 7 { MISSING } else { raw % 8 };
        let own = |row: usize| (raw[row] >> 4) % n_classes;
        Toy {
            columns: vec![ColumnBuf::Nominal { codes: raw.iter().map(code).collect(), levels: 7 }],
            classes: (0..raw.len()).map(|row| if row < 2 { row as u32 } else { own(row) }).collect(),
            n_classes: n_classes as usize,
            weights: None,
            class_weight: None,
        }
    })
}

/// Class counts of every level that occurs, including missing.
fn counts(toy: &Toy) -> Vec<Vec<f64>> {
    let ColumnBuf::Nominal { codes, .. } = &toy.columns[0] else { unreachable!() };
    let mut counts = vec![vec![0.0; toy.n_classes]; 8];
    for (&code, &class) in codes.iter().zip(&toy.classes) {
        counts[code.min(7) as usize][class as usize] += 1.0;
    }
    counts.retain(|level| level.iter().sum::<f64>() > 0.0);
    counts
}

fn ratio(criterion: &Value) -> bool {
    criterion == "gain_ratio" || criterion == "c45" || criterion["name"] == "c45"
}

fn proba(model: &TreeModel, toy: &Toy) -> Vec<f64> {
    model.proba(&toy.frame(), RunContext::silent()).unwrap()
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9)
}

/// The improvement of the tree by the split of a node, by the definition of the criterion or the entropy.
fn decrease(tree: &Tree, node: usize, criterion: &Value, order: &str) -> f64 {
    let all = tree.class_masses(node);
    if order == "entropy" {
        let of = |node: usize| {
            let masses = tree.class_masses(node);
            let total = masses.iter().sum::<f64>();
            let parts = masses.iter().filter(|&&mass| mass > 0.0);
            parts.map(|mass| -mass * (mass / total).log2()).sum::<f64>()
        };
        return of(node) - tree.children(node).map(of).sum::<f64>();
    }
    if criterion != "hellinger" {
        return all.iter().sum::<f64>() * tree.split_gain(node);
    }
    let group = if tree.n_classes() == 2 { vec![1] } else { tree.class_group(node) };
    let affinity = |node: usize| {
        let masses = tree.class_masses(node);
        let inside = group.iter().map(|&class| masses[class as usize]).sum::<f64>();
        (inside * (masses.iter().sum::<f64>() - inside)).max(0.0).sqrt()
    };
    affinity(node) - tree.children(node).map(affinity).sum::<f64>()
}

/// The nodes of a full tree that best-first growth splits up to `most` leaves; `None` if two nodes are
/// equally good.
fn best_nodes(tree: &Tree, most: usize, priority: impl Fn(usize) -> f64) -> Option<Vec<usize>> {
    let (mut open, mut split) = (vec![0], Vec::new());
    while split.len() + 1 < most {
        let inner = |&node: &usize| tree.split(node) != TreeSplit::Leaf;
        let mut priorities: Vec<(f64, usize)> =
            open.iter().copied().filter(inner).map(|n| (priority(n), n)).collect();
        priorities.sort_by(|a, b| b.0.total_cmp(&a.0));
        let &(best, node) = priorities.first()?;
        let tolerance = 1e-9 * tree.class_masses(0).iter().sum::<f64>();
        if priorities.get(1).is_some_and(|next| next.0 >= best - tolerance) {
            return None;
        }
        open.retain(|&other| other != node);
        open.extend(tree.children(node));
        split.push(node);
    }
    Some(split)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(512)))]

    #[test]
    fn best_first_growth_splits_the_best_node(
        (toy, params) in toys_and_criteria(Kinds::ALL),
        order in select(vec!["gain", "entropy"]),
        hellinger in any::<bool>(),
        most in 2..6_usize,
    ) {
        let criterion = if hellinger { json!("hellinger") } else { params["criterion"].clone() };
        let full = toy.fit(&json!({"criterion": criterion}));
        let full = full.tree();
        let nodes = best_nodes(full, most, |node| decrease(full, node, &criterion, order));
        prop_assume!(nodes.is_some());
        let limited = toy.fit(&json!({"criterion": criterion, "max_leaf_nodes": most, "growth_order": order}));
        let (mut stack, mut split) = (vec![(0, 0)], Vec::new());
        while let Some((node, of_full)) = stack.pop() {
            if limited.tree().split(node) != TreeSplit::Leaf {
                split.push(of_full);
                stack.extend(limited.tree().children(node).zip(full.children(of_full)));
            }
        }
        let mut nodes = nodes.unwrap();
        split.sort_unstable();
        nodes.sort_unstable();
        prop_assert_eq!(split, nodes);
    }

    #[test]
    fn importances_are_proportions_of_total_improvement((toy, params) in toys_and_criteria(Kinds::ALL), hellinger in any::<bool>()) {
        let criterion = if hellinger { json!("hellinger") } else { params["criterion"].clone() };
        let model = toy.fit(&json!({"criterion": criterion}));
        let tree = model.tree();
        let mut expected = vec![0.0; toy.columns.len()];
        for node in (0..tree.n_nodes()).filter(|&node| tree.split(node) != TreeSplit::Leaf) {
            expected[tree.column(node)] += decrease(tree, node, &criterion, "gain");
        }
        let total = expected.iter().sum::<f64>();
        prop_assume!(total > 1e-6 * tree.class_masses(0).iter().sum::<f64>());
        let expected: Vec<f64> = expected.iter().map(|fall| fall / total).collect();
        let criterion: AnyCriterion = serde_json::from_value(criterion).unwrap();
        prop_assert!(close(&tree.feature_importances(toy.columns.len(), &criterion), &expected));
    }

    #[test]
    fn best_set_of_levels_is_optimal(
        (toy, criterion) in one_column(4).prop_flat_map(|toy| {
            let criteria = criteria_of_two_branches(toy.n_classes);
            (Just(toy), select(criteria))
        }),
    ) {
        // The gain ratio is not concave.
        prop_assume!(!ratio(&criterion));
        let levels = counts(&toy);
        prop_assume!(levels.len() > 1);
        let params = json!({"criterion": criterion, "categorical_split": "subset", "missing": "value", "max_depth": 1});
        let best = merged(&levels).map(|table| score(&criterion, &table, toy.n_classes)).fold(0.0, f64::max);
        let found = toy.fit(&params).tree().split_gain(0);
        prop_assert!((found - best).abs() <= 2e-9 * best + 1e-12, "{} of {} {:?}", found, best, levels);
    }

    #[test]
    fn twoing_is_the_best_bipartition_of_the_classes(
        table in (2..7_usize).prop_flat_map(|n| prop::collection::vec((0..20_u32).prop_map(f64::from), 2 * n)),
    ) {
        let n_classes = table.len() / 2;
        // Each class is a level of the transposed table, to be merged into one of two groups.
        let classes: Vec<Vec<f64>> = (0..n_classes).map(|k| vec![table[k], table[n_classes + k]]).collect();
        let total: f64 = table.iter().sum();
        let (left, right): (f64, f64) = (table[..n_classes].iter().sum(), table[n_classes..].iter().sum());
        prop_assume!(left > 0.0 && right > 0.0);
        let impurity = |inside: f64, all: f64| inside / all * (1.0 - inside / all);
        let decrease = |groups: Vec<f64>| {
            impurity(groups[0] + groups[1], total)
                - left / total * impurity(groups[0], left)
                - right / total * impurity(groups[1], right)
        };
        let best = merged(&classes).map(decrease).fold(0.0, f64::max);
        let found = score(&json!("twoing"), &table, n_classes);
        prop_assert!((found - best).abs() <= 1e-14 + 1e-12 * best, "{} instead of {}", found, best);
    }

    #[test]
    fn twoing_of_two_classes_is_half_of_gini(toy in toys(Kinds { classes: 2, ..Kinds::ALL })) {
        let fit = |criterion| toy.fit(&json!({"criterion": criterion, "categorical_split": "subset"}));
        prop_assert_eq!(without_gain(fit("twoing").tree()), without_gain(fit("gini").tree()));
    }

    #[test]
    fn dummy_columns_grow_the_trees_of_one_level_against_the_rest(
        (toy, mut params) in toys_and_settings(Kinds::ALL),
        raw in prop::collection::vec(any::<u32>(), 40),
    ) {
        // C4.5 compares columns with their average, and dummies are more columns. Random weights leave no
        // ties except those of equal partitions.
        prop_assume!(!ratio(&params["criterion"]));
        // A random cut separates one of the levels.
        prop_assume!(params["splitter"] != "random");
        params["max_features"] = Value::Null;
        params["allow_zero_gain_splits"] = json!(false);
        let weights = raw[..toy.classes.len()].iter().map(|&raw| 0.5 + f64::from(raw) / 4_294_967_296.0).collect();
        let toy = Toy { weights: Some(weights), ..toy };
        let fit = |nominal: &str| {
            let mut params = params.clone();
            params["categorical_split"] = json!(nominal);
            toy.fit(&params)
        };
        prop_assert_eq!(without_gain(fit("dummy").tree()), without_gain(fit("ovr").tree()));
    }

    #[test]
    fn ovr_multiway_chooses_the_column_of_ovr(toy in toys(Kinds { missing: false, ..Kinds::ALL })) {
        let fit = |nominal: &str| toy.fit(&json!({"criterion": "hellinger", "categorical_split": nominal, "max_depth": 1}));
        let (ovr, each) = (fit("ovr"), fit("ovr_multiway"));
        let (ovr, each) = (ovr.tree(), each.tree());
        prop_assert_eq!((ovr.column(0), ovr.split_gain(0)), (each.column(0), each.split_gain(0)));
        match ovr.split(0) {
            TreeSplit::IsLevel(_) => prop_assert_eq!(each.split(0), TreeSplit::EachLevel),
            cut => prop_assert_eq!(each.split(0), cut),
        }
    }

    #[test]
    fn missing_as_value_equals_one_more_level((toy, mut params) in toys_and_settings(Kinds::ALL)) {
        // C4.5 counts the levels of a column, a limit of leaves counts branches, and a row of weight 0 may
        // have a level that no other row has.
        prop_assume!(!ratio(&params["criterion"]));
        (params["max_leaf_nodes"], params["max_features"]) = (Value::Null, Value::Null);
        let rows: Vec<u32> = (0..).zip(toy.row_weights()).filter(|(_, w)| *w > 0.0).map(|(row, _)| row).collect();
        let toy = toy.take(&rows);
        let explicit = |column: &ColumnBuf| match column {
            ColumnBuf::Nominal { codes, levels } if codes.contains(&MISSING) => {
                ColumnBuf::Nominal { codes: codes.iter().map(|&code| code.min(*levels)).collect(), levels: levels + 1 }
            }
            column => column.clone(),
        };
        let written = Toy { columns: toy.columns.iter().map(explicit).collect(), ..toy.clone() };
        params["missing"] = json!("value");
        if params["splitter"] == json!("random") {
            // Random levels without rows and missing values go to different sides, and nodes below draw other
            // numbers.
            params["max_depth"] = json!(1);
        }
        let as_value = toy.fit(&params);
        params["missing"] = json!("direction");
        let as_level = written.fit(&params);
        prop_assert!(close(&proba(&as_value, &toy), &proba(&as_level, &written)), "{}", params);
    }

    #[test]
    fn constrained_probabilities_are_monotone(
        (toy, mut params, signs) in toys_and_settings(Kinds { classes: 2, ..Kinds::ALL })
            .prop_flat_map(|(toy, params)| (Just(toy.clone()), Just(params), signs(&toy))),
    ) {
        params["monotonic_cst"] = json!(signs);
        let model = toy.fit(&params);
        for (column, &sign) in signs.iter().enumerate().filter(|&(_, &sign)| sign != 0) {
            let ColumnBuf::Numeric(values) = &toy.columns[column] else { unreachable!() };
            let mut grid: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            grid.sort_by(f64::total_cmp);
            let mut lowest = vec![f64::NEG_INFINITY; toy.classes.len()];
            for value in grid {
                let mut columns = toy.columns.clone();
                columns[column] = ColumnBuf::Numeric(vec![value; toy.classes.len()]);
                let moved = Toy { columns, ..toy.clone() };
                for (row, p) in proba(&model, &moved).chunks_exact(2).enumerate() {
                    let along = f64::from(sign) * p[1];
                    // Only averages over fractional rows are rounded.
                    prop_assert!(along >= lowest[row] - 1e-15, "row {} at {}: {} {}", row, value, along, lowest[row]);
                    lowest[row] = lowest[row].max(along);
                }
            }
        }
    }

    #[test]
    fn zero_constraints_change_nothing((toy, mut params) in toys_and_settings(Kinds::ALL)) {
        params["monotonic_cst"] = json!(vec![0; toy.columns.len()]);
        let zeros = toy.fit(&params);
        params["monotonic_cst"] = Value::Null;
        prop_assert_eq!(zeros, toy.fit(&params));
    }

    #[test]
    fn nodes_store_the_class_group_with_the_largest_distance(
        (toy, mut params) in toys_and_settings(Kinds { weights: false, ..Kinds::ALL }),
    ) {
        // Tables of the children include neither fractional rows nor levels used only for scoring.
        if params["missing"] == "fraction" || params["categorical_split"] == "ovr_multiway" {
            (params["missing"], params["categorical_split"]) = (json!("direction"), json!("multiway"));
        }
        params["criterion"] = json!("hellinger");
        check_groups(toy.fit(&params).tree())?;
        params["criterion"] = json!("gini");
        prop_assert!(toy.fit(&params).tree().to_arrays().groups.is_empty());
    }
}

fn check_groups(tree: &Tree) -> Result<(), TestCaseError> {
    for node in 0..tree.n_nodes() {
        let group = tree.class_group(node);
        if tree.split(node) == TreeSplit::Leaf || tree.n_classes() == 2 {
            prop_assert!(group.is_empty());
            continue;
        }
        let live: Vec<u32> =
            (0..).zip(tree.class_masses(node).iter()).filter(|(_, m)| **m > 0.0).map(|(k, _)| k).collect();
        prop_assert!(!group.is_empty() && !group.contains(&live[0]), "node {}: {:?}", node, group);
        let children: Vec<Vec<f64>> = tree
            .children(node)
            .filter(|&child| tree.n_node_rows(child) > 0)
            .map(|c| tree.class_masses(c).to_vec())
            .collect();
        let side = |cells: &[f64], inside: bool| -> f64 {
            (0..).zip(cells).filter(|(k, _)| group.contains(k) == inside).map(|(_, mass)| mass).sum()
        };
        let all = |inside: bool| side(&tree.class_masses(node), inside);
        let distance: f64 = children
            .iter()
            .map(|cells| {
                ((side(cells, true) / all(true)).sqrt() - (side(cells, false) / all(false)).sqrt()).powi(2)
            })
            .sum();
        prop_assert!(
            (distance - tree.split_gain(node)).abs() < 1e-9,
            "node {}: {} {}",
            node,
            distance,
            tree.split_gain(node)
        );
    }
    Ok(())
}

fn table(columns: Vec<ColumnBuf>, classes: Vec<u32>, n_classes: usize) -> Toy {
    Toy { columns, classes, n_classes, weights: None, class_weight: None }
}

#[test]
fn missing_values_follow_their_level() {
    let codes = vec![0, 1, MISSING, 0, 1, MISSING];
    let toy = table(vec![ColumnBuf::Nominal { codes, levels: 2 }], vec![0, 0, 1, 0, 0, 1], 2);
    for nominal in ["ovr", "multiway", "ovr_multiway", "dummy", "subset"] {
        let model = toy.fit(&json!({"categorical_split": nominal, "missing": "value"}));
        assert_eq!(model.predict(&toy.frame(), RunContext::silent()).unwrap(), toy.classes, "{nominal}");
    }
}

#[test]
fn levels_absent_from_a_node_follow_most_of_its_rows() {
    let toy = table(
        vec![ColumnBuf::Nominal { codes: vec![0, 1, 1, 1, 3, 0], levels: 5 }],
        vec![1, 0, 0, 0, 0, 1],
        2,
    );
    let model = toy.fit(&json!({"categorical_split": "subset"}));
    let TreeSplit::InLevels(set) = model.tree().split(0) else { unreachable!() };
    // Levels 1 and 3, with four rows, go left; levels 2 and 4 follow them.
    assert_eq!(model.tree().levels_in_set(set), [1, 2, 3, 4]);
}

#[test]
fn dummies_count_as_columns() {
    let codes = vec![0, 1, 2, 0, 1, 2];
    let toy = table(vec![ColumnBuf::Nominal { codes, levels: 3 }], vec![0, 1, 0, 0, 1, 0], 2);
    let fit = |features: u32| {
        toy.try_fit(&json!({"categorical_split": "dummy", "max_features": features}), |learner| learner)
    };
    assert!(fit(3).is_ok());
    let error = fit(4).unwrap_err().to_string();
    assert!(error.contains("number of features, 3"), "{error}");
}

#[test]
fn invalid_constraints_and_splits_are_named() {
    let numbers = ColumnBuf::Numeric(vec![1.0, 2.0, 3.0]);
    let levels = ColumnBuf::Nominal { codes: vec![0, 1, 2], levels: 3 };
    let error = |classes: &[u32], params: Value| {
        let n_classes = classes.iter().max().unwrap() + 1;
        let toy = table(vec![numbers.clone(), levels.clone()], classes.to_vec(), n_classes as usize);
        toy.try_fit(&params, |learner| learner).unwrap_err().to_string()
    };
    let two = [0, 1, 1];
    assert!(error(&two, json!({"monotonic_cst": [0, 1]})).contains("nominal"));
    assert!(error(&two, json!({"monotonic_cst": [1]})).contains("2 numbers"));
    assert!(error(&two, json!({"monotonic_cst": [2, 0]})).contains("-1, 0 and 1"));
    assert!(error(&[0, 1, 2], json!({"monotonic_cst": [1, 0]})).contains("more than two classes"));
    assert!(error(&two, json!({"criterion": "twoing", "categorical_split": "multiway"})).contains("twoing"));
}

#[test]
fn columns_of_many_levels_are_split_by_sets_with_any_rule() {
    let codes = |levels: u32| (0..900).map(|row| row * 7 % levels).collect::<Vec<u32>>();
    let of = |levels| {
        let numbers = (0..900_u32).map(|row| f64::from(row * row % 101)).collect();
        let classes =
            codes(levels).into_iter().zip(0..).map(|(code, row)| u32::from((code * 31 + row) % 7 == 0));
        let columns = vec![ColumnBuf::Numeric(numbers), ColumnBuf::Nominal { codes: codes(levels), levels }];
        table(columns, classes.collect(), 2)
    };
    for bins in [Value::Null, json!(255)] {
        let fit = |levels, nominal| {
            of(levels).fit(&json!({"categorical_split": nominal, "max_bins": bins.clone()}))
        };
        for nominal in ["ovr", "multiway", "ovr_multiway", "dummy"] {
            assert_eq!(fit(300, nominal), fit(300, "subset"), "{nominal}");
            assert_ne!(fit(255, nominal), fit(255, "subset"), "{nominal}");
        }
    }
}

#[test]
fn sets_of_many_levels_are_read_back_from_arrays() {
    let codes: Vec<u32> = (0..200).map(|row| row % 70).collect();
    let classes = codes.iter().map(|code| code % 3).collect();
    let toy = table(vec![ColumnBuf::Nominal { codes, levels: 70 }], classes, 3);
    let model = toy.fit(&json!({"categorical_split": "subset"}));
    assert!(matches!(model.tree().split(0), TreeSplit::InLevels(_)));
    assert_eq!(model.predict(&toy.frame(), RunContext::silent()).unwrap(), toy.classes);
    let arrays = model.tree().to_arrays();
    assert_eq!(Tree::from_arrays(arrays.clone(), &toy.kinds(), 3).as_ref(), Ok(model.tree()));
    for change in [
        (|arrays| arrays.sets.push(0)) as fn(&mut imbcore_trees::TreeArrays),
        |arrays| arrays.sets[0] = 69,
        |arrays| arrays.sets[1..4].fill(0),
        |arrays| arrays.sets[3] = u32::MAX,
        |arrays| arrays.operand[0] = 1.0,
        |arrays| arrays.groups.push(0),
    ] {
        let mut broken = arrays.clone();
        change(&mut broken);
        assert!(Tree::from_arrays(broken, &toy.kinds(), 3).is_err());
    }
}

/// Quinlan's mean gain counts every nominal column with two large branches, even without gain.
#[test]
fn nominal_columns_without_gain_count_in_the_mean_gain() {
    let numeric = |values: &[f64]| ColumnBuf::Numeric(values.to_vec());
    let nominal = |codes: &[u32], levels| ColumnBuf::Nominal { codes: codes.to_vec(), levels };
    let nine_and_one = [9.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0, 9.0];
    let toy = Toy {
        columns: vec![
            numeric(&nine_and_one),
            nominal(&[0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1], 2),
            nominal(&[0, 1, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2], 3),
        ],
        classes: [vec![0; 2], vec![1; 10]].concat(),
        n_classes: 2,
        weights: None,
        class_weight: None,
    };
    let mut params = json!({
        "criterion": "c45", "min_weight_leaf": 2.0, "allow_zero_gain_splits": false, "categorical_split": "multiway", "missing": "fraction",
    });
    let root = |toy: &Toy, params: &Value| {
        let model = toy.fit(params);
        (model.tree().column(0), (model.tree().split_gain(0) * 1e4).round())
    };
    assert_eq!(root(&toy, &params), (0, 1495.0));
    // As a numeric column the second one has no valid cut, and the mean exceeds the gain of the first.
    let numbers = numeric(&[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    let as_numbers =
        Toy { columns: vec![toy.columns[0].clone(), numbers, toy.columns[2].clone()], ..toy.clone() };
    assert_eq!(root(&as_numbers, &params), (2, 1085.0));
    params["max_bins"] = json!(8);
    params["missing"] = json!("direction");
    assert_eq!(root(&toy, &params), (0, 1495.0));
}
