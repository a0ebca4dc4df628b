//! Types shared by all imbcore crates.
//! Columns and data sets, errors, seeds, run control and parameters.
//!
//! ```
//! use imbcore_core::{Column, Dataset, Frame};
//!
//! let age = [31.0, f64::NAN, 58.0];
//! let frame = Frame::new(vec![Column::from_numbers(&age)])?;
//! let data = Dataset::new(frame, &[0, 0, 1], 2, None)?;
//! assert_eq!(data.n_rows(), 3);
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod alert_period;
mod array_file;
mod binned_frame;
pub mod budget;
mod calibrate;
mod class_stats;
mod column_copies;
mod composite_params;
mod cost_rule;
mod costs;
mod dataset;
mod decision;
mod dependence;
mod domain;
mod elkan;
mod error;
mod fallible;
mod frame;
mod goal;
mod learner;
mod limits;
pub mod memory;
pub mod memory_estimate;
mod name_resolver;
mod order;
pub mod parallel;
mod params;
mod parse;
mod positive;
mod presort_cache;
mod prior_correction;
pub mod reserve;
mod rng;
mod run_context;
mod schema;
mod smoothed_costs;
mod strided;
pub mod tags;
pub mod text_buffer;
mod unknown_name;
mod variant_params;
mod weight_sum;

pub use alert_period::{AlertPeriod, PeriodLength};
pub use array_file::{ArrayReader, ArrayWriter, ElementType, Persist, WrittenArray};
pub use binned_frame::{BinnedFrame, BinnedFrameColumn};
pub use calibrate::CalibrationMethod;
pub use class_stats::{ClassStats, SingleClassStats};
pub use column_copies::contiguous_columns;
pub use composite_params::{CompositeParams, OuterParams};
pub use cost_rule::{CostCell, CostCells, CostRule, RowCosts};
pub use costs::Costs;
pub use dataset::{
    ClassWeights, Dataset, check_weights, check_weights_of_some_rows, weight_counted_as_one_row,
};
pub use decision::{CostMatrixSpec, CostStrategy, Decision, DecisionPlan, Threshold};
pub use dependence::{OwnedRowDependence, RowDependence, RowGroups, RowTimes, TimeGap};
pub use domain::PythonType;
pub use elkan::{elkan_negative_weight, logistic, prior_shift};
pub use error::{Error, Result};
pub use frame::{Column, ColumnBuf, Frame, FrameBuf, MISSING, SpecialValueFlags};
pub use goal::{GoalSpec, Guarantee, ThresholdGoal, ThresholdMeasure, ThresholdTarget};
pub use learner::{Classifier, Learner, index_of_first_largest};
pub use name_resolver::NameResolver;
pub use order::{float_from_key, float_key, midpoint, radix_sort, sorted_by_key};
pub use params::{ParamSpec, Params, ReferencedNameKind, VariantDef, VariantSelector, VariantSpec};
pub use parse::parse_params;
pub use positive::{PositiveClass, rarest_class};
pub use presort_cache::PresortCache;
pub use prior_correction::{PriorCorrection, PriorShift};
pub use rng::{SeedKey, random_below, shuffle, uniform};
pub use run_context::{Observer, Progress, RunContext};
pub use schema::{Feature, FeatureKind, Label, Schema, quoted_name, quoted_text};
pub use smoothed_costs::CostsWithColumnSums;
pub use strided::Strided;
pub use unknown_name::unknown_name_error;
pub use variant_params::{nested_specs, to_nested_params, with_param_path};

#[doc(hidden)]
pub use serde_json;
