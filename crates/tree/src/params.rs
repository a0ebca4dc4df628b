//! Parameters of the tree methods: one set for all, and what alpha-trees and C4.5 add to it.

use crate::answer::leaf::LeafRule;
use crate::binned::{MOST_BINS, distinct};
use crate::prune::{Complexity, CutValue, FloorRule, RiskName, ZRule};
use imbcore_base::{Column, Dataset, Error, Overrides, Result};
use imbcore_criteria::{Alpha, AlphaExt, AnyCriterion, C45, Gini, Hellinger, Reference};
use serde::{Deserialize, Serialize};

/// Where numeric columns are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cuts {
    /// Between any two neighbouring values.
    Best,
    /// At one threshold, uniform between the smallest and the largest value of the node (Geurts, Ernst and Wehenkel 2006).
    Random,
    /// At so many equally spaced thresholds between the smallest and the largest value of the node.
    PerNode(u32),
}

impl Cuts {
    /// Equally spaced thresholds that a numeric column is cut at in each node; none where they are others.
    pub(crate) fn spaced(self) -> Option<u32> {
        if let Self::PerNode(n) = self { Some(n) } else { None }
    }

    /// Whether a column is cut in a single way, drawn at random.
    pub(crate) fn random(self) -> bool {
        self == Self::Random
    }
}

/// How a nominal column splits a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NominalRule {
    /// One level against the rest.
    Ovr,
    /// One branch a level.
    Multiway,
    /// One branch a level, in the column with the best score of one level against the rest (Cieslak and Chawla
    /// 2008).
    OvrMultiway,
    /// Each level of more than two is a column of its own, 1 or 0; two levels are one such column.
    Dummy,
    /// A set of levels against the rest (Breiman et al. 1984).
    Subset,
}

/// What makes a node the best one to split next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeOrder {
    /// The fall of the criterion over the whole tree.
    Gain,
    /// The fall of the entropy of the classes over the whole tree, whatever the criterion.
    Entropy,
}

/// What becomes of rows without a value in the column that a node splits on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingRule {
    /// Training data must be complete.
    Error,
    /// They all go to the side where they help most; if training saw none, to the child with more rows.
    Direction,
    /// They go to every child, in proportion to its mass (Quinlan 1993).
    Fraction,
    /// In nominal columns they are one more level; in numeric ones as [`MissingRule::Direction`].
    Value,
}

impl MissingRule {
    /// Whether the scan of a column decides which side rows without a value take.
    pub(crate) fn picks_a_side(self, numeric: bool) -> bool {
        self == Self::Direction || (self == Self::Value && numeric)
    }
}

/// How many columns a node looks at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MaxFeatures {
    /// So many.
    Count(u32),
    /// This share of all.
    Share(f64),
    /// A named rule.
    Named(MaxFeaturesName),
}

/// Named numbers of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MaxFeaturesName {
    /// The square root of their number.
    Sqrt,
    /// Its binary logarithm.
    Log2,
}

/// A number, or one that follows from the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NumberOrAuto {
    /// So many.
    Number(u32),
    /// As [`TreeParams::settled`] says.
    Auto(Auto),
}

/// The word for what follows from the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Auto {
    /// It.
    Auto,
}

imbcore_base::params! {
    /// Parameters of every single-tree method; the methods differ in their defaults.
    pub struct TreeParams {
        criterion: AnyCriterion = AnyCriterion::Gini(Gini {}),
            "the name of a criterion, or a dict with its \"name\" and options" from AnyCriterion::NAMES,
            "Measure of a split; those with options also as a dict, such as `{\"name\": \"alpha\", \"alpha\": 0.5}`.";
        max_depth: Option<u32> = None, "a whole number of at least 1, or None",
            "Deepest level; the root has depth 0. None: no limit.";
        min_samples_split: u32 = 2, "a whole number of at least 2",
            "Fewest rows of a node that may be split; in a forest a row drawn twice counts twice.";
        min_samples_leaf: u32 = 1, "a whole number of at least 1",
            "Fewest rows on each side of a split.";
        min_weight_leaf: f64 = 0.0, "a number of at least 0",
            "Smallest sum of weights on each side of a split.";
        min_weight_fraction_leaf: f64 = 0.0, "a number in [0, 0.5]",
            "Smallest share of the sum of all weights on each side of a split; in a forest of those of all rows.";
        max_leaf_nodes: Option<u32> = None, "a whole number of at least 2, or None",
            "Most leaves; when given, the best node is split first. None: no limit.";
        order: NodeOrder = NodeOrder::Gain, "\"gain\" or \"entropy\"",
            "With max_leaf_nodes, the node that is split first: where the criterion falls most over the whole tree, \
             or the entropy of the classes.";
        max_features: Option<MaxFeatures> = None,
            "None, a whole number of at least 1, a share in (0, 1], \"sqrt\" or \"log2\"",
            "Features looked at in each node, drawn at random: a number, a share, or a function of their number; more where \
             these cannot split it, unless redraw is False. None: all.";
        redraw: bool = true, "True or False",
            "Whether a node looks at further features where the max_features drawn first cannot split it; with False it \
             becomes a leaf.";
        cuts: Cuts = Cuts::Best, "\"best\", \"random\", or a dict such as {'per_node': 10}, from 1 to 65535",
            "Thresholds of numeric features: \"best\" tries one between any two neighbouring values; \"random\" a single one, drawn \
             evenly between the smallest and the largest value in the node, and of a nominal feature one level or one set of \
             levels, as `nominal` says; `{\"per_node\": q}` only q, equally spaced between those values, which is coarser and more \
             random.";
        min_gain: f64 = 0.0, "a number of at least 0",
            "Smallest score of a split.";
        min_impurity_decrease: f64 = 0.0, "a number of at least 0",
            "Smallest fall of the criterion over the whole tree, of which a split of few rows brings little: its score times the \
             share of the tree's weight that is in its node, and for \"hellinger\" what order=\"gain\" orders by.";
        zero_gain: bool = true, "True or False",
            "Whether an impure node is split when no split gains anything (XOR needs it), so that trees grow until all leaves \
             are pure.";
        leaf: LeafRule = LeafRule::Frequency, "\"frequency\", \"laplace\" or \"m_estimate\"",
            "Estimate of class probabilities in a leaf.";
        prior_weight: f64 = 2.0, "a number above 0",
            "Weight of the root's class shares in the m-estimate; its m.";
        nominal: NominalRule = NominalRule::Ovr,
            "\"ovr\", \"multiway\", \"ovr_multiway\", \"dummy\" or \"subset\"",
            "How a nominal column splits: \"ovr\", one level against the rest; \"multiway\", a branch a level; \"ovr_multiway\", a branch \
             a level in the column whose best single level scores best; \"dummy\", each level a column of 0 and 1, which counts \
             for max_features; \"subset\", a set of levels against the rest, the best one for two classes or up to 10 levels.";
        missing: MissingRule = MissingRule::Direction, "\"error\", \"direction\", \"fraction\" or \"value\"",
            "Missing values: \"error\" refuses them in training; \"direction\" learns a side for them in each split; \"fraction\" sends \
             a row to all branches in proportion to their weights; \"value\" makes them one more level of nominal columns, and \
             is \"direction\" for the others.";
        monotonic_cst: Option<Vec<i8>> = None,
            "None, or a list of -1, 0 and 1, one a feature, or a dict of them by name, with two classes; 0 for nominal features" naming Features,
            "Whether the probability of the positive class never falls (1) or never rises (-1) when a feature rises.";
        ccp_alpha: Option<Complexity> = None, "a number of at least 0, infinity included, or None",
            "Price of a leaf in minimal cost-complexity pruning. None: not pruned; 0 prunes what does not lower the training risk.";
        ccp_risk: RiskName = RiskName::Gini, "\"gini\", \"entropy\", \"error\" or \"cost\"",
            "What cost-complexity pruning weighs against leaves; costs are 1 a mistake unless given.";
        max_bins: Option<NumberOrAuto> = None, "a whole number from 2 to 255, \"auto\" or None",
            "Most bins of a numeric feature, for many rows: cuts are sought between bins only, with thresholds set by the values next \
             to them. None: every cut is tried. \"auto\": 255 where the table has 100,000 rows or is read in pieces, or where bins \
             lose nothing, else None; the model says which.";
        exact_rows: NumberOrAuto = NumberOrAuto::Auto(Auto::Auto), "a whole number of at least 0, or \"auto\"",
            "With max_bins, nodes of at most so many rows are grown from the values of their rows all the same. \"auto\": 1024, or 0 \
             for a table that is read in pieces, of which bins alone are kept; the model says which.";
    }
}

/// Rows from which `max_bins="auto"` puts every column into bins.
const MANY_ROWS: usize = 100_000;

/// What `exact_rows="auto"` is where there are values.
///
/// Much of a rare class lies in the bin at the end of a column, where rows that are alike by their bins are told apart by their values
/// alone: without that a forest of 1e5 rows with 1 % positives loses a tenth of its average precision. Few rows are also cheaper to
/// look at than their bins.
const EXACT_ROWS: u32 = 1024;

impl TreeParams {
    /// The parameters with what follows from a table: whether `max_bins="auto"` puts columns into bins, and up to how many rows nodes
    /// with bins are grown exactly for `exact_rows="auto"`.
    #[must_use]
    pub fn settled(self, data: &Dataset<'_>) -> Self {
        let max_bins = match self.max_bins {
            Some(NumberOrAuto::Auto(_)) => {
                self.bins_pay(data).then_some(NumberOrAuto::Number(MOST_BINS as u32))
            }
            given => given,
        };
        let exact_rows = match self.exact_rows {
            NumberOrAuto::Auto(_) if data.bins().is_some() => NumberOrAuto::Number(0),
            NumberOrAuto::Auto(_) if max_bins.is_some() => NumberOrAuto::Number(EXACT_ROWS),
            given => given,
        };
        Self { max_bins, exact_rows, ..self }
    }

    /// Whether `"auto"` may stand for bins: they cannot share rows out, and cuts may lie elsewhere.
    fn bins_can(&self) -> bool {
        self.cuts == Cuts::Best && self.missing != MissingRule::Fraction
    }

    /// Whether bins can serve, and rows are many or bins give the very same trees.
    fn bins_pay(&self, data: &Dataset<'_>) -> bool {
        let few_values = |column: &Column<'_>| match column {
            Column::Numeric(values) => {
                distinct(values.iter().filter(|value| !value.is_nan()), MOST_BINS).is_some()
            }
            Column::Nominal { .. } => true,
        };
        // Weights of rows are rounded where columns are in bins.
        let plain = || data.weights().is_none_or(|weights| weights.iter().all(|&w| w == 0.0 || w == 1.0));
        let many = data.bins().is_some() || data.n_rows() >= MANY_ROWS;
        self.bins_can() && (many || plain() && data.frame().columns().iter().all(few_values))
    }

    /// Into how many bins at most a column of a table is put that is read in pieces; none where values are read.
    ///
    /// # Errors
    /// [`Error::Parameter`] where nodes are to be grown from values, which are not kept.
    pub fn bins_of_pieces(&self, method: &str) -> Result<Option<usize>> {
        match (self.max_bins, self.exact_rows) {
            (Some(_), NumberOrAuto::Number(rows @ 1..)) => {
                let expected =
                    "\"auto\" or 0 for a table that is read in pieces, of which bins alone are kept";
                Err(Error::parameter(method, "exact_rows", expected, rows))
            }
            (Some(NumberOrAuto::Number(bins)), _) => Ok(Some(bins as usize)),
            (Some(NumberOrAuto::Auto(_)), _) if self.bins_can() => Ok(Some(MOST_BINS)),
            _ => Ok(None),
        }
    }

    /// Hellinger distance decision tree (Cieslak and Chawla 2008; Hoens et al. 2012 for several classes).
    pub fn hddt() -> Self {
        let criterion = AnyCriterion::Hellinger(Hellinger {});
        Self { criterion, leaf: LeafRule::Laplace, ..Self::default() }
    }

    /// C4.4: C4.5 without pruning and collapsing, with Laplace leaves (Provost and Domingos 2003).
    pub fn c44() -> Self {
        Self {
            criterion: AnyCriterion::C45(C45::default()),
            min_weight_leaf: 2.0,
            zero_gain: false,
            leaf: LeafRule::Laplace,
            nominal: NominalRule::Multiway,
            missing: MissingRule::Fraction,
            ..Self::default()
        }
    }

    /// What Park and Ghosh (2012) grow besides the criterion: binary, to the end, nominal features as 0/1 columns.
    pub fn alpha_tree() -> Self {
        Self { nominal: NominalRule::Dummy, ..Self::default() }
    }

    /// CART, fully grown (Breiman et al. 1984).
    pub fn cart() -> Self {
        Self::default()
    }
}

imbcore_base::params! {
    /// What C4.5 adds to the parameters of a tree.
    pub struct C45Params {
        confidence: Option<f64> = Some(0.25), "a number in (0, 0.5], or None",
            "Confidence of the error limits; smaller values prune more. None: no pessimistic pruning.";
        collapse: bool = true, "True or False",
            "Whether subtrees become leaves that make no fewer training errors than a leaf, before any other pruning.";
        subtree_raising: bool = false, "True or False",
            "Whether pruning may also replace a node by its largest branch, down which the other rows are sent.";
        average_gain: bool = true, "True or False",
            "Whether only features of at least average gain compete by gain ratio.";
        mdl_penalty: bool = true, "True or False",
            "Whether the gain of a numeric cut is lowered by log2(number of cuts) / n.";
        c45_min: bool = false, "True or False",
            "Whether numeric cuts leave at least a tenth of the mean class weight on each side, up to 25.";
        value_gap: f64 = 0.0, "a number of at least 0",
            "Values that differ by no more are not cut apart (Weka: 1e-5).";
        cut_value: CutValue = CutValue::Midpoint, "\"midpoint\" or \"data\"",
            "Threshold of a cut: half way between two values, or lowered to a value of the training data.";
        quantile: ZRule = ZRule::Exact, "\"exact\" or \"table\"",
            "Normal quantile in the error limits, their z: computed, or from the table in C4.5's source.";
        floor: FloorRule = FloorRule::C45, "\"c45\" or \"weka\"",
            "Extra errors of a leaf wrong almost everywhere: 0.67 (N - E), or N - E.";
    }
}

impl Overrides for C45Params {
    const HIDDEN: &'static [&'static str] = &["criterion", "ccp_alpha", "ccp_risk"];
}

impl C45Params {
    /// Parameters of the tree that C4.5 grows.
    pub fn tree() -> TreeParams {
        TreeParams { leaf: LeafRule::Frequency, ..TreeParams::c44() }
    }
}

imbcore_base::params! {
    /// What an alpha-tree adds to the parameters of a tree.
    pub struct AlphaParams {
        alpha: f64 = 1.0, "a number in (0, 2]",
            "Order of the divergence: small values guard recall of the rare class, large ones its precision.";
        reference: Option<Reference> = None,
            "None, \"uniform\", \"flipped\" (needs alpha < 1), or one share a class",
            "Law that the shares of the classes in the branches are compared with: \"uniform\" (with alpha=2 the tree is that of \
             Gini's index), \"flipped\", that of the node with the classes turned round, or a law of your own. None: branch \
             and class are compared with their independence.";
    }
}

impl Overrides for AlphaParams {
    const HIDDEN: &'static [&'static str] = &["criterion"];
}

impl AlphaParams {
    /// The criterion that these parameters name.
    pub fn criterion(&self) -> AnyCriterion {
        let alpha = self.alpha;
        match self.reference.clone() {
            None => AnyCriterion::Alpha(Alpha { alpha }),
            Some(reference) => AnyCriterion::AlphaExt(AlphaExt { alpha, reference }),
        }
    }
}
