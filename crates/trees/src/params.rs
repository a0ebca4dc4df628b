//! Parameters of the tree methods: common parameters, and parameters of alpha-trees and C4.5.

use crate::binned::{MOST_BINS, distinct_values_up_to};
use crate::prediction::leaf_estimate::LeafEstimate;
use crate::prune::{ComplexityParameter, ExtraErrorRule, NormalQuantileSource, RiskName, ThresholdPlacement};
use imbcore_core::{Column, Dataset, Error, OuterParams, Result};
use imbcore_criteria::{Alpha, AlphaExt, AnyCriterion, C45, Gini, Hellinger, ReferenceDistribution};
use serde::{Deserialize, Serialize};

/// Candidate thresholds of numeric columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Splitter {
    /// A threshold between any two neighboring values.
    Best,
    /// One random threshold, uniform between the smallest and the largest value in the node.
    /// The method is that of Geurts, Ernst and Wehenkel (2006).
    Random,
    /// Given number of equally spaced thresholds.
    ///
    /// They lie between the smallest and the largest value in the node.
    PerNode(u32),
}

impl Splitter {
    pub(crate) fn n_spaced_thresholds(self) -> Option<u32> {
        if let Self::PerNode(n) = self { Some(n) } else { None }
    }

    pub(crate) fn is_random(self) -> bool {
        self == Self::Random
    }
}

/// Candidate splits of nominal columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CategoricalSplit {
    /// One level against all other levels.
    Ovr,
    /// One branch per level.
    Multiway,
    /// One branch per level; columns are compared by their best one-versus-rest split.
    /// The method is that of Cieslak and Chawla (2008).
    OvrMultiway,
    /// A split on a 0/1 dummy column; each level has a dummy column, which is 1 for this level.
    ///
    /// A nominal column with two levels has only one dummy column.
    Dummy,
    /// A set of levels against all other levels (Breiman et al. 1984).
    Subset,
    /// A threshold on ordered target statistics of the levels (Prokhorenkova et al. 2018).
    Target,
    /// [`Self::Target`] for columns with more than 255 levels, otherwise [`Self::Subset`].
    /// If `max_bins` is set, always [`Self::Subset`], because rows may be read in chunks.
    Auto,
}

/// Rule for the priority of open nodes in best-first growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BestFirstPriority {
    /// Decrease of the criterion, multiplied by the weight of the node.
    ///
    /// For the Hellinger distance, the factor is the square root of the product of the weights of the two
    /// classes or class groups.
    Gain,
    /// Decrease of the class entropy, multiplied by the weight of the node, for any criterion.
    Entropy,
}

/// Handling of missing values in the column of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingRule {
    /// Missing values in training data are an error.
    Error,
    /// All rows with missing values go to the child for which the gain is larger.
    /// If the node had no missing values in training, they go to the child with more rows.
    Direction,
    /// A row with a missing value goes to all children in fractions (Quinlan 1993).
    ///
    /// The fractions are proportional to the masses of the children.
    Fraction,
    /// A missing value is an additional level of a nominal column.
    /// Numeric columns use [`MissingRule::Direction`].
    Value,
}

impl MissingRule {
    pub(crate) fn learns_missing_branch(self, numeric: bool) -> bool {
        self == Self::Direction || (self == Self::Value && numeric)
    }
}

/// Number of columns considered per node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MaxFeatures {
    /// Given number of columns.
    Count(u32),
    /// Fraction of all columns.
    Share(f64),
    /// Named rule.
    Named(MaxFeaturesRule),
}

/// Named rules for the number of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MaxFeaturesRule {
    /// Square root of the number of columns.
    Sqrt,
    /// Binary logarithm of the number of columns.
    Log2,
}

/// Number, or `"auto"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NumberOrAuto {
    /// Given number.
    Number(u32),
    /// Number computed from the data by [`TreeParams::resolve_auto`].
    Auto(Auto),
}

/// The string `"auto"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Auto {
    /// Value computed from the data.
    Auto,
}

imbcore_core::params! {
    /// Parameters of every single-tree method; the methods differ in their defaults.
    pub struct TreeParams {
        criterion: AnyCriterion = AnyCriterion::Gini(Gini {}),
            "the name of a criterion, or a dict with its \"name\" and options" from AnyCriterion::NAMES,
            "Split criterion, such as \"hellinger\" or `{\"name\": \"alpha\", \"alpha\": 0.5}`.";
        max_depth: Option<u32> = None, "a whole number of at least 1, or None",
            "Maximum depth; the root has depth 0. None: no limit.";
        min_samples_split: u32 = 2, "a whole number of at least 2",
            "Minimum number of rows that a node needs for a split; in a forest, a row drawn twice counts twice.";
        min_samples_leaf: u32 = 1, "a whole number of at least 1",
            "Minimum number of rows in each child of a split; in a multiway split by criterion \"c45\", \
             in at least two children.";
        min_weight_leaf: f64 = 0.0, "a number of at least 0",
            "Minimum sum of weights in each child of a split; in a multiway split by criterion \"c45\", \
             in at least two children.";
        min_weight_fraction_leaf: f64 = 0.0, "a number in [0, 0.5]",
            "Minimum sum of weights in each child of a split, as a fraction of the total weight; in a \
             multiway split by criterion \"c45\", in at least two children. In a forest, the total weight is \
             that of all rows before sampling.";
        max_leaf_nodes: Option<u32> = None, "a whole number of at least 2, or None",
            "Maximum number of leaves; if given, the best node is split first. None: no limit.";
        growth_order: BestFirstPriority = BestFirstPriority::Gain, "\"gain\" or \"entropy\"",
            "Priority of the nodes if max_leaf_nodes is given. \"gain\": the node with the largest decrease of the \
             split criterion is split first. \"entropy\": the node with the largest decrease of the class entropy. \
             Both decreases are multiplied by the weight of the node. Exception: for \"hellinger\" with \"gain\", \
             the factor is the square root of the product of the two class weights in the node.";
        max_features: Option<MaxFeatures> = None,
            "None, a whole number of at least 1, a fraction in (0, 1], \"sqrt\" or \"log2\"",
            "Number of features considered in each node, drawn at random: a number, a fraction of all features, or the \
             square root (\"sqrt\") or binary logarithm (\"log2\") of the number of all features. If the drawn \
             features cannot split the node, further features are considered, unless redraw_features is False. None: \
             all features.";
        redraw_features: bool = true, "True or False",
            "Whether a node considers further features if the first max_features features cannot split the node. \
             False: such a node becomes a leaf.";
        splitter: Splitter = Splitter::Best, "\"best\", \"random\", or a dict such as {'per_node': 10}, from 1 to 65535",
            "Candidate thresholds of numeric features. \"best\": between any two neighboring values. \"random\": a \
             single threshold, drawn uniformly between the smallest and the largest value in the node. \"random\" \
             also splits nominal features at random: on one random level or set of levels, depending on \
             `categorical_split`. `{\"per_node\": q}`: q equally spaced thresholds between the smallest and the \
             largest value, a coarser choice than \"best\".";
        min_split_gain: f64 = 0.0, "a number of at least 0",
            "Minimum gain of a split by the criterion, within the node: the gain is not multiplied by the weight of \
             the node.";
        min_impurity_decrease: f64 = 0.0, "a number of at least 0",
            "Minimum weighted decrease of the criterion by a split: the decrease in the node, multiplied by the \
             weight of the node and divided by the total weight of the tree. For \"hellinger\", the factor is the \
             square root of the product of the two class weights in the node instead of the weight of the node.";
        allow_zero_gain_splits: bool = true, "True or False",
            "Whether an impure node is split even if no split has a positive gain (needed for XOR). True: nodes are \
             split until all leaves are pure, unless another parameter prevents a split.";
        leaf_estimate: LeafEstimate = LeafEstimate::Frequency, "\"frequency\", \"laplace\" or \"m_estimate\"",
            "Estimate of class probabilities in a leaf. \"frequency\": proportions of the class weights. \"laplace\": \
             proportions after adding 1 to each class weight. \"m_estimate\": proportions after adding the class \
             frequencies of the root, multiplied by prior_weight.";
        prior_weight: f64 = 2.0, "a number above 0",
            "Weight m of the class frequencies of the root, if leaf_estimate=\"m_estimate\".";
        categorical_split: CategoricalSplit = CategoricalSplit::Ovr,
            "\"ovr\", \"multiway\", \"ovr_multiway\", \"dummy\", \"subset\", \"target\" or \"auto\"",
            "Split of nominal features. \"ovr\": one level against the rest. \"multiway\": one branch per level. \
             \"ovr_multiway\": one branch per level, in the feature that has the best split of one level against the \
             rest. \"dummy\": each level is a 0/1 feature and counts as one feature for max_features. \"subset\": a \
             set of levels against the rest, optimal for two classes or up to 10 levels. \"target\": a threshold on \
             the target statistic of a level, which is the smoothed proportion of a class among the training rows of \
             the level. For a training row, the statistic is computed only from the rows that precede the row in a \
             random order, or in time if the rows have times. A level that does not occur in training is treated as a \
             missing value; if training has no missing values, it has the proportion among all rows. \"auto\": \
             \"target\" for features with more than 255 levels, \"subset\" for the others. If max_bins is set, \
             \"auto\" is \"subset\" for all features.";
        missing: MissingRule = MissingRule::Direction, "\"error\", \"direction\", \"fraction\" or \"value\"",
            "Handling of missing values. \"error\": training raises an error. \"direction\": each split sends all \
             missing values to the child that gives the larger gain. They go to the child with the most rows if the \
             node had no missing values in training, or if the split has one branch per level. \"fraction\": a row \
             goes to every branch, and its weight is distributed in proportion to the weights of the branches. \
             \"value\": missing values are an additional level of nominal features, and are handled as by \
             \"direction\" in numeric features.";
        monotonic_cst: Option<Vec<i8>> = None,
            "None, a list of -1, 0 and 1, one per feature, or a dict of these values by feature name, only for two \
             classes; 0 for nominal features" naming Features,
            "Monotonic constraint of each feature: as the feature increases, the probability of the positive class does \
             not decrease (1) or does not increase (-1).";
        ccp_alpha: Option<ComplexityParameter> = None, "a number of at least 0, infinity included, or None",
            "Complexity parameter of minimal cost-complexity pruning: penalty per leaf. None: no pruning; 0 prunes \
             splits that do not reduce the training risk.";
        ccp_criterion: RiskName = RiskName::Gini, "\"gini\", \"entropy\", \"error\" or \"cost\"",
            "Risk of a leaf in cost-complexity pruning: its Gini impurity (\"gini\"), its entropy (\"entropy\"), its \
             misclassified weight (\"error\"), or the cost of its cheapest prediction (\"cost\"; each error costs 1 \
             unless costs are given).";
        max_bins: Option<NumberOrAuto> = None, "a whole number from 2 to 255, \"auto\" or None",
            "Maximum number of bins of a numeric feature, for large data: thresholds are searched only between bins. \
             None: all thresholds. \"auto\": 255 if the table has at least 100,000 rows or is streamed, or if \
             binning does not change the tree; otherwise None. It is always None if splitter is not \"best\" or \
             missing is \"fraction\". The parameters of the fitted model contain the chosen value.";
        exact_split_max_rows: NumberOrAuto = NumberOrAuto::Auto(Auto::Auto), "a whole number of at least 0, or \"auto\"",
            "Number of rows up to which a node searches all thresholds exactly, even if max_bins is given. \"auto\": \
             1024 if columns are binned; 0 for streamed data, of which only the bins are stored. If columns are \
             binned, the parameters of the fitted model contain the chosen number.";
    }
}

/// Minimum number of rows for which `max_bins="auto"` bins columns if bins are possible.
const MANY_ROWS: usize = 100_000;

/// Value of `exact_split_max_rows="auto"` for binned columns whose values are available.
///
/// Often much of a rare class lies in the last bin of a column, where only exact values separate it from
/// other rows. For few rows, reading values is also cheaper than reading bins.
const EXACT_ROWS: u32 = 1024;

impl TreeParams {
    /// Replaces `"auto"` values of `max_bins` and `exact_split_max_rows` according to the data.
    ///
    /// `max_bins` becomes a number if columns are to be binned, otherwise `None`. The number
    /// `exact_split_max_rows` is the maximum number of rows of a node with exact splits.
    #[must_use]
    pub fn resolve_auto(self, data: &Dataset<'_>) -> Self {
        let max_bins = match self.max_bins {
            Some(NumberOrAuto::Auto(_)) => {
                self.is_binning_faster(data).then_some(NumberOrAuto::Number(MOST_BINS as u32))
            }
            given => given,
        };
        let exact_split_max_rows = match self.exact_split_max_rows {
            NumberOrAuto::Auto(_) if data.binned_frame().is_some() => NumberOrAuto::Number(0),
            NumberOrAuto::Auto(_) if max_bins.is_some() => NumberOrAuto::Number(EXACT_ROWS),
            given => given,
        };
        Self { max_bins, exact_split_max_rows, ..self }
    }

    /// Bins support neither fractional rows nor random or equally spaced thresholds.
    fn can_use_bins(&self) -> bool {
        self.splitter == Splitter::Best && self.missing != MissingRule::Fraction
    }

    /// True for many rows, for binned data, and if bins do not change the trees.
    fn is_binning_faster(&self, data: &Dataset<'_>) -> bool {
        let few_values = |column: &Column<'_>| match column {
            Column::Numeric(values) => {
                distinct_values_up_to(values.iter().filter(|value| !value.is_nan()), MOST_BINS).is_some()
            }
            Column::Nominal { .. } => true,
        };
        // With bins, row weights are rounded. The trees are therefore certain to be identical to those of
        // exact growth only if all weights are 0 or 1.
        let plain = || data.weights().is_none_or(|weights| weights.iter().all(|&w| w == 0.0 || w == 1.0));
        let many = data.binned_frame().is_some() || data.n_rows() >= MANY_ROWS;
        self.can_use_bins() && (many || plain() && data.frame().columns().iter().all(few_values))
    }

    /// Returns the maximum number of bins per column for data that are read in chunks.
    /// `None` if the parameters require the values of the columns.
    ///
    /// # Errors
    /// [`Error::Parameter`] if nodes must use exact splits: these need the values of the columns, which are
    /// not stored.
    pub fn max_stream_bins(&self, method: &str) -> Result<Option<usize>> {
        match (self.max_bins, self.exact_split_max_rows) {
            (Some(_), NumberOrAuto::Number(rows @ 1..)) => {
                let expected = "\"auto\" or 0 for streamed data, of which only the bins are stored";
                Err(Error::parameter(method, "exact_split_max_rows", expected, rows))
            }
            (Some(NumberOrAuto::Number(bins)), _) => Ok(Some(bins as usize)),
            (Some(NumberOrAuto::Auto(_)), _) if self.can_use_bins() => Ok(Some(MOST_BINS)),
            _ => Ok(None),
        }
    }

    /// Hellinger distance decision tree.
    /// See Cieslak and Chawla 2008, and Hoens et al. 2012 for several classes.
    pub fn hddt() -> Self {
        let criterion = AnyCriterion::Hellinger(Hellinger {});
        Self { criterion, leaf_estimate: LeafEstimate::Laplace, ..Self::default() }
    }

    /// C4.4: unpruned C4.5 without collapsing, with Laplace leaves (Provost and Domingos 2003).
    pub fn c44() -> Self {
        Self {
            criterion: AnyCriterion::C45(C45::default()),
            min_weight_leaf: 2.0,
            allow_zero_gain_splits: false,
            leaf_estimate: LeafEstimate::Laplace,
            categorical_split: CategoricalSplit::Multiway,
            missing: MissingRule::Fraction,
            ..Self::default()
        }
    }

    /// Parameters of Park and Ghosh (2012), apart from the criterion.
    /// Trees are binary and fully grown, with nominal features as 0/1 columns.
    pub fn alpha_tree() -> Self {
        Self { categorical_split: CategoricalSplit::Dummy, ..Self::default() }
    }

    /// CART, fully grown (Breiman et al. 1984).
    pub fn cart() -> Self {
        Self::default()
    }
}

imbcore_core::params! {
    /// Parameters that C4.5 has in addition to the common tree parameters.
    pub struct C45Params {
        confidence: Option<f64> = Some(0.25), "a number in (0, 0.5], or None",
            "Confidence of the error bounds; smaller values prune more. None: no error-based pruning.";
        collapse: bool = true, "True or False",
            "Whether subtrees with at least as many training errors as a leaf are replaced by a leaf before any other \
             pruning.";
        subtree_raising: bool = false, "True or False",
            "Whether pruning may also replace a node by its largest branch; the rows of the other branches are then \
             sent down this branch.";
        average_gain: bool = true, "True or False",
            "Whether the gain ratio is compared only for features with at least average gain.";
        mdl_penalty: bool = true, "True or False",
            "Whether the gain of a numeric split is reduced by log2(number of thresholds), divided by the number of \
             rows of the node.";
        c45_min: bool = false, "True or False",
            "Whether each child of a numeric split must have a minimum weight: a tenth of the weight of the node, \
             divided by the number of classes, and at most 25.";
        min_value_difference: f64 = 0.0, "a number of at least 0",
            "No threshold is placed between two values whose difference is at most this number (1e-5 in Weka).";
        threshold_placement: ThresholdPlacement = ThresholdPlacement::Midpoint, "\"midpoint\" or \"data\"",
            "Threshold of a split: halfway between two values (\"midpoint\"), or the largest value of the training \
             data that is not above the midpoint (\"data\").";
        quantile: NormalQuantileSource = NormalQuantileSource::Exact, "\"exact\" or \"table\"",
            "Normal quantile z in the error bounds: computed exactly, or from the table in the source code of C4.5.";
        extra_errors: ExtraErrorRule = ExtraErrorRule::C45, "\"c45\" or \"weka\"",
            "Errors that pruning adds to the training errors E of a leaf of weight N, if nearly all of its rows are \
             misclassified: 0.67 (N - E) for \"c45\", or N - E for \"weka\".";
    }
}

impl OuterParams for C45Params {
    const HIDDEN: &'static [&'static str] = &["criterion", "ccp_alpha", "ccp_criterion"];
}

impl C45Params {
    /// Default parameters of the tree that C4.5 grows.
    pub fn default_tree_params() -> TreeParams {
        TreeParams { leaf_estimate: LeafEstimate::Frequency, ..TreeParams::c44() }
    }
}

imbcore_core::params! {
    /// Parameters that an alpha-tree has in addition to the common tree parameters.
    pub struct AlphaParams {
        alpha: f64 = 1.0, "a number in (0, 2]",
            "Order of the divergence: small values favor recall of the rare class, large ones its precision.";
        reference: Option<ReferenceDistribution> = None,
            "None, \"uniform\", \"flipped\" (needs alpha < 1), or one proportion per class",
            "Reference distribution for the class proportions in the branches. \"uniform\": equal proportions (for \
             alpha=2 the tree equals the tree of the Gini index). \"flipped\", only for alpha below 1: \
             (1 - p) / (c - 1) for a class with proportion p in the branch and c classes; for two classes, the two \
             proportions are exchanged. Or one proportion per class. None: no reference distribution; the joint \
             distribution of branch and class is compared with the product of its marginals.";
    }
}

impl OuterParams for AlphaParams {
    const HIDDEN: &'static [&'static str] = &["criterion"];
}

impl AlphaParams {
    /// Returns the criterion with these parameters.
    pub fn criterion(&self) -> AnyCriterion {
        let alpha = self.alpha;
        match self.reference.clone() {
            None => AnyCriterion::Alpha(Alpha { alpha }),
            Some(reference) => AnyCriterion::AlphaExt(AlphaExt { alpha, reference }),
        }
    }
}
