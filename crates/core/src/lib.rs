//! Types shared by all imbcore crates.
//! Columns and data sets, errors, seeds, run control and parameters.
//!
//! ```
//! use imbcore_core::{Column, Dataset, Frame};
//!
//! let age = [31.0, f64::NAN, 58.0];
//! let frame = Frame::new(vec![Column::numeric(&age)])?;
//! let data = Dataset::new(frame, &[0, 0, 1], 2, None)?;
//! assert_eq!(data.n_rows(), 3);
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod alert_period;
pub mod budget;
mod calibrate;
mod choices;
mod coded;
mod column_copies;
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
mod joined;
mod learn;
mod limits;
pub mod memory;
pub mod memory_estimate;
mod names;
mod naming;
mod order;
mod orders;
mod params;
mod parse;
mod population;
mod positive;
mod prior_correction;
pub mod reserve;
mod rng;
mod run;
mod schema;
pub mod share;
mod smoothed_costs;
mod stored;
mod strided;
pub mod tags;
pub mod text_buffer;
mod weight_sum;

pub use alert_period::{AlertPeriod, PeriodLength};
pub use calibrate::CalibrationMethod;
pub use choices::{nested, nested_specs, with_param_path};
pub use coded::{BinnedFrame, BinnedFrameColumn};
pub use column_copies::side_by_side;
pub use cost_rule::{CostCell, CostCells, CostRule, RowCosts};
pub use costs::Costs;
pub use dataset::{ClassWeights, Dataset, check_partial_weights, check_weights, row_unit};
pub use decision::{CostMatrixSpec, CostStrategy, Decision, DecisionPlan, Threshold};
pub use dependence::{DependenceSubset, RowDependence, RowGroups, RowTimes, TimeGap};
pub use domain::PythonType;
pub use elkan::{elkan_negative_weight, logistic, prior_shift};
pub use error::{Error, Result};
pub use frame::{Column, ColumnBuf, Frame, FrameBuf, FrameContent, MISSING};
pub use goal::{GoalSpec, Guarantee, ThresholdGoal, ThresholdMeasure, ThresholdTarget};
pub use joined::{CompositeParams, Overrides};
pub use learn::{Classifier, Learner, first_largest};
pub use names::nearest;
pub use naming::NameResolver;
pub use order::{float_key, key_float, midpoint, radix_sort, sorted_by_key};
pub use orders::PresortCache;
pub use params::{NameKind, ParamSpec, Params, VariantDef, VariantParam, VariantSpec};
pub use parse::parse_params;
pub use population::{ClassStats, SingleClassStats};
pub use positive::{PositiveClass, rarest};
pub use prior_correction::{PriorCorrection, PriorShift};
pub use rng::{SeedKey, below, shuffle, uniform};
pub use run::{Observer, Progress, RunContext};
pub use schema::{Feature, FeatureKind, Label, Schema, quoted_name, quoted_text};
pub use smoothed_costs::SmoothedCosts;
pub use stored::{ArrayReader, ArrayWriter, ElementType, Persist, WrittenArray};
pub use strided::Strided;

#[doc(hidden)]
pub use serde_json;
