//! Trees subject to a minimum recall or precision, compared with all trees of tiny tables.

use crate::properties_optimal::{Case, budget};
use imbcore_core::budget::SearchStatus;
use imbcore_core::{RunContext, SeedKey, random_below};
use imbcore_optimal_trees::{ConstrainedSolution, RankedTable, RateConstraint, find_best_constrained_tree};
use std::collections::BTreeSet;

/// Error weights of both kinds of all trees, in halves of a weight.
type ErrorPairs = BTreeSet<(u64, u64)>;

impl Case {
    /// Errors of every tree; class 1 is the positive one.
    fn error_pairs(&self, rows: &[usize], depth: u32) -> ErrorPairs {
        let weight = |class: u32| {
            let of_class = rows.iter().filter(|&&row| self.classes[row] == class);
            of_class.map(|&row| (2.0 * self.weights[row]) as u64).sum::<u64>()
        };
        let mut error_pairs: ErrorPairs = [(weight(0), 0), (0, weight(1))].into();
        if depth == 0 {
            return error_pairs;
        }
        for (first, second, sides) in self.splits(rows) {
            let depth = if sides { depth - 1 } else { 0 };
            let second = self.error_pairs(&second, depth);
            for one in self.error_pairs(&first, depth) {
                error_pairs.extend(second.iter().map(|other| (one.0 + other.0, one.1 + other.1)));
            }
        }
        // Dominated pairs are never optimal.
        let mut fewest = u64::MAX;
        error_pairs.retain(|point| {
            let kept = point.1 < fewest;
            fewest = fewest.min(point.1);
            kept
        });
        error_pairs
    }
}

fn check(seed: u64) {
    let mut case = Case::random(seed);
    case.merge_to_two_classes();
    let rng = &mut SeedKey::root(!seed).rng();
    let target = f64::from(random_below(rng, 21)) / 20.0;
    let floor = if random_below(rng, 2) == 0 {
        RateConstraint::Recall(target)
    } else {
        RateConstraint::Precision(target)
    };
    case.with_data(|data| {
        let table = RankedTable::new(data, None, RunContext::silent()).unwrap();
        let rows: Vec<usize> = (0..case.classes.len()).collect();
        let error_pairs = case.error_pairs(&rows, case.family.max_depth);
        let of_class = rows.iter().filter(|&&row| case.classes[row] == 1);
        let positives: u64 = of_class.map(|&row| (2.0 * case.weights[row]) as u64).sum();
        let error_if_feasible = |&(fp, fal): &(u64, u64)| {
            let hits = (positives - fal) as f64;
            match floor {
                RateConstraint::Recall(target) => (hits >= target * positives as f64 - 1e-6).then_some(fp),
                RateConstraint::Precision(target) => {
                    (hits >= target * (hits + fp as f64) - 1e-6).then_some(fal)
                }
            }
        };
        let best = error_pairs.iter().filter_map(error_if_feasible).min().unwrap() as f64 / 2.0;
        let (kind, unit) = match floor {
            RateConstraint::Recall(_) => (0, table.class_weight_unit(0)),
            RateConstraint::Precision(_) => (1, table.class_weight_unit(1)),
        };
        let value = |found: &ConstrainedSolution| {
            let errors = [found.vertex.false_positives, found.vertex.false_negatives];
            let confusion = found.vertex.plan.confusion_matrix();
            assert_eq!([confusion[1], confusion[2]], errors, "seed {seed}");
            errors[kind] * unit
        };
        let found = find_best_constrained_tree(&table, &case.family, 1, floor, &budget(None)).unwrap();
        assert_eq!(found.status, SearchStatus::Optimal);
        assert_eq!((value(&found), found.bound * unit), (best, best), "seed {seed}, {floor:?}");
        let n_steps = u64::from(random_below(rng, 60));
        let cut = find_best_constrained_tree(&table, &case.family, 1, floor, &budget(Some(n_steps))).unwrap();
        assert!(cut.bound * unit <= best && best <= value(&cut), "seed {seed}, {n_steps} steps, {floor:?}");
    });
}

#[test]
fn constrained_trees_are_the_best_of_all_trees() {
    let seed = imbcore_tests::seed();
    (0..u64::from(imbcore_tests::cases(500)))
        .for_each(|case| check(seed.wrapping_mul(1_000_033).wrapping_add(case)));
}
