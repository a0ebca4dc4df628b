//! Learner of Fast Boxes.

use super::closed_form::BoundAdjustmentRule;
use super::clustered_rows::{ClusteredRows, cluster_positive_rows};
use super::clusterer::{Clusterer, cluster_with_external};
use super::first_pass::{FirstPassConfig, TableAfterFirstPass};
use super::nested_boxes::{NegativeValues, NestedBoxes};
use super::params::{FastBoxesParams, RowRanking};
use super::sweep::{FastBoxesSweep, FinalAdjustment, LossParams};
use crate::box_drawing::{BoxDrawing, MissingRule};
use crate::box_task::{BoxTask, resolve_positive_class};
use crate::feature_scale::FeatureScale;
use crate::kmeans::{KMeans, Seeding};
use crate::model::{BoxModel, BoxScoring, BoxTrainingStats};
use crate::row_source::RowSource;
use imbcore_core::{Dataset, Error, Learner, Params, Result, RunContext, SeedKey};

impl FastBoxesParams {
    /// Validates the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<FastBoxesLearner<'static>> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        require(self.n_boxes >= 1, "n_boxes", &self.n_boxes)?;
        require(
            self.negative_weight > 0.0 && self.negative_weight <= 1.0,
            "negative_weight",
            &self.negative_weight,
        )?;
        require(self.expansion.is_finite() && self.expansion >= 0.0, "expansion", &self.expansion)?;
        require((0.0..=1.0).contains(&self.eps), "eps", &self.eps)?;
        require(self.n_init >= 1, "n_init", &self.n_init)?;
        Ok(FastBoxesLearner { method, params: self, class_weight: None, positive: None, clusterer: None })
    }
}

/// Learner of Fast Boxes with checked parameters.
#[derive(Clone, Debug)]
pub struct FastBoxesLearner<'c> {
    method: &'static str,
    params: FastBoxesParams,
    class_weight: Option<Vec<f64>>,
    positive: Option<u32>,
    clusterer: Option<&'c dyn Clusterer>,
}

pub(crate) struct PreparedSweep<'a> {
    pub(crate) groups: ClusteredRows<'a>,
    pub(crate) sweep: FastBoxesSweep,
}

impl<'c> FastBoxesLearner<'c> {
    /// Sets an external clustering algorithm for the positive rows.
    #[must_use]
    pub fn with_clusterer<'d>(self, clusterer: Option<&'d dyn Clusterer>) -> FastBoxesLearner<'d>
    where
        'c: 'd,
    {
        FastBoxesLearner { clusterer, ..self }
    }

    /// Multiplies row weights by class weights.
    #[must_use]
    pub fn with_class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    /// Sets the class to describe; the default is the rarer class.
    #[must_use]
    pub fn with_positive_class(self, positive: Option<u32>) -> Self {
        Self { positive, ..self }
    }

    #[must_use]
    pub(crate) fn with_n_boxes(&self, n_boxes: u32) -> Self {
        Self { params: FastBoxesParams { n_boxes, ..self.params.clone() }, ..self.clone() }
    }

    pub(crate) fn final_adjustment(&self) -> FinalAdjustment {
        FinalAdjustment { rule: self.params.bound_rule, eps: self.params.eps }
    }

    pub(crate) fn missing_rule(&self) -> MissingRule {
        self.params.missing
    }

    pub(crate) fn training_task(&self, data: &Dataset<'_>, ctl: RunContext<'_>) -> Result<BoxTask> {
        BoxTask::new(self.method, data, self.class_weight.as_deref(), self.positive, self.params.missing, ctl)
    }

    pub(crate) fn prepare_sweep<'a>(
        &self,
        look: &'a TableAfterFirstPass<'a>,
        weights: Option<&[f64]>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<PreparedSweep<'a>> {
        let params = &self.params;
        let scale = FeatureScale::new(params.scale, &look.range);
        let (cluster, n_clusters) = match (self.clusterer, &params.clusterer) {
            (Some(clusterer), Some(_)) => {
                cluster_with_external(clusterer, look, weights, &scale, (params.n_boxes, key))?
            }
            (_, None) => {
                let (k, n_init) = (params.n_boxes as usize, params.n_init);
                let kmeans = KMeans { k, n_init, max_iter: 300, seeding: Seeding::PlusPlus };
                cluster_positive_rows(look, weights, &scale.units, (params.clustering, kmeans), key, ctl)?
            }
            (None, Some(text)) => {
                let expected = "an estimator with fit_predict, or None";
                return Err(Error::parameter(self.method, "clusterer", expected, format_args!("{text:?}")));
            }
        };
        let (positives, weights) = (look.positives.borrow()?, weights.map(<[f64]>::to_vec));
        let groups = ClusteredRows { rows: look.rows, positives, of: &look.of, cluster, n_clusters, weights };
        ctl.report_progress("stages", 1, 3);
        let sweep = FastBoxesSweep::new(&groups, scale, ctl)?;
        ctl.report_progress("stages", 2, 3);
        Ok(PreparedSweep { groups, sweep })
    }

    /// Fits one set of boxes for each of many settings.
    ///
    /// The cost is little more than for one setting, because all settings share the clusters and the sums
    /// over rows.
    pub(crate) fn fit_each_setting(
        &self,
        look: &TableAfterFirstPass<'_>,
        task: &BoxTask,
        settings: &[LossParams],
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Vec<BoxDrawing>> {
        let PreparedSweep { groups, sweep } = self.prepare_sweep(look, task.weights.as_deref(), key, ctl)?;
        sweep.drawings_for_settings(&groups, self.final_adjustment(), settings, ctl)
    }

    /// Weights of negative rows for which nested sets of boxes are stored.
    ///
    /// They are 0.1, 0.2, ..., 1 and `negative_weight`. Infinity is added unless the parameter `bound_rule`
    /// is `"none"`. With `"none"`, boxes shrink without limit as the weight grows.
    fn negative_weight_grid(&self) -> Vec<f64> {
        let c = self.params.negative_weight;
        let tenths = (1..=10).map(|tenth| f64::from(tenth) / 10.0);
        // A multiple of 0.1 that equals `negative_weight` up to rounding is dropped, since the logarithms of
        // both would be equal.
        let mut levels: Vec<f64> = tenths.filter(|level| (level - c).abs() > 1e-12 * c).collect();
        levels.push(c);
        if self.params.bound_rule != BoundAdjustmentRule::None {
            levels.push(f64::INFINITY);
        }
        levels.sort_by(f64::total_cmp);
        levels
    }
}

impl Learner for FastBoxesLearner<'_> {
    type Model = BoxModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<BoxModel> {
        let task = self.training_task(data, ctl)?;
        let kept = task.frame_without_zero_weights()?;
        let frame = kept.as_ref().unwrap_or(data.frame());
        let look = TableAfterFirstPass::new(frame, &task.positive, ctl)?;
        self.fit_from_first_pass(
            &look,
            (task.class, task.weights.as_deref(), task.total_and_positive_weight()),
            key,
            ctl,
        )
    }
}

impl FastBoxesLearner<'_> {
    /// Fits rows in batches or remote partitions, bit-identical to a fit of the whole table.
    ///
    /// `classes` has the class codes of all rows in batches. Remote partitions use the class codes that they
    /// store. `masses` has the number of rows of each class.
    ///
    /// # Errors
    /// Same errors as [`Learner::fit`], errors of reading the rows, and [`Error::Unsupported`] if a setting
    /// needs all rows in memory.
    pub fn fit_batches(
        &self,
        pieces: &dyn RowSource,
        (classes, masses): (&[u32], &[f64]),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<BoxModel> {
        if self.params.ranking == RowRanking::Exact || self.class_weight.is_some() {
            let what = if self.class_weight.is_some() { "class weights" } else { "ranking=\"exact\"" };
            return Err(Error::Unsupported(format!("{} with {what} needs all rows in memory", self.method)));
        }
        let class = resolve_positive_class(self.method, self.positive, masses)?;
        let looking = FirstPassConfig { method: self.method.to_owned(), class, missing: self.params.missing };
        let look = TableAfterFirstPass::from_batches(pieces, classes, &looking, ctl)?;
        self.fit_from_first_pass(
            &look,
            (class, None, (masses.iter().sum(), masses[class as usize])),
            key,
            ctl,
        )
    }

    fn fit_from_first_pass(
        &self,
        look: &TableAfterFirstPass<'_>,
        (class, of_rows, totals): (u32, Option<&[f64]>, (f64, f64)),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<BoxModel> {
        let PreparedSweep { groups, sweep } = self.prepare_sweep(look, of_rows, key, ctl)?;
        let beta = self.params.expansion;
        let weights = self.negative_weight_grid();
        let settings: Vec<LossParams> = weights.iter().map(|&c| LossParams { c, beta }).collect();
        let drawings = sweep.drawings_for_settings(&groups, self.final_adjustment(), &settings, ctl)?;
        let exact =
            self.params.ranking == RowRanking::Exact && self.params.bound_rule == BoundAdjustmentRule::Paper;
        let negatives = if exact { Some(NegativeValues::collect(&groups, &sweep, ctl)?) } else { None };
        let own = weights.iter().position(|&c| c == self.params.negative_weight).unwrap_or_default();
        let drawing = drawings[own].clone();
        let known = (self.params.missing, totals, look.range.clone());
        let facts = BoxTrainingStats::from_totals(&drawing, look.rows, (of_rows, &look.of), known, ctl)?;
        let nested =
            NestedBoxes { sweep, finish: self.final_adjustment(), beta, weights, drawings, negatives };
        ctl.report_progress("stages", 3, 3);
        Ok(BoxModel::new(
            drawing,
            BoxScoring::Nested { nested: Box::new(nested), own },
            class,
            self.params.missing,
            facts,
        ))
    }
}
