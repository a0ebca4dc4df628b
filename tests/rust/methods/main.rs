//! Every registered method: laws, bytes and files.

mod golden_models;
mod laws_methods;
mod laws_model_file;
mod same_bytes;
mod shapes;
