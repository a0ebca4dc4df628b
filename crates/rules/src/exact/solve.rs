//! Entry point of the three formulations of Exact Boxes.

use crate::exact::box_column::{BoxColumn, encode_boxes};
use crate::exact::certificate::BoxCertificate;
use crate::exact::compact_model;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::incumbent::Incumbent;
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::paper_model;
use crate::exact::problem::{BoxObjective, DrawingScore, ScaledBox, ScaledRows, score_boxes};
use crate::exact::prove::prove_optimality;
use imbcore_core::budget::{SearchBudget, SearchStatus, StoppingLimits};
use imbcore_core::{Error, Result, RunContext, SeedKey};
use serde::{Deserialize, Serialize};

/// Method of solution; the optimum is the same for all three formulations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formulation {
    /// Column generation with branch and bound; this is the fastest formulation.
    #[default]
    Columns,
    /// A mixed-integer program over the candidate positions of the bounds of boxes.
    Compact,
    /// The mixed-integer program of Goh and Rudin 2014.
    Paper,
}

/// Problem, method and limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactSettings {
    /// The objective.
    pub goal: BoxObjective,
    /// The formulation.
    pub formulation: Formulation,
    /// Time limit and optimality gap at which the search ends before the proof is complete.
    pub limits: StoppingLimits,
    /// Seed of the random box sets from which the formulation `columns` starts a local search.
    ///
    /// If the search ends with status optimal, the seed can change which of several optimal sets is found,
    /// but not their value.
    pub seed: u64,
}

/// The best set of boxes that was found, and an upper bound on the value of any set.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactSolution {
    /// The boxes with their margins, in the scaled units of the rows.
    pub boxes: Vec<ScaledBox>,
    /// Value of the set of boxes, computed from the rows by its definition.
    pub score: DrawingScore,
    /// Upper bound on the value of any set of boxes.
    pub bound: f64,
    /// Why the search ended.
    pub status: SearchStatus,
    /// Wall-clock time.
    pub seconds: f64,
    /// Dual values that prove part of the bound; at most one certificate per number of boxes.
    ///
    /// They exist only with the formulation `columns`, with at least two boxes, and without a reward for
    /// width.
    pub certificates: Vec<BoxCertificate>,
}

impl ExactSolution {
    /// Optimality gap.
    pub fn optimality_gap(&self) -> f64 {
        (self.bound - self.score.objective).max(0.0)
    }
}

/// Finds the best set of at most `n_boxes` boxes.
///
/// The search can start from the sets of boxes in `starts`, which may be empty. If the time limit is reached
/// or the run is cancelled, returns the best set of boxes so far with its bound. The same holds if the solver
/// process ends with a failure that the caller accepts ([`RunContext::report_recoverable_error`]).
///
/// # Errors
/// [`Error::Parameter`] if the objective or the limits are out of range. [`Error::Data`] for an
/// invalid box in `starts`. [`Error::Unsupported`] for too many rows, or for a box cost together with a
/// reward for width in the formulation `columns`. [`Error::Solver`], and [`Error::Internal`].
pub fn solve(
    rows: &ScaledRows<'_>,
    settings: &ExactSettings,
    starts: &[Vec<ScaledBox>],
    ctl: RunContext<'_>,
) -> Result<ExactSolution> {
    solve_from_earlier_search(
        rows,
        settings,
        starts,
        &mut SearchWarmStart { bound: f64::INFINITY, pool: Vec::new() },
        ctl,
    )
}

/// Bound and boxes that one search passes to the next search.
///
/// The searches may differ only in the weight of the majority class, because the encoding of boxes does not
/// depend on this weight.
#[derive(Debug)]
pub(crate) struct SearchWarmStart {
    /// Upper bound on the value of any set of boxes.
    pub bound: f64,
    /// Boxes that were found so far.
    pub pool: Vec<BoxColumn>,
}

pub(crate) fn solve_from_earlier_search(
    rows: &ScaledRows<'_>,
    settings: &ExactSettings,
    starts: &[Vec<ScaledBox>],
    given: &mut SearchWarmStart,
    ctl: RunContext<'_>,
) -> Result<ExactSolution> {
    let goal = &settings.goal;
    check_problem(rows, settings, starts)?;
    let budget = SearchBudget::start("exact_boxes", settings.limits, ctl)?;
    let codes = match EncodedRows::new(rows, goal, budget.run_context_until_limit()) {
        Err(Error::Cancelled) if ctl.check().is_ok() => return Ok(empty_solution(rows, goal, &budget)),
        codes => codes?,
    };
    let tariff = ObjectiveTerms::new(goal, rows.total_integer_weight());
    // At most half of the remaining time is used to encode the sets of boxes in `starts`. Sets that are not
    // encoded by then are ignored.
    let limited = budget.run_context_for_fraction(0.5);
    let starts: Vec<Vec<BoxColumn>> =
        starts.iter().map_while(|start| encode_boxes(rows, goal, &codes, start, limited).ok()).collect();
    let mut known = Incumbent::initial(&codes, &tariff);
    known.bound = known.bound.min(given.bound);
    known.pool = std::mem::take(&mut given.pool);
    let ended = match settings.formulation {
        Formulation::Columns => {
            prove_optimality(&codes, &tariff, &starts, SeedKey::root(settings.seed), &mut known, &budget)
        }
        Formulation::Compact => {
            compact_model::solve_compact_model(&codes, &tariff, &starts, &mut known, &budget)
        }
        Formulation::Paper => {
            paper_model::solve_paper_model(rows, goal, &codes, &tariff, &starts, &mut known, &budget)
        }
    };
    given.pool = std::mem::take(&mut known.pool);
    build_solution(rows, goal, &codes, &tariff, &known, ended, &budget)
}

fn check_problem(rows: &ScaledRows<'_>, settings: &ExactSettings, starts: &[Vec<ScaledBox>]) -> Result<()> {
    let goal = &settings.goal;
    goal.check()?;
    if goal.box_cost > 0.0 && goal.expand > 0.0 && settings.formulation == Formulation::Columns {
        return Err(Error::Unsupported(
            "box_cost and expand are two variants of one regularizer: set one of them to 0, or use \
             formulation=\"compact\" or \"paper\""
                .into(),
        ));
    }
    let n = rows.n_features();
    let bad = |walls: &ScaledBox| {
        walls.lower.len() != n
            || walls.upper.len() != n
            || walls.lower.iter().chain(&walls.upper).any(|w| w.is_nan())
    };
    if starts.iter().flatten().any(bad) {
        return Err(Error::Data(format!(
            "a starting box must have {n} lower and {n} upper bounds, none of them NaN"
        )));
    }
    Ok(())
}

/// Result without a search: the empty set of boxes, with a trivial bound.
///
/// The bound is the value of a classification without errors by boxes of the largest width.
fn empty_solution(rows: &ScaledRows<'_>, goal: &BoxObjective, budget: &SearchBudget<'_>) -> ExactSolution {
    let widest =
        goal.expand * goal.n_boxes as f64 * rows.n_features() as f64 * (goal.max_bound - goal.min_bound);
    ExactSolution {
        boxes: Vec::new(),
        score: score_boxes(rows, goal, &[]),
        bound: rows.total_class_weight(true) + goal.majority_weight * rows.total_class_weight(false) + widest,
        status: budget.stop_reason(),
        seconds: budget.elapsed_seconds(),
        certificates: Vec::new(),
    }
}

fn build_solution(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    known: &Incumbent,
    ended: Result<()>,
    budget: &SearchBudget<'_>,
) -> Result<ExactSolution> {
    let (stopped, failure) = match ended {
        Ok(()) => (false, None),
        Err(Error::Cancelled) => (true, None),
        Err(error @ Error::Solver(_)) => (true, Some(error)),
        Err(error) => return Err(error),
    };
    let boxes: Vec<ScaledBox> = known.best.boxes.iter().map(|column| codes.decode_box(&column.at)).collect();
    let score = score_boxes(rows, goal, &boxes);
    // Both values are sums of weights in different orders, so they may differ by rounding.
    if (score.objective - known.best.value).abs() > 1e-6 * score.objective.abs().max(1.0) {
        return Err(Error::Internal(format!(
            "a drawing has value {} by its codes but {} by its rows; feature values may be within rounding of each \
             other's margins",
            known.best.value, score.objective
        )));
    }
    let mut bound = known.bound.max(score.objective);
    if tariff.step > 1e-4 {
        bound = round_down_to_lattice(bound, score.objective, tariff.step);
    }
    let status = match bound - score.objective {
        gap if gap < 1e-6 => SearchStatus::Optimal,
        gap if gap <= budget.optimality_gap_limit() + 1e-6 => SearchStatus::GapReached,
        _ if failure.is_some() => SearchStatus::Interrupted,
        _ if stopped => budget.stop_reason(),
        gap => return Err(Error::Internal(format!("the search ended with a gap of {gap}"))),
    };
    if let Some(failure) = failure {
        budget.run_context().report_recoverable_error(failure)?;
    }
    let finite = known.duals.iter().filter(|dual| goal.expand == 0.0 && dual.bound.is_finite());
    let certificates = finite.map(|dual| BoxCertificate::new(rows, codes, goal, dual)).collect();
    Ok(ExactSolution { boxes, score, bound, status, seconds: budget.elapsed_seconds(), certificates })
}

/// Rounds `bound` down to a possible value of a set of boxes.
///
/// Possible values differ from `value`, the value of a known set, by multiples of `step`.
fn round_down_to_lattice(bound: f64, value: f64, step: f64) -> f64 {
    value + ((bound - value + 1e-6) / step).floor() * step
}
