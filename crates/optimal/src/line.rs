//! The cuts of one feature at a node.

use crate::prices::{Prices, add};
use crate::sketch::{Split, Test};
use crate::solver::Solver;
use crate::subset::{Subset, entry};
use crate::table::Feature;
use imbcore_base::Result;
use std::borrow::Cow;

/// The cuts of one feature, with the side of the rows without a value chosen.
#[derive(Debug)]
pub(crate) struct Line<'a, const K: usize> {
    pub(crate) feature: usize,
    missing_first: bool,
    /// Of every row of the table: those at most that of a cut are on its first side.
    pub(crate) keys: Cow<'a, [f64]>,
    /// Key of each cut, ascending. The cut is behind the rows of this key.
    pub(crate) at: Vec<f64>,
    /// Costs of the rows on the first side of each cut.
    pub(crate) first: Vec<[f64; K]>,
    /// The same by the dearest answer of each row.
    pub(crate) most: Vec<f64>,
    /// What the rows on the first side of each cut cost whatever is answered.
    pub(crate) base: Vec<f64>,
    /// Whether the last cut tells rows with a value from those without.
    known: bool,
    /// The split of a level against the rest, which has one cut.
    level: Option<u32>,
}

/// What is known of a cut: lower bounds on what both sides cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// One more than the cut; 0 stands before all of them.
    pub(crate) place: usize,
    pub(crate) left: f64,
    pub(crate) right: f64,
}

impl<const K: usize> Line<'_, K> {
    /// The split at a cut.
    pub(crate) fn split(&self, cut: usize) -> Split {
        let test = match self.level {
            Some(level) => Test::Level(level),
            None if self.known && cut + 1 == self.at.len() => Test::Known,
            // Keys of cuts are ranks.
            #[allow(clippy::cast_sign_loss)]
            None => Test::Below(self.at[cut] as u32),
        };
        Split { feature: self.feature, test, missing_first: self.missing_first }
    }

    pub(crate) fn n_cuts(&self) -> usize {
        self.at.len()
    }

    /// Ends before the first and behind the last cut: each side has a leaf at least.
    pub(crate) fn outside(&self, leaf: f64) -> [End; 2] {
        [
            End { place: 0, left: leaf, right: f64::NEG_INFINITY },
            End { place: self.n_cuts() + 1, left: f64::NEG_INFINITY, right: leaf },
        ]
    }

    /// Cuts between two ends that may cost less than `limit`, and a bound on the others: rows that change sides change the
    /// cost of a side by no more than that of their dearest answers.
    pub(crate) fn between(&self, before: End, behind: End, limit: f64) -> (std::ops::Range<usize>, f64) {
        let (mut first, mut last) = (before.place, behind.place - 1);
        let mut bound = f64::INFINITY;
        if first < last && before.right > f64::NEG_INFINITY {
            let reach = before.left + before.right + self.most[before.place - 1];
            let cuts = &self.most[first..last];
            let beyond = first + cuts.partition_point(|most| reach - most >= limit);
            if beyond > first {
                bound = bound.min(reach - self.most[beyond - 1]);
            }
            first = beyond;
        }
        if first < last && behind.left > f64::NEG_INFINITY {
            let reach = behind.left + behind.right - self.most[behind.place - 1];
            let cuts = &self.most[first..last];
            let within = first + cuts.partition_point(|most| reach + most < limit);
            if within < last {
                bound = bound.min(reach + self.most[within]);
            }
            last = within;
        }
        (first..last, bound)
    }

    /// At most `n` cuts of a range that divide the cost of its rows evenly, ascending.
    pub(crate) fn spread(&self, cuts: std::ops::Range<usize>, n: usize) -> Vec<usize> {
        if cuts.len() <= n {
            return cuts.collect();
        }
        let (low, high) = (self.most[cuts.start], self.most[cuts.end - 1]);
        let mut picks = Vec::with_capacity(n);
        for part in 1..=n {
            let goal = low + (high - low) * part as f64 / (n + 1) as f64;
            let at = cuts.start + self.most[cuts.clone()].partition_point(|&most| most < goal);
            let least = picks.last().map_or(cuts.start, |last| last + 1);
            picks.push(at.clamp(least, cuts.end - 1 - (n - part)));
        }
        picks
    }
}

impl<'a, const K: usize, const P: usize> Solver<'a, K, P> {
    /// The lines of every feature at a node: every split there is.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub(crate) fn lines(&self, subset: &Subset) -> Result<Vec<Line<'a, K>>> {
        let mut lines = Vec::new();
        for feature in 0..self.table.n_features() {
            self.budget.check()?;
            match self.table.feature(feature) {
                Feature::Ordered { keys, .. } => {
                    let holes = &subset.holes[feature];
                    lines.push(self.ordered(subset, feature, Cow::Borrowed(&keys[..]), false));
                    if !holes.is_empty() {
                        let first = |key: &f64| if key.is_infinite() { f64::NEG_INFINITY } else { *key };
                        let keys = keys.iter().map(first).collect();
                        lines.push(self.ordered(subset, feature, Cow::Owned(keys), true));
                    }
                }
                Feature::Levels { codes, n_levels } => {
                    let mut seen = vec![false; *n_levels as usize + 1];
                    for &row in &subset.rows {
                        seen[codes[row as usize] as usize] = true;
                    }
                    let holes = seen.pop().unwrap_or(false);
                    for level in (0..*n_levels).filter(|&level| seen[level as usize]) {
                        lines.push(self.level(subset, feature, Some(level), false));
                        if holes {
                            lines.push(self.level(subset, feature, Some(level), true));
                        }
                    }
                    if holes {
                        lines.push(self.level(subset, feature, None, false));
                    }
                }
            }
        }
        lines.retain(|line| line.n_cuts() > 0);
        Ok(lines)
    }

    fn ordered(
        &self,
        subset: &Subset,
        feature: usize,
        keys: Cow<'a, [f64]>,
        missing_first: bool,
    ) -> Line<'a, K> {
        let prices: &Prices<K, P> = self.prices;
        let holes = &subset.holes[feature];
        let (mut sum, mut most, mut base) = ([0.0; K], 0.0, 0.0);
        if missing_first {
            sum = prices.totals(holes);
            most = holes.iter().map(|&row| prices.most[row as usize]).sum();
            base = holes.iter().map(|&row| prices.base[row as usize]).sum();
        }
        let known = !missing_first && !holes.is_empty();
        let (mut at, mut first) = (Vec::new(), Vec::new());
        let (mut mosts, mut bases) = (Vec::new(), Vec::new());
        for &one in &subset.orders[feature] {
            let (row, last) = entry(one);
            add(&mut sum, &prices.cost[row]);
            most += prices.most[row];
            base += prices.base[row];
            if last {
                at.push(keys[row]);
                first.push(sum);
                mosts.push(most);
                bases.push(base);
            }
        }
        if !known {
            // Behind the last value there is nothing to be cut off.
            at.pop();
            first.pop();
            mosts.pop();
            bases.pop();
        }
        Line { feature, missing_first, keys, at, first, most: mosts, base: bases, known, level: None }
    }

    /// A level, or all of them, against the rest.
    fn level(&self, subset: &Subset, feature: usize, level: Option<u32>, missing_first: bool) -> Line<'a, K> {
        let known = level.is_none();
        let test = level.map_or(Test::Known, Test::Level);
        let split = Split { feature, test, missing_first };
        let mut keys = vec![1.0; self.table.n_rows()];
        let (first, second): (Vec<u32>, Vec<u32>) =
            subset.rows.iter().partition(|&&row| split.takes(self.table, row));
        for &row in &first {
            keys[row as usize] = 0.0;
        }
        let none = first.is_empty() || second.is_empty();
        let at = if none { Vec::new() } else { vec![0.0] };
        let most = first.iter().map(|&row| self.prices.most[row as usize]).sum();
        let base = vec![first.iter().map(|&row| self.prices.base[row as usize]).sum()];
        let first = vec![self.prices.totals(&first)];
        let (keys, most) = (Cow::Owned(keys), vec![most]);
        Line { feature, missing_first, keys, at, first, most, base, known, level }
    }
}
