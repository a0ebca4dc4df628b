//! Method registry, fitted models, model files and cross-validation.
//!
//! ```no_run
//! use imbcore_core::{Column, Dataset, Frame, RunContext, Schema, SeedKey};
//! use imbcore_methods::{FitContext, FitTask, Model, fit};
//!
//! let x = [1.0, 2.0, 3.0, 4.0];
//! let frame = Frame::new(vec![Column::from_numbers(&x)])?;
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
mod chunked_fit;
mod class_passes;
mod class_priors;
mod data_warnings;
mod decomposed;
mod draw;
mod ensembles;
mod evaluate;
mod exact_boxes;
mod exact_tree;
mod export;
mod external_labels;
mod external_members;
mod fit;
mod fit_context;
mod fit_memory;
mod fitted;
mod fold_warnings;
mod folds;
mod forests;
mod isometrics;
mod linear;
mod memory_estimate;
mod merge_forests;
mod metacost;
mod method;
mod model;
mod model_file;
mod near_separation;
mod out_of_sample;
mod prune;
mod registry;
mod resolved_costs;
mod rule_list;
mod select_boxes;
mod similar_text;
mod stored;
mod svr;
mod threshold;
mod trees;
mod tuned_threshold;
mod warm_start;
mod wrapper_file;

pub use adapt::PriorEstimation;
pub use binned::{bin_edges, max_bins};
pub use chunked_fit::{discretize_settings_of_task, fit_encoded_stream, fit_row_stream};
pub use class_priors::PriorAdaptation;
pub use draw::select_rows_for_fit;
pub use ensembles::{ExternalEnsemble, fit_external_ensemble};
pub use evaluate::{EvaluationPlan, EvaluationSetup, evaluate};
pub use exact_boxes::{fit_exact_box_path, verify_exact_boxes};
pub use exact_tree::verify_optimal_trees;
pub use external_labels::{MetaCostRelabeling, relabel_with_external_learner};
pub use external_members::{DecompositionOutline, DecompositionRequest, outline_decomposition};
pub use fit::fit;
pub use fit_context::{FitContext, FitTask};
pub use fit_memory::estimate_fit_memory;
pub use fitted::FittedEstimator;
pub use folds::{Evaluation, fold_seed_key};
pub use imbcore_rules::HypothesisClass;
pub use isometrics::IsometricQuantity;
pub use merge_forests::merge;
pub use method::LabeledRowStream;
pub use model::Model;
pub use registry::{MethodInfo, methods};
pub use resolved_costs::weight_counted_as_one_row;
pub use select_boxes::{FastBoxesGridSearch, candidate_hull_aucs};
pub use svr::{FoldRows, PenaltyPredictions, cross_validate_svr_trees, fit_svr_tree_path};
pub use tuned_threshold::{
    CalibrationRecord, FittedCalibration, PredictionSource, TunedThreshold, TuningPerformance,
};
pub use warm_start::WarmStart;
pub use wrapper_file::{read_wrapper, write_wrapper};
