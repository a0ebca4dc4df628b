//! Method registry, fitted models, model files and cross-validation.
//!
//! ```no_run
//! use imbcore_core::{Column, Dataset, Frame, RunContext, Schema, SeedKey};
//! use imbcore_methods::{FitContext, FitTask, Model, fit};
//!
//! let x = [1.0, 2.0, 3.0, 4.0];
//! let frame = Frame::new(vec![Column::numeric(&x)])?;
//! let data = Dataset::new(frame.clone(), &[0, 0, 0, 1], 2, None)?;
//! let schema = r#"{"features": [{"name": "x", "kind": "numeric"}], "named": true,
//!                  "classes": ["no", "yes"], "class_dtype": "<U3"}"#;
//! let (context, key) = (FitContext::default(), SeedKey::root(0));
//! let task =
//!     FitTask { method: "hddt", params: "{}", class_weight: None, costs: None, positive: None, key, context };
//! let model = fit(&task, &data, Schema::from_json(schema)?, RunContext::silent())?;
//! let again = Model::from_bytes(&model.to_bytes()?)?;
//! assert_eq!(again.predict(&frame, RunContext::silent())?, [0, 0, 0, 1]);
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod adapt;
mod auto;
mod bayes;
mod binned;
mod boosted;
mod boxes;
mod candidates;
mod chosen;
mod chunked_fit;
mod class_passes;
mod class_priors;
mod costly;
mod data_warnings;
mod decomposed;
mod draw;
mod ensembles;
mod evaluate;
mod exact_boxes;
mod exact_tree;
mod expected_memory;
mod export;
mod external_members;
mod file;
mod fit;
mod fit_context;
mod fitted;
mod folds;
mod forests;
mod isometrics;
mod leaks;
mod linear;
mod memory_estimate;
mod merge;
mod model;
mod prune;
mod recipe;
mod registry;
mod relabelled;
mod rule_list;
mod select_boxes;
mod settle;
mod similar_text;
mod start;
mod stored;
mod svr;
mod threshold;
mod trees;
mod unseen;
mod wrapped;

pub use adapt::PriorEstimation;
pub use binned::{bin_edges, most_bins};
pub use chosen::{CalibrationStats, FittedCalibration, PredictionSource, TunedThreshold, TuningPerformance};
pub use chunked_fit::{fit_pieces, fit_rows, stream_discretizer};
pub use class_priors::PriorAdaptation;
pub use draw::draw;
pub use ensembles::{ExternalEnsemble, assemble};
pub use evaluate::{EvaluationPlan, EvaluationSetup, evaluate};
pub use exact_boxes::{exact_path, exact_verify};
pub use exact_tree::optimal_verify;
pub use expected_memory::memory_of_fit;
pub use external_members::{DecompositionOutline, DecompositionRequest, outline};
pub use fit::fit;
pub use fit_context::{FitContext, FitTask};
pub use fitted::FittedEstimator;
pub use folds::{Evaluation, fit_key};
pub use imbcore_rules::HypothesisClass;
pub use isometrics::Quantity;
pub use merge::merge;
pub use model::Model;
pub use recipe::LabeledRowStream;
pub use registry::{MethodInfo, methods};
pub use relabelled::{ExternalLabels, relabel_outside};
pub use select_boxes::{BoxSelection, box_selection};
pub use settle::row_unit;
pub use start::WarmStart;
pub use svr::{FoldRows, PathPredictions, svr_path, svr_validate};
pub use wrapped::{unwrap, wrap};
