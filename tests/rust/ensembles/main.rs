//! Forests, committees, boosting and decompositions: reference outputs (`golden`) and laws that hold on random data
//! (`laws`).

mod golden_boosting;
mod golden_ensembles;
mod laws_boosting;
mod laws_committees;
mod laws_decompose;
mod laws_forests;
mod laws_settled;
