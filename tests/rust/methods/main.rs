//! Every registered method: properties, bytes and files.

mod bytes;
mod golden_models;
mod properties_binned_chunks;
mod properties_damaged_file;
mod properties_methods;
mod properties_model_file;
mod properties_row_costs;
mod properties_sampled_rows;
mod same_bytes;
mod shapes;
