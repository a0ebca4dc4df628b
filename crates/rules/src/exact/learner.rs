//! Learner of Exact Boxes.

use crate::box_drawing::{BoxDrawing, MissingRule, NO_BOX};
use crate::box_task::BoxTask;
use crate::drawing_rules::TrainingRange;
use crate::exact::bisection::solve_for_each_weight;
use crate::exact::certificate::BoxCertificate;
use crate::exact::decode::{BoundPlacement, place_prediction_bounds};
use crate::exact::params::{ExactBoxesParams, StartBoxesSource};
use crate::exact::problem::{BoxObjective, ScaledBox, ScaledRows};
use crate::exact::problem_scaling::ProblemScaling;
use crate::exact::proof::BoxProof;
use crate::exact::row_subset::{RowSelectionHeuristic, check_radius, solve_each_cluster, solve_neighborhood};
use crate::exact::solve::{ExactSettings, ExactSolution, Formulation, solve};
use crate::fast::{
    Clustering, FastBoxesParams, LossParams, TableAfterFirstPass, cluster_positive_rows,
    write_clusters_of_rows,
};
use crate::feature_scale::{Scaling, training_range};
use crate::feature_space::FeatureSpace;
use crate::kmeans::{KMeans, Seeding};
use crate::model::{BoxModel, BoxScoring, BoxTrainingStats};
use imbcore_core::budget::{SearchBudget, SearchStatus, StoppingLimits};
use imbcore_core::{
    Column, Dataset, Error, Frame, Learner, Params, Result, RunContext, SeedKey, random_below, tags,
};

impl ExactBoxesParams {
    /// Validates the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a parameter outside its domain. [`Error::Unsupported`] if both a box cost and
    /// a reward for width are given in the formulation `columns`.
    pub fn check(self, method: &'static str) -> Result<ExactBoxesLearner> {
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
        let at_least_0 = |value: f64| value.is_finite() && value >= 0.0;
        require(at_least_0(self.box_cost), "box_cost", &self.box_cost)?;
        require(at_least_0(self.expand), "expand", &self.expand)?;
        require(at_least_0(self.margin), "margin", &self.margin)?;
        require(self.epsilon.is_finite() && self.epsilon > 0.0, "epsilon", &self.epsilon)?;
        require(at_least_0(self.abs_gap), "abs_gap", &self.abs_gap)?;
        check_radius(method, self.radius)?;
        let limit = self.time_limit.unwrap_or(StoppingLimits::LONGEST);
        require(limit > 0.0 && limit <= StoppingLimits::LONGEST, "time_limit", &limit)?;
        // The optimality proof compares bounds with a tolerance of 1e-12, so features must be scaled to
        // values of about 1.
        require(self.scale != Scaling::None, "scale", &"\"none\"")?;
        if self.expand > 0.0 && self.box_cost > 0.0 && self.formulation == Formulation::Columns {
            return Err(Error::Unsupported(format!(
                "{method}: box_cost and expand are two variants of one regularizer; set one of them to 0, or use \
                 formulation=\"compact\" or \"paper\""
            )));
        }
        Ok(ExactBoxesLearner { method, params: self, class_weight: None, positive: None })
    }
}

/// Learner of Exact Boxes with checked parameters.
#[derive(Clone, Debug)]
pub struct ExactBoxesLearner {
    method: &'static str,
    params: ExactBoxesParams,
    class_weight: Option<Vec<f64>>,
    positive: Option<u32>,
}

struct ScaledProblem<'a> {
    frame: &'a Frame<'a>,
    task: &'a BoxTask,
    range: TrainingRange,
    ground: ProblemScaling,
    columns: &'a [Vec<f64>],
    settings: ExactSettings,
    starts: Vec<Vec<ScaledBox>>,
    budget: SearchBudget<'a>,
}

impl ExactBoxesLearner {
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

    /// Fits a model for every weight of negative rows; the models are in the order of `weights`.
    ///
    /// The search for each weight uses the sets of boxes and the bounds of the weights that were solved
    /// before.
    ///
    /// # Errors
    /// Same errors as [`Learner::fit`], and [`Error::Unsupported`] with a heuristic, because its bounds
    /// cannot be reused.
    pub fn fit_for_each_weight(
        &self,
        data: &Dataset<'_>,
        weights: &[f64],
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Vec<BoxModel>> {
        if self.params.heuristic != RowSelectionHeuristic::None {
            let message = format!("{}: a path of weights requires heuristic=\"none\"", self.method);
            return Err(Error::Unsupported(message));
        }
        if let Some(&bad) = weights.iter().find(|&&c| !(c > 0.0 && c <= 1.0)) {
            return Err(Error::parameter(self.method, "negative_weight", "in (0, 1]", bad));
        }
        self.with_scaled_problem(data, key, ctl, |posed| {
            let rows = posed.scaled_rows()?;
            let solved = solve_for_each_weight(&rows, &posed.settings, weights, &posed.starts, ctl)?;
            let one = |(exact, &c): (ExactSolution, &f64)| {
                let goal = BoxObjective { majority_weight: c, ..posed.settings.goal };
                self.build_model(posed, &rows, &goal, exact)
            };
            solved.into_iter().zip(weights).map(one).collect()
        })
    }

    fn with_scaled_problem<T>(
        &self,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
        body: impl FnOnce(&ScaledProblem<'_>) -> Result<T>,
    ) -> Result<T> {
        let params = &self.params;
        // The clock starts here, so the time limit includes all work before the search.
        let limits = StoppingLimits {
            seconds: params.time_limit.unwrap_or(StoppingLimits::LONGEST),
            gap: params.abs_gap,
            ..StoppingLimits::default()
        };
        let budget = SearchBudget::start(self.method, limits, ctl)?;
        // Training rows must not have missing values, whatever the missing rule for prediction is.
        let holey = |column: &Column<'_>| (0..column.len()).any(|row| column.is_missing(row));
        if let Some(column) = data.frame().columns().iter().position(holey) {
            let message =
                format!("has missing values (NaN), which {} cannot train on; fill them", self.method);
            return Err(Error::Column { column, message });
        }
        let class_weight = self.class_weight.as_deref();
        let task = BoxTask::new(self.method, data, class_weight, self.positive, MissingRule::Error, ctl)?;
        let kept = task.frame_without_zero_weights()?;
        let frame = kept.as_ref().unwrap_or(data.frame());
        frame.check_finite()?;
        let range = training_range(frame, ctl)?;
        let ground = ProblemScaling::new(params.scale, &range);
        let columns = ground.scaled_columns(frame, ctl)?;
        let (low, high) = ProblemScaling::bound_limits(&columns);
        let goal = BoxObjective {
            n_boxes: params.n_boxes as usize,
            majority_weight: params.negative_weight,
            margin: params.margin,
            epsilon: params.epsilon,
            box_cost: params.box_cost,
            expand: params.expand,
            min_bound: low,
            max_bound: high,
        };
        let seed = u64::from(random_below(&mut key.child(tags::boxes::SEARCH, 0).rng(), u32::MAX));
        let settings = ExactSettings { goal, formulation: params.formulation, limits, seed };
        let starts = match params.init {
            // Fast Boxes may use at most half of the time, so that the search gets at least half.
            StartBoxesSource::FastBoxes => self.compute_start_boxes(
                frame,
                &task,
                (&ground, &goal),
                key,
                budget.run_context_for_fraction(0.5),
            )?,
            StartBoxesSource::None => Vec::new(),
        };
        let (task, columns) = (&task, &columns[..]);
        body(&ScaledProblem { frame, task, range, ground, columns, settings, starts, budget })
    }

    /// Computes the sets of boxes from which the search starts.
    ///
    /// Fast Boxes finds these sets for a grid of weights and expansion parameters. The clusters are those of
    /// a fit of Fast Boxes with the same seed. There are no sets if the run is cancelled, or if Fast Boxes
    /// takes longer than its part of the time limit.
    fn compute_start_boxes(
        &self,
        frame: &Frame<'_>,
        task: &BoxTask,
        (ground, goal): (&ProblemScaling, &BoxObjective),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Vec<Vec<ScaledBox>>> {
        let params = FastBoxesParams {
            n_boxes: self.params.n_boxes,
            scale: self.params.scale,
            missing: MissingRule::Error,
            ..FastBoxesParams::default()
        };
        let learner = params.check(self.method)?;
        let weights = (1..=10).map(|tenth| f64::from(tenth) / 10.0).chain([self.params.negative_weight]);
        let settings: Vec<LossParams> =
            weights.flat_map(|c| EXPANSIONS.map(|beta| LossParams { c, beta })).collect();
        let drawn = TableAfterFirstPass::new(frame, &task.positive, ctl)
            .and_then(|look| learner.fit_each_setting(&look, task, &settings, key, ctl.without_observer()));
        let drawings = match drawn {
            Ok(drawings) => drawings,
            Err(Error::Cancelled) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let walls = |drawing: &BoxDrawing, number| {
            ground.to_scaled_box(
                &drawing.box_bounds(number),
                goal.strict_margin(),
                (goal.min_bound, goal.max_bound),
            )
        };
        Ok(drawings
            .iter()
            .map(|drawing| (0..drawing.n_boxes()).map(|number| walls(drawing, number)).collect())
            .collect())
    }

    fn solve_exactly(
        &self,
        posed: &ScaledProblem<'_>,
        rows: &ScaledRows<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ExactSolution> {
        let params = &self.params;
        let mut settings = posed.settings;
        settings.limits.seconds = posed.budget.time_left().as_secs_f64().max(f64::MIN_POSITIVE);
        let settings = &settings;
        match params.heuristic {
            RowSelectionHeuristic::None => solve(rows, settings, &posed.starts, ctl),
            RowSelectionHeuristic::Neighborhood => {
                solve_neighborhood(rows, settings, params.radius, &posed.starts, ctl)
            }
            RowSelectionHeuristic::Clusters => {
                let k = params.n_boxes as usize;
                let kmeans = KMeans { k, n_init: 5, max_iter: 300, seeding: Seeding::PlusPlus };
                let (weights, units) = (posed.task.weights.as_deref(), posed.ground.feature_units());
                let how = (Clustering::KMeans, kmeans);
                let positive = &posed.task.positive;
                let look = TableAfterFirstPass::new(posed.frame, positive, ctl)?;
                let key = key.child(tags::boxes::CLUSTERS, 0);
                let (labels, n) = cluster_positive_rows(&look, weights, units, how, key, ctl)?;
                let mut row_clusters = Vec::new();
                write_clusters_of_rows(&(0..positive.len()), &look.of, &labels, &mut row_clusters);
                solve_each_cluster(rows, settings, params.radius, (&row_clusters, n), ctl)
            }
        }
    }

    /// Builds the model from a set of boxes.
    ///
    /// It ignores a cancellation, so that the best set of boxes found before the cancellation is not lost.
    fn build_model(
        &self,
        posed: &ScaledProblem<'_>,
        rows: &ScaledRows<'_>,
        goal: &BoxObjective,
        exact: ExactSolution,
    ) -> Result<BoxModel> {
        let (frame, task, ctl) = (posed.frame, posed.task, RunContext::silent());
        let missing = self.params.missing;
        let space = FeatureSpace::from_frame(frame);
        let drawn = place_prediction_bounds(rows, goal, &exact.boxes, self.params.decode);
        // A bound of the hull limits predictions even if it excludes no training row. A reward for width moves
        // such a bound to the limit of the search, which is no limit of predictions.
        let keep_outer = self.params.decode == BoundPlacement::Margin && goal.expand == 0.0;
        let in_units = |walls| posed.ground.to_box_bounds(&space, frame, walls, keep_outer);
        let mut boxes: Vec<_> = drawn.iter().map(in_units).collect();
        let drawing = BoxDrawing::new(space.clone(), &boxes)?;
        let mut facts = BoxTrainingStats::compute(&drawing, frame, task, missing, posed.range.clone(), ctl)?;
        let mut walls = exact.boxes.clone();
        let rate = |positives: f64, support: f64| {
            let others = goal.majority_weight * (support - positives).max(0.0);
            if positives + others > 0.0 { positives / (positives + others) } else { 0.5 }
        };
        let mut rates: Vec<f64> =
            facts.boxes.iter().map(|stats| rate(stats.positives, stats.support)).collect();
        // The first box that contains a row determines the score of the row, so boxes are sorted by
        // descending positive fraction (`rates`).
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        order.sort_by(|&a, &b| {
            let support = |at: usize| facts.boxes[at].support;
            rates[b].total_cmp(&rates[a]).then(support(b).total_cmp(&support(a))).then(a.cmp(&b))
        });
        boxes = order.iter().map(|&at| boxes[at].clone()).collect();
        walls = order.iter().map(|&at| walls[at].clone()).collect();
        facts.boxes = order.iter().map(|&at| facts.boxes[at]).collect();
        rates = order.iter().map(|&at| rates[at]).collect();
        let drawing = BoxDrawing::new(space, &boxes)?;
        let first = drawing.first_containing_box(frame, missing, ctl)?;
        let (mut support, mut positives) = (0.0, 0.0);
        for (row, _) in first.iter().enumerate().filter(|(_, number)| **number == NO_BOX) {
            support += task.row_weight(row);
            positives += if task.positive[row] { task.row_weight(row) } else { 0.0 };
        }
        let counts = [exact.score.covered, exact.score.n_majority_not_excluded, exact.score.used]
            .map(|count| count as u32);
        let proof = BoxProof {
            status: exact.status,
            goal: *goal,
            scaling: self.params.scale,
            objective: exact.score.objective,
            bound: exact.bound,
            counts,
            walls,
            certificates: build_certificates(rows, goal, exact),
            rates,
            rest: rate(positives, support),
        };
        Ok(BoxModel::new(drawing, BoxScoring::Proven(Box::new(proof)), task.class, missing, facts))
    }
}

const EXPANSIONS: [f64; 5] = [0.0, 1.0, 10.0, 100.0, 1000.0];

/// Returns the certificates of a set of boxes.
///
/// The certificate of a single box contains only the weights of the rows, because its verifier finds the
/// optimum itself.
fn build_certificates(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    exact: ExactSolution,
) -> Vec<BoxCertificate> {
    if goal.n_boxes > 1 || goal.expand > 0.0 || exact.status == SearchStatus::Heuristic {
        return exact.certificates;
    }
    let reward = |row: usize| if rows.positive_flags()[row] { rows.weight(row) } else { 0.0 };
    let price =
        |row: usize| if rows.positive_flags()[row] { 0.0 } else { goal.majority_weight * rows.weight(row) };
    vec![BoxCertificate {
        n_boxes: 1,
        reward: (0..rows.n_rows()).map(reward).collect(),
        price: (0..rows.n_rows()).map(price).collect(),
        pairs: Vec::new(),
        sigma: exact.bound - goal.majority_weight * rows.total_class_weight(false),
        bound: exact.bound,
    }]
}

impl ScaledProblem<'_> {
    fn scaled_rows(&self) -> Result<ScaledRows<'_>> {
        let rows = ScaledRows::new(self.columns, &self.task.positive)?;
        self.task.weights.as_deref().map_or(Ok(rows), |weights| rows.with_weights(weights))
    }
}

impl Learner for ExactBoxesLearner {
    type Model = BoxModel;

    /// Fits a set of boxes.
    ///
    /// If the run is cancelled during the search, returns the best set of boxes so far, with its status.
    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<BoxModel> {
        self.with_scaled_problem(data, key, ctl, |posed| {
            let rows = posed.scaled_rows()?;
            let exact = self.solve_exactly(posed, &rows, key, ctl)?;
            exact.status.warn_of_time_limit(self.method, ctl);
            self.build_model(posed, &rows, &posed.settings.goal, exact)
        })
    }
}
