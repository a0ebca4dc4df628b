//! The uniform bound of proposition 3 (Goh and Rudin 2014) holds with its probability, over all drawings of small
//! boards.

use imbcore_core::{SeedKey, random_below, uniform};
use imbcore_rules::HypothesisClass;

/// All boxes with an interval per feature on a board of `m` by `m` cells, as sets of cells.
fn boxes(m: usize) -> Vec<Vec<bool>> {
    let ends: Vec<(usize, usize)> =
        (0..m).flat_map(|low| (low + 1..m).map(move |high| (low, high))).collect();
    let inside = |(a, b): ((usize, usize), (usize, usize))| {
        let holds = |(low, high): (usize, usize), at: usize| low <= at && at <= high;
        (0..m * m).map(|place| holds(a, place / m) && holds(b, place % m)).collect()
    };
    ends.iter().flat_map(|&a| ends.iter().map(move |&b| (a, b))).map(inside).collect()
}

/// Drawings of at most two boxes, as sets of cells.
fn drawings(m: usize, n_boxes: u32) -> Vec<Vec<bool>> {
    let one = boxes(m);
    if n_boxes == 1 {
        return one;
    }
    let union = |a: &Vec<bool>, b: &Vec<bool>| a.iter().zip(b).map(|(a, b)| *a || *b).collect();
    one.iter().flat_map(|a| one.iter().map(move |b| union(a, b))).collect()
}

#[test]
fn bound_fails_at_most_with_its_probability() {
    const TRIALS: u32 = 400;
    let (m, n_rows) = (3_usize, 60_u32);
    for (n_boxes, c) in [(1, 1.0), (2, 0.3), (2, 2.0)] {
        let all = drawings(m, n_boxes);
        let delta = 0.2;
        let bound = HypothesisClass { n_boxes, n_values: vec![m as u32; 2], c };
        let mut rng = SeedKey::root(1).child(u32::from(c > 1.0), n_boxes).rng();
        let chance: Vec<f64> = (0..m * m).map(|_| uniform(&mut rng)).collect();
        // Cost of a drawing, given the proportion of the rows of each class in each cell.
        let cost = |drawing: &[bool], proportion: &dyn Fn(usize, bool) -> f64| -> f64 {
            (0..m * m)
                .map(|at| if drawing[at] { c * proportion(at, false) } else { proportion(at, true) })
                .sum()
        };
        let n_cells = (m * m) as f64;
        let truth_of =
            |at: usize, positive: bool| if positive { chance[at] } else { 1.0 - chance[at] } / n_cells;
        let truth: Vec<f64> = all.iter().map(|drawing| cost(drawing, &truth_of)).collect();
        let mut failures = 0;
        for _ in 0..TRIALS {
            let mut counts = vec![[0.0; 2]; m * m];
            for _ in 0..n_rows {
                let at = random_below(&mut rng, (m * m) as u32) as usize;
                counts[at][usize::from(uniform(&mut rng) < chance[at])] += 1.0 / f64::from(n_rows);
            }
            let observed = |at: usize, positive: bool| counts[at][usize::from(positive)];
            let fails = |(drawing, truth): (&Vec<bool>, &f64)| {
                let risk = cost(drawing, &observed).min(c.max(1.0));
                *truth > bound.true_risk_bound(risk, u64::from(n_rows), delta).unwrap()
            };
            failures += u32::from(all.iter().zip(&truth).any(fails));
        }
        assert!(f64::from(failures) <= delta * f64::from(TRIALS), "{failures}");
        // The bound decreases with more rows, and is not vacuous.
        assert!(
            bound.true_risk_bound(0.1, 10_000, delta).unwrap() < 0.2
                && bound.true_risk_bound(0.1, 60, delta).unwrap() < 1.0 + c
        );
    }
}
