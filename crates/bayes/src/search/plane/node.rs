//! Processing of one search node: cuts are added until the node is closed or split.

use super::branching::{BranchArc, any_branch_arc, choose_branch_arc};
use super::cut::{Cut, WeightedCut};
use super::lagrangian_bound::{
    CandidateFamilies, count_remaining_families, drop_costly_families, lagrangian_bound,
};
use super::local_cuts::violated_cuts_of_size;
use super::master_program::{FamilyWeight, MasterProgram};
use super::separate::violated_cluster_cuts;
use crate::search::parent_sets::{VariableSet, members_of_set};
use crate::search::search_limits::{SearchLimits, StopReason};
use imbcore_core::{Error, Result};
use std::sync::Mutex;

/// A step of the proof drops parent sets only if less than this fraction would remain.
const WORTH_A_STEP: f64 = 0.9;

/// A node is split if this many rounds of cuts do not raise its lower bound enough.
///
/// The required increase is the fraction `PROGRESS` of the gap. The gap is the cost at which the node is
/// closed minus the lower bound.
const ROUNDS: usize = 10;
const PROGRESS: f64 = 0.03;

#[derive(Clone, Debug)]
pub(crate) struct NodeStart {
    pub(crate) open: CandidateFamilies,
    pub(crate) cuts: Vec<Cut>,
    pub(crate) bound: f64,
}

#[derive(Clone, Debug)]
pub(crate) enum NodeOutcome {
    Closed,
    Split(BranchArc, NodeStart),
    Stopped(StopReason),
}

#[derive(Clone, Debug)]
pub(crate) struct NodeResult {
    /// For each step of the proof of this node, the cuts with their dual values.
    ///
    /// Each step but the last excludes parent sets, which are dropped before the next step. The last step
    /// proves the lower bound of the node.
    pub(crate) steps: Vec<Vec<WeightedCut>>,
    pub(crate) bound: f64,
    pub(crate) graph: Option<(f64, Vec<VariableSet>)>,
    pub(crate) end: NodeOutcome,
}

/// Cost of the best known graph, and the amount by which a better graph must be cheaper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostTarget {
    pub(crate) most: f64,
    pub(crate) tolerance: f64,
}

impl CostTarget {
    /// Lower bound at which a node is closed, because it contains no better graph.
    pub(crate) fn closing_bound(&self) -> f64 {
        self.most - self.tolerance
    }
}

struct Node<'a> {
    open: CandidateFamilies,
    worked: NodeResult,
    /// Dual values that gave the best bound since parent sets were last dropped.
    prices: Vec<WeightedCut>,
    goal: CostTarget,
    clock: SearchLimits<'a>,
    why: Mutex<Option<StopReason>>,
}

pub(crate) fn process_node(
    start: NodeStart,
    goal: CostTarget,
    clock: SearchLimits<'_>,
) -> Result<NodeResult> {
    let worked = NodeResult { steps: Vec::new(), bound: start.bound, graph: None, end: NodeOutcome::Closed };
    let (open, why) = (start.open, Mutex::new(None));
    let mut node =
        Node { open, worked, prices: Vec::new(), goal, clock: clock.without_progress_reports(), why };
    match node.solve(&start.cuts) {
        Ok(end) => node.worked.end = end,
        Err(Error::Cancelled) => {
            let why = node.why.lock().ok().and_then(|why| *why).unwrap_or(StopReason::Interrupted);
            node.worked.end = NodeOutcome::Stopped(why);
        }
        Err(error) => return Err(error),
    }
    if !matches!(node.worked.end, NodeOutcome::Closed) && !node.prices.is_empty() {
        node.worked.steps.push(node.prices);
    }
    Ok(node.worked)
}

impl Node<'_> {
    fn check_limits(&self) -> Result<()> {
        let Some(why) = self.clock.stop_reason(0) else { return Ok(()) };
        if let Ok(mut slot) = self.why.lock() {
            *slot = Some(why);
        }
        Err(Error::Cancelled)
    }

    fn solve(&mut self, cuts: &[Cut]) -> Result<NodeOutcome> {
        let mut master = MasterProgram::new(&self.open, cuts, self.goal.most);
        let mut bounds = Vec::new();
        loop {
            self.check_limits()?;
            let optimal = master.minimize(|| self.check_limits())?;
            let prices = master.weighted_cuts();
            let proven = lagrangian_bound(&self.open, &prices);
            if proven.bound >= self.goal.closing_bound() {
                self.worked.bound = proven.bound;
                self.worked.steps.push(prices);
                return Ok(NodeOutcome::Closed);
            }
            if proven.bound > self.worked.bound || self.prices.is_empty() {
                self.worked.bound = self.worked.bound.max(proven.bound);
                self.prices.clone_from(&prices);
            }
            let families: usize = self.open.iter().map(Vec::len).sum();
            if (count_remaining_families(&proven, self.goal.closing_bound()) as f64)
                < WORTH_A_STEP * families as f64
            {
                drop_costly_families(&mut self.open, &proven, self.goal.closing_bound());
                self.prices.clear();
                let cuts: Vec<Cut> = prices.iter().map(|(cut, _)| cut.clone()).collect();
                self.worked.steps.push(prices);
                master = MasterProgram::new(&self.open, &cuts, self.goal.most);
                continue;
            }
            let shares = if optimal { master.family_weights() } else { Vec::new() };
            self.run_primal_heuristic(&shares);
            bounds.push(proven.bound);
            let before = bounds.len().checked_sub(ROUNDS + 1).map_or(f64::NEG_INFINITY, |at| bounds[at]);
            let missing = self.goal.closing_bound() - proven.bound;
            let slow = proven.bound - before < PROGRESS * missing;
            let new = if slow || !optimal { Vec::new() } else { self.find_violated_cuts(&shares)? };
            if new.is_empty() {
                return self.branch(&master, &shares, &prices);
            }
            master.remove_loose_cuts();
            for cut in new {
                master.add_cut(cut);
            }
        }
    }

    fn find_violated_cuts(&self, shares: &[FamilyWeight]) -> Result<Vec<Cut>> {
        let n = self.open.len();
        let mut found = violated_cluster_cuts(shares, n);
        for k in 3..=4 {
            if found.is_empty() {
                found = violated_cuts_of_size(shares, n, k, || self.check_limits())?;
            }
        }
        Ok(found)
    }

    /// Splits the node by an arc; first drops parent sets that the best dual values exclude.
    fn branch(
        &mut self,
        master: &MasterProgram,
        shares: &[FamilyWeight],
        prices: &[WeightedCut],
    ) -> Result<NodeOutcome> {
        let arc = choose_branch_arc(master, shares, self.goal.closing_bound(), || self.check_limits())?;
        let proven = lagrangian_bound(&self.open, &self.prices);
        drop_costly_families(&mut self.open, &proven, self.goal.closing_bound());
        let Some(arc) = arc.or_else(|| any_branch_arc(&self.open)) else {
            return Err(Error::Internal("a node with a single graph did not reach its bound".into()));
        };
        let cuts = prices.iter().map(|(cut, _)| cut.clone()).collect();
        let open = std::mem::take(&mut self.open);
        Ok(NodeOutcome::Split(arc, NodeStart { open, cuts, bound: self.worked.bound }))
    }

    /// Primal heuristic: derives a graph from the LP solution.
    ///
    /// The variables are ordered greedily. Each remaining variable gets its best parents among the variables
    /// that are already ordered. Its cost with these parents is compared with its cost in the LP solution,
    /// which is the weighted mean over its parent sets. The next variable is the one whose cost exceeds its
    /// LP cost least. The graph is kept if it is the best so far.
    fn run_primal_heuristic(&mut self, shares: &[FamilyWeight]) {
        let n = self.open.len();
        let mut part = vec![0.0; n];
        for of in shares {
            let family = self.open[of.child as usize].iter().find(|family| family.set == of.set);
            part[of.child as usize] += of.part * family.map_or(0.0, |family| family.regret);
        }
        let all: VariableSet = (0..n).map(|v| 1 << v).sum();
        let (mut done, mut paid, mut graph): (VariableSet, f64, Vec<VariableSet>) = (0, 0.0, vec![0; n]);
        while done != all {
            let best = |v: u32| {
                let inside = self.open[v as usize].iter().filter(|family| family.set & !done == 0);
                inside.min_by(|a, b| a.regret.total_cmp(&b.regret)).map(|family| (v, *family))
            };
            let above = |of: &(u32, super::CandidateFamily)| of.1.regret - part[of.0 as usize];
            let next =
                members_of_set(all & !done).filter_map(best).min_by(|a, b| above(a).total_cmp(&above(b)));
            let Some((v, family)) = next else { return };
            paid += family.regret;
            graph[v as usize] = family.set;
            done |= 1 << v;
        }
        if paid < self.worked.graph.as_ref().map_or(self.goal.closing_bound(), |best| best.0) {
            self.worked.graph = Some((paid, graph));
        }
    }
}
