//! A linear program that is changed a little and solved again: a dual simplex method that keeps its basis.
//!
//! `minimise cost x, A x >= b, lower <= x <= upper` with finite bounds. Every variable then has a bound at which its
//! reduced cost has the right sign, so that any basis is dual feasible once the variables outside it are put there:
//! rows and columns may come, rows go and bounds move between two solutions, and the method starts where it ended (Lemke
//! 1954; bounds are passed in one step where that pays, Maros 2003). The dictionary is kept as a dense table, `x_B = f + T x_N`:
//! the programs here have some hundred rows and columns, most entries of which are not 0.
//!
//! Costs are raised a little, each by another share, so that no two bases are equally good: otherwise most steps gain
//! nothing, and the method may walk in circles (Charnes 1952). The optimum of such costs is within that share of the
//! true one. Of the variables that miss their bounds the one leaves that misses them by most steps of its row's length.
//!
//! An answer is believed only if it keeps every row and its prices prove it, both by the program's own numbers; if
//! not, the table is made anew.

mod change;
mod program;
mod proof;
mod steps;
#[cfg(test)]
mod tests;

pub use program::Simplex;
pub use steps::LpStatus;
