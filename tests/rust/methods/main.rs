//! Every registered method: laws, bytes and files.

mod laws_methods;
mod laws_model_file;
mod same_bytes;
