//! Box drawings for imbalanced binary classification (Goh and Rudin 2014).
//!
//! A row is positive iff it lies in at least one of a few boxes. The crate has Fast Boxes ([`fast`]), Exact
//! Boxes ([`exact`]), optimal rule sets chosen from a forest ([`list`]), and, for comparison, patient rule
//! induction ([`prim`]: PRIM, Friedman and Fisher 1999).
//!
//! ```
//! use imbcore_core::{Classifier, Column, Dataset, Frame, Learner, RunContext, SeedKey};
//! use imbcore_rules::FastBoxesParams;
//!
//! let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
//! let frame = Frame::new(vec![Column::from_numbers(&x)])?;
//! let data = Dataset::new(frame.clone(), &[0, 0, 0, 1, 1, 0, 0, 0], 2, None)?;
//! let params = FastBoxesParams { n_boxes: 1, expansion: 0.0, ..FastBoxesParams::default() };
//! let model = params.check("fast_boxes")?.fit(&data, SeedKey::root(0), RunContext::silent())?;
//! assert_eq!(model.predict(&frame, RunContext::silent())?, [0, 0, 0, 1, 1, 0, 0, 0]);
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod bit_set;
mod bound;
mod box_drawing;
mod box_task;
mod drawing_rules;
pub mod exact;
mod explanations;
pub mod fast;
mod feature_scale;
mod feature_space;
mod formula;
mod kmeans;
pub mod list;
mod model;
pub mod prim;
mod row_pass;
mod row_source;
mod stored;

pub use bound::HypothesisClass;
pub use box_drawing::{BoxDrawing, MissingRule, NO_BOX};
pub use drawing_rules::{BoxNoun, DrawingRules, FeatureCondition};
pub use exact::{ExactBoxesLearner, ExactBoxesParams};
pub use explanations::{BoxExplanations, ConditionResult};
pub use fast::{ClusterPoints, Clusterer, FastBoxesLearner, FastBoxesParams};
pub use feature_scale::{FeatureScale, Scaling, training_range};
pub use feature_space::FeatureAxisType;
pub use kmeans::{ClusterAssignment, KMeans, Seeding, WeightedPoints};
pub use list::{RuleListLearner, RuleListParams};
pub use model::{BoxModel, BoxScoring};
pub use prim::{PrimLearner, PrimParams};
pub use row_pass::RowPartition;
pub use row_source::{RemotePartitions, RowSource};
