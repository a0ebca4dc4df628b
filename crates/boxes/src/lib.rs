//! Box drawings: readable rules for a rare class (Goh and Rudin 2014).
//!
//! ```
//! use imbcore_base::RunCtl;
//! use imbcore_boxes::exact::{ExactSettings, Goal, Rows, Status, solve};
//!
//! // One feature, two groups of the rare class with common rows between and around them.
//! let columns = vec![vec![-0.9, -0.5, -0.4, 0.0, 0.4, 0.5, 0.9]];
//! let positive = [false, true, true, false, true, true, false];
//! let rows = Rows::new(&columns, &positive)?;
//! let settings = ExactSettings { goal: Goal { n_boxes: 2, ..Goal::default() }, ..ExactSettings::default() };
//! let exact = solve(&rows, &settings, &[], RunCtl::silent())?;
//! assert_eq!(exact.status, Status::Optimal);
//! assert_eq!(exact.boxes.len(), 2);
//! assert_eq!(exact.score.objective, 4.0 + 3.0 - 2.0 * 0.5);
//! # Ok::<(), imbcore_base::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod exact;
