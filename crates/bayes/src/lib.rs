//! Bayesian networks over discrete variables, and classifiers made of them for classes of which one is rare (Morán Jiménez
//! 2018): discretisation, scores, structure search, priors that undo imbalance, and exact inference.
#![forbid(unsafe_code)]

pub mod counts;
mod cpt;
mod dag;
mod network;
pub mod search;
mod table;

pub use cpt::{Cpt, DENSE_CELLS};
pub use dag::Dag;
pub use network::{Network, Variable};
pub use table::{DiscreteTable, MISSING};
