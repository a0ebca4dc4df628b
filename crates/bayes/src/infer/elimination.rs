//! Execution of a compiled plan for the evidence of one row.
//!
//! A step reads a few tables in place by strides, multiplies them, and sums out a variable. It writes its
//! result, a message, to the next range of `messages`. The same steps compute sums of products, maxima of
//! products and maxima of sums ([`Semiring`]). A product whose largest cell leaves the range `2^-64 .. 2^64`
//! is divided by this cell. The logarithms of the divisors are summed separately, so that nothing underflows.

use super::elimination_plan::{
    CellSource, EliminationPlan, EliminationStep, MOST_OPERANDS, SparseGather, StepInput,
};
use crate::cpt::Cpt;
use crate::network::Network;
use crate::table::MISSING;
use imbcore_core::{Error, Result, RunContext};

pub(crate) trait Semiring {
    const ZERO: f64;
    const ONE: f64;
    /// Whether cells are products of probabilities, which must be rescaled to prevent underflow.
    const SCALED: bool;
    fn multiply(a: f64, b: f64) -> f64;
    fn add(a: f64, b: f64) -> f64;
}

pub(crate) struct SumProduct;
pub(crate) struct MaxProduct;
pub(crate) struct MaxSum;

impl Semiring for SumProduct {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const SCALED: bool = true;
    #[inline]
    fn multiply(a: f64, b: f64) -> f64 {
        a * b
    }
    #[inline]
    fn add(a: f64, b: f64) -> f64 {
        a + b
    }
}

impl Semiring for MaxProduct {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const SCALED: bool = true;
    #[inline]
    fn multiply(a: f64, b: f64) -> f64 {
        a * b
    }
    #[inline]
    fn add(a: f64, b: f64) -> f64 {
        a.max(b)
    }
}

impl Semiring for MaxSum {
    const ZERO: f64 = f64::NEG_INFINITY;
    const ONE: f64 = 0.0;
    const SCALED: bool = false;
    #[inline]
    fn multiply(a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline]
    fn add(a: f64, b: f64) -> f64 {
        a.max(b)
    }
}

#[derive(Clone, Copy)]
pub(crate) enum CptCells<'a> {
    Whole(&'a [f64]),
    Sparse(&'a Cpt),
}

pub(crate) fn network_tables(network: &Network) -> Vec<CptCells<'_>> {
    network.cpts().iter().map(|cpt| cpt.cells().map_or(CptCells::Sparse(cpt), CptCells::Whole)).collect()
}

pub(crate) fn divide_cells(cells: &mut [f64], by: f64) {
    for cell in cells {
        *cell /= by;
    }
}

#[derive(Default)]
pub(crate) struct FactorScratch {
    pub(super) messages: Vec<f64>,
    places: Vec<CellLocation>,
    gathered: Vec<f64>,
    ones: Vec<f64>,
}

#[derive(Clone, Copy)]
enum CellLocation {
    Table(usize),
    Gathered(usize),
    Message(usize),
    Ones,
}

#[derive(Clone, Copy)]
struct Operand<'a> {
    cells: &'a [f64],
    high: &'a [u32],
    low: &'a [u32],
    stride: usize,
}

/// A table is rescaled if its largest cell is above this number or below its reciprocal.
const NEAR_ONE: f64 = 18_446_744_073_709_551_616.0;

impl EliminationPlan {
    /// Runs all steps of the plan and returns the logarithm of a scale factor.
    ///
    /// The requested table is [`EliminationPlan::target_table`] times this factor. The logarithm is minus
    /// infinity if all cells of the table are zero.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn run<A: Semiring>(
        &self,
        tables: &[CptCells<'_>],
        code: impl Fn(u32) -> u16,
        scratch: &mut FactorScratch,
        ctl: RunContext<'_>,
    ) -> Result<f64> {
        self.compute_operand_offsets(tables, code, scratch);
        if scratch.messages.len() < self.message_cells {
            scratch.messages.resize(self.message_cells, 0.0);
        }
        let mut log_scale = 0.0;
        for step in &self.steps {
            let (before, rest) = scratch.messages.split_at_mut(step.at);
            let out = &mut rest[..step.cells];
            let memory = InputTables { messages: before, gathered: &scratch.gathered, ones: &scratch.ones };
            let mut operands = [Operand { cells: &[], high: &[], low: &[], stride: 0 }; MOST_OPERANDS];
            let inputs = &self.inputs[step.inputs.clone()];
            for ((operand, input), &place) in
                operands.iter_mut().zip(inputs).zip(&scratch.places[step.inputs.clone()])
            {
                let cells = memory.input_cells(tables, input, place);
                *operand = Operand { cells, high: &input.high, low: &input.low, stride: input.stride };
            }
            let largest = multiply_and_sum_out::<A>(&operands[..inputs.len()], step, out, ctl)?;
            if A::SCALED {
                if largest == 0.0 {
                    return Ok(f64::NEG_INFINITY);
                }
                if !(1.0 / NEAR_ONE..NEAR_ONE).contains(&largest) {
                    divide_cells(out, largest);
                    log_scale += largest.ln();
                }
            }
        }
        Ok(log_scale)
    }

    pub(crate) fn target_table<'a>(&self, scratch: &'a FactorScratch) -> &'a [f64] {
        self.steps.last().map_or(&[], |step| &scratch.messages[step.at..][..step.cells])
    }

    fn compute_operand_offsets(
        &self,
        tables: &[CptCells<'_>],
        code: impl Fn(u32) -> u16,
        scratch: &mut FactorScratch,
    ) {
        if scratch.ones.len() < self.ones {
            scratch.ones.resize(self.ones, 1.0);
        }
        if scratch.gathered.len() < self.gathered_cells {
            scratch.gathered.resize(self.gathered_cells, 0.0);
        }
        scratch.places.clear();
        let mut gathered = 0;
        for input in &self.inputs {
            scratch.places.push(match &input.source {
                CellSource::Message { at } => CellLocation::Message(*at),
                // If the child is neither observed nor a variable of the plan, ones replace its table,
                // because its probabilities sum to 1.
                CellSource::Table { child: Some(child), .. } if code(*child) == MISSING => CellLocation::Ones,
                CellSource::Table { observed, .. } => {
                    let at = |&(v, distance): &(u32, usize)| usize::from(code(v)) * distance;
                    CellLocation::Table(observed.iter().map(at).sum())
                }
                CellSource::Gathered(gather) => {
                    if !gather.child_is_free && code(gather.child) == MISSING {
                        CellLocation::Ones
                    } else {
                        let begin = gathered;
                        gathered += gather.cells;
                        if let CptCells::Sparse(cpt) = tables[gather.child as usize] {
                            gather.gather_sparse_cells(cpt, &code, &mut scratch.gathered[begin..gathered]);
                        }
                        CellLocation::Gathered(begin)
                    }
                }
            });
        }
    }

    /// Unnormalized weight of each state of the variable that a step eliminates.
    ///
    /// The plan must have been run before. `state` has the states of the other variables that the tables of
    /// this step contain.
    pub(crate) fn unnormalized_conditional<A: Semiring>(
        &self,
        step: &EliminationStep,
        tables: &[CptCells<'_>],
        scratch: &FactorScratch,
        state: &[u16],
        out: &mut Vec<f64>,
    ) {
        out.clear();
        out.resize(step.levels, A::ONE);
        let memory =
            InputTables { messages: &scratch.messages, gathered: &scratch.gathered, ones: &scratch.ones };
        for at in step.inputs.clone() {
            let input = &self.inputs[at];
            let digits = step.scope.iter().zip(&input.strides);
            let start: usize = digits.map(|(&v, &stride)| usize::from(state[v as usize]) * stride).sum();
            let cells = &memory.input_cells(tables, input, scratch.places[at])[start..];
            for (level, product) in out.iter_mut().enumerate() {
                *product = A::multiply(*product, cells[level * input.stride]);
            }
        }
    }

    pub(super) fn clique_potential(
        &self,
        step: &EliminationStep,
        tables: &[CptCells<'_>],
        scratch: &FactorScratch,
        out: &mut Vec<f64>,
    ) {
        out.clear();
        out.resize(step.cells * step.levels, 1.0);
        let memory =
            InputTables { messages: &scratch.messages, gathered: &scratch.gathered, ones: &scratch.ones };
        for at in step.inputs.clone() {
            let input = &self.inputs[at];
            let cells = memory.input_cells(tables, input, scratch.places[at]);
            for (block, &high) in out.chunks_exact_mut(step.n_low * step.levels).zip(&input.high) {
                for (states, &low) in block.chunks_exact_mut(step.levels).zip(&input.low) {
                    for (level, product) in states.iter_mut().enumerate() {
                        *product *= cells[(high + low) as usize + level * input.stride];
                    }
                }
            }
        }
    }
}

struct InputTables<'a> {
    messages: &'a [f64],
    gathered: &'a [f64],
    ones: &'a [f64],
}

impl<'a> InputTables<'a> {
    fn input_cells(&self, tables: &[CptCells<'a>], input: &StepInput, place: CellLocation) -> &'a [f64] {
        let (from, begin) = match place {
            CellLocation::Message(at) => (self.messages, at),
            CellLocation::Gathered(at) => (self.gathered, at),
            CellLocation::Ones => (self.ones, 0),
            CellLocation::Table(at) => match input.source {
                CellSource::Table { table, .. } => match tables[table] {
                    CptCells::Whole(cells) => (cells, at),
                    CptCells::Sparse(_) => (&[][..], 0),
                },
                _ => (&[][..], 0),
            },
        };
        &from[begin..][..input.span]
    }
}

impl SparseGather {
    fn gather_sparse_cells(&self, cpt: &Cpt, code: impl Fn(u32) -> u16, out: &mut [f64]) {
        let width = if self.child_is_free { cpt.n_child_states() as usize } else { 1 };
        for (number, part) in out.chunks_exact_mut(width).enumerate() {
            let (mut rest, mut configuration, mut distance) = (number as u64, 0_u64, 1_u64);
            for &(v, levels, free) in self.parents.iter().rev() {
                let levels = u64::from(levels);
                let digit = if free { rest % levels } else { u64::from(code(v)) };
                if free {
                    rest /= levels;
                }
                configuration += digit * distance;
                distance *= levels;
            }
            let row = cpt.row(configuration);
            if self.child_is_free {
                part.copy_from_slice(row);
            } else {
                part[0] = row[usize::from(code(self.child))];
            }
        }
    }
}

fn multiply_and_sum_out<A: Semiring>(
    ops: &[Operand<'_>],
    step: &EliminationStep,
    out: &mut [f64],
    ctl: RunContext<'_>,
) -> Result<f64> {
    match ops.len() {
        0 => {
            out.fill(A::ONE);
            Ok(A::ONE)
        }
        1 => multiply_tables::<A, 1>(ops, step, out, ctl),
        2 => multiply_tables::<A, 2>(ops, step, out, ctl),
        3 => multiply_tables::<A, 3>(ops, step, out, ctl),
        4 => multiply_tables::<A, 4>(ops, step, out, ctl),
        5 => multiply_tables::<A, 5>(ops, step, out, ctl),
        6 => multiply_tables::<A, 6>(ops, step, out, ctl),
        7 => multiply_tables::<A, 7>(ops, step, out, ctl),
        _ => multiply_tables::<A, MOST_OPERANDS>(ops, step, out, ctl),
    }
}

/// Multiplies `K` tables; `K` is a constant, so that the compiler unrolls the loop.
fn multiply_tables<A: Semiring, const K: usize>(
    ops: &[Operand<'_>],
    step: &EliminationStep,
    out: &mut [f64],
    ctl: RunContext<'_>,
) -> Result<f64> {
    let ops = ops.first_chunk::<K>().ok_or_else(|| Error::Internal("a step has too few tables".into()))?;
    let mut largest = A::ZERO;
    for (h, block) in out.chunks_exact_mut(step.n_low).enumerate() {
        ctl.check()?;
        let high = ops.each_ref().map(|op| op.high[h]);
        for (l, cell) in block.iter_mut().enumerate() {
            let mut at: [usize; K] = std::array::from_fn(|k| (high[k] + ops[k].low[l]) as usize);
            let mut folded = A::ZERO;
            for _ in 0..step.levels {
                let mut product = A::ONE;
                for k in 0..K {
                    product = A::multiply(product, ops[k].cells[at[k]]);
                    at[k] += ops[k].stride;
                }
                folded = A::add(folded, product);
            }
            *cell = folded;
            largest = largest.max(folded);
        }
    }
    Ok(largest)
}
