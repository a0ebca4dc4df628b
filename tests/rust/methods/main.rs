//! Every registered method: laws, bytes and files.

mod bytes;
mod golden_models;
mod laws_coded;
mod laws_damaged_file;
mod laws_drawn;
mod laws_methods;
mod laws_model_file;
mod laws_row_costs;
mod same_bytes;
mod shapes;
