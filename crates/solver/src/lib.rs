//! Mixed-integer linear programs solved by CBC, and a dual simplex method ([`Simplex`]).
//!
//! CBC runs in a separate process connected by pipes, so that a crash or hang of the solver does not affect
//! the caller.
//!
//! Results of CBC are verified: bounds, rows and integrality are checked against the model, the objective is
//! recomputed, and a stop by the time limit is never reported as optimal. [`Simplex`] solves linear programs
//! that are repeatedly modified and solved again.
//!
//! ```no_run
//! use imbcore_core::RunContext;
//! use imbcore_solver::{MipLimits, MipModel, MipStatus, Sense, solve};
//!
//! // max 5 x + 4 y, 6 x + 4 y <= 24, x + 2 y <= 6, x and y whole
//! let mut model = MipModel::new(Sense::Maximize);
//! let (x, y) = (model.add_integer(0.0, 10.0, 5.0), model.add_integer(0.0, 10.0, 4.0));
//! model.add_at_most(&[(x, 6.0), (y, 4.0)], 24.0);
//! model.add_at_most(&[(x, 1.0), (y, 2.0)], 6.0);
//! let outcome = solve(&model, &MipLimits::default(), None, RunContext::silent())?;
//! assert_eq!(outcome.status, MipStatus::Optimal);
//! assert_eq!(outcome.found.map(|found| found.objective), Some(20.0));
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod cbc;
mod command;
mod model;
mod server;
mod simplex;
mod solve;
mod solver_process;
mod wire_format;

pub use command::set_solver_command;
pub use model::{MipModel, ModelVariable, Sense};
pub use server::serve_request;
pub use simplex::{LpStatus, Simplex};
pub use solve::{FoundPoint, MipLimits, MipOutcome, MipStatus, solve};
