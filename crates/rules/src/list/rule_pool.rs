//! Candidate rules, and groups of rows that are matched by the same rules.

use super::candidate_rules::CandidateRule;
use super::ratio_objective::MatchedWeights;
use crate::bit_set::BitSet;
use crate::box_task::BoxTask;
use imbcore_core::{Result, RunContext};
use std::collections::{BTreeMap, BTreeSet};

/// Costs of a false positive, in tenths; the candidate rules are ranked once for each cost.
///
/// The ranking at cost 0 starts with the rule that matches the largest weight of positive rows. A recall
/// constraint can require this rule.
const TENTHS: std::ops::Range<u32> = 0..10;

#[derive(Debug)]
pub(super) struct RulePool {
    pub(super) rules: Vec<CandidateRule>,
    /// Indices of the groups of positive and of negative rows that each rule matches, ascending.
    pub(super) held: Vec<[Vec<u32>; 2]>,
    /// Weights of the groups of positive rows, and weights of the groups of negative rows.
    pub(super) weight: [Vec<f64>; 2],
}

impl RulePool {
    /// Groups the rows, and keeps at most `most` rules that no other rule dominates.
    ///
    /// The rows of a group have the same class and are matched by the same rules.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(super) fn new(
        rules: Vec<CandidateRule>,
        task: &BoxTask,
        most: usize,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let positive = BitSet::from_predicate(task.positive.len(), |row| task.positive[row]);
        let rules = remove_dominated(rules, &positive, ctl)?;
        let rules = select_round_robin(rules, task, most);
        let patterns = matching_rules_by_row(&rules, task.positive.len());
        let mut found: [BTreeMap<&BitSet, u32>; 2] = Default::default();
        let mut pool =
            Self { held: vec![Default::default(); rules.len()], rules, weight: Default::default() };
        for (row, pattern) in patterns.iter().enumerate().filter(|(_, pattern)| !pattern.is_empty()) {
            let side = usize::from(!task.positive[row]);
            let weight = &mut pool.weight[side];
            let group = *found[side].entry(pattern).or_insert_with(|| {
                let group = weight.len() as u32;
                weight.push(0.0);
                pattern.iter().for_each(|rule| pool.held[rule][side].push(group));
                group
            });
            weight[group as usize] += task.row_weight(row);
        }
        Ok(pool)
    }

    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    pub(super) fn weights_matched_by_rules(&self, choice: &[usize]) -> MatchedWeights {
        let sum = |side: usize| {
            let groups: BTreeSet<u32> =
                choice.iter().flat_map(|&rule| self.held[rule][side].iter().copied()).collect();
            // The sum starts from 0.0, because an empty sum of floats is -0.0.
            groups.into_iter().fold(0.0, |sum, group| sum + self.weight[side][group as usize])
        };
        MatchedWeights { positive: sum(0), other: sum(1) }
    }
}

/// Removes dominated rules, and rules that match no positive row.
///
/// A rule is dominated if another rule matches all of its positive rows, and if the rule itself matches all
/// negative rows of the other rule. The other rule is then at least as good in every choice. No two of the
/// given rules may match the same set of rows.
fn remove_dominated(
    rules: Vec<CandidateRule>,
    positive: &BitSet,
    ctl: RunContext<'_>,
) -> Result<Vec<CandidateRule>> {
    let sides = |rule: &CandidateRule| {
        let mut hits = rule.rows.clone();
        hits.intersect_with(positive);
        let mut others = rule.rows.clone();
        others.subtract(positive);
        (hits, others)
    };
    let sides: Vec<(BitSet, BitSet)> = rules.iter().map(sides).collect();
    let mut kept = Vec::with_capacity(rules.len());
    for (at, rule) in rules.into_iter().enumerate() {
        ctl.check()?;
        let (hits, others) = &sides[at];
        let better = |(place, (more, fewer)): (usize, &(BitSet, BitSet))| {
            place != at && hits.is_subset(more) && fewer.is_subset(others)
        };
        if !hits.is_empty() && !sides.iter().enumerate().any(better) {
            kept.push(rule);
        }
    }
    Ok(kept)
}

/// Selects at most `most` rules and returns them in their original order.
///
/// The rules are ranked for several costs of a false positive. The first rule of each ranking is selected,
/// then the second rule of each ranking, and so on. The selection therefore has precise rules as well as
/// rules that match many rows.
fn select_round_robin(rules: Vec<CandidateRule>, task: &BoxTask, most: usize) -> Vec<CandidateRule> {
    if rules.len() <= most {
        return rules;
    }
    let held = |rule: &CandidateRule| {
        let mut held = MatchedWeights::default();
        for row in rule.rows.iter() {
            let side = if task.positive[row] { &mut held.positive } else { &mut held.other };
            *side += task.row_weight(row);
        }
        held
    };
    let held: Vec<MatchedWeights> = rules.iter().map(held).collect();
    let order = |tenths: u32| {
        let price = f64::from(tenths) / 10.0;
        let earned = |at: usize| (1.0 - price) * held[at].positive - price * held[at].other;
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by(|&a, &b| earned(b).total_cmp(&earned(a)));
        order
    };
    let orders: Vec<Vec<usize>> = TENTHS.map(order).collect();
    let mut taken = BTreeSet::new();
    let turns = (0..rules.len()).flat_map(|turn| orders.iter().map(move |order| order[turn]));
    for rule in turns {
        taken.insert(rule);
        if taken.len() == most {
            break;
        }
    }
    rules.into_iter().enumerate().filter(|(at, _)| taken.contains(at)).map(|(_, rule)| rule).collect()
}

fn matching_rules_by_row(rules: &[CandidateRule], n_rows: usize) -> Vec<BitSet> {
    let mut patterns = vec![BitSet::empty(rules.len()); n_rows];
    for (number, rule) in rules.iter().enumerate() {
        rule.rows.iter().for_each(|row| patterns[row].insert(number));
    }
    patterns
}
