//! Marginal distributions of all variables, computed together on a junction tree.

use super::elimination::{CptCells, FactorScratch, SumProduct, divide_cells, network_tables};
use super::elimination_plan::{CellSource, EliminationPlan, MAX_CELLS, network_factors};
use super::evidence::{evidence_codes, zero_probability_error};
use super::relevance::{RelevantScope, select_relevant_variables};
use crate::network::Network;
use crate::table::MISSING;
use imbcore_core::{Result, RunContext};

/// Marginal distribution of each variable given the evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals {
    /// Distribution of each variable.
    ///
    /// An observed variable has probability 1 in its observed state.
    pub p: Vec<Vec<f64>>,
    /// `ln P(evidence)`.
    pub log_evidence: f64,
}

/// `P(x_i | evidence)` of each variable `i`.
///
/// The cliques of an elimination order form a junction tree, along which messages are passed up and then down
/// (Lauritzen and Spiegelhalter 1988). The way down divides by the messages of the way up, with `0 / 0 = 0`
/// (Jensen, Lauritzen and Olesen 1990). The way down takes about as much time as the way up.
///
/// # Errors
/// Same errors as [`super::posterior`] without `approx`.
pub fn marginals(network: &Network, evidence: &[(u32, u16)], ctl: RunContext<'_>) -> Result<Marginals> {
    let codes = evidence_codes(network, evidence)?;
    let levels = network.n_states_by_variable();
    let part = select_relevant_variables(network, &[], &codes, RelevantScope::All);
    let factors = network_factors(network, &part.families, |v| codes[v as usize] == MISSING, MAX_CELLS)?;
    let plan = EliminationPlan::new(factors, &levels, &[], MAX_CELLS)?;
    let tables = network_tables(network);
    let mut scratch = FactorScratch::default();
    let scale = plan.run::<SumProduct>(&tables, |v| codes[v as usize], &mut scratch, ctl)?;
    let total: f64 = plan.target_table(&scratch).iter().sum();
    if scale == f64::NEG_INFINITY {
        return Err(zero_probability_error(network, &codes));
    }
    let mut p: Vec<Vec<f64>> = levels.iter().map(|&levels| vec![0.0; levels as usize]).collect();
    for (marginal, &code) in p.iter_mut().zip(&codes).filter(|&(_, &code)| code != MISSING) {
        marginal[usize::from(code)] = 1.0;
    }
    plan.pass_messages_down(&tables, &scratch, &mut p, ctl)?;
    Ok(Marginals { p, log_evidence: scale + total.ln() })
}

impl EliminationPlan {
    /// Writes the marginal distribution of each variable in the step that eliminates it.
    fn pass_messages_down(
        &self,
        tables: &[CptCells<'_>],
        scratch: &FactorScratch,
        p: &mut [Vec<f64>],
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let mut back = vec![0.0; self.message_cells];
        if let Some(last) = self.steps.last() {
            back[last.at..][..last.cells].fill(1.0);
        }
        let mut belief = Vec::new();
        for step in self.steps.iter().rev() {
            ctl.check()?;
            self.clique_potential(step, tables, scratch, &mut belief);
            for (states, &weight) in belief.chunks_exact_mut(step.levels).zip(&back[step.at..][..step.cells])
            {
                for cell in states {
                    *cell *= weight;
                }
            }
            let total: f64 = belief.iter().sum();
            divide_cells(&mut belief, total);
            if let Some(v) = step.variable {
                let marginal = &mut p[v as usize];
                for states in belief.chunks_exact(step.levels) {
                    marginal.iter_mut().zip(states).for_each(|(sum, cell)| *sum += cell);
                }
                let sum: f64 = marginal.iter().sum();
                divide_cells(marginal, sum);
            }
            for input in &self.inputs[step.inputs.clone()] {
                let CellSource::Message { at } = input.source else { continue };
                let own = &mut back[at..][..input.span];
                for (block, &high) in belief.chunks_exact(step.n_low * step.levels).zip(&input.high) {
                    for (states, &low) in block.chunks_exact(step.levels).zip(&input.low) {
                        for (level, &cell) in states.iter().enumerate() {
                            own[(high + low) as usize + level * input.stride] += cell;
                        }
                    }
                }
                for (cell, &sent) in own.iter_mut().zip(&scratch.messages[at..][..input.span]) {
                    *cell = if sent > 0.0 { *cell / sent } else { 0.0 };
                }
            }
        }
        Ok(())
    }
}
