//! The uniform bound of proposition 3 (Goh and Rudin 2014) holds as often as it says, over all drawings of small boards.

use imbcore_base::{SeedKey, below, uniform};
use imbcore_boxes::Drawings;

/// All boxes of two ends a feature on a board of `m` by `m` places, as sets of places.
fn boxes(m: usize) -> Vec<Vec<bool>> {
    let ends: Vec<(usize, usize)> =
        (0..m).flat_map(|low| (low + 1..m).map(move |high| (low, high))).collect();
    let inside = |(a, b): ((usize, usize), (usize, usize))| {
        let holds = |(low, high): (usize, usize), at: usize| low <= at && at <= high;
        (0..m * m).map(|place| holds(a, place / m) && holds(b, place % m)).collect()
    };
    ends.iter().flat_map(|&a| ends.iter().map(move |&b| (a, b))).map(inside).collect()
}

/// Drawings of at most two boxes, as sets of places.
fn drawings(m: usize, n_boxes: u32) -> Vec<Vec<bool>> {
    let one = boxes(m);
    if n_boxes == 1 {
        return one;
    }
    let union = |a: &Vec<bool>, b: &Vec<bool>| a.iter().zip(b).map(|(a, b)| *a || *b).collect();
    one.iter().flat_map(|a| one.iter().map(move |b| union(a, b))).collect()
}

#[test]
fn the_bound_fails_no_more_often_than_it_says() {
    const TRIALS: u32 = 400;
    let (m, n_rows) = (3_usize, 60_u32);
    for (n_boxes, c) in [(1, 1.0), (2, 0.3), (2, 2.0)] {
        let all = drawings(m, n_boxes);
        let delta = 0.2;
        let bound = Drawings { n_boxes, n_values: vec![m as u32; 2], c };
        let mut rng = SeedKey::root(1).child(u32::from(c > 1.0), n_boxes).rng();
        let chance: Vec<f64> = (0..m * m).map(|_| uniform(&mut rng)).collect();
        // Cost of a drawing, given how often each place held a row of each class.
        let cost = |drawing: &[bool], share: &dyn Fn(usize, bool) -> f64| -> f64 {
            (0..m * m).map(|at| if drawing[at] { c * share(at, false) } else { share(at, true) }).sum()
        };
        let places = (m * m) as f64;
        let law = |at: usize, positive: bool| if positive { chance[at] } else { 1.0 - chance[at] } / places;
        let truth: Vec<f64> = all.iter().map(|drawing| cost(drawing, &law)).collect();
        let mut failures = 0;
        for _ in 0..TRIALS {
            let mut counts = vec![[0.0; 2]; m * m];
            for _ in 0..n_rows {
                let at = below(&mut rng, (m * m) as u32) as usize;
                counts[at][usize::from(uniform(&mut rng) < chance[at])] += 1.0 / f64::from(n_rows);
            }
            let seen = |at: usize, positive: bool| counts[at][usize::from(positive)];
            let fails = |(drawing, truth): (&Vec<bool>, &f64)| {
                let risk = cost(drawing, &seen).min(c.max(1.0));
                *truth > bound.bound(risk, u64::from(n_rows), delta).unwrap()
            };
            failures += u32::from(all.iter().zip(&truth).any(fails));
        }
        assert!(f64::from(failures) <= delta * f64::from(TRIALS), "{failures}");
        // It is a bound that more rows make better, and not an empty one.
        assert!(
            bound.bound(0.1, 10_000, delta).unwrap() < 0.2 && bound.bound(0.1, 60, delta).unwrap() < 1.0 + c
        );
    }
}
