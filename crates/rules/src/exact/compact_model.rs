//! The formulation `compact`: a mixed-integer program over the candidate positions of sides.
//!
//! A side is a lower or upper bound of a box. `D[k][s][t]` is 1 if side `s` of box `k` is at candidate `t` or
//! further in. A box covers a group of equal minority rows if no side excludes it. It hits a majority row
//! group unless some side excludes it.

use crate::exact::box_column::BoxColumn;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::incumbent::Incumbent;
use crate::exact::local_search::ScoredDrawing;
use crate::exact::objective_terms::ObjectiveTerms;
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Error, Result};
use imbcore_solver::{MipLimits, MipModel, MipStatus, ModelVariable, Sense, solve};

struct CompactMip {
    model: MipModel,
    /// Binary variables: 1 if a side of a box is at a candidate position or further in.
    ///
    /// The index is `[box][side][position - 1]`.
    inside: Vec<Vec<Vec<ModelVariable>>>,
    covers: Vec<Vec<ModelVariable>>,
    covered: Vec<ModelVariable>,
    hit: Vec<ModelVariable>,
    used: Vec<ModelVariable>,
}

pub(crate) fn solve_compact_model(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    starts: &[Vec<BoxColumn>],
    known: &mut Incumbent,
    budget: &SearchBudget<'_>,
) -> Result<()> {
    for start in starts {
        known.best.replace_if_better(ScoredDrawing::new(codes, tariff, start.clone()));
    }
    let compact = CompactMip::new(codes, tariff, budget)?;
    let warm = compact.variable_values_for_boxes(codes, tariff, &known.best.boxes);
    let decode = |x: &[f64]| Ok(compact.boxes_from_solution(codes, tariff, x));
    solve_mip_from_start(codes, tariff, &compact.model, &warm, decode, known, budget)
}

pub(crate) fn solve_mip_from_start(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    model: &MipModel,
    warm: &[f64],
    decode: impl Fn(&[f64]) -> Result<Vec<BoxColumn>>,
    known: &mut Incumbent,
    budget: &SearchBudget<'_>,
) -> Result<()> {
    budget.check_limits()?;
    let gap = budget.optimality_gap_limit().max(1e-7);
    let limits =
        MipLimits { seconds: budget.time_left().as_secs_f64().max(0.01), gap, ..MipLimits::default() };
    let outcome = solve(model, &limits, Some(warm), budget.run_context()).map_err(|error| match error {
        Error::Solver(why) => Error::Solver(format!(
            "{why}; formulation=\"columns\" has the same optimum and needs no solver process"
        )),
        other => other,
    })?;
    // The bound of the solver is valid up to the tolerances of the solver.
    known.bound = known.bound.min(outcome.bound);
    if let Some(found) = outcome.found {
        let family = ScoredDrawing::new(codes, tariff, decode(&found.x)?);
        let (value, claimed) = (family.value, found.objective);
        known.best.replace_if_better(family);
        if outcome.status == MipStatus::Optimal && value < claimed - 1e-6 {
            return Err(Error::Internal(format!(
                "a solution of value {claimed} decodes to boxes of value {value}"
            )));
        }
    }
    known.bound = known.bound.max(known.best.value);
    match outcome.status {
        MipStatus::Optimal => {
            // The solution is optimal within the tolerances of the solver, so small differences are ignored.
            if known.bound - known.best.value < gap.max(2e-6 * known.bound.abs().max(1.0))
                && budget.optimality_gap_limit() == 0.0
            {
                known.bound = known.best.value;
            }
            Ok(())
        }
        MipStatus::TimeLimit => Err(Error::Cancelled),
        MipStatus::Infeasible => {
            Err(Error::Internal("the solver reports the model of a drawing as infeasible".into()))
        }
    }
}

impl CompactMip {
    fn new(codes: &EncodedRows, tariff: &ObjectiveTerms, budget: &SearchBudget<'_>) -> Result<Self> {
        let k = tariff.n_boxes;
        let mut model = MipModel::new(Sense::Maximize);
        model.add_objective_constant(tariff.empty_set_value(codes));
        let used: Vec<ModelVariable> = (0..k).map(|_| model.add_binary(-tariff.per_box)).collect();
        let inside = (0..k).map(|_| add_side_variables(&mut model, codes, budget)).collect::<Result<_>>()?;
        let mut unit = |n: usize, cost: &dyn Fn(usize) -> f64| -> Vec<ModelVariable> {
            (0..n).map(|at| model.add_continuous(0.0, 1.0, cost(at))).collect()
        };
        let covered = unit(codes.n_minority_groups(), &|p| codes.pos_mass[p]);
        let hit = unit(codes.n_majority_groups(), &|i| -tariff.hit * codes.neg_mass[i]);
        let covers: Vec<Vec<ModelVariable>> =
            (0..k).map(|_| unit(codes.n_minority_groups(), &|_| 0.0)).collect();
        let mut compact = Self { model, inside, covers, covered, hit, used };
        for b in 0..k {
            compact.add_minority_constraints(codes, b, budget)?;
            compact.add_majority_constraints(codes, tariff, b, budget)?;
        }
        for p in 0..codes.n_minority_groups() {
            budget.check_limits()?;
            let mut row: Vec<(ModelVariable, f64)> =
                compact.covers.iter().map(|covers| (covers[p], -1.0)).collect();
            row.push((compact.covered[p], 1.0));
            compact.model.add_at_most(&row, 0.0);
        }
        compact.add_symmetry_breaking(codes);
        Ok(compact)
    }

    fn add_minority_constraints(
        &mut self,
        codes: &EncodedRows,
        b: usize,
        budget: &SearchBudget<'_>,
    ) -> Result<()> {
        for p in 0..codes.n_minority_groups() {
            budget.check_limits()?;
            let covers = self.covers[b][p];
            self.model.add_at_most(&[(covers, 1.0), (self.used[b], -1.0)], 0.0);
            for (side, &lost) in codes.exclusions_of_minority_group(p).iter().enumerate() {
                if lost < codes.n_candidates[side] {
                    let wall = self.inside[b][side][usize::from(lost) - 1];
                    self.model.add_at_most(&[(covers, 1.0), (wall, 1.0)], 1.0);
                }
            }
        }
        Ok(())
    }

    fn add_majority_constraints(
        &mut self,
        codes: &EncodedRows,
        tariff: &ObjectiveTerms,
        b: usize,
        budget: &SearchBudget<'_>,
    ) -> Result<()> {
        for i in 0..codes.n_majority_groups() {
            budget.check_limits()?;
            let mut row = vec![(self.hit[i], 1.0)];
            for (side, &out) in codes.exclusions_of_majority_group(i).iter().enumerate() {
                if out < codes.n_candidates[side] {
                    row.push((self.inside[b][side][usize::from(out) - 1], 1.0));
                }
            }
            let present = if tariff.all_present {
                1.0
            } else {
                row.push((self.used[b], -1.0));
                0.0
            };
            self.model.add_at_least(&row, present);
        }
        Ok(())
    }

    /// Breaks the symmetry between boxes.
    ///
    /// The boxes are sorted by the position of the side that has the most candidate positions.
    fn add_symmetry_breaking(&mut self, codes: &EncodedRows) {
        let side = (0..codes.n_sides).rev().max_by_key(|&side| codes.n_candidates[side]).unwrap_or(0);
        for b in 1..self.used.len() {
            let mut row: Vec<(ModelVariable, f64)> =
                self.inside[b - 1][side].iter().map(|&col| (col, 1.0)).collect();
            row.extend(self.inside[b][side].iter().map(|&col| (col, -1.0)));
            if !row.is_empty() {
                self.model.add_at_most(&row, 0.0);
            }
        }
    }

    /// Values of the program's variables that represent a given set of boxes.
    ///
    /// If the set has fewer boxes than the program, the unused boxes of the program come first. The values
    /// are empty if the set has fewer boxes than the program although all boxes must be present.
    fn variable_values_for_boxes(
        &self,
        codes: &EncodedRows,
        tariff: &ObjectiveTerms,
        boxes: &[BoxColumn],
    ) -> Vec<f64> {
        let mut boxes: Vec<&BoxColumn> = boxes.iter().collect();
        let side = (0..codes.n_sides).rev().max_by_key(|&side| codes.n_candidates[side]).unwrap_or(0);
        boxes.sort_by_key(|column| column.at[side]);
        let mut x = vec![0.0; self.model.n_cols()];
        let absent = self.used.len() - boxes.len();
        for (b, column) in boxes.iter().enumerate().map(|(place, column)| (place + absent, column)) {
            for (cols, &at) in self.inside[b].iter().zip(&column.at) {
                cols.iter().take(usize::from(at)).for_each(|col| x[col.index()] = 1.0);
            }
            for p in column.pos.iter() {
                x[self.used[b].index()] = 1.0;
                x[self.covers[b][p].index()] = 1.0;
                x[self.covered[p].index()] = 1.0;
            }
            column.neg.iter().for_each(|i| x[self.hit[i].index()] = 1.0);
        }
        if tariff.all_present && absent > 0 { Vec::new() } else { x }
    }

    fn boxes_from_solution(&self, codes: &EncodedRows, tariff: &ObjectiveTerms, x: &[f64]) -> Vec<BoxColumn> {
        let on = |col: ModelVariable| x[col.index()] > 0.5;
        (0..self.used.len())
            .filter_map(|b| {
                if tariff.all_present {
                    let at =
                        self.inside[b].iter().map(|cols| cols.iter().filter(|&&col| on(col)).count() as u16);
                    return Some(BoxColumn::new(codes, at.collect()));
                }
                let covered =
                    (0..codes.n_minority_groups()).filter(|&p| on(self.used[b]) && on(self.covers[b][p]));
                BoxColumn::smallest_box_around(codes, covered)
            })
            .collect()
    }
}

/// Adds the binary variables for the sides of one box.
///
/// A variable is 1 if the side is at a candidate or further in. Constraints ensure that the variables of a
/// side do not increase from one candidate to the next. With a reward for width, the function also adds the
/// widths and the constraints `lower <= upper`.
fn add_side_variables(
    model: &mut MipModel,
    codes: &EncodedRows,
    budget: &SearchBudget<'_>,
) -> Result<Vec<Vec<ModelVariable>>> {
    let mut sides = Vec::with_capacity(codes.n_sides);
    for side in 0..codes.n_sides {
        budget.check_limits()?;
        let widths = codes.side_width.get(side);
        if let Some(widths) = widths {
            model.add_objective_constant(widths[0]);
        }
        let cols: Vec<ModelVariable> = (1..usize::from(codes.n_candidates[side]))
            .map(|at| model.add_binary(widths.map_or(0.0, |widths| widths[at] - widths[at - 1])))
            .collect();
        for pair in cols.windows(2) {
            model.add_at_most(&[(pair[1], 1.0), (pair[0], -1.0)], 0.0);
        }
        sides.push(cols);
    }
    for feature in (0..codes.n_sides / 2).filter(|_| !codes.side_width.is_empty()) {
        let mut row = Vec::new();
        let mut outermost = 0.0;
        for side in [2 * feature, 2 * feature + 1] {
            outermost += codes.side_position(side, 0);
            for (at, &col) in sides[side].iter().enumerate() {
                row.push((
                    col,
                    codes.side_position(side, at as u16 + 1) - codes.side_position(side, at as u16),
                ));
            }
        }
        if !row.is_empty() {
            model.add_at_most(&row, -outermost);
        }
    }
    Ok(sides)
}
