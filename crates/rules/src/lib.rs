//! Box drawings for imbalanced binary classification (Goh and Rudin 2014).
//!
//! A row is positive iff it lies in at least one of a few boxes. The crate has Fast Boxes ([`fast`]), Exact Boxes
//! ([`exact`]), optimal rule sets chosen from a forest ([`list`]), and, for comparison, patient rule induction
//! ([`prim`]: PRIM, Friedman and Fisher 1999).
//!
//! ```
//! use imbcore_core::{Classifier, Column, Dataset, Frame, Learner, RunContext, SeedKey};
//! use imbcore_rules::FastBoxesParams;
//!
//! let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
//! let frame = Frame::new(vec![Column::numeric(&x)])?;
//! let data = Dataset::new(frame.clone(), &[0, 0, 0, 1, 1, 0, 0, 0], 2, None)?;
//! let learner = FastBoxesParams { n_boxes: 1, expansion: 0.0, ..FastBoxesParams::default() }.check("fast_boxes")?;
//! let model = learner.fit(&data, SeedKey::root(0), RunContext::silent())?;
//! assert_eq!(model.predict(&frame, RunContext::silent())?, [0, 0, 0, 1, 1, 0, 0, 0]);
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod bits;
mod blocks;
mod bound;
mod drawing;
pub mod exact;
pub mod fast;
mod formula;
mod kmeans;
pub mod list;
mod model;
pub mod prim;
mod reasons;
mod rules;
mod scale;
mod space;
mod step;
mod stored;
mod task;

pub use blocks::{RemotePartitions, RowSource};
pub use bound::HypothesisClass;
pub use drawing::{BoxDrawing, MissingRule, NO_BOX};
pub use exact::{ExactBoxesLearner, ExactBoxesParams};
pub use fast::{ClusterPoints, Clusterer, FastBoxesLearner, FastBoxesParams};
pub use kmeans::{ClusterAssignment, KMeans, Points, Seeding};
pub use list::{RuleListLearner, RuleListParams};
pub use model::{BoxModel, BoxScoring};
pub use prim::{PrimLearner, PrimParams};
pub use reasons::{BoxExplanations, ConditionResult};
pub use rules::{BoxNoun, Condition, DrawingRules};
pub use scale::{FeatureScale, Scaling, training_range};
pub use space::FeatureAxis;
pub use step::RowPartition;
