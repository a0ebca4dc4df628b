//! Shapley values compared with the definition: the mean marginal contribution of a column over all orders of
//! the columns.

use imbcore_core::{Classifier, Column, Frame, RunContext};
use imbcore_tests::toy::{Kinds, Toy, toys_and_settings};
use imbcore_trees::{ColumnKind, LeafEstimate, NodeMasses, Tree, TreeArrays, TreeModel, TreeSplit};
use proptest::prelude::*;

/// Prediction of the tree if only the columns in the bit set `known` come from a row.
/// The others come from another row, or are averaged out if there is none.
fn value(
    model: &TreeModel,
    columns: &[Column<'_>],
    (row, other): (usize, Option<usize>),
    (node, class): (usize, usize),
    known: usize,
    fraction: bool,
) -> f64 {
    let tree = model.tree();
    if tree.split(node) == TreeSplit::Leaf {
        return model.node_proba(node)[class];
    }
    let column = tree.column(node);
    let predict = |child: usize| value(model, columns, (row, other), (child, class), known, fraction);
    let children = tree.children(node);
    let missing = children.start + tree.missing_branch(node);
    let average_over_children = || {
        let mass = |child: usize| {
            if tree.n_node_rows(child) == 0 { 0.0 } else { tree.class_masses(child).iter().sum::<f64>() }
        };
        let total: f64 = children.clone().map(mass).sum();
        if total > 0.0 {
            children
                .clone()
                .filter(|&child| mass(child) > 0.0)
                .map(|child| mass(child) / total * predict(child))
                .sum()
        } else {
            predict(missing)
        }
    };
    let Some(of) = (if known >> column & 1 == 0 { other } else { Some(row) }) else {
        return average_over_children();
    };
    match branch(tree, node, &columns[column], of) {
        Some(branch) => predict(children.start + branch),
        None if fraction => average_over_children(),
        None => predict(missing),
    }
}

fn branch(tree: &Tree, node: usize, column: &Column<'_>, row: usize) -> Option<usize> {
    if column.is_missing(row) {
        return None;
    }
    Some(match (tree.split(node), column) {
        (TreeSplit::Below(threshold), Column::Numeric(values)) => usize::from(values.get(row) > threshold),
        (TreeSplit::IsLevel(level), Column::Nominal { codes, .. }) => usize::from(codes[row] != level),
        (TreeSplit::InLevels(set), Column::Nominal { codes, .. }) => {
            usize::from(!tree.levels_in_set(set).contains(&codes[row]))
        }
        (TreeSplit::EachLevel, Column::Nominal { codes, .. }) => codes[row] as usize,
        _ => 0,
    })
}

fn by_definition(
    model: &TreeModel,
    toy: &Toy,
    (row, other): (usize, Option<usize>),
    class: usize,
    fraction: bool,
) -> Vec<f64> {
    let frame = toy.frame();
    let d = frame.columns().len();
    let factorial = |n: usize| (1..=n).product::<usize>() as f64;
    let worth: Vec<f64> = (0..1 << d)
        .map(|known| value(model, frame.columns(), (row, other), (0, class), known, fraction))
        .collect();
    let of_column = |column: usize| {
        let others = (0..1_usize << d).filter(|known| known >> column & 1 == 0);
        others
            .map(|known| {
                let size = known.count_ones() as usize;
                let orders = factorial(size) * factorial(d - size - 1) / factorial(d);
                orders * (worth[known | 1 << column] - worth[known])
            })
            .sum()
    };
    (0..d).map(of_column).collect()
}

#[test]
fn very_deep_trees_do_not_overflow_the_stack() {
    const DEPTH: usize = 100_000;
    let n = 2 * DEPTH + 1;
    let inner = |node: usize| node.is_multiple_of(2) && node < 2 * DEPTH;
    let of = |value: fn(usize) -> u32| (0..n).map(|node| if inner(node) { value(node) } else { 0 }).collect();
    let arrays = TreeArrays {
        kind: (0..n).map(|node| u8::from(inner(node))).collect(),
        operand: (0..n).map(|node| if inner(node) { (node / 2) as f64 } else { 0.0 }).collect(),
        column: vec![0; n],
        // The left child of a node is a leaf, the right one the next node.
        first_child: of(|node| node as u32 + 1),
        n_children: of(|_| 2),
        missing_child: vec![0; n],
        rows: (0..n).map(|node| (DEPTH + 1 - node.div_ceil(2)) as u32).map(|rows| rows.max(1)).collect(),
        gain: vec![0.0; n],
        mass: NodeMasses::Table(
            (0..n)
                .flat_map(|node| [1.0, if node % 2 == 0 { (DEPTH - node / 2) as f64 } else { 0.0 }])
                .collect(),
        ),
        sets: Vec::new(),
        groups: Vec::new(),
        tables: Vec::new(),
        statistics: imbcore_trees::TargetStatisticTables::default(),
    };
    let tree = Tree::from_arrays(arrays, &[ColumnKind::Numeric], 2).unwrap();
    let model = TreeModel::new(tree, LeafEstimate::Frequency, 1.0, false);
    let values = [3.5, DEPTH as f64];
    let frame = Frame::new(vec![Column::from_numbers(&values)]).unwrap();
    let (found, base) = model.shapley(&frame, 1, None, RunContext::silent()).unwrap();
    let predictions = model.proba(&frame, RunContext::silent()).unwrap();
    assert!((base + found[0] - predictions[1]).abs() < 1e-9);
    assert!((base + found[1] - predictions[3]).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(600)))]

    #[test]
    fn values_match_the_definition((toy, params) in toys_and_settings(Kinds::ALL)) {
        prop_assume!(toy.columns.len() <= 6);
        let model = toy.fit(&params);
        let fraction = params["missing"] == "fraction";
        let (frame, class, width) = (toy.frame(), toy.n_classes - 1, toy.columns.len());
        let (found, base) = model.shapley(&frame, class, None, RunContext::silent()).unwrap();
        let predictions = model.proba(&frame, RunContext::silent()).unwrap();
        for row in 0..toy.classes.len() {
            let of_row = &found[row * width..(row + 1) * width];
            for (column, wanted) in by_definition(&model, &toy, (row, None), class, fraction).into_iter().enumerate() {
                prop_assert!((of_row[column] - wanted).abs() < 1e-12, "row {} column {}: {} for {}", row, column, of_row[column], wanted);
            }
            let sum = base + of_row.iter().sum::<f64>();
            prop_assert!((sum - predictions[row * toy.n_classes + class]).abs() < 1e-12);
        }
    }

    #[test]
    fn values_with_a_background_match_the_definition((toy, params) in toys_and_settings(Kinds::ALL), n_others in 1..6_usize) {
        prop_assume!(toy.columns.len() <= 5);
        let model = toy.fit(&params);
        let fraction = params["missing"] == "fraction";
        let (frame, class, width) = (toy.frame(), toy.n_classes - 1, toy.columns.len());
        let others: Vec<u32> = (0..n_others.min(toy.classes.len()) as u32).collect();
        let background = frame.take(&others, RunContext::silent()).unwrap();
        let background = background.borrow().unwrap();
        let (found, base) = model.shapley(&frame, class, Some(&background), RunContext::silent()).unwrap();
        let predictions = model.proba(&frame, RunContext::silent()).unwrap();
        let predict = |row: usize| predictions[row * toy.n_classes + class];
        let mean = others.iter().map(|&other| predict(other as usize)).sum::<f64>() / others.len() as f64;
        prop_assert!((base - mean).abs() < 1e-12);
        for row in 0..toy.classes.len() {
            let mut wanted = vec![0.0; width];
            for &other in &others {
                let of_pair = by_definition(&model, &toy, (row, Some(other as usize)), class, fraction);
                wanted.iter_mut().zip(of_pair).for_each(|(sum, value)| *sum += value / others.len() as f64);
            }
            let of_row = &found[row * width..(row + 1) * width];
            for (column, wanted) in wanted.into_iter().enumerate() {
                prop_assert!((of_row[column] - wanted).abs() < 1e-12, "row {} column {}: {} for {}", row, column, of_row[column], wanted);
            }
            prop_assert!((base + of_row.iter().sum::<f64>() - predict(row)).abs() < 1e-12);
        }
        // The values of a row are the same alone and among others, to the last bit.
        let alone = frame.take(&[0], RunContext::silent()).unwrap();
        let (one, _) = model.shapley(&alone.borrow().unwrap(), class, Some(&background), RunContext::silent()).unwrap();
        prop_assert_eq!(&one[..], &found[..width]);
    }
}
