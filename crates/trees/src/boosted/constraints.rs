//! Monotonic and interaction constraints on the nodes of a tree.
//!
//! Every node has bounds on the leaf values below it. If a split is on a column with a monotonic constraint,
//! the values of the two children must be in the order of the constraint. The midpoint of the two values
//! becomes the upper bound of one child and the lower bound of the other child. Leaf values are clipped to
//! the bounds, and gains are computed with clipped values (the "basic" method of `LightGBM`). Thus, if two
//! rows differ only in the constrained column and neither value is missing, their leaf values are in the
//! order of the constraint.
//!
//! For interaction constraints, a node stores which of the given sets contain all columns on which its
//! ancestors are split.

use crate::boosted::fixed_point::DerivativeSums;
use crate::boosted::params::{BoostedParams, InteractionConstraints, InteractionRule};
use crate::boosted::regularization::Regularization;
use crate::rows::training::TrainingTable;
use crate::settings::check_monotone_constraints;
use imbcore_core::{Error, Result};

#[derive(Clone, Debug, Default)]
pub(crate) struct BoostingConstraints {
    /// Sign per column: 1 increasing, -1 decreasing, 0 unconstrained.
    /// Empty if no column has a monotonic constraint.
    signs: Vec<i8>,
    /// Sets of columns for interactions; each path uses columns of only one set.
    /// Empty if all columns may interact.
    sets: Vec<Vec<u32>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct NodeConstraints {
    /// Bounds on the leaf values; `None` if no column has a monotonic constraint.
    pub(crate) bounds: Option<LeafBounds>,
    /// Indices of the interaction sets that contain all columns split by the node's ancestors.
    sets: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafBounds {
    lower: f64,
    upper: f64,
}

impl BoostingConstraints {
    /// Builds the constraints for a table from the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the parameters do not match the table.
    pub(crate) fn new(method: &str, params: &BoostedParams, table: &TrainingTable<'_>) -> Result<Self> {
        check_monotone_constraints(method, params.monotonic_cst.as_deref(), table)?;
        let signs = params.monotonic_cst.clone().unwrap_or_default();
        let signs = if signs.iter().any(|&sign| sign != 0) { signs } else { Vec::new() };
        Ok(Self { signs, sets: interaction_sets(method, params, table.columns.len() as u32)? })
    }

    pub(crate) fn root_constraints(&self) -> NodeConstraints {
        let free = LeafBounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        NodeConstraints {
            bounds: (!self.signs.is_empty()).then_some(free),
            sets: (0..self.sets.len() as u32).collect(),
        }
    }

    pub(crate) fn monotone_sign(&self, column: u32) -> i8 {
        self.signs.get(column as usize).copied().unwrap_or(0)
    }

    pub(crate) fn allows_column(&self, reach: &NodeConstraints, column: u32) -> bool {
        self.sets.is_empty() || reach.sets.iter().any(|&set| self.sets[set as usize].contains(&column))
    }

    /// Returns the constraints of both children of a split.
    ///
    /// `is_ordered` states whether the split is a threshold that sends smaller values to the first child.
    pub(crate) fn child_constraints(
        &self,
        reach: &NodeConstraints,
        (column, is_ordered): (u32, bool),
        steps: [f64; 2],
    ) -> [NodeConstraints; 2] {
        let sets =
            reach.sets.iter().copied().filter(|&set| self.sets[set as usize].contains(&column)).collect();
        let below = NodeConstraints { bounds: reach.bounds, sets };
        let mut children = [below.clone(), below];
        if let (Some(bounds), true, sign @ (1 | -1)) = (reach.bounds, is_ordered, self.monotone_sign(column))
        {
            let [left, right] = steps.map(|step| bounds.clip(step));
            let middle = left + (right - left) / 2.0;
            let (low, high) = if sign > 0 { (0, 1) } else { (1, 0) };
            children[low].bounds = Some(LeafBounds { upper: middle, ..bounds });
            children[high].bounds = Some(LeafBounds { lower: middle, ..bounds });
        }
        children
    }
}

impl NodeConstraints {
    pub(crate) fn clip_leaf_value(&self, step: f64) -> f64 {
        self.bounds.map_or(step, |bounds| bounds.clip(step))
    }
}

impl LeafBounds {
    fn clip(self, step: f64) -> f64 {
        step.clamp(self.lower, self.upper)
    }

    /// Twice the gain of both children with clipped leaf values.
    ///
    /// The result is `None` if the order of the clipped values violates the monotonic constraint.
    pub(crate) fn doubled_children_gain(
        self,
        limits: &Regularization,
        sides: [DerivativeSums; 2],
        extra: f64,
        sign: i8,
    ) -> Option<f64> {
        let [left, right] = sides.map(|sums| self.clip(limits.newton_step_with_penalty(sums, extra)));
        let in_order = f64::from(sign) * (right - left) >= 0.0;
        in_order.then(|| {
            limits.doubled_step_gain(left, sides[0], extra) + limits.doubled_step_gain(right, sides[1], extra)
        })
    }

    pub(crate) fn doubled_node_gain(self, limits: &Regularization, sums: DerivativeSums) -> f64 {
        limits.doubled_step_gain(self.clip(limits.leaf_value(sums)), sums, 0.0)
    }
}

/// Builds the sets of columns that may interact; columns in no set form another set.
fn interaction_sets(method: &str, params: &BoostedParams, n_columns: u32) -> Result<Vec<Vec<u32>>> {
    let given = match &params.interaction_cst {
        None => return Ok(Vec::new()),
        Some(InteractionConstraints::Named(InteractionRule::NoInteractions)) => {
            (0..n_columns).map(|column| vec![column]).collect()
        }
        Some(InteractionConstraints::Named(InteractionRule::Pairwise)) => {
            let pairs = (0..n_columns).flat_map(|a| (a + 1..n_columns).map(move |b| vec![a, b]));
            if n_columns < 2 { vec![vec![0]] } else { pairs.collect() }
        }
        Some(InteractionConstraints::Sets(sets)) => sets.clone(),
    };
    if let Some(column) = given.iter().flatten().find(|&&column| column >= n_columns) {
        let expected = format!("sets of names or of positions from 0 to {}", n_columns.saturating_sub(1));
        return Err(Error::parameter(method, "interaction_cst", &expected, column));
    }
    let rest: Vec<u32> =
        (0..n_columns).filter(|column| !given.iter().flatten().any(|other| other == column)).collect();
    Ok(given.into_iter().chain((!rest.is_empty()).then_some(rest)).collect())
}
