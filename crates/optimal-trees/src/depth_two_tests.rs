//! Unit tests of the search of depth two.

use super::*;
use crate::prediction_costs::PredictionCosts;
use crate::ranked_table::RankedTable;
use imbcore_core::budget::{SearchBudget, StoppingLimits};
use imbcore_core::{Column, Dataset, Frame, RunContext, SeedKey, random_below};

/// Every root split with the cost of its best tree of depth two, found by trying all splits.
fn all<const K: usize, const P: usize>(
    solver: &TreeSolver<'_, K, P>,
    subset: &NodeSubset,
) -> Vec<(String, f64)> {
    let stump = |side: &NodeSubset| solver.solve_stump_of_rows(side, &|| Ok(())).unwrap().value;
    let lines = solver.feature_cuts(subset).unwrap();
    let splits = lines.iter().flat_map(|line| (0..line.n_cuts()).map(|cut| line.split_of_cut(cut)));
    let cost = |split: crate::partial_tree::PartialTreeSplit| {
        let sides = subset.partition(solver.table, &split, solver.budget).unwrap();
        (format!("{split:?}"), sides.iter().map(stump).sum())
    };
    splits.map(cost).collect()
}

/// Checks the search with features that are almost unrelated to the classes.
///
/// Most cuts then remain, and rows are compressed.
fn noise<const K: usize, const P: usize>(seed: u64) {
    let rng = &mut SeedKey::root(seed).rng();
    let n = 700;
    let numbers: Vec<f64> = (0..n).map(|_| f64::from(random_below(rng, 1 << 20))).collect();
    let holed: Vec<f64> = (0..n)
        .map(|_| if random_below(rng, 9) == 0 { f64::NAN } else { f64::from(random_below(rng, 1 << 20)) })
        .collect();
    let levels: Vec<u32> = (0..n).map(|_| random_below(rng, 12)).collect();
    let classes: Vec<u32> = numbers
        .iter()
        .map(|&x| if random_below(rng, 5) == 0 { u32::from(x > 7e5) } else { random_below(rng, K as u32) })
        .collect();
    let columns = vec![
        Column::from_numbers(&numbers),
        Column::from_numbers(&holed),
        Column::Nominal { codes: &levels, levels: 12 },
    ];
    let data = Dataset::new(Frame::new(columns).unwrap(), &classes, K, None).unwrap();
    let table = RankedTable::new(&data, None, RunContext::silent()).unwrap();
    let cells: Vec<f64> = (0..K * K)
        .map(|cell| if cell % (K + 1) == 0 { 0.0 } else { 1.0 + f64::from(random_below(rng, 3)) })
        .collect();
    let prices: PredictionCosts<'_, K, P> = PredictionCosts::new(&table, &cells, 0.0);
    let budget = SearchBudget::start("test", StoppingLimits::default(), RunContext::silent()).unwrap();
    let solver = TreeSolver { table: &table, prices: &prices, min_weight: 0.0, budget: &budget };
    let subset = NodeSubset::new(&table, |_| true, &budget).unwrap();
    let all = all(&solver, &subset);
    let least = all.iter().map(|split| split.1).fold(f64::INFINITY, f64::min);
    let (found, bound) = solver.solve_depth_two(&subset, f64::INFINITY).unwrap();
    assert_eq!((found.unwrap().value, bound), (least, least));
    let limit = least + 25.0;
    let mut survivors: Vec<(String, f64)> = solver
        .candidate_splits_of_depth_two(&subset, limit)
        .unwrap()
        .iter()
        .map(|cut| (format!("{:?}", cut.split), cut.left + cut.right))
        .collect();
    let mut wanted: Vec<(String, f64)> = all.into_iter().filter(|split| split.1 < limit).collect();
    let by_name = |one: &(String, f64), other: &(String, f64)| one.0.cmp(&other.0);
    survivors.sort_by(by_name);
    wanted.sort_by(by_name);
    assert!(wanted.len() > 600);
    assert_eq!(survivors, wanted);
}

#[test]
fn all_splits_of_noise_have_the_costs_of_trying_them_one_by_one() {
    noise::<2, 1>(1);
    noise::<3, 3>(2);
}
