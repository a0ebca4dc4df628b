//! Exact samples given evidence.

use super::conditional::{conditional_samplers, draw_uniform, index_at_cumulative_fraction};
use super::{check_memory, join_blocks, run_in_blocks};
use crate::infer::{
    EliminationPlan, FactorScratch, MAX_CELLS, RelevantScope, SumProduct, evidence_codes, network_factors,
    network_tables, select_relevant_variables, zero_probability_error,
};
use crate::network::Network;
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::{Result, RunContext, SeedKey};

/// Draws `n` independent rows of `P(all variables | evidence)`.
///
/// Variable elimination runs once. Each row is then drawn by going through its steps backwards (Dawid 1992).
/// Variables without observed descendants are drawn afterwards, parents before children. No row is rejected
/// or weighted, even if the evidence is rare.
///
/// # Errors
/// Same errors as [`crate::infer::posterior`] with exact inference, also for tables that are too large.
pub fn sample_given_evidence(
    network: &Network,
    evidence: &[(u32, u16)],
    n: usize,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<DiscreteTable> {
    let codes = evidence_codes(network, evidence)?;
    let part = select_relevant_variables(network, &[], &codes, RelevantScope::Ancestors);
    let factors = network_factors(network, &part.families, |v| codes[v as usize] == MISSING, MAX_CELLS)?;
    let plan = EliminationPlan::new(factors, &network.n_states_by_variable(), &[], MAX_CELLS)?;
    let tables = network_tables(network);
    let mut scratch = FactorScratch::default();
    if plan.run::<SumProduct>(&tables, |v| codes[v as usize], &mut scratch, ctl)? == f64::NEG_INFINITY {
        return Err(zero_probability_error(network, &codes));
    }
    let samplers = conditional_samplers(network);
    let barren: Vec<u32> = network
        .topological_order()
        .iter()
        .copied()
        .filter(|v| codes[*v as usize] == MISSING && part.hidden.binary_search(v).is_err())
        .collect();
    check_memory(network, n)?;
    let blocks = run_in_blocks(n, key, |rows, key| {
        let mut rng = key.rng();
        let mut columns: Vec<Vec<u16>> = codes.iter().map(|_| Vec::with_capacity(rows)).collect();
        let (mut row, mut weights) = (codes.clone(), Vec::new());
        for _ in 0..rows {
            ctl.check()?;
            for (v, step) in plan.reverse_elimination_steps() {
                plan.unnormalized_conditional::<SumProduct>(step, &tables, &scratch, &row, &mut weights);
                row[v as usize] = index_at_cumulative_fraction(&weights, draw_uniform(&mut rng));
            }
            for &v in &barren {
                let conditional = &samplers[v as usize];
                row[v as usize] = conditional.draw_state(conditional.parent_configuration(&row), &mut rng);
            }
            columns.iter_mut().zip(&row).for_each(|(column, &code)| column.push(code));
        }
        Ok(columns)
    })?;
    join_blocks(network, n, blocks)
}
