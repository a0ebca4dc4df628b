//! The best tree of at most one split, and which it is.

use crate::prices::{add, pairs};
use crate::sketch::{Sketch, Split, Test};
use crate::solver::Solver;
use crate::subset::{Subset, entry};
use crate::table::Feature;

/// A tree of at most one split.
#[derive(Clone, Debug)]
pub(crate) struct Stump {
    pub(crate) value: f64,
    pub(crate) sketch: Sketch,
}

/// Costs and weight of rows.
#[derive(Clone, Copy)]
struct Share<const K: usize> {
    cost: [f64; K],
    weight: f64,
    n_rows: u32,
}

impl<const K: usize> Share<K> {
    const NONE: Self = Self { cost: [0.0; K], weight: 0.0, n_rows: 0 };

    fn take(&mut self, other: &Self) {
        add(&mut self.cost, &other.cost);
        self.weight += other.weight;
        self.n_rows += other.n_rows;
    }

    fn without(&self, other: &Self) -> Self {
        let mut cost = self.cost;
        cost.iter_mut().zip(&other.cost).for_each(|(cost, other)| *cost -= other);
        Self { cost, weight: self.weight - other.weight, n_rows: self.n_rows - other.n_rows }
    }
}

impl<const K: usize, const P: usize> Solver<'_, K, P> {
    /// Whether a side may be a leaf or more.
    pub(crate) fn allows(&self, weight: f64) -> bool {
        weight >= self.min_weight
    }

    fn share(&self, row: usize) -> Share<K> {
        Share { cost: self.prices.cost[row], weight: self.table.weight(row), n_rows: 1 }
    }

    fn sum(&self, rows: &[u32]) -> Share<K> {
        let mut sum = Share::NONE;
        for &row in rows {
            sum.take(&self.share(row as usize));
        }
        sum
    }

    /// The best leaf or split of the rows; of equals the leaf, then the first feature and cut.
    pub(crate) fn stump(&self, subset: &Subset) -> Stump {
        let all = self.sum(&subset.rows);
        let mut best = Stump { value: self.prices.of_leaf(&all.cost), sketch: Sketch::Leaf };
        let mut offer = |feature: usize, first: &Share<K>, missing_first: bool, test: &dyn Fn() -> Test| {
            let second = all.without(first);
            if first.n_rows == 0 || second.n_rows == 0 {
                return;
            }
            if !(self.allows(first.weight) && self.allows(second.weight)) {
                return;
            }
            let value = self.prices.of_leaf(&first.cost) + self.prices.of_leaf(&second.cost);
            if value < best.value {
                let split = Split { feature, test: test(), missing_first };
                let sketch = Sketch::Split(split, Box::new([Sketch::Leaf, Sketch::Leaf]));
                best = Stump { value, sketch };
            }
        };
        for feature in 0..self.table.n_features() {
            match self.table.feature(feature) {
                Feature::Ordered { ranks, .. } => {
                    let holes = self.sum(&subset.holes[feature]);
                    let starts = [(false, Share::NONE), (true, holes)];
                    let n_starts = if holes.n_rows > 0 { 2 } else { 1 };
                    for &(missing_first, start) in &starts[..n_starts] {
                        let mut first = start;
                        for &at in &subset.orders[feature] {
                            let (row, last) = entry(at);
                            first.take(&self.share(row));
                            if last {
                                offer(feature, &first, missing_first, &|| Test::Below(ranks[row]));
                            }
                        }
                    }
                }
                Feature::Levels { codes, n_levels } => {
                    let mut levels = vec![Share::NONE; *n_levels as usize + 1];
                    for &row in &subset.rows {
                        levels[codes[row as usize] as usize].take(&self.share(row as usize));
                    }
                    let holes = levels.pop().unwrap_or(Share::NONE);
                    if self.min_weight > 0.0 {
                        for (level, share) in levels.iter().enumerate().filter(|of| of.1.n_rows > 0) {
                            let test = || Test::Level(level as u32);
                            offer(feature, share, false, &test);
                            if holes.n_rows > 0 {
                                let mut with = *share;
                                with.take(&holes);
                                offer(feature, &with, true, &test);
                            }
                        }
                        if holes.n_rows > 0 {
                            offer(feature, &all.without(&holes), false, &|| Test::Known);
                        }
                        continue;
                    }
                    // Each level goes to the side whose answer costs it less.
                    for (one, other) in pairs(K) {
                        let leans = |of: &Share<K>| of.cost[one] < of.cost[other];
                        let mut first = Share::NONE;
                        levels.iter().filter(|of| leans(of)).for_each(|of| first.take(of));
                        if leans(&holes) {
                            first.take(&holes);
                        }
                        offer(feature, &first, leans(&holes), &|| {
                            let chosen = levels.iter().enumerate().filter(|(_, of)| leans(of));
                            let chosen: Vec<u32> = chosen.map(|(level, _)| level as u32).collect();
                            Test::Levels(chosen)
                        });
                    }
                }
            }
        }
        best
    }
}
