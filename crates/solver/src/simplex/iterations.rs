//! Steps of the dual simplex method.

use super::program::{DictionaryPosition, Simplex, SimplexVariable};
use imbcore_core::Result;
use multiversion::multiversion;

/// Result of solving a linear program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LpStatus {
    /// The primal and the dual solution have equal objectives, so both are optimal.
    Optimal,
    /// No point satisfies all rows and bounds.
    Infeasible,
    /// No verified solution was found; values and dual values are meaningless.
    ///
    /// Rounding errors were too large, or the step limit was reached.
    Trouble,
}

const PIVOT: f64 = 1e-9;
/// Tolerance for violated bounds during the iterations, relative to the largest bound.
///
/// The ratio test also uses it, as an absolute tolerance for equal ratios.
const FEASIBLE: f64 = 1e-11;
const LANES: usize = 16;

impl Simplex {
    /// Solves the program from the last basis.
    ///
    /// `check` is called before every step and may stop it.
    ///
    /// # Errors
    /// Same errors as `check`. A later call continues from the basis at which `check` failed.
    pub fn minimize(&mut self, mut check: impl FnMut() -> Result<()>) -> Result<LpStatus> {
        for anew in [false, true] {
            if anew {
                self.rebuild_slack_dictionary();
            }
            let status = self.iterate(&mut check)?;
            if status == LpStatus::Optimal && self.is_optimal() {
                return Ok(status);
            }
            if status == LpStatus::Infeasible && anew {
                return Ok(status);
            }
        }
        Ok(LpStatus::Trouble)
    }

    pub(super) fn rebuild_slack_dictionary(&mut self) {
        let there = |col: &usize| self.column_positions[*col] != DictionaryPosition::Gone;
        let cols: Vec<usize> = (0..self.cost.len()).filter(there).collect();
        let n = cols.len();
        for (k, &col) in cols.iter().enumerate() {
            self.column_positions[col] = DictionaryPosition::Nonbasic(k);
        }
        self.reduced_costs = cols.iter().map(|&col| self.cost[col]).collect();
        self.nonbasic = cols.into_iter().map(SimplexVariable::Col).collect();
        self.nonbasic_values = vec![0.0; n];
        (self.basic, self.table, self.constant) = (Vec::new(), Vec::new(), Vec::new());
        for (number, row) in self
            .rows
            .iter()
            .enumerate()
            .filter(|(row, _)| self.row_positions[*row] != DictionaryPosition::Gone)
        {
            let mut line = vec![0.0; n];
            for &(col, weight) in &row.entries {
                if let DictionaryPosition::Nonbasic(k) = self.column_positions[col] {
                    line[k] += weight;
                }
            }
            self.basic.push(SimplexVariable::Row(number));
            self.table.push(line);
            self.constant.push(-row.at_least);
        }
        for (slot, &var) in self.basic.iter().enumerate() {
            if let SimplexVariable::Row(row) = var {
                self.row_positions[row] = DictionaryPosition::Basic(slot);
            }
        }
        self.value = vec![0.0; self.basic.len()];
        self.row_weights = vec![1.0; self.basic.len()];
    }

    /// Sets every nonbasic variable to the bound required by the sign of its reduced cost.
    fn set_nonbasic_values(&mut self) {
        for k in 0..self.nonbasic.len() {
            let (lower, upper) = self.variable_bounds(self.nonbasic[k]);
            if upper == f64::INFINITY {
                // The reduced costs of slacks are dual values, which must not be negative. A negative reduced
                // cost is usually a rounding error, so it becomes 0. If it is not a rounding error, the final
                // verification fails.
                self.reduced_costs[k] = self.reduced_costs[k].max(0.0);
            }
            self.nonbasic_values[k] = if self.reduced_costs[k] >= 0.0 { lower } else { upper };
        }
        for ((value, constant), line) in self.value.iter_mut().zip(&self.constant).zip(&self.table) {
            *value =
                constant + line.iter().zip(&self.nonbasic_values).map(|(weight, x)| weight * x).sum::<f64>();
        }
        self.row_weights = self.table.iter().map(|line| one_plus_squared_norm(line)).collect();
    }

    /// Takes steps until all bounds hold, no variable can enter, or the step limit is reached.
    ///
    /// Invariant at the start of each step: the basic variables have the values `value = constant + table *
    /// nonbasic_values`. Every reduced cost has the sign that the bound of its variable requires, so the
    /// objective is a lower bound on the optimum. The time of a step is proportional to rows times columns of
    /// the table.
    fn iterate(&mut self, check: &mut impl FnMut() -> Result<()>) -> Result<LpStatus> {
        self.set_nonbasic_values();
        let tolerance = FEASIBLE * self.largest_absolute_bound();
        let patience = 100 + self.nonbasic.len() + self.basic.len();
        // Number of consecutive degenerate steps. After `patience` of them, the method uses Bland's rule
        // (smallest index), which ends cycling.
        let mut idle = 0;
        for _ in 0..20 * patience {
            check()?;
            let Some((slot, lack)) = self.select_leaving_row(tolerance, idle > patience) else {
                return Ok(LpStatus::Optimal);
            };
            let Some((k, step)) = self.select_entering_column(slot, lack, tolerance, idle > patience) else {
                return Ok(LpStatus::Infeasible);
            };
            idle = if step > 0.0 { 0 } else { idle + 1 };
            self.pivot(slot, k, lack > 0.0);
        }
        Ok(LpStatus::Trouble)
    }

    /// Selects the variable that leaves the basis; returns its table row and its bound violation.
    ///
    /// The violation is positive if the value is too low. If `first` is false, the row with the largest
    /// violation relative to the norm of the row is selected. If `first` is true, the row of the violating
    /// variable with the smallest index is selected.
    fn select_leaving_row(&self, tolerance: f64, first: bool) -> Option<(usize, f64)> {
        let mut worst: Option<(usize, f64)> = None;
        for (slot, (&value, &var)) in self.value.iter().zip(&self.basic).enumerate() {
            let (lower, upper) = self.variable_bounds(var);
            let lack = if value < lower { lower - value } else { (upper - value).min(0.0) };
            let far = |slot: usize, lack: f64| lack * lack / self.row_weights[slot];
            let beats = |(best, other): (usize, f64)| {
                if first { var < self.basic[best] } else { far(slot, lack) > far(best, other) }
            };
            if lack.abs() > tolerance && worst.is_none_or(beats) {
                worst = Some((slot, lack));
            }
        }
        worst
    }

    /// Selects the variable that enters the basis; returns its column and the dual step length.
    ///
    /// Other variables may reach their opposite bound before the violation of the leaving variable is
    /// removed. They are moved to this bound and stay nonbasic (bound flipping).
    fn select_entering_column(
        &mut self,
        slot: usize,
        lack: f64,
        tolerance: f64,
        first: bool,
    ) -> Option<(usize, f64)> {
        let line = &self.table[slot];
        let mut candidates: Vec<(f64, f64, usize)> = Vec::new();
        for (k, (&weight, &reduced)) in line.iter().zip(&self.reduced_costs).enumerate() {
            let (lower, upper) = self.variable_bounds(self.nonbasic[k]);
            let up = weight * lack > 0.0;
            let free = if self.nonbasic_values[k] == lower { up } else { !up };
            if weight.abs() > PIVOT && lower < upper && free {
                candidates.push((reduced.abs() / weight.abs(), weight.abs(), k));
            }
        }
        candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let mut left = lack.abs();
        let mut passed = 0;
        if !first {
            loop {
                let &(_, weight, k) = candidates.get(passed)?;
                let (lower, upper) = self.variable_bounds(self.nonbasic[k]);
                let rest = left - weight * (upper - lower);
                if rest <= tolerance {
                    break;
                }
                left = rest;
                passed += 1;
            }
        }
        let step = candidates.get(passed)?.0;
        // Several candidates may have equal ratios up to rounding. Without Bland's rule, the one with the
        // largest pivot is chosen. With Bland's rule, the one with the smallest index is chosen.
        let next = candidates[passed..].iter().take_while(|candidate| candidate.0 <= step + FEASIBLE);
        let best = if first {
            next.min_by_key(|candidate| self.nonbasic[candidate.2])
        } else {
            next.reduce(|best, other| if other.1 > best.1 { other } else { best })
        };
        let &(_, _, chosen) = best?;
        let mut moved = vec![];
        for &(_, _, k) in &candidates[..passed] {
            let (lower, upper) = self.variable_bounds(self.nonbasic[k]);
            let to = if self.nonbasic_values[k] == lower { upper } else { lower };
            moved.push((k, to - self.nonbasic_values[k]));
            self.nonbasic_values[k] = to;
        }
        for (value, line) in self.value.iter_mut().zip(&self.table) {
            *value += moved.iter().map(|&(k, by)| line[k] * by).sum::<f64>();
        }
        Some((chosen, step))
    }

    /// Exchanges the leaving variable (row `slot`) and the entering variable (column `k`).
    ///
    /// The leaving variable gets the value of the bound that it violated: the lower bound if `low` is true,
    /// otherwise the upper bound.
    fn pivot(&mut self, slot: usize, k: usize, low: bool) {
        let (leaves, enters) = (self.basic[slot], self.nonbasic[k]);
        let (lower, upper) = self.variable_bounds(leaves);
        let stop = if low { lower } else { upper };
        let mut line = std::mem::take(&mut self.table[slot]);
        let divisor = line[k];
        let moved = (stop - self.value[slot]) / divisor;
        line[k] = -1.0;
        for weight in &mut line {
            *weight /= -divisor;
        }
        let constant = self.constant[slot] / -divisor;
        for (other, row) in self.table.iter_mut().enumerate().filter(|(other, _)| *other != slot) {
            let weight = row[k];
            if weight != 0.0 {
                self.value[other] += weight * moved;
                self.constant[other] += weight * constant;
                row[k] = 0.0;
                self.row_weights[other] = add_scaled_row(row, weight, &line);
            }
        }
        let dual = std::mem::take(&mut self.reduced_costs[k]);
        self.reduced_costs.iter_mut().zip(&line).for_each(|(reduced, line)| *reduced += dual * line);
        self.row_weights[slot] = one_plus_squared_norm(&line);
        self.table[slot] = line;
        self.constant[slot] = constant;
        self.value[slot] = self.nonbasic_values[k] + moved;
        self.nonbasic_values[k] = stop;
        (self.basic[slot], self.nonbasic[k]) = (enters, leaves);
        *self.position_mut(enters) = DictionaryPosition::Basic(slot);
        *self.position_mut(leaves) = DictionaryPosition::Nonbasic(k);
    }
}

/// 1 plus the sum of squares of a row, summed in an order that allows vectorization.
fn one_plus_squared_norm(line: &[f64]) -> f64 {
    let (wholes, rest) = line.as_chunks::<LANES>();
    let mut sums = [0.0_f64; LANES];
    for whole in wholes {
        sums.iter_mut().zip(whole).for_each(|(sum, weight)| *sum += weight * weight);
    }
    1.0 + sums.iter().sum::<f64>() + rest.iter().map(|weight| weight * weight).sum::<f64>()
}

/// Adds `weight` times `line` to `row`; returns the new [`one_plus_squared_norm`].
///
/// The squares are summed in the same order as in [`one_plus_squared_norm`].
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn add_scaled_row(row: &mut [f64], weight: f64, line: &[f64]) -> f64 {
    let (wholes, rest) = row.as_chunks_mut::<LANES>();
    let (lines, line_rest) = line.as_chunks::<LANES>();
    let mut sums = [0.0_f64; LANES];
    for (whole, line) in wholes.iter_mut().zip(lines) {
        for lane in 0..LANES {
            whole[lane] += weight * line[lane];
            sums[lane] += whole[lane] * whole[lane];
        }
    }
    let mut squares = 0.0;
    for (entry, line) in rest.iter_mut().zip(line_rest) {
        *entry += weight * line;
        squares += *entry * *entry;
    }
    1.0 + sums.iter().sum::<f64>() + squares
}
