//! Properties of SVR-Trees, and their growth compared step by step with a reference that recomputes
//! everything.

use crate::grid::{Grid, Leaf};
use crate::reference::{Grown, LEAST_VOLUME, State, Step, reference, weighted_rows};
use imbcore_core::{Classifier, ColumnBuf, Dataset, Learner, Result, RunContext, SeedKey, parse_params};
use imbcore_tests::toy::{Kinds, Toy, toys};
use imbcore_trees::TreeSplit;
use imbcore_trees::svr::{SvrLearner, SvrModel, SvrParams, SvrTreeStats};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{TestError, TestRunner};
use serde_json::{Value, json};
use std::cell::Cell;

fn learner(toy: &Toy, params: &Value) -> SvrLearner {
    let params = parse_params("svr_tree", &SvrParams::default(), params.as_object().unwrap()).unwrap();
    params.check("svr_tree").unwrap().with_class_weight(toy.class_weight.clone()).unwrap()
}

fn dataset(toy: &Toy) -> Dataset<'_> {
    Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap()
}

fn try_fit(toy: &Toy, params: &Value) -> Result<SvrModel> {
    learner(toy, params).fit(&dataset(toy), SeedKey::root(0), RunContext::silent())
}

fn fit(toy: &Toy, params: &Value) -> SvrModel {
    try_fit(toy, params).unwrap()
}

/// Numbers that make boxes so thin that sums and differences of their walls lose all digits.
const THIN: [f64; 10] = [0.0, 1e-300, 1e-150, 1e-30, 1e-12, 1e-9, 0.5, 1.0 - 1e-9, 1.0 - f64::EPSILON, 1.0];

/// Replaces values of some columns by those of [`THIN`], or moves all to one end.
fn with_thin_values(toys: impl Strategy<Value = Toy>) -> impl Strategy<Value = Toy> {
    (toys, prop::collection::vec(0..6_usize, 4), any::<u32>()).prop_map(|(mut toy, kinds, salt)| {
        for (place, column) in toy.columns.iter_mut().enumerate() {
            let ColumnBuf::Numeric(values) = column else { continue };
            for (row, value) in values.iter_mut().enumerate().filter(|(_, value)| !value.is_nan()) {
                let raw = (row as u32 ^ salt).wrapping_mul(2_654_435_761).rotate_left(place as u32 * 7) >> 11;
                match kinds[place] {
                    0 => *value = THIN[raw as usize % THIN.len()],
                    1 => {
                        *value =
                            if raw.is_multiple_of(7) { f64::from(raw % 100) } else { f64::from(raw) * 1e-14 }
                    }
                    2 => *value = *value * 1e-3 + 1e13,
                    _ => {}
                }
            }
        }
        toy
    })
}

fn settings(n_classes: usize) -> impl Strategy<Value = Value> {
    let codes = prop::collection::vec(any::<bool>(), n_classes)
        .prop_map(|chosen| json!((0..chosen.len()).filter(|&class| chosen[class]).collect::<Vec<_>>()));
    let penalised = prop_oneof![3 => Just(json!("minority")), 2 => Just(json!("all")), 1 => codes];
    (
        (
            select(vec![0.0, 1e-9, 1e-4, 0.003, 0.01, 0.03, 0.1, 0.6, 4.0, 1e6, 1e20]),
            select(vec![1.0, 2.0, 3.5, 5.0, 8.2, 12.0]),
            any::<bool>(),
            select(vec![0.0, 1.0, 4.0]),
        ),
        (
            select(vec!["split", "freeze"]),
            select(vec!["leaves", "dequeues"]),
            select(vec!["reference", "minmax"]),
            select(vec!["svr", "svr", "surface"]),
            penalised,
            select(vec!["weighted", "unweighted"]),
        ),
    )
        .prop_map(|(numbers, choices)| {
            json!({
                "penalty": numbers.0, "max_leaf_nodes": numbers.1, "feature_selection": numbers.2, "new_feature_penalty": numbers.3,
                "pure_nodes": choices.0, "stop_rule": choices.1, "scale": choices.2,
                "regularizer": choices.3, "penalized_classes": choices.4, "probability": choices.5,
            })
        })
}

const KINDS: Kinds = Kinds { classes: 4, ..Kinds::ALL };

fn toys_and_settings(kinds: Kinds) -> impl Strategy<Value = (Toy, Value)> {
    with_thin_values(toys(kinds)).prop_flat_map(|toy| {
        let settings = settings(toy.n_classes);
        (Just(toy), settings)
    })
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
}

/// Whether all volumes are within the floating-point range, so that their ratios are meaningful.
fn measurable(state: &State) -> bool {
    state.volume.iter().all(|&volume| volume == 0.0 || volume > LEAST_VOLUME * 1e10)
}

fn same_state(found: &SvrTreeStats, expected: &State, what: &str) -> Result<(), TestCaseError> {
    let pairs = [
        (found.impurity, expected.impurity, "impurity"),
        (found.signed_impurity, expected.signed_impurity, "signed impurity"),
        (found.interface, expected.interface, "interface"),
    ];
    for (found, expected, name) in pairs {
        prop_assert!(near(found, expected), "{}: {} {} instead of {}", what, name, found, expected);
    }
    if measurable(expected) {
        let (a, b) = (found.regularizer, expected.regularizer);
        prop_assert!(near(a, b), "{}: regularizer {} instead of {}", what, a, b);
        prop_assert!(
            near(found.risk, expected.risk),
            "{}: risk {} instead of {}",
            what,
            found.risk,
            expected.risk
        );
    }
    for class in 0..expected.surface.len() {
        for (a, b) in
            [(found.surface[class], expected.surface[class]), (found.volume[class], expected.volume[class])]
        {
            prop_assert!(
                (a - b).abs() <= 1e-12 + 1e-9 * b,
                "{}: class {}: {} instead of {}",
                what,
                class,
                a,
                b
            );
        }
    }
    Ok(())
}

/// Compares the growth step by step until rounding could decide; returns whether all steps were compared.
fn same_growth(model: &SvrModel, expected: &Grown) -> Result<bool, TestCaseError> {
    let facts = model.growth_stats();
    if !expected.unambiguous {
        return Ok(false);
    }
    same_state(&facts.start, &expected.start, "start")?;
    for (at, step) in expected.steps.iter().enumerate() {
        let Step { node, accepted, state, unambiguous, .. } = step;
        if !unambiguous {
            return Ok(false);
        }
        let what = format!("step {at}");
        prop_assert!(at < facts.steps.len(), "{} is missing: {:?}", what, step);
        let found = &facts.steps[at];
        prop_assert_eq!(found.node as usize, *node, "{}", &what);
        let found_split = found.split.map(|(axis, cut)| (axis as usize, cut));
        prop_assert_eq!(found_split, accepted.as_ref().map(|a| (a.axis, a.cut)), "{}", &what);
        if let Some(accepted) = accepted {
            let children = model.tree().tree().children(*node);
            let labels: Vec<usize> = model.labels()[children].iter().map(|&label| label as usize).collect();
            prop_assert_eq!(&labels, &accepted.labels, "{}", &what);
            prop_assert_eq!(model.tree().tree().missing_branch(*node), accepted.missing_child, "{}", &what);
        }
        same_state(&found.state, state, &what)?;
    }
    prop_assert_eq!(facts.steps.len(), expected.steps.len());
    Ok(true)
}

/// Rows are in their leaves, whose labels and probabilities are predicted.
fn same_leaves(model: &SvrModel, toy: &Toy, params: &Value, expected: &Grown) -> Result<(), TestCaseError> {
    let (rows, ctl) = (weighted_rows(toy), RunContext::silent());
    let frame = toy.frame();
    let nodes = model.tree().apply(&frame, ctl).unwrap();
    let answers = model.predict(&frame, ctl).unwrap();
    let proba = model.proba(&frame, ctl).unwrap();
    let reference = reference(toy, params).unwrap();
    for leaf in &expected.leaves {
        let mut mass = vec![0.0; toy.n_classes];
        let mut units = vec![0.0; toy.n_classes];
        for &row in &leaf.rows {
            let original = rows[row];
            prop_assert_eq!(nodes[original] as usize, leaf.node);
            prop_assert_eq!(answers[original] as usize, leaf.label);
            mass[reference.classes[row]] += reference.mass[row];
            units[reference.classes[row]] += toy.weights.as_ref().map_or(1.0, |weights| weights[original]);
        }
        let shares = if params["probability"] == "unweighted" { &units } else { &mass };
        let total: f64 = shares.iter().sum();
        let own = rows[leaf.rows[0]] * toy.n_classes;
        for class in 0..toy.n_classes {
            prop_assert!(near(proba[own + class], shares[class] / total));
            prop_assert!(near(model.tree().tree().class_masses(leaf.node)[class], mass[class]));
        }
        prop_assert_eq!(model.tree().tree().n_node_rows(leaf.node) as usize, leaf.rows.len());
    }
    Ok(())
}

#[test]
fn every_step_is_the_best_of_all_candidates() {
    let (cases, whole, splits) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let config = ProptestConfig {
        cases: imbcore_tests::cases(3000),
        max_shrink_iters: 60,
        ..ProptestConfig::default()
    };
    let result = TestRunner::new(config).run(&toys_and_settings(KINDS), |(toy, params)| {
        let Some(reference) = reference(&toy, &params) else {
            prop_assert!(try_fit(&toy, &params).is_err());
            return Ok(());
        };
        let model = try_fit(&toy, &params).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let expected = reference.grow();
        cases.set(cases.get() + 1);
        if same_growth(&model, &expected)? {
            whole.set(whole.get() + 1);
            splits.set(splits.get() + expected.leaves.len() - 1);
            same_leaves(&model, &toy, &params, &expected)?;
        }
        Ok(())
    });
    if let Err(TestError::Fail(why, case)) = &result {
        panic!("{why}\n{case:?}");
    }
    // Comparisons must not end early too often.
    assert!(whole.get() * 10 >= cases.get() * 9, "{} of {} cases to the end", whole.get(), cases.get());
    assert!(splits.get() >= cases.get(), "{} splits in {} cases", splits.get(), cases.get());
    println!("{} cases, {} whole, {} splits", cases.get(), whole.get(), splits.get());
}

fn complete(classes: u32) -> Kinds {
    Kinds { classes, ..Kinds::PLAIN }
}

/// Boxes and labels of the leaves, from the steps alone.
fn leaves(model: &SvrModel, steps: usize) -> Vec<Leaf> {
    let facts = model.growth_stats();
    let mut leaves = vec![Leaf::cube(facts.scales.len())];
    leaves[0].label = model.labels()[0] as usize;
    for step in &facts.steps[..steps] {
        let Some((axis, cut)) = step.split else { continue };
        let at = leaves.iter().position(|leaf| leaf.node == step.node as usize).unwrap();
        let parts = leaves[at].cut(axis as usize, cut);
        let children = model.tree().tree().children(step.node as usize);
        for (mut part, child) in parts.into_iter().zip(children) {
            (part.node, part.label) = (child, model.labels()[child] as usize);
            leaves.push(part);
        }
        leaves.remove(at);
    }
    leaves
}

fn splits(model: &SvrModel) -> Vec<Option<(u32, f64)>> {
    model.growth_stats().steps.iter().map(|step| step.split).collect()
}

/// Steps before the first whose choice depends on the order of candidates or on rounding.
fn unambiguous_steps(toy: &Toy, params: &Value) -> usize {
    let steps = reference(toy, params).unwrap().grow().steps;
    steps.iter().position(|step| step.tied || !step.unambiguous).unwrap_or(steps.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: imbcore_tests::cases(200), max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn regions_of_large_trees_match_the_grid((toy, mut params) in toys_and_settings(complete(3))) {
        params["max_leaf_nodes"] = json!(40);
        params["penalty"] = json!(params["penalty"].as_f64().unwrap().min(0.01));
        let Ok(model) = try_fit(&toy, &params) else { return Ok(()) };
        let cube = 2.0 * model.growth_stats().scales.len() as f64;
        let mut risk = model.growth_stats().start.risk;
        for (at, step) in model.growth_stats().steps.iter().enumerate() {
            let state = &step.state;
            let scale = |value: f64| 1e-9 * value.abs().max(1.0);
            if step.split.is_some() {
                prop_assert!(state.risk < risk, "step {}: {} after {}", at, state.risk, risk);
            } else {
                prop_assert_eq!(state.risk, risk);
            }
            risk = state.risk;
            let expected = state.signed_impurity + params["penalty"].as_f64().unwrap() * state.regularizer;
            prop_assert!((risk - expected).abs() <= scale(expected), "{} {}", risk, expected);
            prop_assert!((state.volume.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let all: f64 = state.surface.iter().sum();
            prop_assert!((all - cube - 2.0 * state.interface).abs() <= scale(all));
            for (&surface, &volume) in state.surface.iter().zip(&state.volume) {
                prop_assert!(volume < LEAST_VOLUME || surface / volume >= cube * (1.0 - 1e-9));
            }
        }
        let leaves = leaves(&model, model.growth_stats().steps.len());
        let labels: Vec<usize> = leaves.iter().map(|leaf| leaf.label).collect();
        let (grid, Some(last)) = (Grid::new(&leaves), model.growth_stats().steps.last()) else { return Ok(()) };
        for class in 0..toy.n_classes {
            let (surface, volume, _) = grid.region(&labels, class);
            prop_assert!((surface - last.state.surface[class]).abs() <= 1e-12 + 1e-9 * surface);
            prop_assert!((volume - last.state.volume[class]).abs() <= 1e-12 + 1e-9 * volume);
        }
    }

    #[test]
    fn surfaces_of_the_parts_of_a_box_add_up(
        (toy, mut params) in toys_and_settings(complete(3)),
        (at, axis, place) in (any::<usize>(), any::<usize>(), 0.01..0.99_f64),
    ) {
        // L10 + L01 = SB + 2 F, where L00 + L11 = SB.
        params["max_leaf_nodes"] = json!(12);
        let Ok(model) = try_fit(&toy, &params) else { return Ok(()) };
        let mut leaves = leaves(&model, model.growth_stats().steps.len());
        let (at, axis) = (at % leaves.len(), axis % toy.columns.len());
        let leaf = leaves.remove(at);
        let cut = leaf.low[axis] + place * (leaf.high[axis] - leaf.low[axis]);
        prop_assume!(leaf.low[axis] < cut && cut < leaf.high[axis]);
        let sides = leaf.low.iter().zip(&leaf.high).enumerate().filter(|&(other, _)| other != axis);
        let face: f64 = sides.map(|(_, (low, high))| high - low).product();
        leaves.extend(leaf.cut(axis, cut));
        let grid = Grid::new(&leaves);
        let surface = |inside: [bool; 2]| {
            let n = leaves.len();
            let label = |place: usize| match place.checked_sub(n - 2) {
                None => usize::from(leaves[place].label == 1),
                Some(part) => usize::from(inside[part]),
            };
            grid.region(&(0..n).map(label).collect::<Vec<_>>(), 1).0
        };
        let apart = surface([true, false]) + surface([false, true]);
        let together = surface([true, true]) + surface([false, false]);
        prop_assert!((apart - together - 2.0 * face).abs() < 1e-9);
    }

    #[test]
    fn growth_does_not_depend_on_the_row_order((toy, params) in toys_and_settings(complete(4)), turn in 1..30_u32) {
        let n = toy.classes.len() as u32;
        let turned = toy.take(&(0..n).map(|row| (row * 7 + turn) % n).collect::<Vec<_>>());
        prop_assume!(!n.is_multiple_of(7));
        let Ok(model) = try_fit(&toy, &params) else { return Ok(()) };
        prop_assert!(model == fit(&turned, &params));
    }

    #[test]
    fn growth_does_not_depend_on_the_feature_order((toy, params) in toys_and_settings(complete(3))) {
        let Some(found) = reference(&toy, &params) else { return Ok(()) };
        prop_assume!(found.grow().unambiguous);
        let mut turned = toy.clone();
        turned.columns.rotate_left(1);
        let n = toy.columns.len() as u32;
        let steps = unambiguous_steps(&toy, &params);
        let back = splits(&fit(&turned, &params)).into_iter().map(|split| split.map(|(axis, cut)| ((axis + 1) % n, cut)));
        prop_assert_eq!(&splits(&fit(&toy, &params))[..steps], &back.take(steps).collect::<Vec<_>>()[..]);
    }

    #[test]
    fn without_a_penalty_leaves_predict_their_dominant_class((toy, mut params) in toys_and_settings(complete(4))) {
        params["penalty"] = json!(0.0);
        let Ok(model) = try_fit(&toy, &params) else { return Ok(()) };
        let tree = model.tree().tree();
        for node in (0..tree.n_nodes()).filter(|&node| tree.split(node) == TreeSplit::Leaf) {
            let mass = tree.class_masses(node);
            let most = mass.iter().copied().fold(0.0, f64::max);
            // The label has the largest mass, except in a tree with a single leaf, and in leaves whose labels
            // tie with another pair.
            prop_assert!(mass[model.labels()[node] as usize] >= most * (1.0 - 1e-4), "{:?}", mass);
        }
    }

    #[test]
    fn constant_feature_adds_two_penalties((toy, mut params) in toys_and_settings(complete(2))) {
        params["regularizer"] = json!("svr");
        params["penalized_classes"] = json!("minority");
        let penalty = params["penalty"].as_f64().unwrap().min(4.0);
        params["penalty"] = json!(penalty);
        prop_assume!(reference(&toy, &params).is_some());
        let steps = unambiguous_steps(&toy, &params);
        let mut wider = toy.clone();
        wider.columns.push(ColumnBuf::Numeric(vec![3.0; toy.classes.len()]));
        let (model, wider) = (fit(&toy, &params), fit(&wider, &params));
        prop_assert_eq!(&splits(&model)[..steps], &splits(&wider)[..steps]);
        for (own, more) in model.growth_stats().steps[..steps].iter().zip(&wider.growth_stats().steps) {
            prop_assert!(near(more.state.risk, own.state.risk + 2.0 * penalty));
        }
    }

    #[test]
    fn weight_of_two_equals_a_repeated_row((toy, mut params) in toys_and_settings(complete(4)), salt: u32) {
        params["scale"] = json!("minmax");
        let n = toy.classes.len();
        let twice = |row: &usize| ((*row as u32 ^ salt).wrapping_mul(2_654_435_761) >> 30) == 0;
        let weights = (0..n).map(|row| if twice(&row) { 2.0 } else { 1.0 }).collect();
        let rows: Vec<u32> = (0..n).chain((0..n).filter(twice)).map(|row| row as u32).collect();
        let Ok(repeated) = try_fit(&toy.take(&rows), &params) else { return Ok(()) };
        let weighted = fit(&Toy { weights: Some(weights), ..toy }, &params);
        prop_assert_eq!(splits(&repeated), splits(&weighted));
        prop_assert_eq!(repeated.labels(), weighted.labels());
        prop_assert_eq!(repeated.growth_stats(), weighted.growth_stats());
    }

    #[test]
    fn path_equals_separate_fits((toy, params) in toys_and_settings(KINDS)) {
        let penalties = [0.3, 0.0, 0.01, 0.01];
        let (learner, data, ctl) = (learner(&toy, &params), dataset(&toy), RunContext::silent());
        let ground = learner.prepare(&data, ctl).unwrap();
        let Ok(path) = learner.fit_penalty_path(&ground, None, &penalties, ctl) else { return Ok(()) };
        for (model, penalty) in path.iter().zip(penalties) {
            let mut params = params.clone();
            params["penalty"] = json!(penalty);
            prop_assert!(model == &fit(&toy, &params));
        }
        let default = {
            let mut params = params.clone();
            params["penalty"] = Value::Null;
            fit(&toy, &params)
        };
        let weight = |row: usize| toy.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let mass: f64 = weighted_rows(&toy).into_iter().map(weight).sum();
        let penalty = 0.032 * mass.powf(-1.0 / 3.0);
        prop_assert!(near(default.growth_stats().penalty, penalty));
    }

    #[test]
    fn sampled_rows_equal_repeated_rows(
        (toy, mut params) in toys_and_settings(Kinds { weights: false, ..KINDS }),
        draws in prop::collection::vec(0..4_u32, 40),
        defaults: bool,
    ) {
        if defaults {
            params["max_leaf_nodes"] = Value::Null;
            params["penalty"] = Value::Null;
        }
        let times: Vec<u32> =
            (0..toy.classes.len()).map(|row| if row < 2 { draws[row].max(1) } else { draws[row] }).collect();
        let repeat = |(row, &times): (usize, &u32)| std::iter::repeat_n(row as u32, times as usize);
        let rows: Vec<u32> = times.iter().enumerate().flat_map(repeat).collect();
        let Ok(repeated) = try_fit(&toy.take(&rows), &params) else { return Ok(()) };
        let (learner, data, ctl) = (learner(&toy, &params), dataset(&toy), RunContext::silent());
        let ground = learner.prepare(&data, ctl).unwrap();
        let tree = learner.fit_tree(&ground, Some(&times), None, ctl).unwrap();
        prop_assert_eq!(tree.to_arrays(), repeated.tree().tree().to_arrays());
    }

    #[test]
    fn samples_may_lack_classes((toy, params) in toys_and_settings(KINDS), class in 0..4_u32) {
        let times: Vec<u32> = toy.classes.iter().map(|&own| u32::from(own == class % toy.n_classes as u32)).collect();
        let weights = toy.row_weights();
        prop_assume!((0..times.len()).any(|row| times[row] > 0 && weights[row] > 0.0));
        let (learner, data, ctl) = (learner(&toy, &params), dataset(&toy), RunContext::silent());
        let ground = learner.prepare(&data, ctl).unwrap();
        if let Ok(tree) = learner.fit_tree(&ground, Some(&times), None, ctl) {
            prop_assert_eq!(tree.n_nodes(), 1);
        }
    }
}

#[test]
fn fit_without_rows_is_rejected() {
    let toy = Toy {
        columns: vec![ColumnBuf::Numeric(vec![1.0, 2.0])],
        classes: vec![0, 1],
        n_classes: 2,
        weights: None,
        class_weight: None,
    };
    let (learner, data, ctl) = (learner(&toy, &json!({})), dataset(&toy), RunContext::silent());
    let ground = learner.prepare(&data, ctl).unwrap();
    assert!(learner.fit_tree(&ground, Some(&[0, 0]), None, ctl).is_err());
}

#[test]
fn parameters_outside_the_float_range_are_rejected() {
    for params in
        [json!({"penalty": 1e300}), json!({"minority_weight": 1e200}), json!({"minority_weight": 1e-200})]
    {
        let given = parse_params("svr_tree", &SvrParams::default(), params.as_object().unwrap()).unwrap();
        assert!(given.check("svr_tree").is_err(), "{params}");
    }
}
