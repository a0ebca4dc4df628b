//! What a tree is grown by: parameters after all checks against the data.

use crate::answer::leaf::LeafRule;
use crate::params::{
    Cuts, MaxFeatures, MaxFeaturesName, MissingRule, NodeOrder, NominalRule, NumberOrAuto, TreeParams,
};
use crate::prune::C45Rules;
use crate::rows::entry::TrainColumn;
use crate::rows::training::Table;
use imbcore_base::{Error, Result};

/// Work (rows times columns) of a node from which its columns are scanned and divided in parallel.
pub const PARALLEL_WORK: usize = 1 << 17;

/// Most levels of a nominal column that splits tell apart one by one.
///
/// One level against the rest takes as many splits as levels to part them, and a branch a level is built at every node that
/// splits so, also for levels that few rows have: columns of more levels are split by sets of them, as with [`NominalRule::Subset`].
pub const MOST_LEVELS_APART: u32 = 255;

/// What a split may ask about: a column, or with [`NominalRule::Dummy`] one level of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) column: u32,
    /// The level; the number of levels stands for a missing value.
    pub(crate) level: Option<u32>,
}

/// How many features a node draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn {
    pub(crate) at_once: usize,
    /// Whether as many more are looked at where these cannot split the node.
    pub(crate) again: bool,
}

/// How the rows of a node are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Sorted once by every column, then divided in place: linear time a level.
    Presorted,
    /// Listed, and sorted anew at every node: simple, and the only one that can hold fractions of rows.
    Listed,
    /// Listed, with values replaced by their ranks: nothing is done for columns that a node does not look at, and
    /// most searches count rows instead of sorting them.
    Ranked,
}

/// Settings of a tree builder after all checks against the data.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Deepest level; the root has depth 0.
    pub(crate) max_depth: usize,
    /// Fewest rows of a node that may split.
    pub(crate) min_split: usize,
    /// Fewest rows of a branch.
    pub(crate) min_rows: usize,
    /// Smallest mass of a branch.
    pub(crate) min_mass: f64,
    /// Most leaves; grows the best node first when set.
    pub(crate) max_leaves: Option<usize>,
    /// Which node is the best.
    pub(crate) order: NodeOrder,
    /// Everything that a split may ask about.
    pub(crate) features: Vec<Feature>,
    /// Features drawn in each node; none: all are looked at, in the order of the table.
    pub(crate) drawn: Option<Drawn>,
    /// Where columns are cut.
    pub(crate) cuts: Cuts,
    /// Smallest score of a split.
    pub(crate) min_gain: f64,
    /// Smallest score of a split times its node's share of the weight of all rows.
    pub(crate) min_decrease: f64,
    /// Whether a split that gains nothing may be made.
    pub(crate) zero_gain: bool,
    /// Nominal splits.
    pub(crate) nominal: NominalRule,
    /// Of every column: 1 where the probability of the positive class may not fall, -1 where it may not rise.
    pub(crate) monotone: Option<Vec<i8>>,
    /// Leaf rule, as far as constraints need it.
    pub(crate) leaf: LeafRule,
    /// Its parameter.
    pub(crate) m: f64,
    /// Missing values.
    pub(crate) missing: MissingRule,
    /// Row layout.
    pub(crate) layout: Layout,
    /// Most bins of a numeric column; none for exact growth.
    pub(crate) max_bins: Option<usize>,
    /// With bins, nodes of so many rows and less are grown exactly all the same.
    pub(crate) exact_rows: u32,
    /// Score every cut, not only those that can win.
    pub(crate) every_cut: bool,
    /// Columns in which a value may be missing.
    pub(crate) may_miss: Vec<bool>,
    /// Values that differ by no more than this are not cut apart.
    pub(crate) value_gap: f64,
    /// Numeric cuts leave at least a tenth of the mean class mass on each side, up to 25.
    pub(crate) c45_min: bool,
}

/// What a learner asks for besides its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways {
    pub(crate) layout: Layout,
    pub(crate) every_cut: bool,
    pub(crate) draws: bool,
    pub(crate) c45: Option<C45Rules>,
}

impl Settings {
    /// How a nominal column of so many levels splits.
    pub(crate) fn nominal_of(&self, levels: u32) -> NominalRule {
        nominal_of(self.nominal, levels)
    }

    /// Whether exact growth reads the values of many rows at its nodes, instead of orders and ranks that were made of them once.
    pub(crate) fn reads_values(&self) -> bool {
        let asks_values = self.layout == Layout::Listed
            || self.cuts.random()
            || self.cuts.spaced().is_some()
            || self.value_gap > 0.0;
        asks_values && self.max_bins.is_none()
    }

    /// What the parameters of `method` mean for a table, of which `may_miss` names the columns with missing values.
    ///
    /// # Errors
    /// [`Error::Parameter`] or [`Error::Column`] where parameters and data do not fit.
    pub(crate) fn new(
        method: &str,
        params: &TreeParams,
        ways: &Ways,
        table: &Table<'_>,
        may_miss: Vec<bool>,
    ) -> Result<Self> {
        let missing_column = may_miss.iter().position(|&misses| misses);
        if let (MissingRule::Error, Some(column)) = (params.missing, missing_column) {
            let message = "has missing values (NaN), which missing=\"error\" refuses; fill them, or use \
                           missing=\"direction\", \"fraction\" or \"value\"";
            return Err(Error::Column { column, message: message.into() });
        }
        let fraction = params.missing == MissingRule::Fraction && missing_column.is_some();
        let max_bins = match params.max_bins {
            Some(NumberOrAuto::Number(bins)) => Some(bins as usize),
            _ => None,
        };
        check_monotone(method, params.monotonic_cst.as_deref(), table)?;
        let features = features(params, table, &may_miss);
        // Dummy columns count as columns.
        let n_columns = features.len();
        if let (true, Some(_), Some(column)) = (fraction, max_bins, missing_column) {
            let message = "has missing values (NaN), which missing=\"fraction\" shares out in parts that max_bins \
                           cannot count; use missing=\"direction\", or max_bins=None";
            return Err(Error::Column { column, message: message.into() });
        }
        #[allow(clippy::cast_sign_loss)] // Shares and logarithms of counts are positive.
        let max_columns = match params.max_features {
            None => n_columns,
            Some(MaxFeatures::Count(count)) => count as usize,
            Some(MaxFeatures::Share(share)) => (share * n_columns as f64) as usize,
            Some(MaxFeatures::Named(MaxFeaturesName::Sqrt)) => (n_columns as f64).sqrt() as usize,
            Some(MaxFeatures::Named(MaxFeaturesName::Log2)) => (n_columns as f64).log2() as usize,
        };
        if max_columns > n_columns {
            let expected = format!("at most the number of features, {n_columns}");
            return Err(Error::parameter(method, "max_features", &expected, max_columns));
        }
        Ok(Self {
            max_depth: params.max_depth.map_or(usize::MAX, |depth| depth as usize),
            min_split: params.min_samples_split as usize,
            min_rows: params.min_samples_leaf as usize,
            min_mass: params.min_weight_leaf.max(params.min_weight_fraction_leaf * table.mass()),
            max_leaves: params.max_leaf_nodes.map(|leaves| leaves as usize),
            order: params.order,
            features,
            drawn: (ways.draws || max_columns < n_columns)
                .then_some(Drawn { at_once: max_columns.max(1), again: params.redraw }),
            cuts: params.cuts,
            min_gain: params.min_gain,
            min_decrease: params.min_impurity_decrease,
            zero_gain: params.zero_gain,
            nominal: params.nominal,
            monotone: params.monotonic_cst.clone().filter(|signs| signs.iter().any(|&sign| sign != 0)),
            leaf: params.leaf,
            m: params.prior_weight,
            missing: params.missing,
            layout: match params.cuts {
                _ if fraction => Layout::Listed,
                // No column need be sorted.
                _ if max_bins.is_some() => Layout::Ranked,
                Cuts::Random => Layout::Ranked,
                _ => ways.layout,
            },
            // A gap rules cuts out, so that the neighbours of a cut that cannot win may win.
            every_cut: ways.every_cut || ways.c45.is_some_and(|rules| rules.value_gap > 0.0),
            max_bins,
            exact_rows: match params.exact_rows {
                // Of columns that came in bins there are no values.
                NumberOrAuto::Number(rows) if table.coded.is_none() => rows,
                _ => 0,
            },
            may_miss,
            value_gap: ways.c45.map_or(0.0, |rules| rules.value_gap),
            c45_min: ways.c45.is_some_and(|rules| rules.c45_min),
        })
    }
}

pub(crate) fn nominal_of(rule: NominalRule, levels: u32) -> NominalRule {
    if levels > MOST_LEVELS_APART { NominalRule::Subset } else { rule }
}

/// Everything that a split may ask about: the columns, or with dummies each level of those with more than two.
fn features(params: &TreeParams, table: &Table<'_>, may_miss: &[bool]) -> Vec<Feature> {
    let of_column = |(column, (values, &misses)): (u32, (&TrainColumn<'_>, &bool))| match *values {
        TrainColumn::Nominal { levels, .. } if nominal_of(params.nominal, levels) == NominalRule::Dummy => {
            let all = levels + u32::from(misses && params.missing == MissingRule::Value);
            // Of two levels one column says everything; the second of them may be the missing value.
            let wanted = match (all, levels) {
                (2, 1) => 1..2,
                (..=2, _) => 0..1,
                _ => 0..all,
            };
            wanted.map(|level| Feature { column, level: Some(level) }).collect()
        }
        _ => vec![Feature { column, level: None }],
    };
    (0..).zip(table.columns.iter().zip(may_miss)).flat_map(of_column).collect()
}

/// Whether the constraints fit the data: one sign a feature, two classes, none on a nominal feature.
pub(crate) fn check_monotone(method: &str, signs: Option<&[i8]>, table: &Table<'_>) -> Result<()> {
    let Some(signs) = signs else { return Ok(()) };
    let n_columns = table.columns.len();
    let refuse = |expected: &str, got: &dyn std::fmt::Display| {
        Err(Error::parameter(method, "monotonic_cst", expected, got))
    };
    if signs.len() != n_columns {
        return refuse(&format!("a list of {n_columns} numbers, one a feature"), &signs.len());
    }
    if table.n_classes != 2 && signs.iter().any(|&sign| sign != 0) {
        // Not the signs: they have been turned where the positive class is the first.
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
