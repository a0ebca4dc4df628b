//! Mixed-integer linear programs: a plain sparse model, and its solution by CBC with every answer checked; and linear
//! programs that are changed and solved again, by a dual simplex of our own ([`Simplex`]).
//!
//! CBC runs in a process of its own, fed and answered over pipes: it may crash, hang or be killed, and its caller lives.
//!
//! A solver's word is not taken: bounds, rows and integrality of what it returns are checked against the model, the
//! objective is recomputed, and a stop by time is never taken for a solution.
//!
//! ```no_run
//! use imbcore_base::RunCtl;
//! use imbcore_mip::{MipLimits, MipModel, MipStatus, Sense, solve};
//!
//! // max 5 x + 4 y, 6 x + 4 y <= 24, x + 2 y <= 6, x and y whole
//! let mut model = MipModel::new(Sense::Maximise);
//! let (x, y) = (model.integer(0.0, 10.0, 5.0), model.integer(0.0, 10.0, 4.0));
//! model.at_most(&[(x, 6.0), (y, 4.0)], 24.0);
//! model.at_most(&[(x, 1.0), (y, 2.0)], 6.0);
//! let outcome = solve(&model, &MipLimits::default(), None, RunCtl::silent())?;
//! assert_eq!(outcome.status, MipStatus::Optimal);
//! assert_eq!(outcome.found.map(|found| found.objective), Some(20.0));
//! # Ok::<(), imbcore_base::Error>(())
//! ```
#![forbid(unsafe_code)]

mod cbc;
mod command;
mod model;
mod process;
mod serve;
mod simplex;
mod solve;
mod wire;

pub use command::set_solver;
pub use model::{Col, MipModel, Sense};
pub use serve::serve;
pub use simplex::{LpStatus, Simplex};
pub use solve::{FoundPoint, MipLimits, MipOutcome, MipStatus, solve};
