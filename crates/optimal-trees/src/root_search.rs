//! Search for trees deeper than two: best-first over root cuts, recursive in their children.
//!
//! Consider a tree with a cut between two other cuts of a feature. It costs at least as much as the left
//! child of the first cut plus the right child of the second (Mazumder, Meng and Wang 2022). From a cut to a
//! nearby cut, the cost of the best tree with the cut falls at most by the largest cost of the rows between
//! the cuts (Demirovic et al. 2022; Brita, van der Linden and Demirovic 2025). Of all intervals between cuts,
//! the interval with the smallest bound is divided first. The smallest bound of all intervals is therefore
//! always a bound on the whole problem.

use crate::bound_cache::{CacheUpdate, RootChild, SearchContext};
use crate::bound_reuse::{CostRatioSearchResult, DerivedChildBounds, SplitBoundTable};
use crate::feature_cuts::{CutBounds, FeatureCuts};
use crate::node_subset::NodeSubset;
use crate::partial_tree::{PartialTree, PartialTreeSplit};
use crate::solver::{FoundTree, SubsetResult, TreeSolver};
use crate::tree_certificate::{MOST_CUTS, SplitBound};
use imbcore_core::{Error, Result, parallel};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Children are searched up to the cost of the best tree plus this fraction of it.
///
/// For a cut that is worse than the best tree, the exact cost is not needed. But the costs of its children
/// also bound the costs of nearby cuts, and of all cuts at other cost ratios. A bound just at the cost of the
/// best tree would rule out no other cut.
const BEYOND: f64 = 0.3;

/// Results in the children of a cut are cached only if the cut's bound is near the limit.
///
/// The bound may exceed the limit by this fraction of the limit. Cuts with larger bounds are rarely evaluated
/// again, and a larger cache slows down the rest of the search.
const NEAR: f64 = 0.1;

/// Number of intervals that are divided in one round at the root.
///
/// All of them use the limit from before the round, so the result does not depend on the number of threads.
pub(crate) const ROUND: usize = 8;

#[derive(Clone, Copy, Debug)]
struct CutInterval {
    bound: f64,
    line: usize,
    before: CutBounds,
    behind: CutBounds,
}

impl Ord for CutInterval {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |stretch: &Self| (stretch.line, stretch.before.place);
        other.bound.total_cmp(&self.bound).then(place(other).cmp(&place(self)))
    }
}

impl PartialOrd for CutInterval {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for CutInterval {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for CutInterval {}

pub(crate) struct RootSplitSearch<'a, 'b, const K: usize, const P: usize> {
    solver: &'b TreeSolver<'a, K, P>,
    subset: &'b NodeSubset,
    depth: u32,
    lines: Vec<FeatureCuts<'a, K>>,
    queue: BinaryHeap<CutInterval>,
    limit: f64,
    pub(crate) best: Option<FoundTree>,
    /// Cuts found so far that may cost less than the limit, with the index of their list of cuts.
    kept: Option<Vec<(usize, CutBounds)>>,
    /// Lower bound on the cost of all trees with a cut that was evaluated or ruled out.
    bound: f64,
    hint: DerivedChildBounds,
    among: Option<SearchContext<'b>>,
    learned: CacheUpdate,
    looked: Vec<Vec<CutBounds>>,
    solved: Vec<SolvedCut>,
    /// Whether the stumps of every better tree are computed immediately.
    ///
    /// The best tree so far is then available after an interrupt.
    says: bool,
}

#[derive(Clone, Copy, Debug)]
struct SolvedCut {
    line: usize,
    cut: usize,
    sides: [Option<f64>; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct CandidateSplit {
    pub(crate) split: PartialTreeSplit,
    pub(crate) left: f64,
    pub(crate) right: f64,
}

impl CandidateSplit {
    pub(crate) fn new<const K: usize>(line: &FeatureCuts<'_, K>, end: CutBounds) -> Self {
        Self { split: line.split_of_cut(end.place - 1), left: end.left, right: end.right }
    }
}

/// An evaluated cut, with the best tree if the search in both children found one.
///
/// The tree may cost more than the limit.
struct EvaluatedCut {
    end: CutBounds,
    found: Option<FoundTree>,
    /// Bounds of the two children; `None` for a child in which no search was made.
    solved: [Option<f64>; 2],
    learned: Vec<(RootChild, CostRatioSearchResult)>,
}

impl<const K: usize, const P: usize> TreeSolver<'_, K, P> {
    /// Finds the best tree that splits the root, if it costs less than `limit`.
    ///
    /// Also returns a lower bound on the cost of all such trees.
    pub(crate) fn solve_deep_tree(
        &self,
        subset: &NodeSubset,
        depth: u32,
        limit: f64,
    ) -> Result<(Option<FoundTree>, f64)> {
        let mut search = RootSplitSearch::new(self, subset, depth, limit)?;
        while !search.is_complete() {
            search.divide_intervals(1)?;
        }
        Ok((search.best.take(), search.lower_bound()))
    }
}

impl<'a, 'b, const K: usize, const P: usize> RootSplitSearch<'a, 'b, K, P> {
    pub(crate) fn new(
        solver: &'b TreeSolver<'a, K, P>,
        subset: &'b NodeSubset,
        depth: u32,
        limit: f64,
    ) -> Result<Self> {
        let lines = solver.feature_cuts(subset)?;
        let mut queue = BinaryHeap::new();
        for (number, line) in lines.iter().enumerate() {
            let [before, behind] = line.bounds_outside_cuts(solver.prices.leaf);
            queue.push(CutInterval { bound: before.left + behind.right, line: number, before, behind });
        }
        let (looked, hint) = (vec![Vec::new(); lines.len()], DerivedChildBounds::default());
        let (best, kept, bound, solved) = (None, None, f64::INFINITY, Vec::new());
        Ok(Self {
            solver,
            subset,
            depth,
            lines,
            queue,
            limit,
            best,
            kept,
            bound,
            hint,
            among: None,
            learned: CacheUpdate::default(),
            looked,
            solved,
            says: false,
        })
    }

    pub(crate) fn with_complete_trees(self) -> Self {
        Self { says: true, ..self }
    }

    pub(crate) fn with_earlier_bounds(mut self, among: SearchContext<'b>, base: f64) -> Self {
        self.hint = DerivedChildBounds::new(among.prices, &among.memory.root, &self.lines, base);
        self.among = Some(among);
        self
    }

    pub(crate) fn bracketing_claim_indices(&self) -> Option<[Option<usize>; 2]> {
        self.hint.between
    }

    pub(crate) fn take_cache_update(&mut self, prices: (f64, f64), base: f64) -> CacheUpdate {
        let hint = std::mem::take(&mut self.hint);
        self.learned.root = SplitBoundTable::new(prices, &self.lines, &self.looked, hint, base);
        std::mem::take(&mut self.learned)
    }

    /// Splits in whose children a search was completed, as evidence for a claim about all rows.
    ///
    /// `base` is the unavoidable cost of all rows. The list is empty if there are too many splits.
    pub(crate) fn solved_split_bounds(&self, base: f64) -> Vec<SplitBound> {
        if self.solved.len() > MOST_CUTS {
            return Vec::new();
        }
        let cut_bound = |solved: &SolvedCut| {
            let line = &self.lines[solved.line];
            let (first, second) = (line.base[solved.cut], base - line.base[solved.cut]);
            let bounds =
                [solved.sides[0].map(|bound| bound + first), solved.sides[1].map(|bound| bound + second)];
            line.split_of_cut(solved.cut).to_split_bound(self.solver.table, bounds)
        };
        self.solved.iter().map(cut_bound).collect()
    }

    pub(crate) fn with_cut_collection(self) -> Self {
        Self { kept: Some(Vec::new()), ..self }
    }

    pub(crate) fn take_collected_cuts(&mut self) -> Vec<CandidateSplit> {
        let kept = self.kept.as_mut().map(std::mem::take).unwrap_or_default();
        kept.into_iter().map(|(line, end)| CandidateSplit::new(&self.lines[line], end)).collect()
    }

    pub(crate) fn tighten_cost_limit(&mut self, limit: f64) {
        self.limit = self.limit.min(limit);
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.queue.peek().is_none_or(|next| next.bound >= self.limit)
    }

    pub(crate) fn lower_bound(&self) -> f64 {
        self.queue.peek().map_or(self.bound, |next| self.bound.min(next.bound))
    }

    /// Divides the `n` intervals with the smallest bounds, in parallel if `n` is above 1.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; the state of the search remains valid.
    pub(crate) fn divide_intervals(&mut self, n: usize) -> Result<()> {
        let mut taken = Vec::with_capacity(n);
        while taken.len() < n && !self.is_complete() {
            let Some(stretch) = self.queue.pop() else { break };
            let line = &self.lines[stretch.line];
            let (cuts, beyond) = line.cuts_below_limit(stretch.before, stretch.behind, self.limit);
            self.bound = self.bound.min(beyond);
            let ends = (stretch.before, stretch.behind);
            let (cuts, beyond) = self.hint.trim_cuts(stretch.line, cuts, ends, self.limit);
            self.bound = self.bound.min(beyond);
            if let Some(&cut) = line.pick_spread_cuts(cuts, 1).first() {
                taken.push((stretch, cut));
            }
        }
        let look = |&(stretch, cut): &(CutInterval, usize)| self.evaluate_cut(&stretch, cut);
        let looked: Vec<Result<EvaluatedCut>> =
            if n == 1 { taken.iter().map(look).collect() } else { parallel::map(&taken, look) };
        let mut failed = None;
        for ((stretch, _), looked) in taken.into_iter().zip(looked) {
            match looked {
                Ok(looked) => {
                    let folded = self.record_evaluated_cut(stretch, looked);
                    failed = folded.err().or(failed);
                }
                Err(error) => {
                    self.queue.push(stretch);
                    failed = Some(error);
                }
            }
        }
        failed.map_or(Ok(()), Err)
    }

    fn record_evaluated_cut(
        &mut self,
        stretch: CutInterval,
        EvaluatedCut { end, found, solved: sides, learned }: EvaluatedCut,
    ) -> Result<()> {
        let mut better = found.filter(|found| found.value < self.limit);
        if let Some(found) = better.take_if(|_| self.says) {
            match self.solver.fill_placeholders(self.subset, found) {
                Ok(found) => better = Some(found),
                Err(error) => {
                    self.queue.push(stretch);
                    return Err(error);
                }
            }
        }
        self.looked[stretch.line].push(end);
        let room = self.among.map_or(0, |among| among.room);
        if end.left + end.right < self.limit * (1.0 + NEAR) {
            for (side, seen) in learned {
                self.learned.add_search_result(side, seen, room);
            }
        }
        if sides != [None; 2] {
            self.solved.push(SolvedCut { line: stretch.line, cut: end.place - 1, sides });
        }
        self.bound = self.bound.min(end.left + end.right);
        if let Some(found) = better {
            if let Some(kept) = &mut self.kept {
                kept.push((stretch.line, end));
            } else {
                self.limit = found.value;
                self.best = Some(found);
            }
        }
        for (before, behind) in [(stretch.before, end), (end, stretch.behind)] {
            if before.place + 1 < behind.place {
                let bound = stretch.bound.max(before.left + behind.right);
                self.queue.push(CutInterval { bound, line: stretch.line, before, behind });
            }
        }
        Ok(())
    }

    /// Evaluates a cut: searches its smaller child first, and the other child only if necessary.
    ///
    /// The other child is searched if both children together can cost less than the limit plus the fraction
    /// [`BEYOND`] of the limit.
    fn evaluate_cut(&self, stretch: &CutInterval, cut: usize) -> Result<EvaluatedCut> {
        let (solver, table) = (self.solver, self.solver.table);
        let line = &self.lines[stretch.line];
        let (before, behind) = (stretch.before, stretch.behind);
        let most = line.most[cut];
        let mut end = CutBounds { place: cut + 1, left: before.left, right: behind.right };
        if behind.left > f64::NEG_INFINITY {
            end.left = end.left.max(behind.left - (line.most[behind.place - 1] - most));
        }
        if before.right > f64::NEG_INFINITY {
            end.right = end.right.max(before.right - (most - line.most[before.place - 1]));
        }
        let [left, right] = self.hint.child_bounds(stretch.line, cut);
        (end.left, end.right) = (end.left.max(left), end.right.max(right));
        let (mut solved, mut learned) = ([None; 2], Vec::new());
        if end.left + end.right >= self.limit {
            return Ok(EvaluatedCut { end, found: None, solved, learned });
        }
        let split = line.split_of_cut(cut);
        let make = || self.subset.partition(table, &split, solver.budget);
        let sides = match self.among {
            Some(among) => among.memory.cached_child_rows((stretch.line, cut), make)?,
            None => Arc::new(make()?),
        };
        let allowed = solver.min_weight <= 0.0
            || sides.iter().all(|side| solver.is_leaf_weight_allowed(side.weight(table)));
        if !allowed {
            return Ok(EvaluatedCut { end, found: None, solved, learned });
        }
        let left_first = sides[0].rows.len() <= sides[1].rows.len();
        let asked = self.limit * (1.0 + BEYOND);
        let mut found: [Option<FoundTree>; 2] = [None, None];
        for left in [left_first, !left_first] {
            let other = if left { found[1].as_ref() } else { found[0].as_ref() };
            let taken = other.map_or(if left { end.right } else { end.left }, |other| other.value);
            let side = &sides[usize::from(!left)];
            let SubsetResult { best, bound } = match self.among.filter(|_| self.depth == 3) {
                Some(SearchContext { prices, memory, .. }) => {
                    let place = (stretch.line, cut, left);
                    let (outcome, more) = solver.solve_depth_two_cached(
                        side,
                        asked - taken,
                        (prices, memory.search_results_of_child(place)),
                    )?;
                    learned.extend(more.map(|more| (place, more)));
                    outcome
                }
                None => solver.solve(side, self.depth - 1, asked - taken)?,
            };
            let known = if left { &mut end.left } else { &mut end.right };
            *known = known.max(bound);
            solved[usize::from(!left)] = Some(bound);
            let Some(best) = best else { return Ok(EvaluatedCut { end, found: None, solved, learned }) };
            found[usize::from(!left)] = Some(best);
        }
        let [Some(first), Some(second)] = found else {
            return Err(Error::Internal("a child of a split was not evaluated".into()));
        };
        let value = first.value + second.value;
        let sketch = PartialTree::Split(split, Box::new([first.sketch, second.sketch]));
        Ok(EvaluatedCut { end, found: Some(FoundTree { value, sketch }), solved, learned })
    }

    pub(crate) fn run_rounds(&mut self, rounds: usize) -> Result<()> {
        for _ in 0..rounds {
            if self.is_complete() {
                break;
            }
            self.divide_intervals(ROUND)?;
        }
        Ok(())
    }

    /// Searches until no interval can contain a better cut.
    ///
    /// After an error, the best tree so far remains available.
    pub(crate) fn run(&mut self) -> Result<()> {
        while !self.is_complete() {
            self.divide_intervals(ROUND)?;
        }
        Ok(())
    }
}
