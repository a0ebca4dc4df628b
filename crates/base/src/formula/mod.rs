//! A fitted model written out: steps from the values of a row to its probabilities and its answer, which programs in other
//! languages and files for other libraries are made of.
//!
//! Every step makes a few numbers of a row out of those of steps before it. Families write themselves as steps once; whoever writes
//! a file reads steps only, and knows of no family.

mod draft;
mod step;

pub use draft::{Draft, Vector};
pub use step::{Node, Op, Plan, Rule, Split, Step, Test, Wanted};
