//! Box drawings: reference outputs (`golden`) and properties of random data (`properties`).

mod golden_exact;
mod properties_bound;
mod properties_boxes;
mod properties_exact;
mod properties_rule_list;
