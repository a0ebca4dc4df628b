//! The best choice of a few rules: one that greedy steps find, made better and proven by programs at the prices that its value
//! names (Dinkelbach 1967), until no choice earns anything at them.

use super::groups::Pool;
use super::measure::{Held, Measure};
use super::program::{Answer, best};
use imbcore_base::budget::{Budget, Status};
use imbcore_base::{Error, Result};
use std::cmp::Ordering;

/// The best choice found, and what is proven of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// Numbers of the rules, ascending.
    pub(super) rules: Vec<usize>,
    pub(super) held: Held,
    pub(super) value: f64,
    /// No choice of rules of the pool has a larger value.
    pub(super) bound: f64,
    pub(super) status: Status,
}

/// Chooses at most `n_rules` rules. Out of time or cancelled, it is the best choice so far with its bound.
///
/// # Errors
/// [`Error::Solver`] where nobody outlives the failure of the solver process, and [`Error::Internal`].
pub(super) fn choose(pool: &Pool, measure: &Measure, n_rules: usize, budget: &Budget<'_>) -> Result<Choice> {
    let mut search = Search { pool, measure, n_rules, best: Vec::new(), bound: 1.0 };
    let status = match search.climb(budget).and_then(|()| search.prove(budget)) {
        Ok(status) => status,
        Err(Error::Cancelled) => budget.reason(),
        Err(error @ Error::Solver(_)) => {
            budget.ctl().outlive(error)?;
            Status::Interrupted
        }
        Err(error) => return Err(error),
    };
    search.thin();
    let held = pool.union(&search.best);
    let value = measure.value(held);
    Ok(Choice { rules: search.best, held, value, bound: search.bound.max(value), status })
}

struct Search<'a> {
    pool: &'a Pool,
    measure: &'a Measure,
    n_rules: usize,
    best: Vec<usize>,
    bound: f64,
}

impl Search<'_> {
    /// Whether a choice is better than the best one.
    fn improves(&self, choice: &[usize]) -> bool {
        let held = self.pool.union(choice);
        self.measure.compare(held, self.pool.union(&self.best)) == Ordering::Greater
    }

    /// Adds, drops or exchanges a rule as long as the best of these steps makes the choice better.
    fn climb(&mut self, budget: &Budget<'_>) -> Result<()> {
        loop {
            let mut counts = Counts::new(self.pool);
            self.best.iter().for_each(|&rule| counts.add(rule));
            let mut step = (counts.held, None, None);
            for out in [None].into_iter().chain(self.best.iter().map(|&rule| Some(rule))) {
                budget.check()?;
                if let Some(rule) = out {
                    counts.remove(rule);
                    self.consider(&mut step, (counts.held, out, None));
                }
                if self.best.len() - usize::from(out.is_some()) < self.n_rules {
                    for rule in 0..self.pool.len() {
                        self.consider(&mut step, (counts.with(rule), out, Some(rule)));
                    }
                }
                if let Some(rule) = out {
                    counts.add(rule);
                }
            }
            let (_, out, new) = step;
            let kept = self.best.iter().copied().filter(|&rule| Some(rule) != out);
            let next: Vec<usize> = kept.chain(new).collect();
            // Sums that are kept up to date are rounded otherwise than those from the start.
            if !self.improves(&next) {
                return Ok(());
            }
            self.best = next;
        }
    }

    /// Keeps the better of two steps, the first on ties.
    fn consider(&self, step: &mut Step, other: Step) {
        if self.measure.compare(other.0, step.0) == Ordering::Greater {
            *step = other;
        }
    }

    /// Solves programs until the best choice is proven to be that, or the time is over.
    fn prove(&mut self, budget: &Budget<'_>) -> Result<Status> {
        loop {
            let held = self.pool.union(&self.best);
            let value = self.measure.value(held);
            if value >= 1.0 && self.measure.allows(held) {
                self.bound = value;
                return Ok(Status::Optimal);
            }
            let prices = self.measure.prices(value);
            let Answer { choice, bound, finished } =
                best(self.pool, self.measure, self.n_rules, prices, &self.best, budget)?;
            self.bound = self.bound.min(self.measure.bound(value, bound));
            let better = choice.filter(|choice| self.improves(choice));
            let improved = better.is_some();
            if let Some(choice) = better {
                self.best = choice;
            }
            if !finished {
                // The solver had what was left of the time, and may end a moment early.
                return Ok(Status::TimeLimit);
            }
            // Within its tolerances the solver is done, and what it leaves open is less than two values differ.
            if !improved || self.measure.is_linear() {
                self.bound = self.measure.value(self.pool.union(&self.best));
                return Ok(Status::Optimal);
            }
        }
    }

    /// Drops rules, the later ones first, without which the choice is no worse.
    fn thin(&mut self) {
        self.best.sort_unstable();
        for place in (0..self.best.len()).rev() {
            let mut fewer = self.best.clone();
            fewer.remove(place);
            let order = self.measure.compare(self.pool.union(&fewer), self.pool.union(&self.best));
            if order != Ordering::Less {
                self.best = fewer;
            }
        }
    }
}

/// What a step leads to, the rule that it drops and the one that it adds.
type Step = (Held, Option<usize>, Option<usize>);

/// By how many rules each group is held.
struct Counts<'a> {
    pool: &'a Pool,
    times: [Vec<u32>; 2],
    held: Held,
}

impl<'a> Counts<'a> {
    fn new(pool: &'a Pool) -> Self {
        let times = [0, 1].map(|side: usize| vec![0; pool.weight[side].len()]);
        Self { pool, times, held: Held::default() }
    }

    /// Weight of the groups of a rule that so many rules hold.
    fn weight(&self, rule: usize, side: usize, count: u32) -> f64 {
        let groups = self.pool.held[rule][side].iter().map(|&group| group as usize);
        let held = groups.filter(|&group| self.times[side][group] == count);
        held.map(|group| self.pool.weight[side][group]).sum()
    }

    /// What is held with one more rule.
    fn with(&self, rule: usize) -> Held {
        Held {
            positive: self.held.positive + self.weight(rule, 0, 0),
            other: self.held.other + self.weight(rule, 1, 0),
        }
    }

    fn add(&mut self, rule: usize) {
        self.held = self.with(rule);
        for (times, groups) in self.times.iter_mut().zip(&self.pool.held[rule]) {
            for &group in groups {
                times[group as usize] += 1;
            }
        }
    }

    fn remove(&mut self, rule: usize) {
        for (times, groups) in self.times.iter_mut().zip(&self.pool.held[rule]) {
            for &group in groups {
                times[group as usize] -= 1;
            }
        }
        self.held.positive -= self.weight(rule, 0, 0);
        self.held.other -= self.weight(rule, 1, 0);
    }
}
