//! A nominal column with many levels is one axis: the tree equals that of a numeric column with the positions
//! of the levels.

use imbcore_core::{Classifier, Column, Dataset, Frame, Learner, MISSING, RunContext, SeedKey};
use imbcore_trees::TreeSplit;
use imbcore_trees::svr::{SvrModel, SvrParams};
use proptest::prelude::*;

fn fit(columns: Vec<Column<'_>>, classes: &[u32]) -> SvrModel {
    let data = Dataset::new(Frame::new(columns).unwrap(), classes, 2, None).unwrap();
    let params = SvrParams { max_leaf_nodes: Some(12.0), ..SvrParams::default() };
    params.check("svr_tree").unwrap().fit(&data, SeedKey::root(0), RunContext::silent()).unwrap()
}

/// Smoothed proportion of class 1 per level: one further row of the rarer class, and the proportional number
/// of the other.
fn smoothed_proportions(codes: &[u32], classes: &[u32], levels: u32) -> Vec<f64> {
    let count = |code: Option<u32>, class: u32| {
        let rows = codes.iter().zip(classes);
        rows.filter(|&(&c, &y)| code.is_none_or(|code| code == c) && y == class).count() as f64
    };
    let all = [0, 1].map(|class| count(None, class));
    let more = all.map(|rows| rows / all[0].min(all[1]));
    let share = |level| {
        let [zero, one] = [0, 1].map(|class| count(Some(level), class) + more[class as usize]);
        one / (zero + one)
    };
    (0..levels).map(share).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn many_levels_are_one_axis(
        raw in prop::collection::vec((0..70_u32, 0..8_u32, 0..1000_u32), 200..400),
        holes in any::<bool>(),
    ) {
        let levels = 70;
        let codes: Vec<u32> =
            raw.iter().map(|&(code, _, x)| if holes && x % 11 == 0 { MISSING } else { code }).collect();
        let mut classes: Vec<u32> =
            raw.iter().map(|&(code, noise, _)| u32::from(code % 7 == 3) & u32::from(noise > 0)).collect();
        (classes[0], classes[1]) = (0, 1);
        let numbers: Vec<f64> = raw.iter().map(|&(_, _, x)| f64::from(x)).collect();
        let smoothed_proportions = smoothed_proportions(&codes, &classes, levels);
        let mut order = smoothed_proportions.clone();
        order.sort_by(f64::total_cmp);
        // Equal proportions have equal positions, despite rounding.
        order.dedup_by(|b, a| (*b - *a).abs() < 1e-12);
        let place = |share: f64| order.partition_point(|&other| other < share - 1e-12) as f64;
        let places: Vec<f64> =
            codes.iter().map(|&code| if code == MISSING { f64::NAN } else { place(smoothed_proportions[code as usize]) }).collect();
        let nominal = fit(vec![Column::from_numbers(&numbers), Column::Nominal { codes: &codes, levels }], &classes);
        let numeric = fit(vec![Column::from_numbers(&numbers), Column::from_numbers(&places)], &classes);
        prop_assert_eq!(nominal.labels(), numeric.labels());
        let (tree, by_place) = (nominal.tree().tree(), numeric.tree().tree());
        for node in 0..tree.n_nodes() {
            prop_assert_eq!(tree.class_masses(node), by_place.class_masses(node));
            if let TreeSplit::InLevels(set) = tree.split(node) {
                let TreeSplit::Below(threshold) = by_place.split(node) else { unreachable!("one is a set, the other a threshold") };
                let lower: Vec<u32> =
                    (0..levels).filter(|&level| place(smoothed_proportions[level as usize]) <= threshold).collect();
                // Levels between the rows of the node are on the other side.
                prop_assert!(tree.levels_in_set(set).iter().all(|level| lower.contains(level)));
                if node == 0 {
                    let missed = lower.iter().filter(|level| !tree.is_level_in_set(set, **level));
                    prop_assert!(missed.into_iter().all(|level| !codes.contains(level)));
                }
            }
        }
        let frame = Frame::new(vec![Column::from_numbers(&numbers), Column::Nominal { codes: &codes, levels }]).unwrap();
        let answers = nominal.predict(&frame, RunContext::silent()).unwrap();
        let frame = Frame::new(vec![Column::from_numbers(&numbers), Column::from_numbers(&places)]).unwrap();
        prop_assert_eq!(answers, numeric.predict(&frame, RunContext::silent()).unwrap());
    }
}
