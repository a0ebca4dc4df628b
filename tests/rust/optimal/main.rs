//! Optimal trees: reference outputs (`golden`), and complete enumeration on tiny tables (`laws`).

mod golden_optimal;
mod laws_certificates;
mod laws_floors;
mod laws_optimal;
