//! Samples the state of one variable given the states of its parents.

use crate::cpt::Cpt;
use crate::network::Network;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// A uniform number in [0, 1) with 53 random bits.
pub(super) fn draw_uniform(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
}

/// First state at which the cumulative sum of `weights` exceeds `u` times their total.
///
/// The state has a positive weight, unless all weights are 0.
pub(super) fn index_at_cumulative_fraction(weights: &[f64], u: f64) -> u16 {
    let (wanted, mut sum, mut state) = (u * weights.iter().sum::<f64>(), 0.0, 0);
    for (at, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
        state = at as u16;
        sum += weight;
        if wanted < sum {
            break;
        }
    }
    state
}

pub(super) struct ConditionalSampler<'n> {
    cpt: &'n Cpt,
    levels: usize,
    digits: Vec<(u32, u64)>,
    /// Cumulative sums of each row of a dense table; `None` for a sparse table.
    ///
    /// From the last state with positive probability on, they are infinite, so that rounding cannot make a
    /// random number exceed them.
    sums: Option<Vec<f64>>,
}

pub(super) fn conditional_samplers(network: &Network) -> Vec<ConditionalSampler<'_>> {
    network.cpts().iter().map(ConditionalSampler::new).collect()
}

impl<'n> ConditionalSampler<'n> {
    fn new(cpt: &'n Cpt) -> Self {
        let levels = cpt.n_child_states() as usize;
        let mut distance = 1;
        let mut digits: Vec<(u32, u64)> = Vec::new();
        for (&v, &states) in cpt.parents().iter().zip(cpt.n_states_by_parent()).rev() {
            digits.push((v, distance));
            distance *= u64::from(states);
        }
        let running = |row: &[f64]| {
            let last = row.iter().rposition(|&p| p > 0.0).unwrap_or(0);
            let mut sum = 0.0;
            let step = move |(at, &p): (usize, &f64)| {
                sum += p;
                if at < last { sum } else { f64::INFINITY }
            };
            row.iter().enumerate().map(step).collect::<Vec<_>>()
        };
        let sums = cpt.cells().map(|cells| cells.chunks_exact(levels).flat_map(running).collect());
        Self { cpt, levels, digits, sums }
    }

    pub(super) fn compute_configurations(&self, columns: &[Vec<u16>], rows: usize, out: &mut Vec<u64>) {
        out.clear();
        out.resize(rows, 0);
        for &(v, distance) in &self.digits {
            for (place, &code) in out.iter_mut().zip(&columns[v as usize]) {
                *place += u64::from(code) * distance;
            }
        }
    }

    pub(super) fn parent_configuration(&self, codes: &[u16]) -> u64 {
        self.digits.iter().map(|&(v, distance)| u64::from(codes[v as usize]) * distance).sum()
    }

    pub(super) fn probability(&self, configuration: u64, code: u16) -> f64 {
        self.cpt.row(configuration)[usize::from(code)]
    }

    pub(super) fn draw_state(&self, configuration: u64, rng: &mut ChaCha8Rng) -> u16 {
        let u = draw_uniform(rng);
        match &self.sums {
            None => index_at_cumulative_fraction(self.cpt.row(configuration), u),
            Some(sums) => {
                let row = &sums[configuration as usize * self.levels..][..self.levels];
                if self.levels <= 16 {
                    row.iter().filter(|&&sum| sum <= u).count() as u16
                } else {
                    row.partition_point(|&sum| sum <= u) as u16
                }
            }
        }
    }
}
