//! Exact Boxes: the drawing of at most `K` boxes that is best on the training rows, proven so.

mod ascent;
mod branch;
mod certificate;
mod closing;
mod codes;
mod column;
mod columns;
mod compact;
mod decode;
#[cfg(test)]
mod drawn;
mod ground;
mod knowledge;
mod learner;
mod level;
mod listing;
mod losses;
mod master;
mod paper;
mod params;
mod partial;
mod path;
mod plain;
mod prices;
mod pricing;
mod problem;
mod proof;
mod prove;
mod recheck;
mod search;
mod solve;
mod stack;
mod stored;
mod tariff;
mod trail;

pub use certificate::verify;
pub use decode::{Decode, decode};
pub use imbcore_base::budget::{Limits, Status};
pub use learner::ExactBoxesLearner;
pub use params::{ExactBoxesParams, Start};
pub use partial::Heuristic;
pub use path::path;
pub use problem::{Goal, Rows, Score, Walls, score};
pub use proof::{Check, Proof, Verification};
pub use recheck::recheck;
pub use solve::{Exact, ExactSettings, Formulation, solve};
