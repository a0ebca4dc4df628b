//! Samples of a network: without evidence, weighted by evidence, and exact given evidence.
//!
//! Each block of 4,096 rows has its own random stream, so the same seed gives the same rows on any number of
//! threads.

mod conditional;
mod given;
mod weighted;

pub use given::sample_given_evidence;
pub(crate) use weighted::estimate_query_by_sampling;
pub use weighted::{WeightedSample, likelihood_weighting};

use crate::network::Network;
use crate::table::{DiscreteTable, MISSING};
use conditional::{ConditionalSampler, conditional_samplers};
use imbcore_core::{Result, RunContext, SeedKey, memory, parallel, tags};

const BLOCK: usize = 4096;
/// Draws `n` rows of the joint distribution, parents before children (ancestral sampling).
///
/// See Henrion 1988, "logic sampling".
///
/// # Errors
/// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
pub fn forward_sample(
    network: &Network,
    n: usize,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<DiscreteTable> {
    check_memory(network, n)?;
    let (samplers, nothing) = (conditional_samplers(network), vec![MISSING; network.n_variables()]);
    let blocks = run_in_blocks(n, key, |rows, key| {
        Ok(draw_block(network, &samplers, &nothing, rows, key, ctl)?.columns)
    })?;
    join_blocks(network, n, blocks)
}

struct SampledBlock {
    columns: Vec<Vec<u16>>,
    log_weights: Vec<f64>,
}

/// Draws one block of rows, parents before children.
///
/// An observed variable has its observed state in all rows, and multiplies the weight of each row by the
/// probability of this state.
fn draw_block(
    network: &Network,
    samplers: &[ConditionalSampler<'_>],
    observed: &[u16],
    rows: usize,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<SampledBlock> {
    let mut rng = key.rng();
    let mut columns = vec![Vec::new(); samplers.len()];
    let mut log_weights = vec![0.0; rows];
    let mut configurations = Vec::new();
    for &v in network.topological_order() {
        ctl.check()?;
        let conditional = &samplers[v as usize];
        conditional.compute_configurations(&columns, rows, &mut configurations);
        let code = observed[v as usize];
        columns[v as usize] = if code == MISSING {
            configurations
                .iter()
                .map(|&configuration| conditional.draw_state(configuration, &mut rng))
                .collect()
        } else {
            for (log, &configuration) in log_weights.iter_mut().zip(&configurations) {
                *log += conditional.probability(configuration, code).ln();
            }
            vec![code; rows]
        };
    }
    Ok(SampledBlock { columns, log_weights })
}

fn check_memory(network: &Network, n: usize) -> Result<()> {
    memory::check_values_fit_in_memory::<u16>(n.saturating_mul(2 * network.n_variables()), "random rows")
}

fn run_in_blocks<T: Send>(
    n: usize,
    key: SeedKey,
    task: impl Fn(usize, SeedKey) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    parallel::try_map(0..n.div_ceil(BLOCK), |block| {
        task(BLOCK.min(n - block * BLOCK), key.child(tags::network_rows::BLOCK, block as u32))
    })
}

fn join_blocks(network: &Network, n: usize, blocks: Vec<Vec<Vec<u16>>>) -> Result<DiscreteTable> {
    let mut columns: Vec<Vec<u16>> = (0..network.n_variables()).map(|_| Vec::with_capacity(n)).collect();
    for block in blocks {
        for (column, part) in columns.iter_mut().zip(block) {
            column.extend(part);
        }
    }
    DiscreteTable::new(columns, network.n_states_by_variable())
}
