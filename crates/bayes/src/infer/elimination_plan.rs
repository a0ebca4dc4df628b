//! Compiled variable elimination: the order of table products, and the offsets of cells.
//!
//! The result `P(targets, evidence)` is the product of all factors, summed over the free variables that are
//! not targets. It is computed variable by variable, in min-fill order (bucket elimination, Dechter 1999).
//! The factors that contain a variable are multiplied and summed over its states. This gives a message: a new
//! factor over the union of their other variables, the scope of the step. Loop invariant of
//! [`EliminationPlan::new`]: the product of the factors in the pool, summed over the variables that are not
//! eliminated yet, is the result.
//!
//! The offset of a cell in an operand is a base offset, given by the evidence, plus one term for each
//! variable of the scope. The variables are split into two groups ([`PlanBuilder::scope_split_position`]),
//! so `high[h] + low[l]` gives the offset of each cell from two short lists. A step costs the number of
//! cells of its clique times the number of its operands. `max_cells` limits the largest clique.

use super::elimination_order::min_fill_order;
use super::family_logs::family_variables;
use crate::network::Network;
use imbcore_core::{Error, Result};

/// Maximum number of cells of a table in exact inference; a query can replace this limit.
pub(crate) const MAX_CELLS: u64 = 1 << 24;

/// Maximum number of tables that one step multiplies.
///
/// The largest cell of a message is at least 2^-64, and the product of this many such cells does not underflow.
pub(super) const MOST_OPERANDS: usize = 8;

/// A table to multiply; `scope` has its free (unobserved) variables.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub(crate) scope: Vec<u32>,
    pub(crate) strides: Vec<usize>,
    pub(crate) source: CellSource,
}

#[derive(Clone, Debug)]
pub(crate) enum CellSource {
    /// A dense table of the network.
    ///
    /// `observed` has the observed variables with the strides of their states, from which the offset of the
    /// first cell follows.
    Table { table: usize, observed: Vec<(u32, usize)>, child: Option<u32> },
    /// A sparse table of the network; the cells that agree with the evidence are copied.
    Gathered(SparseGather),
    /// The message of an earlier step.
    Message { at: usize },
}

#[derive(Clone, Debug)]
pub(crate) struct SparseGather {
    pub(crate) child: u32,
    pub(crate) child_is_free: bool,
    /// Each parent, its number of states, and whether it is unobserved.
    ///
    /// In the numbers of parent configurations, the state of the last parent varies fastest.
    pub(crate) parents: Vec<(u32, u32, bool)>,
    pub(crate) cells: usize,
}

/// A table that a step multiplies, with the offsets of its cells.
///
/// The offset of a cell is `high[h] + low[l] + state * stride`, where `state` is the state of the variable
/// that the step eliminates. The offset is relative to the first cell that agrees with the evidence.
#[derive(Debug)]
pub(crate) struct StepInput {
    pub(super) source: CellSource,
    pub(super) high: Vec<u32>,
    pub(super) low: Vec<u32>,
    pub(super) stride: usize,
    pub(super) strides: Vec<usize>,
    pub(super) span: usize,
}

/// Multiplies tables and sums out one variable; the result is a table over `scope`.
#[derive(Debug)]
pub(crate) struct EliminationStep {
    pub(super) variable: Option<u32>,
    pub(super) levels: usize,
    pub(super) scope: Vec<u32>,
    pub(super) inputs: std::ops::Range<usize>,
    pub(super) at: usize,
    pub(super) cells: usize,
    pub(super) n_low: usize,
}

/// Compiled variable elimination for one set of observed variables, whatever their states.
#[derive(Debug)]
pub(crate) struct EliminationPlan {
    pub(super) steps: Vec<EliminationStep>,
    pub(super) inputs: Vec<StepInput>,
    pub(super) message_cells: usize,
    pub(super) gathered_cells: usize,
    pub(super) ones: usize,
}

impl EliminationPlan {
    /// Compiles the product of tables (`factors`), summed over all variables except `targets`.
    ///
    /// The result of the last step is a table over the targets.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if a table needs more than `max_cells` cells.
    pub(crate) fn new(factors: Vec<Factor>, levels: &[u32], targets: &[u32], max_cells: u64) -> Result<Self> {
        let order = {
            let scopes: Vec<&[u32]> = factors.iter().map(|factor| factor.scope.as_slice()).collect();
            let mut rest: Vec<u32> = scopes.concat();
            rest.sort_unstable();
            rest.dedup();
            rest.retain(|v| !targets.contains(v));
            min_fill_order(&scopes, levels, &rest)
        };
        let mut builder = PlanBuilder { levels, max_cells, plan: Self::empty() };
        let mut pool = factors;
        for &variable in &order {
            let (chosen, rest) = pool.into_iter().partition(|factor| factor.scope.contains(&variable));
            pool = rest;
            let message = builder.add_elimination(chosen, Some(variable), &[])?;
            pool.push(message);
        }
        builder.add_elimination(pool, None, targets)?;
        Ok(builder.plan)
    }

    fn empty() -> Self {
        Self { steps: Vec::new(), inputs: Vec::new(), message_cells: 0, gathered_cells: 0, ones: 0 }
    }

    pub(super) fn n_stored_integers(&self) -> usize {
        let numbers = |input: &StepInput| input.high.len() + input.low.len() + 3 * input.strides.len() + 32;
        self.inputs.iter().map(numbers).sum::<usize>() + 32 * self.steps.len()
    }

    pub(crate) fn reverse_elimination_steps(&self) -> impl Iterator<Item = (u32, &EliminationStep)> {
        self.steps.iter().rev().filter_map(|step| step.variable.map(|v| (v, step)))
    }
}

struct PlanBuilder<'a> {
    levels: &'a [u32],
    max_cells: u64,
    plan: EliminationPlan,
}

impl PlanBuilder<'_> {
    /// If there are more than [`MOST_OPERANDS`] factors, extra steps first multiply some of them.
    fn add_elimination(
        &mut self,
        mut factors: Vec<Factor>,
        variable: Option<u32>,
        also: &[u32],
    ) -> Result<Factor> {
        while factors.len() > MOST_OPERANDS {
            let rest = factors.split_off(MOST_OPERANDS);
            let chunk = std::mem::replace(&mut factors, rest);
            let message = self.add_step(chunk, None, &[])?;
            factors.push(message);
        }
        self.add_step(factors, variable, also)
    }

    fn add_step(&mut self, factors: Vec<Factor>, variable: Option<u32>, also: &[u32]) -> Result<Factor> {
        let mut scope: Vec<u32> = factors.iter().flat_map(|factor| factor.scope.iter().copied()).collect();
        scope.extend(also);
        scope.sort_unstable();
        scope.dedup();
        let clique = self.n_cells(&scope)?;
        scope.retain(|&v| Some(v) != variable);
        let levels = variable.map_or(1, |v| self.levels[v as usize] as usize);
        let cells = clique / levels;
        let first = self.plan.inputs.len();
        let split = self.scope_split_position(&scope);
        for factor in factors {
            self.add_input(factor, &scope, variable, split);
        }
        let at = self.plan.message_cells;
        self.plan.message_cells += cells;
        let n_low = scope[split..].iter().map(|&v| self.levels[v as usize] as usize).product();
        let inputs = first..self.plan.inputs.len();
        let strides = self.dense_strides(&scope);
        self.plan.steps.push(EliminationStep {
            variable,
            levels,
            scope: scope.clone(),
            inputs,
            at,
            cells,
            n_low,
        });
        Ok(Factor { scope, strides, source: CellSource::Message { at } })
    }

    fn add_input(&mut self, factor: Factor, scope: &[u32], variable: Option<u32>, split: usize) {
        let stride_of = |v: u32| factor.scope.binary_search(&v).map_or(0, |at| factor.strides[at]);
        let strides: Vec<usize> = scope.iter().map(|&v| stride_of(v)).collect();
        let reach = |v: u32| stride_of(v) * (self.levels[v as usize] as usize - 1);
        let span = 1 + factor.scope.iter().map(|&v| reach(v)).sum::<usize>();
        let places = |digits: std::ops::Range<usize>| {
            let mut places = vec![0_u32];
            for digit in digits {
                let states = 0..self.levels[scope[digit] as usize];
                let stride = strides[digit] as u32;
                places = places
                    .iter()
                    .flat_map(|&place| states.clone().map(move |state| place + state * stride))
                    .collect();
            }
            places
        };
        let (high, low) = (places(0..split), places(split..scope.len()));
        match &factor.source {
            CellSource::Gathered(gather) => {
                self.plan.gathered_cells += gather.cells;
                self.plan.ones = self.plan.ones.max(span);
            }
            CellSource::Table { child: Some(_), .. } => self.plan.ones = self.plan.ones.max(span),
            _ => {}
        }
        let stride = variable.map_or(0, stride_of);
        self.plan.inputs.push(StepInput { source: factor.source, high, low, stride, strides, span });
    }

    fn scope_split_position(&self, scope: &[u32]) -> usize {
        let (mut split, mut cells) = (scope.len(), 1_u64);
        while split > 0 {
            cells *= u64::from(self.levels[scope[split - 1] as usize]);
            if cells > 4096 && split < scope.len() {
                break;
            }
            split -= 1;
        }
        split
    }

    fn n_cells(&self, scope: &[u32]) -> Result<usize> {
        let cells = scope
            .iter()
            .try_fold(1_u64, |cells, &v| cells.checked_mul(u64::from(self.levels[v as usize])))
            .filter(|&cells| cells <= self.max_cells);
        cells.map(|cells| cells as usize).ok_or_else(|| {
            let (width, most) = (scope.len(), self.max_cells);
            Error::Unsupported(format!(
                "exact inference needs a table over {width} variables, which has more than {most} cells; observe more variables"
            ))
        })
    }

    fn dense_strides(&self, scope: &[u32]) -> Vec<usize> {
        let mut strides = vec![1; scope.len()];
        for digit in (1..scope.len()).rev() {
            strides[digit - 1] = strides[digit] * self.levels[scope[digit] as usize] as usize;
        }
        strides
    }
}

/// The probability tables of the variables `families`, as tables over `free` variables.
///
/// All variables that are not `free` are observed when the plan runs.
///
/// # Errors
/// [`Error::Unsupported`] if a sparse table has more cells over free variables than both `max_cells` and
/// [`MAX_CELLS`].
pub(crate) fn network_factors(
    network: &Network,
    families: &[u32],
    free: impl Fn(u32) -> bool,
    max_cells: u64,
) -> Result<Vec<Factor>> {
    families.iter().map(|&family| family_factor(network, family, &free, max_cells)).collect()
}

fn family_factor(
    network: &Network,
    family: u32,
    free: impl Fn(u32) -> bool,
    max_cells: u64,
) -> Result<Factor> {
    let cpt = &network.cpts()[family as usize];
    let members = family_variables(cpt, family);
    let whole = cpt.cells().is_some();
    let (mut seen, mut observed, mut distance) = (Vec::new(), Vec::new(), 1_u64);
    for &(v, levels) in members.iter().rev() {
        if free(v) {
            seen.push((v, distance as usize));
        } else if whole {
            observed.push((v, distance as usize));
        }
        if whole || free(v) {
            distance = distance.saturating_mul(u64::from(levels));
        }
    }
    if distance > max_cells.max(MAX_CELLS) {
        let name = &network.variables()[family as usize].name;
        return Err(Error::Unsupported(format!(
            "the probability table of {name:?} has more than {max_cells} cells over variables that are not observed; give it \
             fewer parents, or observe more variables"
        )));
    }
    seen.sort_unstable();
    let source = if whole {
        let child = (!free(family)).then_some(family);
        CellSource::Table { table: family as usize, observed, child }
    } else {
        let parents = members[..members.len() - 1].iter().map(|&(v, levels)| (v, levels, free(v))).collect();
        let child_is_free = free(family);
        CellSource::Gathered(SparseGather { child: family, child_is_free, parents, cells: distance as usize })
    };
    let (scope, strides) = seen.into_iter().unzip();
    Ok(Factor { scope, strides, source })
}
