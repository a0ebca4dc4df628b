//! Exact trees: reference outputs (`golden`), and complete enumeration of all trees of tiny tables (`laws`).

mod golden_optimal;
mod laws_certificates;
mod laws_floors;
mod laws_optimal;
