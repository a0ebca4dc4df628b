//! Limit of the size of a random sample.

use serde::{Deserialize, Serialize};

/// Number of rows or columns of a tree or another member.
///
/// If rows have groups, groups are counted instead of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MaxSamples {
    /// A number of rows, groups or columns.
    Count(u32),
    /// A fraction of all rows, groups or columns.
    ///
    /// If classes are balanced, it is a fraction of the number of rows that would be drawn from each class.
    Share(f64),
}

impl MaxSamples {
    pub(crate) fn is_valid(&self) -> bool {
        match *self {
            Self::Count(count) => count >= 1,
            Self::Share(share) => share > 0.0 && share <= 1.0,
        }
    }

    /// Number of rows, groups or columns; `usual` without a limit.
    pub(crate) fn resolve(max_samples: Option<&Self>, usual: usize) -> usize {
        match max_samples {
            None => usual,
            Some(&Self::Count(count)) => count as usize,
            #[allow(clippy::cast_sign_loss)] // Fractions are positive.
            Some(&Self::Share(share)) => ((share * usual as f64) as usize).max(1),
        }
    }
}
