//! Reader of delimited text files, and generators of simulated data.
//!
//! ```
//! use imbcore_core::RunContext;
//! use imbcore_data::{ColumnRole, TextColumnValues, TextFormat, TextInput, TextTable};
//! use std::sync::Arc;
//!
//! let path = std::env::temp_dir().join(format!("imbcore-doc-{}.csv", std::process::id()));
//! std::fs::write(&path, "age,job\n31,nurse\n,cook\n").unwrap();
//! let table = Arc::new(TextTable::open(&[TextInput::open(&path)?], TextFormat::default())?);
//! assert_eq!(table.names(), ["age", "job"]);
//! let scan = table.detect_column_kinds(&[ColumnRole::Feature; 2], RunContext::silent())?;
//! let columns = scan.read_all(&[0, 1], RunContext::silent())?;
//! assert!(matches!(&columns[1], TextColumnValues::Text { levels, .. } if levels == &["cook", "nurse"]));
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod disjuncts;
mod gaussians;
mod shapes;
mod text;

pub use disjuncts::{CheckerboardParams, ClusterCountScope, ClusterSizeDistribution, DisjunctData};
pub use gaussians::{GaussianData, draw_four_gaussians};
pub use shapes::{ShapeData, generate_shape_points};
pub use text::{
    ColumnRole, NumberNotation, ScannedTextTable, TextBatchReader, TextColumnKind, TextColumnValues,
    TextFormat, TextInput, TextTable,
};
