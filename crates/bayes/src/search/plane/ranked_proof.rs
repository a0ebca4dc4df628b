//! Conversion of the search tree into a proof.

use super::branch_and_cut::ClosedNode;
use super::cut::Cut;
use crate::proof::{GraphProof, ProofCut, ProofNode, ProofSplit};
use crate::search::parent_sets::members_of_set;

#[derive(Clone, Debug)]
pub(crate) struct RankNumberedProof {
    pub(crate) bound: f64,
    /// For each variable, the largest reduced score of its parent sets.
    ///
    /// The reduced scores are computed with the dual values of the first step of the root.
    pub(crate) most: Vec<f64>,
    pub(crate) tree: Vec<ClosedNode>,
}

impl RankNumberedProof {
    pub(crate) fn into_graph_proof(self, columns: &[u32]) -> GraphProof {
        let column = |rank: u32| columns[rank as usize];
        let cut = |(cut, price): (Cut, f64)| {
            let variables = members_of_set(cut.variable_set()).map(column).collect();
            let costs = if let Cut::Table { costs, .. } = cut { costs } else { Vec::new() };
            ProofCut { price, variables, costs }
        };
        let part = |kept: ClosedNode| ProofNode {
            steps: kept.steps.into_iter().map(|step| step.into_iter().map(cut).collect()).collect(),
            split: kept.split.map(|(arc, without, with)| ProofSplit {
                child: column(arc.child),
                parent: column(arc.parent),
                without,
                with,
            }),
        };
        let mut most = vec![0.0; columns.len()];
        columns.iter().zip(self.most).for_each(|(&column, own)| most[column as usize] = own);
        GraphProof { bound: self.bound, most, parts: self.tree.into_iter().map(part).collect() }
    }
}
