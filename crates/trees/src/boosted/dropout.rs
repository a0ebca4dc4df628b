//! Dropout of boosting rounds (DART: Vinayak and Gilad-Bachrach 2015, algorithm 1).
//!
//! Without dropout, late trees only correct the residuals of early trees and contribute little. A new round
//! that is fitted without `k` earlier rounds also approximates the sum of the predictions of these `k`
//! rounds. So that this sum is not counted twice, each of the `k` rounds is scaled by `k / (k + 1)` and the
//! new round by `1 / (k + 1)`.

use crate::boosted::boosted_tree::BoostedTree;
use crate::boosted::matrix::BoostedMatrix;
use crate::boosted::tree_grower::GrownNode;
use imbcore_core::{SeedKey, random_below, uniform};
use rayon::prelude::*;

const STRETCH: usize = 1 << 13;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Dropout {
    /// Probability with which each earlier round is dropped.
    pub(crate) rate: f64,
    /// Probability that a new round is fitted without dropping any earlier round.
    pub(crate) skip: f64,
}

pub(crate) struct DartRound {
    pub(crate) members: Vec<BoostedTree>,
    dropped: Vec<usize>,
}

#[derive(Default)]
pub(crate) struct DartTreeHistory(Vec<Vec<BinnedTree>>);

struct BinnedTree {
    forks: Vec<Option<BinnedSplit>>,
    values: Vec<f64>,
    score: usize,
}

struct BinnedSplit {
    place: usize,
    left: [bool; 256],
    first_child: usize,
}

impl Dropout {
    pub(crate) fn is_enabled(self) -> bool {
        self.rate > 0.0
    }

    fn draw_dropped_rounds(self, n_rounds: usize, key: SeedKey) -> Vec<usize> {
        if !self.is_enabled() || n_rounds == 0 {
            return Vec::new();
        }
        let mut rng = key.rng();
        if uniform(&mut rng) < self.skip {
            return Vec::new();
        }
        let dropped: Vec<usize> = (0..n_rounds).filter(|_| uniform(&mut rng) < self.rate).collect();
        if dropped.is_empty() { vec![random_below(&mut rng, n_rounds as u32) as usize] } else { dropped }
    }
}

fn dart_scale_factors(k: usize) -> [f64; 2] {
    let k = k as f64;
    [1.0 / (k + 1.0), k / (k + 1.0)]
}

impl DartRound {
    /// `members` contains `n_scores` trees for each earlier round.
    pub(crate) fn append_trees_to(self, members: &mut Vec<BoostedTree>, n_scores: usize) {
        let [_, kept] = dart_scale_factors(self.dropped.len());
        for round in self.dropped {
            for member in &mut members[round * n_scores..][..n_scores] {
                member.values.iter_mut().for_each(|value| *value *= kept);
            }
        }
        members.extend(self.members);
    }
}

pub(crate) struct DroppedRounds {
    rounds: Vec<usize>,
    pub(crate) share: f64,
}

impl DartTreeHistory {
    pub(crate) fn subtract_dropped_rounds(
        &self,
        (dropout, key): (Dropout, SeedKey),
        (matrix, sums, n_scores): (&BoostedMatrix, &mut [f64], usize),
    ) -> DroppedRounds {
        let rounds = dropout.draw_dropped_rounds(self.0.len(), key);
        for tree in rounds.iter().flat_map(|&round| &self.0[round]) {
            tree.add_predictions(-1.0, (matrix, sums, n_scores));
        }
        let [share, _] = dart_scale_factors(rounds.len());
        DroppedRounds { rounds, share }
    }

    pub(crate) fn restore_dropped_rounds(
        &mut self,
        DroppedRounds { rounds, .. }: DroppedRounds,
        members: Vec<BoostedTree>,
        (matrix, sums, n_scores): (&BoostedMatrix, &mut [f64], usize),
    ) -> DartRound {
        let [_, kept] = dart_scale_factors(rounds.len());
        for &round in &rounds {
            for tree in &mut self.0[round] {
                tree.values.iter_mut().for_each(|value| *value *= kept);
                tree.add_predictions(1.0, (matrix, sums, n_scores));
            }
        }
        DartRound { members, dropped: rounds }
    }

    /// The tree of score 0 starts a new round.
    pub(crate) fn add_tree_to_history(
        &mut self,
        nodes: &[GrownNode],
        matrix: &BoostedMatrix,
        (values, score): (&[f64], usize),
    ) {
        let fork = |node: &GrownNode| {
            let split = node.split.as_ref()?;
            let (place, left) = (split.found.place, split.found.bins_going_left(matrix));
            Some(BinnedSplit { place, left, first_child: split.first_child })
        };
        let tree = BinnedTree { forks: nodes.iter().map(fork).collect(), values: values.to_vec(), score };
        match self.0.last_mut() {
            Some(round) if score > 0 => round.push(tree),
            _ => self.0.push(vec![tree]),
        }
    }
}

impl BinnedTree {
    fn leaf_of_row(&self, row: usize, matrix: &BoostedMatrix) -> usize {
        let mut node = 0;
        while let Some(fork) = &self.forks[node] {
            let code = matrix.columns[fork.place].codes[row];
            node = fork.first_child + usize::from(!fork.left[code as usize]);
        }
        node
    }

    fn add_predictions(&self, times: f64, (matrix, sums, n_scores): (&BoostedMatrix, &mut [f64], usize)) {
        sums.par_chunks_mut(STRETCH * n_scores).enumerate().for_each(|(chunk, sums)| {
            for (row, sums) in (chunk * STRETCH..).zip(sums.chunks_exact_mut(n_scores)) {
                sums[self.score] += times * self.values[self.leaf_of_row(row, matrix)];
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_left_out_by_the_rate_and_never_none_unless_it_is_skipped() {
        let dropout = Dropout { rate: 0.1, skip: 0.25 };
        let drawn = |case: u32| dropout.draw_dropped_rounds(40, SeedKey::root(7).child(1, case));
        let all: Vec<Vec<usize>> = (0..4000).map(drawn).collect();
        let skipped = all.iter().filter(|rounds| rounds.is_empty()).count() as f64;
        assert!((skipped / 4000.0 - 0.25).abs() < 0.03, "{skipped}");
        // With probability 0.9^40, no round would be dropped; one round is then dropped anyway.
        let mean = all.iter().map(Vec::len).sum::<usize>() as f64 / (4000.0 - skipped);
        assert!((mean - 4.0 - 0.9_f64.powi(40)).abs() < 0.15, "{mean}");
        assert!(all.iter().all(|rounds| rounds.is_sorted() && rounds.iter().all(|&round| round < 40)));
        let lonely = Dropout { rate: 1e-12, skip: 0.0 };
        assert!((0..50).all(|case| lonely.draw_dropped_rounds(3, SeedKey::root(case)).len() == 1));
        assert!(Dropout { rate: 0.0, skip: 0.0 }.draw_dropped_rounds(3, SeedKey::root(0)).is_empty());
        assert!(dropout.draw_dropped_rounds(0, SeedKey::root(0)).is_empty());
    }
}
