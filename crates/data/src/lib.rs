//! Reading delimited text files into named columns, and simulated data.
//!
//! ```
//! use imbcore_base::RunCtl;
//! use imbcore_data::{ColumnText, ReadOptions, read_table};
//!
//! let path = std::env::temp_dir().join(format!("imbcore-doc-{}.csv", std::process::id()));
//! std::fs::write(&path, "age,job\n31,nurse\n,cook\n").unwrap();
//! let table = read_table(&path, &ReadOptions::default(), RunCtl::silent())?;
//! assert_eq!(table.names, ["age", "job"]);
//! assert!(matches!(&table.columns[1], ColumnText::Text { levels, .. } if levels == &["cook", "nurse"]));
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), imbcore_base::Error>(())
//! ```
#![forbid(unsafe_code)]

mod columns;
mod disjuncts;
mod gaussians;
mod open;
mod read;
mod shapes;

pub use columns::ColumnText;
pub use disjuncts::{Clusters, DisjunctGrid, Disjuncts, Skew};
pub use gaussians::{Gaussians, four_gaussians};
pub use read::{ReadOptions, Table, read_table};
pub use shapes::{ShapeData, shape};
