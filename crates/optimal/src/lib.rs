//! Decision trees of small depth that are proven best: for every cost of the two kinds of error, hence for every F-measure.
#![forbid(unsafe_code)]

mod hull;
mod line;
mod measure;
mod packed;
mod pairs;
mod plan;
mod prices;
mod search;
mod sketch;
mod solve;
mod solver;
mod stump;
mod subset;
mod table;

pub use hull::{Hull, Slope, Vertex, hull};
pub use plan::{Plan, PlanCut, PlanNode};
pub use solve::{Family, Solution, Tariff, solve};
pub use table::Table;
