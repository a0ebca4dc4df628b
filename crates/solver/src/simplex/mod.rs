//! Dual simplex method for linear programs that are modified and solved again.
//!
//! The programs are `minimize cost x, A x >= b, lower <= x <= upper` with finite bounds. So every nonbasic
//! variable has a bound at which its reduced cost has the right sign. A slack has only a lower bound, so its
//! reduced cost, the dual value of its row, must be at least 0. Between two solutions, rows and columns may
//! be added or removed and bounds changed. The method then continues from the last basis (Lemke 1954; bound
//! flipping ratio test, Maros 2003). The dictionary `x_B = f + T x_N` is stored as a dense table, because the
//! programs here have a few hundred rows and columns with mostly nonzero entries.
//!
//! Each cost is increased by a different small fraction of `max(|cost|, 1)`, so that different bases have
//! different objectives. Otherwise most steps would be degenerate, and the method might cycle (Charnes 1952).
//! The increases change the objective of a point `x` by at most the largest fraction times
//! `sum_j max(|cost_j|, 1) |x_j|`. The leaving variable is the one with the largest bound violation relative
//! to the norm of its row (dual steepest edge).
//!
//! A solution is accepted only if it satisfies every row and its dual values prove that it is optimal. Both
//! are checked with the original numbers of the program instead of the table. If the check fails, the table
//! is rebuilt.

mod iterations;
mod modification;
mod program;
mod proof;
#[cfg(test)]
mod tests;

pub use iterations::LpStatus;
pub use program::Simplex;
