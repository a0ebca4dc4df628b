//! Exact trees: reference outputs (`golden`), and complete enumeration of all trees of tiny tables (`properties`).

mod golden_optimal;
mod properties_certificates;
mod properties_constraints;
mod properties_optimal;
