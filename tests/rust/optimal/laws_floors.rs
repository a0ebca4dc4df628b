//! Constraints between two vertices of the hull, compared with all trees of tiny tables.

use crate::laws_optimal::{Case, budget};
use imbcore_base::budget::Status;
use imbcore_base::{RunCtl, SeedKey, below};
use imbcore_optimal::{AtFloor, Floor, Table, at_floor};
use std::collections::BTreeSet;

/// Errors of both kinds of all trees, in halves of a weight.
type Points = BTreeSet<(u64, u64)>;

impl Case {
    /// Errors of every tree; class 1 is the positive one.
    fn points(&self, rows: &[usize], depth: u32) -> Points {
        let weight = |class: u32| {
            let of_class = rows.iter().filter(|&&row| self.classes[row] == class);
            of_class.map(|&row| (2.0 * self.weights[row]) as u64).sum::<u64>()
        };
        let mut points: Points = [(weight(0), 0), (0, weight(1))].into();
        if depth == 0 {
            return points;
        }
        for (first, second, sides) in self.splits(rows) {
            let depth = if sides { depth - 1 } else { 0 };
            let second = self.points(&second, depth);
            for one in self.points(&first, depth) {
                points.extend(second.iter().map(|other| (one.0 + other.0, one.1 + other.1)));
            }
        }
        // A dominated tree is never the best feasible one.
        let mut fewest = u64::MAX;
        points.retain(|point| {
            let kept = point.1 < fewest;
            fewest = fewest.min(point.1);
            kept
        });
        points
    }
}

fn check(seed: u64) {
    let mut case = Case::random(seed);
    case.two_classes();
    let rng = &mut SeedKey::root(!seed).rng();
    let share = f64::from(below(rng, 21)) / 20.0;
    let floor = if below(rng, 2) == 0 { Floor::Recall(share) } else { Floor::Precision(share) };
    case.with_data(|data| {
        let table = Table::new(data, None, RunCtl::silent()).unwrap();
        let rows: Vec<usize> = (0..case.classes.len()).collect();
        let points = case.points(&rows, case.family.max_depth);
        let of_class = rows.iter().filter(|&&row| case.classes[row] == 1);
        let positives: u64 = of_class.map(|&row| (2.0 * case.weights[row]) as u64).sum();
        let worth = |&(fp, fneg): &(u64, u64)| {
            let hits = (positives - fneg) as f64;
            match floor {
                Floor::Recall(share) => (hits >= share * positives as f64 - 1e-6).then_some(fp),
                Floor::Precision(share) => (hits >= share * (hits + fp as f64) - 1e-6).then_some(fneg),
            }
        };
        let best = points.iter().filter_map(worth).min().unwrap() as f64 / 2.0;
        let (kind, unit) = match floor {
            Floor::Recall(_) => (0, table.unit(0)),
            Floor::Precision(_) => (1, table.unit(1)),
        };
        let value = |found: &AtFloor| {
            let errors = [found.vertex.false_positives, found.vertex.false_negatives];
            let confusion = found.vertex.plan.confusion();
            assert_eq!([confusion[1], confusion[2]], errors, "seed {seed}");
            errors[kind] * unit
        };
        let found = at_floor(&table, &case.family, 1, floor, &budget(None)).unwrap();
        assert_eq!(found.status, Status::Optimal);
        assert_eq!((value(&found), found.bound * unit), (best, best), "seed {seed}, {floor:?}");
        let looks = u64::from(below(rng, 60));
        let cut = at_floor(&table, &case.family, 1, floor, &budget(Some(looks))).unwrap();
        assert!(cut.bound * unit <= best && best <= value(&cut), "seed {seed}, {looks} looks, {floor:?}");
    });
}

#[test]
fn floors_are_met_by_the_best_of_all_trees() {
    let seed = imbcore_tests::seed();
    (0..u64::from(imbcore_tests::cases(500)))
        .for_each(|case| check(seed.wrapping_mul(1_000_033).wrapping_add(case)));
}
