//! Upper limit of the sum of weights.

use crate::error::{Error, Result};

/// Largest sum of weights.
/// Products of two sums, and of costs with a sum, then stay finite.
const LARGEST_SUM: f64 = 1e100;

pub(crate) fn check_weight_sum(sum: f64, name: &str) -> Result<()> {
    if sum <= LARGEST_SUM {
        return Ok(());
    }
    Err(Error::Data(format!(
        "{name} sums to {sum:e}, but must sum to at most {LARGEST_SUM:e}; divide all weights by the same number"
    )))
}
