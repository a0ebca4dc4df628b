//! Calls CBC through `good_lp`, with options that replace unsuitable defaults of CBC.
//!
//! CBC runs only in a solver process, because it keeps process-wide state, replaces the handler of Ctrl-C,
//! and occasionally aborts its process by a failed assertion.

use crate::model::{MipModel, Sense};
use crate::wire_format::{SolverRequest, SolverResponse};
use good_lp::solvers::coin_cbc::CoinCbcProblem;
use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolutionStatus, SolverModel, Variable, coin_cbc,
    constraint, variable,
};
use std::time::Instant;

/// If CBC found no solution, it reports an objective above this number in absolute value.
const NOTHING: f64 = 1e49;

/// Runs CBC for at most the seconds of the request.
///
/// No starting point is passed to CBC. CBC 2.10 would check it by fixing variables in its LP solver, which
/// occasionally ended in a failed assertion or a C++ exception in random trials.
// After its time limit, CBC may report a feasible program as infeasible. So a report of infeasibility after
// the time limit counts as "nothing found".
#[allow(clippy::disallowed_methods)]
pub(crate) fn solve_with_cbc(request: &SolverRequest) -> SolverResponse {
    let (model, seconds) = (&request.model, request.seconds);
    let begun = Instant::now();
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
        Sense::Maximize => variables.maximise(objective),
        Sense::Minimize => variables.minimise(objective),
    };
    let mut problem = problem.using(coin_cbc);
    set_cbc_options(&mut problem, request);
    for row in 0..model.n_rows() {
        let (entries, bound) = model.row_entries_and_bound(row);
        let mut left = Expression::with_capacity(entries.len());
        for &(col, weight) in entries {
            left.add_mul(weight, cols[col.index()]);
        }
        problem.add_constraint(constraint!(left <= bound));
    }
    match to_solver_response(model, &cols, problem.solve()) {
        // If the time limit is reached before CBC has solved its first linear program, it reports even
        // feasible models as infeasible.
        SolverResponse::Infeasible if begun.elapsed().as_secs_f64() >= seconds => {
            SolverResponse::Nothing { bound: model.objective_bound_without_rows() }
        }
        SolverResponse::Nothing { .. } | SolverResponse::Point { finished: false, .. }
            if begun.elapsed().as_secs_f64() < 0.5 * seconds =>
        {
            SolverResponse::Failed("CBC stopped before its time limit".into())
        }
        claim => claim,
    }
}

/// Options that avoid crashes of CBC's dual simplex on models that CBC itself has modified.
///
/// CBC modifies models by preprocessing, by perturbing costs, and by fixing variables in heuristics. In every
/// known case, disabling any one of the three was sufficient to avoid the crash.
const CARE: [(&str, &str); 3] = [("preprocess", "off"), ("perturbation", "off"), ("heuristicsOnOff", "off")];

fn set_cbc_options(problem: &mut CoinCbcProblem, request: &SolverRequest) {
    problem.set_log_level(0);
    // Without this option, the time limit `sec` is in processor time, which passes more slowly than
    // wall-clock time on a busy machine.
    problem.set_parameter("timeMode", "elapsed");
    problem.set_parameter("sec", &format!("{:.3}", request.seconds));
    problem.set_parameter("allow", &format!("{:e}", request.gap));
    // Without this option, CBC rejects a new solution unless its objective is better by at least 1e-5.
    problem.set_parameter("increment", "1e-9");
    // Zero disables threads. With several threads, CBC may hang, and results may differ between runs.
    problem.set_parameter("threads", "0");
    for (name, value) in CARE.into_iter().filter(|_| request.careful) {
        problem.set_parameter(name, value);
    }
}

fn to_solver_response(
    model: &MipModel,
    cols: &[Variable],
    answer: Result<good_lp::solvers::coin_cbc::CoinCbcSolution, ResolutionError>,
) -> SolverResponse {
    let solution = match answer {
        Ok(solution) => solution,
        Err(ResolutionError::Infeasible) => return SolverResponse::Infeasible,
        Err(error) => return SolverResponse::Failed(error.to_string()),
    };
    let raw = solution.model();
    let finished = !matches!(solution.status(), SolutionStatus::TimeLimit);
    let trivial = model.objective_bound_without_rows();
    let reported = raw.best_possible_value() + model.constant;
    let usable =
        model.whole.contains(&true) && reported.abs() < NOTHING && model.sense.is_better(trivial, reported);
    if raw.obj_value().abs() > NOTHING {
        return SolverResponse::Nothing { bound: if usable { reported } else { trivial } };
    }
    let x: Vec<f64> = cols.iter().map(|&col| solution.value(col)).collect();
    // CBC reports no bound for a solved linear program, because there is no search tree. The bound is then
    // the optimum of the program.
    let bound = match (usable, finished) {
        (true, _) => reported,
        (false, true) => model.objective(&x),
        (false, false) => trivial,
    };
    SolverResponse::Point { x, finished, bound }
}
