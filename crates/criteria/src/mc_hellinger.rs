//! Hellinger distance for several classes: the best bipartition (Hoens et al. 2012, algorithm 1).
//!
//! For two branches the best bipartition is a prefix of the classes sorted by the share that goes left, so
//! `c - 1` of the `2^(c-1) - 1` candidates are enough. (Proof: the Bhattacharyya coefficient is quasi-concave in
//! the group's branch masses, so its minimum over group sums lies at a vertex of their zonotope, which a
//! threshold on that share cuts out.)

use crate::hellinger::squared_difference;
use crate::rule::{Branches, mass};

/// Searches the bipartitions of the classes with mass at one node.
///
/// Every group's mass is a sum of its members. A difference from the whole would leave a rounding residue where
/// the group is empty, and the root of 1e-17 is no longer small: uneven weights would break exact ties.
#[derive(Debug)]
pub struct Bipartitions {
    totals: Vec<f64>,
    /// Classes with mass, by falling share in the first branch; kept from split to split, since neighbouring
    /// cuts hardly change it.
    order: Vec<usize>,
    prefixes: Vec<Prefix>,
}

/// Masses in the two branches of the first classes in order and of the others.
#[derive(Clone, Copy, Debug, Default)]
struct Prefix {
    group: [f64; 2],
    rest: [f64; 2],
    affinity: f64,
}

impl Prefix {
    fn sizes(&self) -> (f64, f64) {
        (mass(&self.group), mass(&self.rest))
    }

    fn distance(&self) -> f64 {
        let (group, rest) = self.sizes();
        squared_difference(self.group[0], group, self.rest[0], rest)
            + squared_difference(self.group[1], group, self.rest[1], rest)
    }
}

impl Bipartitions {
    /// More would take over 2^15 bipartitions for every multiway split.
    pub(crate) const MOST_CLASSES_OF_A_MULTIWAY_SPLIT: usize = 16;

    pub(crate) fn new(totals: &[f64]) -> Self {
        let order: Vec<usize> = (0..totals.len()).filter(|&class| totals[class] > 0.0).collect();
        Self { totals: totals.to_vec(), prefixes: Vec::with_capacity(order.len()), order }
    }

    pub(crate) fn score(&mut self, branches: Branches<'_>) -> f64 {
        if branches.len() == 2 { self.best_prefix(branches).0 } else { self.best_of_all(branches).0 }
    }

    /// Best squared distance of a two-branch split, and the length of the winning prefix of `order`.
    fn best_prefix(&mut self, branches: Branches<'_>) -> (f64, usize) {
        self.sort_by_left_share(branches.branch(0));
        self.sum_prefixes(branches.branch(0), branches.branch(1));
        // The affinity has lost the digits of a small distance: rescore every prefix it cannot tell apart.
        let smallest = self.prefixes.iter().map(|prefix| prefix.affinity).fold(f64::INFINITY, f64::min);
        let (mut best, mut best_length) = (0.0, 1);
        for (place, prefix) in self.prefixes.iter().enumerate() {
            if prefix.affinity <= smallest + 1e-14 {
                let distance = prefix.distance();
                if distance > best {
                    (best, best_length) = (distance, place + 1);
                }
            }
        }
        (best, best_length)
    }

    fn sum_prefixes(&mut self, left: &[f64], right: &[f64]) {
        self.prefixes.resize(self.order.len() - 1, Prefix::default());
        let mut rest = [0.0; 2];
        for (prefix, &class) in self.prefixes.iter_mut().zip(&self.order[1..]).rev() {
            rest = [rest[0] + left[class], rest[1] + right[class]];
            prefix.rest = rest;
        }
        let mut group = [0.0; 2];
        for (prefix, &class) in self.prefixes.iter_mut().zip(&self.order) {
            group = [group[0] + left[class], group[1] + right[class]];
            prefix.group = group;
            let (size, rest_size) = prefix.sizes();
            let roots = (group[0] * prefix.rest[0]).sqrt() + (group[1] * prefix.rest[1]).sqrt();
            prefix.affinity = roots / (size * rest_size).sqrt();
        }
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

    /// Every bipartition, its masses put together from the sums over all subsets of either half of the classes.
    fn best_of_all(&self, branches: Branches<'_>) -> (f64, usize) {
        let (low, high) = self.order.split_at(self.order.len() / 2);
        let (low_sums, high_sums) = (subset_sums(low, branches), subset_sums(high, branches));
        let (last_low, last_high) = ((1 << low.len()) - 1, (1 << high.len()) - 1);
        let n = branches.len();
        let (mut group, mut rest) = (vec![0.0; n], vec![0.0; n]);
        let (mut best, mut best_code) = (0.0, 0);
        // The last class in order never joins the group, so that each bipartition is met once.
        for code in 1_usize..1 << (self.order.len() - 1) {
            let (in_low, in_high) = (code & last_low, code >> low.len());
            add_rows(&mut group, &low_sums[in_low * n..], &high_sums[in_high * n..]);
            add_rows(
                &mut rest,
                &low_sums[(last_low ^ in_low) * n..],
                &high_sums[(last_high ^ in_high) * n..],
            );
            let (group_size, rest_size) = (mass(&group), mass(&rest));
            let pairs = group.iter().zip(&rest);
            let distance = pairs
                .map(|(&inside, &outside)| squared_difference(inside, group_size, outside, rest_size))
                .sum();
            if distance > best {
                (best, best_code) = (distance, code);
            }
        }
        (best, best_code)
    }
}

fn add_rows(sum: &mut [f64], a: &[f64], b: &[f64]) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        *sum = a + b;
    }
}

/// Masses in each branch of every subset of `classes`; bit `i` of a subset's number stands for `classes[i]`.
fn subset_sums(classes: &[usize], branches: Branches<'_>) -> Vec<f64> {
    let n = branches.len();
    let mut sums = vec![0.0; n << classes.len()];
    for (place, &class) in classes.iter().enumerate() {
        let (without, with) = sums[..n << (place + 1)].split_at_mut(n << place);
        for (with, without) in with.chunks_exact_mut(n).zip(without.chunks_exact(n)) {
            for ((with, without), branch) in with.iter_mut().zip(without).zip(branches.each()) {
                *with = without + branch[class];
            }
        }
    }
    sums
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
        let (score, length) = search.best_prefix(branches);
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

    #[test]
    fn uneven_weights_leave_no_residue_in_empty_groups() {
        // 0.1 + 0.7 + 0.1 - (0.1 + 0.7) is not 0.1; a perfect split must still have distance 2 exactly.
        let two = [0.1, 0.0, 1.1, 0.7, 0.0, 0.3, 0.0, 0.0];
        let (score, _) = best_bipartition(&[0.1, 0.3, 1.1, 0.7], Branches::new(&two, 4));
        assert_eq!(score, 2.0);
        let three = [0.1, 1.0, 0.0, 2.2, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0, 0.0, 0.0];
        let (score, group) = best_bipartition(&[0.1, 1.0, 0.9, 2.2], Branches::new(&three, 4));
        assert_eq!((score, group), (2.0, vec![2]));
    }
}
