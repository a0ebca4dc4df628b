//! The choice of rules with maximum linear gain as a mixed-integer program.
//!
//! The variable `z_j` is 1 if rule `j` is chosen, and at most `K` rules are chosen. Rows that the same rules
//! match form a group.
//!
//! `u_g` is 1 if a chosen rule matches the positive group `g`. This needs the constraint `u_g <= sum z_j`
//! over the rules that match the group. `v_g` is 1 if a chosen rule matches the negative group `g`. This
//! needs the constraint `m v_g >= sum z_j` over the rules that match the group. Here m is the number of these
//! rules, but at most `K`.
//!
//! This is one constraint per negative group. It is tighter than one constraint `v_g >= z_j` per rule if many
//! rules match the same rows, as in a forest.

use super::ratio_objective::{LinearGain, RatioObjective};
use super::rule_pool::RulePool;
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Error, Result};
use imbcore_solver::{MipLimits, MipModel, MipStatus, ModelVariable, Sense, solve};

pub(super) struct RuleMipResult {
    /// Indices of the chosen rules; `None` if the solver found no solution.
    pub(super) choice: Option<Vec<usize>>,
    pub(super) bound: f64,
    pub(super) finished: bool,
}

struct RuleMip {
    model: MipModel,
    chosen: Vec<ModelVariable>,
    groups: [Vec<ModelVariable>; 2],
}

impl RuleMip {
    fn new(pool: &RulePool, measure: &RatioObjective, n_rules: usize, prices: LinearGain) -> Self {
        let mut model = MipModel::new(Sense::Maximize);
        model.add_objective_constant(prices.constant);
        let chosen: Vec<ModelVariable> = (0..pool.len()).map(|_| model.add_binary(0.0)).collect();
        let [positive, other] = &pool.weight;
        let groups = [
            positive.iter().map(|weight| model.add_continuous(0.0, 1.0, prices.positive * weight)).collect(),
            other.iter().map(|weight| model.add_binary(-prices.other * weight)).collect(),
        ];
        let mut program = Self { model, chosen, groups };
        let most: Vec<(ModelVariable, f64)> = program.chosen.iter().map(|&col| (col, 1.0)).collect();
        program.model.add_at_most(&most, n_rules as f64);
        program.add_group_constraints(pool, n_rules);
        if let Some((positive, other, least)) = measure.floor {
            let side = |side: usize, price: f64| {
                let cols = program.groups[side].iter().zip(&pool.weight[side]);
                cols.map(move |(&col, weight)| (col, price * weight))
            };
            let entries = side(0, positive).chain(side(1, other)).filter(|entry| entry.1 != 0.0);
            let entries: Vec<(ModelVariable, f64)> = entries.collect();
            program.model.add_at_least(&entries, least);
        }
        program
    }

    fn add_group_constraints(&mut self, pool: &RulePool, n_rules: usize) {
        for (side, groups) in self.groups.iter().enumerate() {
            let mut rules: Vec<Vec<ModelVariable>> = vec![Vec::new(); groups.len()];
            for (&rule, held) in self.chosen.iter().zip(&pool.held) {
                for &group in &held[side] {
                    rules[group as usize].push(rule);
                }
            }
            for (&group, rules) in groups.iter().zip(rules) {
                let (group_factor, rule_factor) =
                    if side == 0 { (1.0, -1.0) } else { (-(n_rules.min(rules.len()) as f64), 1.0) };
                let row: Vec<(ModelVariable, f64)> = rules
                    .into_iter()
                    .map(|rule| (rule, rule_factor))
                    .chain([(group, group_factor)])
                    .collect();
                self.model.add_at_most(&row, 0.0);
            }
        }
    }

    fn variable_values_for_rules(&self, pool: &RulePool, choice: &[usize]) -> Vec<f64> {
        let mut x = vec![0.0; self.model.n_cols()];
        for &rule in choice {
            x[self.chosen[rule].index()] = 1.0;
            for (groups, held) in self.groups.iter().zip(&pool.held[rule]) {
                for &group in held {
                    x[groups[group as usize].index()] = 1.0;
                }
            }
        }
        x
    }
}

/// Finds a choice of at most `n_rules` rules with maximum linear gain.
///
/// The solver starts from the choice `start`.
///
/// # Errors
/// [`Error::Cancelled`], [`Error::Solver`], [`Error::Internal`].
pub(super) fn solve_rule_mip(
    pool: &RulePool,
    measure: &RatioObjective,
    n_rules: usize,
    prices: LinearGain,
    start: &[usize],
    budget: &SearchBudget<'_>,
) -> Result<RuleMipResult> {
    budget.check_limits()?;
    let program = RuleMip::new(pool, measure, n_rules, prices);
    let limits = MipLimits { seconds: budget.time_left().as_secs_f64().max(0.01), ..MipLimits::default() };
    let warm = program.variable_values_for_rules(pool, start);
    let outcome = solve(&program.model, &limits, Some(&warm), budget.run_context())?;
    if outcome.status == MipStatus::Infeasible {
        // A feasible choice always exists. The pool has a rule that matches all positive rows, which
        // satisfies any minimum recall, and the empty choice satisfies any minimum precision.
        return Err(Error::Internal("the solver found no feasible choice of rules".into()));
    }
    let choice = outcome.found.map(|found| {
        let is_chosen = |rule: &usize| found.x[program.chosen[*rule].index()] > 0.5;
        (0..pool.len()).filter(is_chosen).collect()
    });
    Ok(RuleMipResult { choice, bound: outcome.bound, finished: outcome.status == MipStatus::Optimal })
}
