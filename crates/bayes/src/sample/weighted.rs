//! Likelihood weighting.

use super::conditional::{conditional_samplers, draw_uniform};
use super::{BLOCK, check_memory, draw_block, join_blocks, run_in_blocks};
use crate::infer::{Posterior, divide_cells, evidence_codes, zero_probability_error};
use crate::network::Network;
use crate::table::DiscreteTable;
use imbcore_core::{Error, Result, RunContext, SeedKey, tags};

/// Rows drawn from a network with observed variables fixed, and their weights.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedSample {
    /// The rows; in all of them, observed variables have their observed states.
    pub table: DiscreteTable,
    /// Weight of each row, divided by the largest weight.
    ///
    /// The weight is the probability of the observed states given the states of their parents in the row.
    pub weights: Vec<f64>,
    /// Effective sample size `(sum w)^2 / sum w^2` (Kish 1965).
    pub effective_size: f64,
    /// Estimate of `ln P(evidence)`: logarithm of the mean of the undivided weights.
    pub log_evidence: f64,
}

/// Draws `n` rows by likelihood weighting (Fung and Chang 1990; Shachter and Peot 1990).
///
/// If the evidence is improbable, a few rows have most of the weight. The effective sample size shows this;
/// exact sampling with [`super::sample_given_evidence`] is then better, if it is feasible.
///
/// # Errors
/// [`Error::Data`] for unknown or repeated variables or states, and if all weights are 0;
/// [`Error::Memory`]; [`Error::Cancelled`].
pub fn likelihood_weighting(
    network: &Network,
    evidence: &[(u32, u16)],
    n: usize,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<WeightedSample> {
    let codes = evidence_codes(network, evidence)?;
    check_memory(network, n)?;
    let samplers = conditional_samplers(network);
    let blocks = run_in_blocks(n, key, |rows, key| draw_block(network, &samplers, &codes, rows, key, ctl))?;
    let (columns, logs): (Vec<_>, Vec<_>) =
        blocks.into_iter().map(|drawn| (drawn.columns, drawn.log_weights)).unzip();
    let (weights, log_evidence) =
        relative_weights(logs.concat()).ok_or_else(|| zero_probability_error(network, &codes))?;
    let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    let table = join_blocks(network, n, columns)?;
    Ok(WeightedSample {
        table,
        weights,
        effective_size: if n == 0 { 0.0 } else { sum * sum / squares },
        log_evidence,
    })
}

/// Weights divided by the largest weight, and the logarithm of the mean original weight.
///
/// `logs` has the logarithms of the original weights. Returns `None` if all weights are 0.
fn relative_weights(mut logs: Vec<f64>) -> Option<(Vec<f64>, f64)> {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY && !logs.is_empty() {
        return None;
    }
    for log in &mut logs {
        *log = (*log - largest).exp();
    }
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    Some((logs, largest + mean.ln()))
}

impl WeightedSample {
    /// Draws `n` rows with replacement, with probabilities proportional to their weights.
    ///
    /// The result is a sample without weights.
    ///
    /// # Errors
    /// [`Error::Data`] if there are no rows with positive weight.
    pub fn resample(&self, n: usize, key: SeedKey) -> Result<DiscreteTable> {
        let mut sums = self.weights.clone();
        let mut total = 0.0;
        for sum in &mut sums {
            total += *sum;
            *sum = total;
        }
        let Some(last) = self.weights.iter().rposition(|&weight| weight > 0.0) else {
            return Err(Error::Data("there are no rows with positive weight to draw from".into()));
        };
        let mut rows = Vec::with_capacity(n);
        for block in 0..n.div_ceil(BLOCK) {
            let mut rng = key.child(tags::network_rows::RESAMPLE, block as u32).rng();
            for _ in 0..BLOCK.min(n - block * BLOCK) {
                let wanted = draw_uniform(&mut rng) * total;
                rows.push(sums.partition_point(|&sum| sum <= wanted).min(last) as u32);
            }
        }
        Ok(self.table.select_rows(&rows))
    }
}

/// Standard errors are computed by linearization, because an estimate is a ratio of means.
pub(crate) fn estimate_query_by_sampling(
    network: &Network,
    targets: &[u32],
    evidence: &[(u32, u16)],
    n: usize,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<Posterior> {
    let codes = evidence_codes(network, evidence)?;
    let (samplers, levels) = (conditional_samplers(network), network.n_states_by_variable());
    let states: Vec<u32> = targets.iter().map(|&v| levels[v as usize]).collect();
    let cells = states.iter().try_fold(1_u32, |cells, &levels| cells.checked_mul(levels));
    let Some(cells) = cells.filter(|&cells| u64::from(cells) <= crate::infer::MAX_CELLS && n > 0) else {
        let message = "sampling requires approx of at least 1 and a smaller number of target variables";
        return Err(Error::Unsupported(message.into()));
    };
    // To save memory, only the joint state of the targets and the weight are stored for each row.
    let blocks = run_in_blocks(n, key, |rows, key| {
        let drawn = draw_block(network, &samplers, &codes, rows, key, ctl)?;
        let mut at = vec![0_u32; rows];
        for (&v, &levels) in targets.iter().zip(&states) {
            let column = &drawn.columns[v as usize];
            at.iter_mut().zip(column).for_each(|(at, &code)| *at = *at * levels + u32::from(code));
        }
        Ok((at, drawn.log_weights))
    })?;
    let (at, logs): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
    let (weights, log_evidence) =
        relative_weights(logs.concat()).ok_or_else(|| zero_probability_error(network, &codes))?;
    let (mut p, mut squares) = (vec![0.0; cells as usize], vec![0.0; cells as usize]);
    for (&at, &weight) in at.iter().flatten().zip(&weights) {
        p[at as usize] += weight;
        squares[at as usize] += weight * weight;
    }
    let (total, all): (f64, f64) = (p.iter().sum(), squares.iter().sum());
    divide_cells(&mut p, total);
    // sum w^2 (1[x = a] - p)^2 = (1 - 2 p) sum w^2 1[x = a] + p^2 sum w^2
    let error = |(p, own): (&f64, &f64)| ((1.0 - 2.0 * p) * own + p * p * all).max(0.0).sqrt() / total;
    let standard_error = p.iter().zip(&squares).map(error).collect();
    Ok(Posterior {
        variables: targets.to_vec(),
        levels: states,
        p,
        log_evidence,
        standard_error: Some(standard_error),
    })
}
