//! Exact Boxes: the drawing of at most `K` boxes that is best on the training rows, proven so.

mod bits;
mod budget;
mod closing;
mod codes;
mod column;
mod columns;
mod compact;
mod paper;
mod pricing;
mod problem;
mod prove;
mod search;
mod solve;

pub use budget::{Limits, Status};
pub use columns::Dual;
pub use problem::{Goal, Rows, Score, Walls, score, shrunk};
pub use solve::{Exact, ExactSettings, Formulation, solve};
