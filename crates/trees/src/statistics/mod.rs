//! Target statistics of the levels of nominal columns (Micci-Barreca 2001; Prokhorenkova et al. 2018).
//!
//! The statistic of a level is its shrunken deviation from the class proportion: `(s - n p) / (n + a)`, where `s` is
//! the weight of the class among the `n` rows of the level, `p` the proportion of the class, and `a` the prior
//! strength. A level without rows has the statistic 0. A tree splits such a column by a threshold on the statistic.
//!
//! A training row gets an ordered statistic, computed only from rows before it in a random order. It thus never
//! depends on the row's own label. At prediction, the statistic of all training rows is used.

mod encoded;
mod formula;
mod history;
mod ordered;
mod stored;
mod table;

pub use encoded::{EncodedData, target_statistics_error};
pub(crate) use ordered::StatisticSample;
pub use table::{LevelStatistics, StatisticTable};
