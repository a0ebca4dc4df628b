//! Search for the best stump, a tree of at most one split.

use crate::node_subset::{RowSelection, decode_order_entry};
use crate::partial_tree::{PartialTree, PartialTreeSplit, RankSplitTest};
use crate::prediction_costs::{add_elementwise, prediction_pairs};
use crate::ranked_table::{RankedFeature, RankedTable};
use crate::solver::TreeSolver;
use imbcore_core::Result;

#[derive(Clone, Debug)]
pub(crate) struct Stump {
    pub(crate) value: f64,
    pub(crate) sketch: PartialTree,
}

/// Sums over some rows, and number of these rows.
///
/// `sum` has the cost of each prediction in the search for the cheapest tree, and the weight of each class in
/// the search for a Pareto front. The total weight of the rows is computed only if a minimum weight of
/// children is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitSums<const K: usize> {
    pub(crate) sum: [f64; K],
    pub(crate) weight: f64,
    pub(crate) n_rows: u32,
}

impl<const K: usize> SplitSums<K> {
    pub(crate) const NONE: Self = Self { sum: [0.0; K], weight: 0.0, n_rows: 0 };

    pub(crate) fn add(&mut self, other: &Self) {
        add_elementwise(&mut self.sum, &other.sum);
        self.weight += other.weight;
        self.n_rows += other.n_rows;
    }

    pub(crate) fn subtract(&self, other: &Self) -> Self {
        let mut sum = self.sum;
        sum.iter_mut().zip(&other.sum).for_each(|(sum, other)| *sum -= other);
        Self { sum, weight: self.weight - other.weight, n_rows: self.n_rows - other.n_rows }
    }
}

pub(crate) struct SplitEnumerator<'a, const K: usize, F: Fn(usize) -> [f64; K]> {
    pub(crate) table: &'a RankedTable,
    pub(crate) rows: RowSelection<'a>,
    pub(crate) of_row: F,
    pub(crate) min_weight: f64,
}

type SplitCallback<'o, const K: usize> =
    &'o mut dyn FnMut(&SplitSums<K>, &SplitSums<K>, &dyn Fn() -> PartialTreeSplit);

impl<const K: usize, F: Fn(usize) -> [f64; K]> SplitEnumerator<'_, K, F> {
    pub(crate) fn total_sums(&self) -> SplitSums<K> {
        self.sum_rows(&self.rows.subset.rows)
    }

    fn sum_rows(&self, rows: &[u32]) -> SplitSums<K> {
        let mut sum = SplitSums::NONE;
        for row in rows.iter().map(|&row| row as usize).filter(|&row| self.rows.contains(row)) {
            sum.add(&self.row_sums(row));
        }
        sum
    }

    fn row_sums(&self, row: usize) -> SplitSums<K> {
        let weight = if self.min_weight > 0.0 { self.table.row_weight(row) } else { 0.0 };
        SplitSums { sum: (self.of_row)(row), weight, n_rows: 1 }
    }

    pub(crate) fn visit_if_allowed(
        &self,
        all: &SplitSums<K>,
        first: &SplitSums<K>,
        split: &dyn Fn() -> PartialTreeSplit,
        offer: SplitCallback<'_, K>,
    ) {
        let second = all.subtract(first);
        let heavy = |side: &SplitSums<K>| side.n_rows > 0 && side.weight >= self.min_weight;
        if heavy(first) && heavy(&second) {
            offer(first, &second, split);
        }
    }

    /// Calls `offer` for the candidate splits of a feature.
    ///
    /// For a numeric feature, `offer` is called for every cut. For a nominal feature, `offer` is called for
    /// every level if `min_weight` is above 0. If `min_weight` is 0, the sums of the levels of a nominal
    /// feature are returned instead, with the missing values last. The caller then chooses levels or sets of
    /// levels.
    pub(crate) fn for_each_split(
        &self,
        all: &SplitSums<K>,
        feature: usize,
        offer: SplitCallback<'_, K>,
    ) -> Option<Vec<SplitSums<K>>> {
        match self.table.feature(feature) {
            RankedFeature::Ordered { ranks, .. } => {
                let holes = self.sum_rows(&self.rows.subset.holes[feature]);
                let starts = [(false, SplitSums::NONE), (true, holes)];
                let n_starts = if holes.n_rows > 0 { 2 } else { 1 };
                for &(missing_first, start) in &starts[..n_starts] {
                    let (mut first, mut offered) = (start, start.n_rows);
                    for &packed_row in &self.rows.subset.orders[feature] {
                        let (row, last) = decode_order_entry(packed_row);
                        if self.rows.contains(row) {
                            first.add(&self.row_sums(row));
                        }
                        if last && first.n_rows > offered {
                            offered = first.n_rows;
                            let split = || PartialTreeSplit {
                                feature,
                                test: RankSplitTest::Below(ranks[row]),
                                missing_first,
                            };
                            self.visit_if_allowed(all, &first, &split, offer);
                        }
                    }
                }
                None
            }
            RankedFeature::Levels { codes, n_levels } => {
                let mut levels = vec![SplitSums::NONE; *n_levels as usize + 1];
                let rows = self.rows.subset.rows.iter().map(|&row| row as usize);
                for row in rows.filter(|&row| self.rows.contains(row)) {
                    levels[codes[row] as usize].add(&self.row_sums(row));
                }
                if self.min_weight <= 0.0 {
                    return Some(levels);
                }
                self.for_each_level_split(all, feature, &levels, offer);
                None
            }
        }
    }

    fn for_each_level_split(
        &self,
        all: &SplitSums<K>,
        feature: usize,
        levels: &[SplitSums<K>],
        offer: SplitCallback<'_, K>,
    ) {
        let [levels @ .., holes] = levels else { return };
        for (level, share) in levels.iter().enumerate().filter(|pair| pair.1.n_rows > 0) {
            let test = RankSplitTest::Level(level as u32);
            let split = |missing_first: bool| PartialTreeSplit { feature, test: test.clone(), missing_first };
            self.visit_if_allowed(all, share, &|| split(false), offer);
            if holes.n_rows > 0 {
                let mut with_missing = *share;
                with_missing.add(holes);
                self.visit_if_allowed(all, &with_missing, &|| split(true), offer);
            }
        }
        if holes.n_rows > 0 {
            let known = || PartialTreeSplit { feature, test: RankSplitTest::Known, missing_first: false };
            self.visit_if_allowed(all, &all.subtract(holes), &known, offer);
        }
    }
}

/// Split that sends the `chosen` levels to the first child.
///
/// The last element of `chosen` stands for missing values.
pub(crate) fn level_set_split(feature: usize, chosen: &[bool]) -> PartialTreeSplit {
    let (missing_first, levels) = chosen.split_last().map_or((false, chosen), |(last, rest)| (*last, rest));
    let chosen = levels.iter().enumerate().filter(|(_, chosen)| **chosen);
    let test = RankSplitTest::Levels(chosen.map(|(level, _)| level as u32).collect());
    PartialTreeSplit { feature, test, missing_first }
}

impl<const K: usize, const P: usize> TreeSolver<'_, K, P> {
    pub(crate) fn is_leaf_weight_allowed(&self, weight: f64) -> bool {
        weight >= self.min_weight
    }

    /// Finds the best leaf or split of some rows.
    ///
    /// On ties, the leaf is preferred, then the first feature and the first cut.
    ///
    /// # Errors
    /// The errors of `look`, which checks the budget before every feature. One feature of a million rows
    /// takes about as long as the reaction to an interrupt may take.
    pub(crate) fn solve_stump_of_rows<'r>(
        &self,
        rows: impl Into<RowSelection<'r>>,
        look: &dyn Fn() -> Result<()>,
    ) -> Result<Stump> {
        self.solve_stump_with_level_sets(rows.into(), true, look)
    }

    /// Like [`Self::solve_stump_of_rows`], but tests sets of levels only if `sets` is true.
    ///
    /// A split that tests a set of levels must not have further splits below it.
    ///
    /// # Errors
    /// Same errors as [`Self::solve_stump_of_rows`].
    pub(crate) fn solve_stump_with_level_sets(
        &self,
        rows: RowSelection<'_>,
        sets: bool,
        look: &dyn Fn() -> Result<()>,
    ) -> Result<Stump> {
        let of_row = |row: usize| self.prices.row_cost(row).cost;
        let splits = SplitEnumerator { table: self.table, rows, of_row, min_weight: self.min_weight };
        let all = splits.total_sums();
        let mut best = Stump { value: self.prices.leaf_cost(&all.sum), sketch: PartialTree::Leaf };
        let mut offer = |first: &SplitSums<K>,
                         second: &SplitSums<K>,
                         split: &dyn Fn() -> PartialTreeSplit| {
            let value = self.prices.leaf_cost(&first.sum) + self.prices.leaf_cost(&second.sum);
            if value < best.value {
                let sketch = PartialTree::Split(split(), Box::new([PartialTree::Leaf, PartialTree::Leaf]));
                best = Stump { value, sketch };
            }
        };
        for feature in 0..self.table.n_features() {
            look()?;
            let Some(levels) = splits.for_each_split(&all, feature, &mut offer) else { continue };
            if !sets {
                splits.for_each_level_split(&all, feature, &levels, &mut offer);
                continue;
            }
            // The first child gets the levels whose rows cost less with its prediction than with the
            // prediction of the second child.
            for (one, other) in prediction_pairs(K) {
                let chosen: Vec<bool> =
                    levels.iter().map(|level| level.sum[one] < level.sum[other]).collect();
                let mut first = SplitSums::NONE;
                levels.iter().zip(&chosen).filter(|pair| *pair.1).for_each(|(level, _)| first.add(level));
                splits.visit_if_allowed(&all, &first, &|| level_set_split(feature, &chosen), &mut offer);
            }
        }
        Ok(best)
    }
}
