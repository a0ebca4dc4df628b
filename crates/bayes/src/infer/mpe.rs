//! Most probable explanation: the jointly most probable states of all variables.

use super::elimination::{CptCells, FactorScratch, MaxProduct, Semiring, network_tables};
use super::elimination_plan::{EliminationPlan, MAX_CELLS, network_factors};
use super::evidence::{evidence_codes, zero_probability_error};
use super::family_logs::{cpt_cell_position, family_variables};
use super::relevance::{RelevantScope, select_relevant_variables};
use crate::network::Network;
use crate::table::MISSING;
use imbcore_core::{Result, RunContext};

/// Most probable states of all variables, and their probability.
#[derive(Clone, Debug, PartialEq)]
pub struct MostProbableExplanation {
    /// State of each variable, including the observed variables.
    pub codes: Vec<u16>,
    /// `ln P(codes)`.
    pub log_probability: f64,
}

/// The most probable joint states given the evidence, by max-product elimination.
///
/// Several joint states may be most probable. Then the variable that is eliminated last gets the lowest
/// possible code, next the variable that is eliminated before it, and so on.
///
/// # Errors
/// Same errors as [`super::posterior`] without `approx`.
pub fn most_probable_explanation(
    network: &Network,
    evidence: &[(u32, u16)],
    ctl: RunContext<'_>,
) -> Result<MostProbableExplanation> {
    let mut codes = evidence_codes(network, evidence)?;
    let part = select_relevant_variables(network, &[], &codes, RelevantScope::All);
    let factors = network_factors(network, &part.families, |v| codes[v as usize] == MISSING, MAX_CELLS)?;
    let plan = EliminationPlan::new(factors, &network.n_states_by_variable(), &[], MAX_CELLS)?;
    let tables = network_tables(network);
    let mut scratch = FactorScratch::default();
    let scale = plan.run::<MaxProduct>(&tables, |v| codes[v as usize], &mut scratch, ctl)?;
    if scale == f64::NEG_INFINITY {
        return Err(zero_probability_error(network, &codes));
    }
    plan.write_maximizer::<MaxProduct>(&tables, &scratch, &mut codes);
    let log_probability = log_joint(network, &codes);
    Ok(MostProbableExplanation { codes, log_probability })
}

fn log_joint(network: &Network, codes: &[u16]) -> f64 {
    let family = |(child, cpt): (usize, &crate::cpt::Cpt)| {
        let (configuration, code) =
            cpt_cell_position(&family_variables(cpt, child as u32), |v| codes[v as usize]);
        cpt.row(configuration)[code].ln()
    };
    network.cpts().iter().enumerate().map(family).sum()
}

impl EliminationPlan {
    /// Writes the states of the maximum to `codes`; the plan must have been run before.
    pub(super) fn write_maximizer<A: Semiring>(
        &self,
        tables: &[CptCells<'_>],
        scratch: &FactorScratch,
        codes: &mut [u16],
    ) {
        let mut values = Vec::new();
        for (v, step) in self.reverse_elimination_steps() {
            self.unnormalized_conditional::<A>(step, tables, scratch, codes, &mut values);
            let mut best = 0;
            for (level, &value) in values.iter().enumerate() {
                if value > values[best] {
                    best = level;
                }
            }
            codes[v as usize] = best as u16;
        }
    }
}
