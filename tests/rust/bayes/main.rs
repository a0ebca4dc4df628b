//! Discretisers and Bayesian networks: reference outputs (`golden`) and laws that hold on random data (`laws`).

mod common;
mod golden_discretize;
mod laws_files;
mod laws_infer;
mod laws_sample;
mod laws_search;
