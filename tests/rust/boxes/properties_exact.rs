//! Exact Boxes compared with brute force over all drawings of tiny problems.
// All functions of this file are test code, including the helpers.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use imbcore_core::RunContext;
use imbcore_rules::exact::{
    BoundPlacement, BoxObjective, ExactSettings, ExactSolution, Formulation, ScaledBox, ScaledRows,
    SearchStatus, StoppingLimits, place_prediction_bounds, score_boxes, solve, solve_for_each_weight, verify,
    verify_bound,
};
use proptest::prelude::*;

/// A tiny problem.
#[derive(Clone, Debug)]
struct Tiny {
    columns: Vec<Vec<f64>>,
    positive: Vec<bool>,
    goal: BoxObjective,
}

/// Brute force: every set of at most `K` relevant boxes, valued by the definition.
fn oracle(tiny: &Tiny) -> f64 {
    weighted_oracle(tiny, &vec![1.0; tiny.positive.len()])
}

/// The same with weighted rows.
fn weighted_oracle(tiny: &Tiny, weights: &[f64]) -> f64 {
    let goal = &tiny.goal;
    let wall = goal.margin + goal.epsilon;
    let boxes = if goal.expand > 0.0 { maximal_boxes(tiny, wall) } else { hull_boxes(tiny, wall) };
    let rows = tiny.positive.len();
    let weight =
        |set: u32| -> f64 { (0..rows).filter(|row| set >> row & 1 == 1).map(|row| weights[row]).sum() };
    let negatives = (0..rows).filter(|&row| !tiny.positive[row]).fold(0, |set, row| set | 1 << row);
    // Per box: bit set of covered rows, bit set of hit rows, width.
    let mut seen: Vec<(u32, u32, f64)> = boxes
        .iter()
        .map(|walls| {
            let (mut covered, mut hit) = (0_u32, 0_u32);
            for row in 0..rows {
                let x = |j: usize| tiny.columns[j][row];
                let n = tiny.columns.len();
                if tiny.positive[row] {
                    let inside = (0..n).all(|j| {
                        walls.lower[j] + wall <= x(j) + 1e-12 && x(j) <= walls.upper[j] - wall + 1e-12
                    });
                    covered |= u32::from(inside) << row;
                } else {
                    let out = (0..n).any(|j| {
                        x(j) <= walls.lower[j] - wall + 1e-12 || x(j) + 1e-12 >= walls.upper[j] + wall
                    });
                    hit |= u32::from(!out) << row;
                }
            }
            let width: f64 = walls.upper.iter().zip(&walls.lower).map(|(u, l)| u - l).sum();
            (covered, hit, if goal.expand > 0.0 { width * goal.expand } else { 0.0 })
        })
        .collect();
    seen.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
    seen.dedup_by(|a, b| (a.0, a.1) == (b.0, b.1));
    let value = |covered: u32, hit: u32, used: u32, width: f64| {
        weight(covered) + goal.majority_weight * weight(negatives & !hit) - goal.box_cost * f64::from(used)
            + width
    };
    let mut best = if goal.expand > 0.0 { f64::MIN } else { value(0, 0, 0, 0.0) };
    let mut stack = vec![(0_usize, 0_usize, 0_u32, 0_u32, 0_u32, 0.0)];
    while let Some((from, size, covered, hit, used, width)) = stack.pop() {
        if size == goal.n_boxes || goal.expand == 0.0 {
            best = best.max(value(covered, hit, used, width));
        }
        if size < goal.n_boxes {
            for (at, &(c, h, w)) in seen.iter().enumerate().skip(from) {
                stack.push((at, size + 1, covered | c, hit | h, used + u32::from(c > 0), width + w));
            }
        }
    }
    best
}

/// Bounding boxes of all sets of positives.
fn hull_boxes(tiny: &Tiny, wall: f64) -> Vec<ScaledBox> {
    let pos: Vec<usize> = (0..tiny.positive.len()).filter(|&row| tiny.positive[row]).collect();
    (1_u32..1 << pos.len())
        .map(|set| {
            let of = |column: &Vec<f64>| -> Vec<f64> {
                (0..pos.len()).filter(|&p| set >> p & 1 == 1).map(|p| column[pos[p]]).collect()
            };
            ScaledBox {
                lower: tiny
                    .columns
                    .iter()
                    .map(|c| of(c).into_iter().fold(f64::MAX, f64::min) - wall)
                    .collect(),
                upper: tiny
                    .columns
                    .iter()
                    .map(|c| of(c).into_iter().fold(f64::MIN, f64::max) + wall)
                    .collect(),
            }
        })
        .collect()
}

/// Boxes with walls at the limits or next to negatives.
fn maximal_boxes(tiny: &Tiny, wall: f64) -> Vec<ScaledBox> {
    let goal = &tiny.goal;
    let mut boxes = vec![ScaledBox { lower: Vec::new(), upper: Vec::new() }];
    for column in &tiny.columns {
        let negative = || (0..column.len()).filter(|&row| !tiny.positive[row]).map(|row| column[row]);
        let lower: Vec<f64> = std::iter::once(goal.min_bound).chain(negative().map(|x| x + wall)).collect();
        let upper: Vec<f64> = std::iter::once(goal.max_bound).chain(negative().map(|x| x - wall)).collect();
        let mut next = Vec::new();
        for walls in &boxes {
            for &l in &lower {
                for &u in upper.iter().filter(|&&u| u >= l) {
                    let mut walls = walls.clone();
                    walls.lower.push(l);
                    walls.upper.push(u);
                    next.push(walls);
                }
            }
        }
        boxes = next;
    }
    boxes
}

fn goal(n_boxes: usize, c: f64, margin: f64, box_cost: f64) -> BoxObjective {
    BoxObjective { n_boxes, majority_weight: c, margin, box_cost, ..BoxObjective::default() }
}

/// Values on a grid (with ties, also at exactly twice the margin) or anywhere; about a third of the rows is
/// positive.
fn tiny() -> impl Strategy<Value = Tiny> {
    tiny_of(3, 6, 9)
}

/// The same with at most this many features, positives and negatives.
fn tiny_of(most: usize, most_pos: usize, most_neg: usize) -> impl Strategy<Value = Tiny> {
    let grid = prop_oneof![Just(None), Just(Some(4)), Just(Some(10))];
    let shape = (1..=most, 3..=most_pos, 2..=most_neg, 1_usize..=3, grid);
    let price = (
        prop_oneof![Just(1.0), Just(0.5), Just(0.3), Just(0.7), 0.05..1.0],
        prop_oneof![Just(0.0), Just(0.5), Just(0.2), Just(4.0), 0.0..1.0],
        prop_oneof![Just(0.0), Just(0.01), Just(0.049), Just(0.124), Just(0.2)],
    );
    (shape, price).prop_flat_map(|((n, n_pos, n_neg, k, grid), (c, box_cost, margin))| {
        let value = match grid {
            Some(steps) => (-steps..=steps).prop_map(move |x| f64::from(x) / f64::from(steps)).boxed(),
            None => (-1.0..1.0).boxed(),
        };
        let rows = n_pos + n_neg;
        proptest::collection::vec(proptest::collection::vec(value, rows), n).prop_map(move |columns| Tiny {
            columns,
            positive: (0..rows).map(|row| row < n_pos).collect(),
            goal: goal(k, c, margin, box_cost),
        })
    })
}

/// The same with a reward for width; smaller, because the oracle is slow.
fn tiny_with_width_reward() -> impl Strategy<Value = Tiny> {
    let shape = (1_usize..=2, 0_usize..=4, 1_usize..=4, 1_usize..=3);
    let price =
        (prop_oneof![Just(1.0), Just(0.5), 0.05..1.0], prop_oneof![Just(0.05), Just(0.01), 0.001..0.3]);
    (shape, price).prop_flat_map(|((n, n_pos, n_neg, k), (c, expand))| {
        let k = if n == 2 { k.min(2) } else { k };
        let rows = n_pos + n_neg;
        proptest::collection::vec(proptest::collection::vec(-1.0..1.0, rows), n).prop_map(move |columns| {
            Tiny {
                columns,
                positive: (0..rows).map(|row| row < n_pos).collect(),
                goal: BoxObjective { expand, ..goal(k, c, 0.05, 0.0) },
            }
        })
    })
}

fn run(tiny: &Tiny, formulation: Formulation, limits: StoppingLimits) -> ExactSolution {
    let rows = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap();
    let settings = ExactSettings { goal: tiny.goal, formulation, limits, seed: 1 };
    solve(&rows, &settings, &[], RunContext::silent()).unwrap()
}

fn agrees(tiny: &Tiny, formulation: Formulation) -> Result<(), TestCaseError> {
    let exact = run(tiny, formulation, StoppingLimits::default());
    let best = oracle(tiny);
    prop_assert!((exact.score.objective - best).abs() < 1e-6, "{} against {best}", exact.score.objective);
    prop_assert_eq!(exact.status, SearchStatus::Optimal);
    prop_assert!((exact.bound - best).abs() < 2e-6);
    prop_assert!(exact.boxes.len() <= tiny.goal.n_boxes);
    Ok(())
}

/// Whether no feature value lies within the strips that the paper's rows forbid.
fn has_disjoint_strips(tiny: &Tiny) -> bool {
    let gap = 2.0 * (tiny.goal.margin + tiny.goal.epsilon);
    let near = |d: f64, at: f64| (d - at).abs() <= 2.0 * tiny.goal.epsilon && d != 0.0;
    tiny.columns.iter().all(|column| {
        column
            .iter()
            .enumerate()
            .all(|(a, x)| column[..a].iter().all(|y| !near((x - y).abs(), gap) && !near((x - y).abs(), 0.0)))
    })
}

/// Returns `few` cases, or `PROPTEST_CASES` if it is set.
fn cases(few: u32) -> ProptestConfig {
    let all = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_some() { all } else { ProptestConfig { cases: few, ..all } }
}

/// The objective of the second best drawing is smaller by 4e-6, which is below the default tolerance of CBC.
#[test]
fn drawings_with_almost_equal_objectives_are_distinguished() {
    let tiny = Tiny {
        columns: vec![vec![
            0.0,
            0.413_089_574_803_366,
            -0.246_245_500_594_318_8,
            0.245_832_854_730_906_63,
            0.321_763_862_959_855_5,
        ]],
        positive: vec![true, true, false, false, false],
        goal: BoxObjective { expand: 0.01, ..goal(3, 0.5, 0.05, 0.0) },
    };
    for formulation in [Formulation::Columns, Formulation::Compact, Formulation::Paper] {
        agrees(&tiny, formulation).unwrap();
    }
}

/// The dual simplex of CBC 2.10 fails an assertion on this problem; a second run with careful settings solves
/// it.
#[test]
fn problem_that_crashes_cbc_is_solved_again() {
    let tiny = Tiny {
        columns: vec![vec![0.8, -0.1, 0.1, -0.4, 0.4]],
        positive: vec![true, true, true, false, false],
        goal: goal(1, 1.0, 0.2, 0.5),
    };
    agrees(&tiny, Formulation::Paper).unwrap();
}

#[test]
fn weights_too_large_for_exact_sums_are_rejected() {
    let (columns, positive) = (vec![vec![0.0, 0.1, 0.5, 0.9]], [true, true, false, false]);
    for weight in [1e308, 1e9] {
        let weights = [weight; 4];
        let refused = ScaledRows::new(&columns, &positive).unwrap().with_weights(&weights).unwrap_err();
        assert!(refused.to_string().contains("divide all weights"), "{refused}");
    }
    let weights = [1e6, 1e-6, 1e6, 1e-6];
    assert!(ScaledRows::new(&columns, &positive).unwrap().with_weights(&weights).is_ok());
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn column_generation_finds_the_optimum(tiny in tiny()) {
        agrees(&tiny, Formulation::Columns)?;
    }

    #[test]
    fn column_generation_finds_the_optimum_with_weights_of_any_size(
        tiny in tiny_of(3, 5, 7),
        powers in proptest::collection::vec(prop_oneof![Just(0.0), -6.0..6.0], 12),
    ) {
        let weights: Vec<f64> = powers[..tiny.positive.len()].iter().map(|&power| 10_f64.powf(power)).collect();
        let rows = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap().with_weights(&weights).unwrap();
        let settings = ExactSettings { goal: tiny.goal, ..ExactSettings::default() };
        let exact = solve(&rows, &settings, &[], RunContext::silent()).unwrap();
        let best = weighted_oracle(&tiny, &weights);
        prop_assert!((exact.score.objective - best).abs() < 1e-6, "{} against {best}", exact.score.objective);
        prop_assert_eq!(exact.status, SearchStatus::Optimal);
    }

    #[test]
    fn column_generation_finds_the_optimum_with_a_width_reward(tiny in tiny_with_width_reward()) {
        agrees(&tiny, Formulation::Columns)?;
    }

    #[test]
    fn bounds_hold_when_the_search_is_stopped(
        tiny in prop_oneof![tiny(), tiny_with_width_reward()],
        n_steps in 0_u64..120,
    ) {
        let limits = StoppingLimits { max_checks: Some(n_steps), ..StoppingLimits::default() };
        let exact = run(&tiny, Formulation::Columns, limits);
        let best = oracle(&tiny);
        prop_assert!(exact.bound >= best - 1e-6, "{} below {best}", exact.bound);
        prop_assert!(exact.score.objective <= best + 1e-6);
        if exact.status == SearchStatus::Optimal {
            prop_assert!((exact.score.objective - best).abs() < 1e-6);
        }
    }

    #[test]
    fn independent_verifier_accepts_certificates(tiny in tiny()) {
        let exact = run(&tiny, Formulation::Columns, StoppingLimits::default());
        let rows = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap();
        for certificate in &exact.certificates {
            let verdict =
                verify(&rows, &tiny.goal, &exact.boxes, certificate, StoppingLimits::default(), RunContext::silent()).unwrap();
            prop_assert_eq!(verdict.objective, exact.score.objective);
            let bound = verdict.bound.unwrap();
            prop_assert!((bound - certificate.bound).abs() < 1e-6, "{bound} against {}", certificate.bound);
            prop_assert!(certificate.n_boxes < tiny.goal.n_boxes || bound >= oracle(&tiny) - 1e-6);
            // Other dual values prove another bound, which is never below the optimum.
            let mut forged = [certificate.clone(), certificate.clone()];
            forged[0].reward = tiny.positive.iter().map(|&positive| f64::from(u8::from(positive))).collect();
            forged[1].pairs.clear();
            for forged in &forged {
                let forged =
                    verify(&rows, &tiny.goal, &exact.boxes, forged, StoppingLimits::default(), RunContext::silent()).unwrap();
                let bound = forged.bound.unwrap();
                prop_assert!(certificate.n_boxes < tiny.goal.n_boxes || bound >= oracle(&tiny) - 1e-6);
            }
            // Dual values above the cost of a hit prove nothing.
            let mut overpriced = certificate.clone();
            overpriced.price.iter_mut().for_each(|price| *price += 0.1);
            let verdict =
                verify(&rows, &tiny.goal, &exact.boxes, &overpriced, StoppingLimits::default(), RunContext::silent()).unwrap();
            prop_assert_eq!(verdict.bound, Some(f64::INFINITY));
        }
    }

    #[test]
    fn verifier_accepts_the_optimum_and_rejects_smaller_values(tiny in tiny()) {
        let exact = run(&tiny, Formulation::Columns, StoppingLimits::default());
        let unit = vec![1.0; tiny.positive.len()];
        let thirds: Vec<f64> = (0..tiny.positive.len()).map(|row| 1.0 + (row % 3) as f64 / 3.0).collect();
        // Missing dual values, or those of other weights, give weaker but valid bounds.
        let mut forged = exact.certificates.clone();
        for one in &mut forged {
            one.pairs.clear();
        }
        for (weights, certificates) in
            [(&unit, &exact.certificates[..]), (&unit, &[]), (&unit, &forged), (&thirds, &exact.certificates)]
        {
            let rows = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap().with_weights(weights).unwrap();
            let best = weighted_oracle(&tiny, weights);
            let holds = |claimed: f64| {
                verify_bound(&rows, &tiny.goal, certificates, claimed, StoppingLimits::default(), RunContext::silent()).unwrap()
            };
            prop_assert_eq!(holds(best), Some(true));
            prop_assert_eq!(holds(best - 0.01), Some(false));
        }
    }

    #[test]
    fn path_finds_every_optimum(tiny in tiny(), weights in proptest::collection::vec(0.05..1.0, 1..6)) {
        let rows = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap();
        let settings = ExactSettings { goal: tiny.goal, ..ExactSettings::default() };
        let solved = solve_for_each_weight(&rows, &settings, &weights, &[], RunContext::silent()).unwrap();
        for (exact, &weight) in solved.iter().zip(&weights) {
            let mut alone = tiny.clone();
            alone.goal.majority_weight = weight;
            let best = oracle(&alone);
            prop_assert!((exact.score.objective - best).abs() < 1e-6 && (exact.bound - best).abs() < 2e-6);
        }
    }

    #[test]
    fn widest_walls_keep_the_objective(tiny in tiny()) {
        let exact = run(&tiny, Formulation::Columns, StoppingLimits::default());
        let rows = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap();
        let drawn = place_prediction_bounds(&rows, &tiny.goal, &exact.boxes, BoundPlacement::Widest);
        let again = score_boxes(&rows, &tiny.goal, &drawn);
        prop_assert_eq!((again.n_majority_not_excluded, again.used), (exact.score.n_majority_not_excluded, exact.score.used));
        prop_assert!(again.covered >= exact.score.covered);
    }

    #[test]
    fn start_solution_is_kept_and_threads_do_not_change_the_result(tiny in tiny()) {
        let rows = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap();
        let settings = ExactSettings { goal: tiny.goal, ..ExactSettings::default() };
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| solve(&rows, &settings, &[], RunContext::silent()).unwrap())
        };
        let (one, three) = (on(1), on(3));
        prop_assert_eq!(&one.boxes, &three.boxes);
        let limits = StoppingLimits { max_checks: Some(0), ..StoppingLimits::default() };
        let hurried = ExactSettings { limits, ..settings };
        let started = solve(&rows, &hurried, std::slice::from_ref(&one.boxes), RunContext::silent()).unwrap();
        prop_assert!((started.score.objective - one.score.objective).abs() < 1e-9);
    }

    #[test]
    fn search_stops_within_the_optimality_gap(tiny in tiny(), gap in 0.0..2.0) {
        let exact = run(&tiny, Formulation::Columns, StoppingLimits { gap, ..StoppingLimits::default() });
        let best = oracle(&tiny);
        prop_assert!(exact.bound >= best - 1e-6 && exact.bound - exact.score.objective <= gap + 2e-6);
    }
}

// CBC is slow, and slower with more rows.
proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn compact_formulation_finds_the_optimum(tiny in tiny_of(3, 5, 7)) {
        agrees(&tiny, Formulation::Compact)?;
    }

    #[test]
    fn formulation_of_the_paper_finds_the_optimum(tiny in tiny_of(2, 3, 4).prop_filter("strips", has_disjoint_strips)) {
        agrees(&tiny, Formulation::Paper)?;
    }
}

proptest! {
    #![proptest_config(cases(15))]

    #[test]
    fn weights_equal_repeated_rows(tiny in tiny(), seed in proptest::collection::vec(1_usize..4, 12)) {
        let n = tiny.positive.len();
        let counts: Vec<usize> = (0..n).map(|row| seed[row % seed.len()]).collect();
        let weights: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let repeated = |row: usize| std::iter::repeat_n(row, counts[row]);
        let all: Vec<usize> = (0..n).flat_map(repeated).collect();
        let columns: Vec<Vec<f64>> =
            tiny.columns.iter().map(|x| all.iter().map(|&row| x[row]).collect()).collect();
        let positive: Vec<bool> = all.iter().map(|&row| tiny.positive[row]).collect();
        let weighted = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap().with_weights(&weights).unwrap();
        let many = ScaledRows::new(&columns, &positive).unwrap();
        for formulation in [Formulation::Columns, Formulation::Compact, Formulation::Paper] {
            // The paper's formulation is slow on repeated rows, and exact only if the strips are disjoint.
            let small = tiny.goal.n_boxes == 1 && n <= 6 && has_disjoint_strips(&tiny);
            if formulation == Formulation::Paper && !small {
                continue;
            }
            let settings = ExactSettings { goal: tiny.goal, formulation, ..ExactSettings::default() };
            let exact = solve(&weighted, &settings, &[], RunContext::silent()).unwrap();
            let all = solve(&many, &settings, &[], RunContext::silent()).unwrap();
            prop_assert_eq!((exact.status, all.status), (SearchStatus::Optimal, SearchStatus::Optimal));
            prop_assert!((exact.score.objective - all.score.objective).abs() < 1e-6);
            // Scaled weights are no longer integers; the objective scales with them.
            let thirds: Vec<f64> = weights.iter().map(|weight| weight / 3.0).collect();
            let goal =
                BoxObjective { box_cost: tiny.goal.box_cost / 3.0, expand: tiny.goal.expand / 3.0, ..tiny.goal };
            let rows = ScaledRows::new(&tiny.columns, &tiny.positive).unwrap().with_weights(&thirds).unwrap();
            let third = solve(&rows, &ExactSettings { goal, ..settings }, &[], RunContext::silent()).unwrap();
            prop_assert!((3.0 * third.score.objective - all.score.objective).abs() < 1e-5);
            for certificate in &exact.certificates {
                let ctl = RunContext::silent();
                let verdict =
                    verify(&weighted, &tiny.goal, &exact.boxes, certificate, StoppingLimits::default(), ctl).unwrap();
                prop_assert!((verdict.bound.unwrap() - certificate.bound).abs() < 1e-6);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn other_formulations_find_the_optimum_with_a_width_reward(tiny in tiny_with_width_reward().prop_filter("strips", has_disjoint_strips)) {
        agrees(&tiny, Formulation::Compact)?;
        agrees(&tiny, Formulation::Paper)?;
    }
    #[test]
    fn bounds_of_other_formulations_hold_when_time_runs_out(tiny in tiny_of(2, 4, 4), seconds in 0.0..0.02) {
        let best = oracle(&tiny);
        // Where strips meet, the paper's rows may exclude solutions: then optimum and bound are lower.
        let formulations = [Formulation::Compact, Formulation::Paper];
        for &formulation in &formulations[..=usize::from(has_disjoint_strips(&tiny))] {
            let exact = run(&tiny, formulation, StoppingLimits { seconds: seconds + 1e-4, ..StoppingLimits::default() });
            prop_assert!(exact.bound >= best - 1e-6, "{} below {best}", exact.bound);
            prop_assert!(exact.score.objective <= best + 1e-6);
            if exact.status == SearchStatus::Optimal {
                prop_assert!((exact.score.objective - best).abs() < 2e-6);
            }
        }
    }
}
