//! Hellinger distance for several classes: the best bipartition.
//!
//! Hoens et al. 2012, algorithm 1.
//!
//! With two branches, let the classes be sorted by their left fraction, the fraction of their mass in the
//! left branch. One group of the best bipartition then consists of the first classes in this order, so
//! `c - 1` of the `2^(c-1) - 1` candidates suffice. Proof: the Bhattacharyya coefficient is quasi-concave in
//! the branch masses of the group, so its minimum lies at a vertex of the zonotope of these masses. Each
//! vertex is defined by a threshold on the left fraction.

use crate::criterion::{BranchMasses, branch_mass};

/// Search over the bipartitions of the classes with mass at one node.
///
/// The mass of every group is summed over its classes. If it were the total minus the other group, rounding
/// would give an empty group a mass of about 1e-17, whose square root is not small. Rounding would then break
/// exact ties.
#[derive(Debug)]
pub struct Bipartitions {
    totals: Vec<f64>,
    /// Classes with mass; after a two-branch split, by descending left fraction.
    ///
    /// The order is kept from one split to the next, because neighboring thresholds hardly change it.
    order: Vec<usize>,
    prefixes: PrefixGroupMasses,
    winner: BestClassGroup,
}

/// Maximum number of positions, on average, by which insertion sort may move a class.
const MOST_MOVES: usize = 16;

/// Sorts a list by merging runs of doubling length.
///
/// The comparison `before` may be intransitive, because it compares rounded products of weights. The sort
/// functions of the standard library may panic in this case.
fn merge_sort(list: &mut Vec<usize>, before: impl Fn(usize, usize) -> bool) {
    let mut from = std::mem::take(list);
    let mut to = Vec::with_capacity(from.len());
    let mut length = 1;
    while length < from.len() {
        for pair in from.chunks(2 * length) {
            let (mut one, mut other) = pair.split_at(length.min(pair.len()));
            while let (Some(&a), Some(&b)) = (one.first(), other.first()) {
                let side = if before(b, a) { &mut other } else { &mut one };
                to.push(side[0]);
                *side = &side[1..];
            }
            to.extend_from_slice(one);
            to.extend_from_slice(other);
        }
        std::mem::swap(&mut from, &mut to);
        to.clear();
        length *= 2;
    }
    *list = from;
}

#[derive(Clone, Copy, Debug)]
enum BestClassGroup {
    /// Number of classes in the group, which are the first classes of the order.
    Prefix(usize),
    /// Bit `i` is set if the class at position `i` of the order is in the group.
    BitSet(usize),
}

/// Branch masses of the two groups of every candidate bipartition of a two-branch split.
///
/// Entry `i` is for the bipartition into the first `i + 1` classes of the order (group) and the others
/// (rest). The masses are stored in separate arrays, so that vector instructions compute several affinities
/// at a time.
#[derive(Debug, Default)]
struct PrefixGroupMasses {
    group: [Vec<f64>; 2],
    rest: [Vec<f64>; 2],
    /// Squared Bhattacharyya coefficient of the branch distributions, for each bipartition.
    affinity: Vec<f64>,
}

impl PrefixGroupMasses {
    fn resize(&mut self, length: usize) {
        let Self { group: [a, b], rest: [c, d], affinity } = self;
        for masses in [a, b, c, d, affinity] {
            masses.resize(length, 0.0);
        }
    }

    fn compute_group_masses(&mut self, order: &[usize], left: &[f64], right: &[f64]) {
        self.resize(order.len() - 1);
        let Self { group: [group_left, group_right], rest: [rest_left, rest_right], .. } = self;
        let mut sums = (0.0, 0.0);
        for ((l, r), &class) in group_left.iter_mut().zip(group_right).zip(order) {
            sums = (sums.0 + left[class], sums.1 + right[class]);
            (*l, *r) = sums;
        }
        let mut sums = (0.0, 0.0);
        for ((l, r), &class) in rest_left.iter_mut().zip(rest_right).zip(&order[1..]).rev() {
            sums = (sums.0 + left[class], sums.1 + right[class]);
            (*l, *r) = sums;
        }
    }

    /// Computes the squared affinity of every candidate bipartition; returns the smallest.
    ///
    /// If the group has the masses `a` and `b` in the two branches, and the rest has `c` and `d`, the squared
    /// affinity is `(sqrt(a c) + sqrt(b d))^2 / ((a + b) (c + d))`. After expansion of the square, one square
    /// root suffices.
    fn smallest_squared_affinity(&mut self) -> f64 {
        let Self { group: [a, b], rest: [c, d], affinity } = self;
        let cells = a.iter().zip(&*b).zip(c.iter().zip(&*d));
        let mut smallest = f64::INFINITY;
        for (((a, b), (c, d)), affinity) in cells.zip(&mut *affinity) {
            let (left, right) = (a * c, b * d);
            *affinity = (left + right + 2.0 * (left * right).sqrt()) / ((a + b) * (c + d));
            smallest = if *affinity < smallest { *affinity } else { smallest };
        }
        smallest
    }

    fn hellinger_distance(&self, place: usize) -> f64 {
        let Self { group: [a, b], rest: [c, d], .. } = self;
        let (group, rest) = (a[place] + b[place], c[place] + d[place]);
        hellinger_term(a[place], group, c[place], rest) + hellinger_term(b[place], group, d[place], rest)
    }
}

impl Bipartitions {
    /// Maximum number of classes for multiway splits, which try `2^(c-1) - 1` bipartitions.
    pub(crate) const MOST_CLASSES_OF_A_MULTIWAY_SPLIT: usize = 16;

    pub(crate) fn new(totals: &[f64]) -> Self {
        let order: Vec<usize> = (0..totals.len()).filter(|&class| totals[class] > 0.0).collect();
        Self {
            totals: totals.to_vec(),
            prefixes: PrefixGroupMasses::default(),
            winner: BestClassGroup::Prefix(order.len().min(1)),
            order,
        }
    }

    pub(crate) fn score(&mut self, branches: BranchMasses<'_>) -> f64 {
        if branches.len() == 2 {
            self.best_prefix_hellinger_distance(branches)
        } else {
            self.search_exhaustively(branches)
        }
    }

    /// Classes of the group that does not contain the lowest class with mass, ascending.
    pub(crate) fn best_class_group(&self) -> Vec<u32> {
        let inside = |place: usize| match self.winner {
            BestClassGroup::Prefix(length) => place < length,
            BestClassGroup::BitSet(set) => set >> place & 1 == 1,
        };
        let lowest = (0..self.order.len()).min_by_key(|&place| self.order[place]);
        let side = lowest.is_some_and(|place| !inside(place));
        let members = (0..self.order.len()).filter(|&place| inside(place) == side);
        let mut group: Vec<u32> = members.map(|place| self.order[place] as u32).collect();
        group.sort_unstable();
        group
    }

    fn best_prefix_hellinger_distance(&mut self, branches: BranchMasses<'_>) -> f64 {
        let (left, right) = (branches.class_masses(0), branches.class_masses(1));
        self.sort_by_left_fraction(left);
        self.prefixes.compute_group_masses(&self.order, left, right);
        let smallest = self.prefixes.smallest_squared_affinity();
        let (mut best, mut length) = (0.0, 1);
        for place in 0..self.order.len() - 1 {
            // For small distances the affinity is inaccurate. So the distance itself is computed for every
            // bipartition whose affinity may be the smallest within the rounding error.
            if self.prefixes.affinity[place] <= smallest + 2e-14 {
                let distance = self.prefixes.hellinger_distance(place);
                if distance > best {
                    (best, length) = (distance, place + 1);
                }
            }
        }
        self.winner = BestClassGroup::Prefix(length);
        best
    }

    pub(crate) fn node_class_masses(&self) -> &[f64] {
        &self.totals
    }

    /// Sorts the classes by descending left fraction; ties are sorted by class code.
    ///
    /// Fractions are compared by cross products, which are exact for counts. The initial order is the order
    /// at the previous threshold, so classes usually move by few positions and insertion sort is fast.
    /// Otherwise merge sort is used.
    fn sort_by_left_fraction(&mut self, left: &[f64]) {
        let totals = &self.totals;
        let before = |a: usize, b: usize| {
            let (of_a, of_b) = (left[a] * totals[b], left[b] * totals[a]);
            of_a > of_b || (of_a == of_b && a < b)
        };
        let mut moves_left = MOST_MOVES * self.order.len();
        for end in 1..self.order.len() {
            let class = self.order[end];
            let mut place = end;
            while place > 0 && before(class, self.order[place - 1]) {
                self.order[place] = self.order[place - 1];
                place -= 1;
            }
            self.order[place] = class;
            moves_left = moves_left.saturating_sub(end - place);
            if moves_left == 0 {
                merge_sort(&mut self.order, before);
                return;
            }
        }
    }

    /// Squared Hellinger distance of the best bipartition, found by trying all bipartitions.
    ///
    /// The classes are divided into two halves, and the masses of all subsets of each half are precomputed.
    /// The masses of a group are the sum of one subset of each half.
    fn search_exhaustively(&mut self, branches: BranchMasses<'_>) -> f64 {
        // Sorts the classes by code, so that rounding and ties do not depend on previously scored splits.
        self.order.sort_unstable();
        let (low, high) = self.order.split_at(self.order.len() / 2);
        let (low_sums, high_sums) = (class_subset_masses(low, branches), class_subset_masses(high, branches));
        let (last_low, last_high) = ((1 << low.len()) - 1, (1 << high.len()) - 1);
        let n = branches.len();
        let (mut group, mut rest) = (vec![0.0; n], vec![0.0; n]);
        let (mut best, mut best_code) = (0.0, 1);
        // The last class is never in the group, so that each bipartition is tried once.
        for code in 1_usize..1 << (self.order.len() - 1) {
            let (in_low, in_high) = (code & last_low, code >> low.len());
            sum_elementwise(&mut group, &low_sums[in_low * n..], &high_sums[in_high * n..]);
            sum_elementwise(
                &mut rest,
                &low_sums[(last_low ^ in_low) * n..],
                &high_sums[(last_high ^ in_high) * n..],
            );
            let (group_size, rest_size) = (branch_mass(&group), branch_mass(&rest));
            let pairs = group.iter().zip(&rest);
            let distance =
                pairs.map(|(&inside, &outside)| hellinger_term(inside, group_size, outside, rest_size)).sum();
            if distance > best {
                (best, best_code) = (distance, code);
            }
        }
        self.winner = BestClassGroup::BitSet(best_code);
        best
    }
}

fn sum_elementwise(sum: &mut [f64], a: &[f64], b: &[f64]) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        *sum = a + b;
    }
}

/// Masses of every subset of `classes` in each branch.
///
/// The subset with index `s` contains `classes[i]` if bit `i` of `s` is set.
fn class_subset_masses(classes: &[usize], branches: BranchMasses<'_>) -> Vec<f64> {
    let n = branches.len();
    let mut sums = vec![0.0; n << classes.len()];
    for (place, &class) in classes.iter().enumerate() {
        let (without, with) = sums[..n << (place + 1)].split_at_mut(n << place);
        for (with, without) in with.chunks_exact_mut(n).zip(without.chunks_exact(n)) {
            for ((with, without), branch) in with.iter_mut().zip(without).zip(branches.iter_branches()) {
                *with = without + branch[class];
            }
        }
    }
    sums
}

/// Largest squared Hellinger distance over all bipartitions, and one group of the best.
///
/// The returned group does not contain the lowest class that has mass; its classes are ascending. A split
/// with more than two branches takes time proportional to `2^(c-1)` for c classes.
pub fn best_bipartition(totals: &[f64], branches: BranchMasses<'_>) -> (f64, Vec<u32>) {
    let mut search = Bipartitions::new(totals);
    if search.order.len() < 2 {
        return (0.0, Vec::new());
    }
    (search.score(branches), search.best_class_group())
}

/// Computes `(sqrt(x / n_x) - sqrt(y / n_y))^2` without cancellation.
///
/// The difference of the roots is computed as the difference of the proportions divided by the sum of the
/// roots.
#[inline]
pub(crate) fn hellinger_term(x: f64, n_x: f64, y: f64, n_y: f64) -> f64 {
    let roots = (x / n_x).sqrt() + (y / n_y).sqrt();
    if roots == 0.0 {
        return 0.0;
    }
    let root_difference = (x * n_y - y * n_x) / (n_x * n_y) / roots;
    root_difference * root_difference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_that_goes_entirely_left_is_found() {
        let totals = [10.0, 2.0, 30.0, 5.0];
        let table = [0.0, 2.0, 0.0, 5.0, 10.0, 0.0, 30.0, 0.0];
        let (score, group) = best_bipartition(&totals, BranchMasses::new(&table, 4));
        assert!((score - 2.0).abs() < 1e-15);
        assert_eq!(group, [1, 3]);
    }

    #[test]
    fn scores_of_several_branches_do_not_depend_on_those_before() {
        let totals = [0.1, 1.0, 0.9, 2.2];
        let three = [0.1, 0.4, 0.0, 1.1, 0.0, 0.6, 0.3, 0.0, 0.0, 0.0, 0.6, 1.1];
        let two = [0.0, 0.3, 0.9, 2.2, 0.1, 0.7, 0.0, 0.0];
        let alone = best_bipartition(&totals, BranchMasses::new(&three, 4));
        let mut search = Bipartitions::new(&totals);
        search.score(BranchMasses::new(&two, 4));
        assert_eq!(search.order, [2, 3, 1, 0]);
        assert_eq!((search.score(BranchMasses::new(&three, 4)), search.best_class_group()), alone);
        assert_eq!(search.order, [0, 1, 2, 3]);
    }

    #[test]
    fn pure_nodes_have_no_bipartition() {
        assert_eq!(best_bipartition(&[0.0, 4.0], BranchMasses::new(&[0.0, 1.0, 0.0, 3.0], 2)), (0.0, vec![]));
    }

    #[test]
    fn uneven_weights_leave_no_residue_in_empty_groups() {
        // In floating point, 0.1 + 0.7 + 0.1 - (0.1 + 0.7) differs from 0.1. Nevertheless, a perfect split
        // must have a squared distance of exactly 2.
        let two = [0.1, 0.0, 1.1, 0.7, 0.0, 0.3, 0.0, 0.0];
        let (score, _) = best_bipartition(&[0.1, 0.3, 1.1, 0.7], BranchMasses::new(&two, 4));
        assert_eq!(score, 2.0);
        let three = [0.1, 1.0, 0.0, 2.2, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0, 0.0, 0.0];
        let (score, group) = best_bipartition(&[0.1, 1.0, 0.9, 2.2], BranchMasses::new(&three, 4));
        assert_eq!((score, group), (2.0, vec![2]));
    }
}
