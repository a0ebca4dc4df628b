//! Discretizers and Bayesian networks: reference outputs (`golden`) and properties of random data (`properties`).

mod common;
mod golden_discretize;
mod properties_files;
mod properties_infer;
mod properties_sample;
mod properties_search;
