//! Target statistics of the levels of nominal columns.
//!
//! References: Micci-Barreca 2001; Prokhorenkova et al. 2018.
//!
//! The statistic of a level is its shrunken deviation from the class proportion: `(s - n p) / (n + a)`. Here,
//! `s` is the weight of the class in the level, `n` the total weight of the level, `p` the proportion of the
//! class in all rows, and `a` the prior strength. A level without rows has the statistic 0. A tree splits
//! such a column by a threshold on the statistic.
//!
//! The statistic of a training row is computed only from rows before it in a random order or, if rows have
//! times, in the order of time. Thus the row's own label affects it only by the choice of `a`. At prediction,
//! the statistic of a level is computed from all training rows.

mod encoded;
mod formula;
mod row_order;
mod statistic_table;
mod stored;
mod target_statistics;

pub use encoded::{EncodedData, target_statistics_error};
pub use statistic_table::{TargetStatisticTable, TargetStatisticTables};
pub(crate) use target_statistics::StatisticSample;
