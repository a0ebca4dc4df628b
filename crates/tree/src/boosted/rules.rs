//! Monotone and interaction constraints, as they bind the nodes of a tree.
//!
//! Every node has bounds for what its leaves add to the score. A split by a constrained column must put its sides in order, and their midpoint parts the
//! bounds of what grows below; what a leaf would say beyond them is cut off, and gains are those of steps that are cut off (the method that
//! `LightGBM` calls basic). So two rows that differ in the column alone part at a split that keeps their leaves in order. Of interactions a node
//! knows the sets of columns that hold all columns split by above it.

use crate::boosted::fixed::Sums;
use crate::boosted::limits::Limits;
use crate::boosted::params::{BoostedParams, Interactions, InteractionsName};
use crate::rows::training::Table;
use crate::settings::check_monotone;
use imbcore_base::{Error, Result};

/// The constraints of a fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Of every column of the data, none where all are free: 1 rising, -1 falling, 0 free.
    signs: Vec<i8>,
    /// Sets of columns, of which a way down a tree stays in one; none where it may use all.
    sets: Vec<Vec<u32>>,
}

/// What binds one node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// None where no column is constrained.
    pub(crate) bounds: Option<Bounds>,
    /// Sets that hold all columns split by above, by number.
    sets: Vec<u32>,
}

/// Least and most that the leaves of a node may add to a score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    lower: f64,
    upper: f64,
}

impl Rules {
    /// The constraints of the parameters, for a table.
    ///
    /// # Errors
    /// [`Error::Parameter`] where they do not fit it.
    pub(crate) fn new(method: &str, params: &BoostedParams, table: &Table<'_>) -> Result<Self> {
        check_monotone(method, params.monotonic_cst.as_deref(), table)?;
        let signs = params.monotonic_cst.clone().unwrap_or_default();
        let signs = if signs.iter().any(|&sign| sign != 0) { signs } else { Vec::new() };
        Ok(Self { signs, sets: sets(method, params, table.columns.len() as u32)? })
    }

    /// What binds the root.
    pub(crate) fn root(&self) -> Reach {
        let free = Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        Reach {
            bounds: (!self.signs.is_empty()).then_some(free),
            sets: (0..self.sets.len() as u32).collect(),
        }
    }

    /// Whether a column's cuts must rise (1) or fall (-1).
    pub(crate) fn sign(&self, column: u32) -> i8 {
        self.signs.get(column as usize).copied().unwrap_or(0)
    }

    /// Whether a node may be split by a column.
    pub(crate) fn allows(&self, reach: &Reach, column: u32) -> bool {
        self.sets.is_empty() || reach.sets.iter().any(|&set| self.sets[set as usize].contains(&column))
    }

    /// What binds the children of a node that is split by a column, with small values in the first child where the split is by order; their
    /// own steps are given.
    pub(crate) fn children(
        &self,
        reach: &Reach,
        (column, is_ordered): (u32, bool),
        steps: [f64; 2],
    ) -> [Reach; 2] {
        let sets =
            reach.sets.iter().copied().filter(|&set| self.sets[set as usize].contains(&column)).collect();
        let below = Reach { bounds: reach.bounds, sets };
        let mut children = [below.clone(), below];
        if let (Some(bounds), true, sign @ (1 | -1)) = (reach.bounds, is_ordered, self.sign(column)) {
            let [left, right] = steps.map(|step| bounds.clipped(step));
            let middle = left + (right - left) / 2.0;
            let (low, high) = if sign > 0 { (0, 1) } else { (1, 0) };
            children[low].bounds = Some(Bounds { upper: middle, ..bounds });
            children[high].bounds = Some(Bounds { lower: middle, ..bounds });
        }
        children
    }
}

impl Reach {
    /// What a leaf that would add `step` may add.
    pub(crate) fn clipped(&self, step: f64) -> f64 {
        self.bounds.map_or(step, |bounds| bounds.clipped(step))
    }
}

impl Bounds {
    fn clipped(self, step: f64) -> f64 {
        step.clamp(self.lower, self.upper)
    }

    /// Twice what the steps of two sides gain, each within the bounds; none where they are not in the order of the sign.
    pub(crate) fn worth(self, limits: &Limits, sides: [Sums; 2], extra: f64, sign: i8) -> Option<f64> {
        let [left, right] = sides.map(|sums| self.clipped(limits.step_beside(sums, extra)));
        let in_order = f64::from(sign) * (right - left) >= 0.0;
        in_order.then(|| limits.worth_of(left, sides[0], extra) + limits.worth_of(right, sides[1], extra))
    }

    /// Twice what the step of a node gains.
    pub(crate) fn whole(self, limits: &Limits, sums: Sums) -> f64 {
        limits.worth_of(self.clipped(limits.step(sums)), sums, 0.0)
    }
}

/// The sets of columns that may stand on one way; those in no set make up one more.
fn sets(method: &str, params: &BoostedParams, n_columns: u32) -> Result<Vec<Vec<u32>>> {
    let given = match &params.interaction_cst {
        None => return Ok(Vec::new()),
        Some(Interactions::Named(InteractionsName::NoInteractions)) => {
            (0..n_columns).map(|at| vec![at]).collect()
        }
        Some(Interactions::Named(InteractionsName::Pairwise)) => {
            let pairs = (0..n_columns).flat_map(|a| (a + 1..n_columns).map(move |b| vec![a, b]));
            if n_columns < 2 { vec![vec![0]] } else { pairs.collect() }
        }
        Some(Interactions::Sets(sets)) => sets.clone(),
    };
    if let Some(column) = given.iter().flatten().find(|&&column| column >= n_columns) {
        let expected = format!("sets of names or of positions from 0 to {}", n_columns.saturating_sub(1));
        return Err(Error::parameter(method, "interaction_cst", &expected, column));
    }
    let rest: Vec<u32> =
        (0..n_columns).filter(|column| !given.iter().flatten().any(|of| of == column)).collect();
    Ok(given.into_iter().chain((!rest.is_empty()).then_some(rest)).collect())
}
