//! One call of CBC through `good_lp`, with the options that its defaults get wrong.

use crate::model::{MipModel, Sense};
use good_lp::solvers::coin_cbc::CoinCbcProblem;
use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolutionStatus, SolverModel, Variable, coin_cbc,
    constraint, variable,
};
use std::sync::{Mutex, PoisonError};

/// What CBC says, not yet believed.
pub(crate) enum Claim {
    /// A point, whether it claims to be the best, and a bound on the objective.
    Point {
        x: Vec<f64>,
        finished: bool,
        bound: f64,
    },
    Infeasible,
    /// Out of time before anything was found.
    Nothing,
    /// An error of the solver.
    Failed(String),
}

/// CBC's mark for "no incumbent yet".
const NOTHING: f64 = 1e49;

/// CBC keeps process-wide state that building and freeing a model touch too, not only solving it.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs CBC for at most `seconds` of wall clock.
///
/// No starting point is handed over: CBC 2.10 checks one by fixing variables in its LP solver, and in random trials
/// that ended now and then in a failed assertion or a C++ exception, which end the process.
pub(crate) fn call(model: &MipModel, seconds: f64, gap: f64) -> Claim {
    // What a panic may have left behind is CBC's, and the next model is a new one.
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut variables = ProblemVariables::new();
    let cols: Vec<Variable> = (0..model.n_cols())
        .map(|col| {
            let definition = variable().min(model.lower[col]).max(model.upper[col]);
            variables.add(if model.whole[col] { definition.integer() } else { definition })
        })
        .collect();
    let objective: Expression =
        cols.iter().zip(&model.cost).filter(|(_, cost)| **cost != 0.0).map(|(&col, &cost)| cost * col).sum();
    let problem = match model.sense {
        Sense::Maximise => variables.maximise(objective),
        Sense::Minimise => variables.minimise(objective),
    };
    let mut problem = problem.using(coin_cbc);
    set_options(&mut problem, seconds, gap);
    for row in 0..model.n_rows() {
        let (entries, bound) = model.row(row);
        let mut left = Expression::with_capacity(entries.len());
        for &(col, weight) in entries {
            left.add_mul(weight, cols[col.index()]);
        }
        problem.add_constraint(constraint!(left <= bound));
    }
    read(model, &cols, problem.solve())
}

fn set_options(problem: &mut CoinCbcProblem, seconds: f64, gap: f64) {
    problem.set_log_level(0);
    // Without this `sec` counts processor time, which runs slower than the clock on a busy machine.
    problem.set_parameter("timeMode", "elapsed");
    problem.set_parameter("sec", &format!("{seconds:.3}"));
    problem.set_parameter("allow", &format!("{gap:e}"));
    // More threads can hang and give other answers from run to run.
    problem.set_parameter("threads", "0");
}

fn read(
    model: &MipModel,
    cols: &[Variable],
    answer: Result<good_lp::solvers::coin_cbc::CoinCbcSolution, ResolutionError>,
) -> Claim {
    let solution = match answer {
        Ok(solution) => solution,
        Err(ResolutionError::Infeasible) => return Claim::Infeasible,
        Err(error) => return Claim::Failed(error.to_string()),
    };
    let raw = solution.model();
    if raw.obj_value().abs() > NOTHING {
        return Claim::Nothing;
    }
    let finished = !matches!(solution.status(), SolutionStatus::TimeLimit);
    let trivial = model.trivial_bound();
    let reported = raw.best_possible_value() + model.constant;
    let usable =
        model.whole.contains(&true) && reported.abs() < NOTHING && model.sense.better(trivial, reported);
    let x: Vec<f64> = cols.iter().map(|&col| solution.value(col)).collect();
    // A linear program that CBC finished has no tree, and its optimum is its bound.
    let bound = match (usable, finished) {
        (true, _) => reported,
        (false, true) => model.objective(&x),
        (false, false) => trivial,
    };
    Claim::Point { x, finished, bound }
}
