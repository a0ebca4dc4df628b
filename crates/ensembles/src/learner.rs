//! Growing a forest.
//! Each tree draws its rows, and each thread grows one tree after the other. The columns are sorted once for
//! all trees. If trees use few of the rows, each tree sorts the columns of its own rows instead.

use crate::compact_forest::{CompactForest, MOST_COLUMNS};
use crate::copied_rows::CopiedRows;
use crate::grower::{CriterionTreeGrower, ForestGrower};
use crate::initial_trees::InitialTrees;
use crate::model::{ForestModel, LeafPredictionRule};
use crate::out_of_bag::{
    extend_seen_rows_to_groups, out_of_bag_times_error, out_of_bag_votes, score_out_of_bag,
};
use crate::params::ForestSettings;
use crate::row_sample::RowSample;
use crate::row_sampler::RowSampler;
use crate::shrinkage_choice::{ShrinkageChoice, TreeGrowthOptions};
use crate::strata::{RankSet, RowsByRank};
use imbcore_core::memory_estimate::MemberMemoryProjection;
use imbcore_core::{ClassStats, Dataset, Error, Learner, PriorShift, Result, RunContext, SeedKey, tags};
use imbcore_trees::svr::SvrLearner;
use imbcore_trees::{BinEdges, ColumnKind, DrawnRows, QuantileSketch, RowLayout, Tree, TreeLearner};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// Initial number of trees for `n_estimators="auto"`.
/// It is doubled, up to `MOST_TREES`, until the out-of-bag average precision changes by less than `SETTLED`.
const FEWEST_TREES: u32 = 50;
const MOST_TREES: u32 = 800;
const SETTLED: f64 = 0.005;

const SMALLER_TREES: &str =
    "use fewer trees (n_estimators), a larger min_samples_leaf, or a smaller max_depth or max_samples";

/// A forest method with validated parameters.
#[derive(Clone, Debug)]
pub struct ForestLearner<G> {
    pub(crate) plan: ForestSettings,
    pub(crate) grower: G,
    pub(crate) method: &'static str,
    positive: u32,
}

pub(crate) struct ForestTrainingData<'f, 'd, G: ForestGrower + 'f> {
    pub(crate) data: &'f Dataset<'d>,
    pub(crate) columns: Vec<ColumnKind>,
    pub(crate) facts: ClassStats,
    sampler: RowSampler,
    /// Rows in memory, sorted by rank (see `Strata`), if each tree uses few rows; else `None`.
    rows: Option<RowsByRank>,
    /// The whole table, prepared once; `None` if every tree prepares its own rows.
    pub(crate) prepared: Option<G::Preparation<'d>>,
    pub(crate) choice: Option<ShrinkageChoice>,
}

impl<G: ForestGrower> ForestTrainingData<'_, '_, G> {
    fn n_classes_and_columns(&self) -> (usize, usize) {
        (self.data.n_classes(), self.columns.len())
    }

    fn draw_sample(&self, key: SeedKey) -> Result<RowSample> {
        self.sampler.draw_sample(self.rows.as_ref(), self.data, key)
    }

    fn draw_restricted_sample(&self, key: SeedKey, options: TreeGrowthOptions<'_>) -> Result<RowSample> {
        let drawn = self.draw_sample(key)?;
        Ok(match options.trains {
            Some(trains) => drawn.keep_training_rows(trains),
            None => drawn,
        })
    }
}

pub(crate) struct GrownForestTree {
    packed: CompactForest,
    importances: Vec<f64>,
    alpha: Option<f64>,
    /// Bit set of the rows that the tree was fitted to, if out-of-bag predictions are needed.
    seen: Vec<u64>,
}

impl GrownForestTree {
    pub(crate) fn unpack_tree(&self, columns: &[ColumnKind]) -> Result<Tree> {
        Tree::from_arrays(self.packed.unpack_tree_arrays(0), columns, self.packed.n_classes())
    }
}

impl ForestLearner<CriterionTreeGrower> {
    /// Creates a forest of trees grown by `tree`.
    pub fn new(method: &'static str, plan: ForestSettings, tree: TreeLearner) -> Self {
        let grower = CriterionTreeGrower {
            tree: tree.with_row_layout(RowLayout::Ranked).with_random_feature_order(true),
            alpha_distribution: plan.alpha_distribution.clone(),
        };
        Self { plan, grower, method, positive: 1 }
    }
}

impl ForestLearner<CriterionTreeGrower> {
    /// Bin edges of columns that are given by quantile sketches of streamed data.
    /// `labels` contains the labels and weights of the table. All trees share these bins.
    ///
    /// # Errors
    /// Same errors as [`TreeLearner::bin_edges`]; [`Error::Unsupported`] if trees compute bins from their own
    /// rows, out-of-bag predictions are requested, or held-out rows determine the shrinkage.
    pub fn bin_edges_from_sketches(
        &self,
        labels: &Dataset<'_>,
        sketches: Vec<Option<QuantileSketch>>,
        ctl: RunContext<'_>,
    ) -> Result<Vec<Option<BinEdges>>> {
        if self.plan.out_of_bag.is_some()
            || self.row_sampler((&labels.class_stats(), None))?.is_small_sample()
        {
            return Err(self.needs_all_rows_error());
        }
        self.check_values_for_shrinkage()?;
        self.grower.tree.bin_edges_from_sketches(labels, sketches, ctl)
    }
}

impl ForestLearner<SvrLearner> {
    /// Creates a forest of SVR-Trees.
    pub fn for_svr_trees(method: &'static str, plan: ForestSettings, tree: SvrLearner) -> Self {
        Self { plan, grower: tree, method, positive: 1 }
    }
}

impl<G: ForestGrower> ForestLearner<G> {
    /// Sets the positive class for the out-of-bag score; 1 by default.
    #[must_use]
    pub fn with_positive_class(self, positive: u32) -> Self {
        Self { positive, ..self }
    }

    pub(crate) fn grow_tree(
        &self,
        field: &ForestTrainingData<'_, '_, G>,
        options: TreeGrowthOptions<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<(Tree, Option<f64>, RowSample)> {
        let drawn = field.draw_restricted_sample(key, options)?;
        let (tree, alpha) = match (&field.prepared, &drawn) {
            (Some(prepared), drawn) => self.grower.grow(prepared, drawn.rows(), key, ctl)?,
            (None, RowSample::Listed(rows)) => {
                let own = CopiedRows::new(field.data, rows, ctl)?;
                let prepared = self.grower.prepare(&own.as_dataset()?, ctl)?;
                self.grower.grow(&prepared, DrawnRows::Listed(&own.rows), key, ctl)?
            }
            (None, _) => return Err(Error::Internal("a tree of all rows has no prepared table".into())),
        };
        Ok((tree, alpha, drawn))
    }

    fn grow_compact_tree(
        &self,
        field: &ForestTrainingData<'_, '_, G>,
        options: TreeGrowthOptions<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<GrownForestTree> {
        let (tree, alpha, drawn) = self.grow_tree(field, options, key, ctl)?;
        let seen =
            if self.needs_out_of_bag() { drawn.sampled_row_bits(field.data.n_rows()) } else { Vec::new() };
        let tree = tree.shrink(options.amount, options.scale);
        let mut packed = CompactForest::new(tree.n_classes());
        packed.push_tree(&tree.to_arrays(), &tree);
        // Unused capacity is released, because the tree stays in memory until all other trees are grown.
        packed.shrink_to_fit();
        // Importances are computed from the compact form of the tree, so that merging forests gives the same
        // values.
        let mut tree = GrownForestTree { packed, importances: Vec::new(), alpha, seen };
        tree.importances =
            self.grower.importances(&tree.unpack_tree(&field.columns)?, key, field.columns.len());
        Ok(tree)
    }

    /// Grows the trees with indices in `part`, and returns them in order.
    ///
    /// There is at most one worker per thread, and each worker grows one tree after the other. Thus, at most
    /// one tree per thread is being grown at a time.
    pub(crate) fn grow_trees(
        &self,
        field: &ForestTrainingData<'_, '_, G>,
        (part, options): (Range<u32>, TreeGrowthOptions<'_>),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Vec<GrownForestTree>> {
        let Range { start: first, end: n_trees } = part;
        let (next, done) = (AtomicU32::new(first), AtomicU32::new(first));
        let memory = MemberMemoryProjection::new(n_trees.saturating_sub(first) as usize);
        let work = |_| {
            let mut grown = Vec::new();
            loop {
                let tree = next.fetch_add(1, Ordering::Relaxed);
                if tree >= n_trees {
                    return Ok(grown);
                }
                ctl.check()?;
                let key = key.child(tags::forest::TREE, tree);
                let one = self.grow_compact_tree(field, options, key, ctl.without_observer())?;
                let leaves = one.packed.n_leaves();
                let trees = || format!("{} trees of about {leaves} leaves", n_trees - first);
                memory.add_member(one.packed.memory_size_bytes(), self.method, trees, SMALLER_TREES)?;
                grown.push((tree, one));
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                ctl.report_progress("trees", u64::from(done), u64::from(n_trees));
            }
        };
        let workers = rayon::current_num_threads().min(n_trees.saturating_sub(first) as usize);
        let parts = (0..workers).into_par_iter().with_max_len(1).map(work).collect::<Result<Vec<_>>>()?;
        let mut all: Vec<(u32, GrownForestTree)> = parts.into_iter().flatten().collect();
        all.sort_unstable_by_key(|&(tree, _)| tree);
        Ok(all.into_iter().map(|(_, grown)| grown).collect())
    }

    fn needs_out_of_bag(&self) -> bool {
        self.plan.out_of_bag.is_some() || self.plan.n_trees.is_none()
    }

    fn row_sampler(&self, facts: (&ClassStats, Option<&Dataset<'_>>)) -> Result<RowSampler> {
        let plan = &self.plan;
        let sampling = (plan.max_samples.as_ref(), plan.bootstrap);
        RowSampler::new(facts, self.grower.class_weights(), &plan.draw, sampling, self.method)
    }

    fn check(&self, sampler: &RowSampler, n_columns: usize) -> Result<()> {
        if n_columns > MOST_COLUMNS {
            return Err(Error::Data(format!(
                "a forest supports at most {MOST_COLUMNS} features, got {n_columns}"
            )));
        }
        if self.plan.n_trees.is_none() && !sampler.omits_rows() {
            let expected = "a whole number if every tree uses every row, because \"auto\" needs out-of-bag predictions: \
                            pass a number, or set bootstrap=True or max_samples";
            return Err(Error::parameter(self.method, "n_estimators", expected, "auto"));
        }
        if self.plan.out_of_bag.is_some() && !sampler.omits_rows() {
            let expected = "False if every tree uses every row: set bootstrap=True or max_samples";
            return Err(Error::parameter(self.method, "oob_score", expected, "True"));
        }
        Ok(())
    }
}

impl<G: ForestGrower> ForestLearner<G> {
    /// Selects the rows used by the trees of the forest with the seed key `key`.
    ///
    /// `facts` are the class statistics of the whole table. The result has one ascending list of row numbers
    /// per class. A row number is the position of a row, from 0, among the rows of its class with positive
    /// weight.
    ///
    /// # Errors
    /// [`Error::Parameter`] for parameters that do not suit the classes; [`Error::Unsupported`] if trees use
    /// too many of the rows to be grown from a sample, or if out-of-bag predictions are needed.
    pub fn draw_tree_rows(&self, facts: &ClassStats, key: SeedKey) -> Result<Vec<Vec<u32>>> {
        let sampler = self.row_sampler((facts, None))?;
        if self.needs_out_of_bag() || !sampler.is_small_sample() {
            return Err(self.needs_all_rows_error());
        }
        Ok(self
            .ranks_used_by_trees(&sampler, key)?
            .row_indices_by_class(sampler.strata(), facts.stats_by_class().len()))
    }

    fn ranks_used_by_trees(&self, sampler: &RowSampler, key: SeedKey) -> Result<RankSet> {
        sampler.ranks_used_by_trees(
            (0..self.plan.n_trees.unwrap_or_default()).map(|tree| key.child(tags::forest::TREE, tree)),
        )
    }

    fn needs_all_rows_error(&self) -> Error {
        let why = match (self.plan.n_trees, self.plan.out_of_bag) {
            (None, _) => "n_estimators=\"auto\" needs predictions of every tree for every row; pass a number",
            (_, Some(_)) => {
                "oob_score needs predictions for every row; omit it, and evaluate the model on other rows"
            }
            _ if self.plan.max_samples.is_some() => {
                "each tree uses more than a quarter of the rows; set a smaller max_samples"
            }
            _ if self.method == "balanced_random_forest" => {
                "each tree uses more than a quarter of the rows; set max_samples"
            }
            _ => {
                "each tree uses more than a quarter of the rows; set max_samples, or use balanced_random_forest"
            }
        };
        Error::Unsupported(format!("{} does not support this streamed training data: {why}", self.method))
    }
}

impl<G: ForestGrower> Learner for ForestLearner<G> {
    type Model = ForestModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<ForestModel> {
        self.fit_more_trees(None, data, key, ctl)
    }
}

impl<G: ForestGrower> ForestLearner<G> {
    /// Fits the same forest as [`Learner::fit`], bit by bit, but reuses the trees of `earlier`.
    ///
    /// `earlier` must have the same rows, parameters and key; only its number of trees may differ. All trees
    /// are fitted again in these cases:
    /// - `earlier` has more trees than the new forest.
    /// - `earlier` was read from a file, and so lacks the sums of gains for importances.
    /// - Nominal columns are replaced by target statistics, or the number of trees is `"auto"`.
    ///
    /// # Errors
    /// Same errors as [`Learner::fit`].
    pub fn fit_more_trees(
        &self,
        earlier: Option<&ForestModel>,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ForestModel> {
        if let Some(encoded) = self.grower.encode_nominal_columns(data, key, ctl)? {
            return Ok(self
                .fit_or_extend_forest(None, &encoded.encoded_dataset(data)?, key, ctl)?
                .with_original_columns(&encoded));
        }
        self.fit_or_extend_forest(earlier, data, key, ctl)
    }

    fn fit_or_extend_forest(
        &self,
        earlier: Option<&ForestModel>,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ForestModel> {
        let earlier = earlier.filter(|earlier| earlier.gains.is_some());
        let field = self.prepare_data(data, earlier.and_then(|earlier| earlier.shrinkage), key, ctl)?;
        if let Some(choice) = &field.choice {
            choice.evidence.warn_if_no_signal(ctl);
        }
        let score = self.plan.out_of_bag;
        if let Some(n_trees) = self.plan.n_trees {
            return self.fit_trees(&field, (n_trees, score), earlier, key, ctl);
        }
        let mut model = self.fit_until_converged(&field, key, ctl)?;
        if let Some(score) = score {
            return self.fit_trees(&field, (model.n_trees() as u32, Some(score)), Some(&model), key, ctl);
        }
        model.discard_out_of_bag();
        Ok(model)
    }

    fn fit_until_converged(
        &self,
        field: &ForestTrainingData<'_, '_, G>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ForestModel> {
        let grown = |n_trees: u32, earlier: Option<&ForestModel>| {
            let model = self.fit_trees(field, (n_trees, Some("average_precision")), earlier, key, ctl)?;
            let score = model.out_of_bag().map_or(f64::NAN, |found| found.score);
            Ok((model, score))
        };
        let mut n_trees = FEWEST_TREES;
        let (mut model, mut before) = grown(n_trees, None)?;
        while n_trees < MOST_TREES {
            n_trees *= 2;
            let (larger, score) = grown(n_trees, Some(&model))?;
            model = larger;
            if (score - before).abs() < SETTLED {
                break;
            }
            before = score;
        }
        Ok(model)
    }

    fn fit_trees(
        &self,
        field: &ForestTrainingData<'_, '_, G>,
        (n_trees, score): (u32, Option<&'static str>),
        earlier: Option<&ForestModel>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ForestModel> {
        let data = field.data;
        let begun = InitialTrees::from_earlier_forest(
            earlier.filter(|earlier| earlier.n_trees() <= n_trees as usize),
            field.n_classes_and_columns(),
        )?;
        let first = begun.packed.n_trees() as u32;
        let mut grown =
            self.grow_trees(field, (first..n_trees, self.tree_options_with_shrinkage(field)), key, ctl)?;
        let model = self.build_forest_model(begun, &mut grown, field)?;
        let Some(score) = score else { return Ok(model) };
        // A forest without out-of-bag predictions does not store its samples, so they are drawn again.
        let of_earlier = |tree| {
            Ok(field.draw_sample(key.child(tags::forest::TREE, tree))?.sampled_row_bits(data.n_rows()))
        };
        let mut seen = (0..first).map(of_earlier).collect::<Result<Vec<_>>>()?;
        seen.extend(grown.into_iter().map(|tree| tree.seen));
        let votes = out_of_bag_votes(&model, &extend_seen_rows_to_groups(&seen, data), data, ctl)?;
        let out_of_bag = score_out_of_bag(votes, (score, model.shift.as_ref()), (data, self.positive))?;
        Ok(model.with_out_of_bag(out_of_bag, seen))
    }

    /// Fits only the trees with indices in `part` of the forest that [`Learner::fit`] would fit.
    ///
    /// # Errors
    /// Same errors as [`Learner::fit`]; [`Error::Unsupported`] if out-of-bag predictions are requested or
    /// `n_estimators="auto"` needs them, because they need the whole forest.
    pub fn fit_tree_range(
        &self,
        part: Range<u32>,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ForestModel> {
        let (false, Some(n_trees)) = (self.needs_out_of_bag(), self.plan.n_trees) else {
            return Err(self.needs_all_rows_error());
        };
        let fit = |data: &Dataset<'_>| {
            let field = self.prepare_data(data, None, key, ctl)?;
            let part = part.start..part.end.min(n_trees);
            let options = self.tree_options_with_shrinkage(&field);
            let mut grown = self.grow_trees(&field, (part, options), key, ctl)?;
            let begun = InitialTrees::from_earlier_forest(None, field.n_classes_and_columns())?;
            self.build_forest_model(begun, &mut grown, &field)
        };
        if let Some(encoded) = self.grower.encode_nominal_columns(data, key, ctl)? {
            return Ok(fit(&encoded.encoded_dataset(data)?)?.with_original_columns(&encoded));
        }
        fit(data)
    }

    pub(crate) fn prior_shift_of_samples(&self, field: &ForestTrainingData<'_, '_, G>) -> Option<PriorShift> {
        let shares = field.sampler.expected_class_masses(&field.facts, self.grower.class_weights());
        self.plan.prior_correction.prior_shift_if_enabled(&shares, &field.facts.masses())
    }

    fn prepare_data<'f, 'd>(
        &self,
        data: &'f Dataset<'d>,
        choice: Option<ShrinkageChoice>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ForestTrainingData<'f, 'd, G>> {
        let facts = data.class_stats();
        let sampler = self.row_sampler((&facts, Some(data)))?;
        self.check(&sampler, data.frame().n_columns())?;
        if data.dependence().times().is_some() && self.needs_out_of_bag() {
            return Err(out_of_bag_times_error(self.method, self.plan.n_trees.is_none()));
        }
        let asks_all = self.needs_out_of_bag();
        if data.is_sample() && (asks_all || !sampler.is_small_sample())
            || data.binned_frame().is_some() && (asks_all || sampler.is_small_sample())
        {
            return Err(self.needs_all_rows_error());
        }
        if data.binned_frame().is_some() {
            self.check_values_for_shrinkage()?;
        }
        let ranks_in_memory =
            data.is_sample().then(|| self.ranks_used_by_trees(&sampler, key)).transpose()?;
        let few = sampler.is_small_sample();
        let rows = few.then(|| RowsByRank::new(data, sampler.strata(), ranks_in_memory)).transpose()?;
        let prepared = (!few).then(|| self.grower.prepare(data, ctl)).transpose()?;
        let columns = data.frame().columns().iter().map(ColumnKind::from_column).collect();
        let mut field = ForestTrainingData { data, columns, facts, sampler, rows, prepared, choice };
        if self.plan.shrinkage.is_none() && choice.is_none() {
            field.choice = self.choose_shrinkage(&field, key, ctl)?;
        }
        Ok(field)
    }

    fn build_forest_model(
        &self,
        begun: InitialTrees,
        grown: &mut [GrownForestTree],
        field: &ForestTrainingData<'_, '_, G>,
    ) -> Result<ForestModel> {
        let InitialTrees { mut packed, mut alphas, mut gains } = begun;
        packed.reserve_for_forests(grown.iter().map(|tree| &tree.packed))?;
        for tree in &mut *grown {
            packed.append(&std::mem::take(&mut tree.packed));
            gains.add(&tree.importances);
        }
        packed.shrink_to_fit();
        alphas.extend(grown.iter().filter_map(|tree| tree.alpha));
        let (leaf, m, fraction) = self.grower.leaf_estimate_rule();
        let ForestSettings { voting, weighted_votes, .. } = self.plan;
        let prediction_rule = LeafPredictionRule { leaf, m, fraction, voting, weighted_votes };
        Ok(ForestModel::new(packed, field.columns.clone(), prediction_rule)
            .with_tree_stats(gains, alphas)
            .with_shrinkage(field.choice)
            .with_prior_correction(self.prior_shift_of_samples(field)))
    }
}
