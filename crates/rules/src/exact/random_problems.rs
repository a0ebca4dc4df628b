//! Small random problems for tests of the search, and a list of all boxes of a problem.

use crate::exact::encoded_rows::EncodedRows;
use crate::exact::pricing_weights::{PairDuals, PricingWeights};
use crate::exact::problem::{BoxObjective, ScaledRows};
use imbcore_core::{RunContext, SeedKey, random_below};

pub(crate) fn random_integer_generator(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut rng = SeedKey::root(seed).rng();
    move |n| random_below(&mut rng, n)
}

/// Random rows with values on a grid; rewards and costs are multiples of a quarter.
///
/// The first `n_pos` of `n_rows` rows are minority rows. If `paired` is true, all pairs of a majority and a
/// minority row group have dual values that are multiples of an eighth.
pub(crate) fn draw_random_problem(
    draw: &mut impl FnMut(u32) -> u32,
    n_features: usize,
    (n_pos, n_rows): (usize, usize),
    goal: &BoxObjective,
    paired: bool,
) -> (EncodedRows, PricingWeights) {
    let mut grid = |n: u32| f64::from(draw(n));
    let columns: Vec<Vec<f64>> =
        (0..n_features).map(|_| (0..n_rows).map(|_| grid(9) / 8.0).collect()).collect();
    let positive: Vec<bool> = (0..n_rows).map(|row| row < n_pos).collect();
    let codes =
        EncodedRows::new(&ScaledRows::new(&columns, &positive).unwrap(), goal, RunContext::silent()).unwrap();
    let mut prices = PricingWeights::without_pairs(
        (0..codes.n_minority_groups()).map(|_| grid(9) / 4.0).collect(),
        (0..codes.n_majority_groups()).map(|_| grid(9) / 4.0).collect(),
    );
    if paired {
        let every = (0..codes.n_majority_groups())
            .flat_map(|i| (0..codes.n_minority_groups() as u16).map(move |p| (i, p)));
        let triples: Vec<_> = every.map(|(i, p)| (i, p, grid(4) / 8.0)).collect();
        prices.pairs = PairDuals::new(codes.n_majority_groups(), triples.into_iter());
    }
    (codes, prices)
}

pub(crate) fn list_all_boxes(codes: &EncodedRows) -> Vec<Vec<u16>> {
    codes.n_candidates.iter().fold(vec![Vec::new()], |boxes, &n| {
        boxes.iter().flat_map(|at| (0..n).map(move |t| [at.as_slice(), &[t]].concat())).collect()
    })
}
