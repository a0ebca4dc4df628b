//! Dual simplex method for linear programs that are modified and solved again.
//!
//! `minimize cost x, A x >= b, lower <= x <= upper` with finite bounds. Every nonbasic variable then has a
//! bound at which its reduced cost has the right sign, so any basis is dual feasible with the nonbasic
//! variables at these bounds. Rows and columns may be added, rows removed and bounds changed between two
//! solutions, and the method continues from the last basis (Lemke 1954; bound flipping ratio test, Maros 2003).
//! The dictionary is stored as a dense table, `x_B = f + T x_N`: the programs here have some hundred rows and
//! columns with mostly nonzero entries.
//!
//! Costs are perturbed slightly, each by a different fraction, so that no two bases have the same objective:
//! otherwise most steps are degenerate and the method may cycle (Charnes 1952). The optimum of the perturbed
//! costs is within that fraction of the true one. The leaving variable has the largest bound violation relative
//! to the norm of its row (dual steepest edge).
//!
//! A solution is accepted only if it satisfies every row and its dual values prove it, both by the program's
//! original numbers. Otherwise the table is rebuilt.

mod change;
mod program;
mod proof;
mod steps;
#[cfg(test)]
mod tests;

pub use program::Simplex;
pub use steps::LpStatus;
