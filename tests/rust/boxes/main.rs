//! Box drawings: reference outputs (`golden`) and laws that hold on random data (`laws`).

mod golden_exact;
mod laws_bound;
mod laws_boxes;
mod laws_exact;
mod laws_rule_list;
