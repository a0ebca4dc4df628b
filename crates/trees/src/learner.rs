//! Tree learners: parameter checks, data preparation and training.

use crate::binned::{BinEdges, MOST_BINS, QuantileSketch, RowMajorBins, compute_edges_from_sketches};
use crate::grow::node_rows::TrainingLayout;
use crate::grow::tree_grower::grow;
use crate::model::TreeModel;
use crate::params::{
    AlphaParams, C45Params, CategoricalSplit, MaxFeatures, MissingRule, NumberOrAuto, Splitter, TreeParams,
};
use crate::prediction::leaf_estimate::LeafEstimate;
use crate::prune::{C45Options, C45Pruning, ComplexityParameter, ErrorBounds, Risk};
use crate::rows::presort::presort;
use crate::rows::rank_table::RankTable;
use crate::rows::train_column::{FlaggedRow, TrainColumn};
use crate::rows::training::{DrawnRows, TrainingTable, TreeSample, count_draws};
use crate::settings::{GrowthOptions, MOST_LEVELS_APART, RowLayout, Settings, check_monotone_constraints};
use crate::statistics::EncodedData;
use crate::tree::Tree;
use imbcore_core::{Column, Dataset, Error, Learner, Params, Result, RunContext, SeedKey};
use imbcore_criteria::{AnyCriterion, C45, Criterion, CriterionVisitor, DataProperties, METHOD};
use std::borrow::Cow;

const MOST_SPACED: u32 = 65_535;

impl TreeParams {
    /// Checks the parameters as far as possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<TreeLearner> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        let at_least_zero = |value: f64| value.is_finite() && value >= 0.0;
        require(self.max_depth != Some(0), "max_depth", &0)?;
        require(self.min_samples_split >= 2, "min_samples_split", &self.min_samples_split)?;
        require(self.min_samples_leaf >= 1, "min_samples_leaf", &self.min_samples_leaf)?;
        require(at_least_zero(self.min_weight_leaf), "min_weight_leaf", &self.min_weight_leaf)?;
        let share = self.min_weight_fraction_leaf;
        require((0.0..=0.5).contains(&share), "min_weight_fraction_leaf", &share)?;
        let leaves = self.max_leaf_nodes.unwrap_or(2);
        require(leaves >= 2, "max_leaf_nodes", &leaves)?;
        match &self.max_features {
            Some(MaxFeatures::Count(count)) => require(*count >= 1, "max_features", count)?,
            Some(MaxFeatures::Share(share)) => {
                require(*share > 0.0 && *share <= 1.0, "max_features", share)?;
            }
            _ => {}
        }
        require(at_least_zero(self.min_split_gain), "min_split_gain", &self.min_split_gain)?;
        let decrease = self.min_impurity_decrease;
        require(at_least_zero(decrease), "min_impurity_decrease", &decrease)?;
        require(
            self.prior_weight.is_finite() && self.prior_weight > 0.0,
            "prior_weight",
            &self.prior_weight,
        )?;
        let price = self.ccp_alpha.map_or(0.0, |alpha| alpha.0);
        require(price >= 0.0, "ccp_alpha", &price)?;
        let signs = self.monotonic_cst.as_deref().unwrap_or_default();
        require(signs.iter().all(|sign| sign.abs() <= 1), "monotonic_cst", &format_args!("{signs:?}"))?;
        if let Splitter::PerNode(n) = self.splitter {
            require((1..=MOST_SPACED).contains(&n), "splitter", &format_args!("{{'per_node': {n}}}"))?;
        }
        let bins = match self.max_bins {
            Some(NumberOrAuto::Number(bins)) => Some(bins),
            _ => None,
        };
        if let (Some(bins), Splitter::PerNode(_) | Splitter::Random) = (bins, self.splitter) {
            let expected = "None unless splitter=\"best\", because other splitters do not use bins";
            return Err(Error::parameter(method, "max_bins", expected, bins));
        }
        let bins = bins.unwrap_or(2);
        require((2..=MOST_BINS as u32).contains(&bins), "max_bins", &bins)?;
        Ok(TreeLearner {
            method,
            params: self,
            class_weight: None,
            ways: GrowthOptions { layout: RowLayout::Presorted, every_cut: false, draws: false, c45: None },
            costs: None,
        })
    }
}

impl AlphaParams {
    /// Checks the parameters as far as possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self, inner: TreeParams, method: &'static str) -> Result<TreeLearner> {
        if self.alpha > 0.0 && self.alpha <= 2.0 {
            return TreeParams { criterion: self.criterion(), ..inner }.check(method);
        }
        let expected = self.specs().into_iter().find(|spec| spec.name == "alpha").map_or("", |s| s.expected);
        Err(Error::parameter(method, "alpha", expected, self.alpha))
    }
}

impl C45Params {
    /// Checks the parameters as far as possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self, inner: TreeParams, method: &'static str) -> Result<TreeLearner> {
        let specs = self.specs();
        let wrong = |name: &str, got: f64| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            Err(Error::parameter(method, name, expected, got))
        };
        if let Some(confidence) = self.confidence.filter(|cf| !(*cf > 0.0 && *cf <= 0.5)) {
            return wrong("confidence", confidence);
        }
        if !(self.min_value_difference.is_finite() && self.min_value_difference >= 0.0) {
            return wrong("min_value_difference", self.min_value_difference);
        }
        let constrained =
            inner.monotonic_cst.as_ref().is_some_and(|signs| signs.iter().any(|&sign| sign != 0));
        if self.subtree_raising && constrained {
            let expected = "None with subtree_raising=True, which moves rows to other leaves after the constraints were checked";
            return Err(Error::parameter(method, "monotonic_cst", expected, "a list"));
        }
        let (average_gain, mdl_penalty) = (self.average_gain, self.mdl_penalty);
        let criterion = AnyCriterion::C45(C45 { average_gain, mdl_penalty });
        let pruning = C45Pruning {
            collapse: self.collapse,
            limits: self
                .confidence
                .map(|confidence| ErrorBounds::new(confidence, self.quantile, self.extra_errors)),
            raising: self.subtree_raising,
        };
        let (c45_min, min_value_difference, threshold_placement) =
            (self.c45_min, self.min_value_difference, self.threshold_placement);
        let rules = C45Options { c45_min, min_value_difference, threshold_placement, pruning };
        Ok(TreeParams { criterion, ..inner }.check(method)?.with_c45_options(rules))
    }
}

/// Learner for a single tree with checked parameters.
#[derive(Clone, Debug)]
pub struct TreeLearner {
    method: &'static str,
    params: TreeParams,
    class_weight: Option<Vec<f64>>,
    ways: GrowthOptions,
    costs: Option<Vec<f64>>,
}

impl TreeLearner {
    /// Sets the costs `cost[true][predicted]`, row-major, for pruning by expected cost.
    #[must_use]
    pub fn with_costs(self, costs: Option<Vec<f64>>) -> Self {
        Self { costs, ..self }
    }

    #[must_use]
    pub(crate) fn with_c45_options(self, rules: C45Options) -> Self {
        Self { ways: GrowthOptions { c45: Some(rules), ..self.ways }, ..self }
    }

    /// Sets class weights, by which the weights of the rows are multiplied.
    #[must_use]
    pub fn with_class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    /// Sets the memory layout of the rows, which does not change the tree.
    #[must_use]
    pub fn with_row_layout(self, layout: RowLayout) -> Self {
        Self { ways: GrowthOptions { layout, ..self.ways }, ..self }
    }

    /// Scores every threshold, also those that cannot be optimal; this does not change the tree.
    #[must_use]
    pub fn with_every_threshold(self, every_cut: bool) -> Self {
        Self { ways: GrowthOptions { every_cut, ..self.ways }, ..self }
    }

    /// Visits the features of each node in random order even if all are used, as forests do.
    ///
    /// Thus ties between equally good splits do not favor columns by their position.
    #[must_use]
    pub fn with_random_feature_order(self, draws: bool) -> Self {
        Self { ways: GrowthOptions { draws, ..self.ways }, ..self }
    }

    /// Returns the criterion.
    pub fn criterion(&self) -> &AnyCriterion {
        &self.params.criterion
    }

    /// Returns the class weights, if set.
    pub fn class_weights(&self) -> Option<&[f64]> {
        self.class_weight.as_deref()
    }

    /// Returns the leaf estimate, its parameter `m`, and whether rows are split into fractions.
    ///
    /// If rows are split, a row with a missing value in the split column goes to all children in fractions.
    pub fn leaf_estimate_settings(&self) -> (LeafEstimate, f64, bool) {
        (self.params.leaf_estimate, self.params.prior_weight, self.params.missing == MissingRule::Fraction)
    }

    /// Prepares a data set for growing trees with the parameters of this learner.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::Data`] or [`Error::Column`] if parameters and data do not match;
    /// [`Error::Cancelled`].
    pub fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunContext<'_>) -> Result<PreparedData<'a>> {
        let mut table = TrainingTable::new(data, self.class_weight.as_deref())?;
        let params = self.params.clone().resolve_auto(data);
        let settings = Settings::new(self.method, &params, &self.ways, &table, table.columns_with_missing())?;
        let splits_many_ways = |column: &TrainColumn<'_>| match *column {
            TrainColumn::Nominal { levels, .. } => {
                settings.categorical_split_kind(levels) == CategoricalSplit::Multiway
            }
            TrainColumn::Numeric(_) => false,
        };
        let multiway = table.columns.iter().any(splits_many_ways);
        let facts = DataProperties { n_classes: data.n_classes(), multiway };
        // Subtree raising reads the columns again and again, so strided columns are copied.
        let raises = self.ways.c45.is_some_and(|rules| rules.pruning.can_raise_subtrees());
        if table.coded.is_none() && (raises || settings.reads_column_values()) {
            table.copy_strided_columns(ctl)?;
        }
        let view = if let Some(most) = settings.max_bins {
            table.round_weights();
            PreparedColumns::Binned(RowMajorBins::new(&table, most, ctl)?)
        } else {
            let (orders, ranks) = if settings.splitter.is_random() {
                (Vec::new(), RankTable::from_levels(&table.columns))
            } else {
                presort(&table, data, settings.layout, ctl)?
            };
            table.ranks = ranks;
            PreparedColumns::Sorted(orders)
        };
        Ok(PreparedData { table, settings, facts, view })
    }

    /// Computes the bins of columns that are read in chunks, from their sketches.
    ///
    /// These bins equal the bins that [`Self::prepare`] computes from the whole table. `labels` contains the
    /// labels and weights of the table.
    ///
    /// # Errors
    /// Same errors as [`Self::prepare`].
    pub fn bin_edges_from_sketches(
        &self,
        labels: &Dataset<'_>,
        sketches: Vec<Option<QuantileSketch>>,
        ctl: RunContext<'_>,
    ) -> Result<Vec<Option<BinEdges>>> {
        let mut table = TrainingTable::new(labels, self.class_weight.as_deref())?;
        table.round_weights();
        compute_edges_from_sketches(sketches, (labels, &table), ctl)
    }

    /// Grows one tree from the drawn rows, with `criterion` as the split criterion.
    ///
    /// `drawn` must not list rows of weight 0. A row drawn several times counts several times in row counts.
    /// With [`RowLayout::Ranked`], the cost depends mainly on the number of drawn rows, not on the size of
    /// the table.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a criterion that does not fit the data, [`Error::Cancelled`].
    pub fn grow(
        &self,
        ground: &PreparedData<'_>,
        criterion: &AnyCriterion,
        drawn: DrawnRows<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Tree> {
        let table = &ground.table;
        let (training, view) = match &ground.view {
            PreparedColumns::Binned(bins) => {
                let view = TrainingLayout::Binned(bins);
                // C4.5's pruning processes rows one by one, so a row drawn several times must be listed
                // several times.
                let times =
                    if self.ways.c45.is_none() { row_draw_counts(drawn, ground.n_rows()) } else { None };
                if let Some(times) = times {
                    let training = TreeSample::with_draw_counts(table, &times);
                    return self.grow_with_layout(ground, criterion, (training, drawn), view, key, ctl);
                }
                (TreeSample::new(table, drawn), view)
            }
            PreparedColumns::Sorted(orders) => {
                let training = TreeSample::new(table, drawn);
                let orders = match drawn {
                    // `orders` is empty if every node sorts its rows itself.
                    _ if orders.is_empty() => Vec::new(),
                    DrawnRows::All => orders.clone(),
                    _ => training.repeat_entries_by_draws(orders),
                };
                (training, TrainingLayout::Sorted(orders))
            }
        };
        self.grow_with_layout(ground, criterion, (training, drawn), view, key, ctl)
    }

    fn grow_with_layout(
        &self,
        ground: &PreparedData<'_>,
        criterion: &AnyCriterion,
        (training, drawn): (TreeSample<'_>, DrawnRows<'_>),
        view: TrainingLayout<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Tree> {
        let (settings, facts) = (&ground.settings, ground.facts);
        let grow = GrowVisitor { training, settings, facts, view, key, ctl };
        let tree = criterion.accept(grow).map_err(|error| match error {
            Error::Parameter { method, name, expected, got } if method == METHOD => {
                Error::Parameter { method: self.method.to_owned(), name, expected, got }
            }
            other => other,
        })?;
        self.prune(tree, (&ground.table, drawn), ctl)
    }

    fn prune(
        &self,
        tree: Tree,
        (table, drawn): (&TrainingTable<'_>, DrawnRows<'_>),
        ctl: RunContext<'_>,
    ) -> Result<Tree> {
        if let Some(rules) = &self.ways.c45 {
            let fraction = self.params.missing == MissingRule::Fraction;
            return rules.prune_and_place_thresholds(tree, &TreeSample::new(table, drawn), fraction, ctl);
        }
        match self.params.ccp_alpha {
            None => Ok(tree),
            Some(ComplexityParameter(alpha)) => {
                let risk = Risk::new(self.params.ccp_criterion, self.costs.as_deref(), table.n_classes)?;
                Ok(tree.prune_with_alpha(alpha, &risk))
            }
        }
    }

    /// Combines a grown tree with the leaf estimate of this learner.
    pub fn build_model(&self, tree: Tree) -> TreeModel {
        let fraction = self.params.missing == MissingRule::Fraction;
        TreeModel::new(tree, self.params.leaf_estimate, self.params.prior_weight, fraction)
    }
}

/// Number of draws of each row, or `None`.
///
/// The result is `None` for [`DrawnRows::All`], for a list of few rows, or if a count exceeds a byte.
fn row_draw_counts(drawn: DrawnRows<'_>, n_rows: usize) -> Option<Cow<'_, [u8]>> {
    match drawn {
        DrawnRows::Counted(times) => Some(Cow::Borrowed(times)),
        DrawnRows::Listed(rows) if rows.len() >= n_rows / 4 => count_draws(rows, n_rows).map(Cow::Owned),
        DrawnRows::All | DrawnRows::Listed(_) => None,
    }
}

/// Training data prepared for growing trees: checked settings, and sorted or binned columns.
pub struct PreparedData<'a> {
    table: TrainingTable<'a>,
    settings: Settings,
    facts: DataProperties,
    view: PreparedColumns<'a>,
}

enum PreparedColumns<'a> {
    /// Rows with positive weight sorted by every column; empty if nodes sort rows themselves.
    Sorted(Vec<Vec<FlaggedRow>>),
    Binned(RowMajorBins<'a>),
}

impl PreparedData<'_> {
    /// Number of rows of the data set.
    pub fn n_rows(&self) -> usize {
        self.table.classes.len()
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.table.columns.len()
    }
}

struct GrowVisitor<'g> {
    training: TreeSample<'g>,
    settings: &'g Settings,
    facts: DataProperties,
    view: TrainingLayout<'g>,
    key: SeedKey,
    ctl: RunContext<'g>,
}

impl CriterionVisitor for GrowVisitor<'_> {
    type Out = Result<Tree>;

    fn visit<C: Criterion>(self, criterion: &C) -> Self::Out {
        criterion.check(self.facts)?;
        grow(self.training, self.settings, criterion, self.view, self.key, self.ctl)
    }
}

impl Learner for TreeLearner {
    type Model = TreeModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<TreeModel> {
        if let Some(encoded) = self.encode_nominal_columns(data, key, ctl)? {
            let tree = self.fit_tree(&encoded.encoded_dataset(data)?, key, ctl)?;
            return Ok(self.build_model(encoded.decode_tree(&tree)?));
        }
        Ok(self.build_model(self.fit_tree(data, key, ctl)?))
    }
}

impl TreeLearner {
    /// Replaces nominal columns by target statistics, according to `categorical_split`.
    ///
    /// "target" replaces all nominal columns. "auto" replaces only columns with more than 255 levels, and no
    /// column if `max_bins` is set.
    ///
    /// # Errors
    /// Same errors as [`EncodedData::new`].
    pub fn encode_nominal_columns(
        &self,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Option<EncodedData>> {
        let has_many = |column: &Column<'_>| matches!(column, &Column::Nominal { levels, .. } if levels > MOST_LEVELS_APART);
        let max_levels = match self.params.categorical_split {
            CategoricalSplit::Target => 0,
            CategoricalSplit::Auto
                if self.params.max_bins.is_none() && data.frame().columns().iter().any(has_many) =>
            {
                MOST_LEVELS_APART
            }
            _ => return Ok(None),
        };
        // Monotonic constraints are checked before columns are replaced, because each constraint belongs to a
        // column of the data. Only numeric columns may have a constraint.
        let signs = self.params.monotonic_cst.as_deref();
        check_monotone_constraints(
            self.method,
            signs,
            &TrainingTable::new(data, self.class_weight.as_deref())?,
        )?;
        EncodedData::new(self.method, data, (self.class_weight.as_deref(), max_levels), key, ctl).map(Some)
    }

    fn fit_tree(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<Tree> {
        let mut ground = self.prepare(data, ctl)?;
        let criterion = &self.params.criterion;
        let PreparedColumns::Sorted(orders) = &mut ground.view else {
            return self.grow(&ground, criterion, DrawnRows::All, key, ctl);
        };
        // Only one tree uses the sorted rows, so they are moved instead of copied.
        let view = TrainingLayout::Sorted(std::mem::take(orders));
        let training = TreeSample::new(&ground.table, DrawnRows::All);
        self.grow_with_layout(&ground, criterion, (training, DrawnRows::All), view, key, ctl)
    }
}
