//! The branch-and-cut tree; the nodes with the lowest bounds are processed first.

use super::branching::BranchArc;
use super::cut::WeightedCut;
use super::lagrangian_bound::CandidateFamilies;
use super::node::{CostTarget, NodeOutcome, NodeResult, NodeStart, process_node};
use crate::search::parent_sets::VariableSet;
use crate::search::search_limits::{SearchLimits, StopReason};
use imbcore_core::{Result, parallel};

/// Number of nodes of the search tree that are processed in parallel.
///
/// The result depends on this number, so the number must not depend on the number of threads.
const TOGETHER: usize = 8;

#[derive(Clone, Debug, Default)]
pub(crate) struct ClosedNode {
    /// For each step of the proof of this node, the cuts with their dual values.
    ///
    /// Each step but the last excludes parent sets, which are dropped before the next step. The last step
    /// proves the lower bound of the node.
    pub(crate) steps: Vec<Vec<WeightedCut>>,
    /// Arc that splits the node, with the indices of the two nodes that result.
    ///
    /// The first of them is for graphs without the arc, the second for graphs with the arc.
    pub(crate) split: Option<(BranchArc, usize, usize)>,
}

#[derive(Clone, Debug)]
pub(crate) struct BranchAndCutResult {
    pub(crate) graph: Option<Vec<VariableSet>>,
    pub(crate) paid: f64,
    /// Lower bound on the cost of any graph.
    pub(crate) bound: f64,
    pub(crate) tree: Vec<ClosedNode>,
    pub(crate) stopped: Option<StopReason>,
}

/// Searches for a graph that costs less than `goal`, or proves that there is none.
///
/// The cost of a graph is the sum of the best scores of all variables minus the score of the graph.
pub(crate) fn branch_and_cut(
    open: CandidateFamilies,
    goal: CostTarget,
    clock: SearchLimits<'_>,
) -> Result<BranchAndCutResult> {
    let mut goal = goal;
    let mut found = BranchAndCutResult {
        graph: None,
        paid: goal.most,
        bound: goal.most,
        tree: vec![ClosedNode::default()],
        stopped: None,
    };
    let mut waiting = vec![(0, NodeStart { open, cuts: Vec::new(), bound: f64::NEG_INFINITY })];
    while found.stopped.is_none() {
        clock.ctl.report_progress("proof nodes", found.tree.len() as u64, 0);
        waiting.retain(|(_, start)| start.bound < goal.closing_bound());
        // The last nodes of the list are taken next: those with the lowest bounds and, on ties, those created
        // first.
        waiting.sort_by(|a, b| b.1.bound.total_cmp(&a.1.bound).then(b.0.cmp(&a.0)));
        let next = waiting.split_off(waiting.len().saturating_sub(TOGETHER));
        if next.is_empty() {
            break;
        }
        let at = |(number, start)| Ok((number, process_node(start, goal, clock)?));
        let worked: Vec<(usize, NodeResult)> = parallel::try_map(next, at)?;
        for (number, worked) in worked {
            if let Some((paid, graph)) = worked.graph.filter(|graph| graph.0 < goal.closing_bound()) {
                goal.most = paid;
                (found.paid, found.graph) = (paid, Some(graph));
            }
            found.tree[number].steps = worked.steps;
            match worked.end {
                NodeOutcome::Closed => {}
                NodeOutcome::Stopped(why) => {
                    found.stopped = Some(why);
                    found.bound = found.bound.min(worked.bound);
                }
                NodeOutcome::Split(arc, start) => {
                    let first = found.tree.len();
                    found.tree[number].split = Some((arc, first, first + 1));
                    found.tree.extend([ClosedNode::default(), ClosedNode::default()]);
                    for (number, with) in [(first, false), (first + 1, true)] {
                        waiting.push((
                            number,
                            NodeStart { open: arc.families_in_branch(with, &start.open), ..start.clone() },
                        ));
                    }
                }
            }
        }
    }
    // The last dual values of the root node also become the first step of its proof. A checker then need not
    // count the parent sets that these dual values exclude.
    let last = found.tree[0].steps.last().cloned().unwrap_or_default();
    found.tree[0].steps.insert(0, last);
    let least = waiting.iter().map(|(_, start)| start.bound).fold(found.paid, f64::min);
    found.bound = found.bound.min(least);
    Ok(found)
}
