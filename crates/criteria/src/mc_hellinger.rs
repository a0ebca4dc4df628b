//! Hellinger distance for several classes: the best bipartition (Hoens et al. 2012, algorithm 1).
//!
//! For two branches the best bipartition is a prefix of the classes sorted by the share that goes left, so
//! `c - 1` of the `2^(c-1) - 1` candidates are enough. (Proof: the Bhattacharyya coefficient is quasi-concave in
//! the group's branch masses, so its minimum over group sums lies at a vertex of their zonotope, which a
//! threshold on that share cuts out.)

use crate::hellinger::squared_difference;
use crate::rule::{Branches, mass};

/// Searches the bipartitions of the classes with mass at one node.
#[derive(Debug)]
pub struct Bipartitions {
    totals: Vec<f64>,
    total: f64,
    /// Classes with mass, by falling share in the first branch; kept from split to split, since neighbouring
    /// cuts hardly change it.
    order: Vec<usize>,
    affinities: Vec<f64>,
}

impl Bipartitions {
    /// More would take over 2^15 bipartitions for every multiway split.
    pub(crate) const MOST_CLASSES_OF_A_MULTIWAY_SPLIT: usize = 16;

    pub(crate) fn new(totals: &[f64]) -> Self {
        let order: Vec<usize> = (0..totals.len()).filter(|&class| totals[class] > 0.0).collect();
        Self {
            totals: totals.to_vec(),
            total: mass(totals),
            affinities: Vec::with_capacity(order.len()),
            order,
        }
    }

    pub(crate) fn score(&mut self, branches: Branches<'_>) -> f64 {
        if branches.len() == 2 {
            self.best_prefix(branches.branch(0)).0
        } else {
            self.best_of_all(branches).0
        }
    }

    /// Best squared distance of a two-branch split, and the length of the winning prefix of `order`.
    fn best_prefix(&mut self, left: &[f64]) -> (f64, usize) {
        self.sort_by_left_share(left);
        let in_left = mass(left);
        let (mut group_left, mut group) = (0.0, 0.0);
        self.affinities.clear();
        for &class in &self.order[..self.order.len() - 1] {
            group_left += left[class];
            group += self.totals[class];
            let rest_left = (in_left - group_left).max(0.0);
            let rest = self.total - group;
            let group_right = (group - group_left).max(0.0);
            let rest_right = (rest - rest_left).max(0.0);
            let roots = (group_left * rest_left).sqrt() + (group_right * rest_right).sqrt();
            self.affinities.push(roots / (group * rest).sqrt());
        }
        // The affinity has lost the digits of a small distance: rescore every prefix it cannot tell apart.
        let smallest = self.affinities.iter().copied().fold(f64::INFINITY, f64::min);
        let (mut best, mut best_length) = (0.0, 1);
        let (mut group_left, mut group) = (0.0, 0.0);
        for (place, &class) in self.order[..self.order.len() - 1].iter().enumerate() {
            group_left += left[class];
            group += self.totals[class];
            if self.affinities[place] <= smallest + 1e-14 {
                let rest_left = (in_left - group_left).max(0.0);
                let rest = self.total - group;
                let distance = squared_difference(group_left, group, rest_left, rest)
                    + squared_difference(
                        (group - group_left).max(0.0),
                        group,
                        (rest - rest_left).max(0.0),
                        rest,
                    );
                if distance > best {
                    (best, best_length) = (distance, place + 1);
                }
            }
        }
        (best, best_length)
    }

    /// Insertion sort by cross products, exact for counts; ties by class.
    fn sort_by_left_share(&mut self, left: &[f64]) {
        let totals = &self.totals;
        let before = |a: usize, b: usize| {
            let (of_a, of_b) = (left[a] * totals[b], left[b] * totals[a]);
            of_a > of_b || (of_a == of_b && a < b)
        };
        for end in 1..self.order.len() {
            let class = self.order[end];
            let mut place = end;
            while place > 0 && before(class, self.order[place - 1]) {
                self.order[place] = self.order[place - 1];
                place -= 1;
            }
            self.order[place] = class;
        }
    }

    /// Every bipartition in Gray-code order: one class changes sides a step.
    fn best_of_all(&self, branches: Branches<'_>) -> (f64, u64) {
        let sizes: Vec<f64> = branches.iter().map(mass).collect();
        let mut group_by_branch = vec![0.0; sizes.len()];
        let mut group = 0.0;
        let (mut best, mut best_code) = (0.0, 0);
        // The last class in order never joins the group, so that each bipartition is met once.
        let free = self.order.len() - 1;
        for step in 1_u64..1 << free {
            let flipped = step.trailing_zeros() as usize;
            let code = step ^ (step >> 1);
            let class = self.order[flipped];
            let sign = if code >> flipped & 1 == 1 { 1.0 } else { -1.0 };
            group += sign * self.totals[class];
            for (sum, branch) in group_by_branch.iter_mut().zip(branches.iter()) {
                *sum = f64::max(*sum + sign * branch[class], 0.0);
            }
            let rest = self.total - group;
            let distance: f64 = group_by_branch
                .iter()
                .zip(&sizes)
                .map(|(&inside, &size)| squared_difference(inside, group, (size - inside).max(0.0), rest))
                .sum();
            if distance > best {
                (best, best_code) = (distance, code);
            }
        }
        (best, best_code)
    }
}

/// Largest squared Hellinger distance over all bipartitions of the classes, and the winning group: the side
/// without the lowest class that has mass, ascending.
///
/// A split with more than two branches tries all bipartitions and takes time `2^(c-1)`.
pub fn best_bipartition(totals: &[f64], branches: Branches<'_>) -> (f64, Vec<usize>) {
    let mut search = Bipartitions::new(totals);
    if search.order.len() < 2 {
        return (0.0, Vec::new());
    }
    let (score, mut group) = if branches.len() == 2 {
        let (score, length) = search.best_prefix(branches.branch(0));
        (score, search.order[..length].to_vec())
    } else {
        let (score, code) = search.best_of_all(branches);
        let inside = |place: &usize| code >> place & 1 == 1;
        (score, (0..search.order.len()).filter(inside).map(|place| search.order[place]).collect())
    };
    let lowest = search.order.iter().min().copied().unwrap_or_default();
    if group.contains(&lowest) {
        group = search.order.iter().copied().filter(|class| !group.contains(class)).collect();
    }
    group.sort_unstable();
    (score, group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_that_goes_left_whole_is_found() {
        // Classes 1 and 3 go left, 0 and 2 go right.
        let totals = [10.0, 2.0, 30.0, 5.0];
        let table = [0.0, 2.0, 0.0, 5.0, 10.0, 0.0, 30.0, 0.0];
        let (score, group) = best_bipartition(&totals, Branches::new(&table, 4));
        assert!((score - 2.0).abs() < 1e-15);
        assert_eq!(group, [1, 3]);
    }

    #[test]
    fn pure_nodes_have_no_bipartition() {
        assert_eq!(best_bipartition(&[0.0, 4.0], Branches::new(&[0.0, 1.0, 0.0, 3.0], 2)), (0.0, vec![]));
    }
}
