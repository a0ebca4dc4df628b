//! Rounds that are learnt without some of the earlier ones (DART: Vinayak and Gilad-Bachrach 2015, algorithm 1).
//!
//! Late trees of boosting mend what early ones left over, and say little. A round that is learnt as if some of the earlier ones
//! were not there says as much as they do; so that both together do not say it twice, of `k` rounds left out and the new one
//! each of the former keeps `k / (k + 1)` of what it said, and the new one has `1 / (k + 1)`.

use crate::boosted::grow::Grown;
use crate::boosted::matrix::Matrix;
use crate::boosted::member::Member;
use imbcore_base::{SeedKey, below, uniform};
use rayon::prelude::*;

/// Rows that a thread sends down a tree at a time.
const STRETCH: usize = 1 << 13;

/// How rounds are left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dropout {
    /// How likely each is left out.
    pub(crate) rate: f64,
    /// How likely none is.
    pub(crate) skip: f64,
}

/// A round: its trees, and which earlier rounds it was learnt without.
pub(crate) struct Round {
    pub(crate) members: Vec<Member>,
    dropped: Vec<usize>,
}

/// Earlier rounds in terms of bins, as far as some may be left out.
#[derive(Default)]
pub(crate) struct Past(Vec<Vec<Sent>>);

/// A tree that sends rows down.
struct Sent {
    forks: Vec<Option<Fork>>,
    /// What nodes add to the score.
    values: Vec<f64>,
    score: usize,
}

/// A node that is split.
struct Fork {
    place: usize,
    left: [bool; 256],
    first_child: usize,
}

impl Dropout {
    /// Whether any round may be left out.
    pub(crate) fn is_on(self) -> bool {
        self.rate > 0.0
    }

    /// Of so many rounds those that the next one is learnt without, ascending.
    fn draw(self, n_rounds: usize, key: SeedKey) -> Vec<usize> {
        if !self.is_on() || n_rounds == 0 {
            return Vec::new();
        }
        let mut rng = key.rng();
        if uniform(&mut rng) < self.skip {
            return Vec::new();
        }
        let dropped: Vec<usize> = (0..n_rounds).filter(|_| uniform(&mut rng) < self.rate).collect();
        if dropped.is_empty() { vec![below(&mut rng, n_rounds as u32) as usize] } else { dropped }
    }
}

/// What a round that was learnt without `k` others has of what it would say, and what these keep.
fn shares(k: usize) -> [f64; 2] {
    let k = k as f64;
    [1.0 / (k + 1.0), k / (k + 1.0)]
}

impl Round {
    /// Joins the trees of the rounds before, of which each has `n_scores`.
    pub(crate) fn join(self, members: &mut Vec<Member>, n_scores: usize) {
        let [_, kept] = shares(self.dropped.len());
        for round in self.dropped {
            for member in &mut members[round * n_scores..][..n_scores] {
                member.values.iter_mut().for_each(|value| *value *= kept);
            }
        }
        members.extend(self.members);
    }
}

/// Rounds that are left out while another is learnt.
pub(crate) struct LeftOut {
    rounds: Vec<usize>,
    /// What the new round has of what it would say.
    pub(crate) share: f64,
}

impl Past {
    /// Draws rounds and takes what they say off the scores of all rows.
    pub(crate) fn leave_out(
        &self,
        (dropout, key): (Dropout, SeedKey),
        (matrix, sums, n_scores): (&Matrix, &mut [f64], usize),
    ) -> LeftOut {
        let rounds = dropout.draw(self.0.len(), key);
        for tree in rounds.iter().flat_map(|&round| &self.0[round]) {
            tree.add(-1.0, (matrix, sums, n_scores));
        }
        let [share, _] = shares(rounds.len());
        LeftOut { rounds, share }
    }

    /// Puts what is left of them back.
    pub(crate) fn put_back(
        &mut self,
        LeftOut { rounds, .. }: LeftOut,
        members: Vec<Member>,
        (matrix, sums, n_scores): (&Matrix, &mut [f64], usize),
    ) -> Round {
        let [_, kept] = shares(rounds.len());
        for &round in &rounds {
            for tree in &mut self.0[round] {
                tree.values.iter_mut().for_each(|value| *value *= kept);
                tree.add(1.0, (matrix, sums, n_scores));
            }
        }
        Round { members, dropped: rounds }
    }

    /// Takes in a tree of the newest round, of which `values` are what its nodes add; score 0 begins the round.
    pub(crate) fn push(&mut self, nodes: &[Grown], matrix: &Matrix, (values, score): (&[f64], usize)) {
        let fork = |node: &Grown| {
            let split = node.split.as_ref()?;
            let (place, left) = (split.found.place, split.found.sides(matrix));
            Some(Fork { place, left, first_child: split.first_child })
        };
        let tree = Sent { forks: nodes.iter().map(fork).collect(), values: values.to_vec(), score };
        match self.0.last_mut() {
            Some(round) if score > 0 => round.push(tree),
            _ => self.0.push(vec![tree]),
        }
    }
}

impl Sent {
    fn leaf(&self, row: usize, matrix: &Matrix) -> usize {
        let mut node = 0;
        while let Some(fork) = &self.forks[node] {
            let code = matrix.columns[fork.place].codes[row];
            node = fork.first_child + usize::from(!fork.left[code as usize]);
        }
        node
    }

    /// Adds what the tree says, so many times, to the scores of all rows.
    fn add(&self, times: f64, (matrix, sums, n_scores): (&Matrix, &mut [f64], usize)) {
        sums.par_chunks_mut(STRETCH * n_scores).enumerate().for_each(|(at, sums)| {
            for (row, sums) in (at * STRETCH..).zip(sums.chunks_exact_mut(n_scores)) {
                sums[self.score] += times * self.values[self.leaf(row, matrix)];
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
        let drawn = |case: u32| dropout.draw(40, SeedKey::root(7).child(1, case));
        let all: Vec<Vec<usize>> = (0..4000).map(drawn).collect();
        let skipped = all.iter().filter(|rounds| rounds.is_empty()).count() as f64;
        assert!((skipped / 4000.0 - 0.25).abs() < 0.03, "{skipped}");
        // Where none came up, which happens to .9^40 of the others, one is left out all the same.
        let mean = all.iter().map(Vec::len).sum::<usize>() as f64 / (4000.0 - skipped);
        assert!((mean - 4.0 - 0.9_f64.powi(40)).abs() < 0.15, "{mean}");
        assert!(all.iter().all(|rounds| rounds.is_sorted() && rounds.iter().all(|&round| round < 40)));
        let lonely = Dropout { rate: 1e-12, skip: 0.0 };
        assert!((0..50).all(|case| lonely.draw(3, SeedKey::root(case)).len() == 1));
        assert!(Dropout { rate: 0.0, skip: 0.0 }.draw(3, SeedKey::root(0)).is_empty());
        assert!(dropout.draw(0, SeedKey::root(0)).is_empty());
    }
}
