//! Settings of tree growth: parameters after all checks against the data.

use crate::params::{
    BestFirstPriority, CategoricalSplit, MaxFeatures, MaxFeaturesRule, MissingRule, NumberOrAuto, Splitter,
    TreeParams,
};
use crate::prediction::leaf_estimate::LeafEstimate;
use crate::prune::C45Options;
use crate::rows::train_column::TrainColumn;
use crate::rows::training::TrainingTable;
use imbcore_core::{Error, Result};

/// Minimum work (rows times columns) of a node for which it is processed in parallel.
pub const PARALLEL_WORK: usize = 1 << 17;

/// Maximum number of levels of a nominal column for one-vs-rest and multiway splits.
///
/// To separate all levels, one-vs-rest splits need as many splits as levels. Multiway splits create a branch
/// for every level at every node, also for rare levels. Columns with more levels are split by sets of levels,
/// as with [`CategoricalSplit::Subset`].
pub const MOST_LEVELS_APART: u32 = 255;

/// Feature on which a node may be split.
/// It is a column or, with [`CategoricalSplit::Dummy`], one level of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SplitFeature {
    pub(crate) column: u32,
    /// Level of the dummy column; `None` if the feature is a whole column.
    ///
    /// For the dummy column of missing values, this is the number of levels.
    pub(crate) level: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FeatureDrawRule {
    pub(crate) at_once: usize,
    /// Whether features are drawn again until one of the drawn features can split the node.
    pub(crate) again: bool,
}

/// Memory layout of the rows of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowLayout {
    /// Rows are sorted once by every column, and the sorted lists are partitioned at every node.
    /// All nodes of one depth together take time linear in the size of the table.
    Presorted,
    /// Each node has a list of rows, which it sorts by every column.
    /// This layout is simple. Only this layout can split rows into fractions.
    Listed,
    /// Each node has a list of rows, and values are replaced by ranks.
    /// Columns that a node does not consider cost nothing. Most searches for splits count rows instead of
    /// sorting them.
    Ranked,
}

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) max_depth: usize,
    pub(crate) min_split: usize,
    pub(crate) min_rows: usize,
    pub(crate) min_mass: f64,
    pub(crate) max_leaves: Option<usize>,
    pub(crate) growth_order: BestFirstPriority,
    pub(crate) features: Vec<SplitFeature>,
    /// Number of features drawn at each node.
    /// `None` if every node scores all features in the order of the table.
    pub(crate) drawn: Option<FeatureDrawRule>,
    pub(crate) splitter: Splitter,
    pub(crate) min_split_gain: f64,
    /// Minimum score of a split, after multiplication by its node's fraction of the total weight.
    pub(crate) min_decrease: f64,
    pub(crate) allow_zero_gain_splits: bool,
    pub(crate) categorical_split: CategoricalSplit,
    /// For each column, the sign of its monotonic constraint.
    ///
    /// 1: the probability of the positive class must not fall when the value rises; -1: it must not rise; 0:
    /// no constraint.
    pub(crate) monotone: Option<Vec<i8>>,
    /// Leaf estimate, which is needed to check monotonic constraints.
    pub(crate) leaf_estimate: LeafEstimate,
    pub(crate) m: f64,
    pub(crate) missing: MissingRule,
    pub(crate) layout: RowLayout,
    pub(crate) max_bins: Option<usize>,
    pub(crate) exact_split_max_rows: u32,
    /// Whether all thresholds are scored, also those that cannot be optimal.
    pub(crate) every_cut: bool,
    pub(crate) may_miss: Vec<bool>,
    /// No threshold is placed between neighboring values that differ by at most this number.
    pub(crate) min_value_difference: f64,
    /// Whether each side of a numeric split needs the minimum mass of C4.5.
    ///
    /// It is a tenth of the mean mass per class of the node's rows with a value. It is at most 25, but at
    /// least `min_mass`.
    pub(crate) c45_min: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GrowthOptions {
    pub(crate) layout: RowLayout,
    pub(crate) every_cut: bool,
    pub(crate) draws: bool,
    pub(crate) c45: Option<C45Options>,
}

impl Settings {
    pub(crate) fn categorical_split_kind(&self, levels: u32) -> CategoricalSplit {
        resolve_categorical_split(self.categorical_split, levels)
    }

    /// Returns whether exact growth reads the values of columns at its nodes.
    /// Otherwise it reads sorted rows or ranks.
    pub(crate) fn reads_column_values(&self) -> bool {
        let needs_values = self.layout == RowLayout::Listed
            || self.splitter.is_random()
            || self.splitter.n_spaced_thresholds().is_some()
            || self.min_value_difference > 0.0;
        needs_values && self.max_bins.is_none()
    }

    /// Checks the parameters of `method` against a table.
    /// `may_miss` marks columns with missing values.
    ///
    /// # Errors
    /// [`Error::Parameter`] or [`Error::Column`] if parameters and data do not match.
    pub(crate) fn new(
        method: &str,
        params: &TreeParams,
        ways: &GrowthOptions,
        table: &TrainingTable<'_>,
        may_miss: Vec<bool>,
    ) -> Result<Self> {
        let missing_column = may_miss.iter().position(|&misses| misses);
        if let (MissingRule::Error, Some(column)) = (params.missing, missing_column) {
            let message = "has missing values (NaN), which missing=\"error\" does not allow; impute them, or use \
                           missing=\"direction\", \"fraction\" or \"value\"";
            return Err(Error::Column { column, message: message.into() });
        }
        let fraction = params.missing == MissingRule::Fraction && missing_column.is_some();
        let max_bins = match params.max_bins {
            Some(NumberOrAuto::Number(bins)) => Some(bins as usize),
            _ => None,
        };
        check_monotone_constraints(method, params.monotonic_cst.as_deref(), table)?;
        let features = candidate_features(params, table, &may_miss);
        // Each level that has a dummy column counts as one column.
        let n_columns = features.len();
        if let (true, Some(_), Some(column)) = (fraction, max_bins, missing_column) {
            let message = "has missing values (NaN), which missing=\"fraction\" splits into fractional rows, and \
                           max_bins does not support these; use missing=\"direction\", or max_bins=None";
            return Err(Error::Column { column, message: message.into() });
        }
        #[allow(clippy::cast_sign_loss)] // Fractions and logarithms of counts are nonnegative.
        let max_columns = match params.max_features {
            None => n_columns,
            Some(MaxFeatures::Count(count)) => count as usize,
            Some(MaxFeatures::Share(share)) => (share * n_columns as f64) as usize,
            Some(MaxFeatures::Named(MaxFeaturesRule::Sqrt)) => (n_columns as f64).sqrt() as usize,
            Some(MaxFeatures::Named(MaxFeaturesRule::Log2)) => (n_columns as f64).log2() as usize,
        };
        if max_columns > n_columns {
            let expected = format!("at most the number of features, {n_columns}");
            return Err(Error::parameter(method, "max_features", &expected, max_columns));
        }
        Ok(Self {
            max_depth: params.max_depth.map_or(usize::MAX, |depth| depth as usize),
            min_split: params.min_samples_split as usize,
            min_rows: params.min_samples_leaf as usize,
            min_mass: params.min_weight_leaf.max(params.min_weight_fraction_leaf * table.total_mass()),
            max_leaves: params.max_leaf_nodes.map(|leaves| leaves as usize),
            growth_order: params.growth_order,
            features,
            drawn: (ways.draws || max_columns < n_columns)
                .then_some(FeatureDrawRule { at_once: max_columns.max(1), again: params.redraw_features }),
            splitter: params.splitter,
            min_split_gain: params.min_split_gain,
            min_decrease: params.min_impurity_decrease,
            allow_zero_gain_splits: params.allow_zero_gain_splits,
            categorical_split: params.categorical_split,
            monotone: params.monotonic_cst.clone().filter(|signs| signs.iter().any(|&sign| sign != 0)),
            leaf_estimate: params.leaf_estimate,
            m: params.prior_weight,
            missing: params.missing,
            layout: match params.splitter {
                _ if fraction => RowLayout::Listed,
                // Binned columns and random thresholds need no sorted rows.
                _ if max_bins.is_some() => RowLayout::Ranked,
                Splitter::Random => RowLayout::Ranked,
                _ => ways.layout,
            },
            // A minimum value difference can exclude the optimal threshold. The best remaining threshold may
            // be one that is never optimal otherwise, so all thresholds must be scored.
            every_cut: ways.every_cut || ways.c45.is_some_and(|rules| rules.min_value_difference > 0.0),
            max_bins,
            exact_split_max_rows: match params.exact_split_max_rows {
                // If columns were passed as bins, there are no values for exact splits.
                NumberOrAuto::Number(rows) if table.coded.is_none() => rows,
                _ => 0,
            },
            may_miss,
            min_value_difference: ways.c45.map_or(0.0, |rules| rules.min_value_difference),
            c45_min: ways.c45.is_some_and(|rules| rules.c45_min),
        })
    }
}

pub(crate) fn resolve_categorical_split(rule: CategoricalSplit, levels: u32) -> CategoricalSplit {
    if levels > MOST_LEVELS_APART { CategoricalSplit::Subset } else { rule }
}

/// Lists the features on which nodes may be split.
///
/// With [`CategoricalSplit::Dummy`], dummy columns replace nominal columns. Two levels need only one dummy
/// column.
fn candidate_features(
    params: &TreeParams,
    table: &TrainingTable<'_>,
    may_miss: &[bool],
) -> Vec<SplitFeature> {
    let of_column = |(column, (values, &misses)): (u32, (&TrainColumn<'_>, &bool))| match *values {
        TrainColumn::Nominal { levels, .. }
            if resolve_categorical_split(params.categorical_split, levels) == CategoricalSplit::Dummy =>
        {
            let all = levels + u32::from(misses && params.missing == MissingRule::Value);
            // For two levels, one dummy column is sufficient; the second level may be the missing value.
            let wanted = match (all, levels) {
                (2, 1) => 1..2,
                (..=2, _) => 0..1,
                _ => 0..all,
            };
            wanted.map(|level| SplitFeature { column, level: Some(level) }).collect()
        }
        _ => vec![SplitFeature { column, level: None }],
    };
    (0..).zip(table.columns.iter().zip(may_miss)).flat_map(of_column).collect()
}

pub(crate) fn check_monotone_constraints(
    method: &str,
    signs: Option<&[i8]>,
    table: &TrainingTable<'_>,
) -> Result<()> {
    let Some(signs) = signs else { return Ok(()) };
    let n_columns = table.columns.len();
    let refuse = |expected: &str, got: &dyn std::fmt::Display| {
        Err(Error::parameter(method, "monotonic_cst", expected, got))
    };
    if signs.len() != n_columns {
        return refuse(&format!("a list of {n_columns} numbers, one per feature"), &signs.len());
    }
    if table.n_classes != 2 && signs.iter().any(|&sign| sign != 0) {
        // The message does not show the signs, because they have been reversed if the first class is the
        // positive one.
        return refuse(
            "None with more than two classes",
            &format_args!("constraints with {}", table.n_classes),
        );
    }
    let is_nominal = |column: &&TrainColumn<'_>| matches!(column, TrainColumn::Nominal { .. });
    match table.columns.iter().zip(signs).position(|(column, &sign)| is_nominal(&column) && sign != 0) {
        Some(column) => {
            let expected = format!("0 for feature {column}, which is nominal, so its levels have no order");
            refuse(&expected, &"a constraint")
        }
        None => Ok(()),
    }
}
