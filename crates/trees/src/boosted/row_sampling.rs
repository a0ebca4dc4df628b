//! Row sampling of a boosting round.

use crate::boosted::params::{BoostedParams, BoostedRowSampling};
use crate::boosted::row_lists::RoundRowLists;
use imbcore_core::{SeedKey, uniform};
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug)]
pub(crate) enum RowSampling {
    /// A fraction of all rows, drawn uniformly.
    Uniform(f64),
    /// Gradient-based one-side sampling (Ke et al. 2017, algorithm 2) of all but one class.
    ///
    /// All rows of the rarest class are used. Of the rows of the other classes, a fraction with the largest
    /// gradients is kept. A sample is drawn from the remaining rows, and its weights are increased so that it
    /// represents all remaining rows.
    OneSide {
        /// Rows with the largest gradients, as a fraction of all rows outside the rarest class.
        top: f64,
        /// Randomly drawn rows, as a fraction of all rows outside the rarest class.
        other: f64,
    },
}

pub(crate) struct RoundRowSample {
    pub(crate) lists: RoundRowLists,
    /// Whether the weight of each row is multiplied by `times`; empty if no weight is multiplied.
    lifted: Vec<bool>,
    times: f64,
}

impl RowSampling {
    pub(crate) fn new(params: &BoostedParams) -> Self {
        match params.sampling {
            BoostedRowSampling::Uniform => Self::Uniform(params.subsample),
            BoostedRowSampling::Goss => Self::OneSide { top: params.top_rate, other: params.other_rate },
        }
    }

    /// `n_others` is the number of rows outside the rarest class.
    pub(crate) fn max_weight_factor(self, n_others: usize) -> f64 {
        match self {
            Self::Uniform(_) => 1.0,
            Self::OneSide { top, other } => {
                let [top, other] = [top, other].map(|share| n_items_in_fraction(share, n_others));
                rest_weight_factor(n_others - top, other)
            }
        }
    }
}

impl RoundRowSample {
    pub(crate) fn with_all_rows(rows: &[u32], others: &[u32]) -> Self {
        Self::with_unit_weights(RoundRowLists::new(rows.to_vec(), others.to_vec()))
    }

    fn with_unit_weights(lists: RoundRowLists) -> Self {
        Self { lists, lifted: Vec::new(), times: 1.0 }
    }

    /// Keeps a random fraction of the rows, and appends the other rows to `others`.
    pub(crate) fn sample_uniformly(share: f64, rows: &[u32], others: &[u32], key: SeedKey) -> Self {
        let wanted = n_items_in_fraction(share, rows.len()).max(1);
        let (drawn, left) = draw_uniformly(rows, wanted, key);
        Self::with_unit_weights(RoundRowLists::new(drawn, merge_ascending(others, &left)))
    }

    /// All rows of the rarest class (`rare`) are kept.
    ///
    /// Of all other rows (`common`), those with the largest gradients are kept, and a random sample of the
    /// remaining ones. `sizes` are the absolute gradients of the common rows.
    pub(crate) fn sample_by_gradient(
        (top, other): (f64, f64),
        (rare, common): (&[u32], &[u32]),
        sizes: &[f64],
        others: &[u32],
        (key, n_rows): (SeedKey, usize),
    ) -> Self {
        let [top, other] = [top, other].map(|share| n_items_in_fraction(share, common.len()));
        let mut order: Vec<u32> = (0..common.len() as u32).collect();
        // Ties go to the first row. This makes the order total, so that the result does not depend on the
        // number of threads.
        let larger = |a: &u32, b: &u32| -> Ordering {
            sizes[*b as usize].total_cmp(&sizes[*a as usize]).then(a.cmp(b))
        };
        if top < order.len() {
            order.select_nth_unstable_by(top, larger);
        }
        let row = |index: &u32| common[*index as usize];
        let mut kept: Vec<u32> = order[..top].iter().map(row).chain(rare.iter().copied()).collect();
        let mut rest: Vec<u32> = order[top..].iter().map(row).collect();
        rest.sort_unstable();
        let (drawn, left) = draw_uniformly(&rest, other.max(1), key);
        let mut lifted = vec![false; n_rows];
        for &row in &drawn {
            lifted[row as usize] = true;
        }
        let times = rest_weight_factor(rest.len(), drawn.len());
        kept.extend(drawn);
        kept.sort_unstable();
        Self { lists: RoundRowLists::new(kept, merge_ascending(others, &left)), lifted, times }
    }

    #[inline]
    pub(crate) fn weight_factor(&self, row: usize) -> f64 {
        if self.lifted.get(row).copied().unwrap_or(false) { self.times } else { 1.0 }
    }
}

fn merge_ascending(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut rows = [a, b].concat();
    // The stable sort detects the two ascending lists and merges them.
    #[allow(clippy::stable_sort_primitive)]
    rows.sort();
    rows
}

fn n_items_in_fraction(share: f64, of: usize) -> usize {
    // The fraction and the count are nonnegative, so the cast loses no sign.
    #[allow(clippy::cast_sign_loss)]
    let part = (share * of as f64).round() as usize;
    part.min(of)
}

fn rest_weight_factor(rest: usize, drawn: usize) -> f64 {
    (rest as f64 / drawn.max(1) as f64).max(1.0)
}

/// Selection sampling (Knuth, volume 2, algorithm S); returns drawn rows and other rows.
///
/// Both lists are ascending.
fn draw_uniformly(rows: &[u32], mut wanted: usize, key: SeedKey) -> (Vec<u32>, Vec<u32>) {
    let mut rng = key.rng();
    let (mut drawn, mut left) = (Vec::with_capacity(wanted.min(rows.len())), Vec::new());
    for (index, &row) in rows.iter().enumerate() {
        if uniform(&mut rng) * ((rows.len() - index) as f64) < wanted as f64 {
            drawn.push(row);
            wanted -= 1;
        } else {
            left.push(row);
        }
    }
    (drawn, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goss_keeps_rare_rows_and_large_gradients_and_reweights_the_rest() {
        let rare: Vec<u32> = (0..1000).step_by(50).collect();
        let common: Vec<u32> = (0..1000_u32).filter(|row| !row.is_multiple_of(50)).collect();
        let sizes: Vec<f64> = common.iter().map(|&row| f64::from(row * 37 % 101)).collect();
        let key = SeedKey::root(5);
        let drawn = RoundRowSample::sample_by_gradient(
            (0.2, 0.1),
            (&rare, &common),
            &sizes,
            &[1000, 1001],
            (key, 1002),
        );
        let [trained, others] = &drawn.lists.lists;
        assert_eq!((trained.len(), others.len()), (20 + 196 + 98, 980 - 196 - 98 + 2));
        assert!(trained.is_sorted() && rare.iter().all(|row| trained.contains(row)));
        // Common rows with the weight factor 1 have gradients at least as large as those of all other common
        // rows.
        let size = |row: &u32| f64::from(row * 37 % 101);
        let is_rare = |row: &u32| row.is_multiple_of(50);
        let certain =
            trained.iter().filter(|row| !is_rare(row) && drawn.weight_factor(**row as usize) == 1.0);
        let least = certain.clone().map(size).fold(f64::INFINITY, f64::min);
        let rest = trained
            .iter()
            .filter(|row| drawn.weight_factor(**row as usize) > 1.0)
            .chain(&others[..others.len() - 2]);
        assert!(certain.count() == 196 && rest.map(size).fold(0.0, f64::max) <= least);
        let total: f64 = trained.iter().map(|&row| drawn.weight_factor(row as usize)).sum();
        assert!((total - 1000.0).abs() < 1e-9);
        assert!(drawn.times <= RowSampling::OneSide { top: 0.2, other: 0.1 }.max_weight_factor(common.len()));
    }

    #[test]
    fn sampling_works_with_few_rows() {
        for n in 0..6_u32 {
            let common: Vec<u32> = (0..n).collect();
            let sizes = vec![1.0; n as usize];
            let rates = (0.5, 0.5);
            let drawn = RoundRowSample::sample_by_gradient(
                rates,
                (&[6], &common),
                &sizes,
                &[],
                (SeedKey::root(0), 7),
            );
            let total: f64 = drawn.lists.lists[0].iter().map(|&row| drawn.weight_factor(row as usize)).sum();
            assert!((total - f64::from(n + 1)).abs() < 1e-9, "{n}: {total}");
        }
    }
}
