//! Trees of depth two, in nearly linear time.
//!
//! For a cut of the root, the best splits of both sides follow from prefix sums of the rows in the order of every feature
//! ([`crate::measure`]). Cuts are looked at some at a time, evenly spread; between two of them nothing can cost less than the
//! rows that both leave on the left and the rows that both leave on the right, so that most stretches need no further look.
//! What remains is divided again, on rows packed to those that change sides there ([`crate::packed`]): every level of the
//! division takes time in proportion to the rows of the stretches that are left, `n log n` for each pair of features when
//! none is ruled out, as with T2 (Auer, Holte and Maass 1995), and mostly little more than `n`.

use crate::knowledge::{Hint, Seen};
use crate::line::{End, Line};
use crate::measure::{Extremes, LANES, Lane, levels, prefixes};
use crate::packed::{Packed, Stretch};
use crate::search::Cut;
use crate::sketch::Sketch;
use crate::solver::{Found, Outcome, Solver};
use crate::subset::Subset;
use crate::table::Feature;
use imbcore_base::Result;
use std::borrow::Cow;

/// The search along one line.
struct Walk<'a, 'b, const K: usize, const P: usize> {
    solver: &'b Solver<'a, K, P>,
    subset: &'b Subset,
    totals: [f64; K],
    line: &'b Line<'a, K>,
    keys: Cow<'b, [f64]>,
    /// Cost that is to be undercut.
    limit: f64,
    /// The cut of the tree that did.
    best: Option<usize>,
    /// In place of the best one, every cut that may cost less than the limit.
    kept: Option<Vec<End>>,
    /// What is known before, and the number of the line there.
    hint: (&'b Hint, usize),
    /// Cuts that were looked at.
    looked: Vec<End>,
    /// Least bound of what was looked at or ruled out.
    bound: f64,
}

impl<const K: usize, const P: usize> Solver<'_, K, P> {
    /// The best tree whose root splits, if it costs less than `limit`, and a bound.
    pub(crate) fn two(&self, subset: &Subset, limit: f64) -> Result<(Option<Found>, f64)> {
        let lines = self.lines(subset)?;
        let (found, bound, _) = self.two_of(subset, limit, (&lines, &Hint::default()))?;
        Ok((found, bound))
    }

    /// The best tree of depth two, with what is known from other prices; and what is known then.
    pub(crate) fn two_among(
        &self,
        subset: &Subset,
        limit: f64,
        (prices, seen): ((f64, f64), &[Seen]),
    ) -> Result<(Outcome, Option<Seen>)> {
        let (mut outcome, done) = self.leaf(subset, 2, limit);
        if done {
            return Ok((outcome, None));
        }
        let limit = outcome.best.as_ref().map_or(limit, |best| best.value);
        let lines = self.lines(subset)?;
        let base = subset.rows.iter().map(|&row| self.prices.base[row as usize]).sum();
        let hint = Hint::of_seen(prices, seen, &lines, base);
        let (best, bound, looked) = self.two_of(subset, limit, (&lines, &hint))?;
        outcome.bound = outcome.bound.min(bound);
        outcome.best = best.or(outcome.best);
        Ok((outcome, Seen::new(prices, lines, looked, hint, base)))
    }

    /// The best tree whose root splits, with what is known before; gives the cuts of every line that were looked at, too.
    pub(crate) fn two_of(
        &self,
        subset: &Subset,
        mut limit: f64,
        (lines, hint): (&[Line<'_, K>], &Hint),
    ) -> Result<(Option<Found>, f64, Vec<Vec<End>>)> {
        let totals = self.prices.totals(&subset.rows);
        let mut bound = f64::INFINITY;
        let mut best = None;
        let mut probes = Vec::with_capacity(lines.len());
        let mut looked = vec![Vec::new(); lines.len()];
        let walk = |place: usize, limit: f64, bound: f64| Walk {
            solver: self,
            subset,
            totals,
            line: &lines[place],
            keys: lines[place].keys(self.table, subset),
            limit,
            best: None,
            kept: None,
            hint: (hint, place),
            looked: Vec::new(),
            bound,
        };
        // Most levels cannot pay for their place at the root, and the others tell by how much.
        let stump = self.stump_beside_levels(subset, lines)?;
        let (levels, others): (Vec<usize>, Vec<usize>) =
            (0..lines.len()).partition(|&at| lines[at].is_level());
        for place in others.into_iter().chain(levels) {
            let least = lines[place].least_of_level(self.prices.leaf, stump);
            if least >= limit {
                bound = bound.min(least);
                continue;
            }
            let mut walk = walk(place, limit, bound);
            let ends = walk.probe()?;
            let least = ends.iter().map(|end| end.left + end.right).fold(f64::INFINITY, f64::min);
            probes.push((least, place, ends));
            (limit, bound) = (walk.limit, walk.bound);
            best = walk.best.map(|cut| (place, cut)).or(best);
            looked[place].extend(walk.looked);
        }
        probes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, place, ends) in probes {
            let mut walk = walk(place, limit, bound);
            walk.divide(&ends, None)?;
            (limit, bound) = (walk.limit, walk.bound);
            best = walk.best.map(|cut| (place, cut)).or(best);
            looked[place].extend(walk.looked);
        }
        let found = best.map(|(place, cut)| {
            let sides = Box::new([Sketch::Stump, Sketch::Stump]);
            Found { value: limit, sketch: Sketch::Split(lines[place].split(cut), sides) }
        });
        Ok((found, bound, looked))
    }

    /// Every split of the root of trees of depth two that may cost less than `limit`, with bounds on both sides.
    pub(crate) fn survivors_of_two(&self, subset: &Subset, limit: f64) -> Result<Vec<Cut>> {
        let totals = self.prices.totals(&subset.rows);
        let mut survivors = Vec::new();
        let lines = self.lines(subset)?;
        let stump = self.stump_beside_levels(subset, &lines)?;
        for line in &lines {
            if line.least_of_level(self.prices.leaf, stump) >= limit {
                continue;
            }
            let keys = line.keys(self.table, subset);
            let (kept, looked, bound) = (Some(Vec::new()), Vec::new(), f64::INFINITY);
            let hint = (&Hint::default(), 0);
            let mut walk = Walk {
                solver: self,
                subset,
                totals,
                line,
                keys,
                limit,
                best: None,
                kept,
                hint,
                looked,
                bound,
            };
            let ends = walk.probe()?;
            walk.divide(&ends, None)?;
            survivors.extend(walk.kept.into_iter().flatten().map(|end| Cut::new(line, end)));
        }
        Ok(survivors)
    }

    /// What the best tree of one split costs, where that rules levels out.
    fn stump_beside_levels(&self, subset: &Subset, lines: &[Line<'_, K>]) -> Result<f64> {
        self.budget.check()?;
        if lines.iter().any(Line::is_level) { self.relaxed_stump(subset) } else { Ok(0.0) }
    }

    /// What the best tree of at most one split costs, whatever its leaves weigh.
    pub(crate) fn relaxed_stump(&self, subset: &Subset) -> Result<f64> {
        let totals = self.prices.totals(&subset.rows);
        let keys = vec![0.0; self.table.n_rows()];
        let mut least = self.prices.of_leaf(&totals);
        for feature in 0..self.table.n_features() {
            self.budget.check()?;
            let found = self.extremes(subset, feature, &keys, &[0.0; LANES]);
            let low = found.left_low.map(|lane| lane[0]);
            let high = found.left_high.map(|lane| lane[0]);
            least = least.min(self.prices.of_stump(&totals, &low, &high));
        }
        Ok(least)
    }

    /// Extremes of a feature for each cut.
    fn extremes(&self, subset: &Subset, feature: usize, keys: &[f64], cuts: &Lane) -> Extremes<P> {
        let leans = &self.prices.lean;
        match self.table.feature(feature) {
            Feature::Ordered { .. } => {
                let mut found = prefixes(&subset.orders[feature], keys, leans, cuts);
                let holes = &subset.holes[feature];
                if !holes.is_empty() {
                    levels(holes, |_| 0, 1, keys, leans, cuts, &mut found);
                }
                found
            }
            Feature::Levels { codes, n_levels } => {
                let mut found = Extremes::NONE;
                let level = |row: usize| codes[row] as usize;
                levels(&subset.rows, level, *n_levels as usize + 1, keys, leans, cuts, &mut found);
                found
            }
        }
    }
}

impl<const K: usize, const P: usize> Walk<'_, '_, K, P> {
    /// Looks at some cuts of the whole line; gives them with the ends.
    fn probe(&mut self) -> Result<Vec<End>> {
        let [before, behind] = self.line.outside(self.solver.prices.leaf);
        let (hint, place) = self.hint;
        let (cuts, beyond) = hint.trim(place, 0..self.line.n_cuts(), (before, behind), self.limit);
        self.bound = self.bound.min(beyond);
        let picks = self.line.spread(cuts, LANES);
        let looked = if picks.is_empty() { Vec::new() } else { self.look(&picks, None)? };
        Ok(std::iter::once(before).chain(looked).chain([behind]).collect())
    }

    /// Looks at at most [`LANES`] cuts.
    fn look(&mut self, picks: &[usize], packed: Option<&Packed<P>>) -> Result<Vec<End>> {
        let line = self.line;
        let last = picks.last().copied().unwrap_or_default();
        let cuts: Lane = std::array::from_fn(|lane| line.at[picks.get(lane).copied().unwrap_or(last)]);
        let mut left = [f64::INFINITY; LANES];
        let mut right = [f64::INFINITY; LANES];
        let mut sides = [([0.0; K], [0.0; K]); LANES];
        for (side, &pick) in sides.iter_mut().zip(picks) {
            side.0 = line.first[pick];
            side.1 = std::array::from_fn(|answer| self.totals[answer] - line.first[pick][answer]);
        }
        for feature in 0..self.solver.table.n_features() {
            // A feature of a million rows takes as long as somebody who stops the search waits.
            self.solver.budget.check()?;
            let found = match packed {
                Some(packed) => packed.extremes(feature, &cuts),
                None => self.solver.extremes(self.subset, feature, &self.keys, &cuts),
            };
            for lane in 0..picks.len() {
                let of =
                    |extremes: &[Lane; P]| -> [f64; P] { std::array::from_fn(|pair| extremes[pair][lane]) };
                let prices = &self.solver.prices;
                let (low, high) = (of(&found.left_low), of(&found.left_high));
                left[lane] = left[lane].min(prices.of_stump(&sides[lane].0, &low, &high));
                let (low, high) = (of(&found.right_low), of(&found.right_high));
                right[lane] = right[lane].min(prices.of_stump(&sides[lane].1, &low, &high));
            }
        }
        let mut ends = Vec::with_capacity(picks.len());
        for (lane, &pick) in picks.iter().enumerate() {
            let end = End { place: pick + 1, left: left[lane], right: right[lane] };
            let value = end.left + end.right;
            self.bound = self.bound.min(value);
            if value < self.limit {
                match &mut self.kept {
                    Some(kept) => kept.push(end),
                    None => self.take(pick, value)?,
                }
            }
            ends.push(end);
        }
        self.looked.extend(&ends);
        Ok(ends)
    }

    fn pack(&self, stretch: Stretch) -> Result<Packed<P>> {
        let look = || self.solver.budget.check();
        Packed::new(self.solver.table, self.subset, (&self.keys, &self.solver.prices.lean), stretch, look)
    }

    /// A cut with a good bound: its value, where leaves need a weight.
    fn take(&mut self, cut: usize, mut value: f64) -> Result<()> {
        if self.solver.min_weight > 0.0 {
            let split = self.line.split(cut);
            let table = self.solver.table;
            let budget = self.solver.budget;
            let stump = |side: &Subset| {
                let allowed = self.solver.allows(side.weight(table));
                if !allowed {
                    return Ok(f64::INFINITY);
                }
                Ok(self.solver.stump(side, &|| budget.check())?.value)
            };
            let sides = self.subset.sides(table, &split, budget)?;
            value = sides.iter().map(stump).sum::<Result<f64>>()?;
        }
        if value < self.limit {
            self.limit = value;
            self.best = Some(cut);
        }
        Ok(())
    }

    /// Looks between cuts that were looked at.
    fn divide(&mut self, ends: &[End], packed: Option<&Packed<P>>) -> Result<()> {
        let mut stretches = Vec::new();
        for two in ends.windows(2) {
            let bound = two[0].left + two[1].right;
            if two[0].place + 1 < two[1].place {
                stretches.push((bound, two[0], two[1]));
            }
        }
        stretches.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.place.cmp(&b.1.place)));
        for (bound, before, behind) in stretches {
            if bound >= self.limit {
                self.bound = self.bound.min(bound);
                continue;
            }
            let (cuts, beyond) = self.line.between(before, behind, self.limit);
            self.bound = self.bound.min(beyond);
            let (hint, place) = self.hint;
            let (cuts, beyond) = hint.trim(place, cuts, (before, behind), self.limit);
            self.bound = self.bound.min(beyond);
            if cuts.is_empty() {
                continue;
            }
            let stretch = (self.line.at[cuts.start], self.line.at[cuts.end - 1]);
            let narrow = match packed {
                Some(packed) => packed.narrowed(stretch),
                None => self.pack(stretch)?,
            };
            let picks = self.line.spread(cuts, LANES);
            let looked = self.look(&picks, Some(&narrow))?;
            let inner: Vec<End> = std::iter::once(before).chain(looked).chain([behind]).collect();
            self.divide(&inner, Some(&narrow))?;
        }
        Ok(())
    }
}
