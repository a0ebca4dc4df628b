//! Learner of rule lists.
//!
//! The caller fits the trees that provide the candidate rules.

use super::candidate_rules::{TestPath, UsedFeatures, rules_with_distinct_rows};
use super::params::{
    PrecisionConstraint, RecallConstraint, RuleFBeta, RuleListParams, RuleObjective, RuleObjectiveName,
};
use super::ratio_objective::RatioObjective;
use super::rule_pool::RulePool;
use super::rule_search::{RuleChoice, choose_rules};
use super::rule_set::{RuleSetResult, rule_probabilities, smoothed_positive_fraction};
use crate::box_drawing::{BoxDrawing, MissingRule, NO_BOX};
use crate::box_task::BoxTask;
use crate::drawing_rules::BoxStats;
use crate::feature_scale::training_range;
use crate::feature_space::{BoxBounds, FeatureSpace};
use crate::model::{BoxModel, BoxScoring, BoxTrainingStats};
use imbcore_core::budget::{SearchBudget, StoppingLimits};
use imbcore_core::{Dataset, Error, Frame, Params, Result, RunContext};

const MOST_BETA: f64 = 64.0;

const DEEPEST: u32 = 3;

impl RuleListParams {
    /// Validates the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<RuleListLearner> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        require(self.n_rules >= 1, "n_rules", &self.n_rules)?;
        require(self.n_estimators >= 1, "n_estimators", &self.n_estimators)?;
        require((1..=DEEPEST).contains(&self.max_depth), "max_depth", &self.max_depth)?;
        require(self.max_candidates >= 1, "max_candidates", &self.max_candidates)?;
        let limit = self.time_limit.unwrap_or(StoppingLimits::LONGEST);
        require(limit > 0.0 && limit <= StoppingLimits::LONGEST, "time_limit", &limit)?;
        let share = |value: f64| value > 0.0 && value <= 1.0;
        let (valid, got) = match self.objective {
            RuleObjective::Named(RuleObjectiveName::F1) => (true, String::new()),
            RuleObjective::FBeta(RuleFBeta { f_beta }) => {
                (f_beta > 0.0 && f_beta <= MOST_BETA, format!("{{'f_beta': {f_beta}}}"))
            }
            RuleObjective::Precision(PrecisionConstraint { precision }) => {
                (share(precision), format!("{{'precision': {precision}}}"))
            }
            RuleObjective::Recall(RecallConstraint { recall }) => {
                (share(recall), format!("{{'recall': {recall}}}"))
            }
        };
        if !valid {
            let expected = "an f_beta above 0 and at most 64, or a precision or recall in (0, 1]";
            return Err(Error::parameter(method, "objective", expected, got));
        }
        Ok(RuleListLearner { method, params: self, class_weight: None, positive: None })
    }
}

/// Learner of rule lists with checked parameters.
#[derive(Clone, Debug)]
pub struct RuleListLearner {
    method: &'static str,
    params: RuleListParams,
    class_weight: Option<Vec<f64>>,
    positive: Option<u32>,
}

impl RuleListLearner {
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

    /// Fits a rule list: chooses rules among the tree paths that `grow` returns.
    ///
    /// If the run is cancelled during the choice, returns the best list so far with its status.
    ///
    /// # Errors
    /// [`Error::Data`] unless there are two classes, [`Error::Column`] for an infinite value,
    /// [`Error::Solver`], and errors of `grow`.
    pub fn fit(
        &self,
        data: &Dataset<'_>,
        grow: impl FnOnce() -> Result<Vec<TestPath>>,
        ctl: RunContext<'_>,
    ) -> Result<BoxModel> {
        let class_weight = self.class_weight.as_deref();
        let task = BoxTask::new(self.method, data, class_weight, self.positive, MissingRule::Outside, ctl)?;
        let kept = task.frame_without_zero_weights()?;
        let frame = kept.as_ref().unwrap_or(data.frame());
        frame.check_finite()?;
        let mut paths = grow()?;
        let used = UsedFeatures::collect_and_renumber(&mut paths);
        let rules = rules_with_distinct_rows(&used.select_columns(frame)?, &paths, ctl)?;
        drop(paths);
        let n_different = rules.len() as u32;
        let pool = RulePool::new(rules, &task, self.params.max_candidates as usize, ctl)?;
        let (total, positives) = task.total_and_positive_weight();
        let measure = RatioObjective::new(self.params.objective, positives, total);
        let seconds = self.params.time_limit.unwrap_or(StoppingLimits::LONGEST);
        let budget =
            SearchBudget::start(self.method, StoppingLimits { seconds, ..StoppingLimits::default() }, ctl)?;
        let choice = choose_rules(&pool, &measure, self.params.n_rules as usize, &budget)?;
        choice.status.warn_of_time_limit(self.method, ctl);
        let space = FeatureSpace::from_frame(frame);
        let boxes =
            choice.rules.iter().map(|&at| used.to_full_space(&pool.rules[at].bounds, &space)).collect();
        self.build_model((frame, space), &task, (boxes, [n_different, pool.len() as u32]), &choice)
    }

    /// Builds the model from the chosen rules.
    ///
    /// It ignores a cancellation, so that rules that were chosen before the cancellation are not lost.
    fn build_model(
        &self,
        (frame, space): (&Frame<'_>, FeatureSpace),
        task: &BoxTask,
        (boxes, candidates): (Vec<BoxBounds>, [u32; 2]),
        choice: &RuleChoice,
    ) -> Result<BoxModel> {
        let (missing, ctl) = (MissingRule::Outside, RunContext::silent());
        let (total, positives) = task.total_and_positive_weight();
        let all = BoxStats { support: total, positives };
        let n_rows = task.positive.len();
        let drawing = |boxes: &[BoxBounds]| BoxDrawing::new(space.clone(), boxes);
        let range = training_range(frame, ctl)?;
        let mut facts = BoxTrainingStats::compute(&drawing(&boxes)?, frame, task, missing, range, ctl)?;
        let rates: Vec<f64> =
            facts.boxes.iter().map(|&stats| smoothed_positive_fraction(stats, all, n_rows)).collect();
        // A row gets the score of the first rule that matches it, so rules are sorted by descending
        // precision.
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        order.sort_by(|&a, &b| {
            let support = |at: usize| facts.boxes[at].support;
            rates[b].total_cmp(&rates[a]).then(support(b).total_cmp(&support(a))).then(a.cmp(&b))
        });
        let boxes: Vec<BoxBounds> = order.iter().map(|&at| boxes[at].clone()).collect();
        facts.boxes = order.iter().map(|&at| facts.boxes[at]).collect();
        let rates: Vec<f64> = order.iter().map(|&at| rates[at]).collect();
        let drawing = drawing(&boxes)?;
        let mut rest = BoxStats { support: 0.0, positives: 0.0 };
        let first = drawing.first_containing_box(frame, missing, ctl)?;
        for (row, _) in first.iter().enumerate().filter(|(_, number)| **number == NO_BOX) {
            rest.support += task.row_weight(row);
            rest.positives += if task.positive[row] { task.row_weight(row) } else { 0.0 };
        }
        let (rates, rest) = rule_probabilities(&rates, smoothed_positive_fraction(rest, all, n_rows));
        let chosen = RuleSetResult {
            status: choice.status,
            objective: self.params.objective,
            n_rules: self.params.n_rules,
            value: choice.value,
            bound: choice.bound,
            held: [choice.held.positive, choice.held.other],
            candidates,
            rates,
            rest,
        };
        Ok(BoxModel::new(drawing, BoxScoring::Chosen(Box::new(chosen)), task.class, missing, facts))
    }
}
