//! Best choice of a few rules by local search and mixed-integer programs (Dinkelbach 1967).
//!
//! The objective is a ratio of two sums. Each mixed-integer program maximizes a linear gain, which is
//! positive only for choices with a better ratio than the best choice so far. The programs end when no choice
//! has a positive gain.

use super::ratio_objective::{MatchedWeights, RatioObjective};
use super::rule_pool::RulePool;
use super::rule_program::{RuleMipResult, solve_rule_mip};
use imbcore_core::budget::{SearchBudget, SearchStatus};
use imbcore_core::{Error, Result};
use std::cmp::Ordering;

/// Costs of a negative row in greedy choices, as multiples of the odds of the positive class.
///
/// Each greedy choice is the start of a local search.
const START_PRICES: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

#[derive(Clone, Debug, PartialEq)]
pub(super) struct RuleChoice {
    pub(super) rules: Vec<usize>,
    pub(super) held: MatchedWeights,
    pub(super) value: f64,
    pub(super) bound: f64,
    pub(super) status: SearchStatus,
}

/// Chooses at most `n_rules` rules from the candidates in `pool`.
///
/// If the time ends or the run is cancelled, returns the best choice so far with its bound.
///
/// # Errors
/// [`Error::Solver`] if the caller does not accept solver failures as recoverable, and [`Error::Internal`].
pub(super) fn choose_rules(
    pool: &RulePool,
    measure: &RatioObjective,
    n_rules: usize,
    budget: &SearchBudget<'_>,
) -> Result<RuleChoice> {
    let mut search = RuleSearch { pool, measure, n_rules, best: Vec::new(), bound: 1.0 };
    let status =
        match search.search_from_several_starts(budget).and_then(|()| search.prove_optimality(budget)) {
            Ok(status) => status,
            Err(Error::Cancelled) => budget.stop_reason(),
            Err(error @ Error::Solver(_)) => {
                budget.run_context().report_recoverable_error(error)?;
                SearchStatus::Interrupted
            }
            Err(error) => return Err(error),
        };
    search.drop_redundant_rules();
    let held = pool.weights_matched_by_rules(&search.best);
    let value = measure.objective_value(held);
    Ok(RuleChoice { rules: search.best, held, value, bound: search.bound.max(value), status })
}

struct RuleSearch<'a> {
    pool: &'a RulePool,
    measure: &'a RatioObjective,
    n_rules: usize,
    best: Vec<usize>,
    bound: f64,
}

impl RuleSearch<'_> {
    fn is_improvement(&self, choice: &[usize]) -> bool {
        let held = self.pool.weights_matched_by_rules(choice);
        self.measure.compare_choices(held, self.pool.weights_matched_by_rules(&self.best))
            == Ordering::Greater
    }

    /// Runs local searches from several choices of rules, and keeps the best result.
    ///
    /// The starts are the choice without rules and several results of [`Self::greedy_choice`]. Under a
    /// minimum recall, the choice without rules is a poor start: it leads to a few broad rules, and no
    /// exchange of a single rule improves them.
    fn search_from_several_starts(&mut self, budget: &SearchBudget<'_>) -> Result<()> {
        let mut ended = self.local_search(budget);
        let odds = self.pool.weight[0].iter().sum::<f64>() / self.pool.weight[1].iter().sum::<f64>();
        for price in START_PRICES {
            if ended.is_err() {
                break;
            }
            let start = self.greedy_choice(price * odds);
            let earlier = std::mem::replace(&mut self.best, start);
            ended = self.local_search(budget);
            // Ties keep the earlier choice.
            let found = std::mem::replace(&mut self.best, earlier);
            if self.is_improvement(&found) {
                self.best = found;
            }
        }
        ended
    }

    /// Adds rules one by one, each with the largest gain.
    ///
    /// The gain is the matched positive weight minus `price` times the matched negative weight. Rules are
    /// added until no rule has a positive gain.
    fn greedy_choice(&self, price: f64) -> Vec<usize> {
        let mut counts = RuleMatchCounts::new(self.pool);
        let mut chosen = Vec::new();
        while chosen.len() < self.n_rules {
            let gain = |held: MatchedWeights| held.positive - price * held.other;
            let mut best = (gain(counts.held), None);
            for rule in 0..self.pool.len() {
                let with = gain(counts.matched_weights_with_rule(rule));
                if with > best.0 {
                    best = (with, Some(rule));
                }
            }
            let Some(rule) = best.1 else { break };
            counts.add_rule(rule);
            chosen.push(rule);
        }
        chosen
    }

    fn local_search(&mut self, budget: &SearchBudget<'_>) -> Result<()> {
        loop {
            let mut counts = RuleMatchCounts::new(self.pool);
            self.best.iter().for_each(|&rule| counts.add_rule(rule));
            let mut step = (counts.held, None, None);
            for out in [None].into_iter().chain(self.best.iter().map(|&rule| Some(rule))) {
                budget.check_limits()?;
                if let Some(rule) = out {
                    counts.remove_rule(rule);
                    self.replace_step_if_better(&mut step, (counts.held, out, None));
                }
                if self.best.len() - usize::from(out.is_some()) < self.n_rules {
                    for rule in 0..self.pool.len() {
                        self.replace_step_if_better(
                            &mut step,
                            (counts.matched_weights_with_rule(rule), out, Some(rule)),
                        );
                    }
                }
                if let Some(rule) = out {
                    counts.add_rule(rule);
                }
            }
            let (_, out, new) = step;
            let remaining = self.best.iter().copied().filter(|&rule| Some(rule) != out);
            let next: Vec<usize> = remaining.chain(new).collect();
            // Sums that were updated step by step have rounding errors, so the choice is evaluated again from
            // its rules.
            if !self.is_improvement(&next) {
                return Ok(());
            }
            self.best = next;
        }
    }

    fn replace_step_if_better(&self, step: &mut LocalSearchStep, other: LocalSearchStep) {
        if self.measure.compare_choices(other.0, step.0) == Ordering::Greater {
            *step = other;
        }
    }

    fn prove_optimality(&mut self, budget: &SearchBudget<'_>) -> Result<SearchStatus> {
        loop {
            let held = self.pool.weights_matched_by_rules(&self.best);
            let value = self.measure.objective_value(held);
            if value >= 1.0 && self.measure.is_feasible(held) {
                self.bound = value;
                return Ok(SearchStatus::Optimal);
            }
            let prices = self.measure.linear_gain(value);
            let RuleMipResult { choice, bound, finished } =
                solve_rule_mip(self.pool, self.measure, self.n_rules, prices, &self.best, budget)?;
            self.bound = self.bound.min(self.measure.objective_upper_bound(value, bound));
            let better = choice.filter(|choice| self.is_improvement(choice));
            let improved = better.is_some();
            if let Some(choice) = better {
                self.best = choice;
            }
            if !finished {
                // An unfinished solver run has used all of the remaining time, but it may have stopped
                // slightly before the time limit.
                return Ok(SearchStatus::TimeLimit);
            }
            // The solution is optimal within the tolerances of the solver, so the bound is the value of the
            // best choice.
            if !improved || self.measure.has_constant_denominator() {
                self.bound = self.measure.objective_value(self.pool.weights_matched_by_rules(&self.best));
                return Ok(SearchStatus::Optimal);
            }
        }
    }

    /// Removes rules without which the choice is at least as good, from the last to the first.
    fn drop_redundant_rules(&mut self) {
        self.best.sort_unstable();
        for place in (0..self.best.len()).rev() {
            let mut fewer = self.best.clone();
            fewer.remove(place);
            let order = self.measure.compare_choices(
                self.pool.weights_matched_by_rules(&fewer),
                self.pool.weights_matched_by_rules(&self.best),
            );
            if order != Ordering::Less {
                self.best = fewer;
            }
        }
    }
}

/// Step of local search: matched weights after the step, dropped rule, and added rule.
type LocalSearchStep = (MatchedWeights, Option<usize>, Option<usize>);

/// For each group of rows, the number of chosen rules that match it.
struct RuleMatchCounts<'a> {
    pool: &'a RulePool,
    times: [Vec<u32>; 2],
    held: MatchedWeights,
}

impl<'a> RuleMatchCounts<'a> {
    fn new(pool: &'a RulePool) -> Self {
        let times = [0, 1].map(|side: usize| vec![0; pool.weight[side].len()]);
        Self { pool, times, held: MatchedWeights::default() }
    }

    /// Weight of the rows that `rule` matches and that exactly `count` chosen rules match.
    ///
    /// Only rows of class `side` count: the positive class is 0, the negative class is 1.
    fn weight_matched_count_times(&self, rule: usize, side: usize, count: u32) -> f64 {
        let groups = self.pool.held[rule][side].iter().map(|&group| group as usize);
        let held = groups.filter(|&group| self.times[side][group] == count);
        held.map(|group| self.pool.weight[side][group]).sum()
    }

    fn matched_weights_with_rule(&self, rule: usize) -> MatchedWeights {
        MatchedWeights {
            positive: self.held.positive + self.weight_matched_count_times(rule, 0, 0),
            other: self.held.other + self.weight_matched_count_times(rule, 1, 0),
        }
    }

    fn add_rule(&mut self, rule: usize) {
        self.held = self.matched_weights_with_rule(rule);
        for (times, groups) in self.times.iter_mut().zip(&self.pool.held[rule]) {
            for &group in groups {
                times[group as usize] += 1;
            }
        }
    }

    fn remove_rule(&mut self, rule: usize) {
        for (times, groups) in self.times.iter_mut().zip(&self.pool.held[rule]) {
            for &group in groups {
                times[group as usize] -= 1;
            }
        }
        self.held.positive -= self.weight_matched_count_times(rule, 0, 0);
        self.held.other -= self.weight_matched_count_times(rule, 1, 0);
    }
}
