//! Decision trees: growth, pruning and prediction.
//!
//! HDDT and its multi-class form, alpha-trees, C4.4, C4.5 and CART are settings of one tree builder.
//!
//! ```
//! use imbcore_core::{Classifier, Column, Dataset, Frame, Learner, RunContext, SeedKey};
//! use imbcore_trees::TreeParams;
//!
//! let x = [1.0, 2.0, 3.0, 4.0];
//! let frame = Frame::new(vec![Column::from_numbers(&x)])?;
//! let data = Dataset::new(frame.clone(), &[0, 0, 0, 1], 2, None)?;
//! let learner = TreeParams::hddt().check("hddt")?;
//! let model = learner.fit(&data, SeedKey::root(0), RunContext::silent())?;
//! assert_eq!(model.predict(&frame, RunContext::silent())?, [0, 0, 0, 1]);
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod arrays;
mod binned;
mod bits;
pub mod boosted;
mod class_groups;
mod grow;
mod learner;
mod masses;
mod model;
mod params;
mod prediction;
mod prune;
mod rows;
mod settings;
mod shrinkage;
mod split;
mod statistics;
mod stored;
pub mod svr;
mod tree;
mod tree_masses;

pub use binned::{BinEdges, QuantileSketch, RowHashes, SerializedSample, StreamBinEncoder};
pub use learner::{PreparedData, TreeLearner};
pub use masses::{ClassAmounts, MOST_IN_TABLE, NodeClassAmounts, NodeMasses};
pub use model::{NodeClassStats, TreeModel, allocate_shapley_values};
pub use params::{
    AlphaParams, Auto, BestFirstPriority, C45Params, CategoricalSplit, MaxFeatures, MaxFeaturesRule,
    MissingRule, NumberOrAuto, Splitter, TreeParams,
};
pub use prediction::leaf_estimate::LeafEstimate;
pub use prediction::lockstep::{LayoutNode, LayoutSplit, LockstepTrees, RowPositions};
pub use prediction::regions::ColumnBounds;
pub use prediction::row_block::RowBlock;
pub use prediction::shapley::legendre::gauss_legendre;
pub use prediction::text::TextStyle;
pub use prune::{
    C45Options, C45Pruning, ComplexityParameter, ErrorBounds, ExtraErrorRule, NormalQuantileSource,
    PruningPath, Risk, RiskName, StagedPredictions, ThresholdPlacement, geometric_mean_alphas,
};
pub use rows::training::DrawnRows;
pub use settings::{MOST_LEVELS_APART, PARALLEL_WORK, RowLayout};
pub use statistics::{EncodedData, TargetStatisticTable, TargetStatisticTables, target_statistics_error};
pub use stored::check_prior_weight;
pub use tree::{ColumnKind, Tree, TreeArrays, TreeSplit};
