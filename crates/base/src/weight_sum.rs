//! Limit of the sum of weights.

use crate::error::{Error, Result};

/// Largest sum of weights: products of two sums and of costs with a sum stay finite.
const LARGEST_SUM: f64 = 1e100;

/// Refuses weights, called `name`, whose sum is so large that sums of products would not be finite.
pub(crate) fn check_sum(sum: f64, name: &str) -> Result<()> {
    if sum <= LARGEST_SUM {
        return Ok(());
    }
    Err(Error::Data(format!(
        "{name} adds up to {sum:e}, beyond {LARGEST_SUM:e}; divide all weights by the same number"
    )))
}
