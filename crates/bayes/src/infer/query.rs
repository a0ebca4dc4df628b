//! Queries: the joint distribution of some variables given observed variables.

use super::elimination::{FactorScratch, SumProduct, network_tables};
use super::elimination_plan::{EliminationPlan, MAX_CELLS, network_factors};
use super::evidence::{evidence_codes, zero_probability_error};
use super::posterior::Posterior;
use super::relevance::{RelevantScope, select_relevant_variables};
use crate::network::Network;
use crate::sample::estimate_query_by_sampling;
use crate::table::MISSING;
use imbcore_core::{Error, Result, RunContext, SeedKey};

/// Settings of one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuerySettings {
    /// Maximum number of cells of a table in exact inference; 2^24 by default.
    pub max_cells: u64,
    /// Number of weighted samples used if exact inference needs more than `max_cells` cells.
    ///
    /// `None` makes this case an error.
    pub approx: Option<usize>,
    /// Random key of the weighted samples.
    pub key: SeedKey,
}

impl Default for QuerySettings {
    fn default() -> Self {
        Self { max_cells: MAX_CELLS, approx: None, key: SeedKey::root(0) }
    }
}

/// `P(targets | evidence)` and `ln P(evidence)`, by variable elimination.
///
/// # Errors
/// [`Error::Data`] for unknown or repeated variables or states, an observed target, and evidence of
/// probability 0; [`Error::Unsupported`] if a table would exceed `settings.max_cells` and
/// `settings.approx` is not set; [`Error::Cancelled`].
pub fn posterior(
    network: &Network,
    targets: &[u32],
    evidence: &[(u32, u16)],
    settings: &QuerySettings,
    ctl: RunContext<'_>,
) -> Result<Posterior> {
    let codes = evidence_codes(network, evidence)?;
    let targets = validate_and_sort_targets(network, targets, &codes)?;
    match (exact_posterior(network, &targets, &codes, settings.max_cells, ctl), settings.approx) {
        (Err(Error::Unsupported(_)), Some(n)) => {
            estimate_query_by_sampling(network, &targets, evidence, n, settings.key, ctl)
        }
        (Err(Error::Unsupported(why)), None) => {
            Err(Error::Unsupported(format!("{why}, or set approx to a number of weighted samples")))
        }
        (answer, _) => answer,
    }
}

fn validate_and_sort_targets(network: &Network, targets: &[u32], codes: &[u16]) -> Result<Vec<u32>> {
    let mut sorted = targets.to_vec();
    sorted.sort_unstable();
    if sorted.is_empty() {
        return Err(Error::Data("a query needs at least one target variable".into()));
    }
    for &target in &sorted {
        match network.variables().get(target as usize) {
            None => {
                let n = network.n_variables();
                return Err(Error::Data(format!(
                    "the query target is variable {target}, but there are only {n} variables"
                )));
            }
            Some(variable) if codes[target as usize] != MISSING => {
                let name = &variable.name;
                return Err(Error::Data(format!(
                    "{name:?} is both a target and evidence; remove it from one of them"
                )));
            }
            Some(_) => {}
        }
    }
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let name = &network.variables()[twice[0] as usize].name;
        return Err(Error::Data(format!("{name:?} is a target twice; name it once")));
    }
    Ok(sorted)
}

fn exact_posterior(
    network: &Network,
    targets: &[u32],
    codes: &[u16],
    max_cells: u64,
    ctl: RunContext<'_>,
) -> Result<Posterior> {
    let levels = network.n_states_by_variable();
    let part = select_relevant_variables(network, targets, codes, RelevantScope::Ancestors);
    let factors = network_factors(network, &part.families, |v| codes[v as usize] == MISSING, max_cells)?;
    let plan = EliminationPlan::new(factors, &levels, targets, max_cells)?;
    let mut scratch = FactorScratch::default();
    let scale = plan.run::<SumProduct>(&network_tables(network), |v| codes[v as usize], &mut scratch, ctl)?;
    if scale == f64::NEG_INFINITY {
        return Err(zero_probability_error(network, codes));
    }
    let table = plan.target_table(&scratch);
    let sum: f64 = table.iter().sum();
    Ok(Posterior {
        variables: targets.to_vec(),
        levels: targets.iter().map(|&v| levels[v as usize]).collect(),
        p: table.iter().map(|cell| cell / sum).collect(),
        log_evidence: scale + sum.ln(),
        standard_error: None,
    })
}
