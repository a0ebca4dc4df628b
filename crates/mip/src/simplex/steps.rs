//! The steps of the dual simplex method.

use super::program::{Simplex, Var, VariablePlace};
use imbcore_base::Result;
use multiversion::multiversion;

/// What solving came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LpStatus {
    /// Values and prices prove each other.
    Optimal,
    /// Some row cannot be kept.
    Infeasible,
    /// Rounding got the better of it; values and prices are of no use.
    Trouble,
}

/// Smallest entry of the table that may be divided by.
const PIVOT: f64 = 1e-9;
/// How far values may miss their bounds while steps are taken, as a share of the largest bound.
const FEASIBLE: f64 = 1e-11;
/// Numbers of a line that are added side by side.
const LANES: usize = 16;

impl Simplex {
    /// Solves the program from where the last solution ended; `check` is called before every step and may end it.
    ///
    /// # Errors
    /// Those of `check`; a later call goes on from there.
    pub fn minimise(&mut self, mut check: impl FnMut() -> Result<()>) -> Result<LpStatus> {
        for anew in [false, true] {
            if anew {
                self.restart();
            }
            let status = self.run(&mut check)?;
            if status == LpStatus::Optimal && self.holds() {
                return Ok(status);
            }
            if status == LpStatus::Infeasible && anew {
                return Ok(status);
            }
        }
        Ok(LpStatus::Trouble)
    }

    /// The dictionary in which all rows are basic.
    pub(super) fn restart(&mut self) {
        let there = |col: &usize| self.of_col[*col] != VariablePlace::Gone;
        let cols: Vec<usize> = (0..self.cost.len()).filter(there).collect();
        let n = cols.len();
        for (k, &col) in cols.iter().enumerate() {
            self.of_col[col] = VariablePlace::Nonbasic(k);
        }
        self.reduced = cols.iter().map(|&col| self.cost[col]).collect();
        self.nonbasic = cols.into_iter().map(Var::Col).collect();
        self.at = vec![0.0; n];
        (self.basic, self.table, self.constant) = (Vec::new(), Vec::new(), Vec::new());
        for (number, row) in
            self.rows.iter().enumerate().filter(|(row, _)| self.of_row[*row] != VariablePlace::Gone)
        {
            let mut line = vec![0.0; n];
            for &(col, weight) in &row.entries {
                if let VariablePlace::Nonbasic(k) = self.of_col[col] {
                    line[k] += weight;
                }
            }
            self.basic.push(Var::Row(number));
            self.table.push(line);
            self.constant.push(-row.at_least);
        }
        for (slot, &var) in self.basic.iter().enumerate() {
            if let Var::Row(row) = var {
                self.of_row[row] = VariablePlace::Basic(slot);
            }
        }
        self.value = vec![0.0; self.basic.len()];
        self.length = vec![1.0; self.basic.len()];
    }

    /// Puts every variable outside the basis where its reduced cost wants it.
    fn settle(&mut self) {
        for k in 0..self.nonbasic.len() {
            let (lower, upper) = self.bounds(self.nonbasic[k]);
            if upper == f64::INFINITY {
                // Rounding; a price that is truly negative is found out when the answer is checked.
                self.reduced[k] = self.reduced[k].max(0.0);
            }
            self.at[k] = if self.reduced[k] >= 0.0 { lower } else { upper };
        }
        for ((value, constant), line) in self.value.iter_mut().zip(&self.constant).zip(&self.table) {
            *value = constant + line.iter().zip(&self.at).map(|(weight, at)| weight * at).sum::<f64>();
        }
        self.length = self.table.iter().map(|line| length(line)).collect();
    }

    /// Takes steps until no variable misses its bounds, none can take up what one lacks, or patience ends.
    ///
    /// At the top of the loop `value = constant + table at` for the basic variables, and every reduced cost has the sign
    /// that its variable's bound asks for, so that the objective at `at` is a bound of the optimum from below. A step costs
    /// one pass over the table: rows times columns.
    fn run(&mut self, check: &mut impl FnMut() -> Result<()>) -> Result<LpStatus> {
        self.settle();
        let tolerance = FEASIBLE * self.scale();
        let patience = 100 + self.nonbasic.len() + self.basic.len();
        // Steps in a row that did not raise the bound: enough of them, and the smallest number decides, which ends circles.
        let mut idle = 0;
        for _ in 0..20 * patience {
            check()?;
            let Some((slot, lack)) = self.leaving(tolerance, idle > patience) else {
                return Ok(LpStatus::Optimal);
            };
            let Some((k, step)) = self.entering(slot, lack, tolerance, idle > patience) else {
                return Ok(LpStatus::Infeasible);
            };
            idle = if step > 0.0 { 0 } else { idle + 1 };
            self.pivot(slot, k, lack > 0.0);
        }
        Ok(LpStatus::Trouble)
    }

    /// The row of the table that is furthest from its bounds, and how much it lacks: above 0 if it is too low.
    fn leaving(&self, tolerance: f64, first: bool) -> Option<(usize, f64)> {
        let mut worst: Option<(usize, f64)> = None;
        for (slot, (&value, &var)) in self.value.iter().zip(&self.basic).enumerate() {
            let (lower, upper) = self.bounds(var);
            let lack = if value < lower { lower - value } else { (upper - value).min(0.0) };
            let far = |slot: usize, lack: f64| lack * lack / self.length[slot];
            let beats = |(at, other): (usize, f64)| {
                if first { var < self.basic[at] } else { far(slot, lack) > far(at, other) }
            };
            if lack.abs() > tolerance && worst.is_none_or(beats) {
                worst = Some((slot, lack));
            }
        }
        worst
    }

    /// The column of the table that enters the basis, and how far the prices go; variables on the way that cross to
    /// their other bound without making up for the lack are put there.
    fn entering(&mut self, slot: usize, lack: f64, tolerance: f64, first: bool) -> Option<(usize, f64)> {
        let line = &self.table[slot];
        let mut candidates: Vec<(f64, f64, usize)> = Vec::new();
        for (k, (&weight, &reduced)) in line.iter().zip(&self.reduced).enumerate() {
            let (lower, upper) = self.bounds(self.nonbasic[k]);
            let up = weight * lack > 0.0;
            let free = if self.at[k] == lower { up } else { !up };
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
                let (lower, upper) = self.bounds(self.nonbasic[k]);
                let rest = left - weight * (upper - lower);
                if rest <= tolerance {
                    break;
                }
                left = rest;
                passed += 1;
            }
        }
        let step = candidates.get(passed)?.0;
        // Of those that are next within rounding, the one that is safest to divide by.
        let next = candidates[passed..].iter().take_while(|of| of.0 <= step + FEASIBLE);
        let best = if first {
            next.min_by_key(|of| self.nonbasic[of.2])
        } else {
            next.reduce(|best, of| if of.1 > best.1 { of } else { best })
        };
        let &(_, _, chosen) = best?;
        let mut moved = vec![];
        for &(_, _, k) in &candidates[..passed] {
            let (lower, upper) = self.bounds(self.nonbasic[k]);
            let to = if self.at[k] == lower { upper } else { lower };
            moved.push((k, to - self.at[k]));
            self.at[k] = to;
        }
        for (value, line) in self.value.iter_mut().zip(&self.table) {
            *value += moved.iter().map(|&(k, by)| line[k] * by).sum::<f64>();
        }
        Some((chosen, step))
    }

    /// Exchanges a row and a column of the table; the variable that leaves stops at the bound it missed.
    fn pivot(&mut self, slot: usize, k: usize, low: bool) {
        let (leaves, enters) = (self.basic[slot], self.nonbasic[k]);
        let (lower, upper) = self.bounds(leaves);
        let stop = if low { lower } else { upper };
        let mut line = std::mem::take(&mut self.table[slot]);
        let divisor = line[k];
        let moved = (stop - self.value[slot]) / divisor;
        line[k] = -1.0;
        for weight in &mut line {
            *weight /= -divisor;
        }
        let constant = self.constant[slot] / -divisor;
        for (other, of) in self.table.iter_mut().enumerate().filter(|(other, _)| *other != slot) {
            let weight = of[k];
            if weight != 0.0 {
                self.value[other] += weight * moved;
                self.constant[other] += weight * constant;
                of[k] = 0.0;
                self.length[other] = add_to(of, weight, &line);
            }
        }
        let price = std::mem::take(&mut self.reduced[k]);
        self.reduced.iter_mut().zip(&line).for_each(|(of, line)| *of += price * line);
        self.length[slot] = length(&line);
        self.table[slot] = line;
        self.constant[slot] = constant;
        self.value[slot] = self.at[k] + moved;
        self.at[k] = stop;
        (self.basic[slot], self.nonbasic[k]) = (enters, leaves);
        *self.place(enters) = VariablePlace::Basic(slot);
        *self.place(leaves) = VariablePlace::Nonbasic(k);
    }
}

/// One and the sum of squares, in an order that lets the compiler add several at a time.
fn length(line: &[f64]) -> f64 {
    let (wholes, rest) = line.as_chunks::<LANES>();
    let mut sums = [0.0_f64; LANES];
    for whole in wholes {
        sums.iter_mut().zip(whole).for_each(|(sum, weight)| *sum += weight * weight);
    }
    1.0 + sums.iter().sum::<f64>() + rest.iter().map(|weight| weight * weight).sum::<f64>()
}

/// Adds `weight` times `line` to a line; what [`length`] then says of it, in the same order.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn add_to(of: &mut [f64], weight: f64, line: &[f64]) -> f64 {
    let (wholes, rest) = of.as_chunks_mut::<LANES>();
    let (lines, line_rest) = line.as_chunks::<LANES>();
    let mut sums = [0.0_f64; LANES];
    for (whole, line) in wholes.iter_mut().zip(lines) {
        for lane in 0..LANES {
            whole[lane] += weight * line[lane];
            sums[lane] += whole[lane] * whole[lane];
        }
    }
    let mut squares = 0.0;
    for (of, line) in rest.iter_mut().zip(line_rest) {
        *of += weight * line;
        squares += *of * *of;
    }
    1.0 + sums.iter().sum::<f64>() + squares
}
