//! A linear program that is changed a little and solved again: a dual simplex method that keeps its basis.
//!
//! `minimise cost x, A x >= b, lower <= x <= upper` with finite bounds. Every variable then has a bound at which its
//! reduced cost has the right sign, so that any basis is dual feasible once the variables outside it are put there:
//! rows and columns may come, rows go and bounds move between two solutions, and the method starts where it ended (Lemke
//! 1954; bounds are passed in one step where that pays, Maros 2003). The dictionary is kept as a dense table, `x_B = f + T x_N`:
//! the programs here have some hundred rows and columns, most entries of which are not 0.
//!
//! Costs are raised a little, each by another share, so that no two bases are equally good: otherwise most steps gain
//! nothing, and the method may walk in circles (Charnes 1952). The optimum of such costs is within that share of the
//! true one. Of the variables that miss their bounds the one leaves that misses them by most steps of its row's length.
//!
//! An answer is believed only if it keeps every row and its prices prove it, both by the program's own numbers; if
//! not, the table is made anew.

use imbcore_base::Result;

/// A variable of the program, or what a row has above its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Var {
    Col(usize),
    Row(usize),
}

/// Where a variable stands in the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VariablePlace {
    /// Row of the table.
    Basic(usize),
    /// Column of the table.
    Nonbasic(usize),
    /// Not at all: a row that was taken out.
    Gone,
}

/// A row of the program.
#[derive(Clone, Debug)]
struct Row {
    entries: Vec<(usize, f64)>,
    at_least: f64,
}

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
/// How far an answer may miss its bounds, and its value what its prices prove, as a share of the largest bound or the
/// sum of all terms.
const PROVEN: f64 = 1e-9;
/// Share by which costs are raised, at most; costs below 1 by that much of 1.
const RAISED: f64 = 1e-7;

/// The program, its dictionary and its last answer.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    lower: Vec<f64>,
    upper: Vec<f64>,
    cost: Vec<f64>,
    rows: Vec<Row>,
    of_col: Vec<VariablePlace>,
    of_row: Vec<VariablePlace>,
    basic: Vec<Var>,
    nonbasic: Vec<Var>,
    table: Vec<Vec<f64>>,
    constant: Vec<f64>,
    /// Reduced cost of each column of the table.
    reduced: Vec<f64>,
    /// Value of each column of the table.
    at: Vec<f64>,
    /// Value of each row of the table.
    value: Vec<f64>,
    /// One and the sum of squares of each row of the table.
    length: Vec<f64>,
}

impl Simplex {
    /// Adds a variable with its entries in rows that are there.
    pub fn add_col(&mut self, lower: f64, upper: f64, cost: f64, entries: &[(usize, f64)]) -> usize {
        let col = self.cost.len();
        // Bits of multiples of the golden ratio: numbers between a half and 1, far from each other.
        let share =
            0.5 + ((col as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as f64 / 2.0_f64.powi(32);
        let cost = cost + RAISED * share * cost.abs().max(1.0);
        self.lower.push(lower);
        self.upper.push(upper);
        self.cost.push(cost);
        self.of_col.push(VariablePlace::Nonbasic(self.nonbasic.len()));
        self.nonbasic.push(Var::Col(col));
        self.table.iter_mut().for_each(|row| row.push(0.0));
        let mut reduced = cost;
        for &(row, weight) in entries {
            self.rows[row].entries.push((col, weight));
            match self.of_row[row] {
                VariablePlace::Basic(slot) => {
                    if let Some(last) = self.table[slot].last_mut() {
                        *last += weight;
                    }
                }
                VariablePlace::Nonbasic(k) => {
                    // The row's excess without the new variable is its excess less the variable's part.
                    reduced -= weight * self.reduced[k];
                    for line in &mut self.table {
                        let change = weight * line[k];
                        if let Some(last) = line.last_mut() {
                            *last -= change;
                        }
                    }
                }
                VariablePlace::Gone => {}
            }
        }
        self.reduced.push(reduced);
        self.at.push(lower);
        col
    }

    /// Adds the row `entries >= at_least`.
    pub fn add_row(&mut self, entries: &[(usize, f64)], at_least: f64) -> usize {
        let row = self.rows.len();
        let mut line = vec![0.0; self.nonbasic.len()];
        let mut constant = -at_least;
        for &(col, weight) in entries {
            match self.of_col[col] {
                VariablePlace::Nonbasic(k) => line[k] += weight,
                VariablePlace::Basic(slot) => {
                    constant += weight * self.constant[slot];
                    line.iter_mut().zip(&self.table[slot]).for_each(|(sum, of)| *sum += weight * of);
                }
                VariablePlace::Gone => {}
            }
        }
        self.rows.push(Row { entries: entries.to_vec(), at_least });
        self.of_row.push(VariablePlace::Basic(self.basic.len()));
        self.basic.push(Var::Row(row));
        self.table.push(line);
        self.constant.push(constant);
        self.value.push(0.0);
        self.length.push(1.0);
        row
    }

    /// Takes a variable that stands at a bound of 0 out; whether it was taken out.
    pub fn drop_col(&mut self, col: usize) -> bool {
        let VariablePlace::Nonbasic(k) = self.of_col[col] else { return false };
        if self.at[k] != 0.0 {
            return false;
        }
        self.of_col[col] = VariablePlace::Gone;
        (self.lower[col], self.upper[col], self.cost[col]) = (0.0, 0.0, 0.0);
        self.nonbasic.swap_remove(k);
        self.reduced.swap_remove(k);
        self.at.swap_remove(k);
        for line in &mut self.table {
            line.swap_remove(k);
        }
        self.rows.iter_mut().for_each(|row| row.entries.retain(|entry| entry.0 != col));
        if let Some(&moved) = self.nonbasic.get(k) {
            *self.place(moved) = VariablePlace::Nonbasic(k);
        }
        true
    }

    /// Takes a row out if it does not bind the last answer; whether it was taken out.
    pub fn drop_row(&mut self, row: usize) -> bool {
        let VariablePlace::Basic(slot) = self.of_row[row] else { return false };
        self.of_row[row] = VariablePlace::Gone;
        self.rows[row].entries = Vec::new();
        self.basic.swap_remove(slot);
        self.table.swap_remove(slot);
        self.constant.swap_remove(slot);
        self.value.swap_remove(slot);
        self.length.swap_remove(slot);
        if let Some(&moved) = self.basic.get(slot) {
            *self.place(moved) = VariablePlace::Basic(slot);
        }
        true
    }

    /// Moves the bounds of a variable.
    pub fn set_bounds(&mut self, col: usize, lower: f64, upper: f64) {
        (self.lower[col], self.upper[col]) = (lower, upper);
    }

    /// Value of a variable in the last answer.
    pub fn value(&self, col: usize) -> f64 {
        let value = match self.of_col[col] {
            VariablePlace::Basic(slot) => self.value[slot],
            VariablePlace::Nonbasic(k) => self.at[k],
            VariablePlace::Gone => 0.0,
        };
        value.max(self.lower[col]).min(self.upper[col])
    }

    /// Whether a row keeps the last answer where it is.
    pub fn binds(&self, row: usize) -> bool {
        matches!(self.of_row[row], VariablePlace::Nonbasic(_))
    }

    /// Price of a row in the last answer: what its bound's growth by one costs.
    pub fn price(&self, row: usize) -> f64 {
        match self.of_row[row] {
            VariablePlace::Nonbasic(k) => self.reduced[k].max(0.0),
            _ => 0.0,
        }
    }

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

    fn place(&mut self, var: Var) -> &mut VariablePlace {
        match var {
            Var::Col(col) => &mut self.of_col[col],
            Var::Row(row) => &mut self.of_row[row],
        }
    }

    fn bounds(&self, var: Var) -> (f64, f64) {
        match var {
            Var::Col(col) => (self.lower[col], self.upper[col]),
            Var::Row(_) => (0.0, f64::INFINITY),
        }
    }

    /// The dictionary in which all rows are basic.
    fn restart(&mut self) {
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

    /// Largest bound of a variable or row: what rounding is measured by.
    fn scale(&self) -> f64 {
        let bounds = self.lower.iter().chain(&self.upper).copied();
        bounds
            .chain(self.rows.iter().map(|row| row.at_least))
            .fold(f64::MIN_POSITIVE, |most, of| most.max(of.abs()))
    }

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
                of.iter_mut().zip(&line).for_each(|(of, line)| *of += weight * line);
                self.length[other] = length(of);
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

    /// Whether the answer keeps all rows and its prices prove it.
    fn holds(&self) -> bool {
        let x: Vec<f64> = (0..self.cost.len()).map(|col| self.value(col)).collect();
        let tolerance = PROVEN * self.scale();
        let mut left = self.cost.clone();
        let (mut bound, mut terms) = (0.0, 0.0_f64);
        for (number, row) in
            self.rows.iter().enumerate().filter(|(row, _)| self.of_row[*row] != VariablePlace::Gone)
        {
            let sum: f64 = row.entries.iter().map(|&(col, weight)| weight * x[col]).sum();
            if sum.is_nan() || sum < row.at_least - tolerance {
                return false;
            }
            let price = self.price(number);
            row.entries.iter().for_each(|&(col, weight)| left[col] -= price * weight);
            bound += price * row.at_least;
            terms += (price * row.at_least).abs();
        }
        let mut objective = 0.0;
        for (col, (&left, &x)) in left.iter().zip(&x).enumerate() {
            let part = (left * self.lower[col]).min(left * self.upper[col]);
            bound += part;
            objective += self.cost[col] * x;
            terms += part.abs() + (self.cost[col] * x).abs();
        }
        objective - bound <= PROVEN * terms.max(f64::MIN_POSITIVE)
    }
}

/// One and the sum of squares, in an order that lets the compiler add four at a time.
fn length(line: &[f64]) -> f64 {
    let mut sums = [0.0_f64; 4];
    let (fours, rest) = line.as_chunks::<4>();
    for four in fours {
        sums.iter_mut().zip(four).for_each(|(sum, weight)| *sum += weight * weight);
    }
    1.0 + sums.iter().sum::<f64>() + rest.iter().map(|weight| weight * weight).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers for programs, the same in every run.
    struct Draw(u64);

    impl Draw {
        fn bits(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32
        }

        fn unit(&mut self) -> f64 {
            f64::from(self.bits()) / f64::from(1_u32 << 31)
        }

        fn below(&mut self, n: usize) -> usize {
            self.bits() as usize % n
        }

        fn entries(&mut self, n: usize, whole: bool) -> Vec<(usize, f64)> {
            (0..n)
                .filter_map(|at| {
                    let weight = 3.0 * self.unit() - 1.0;
                    (self.unit() < 0.6).then_some((at, if whole { weight.round() } else { weight }))
                })
                .collect()
        }
    }

    fn objective(program: &Simplex) -> f64 {
        (0..program.cost.len()).map(|col| program.cost[col] * program.value(col)).sum()
    }

    fn solved(program: &mut Simplex) -> LpStatus {
        program.minimise(|| Ok(())).unwrap()
    }

    #[test]
    fn two_rows_meet() {
        let mut program = Simplex::default();
        let (x, y) = (program.add_col(0.0, 5.0, 2.0, &[]), program.add_col(0.0, 5.0, 3.0, &[]));
        let first = program.add_row(&[(x, 1.0), (y, 2.0)], 4.0);
        let second = program.add_row(&[(x, 2.0), (y, 1.0)], 3.0);
        assert_eq!(solved(&mut program), LpStatus::Optimal);
        assert!((program.value(x) - 2.0 / 3.0).abs() < 1e-12 && (program.value(y) - 5.0 / 3.0).abs() < 1e-12);
        assert!(
            (4.0 * program.price(first) + 3.0 * program.price(second) - objective(&program)).abs() < 1e-12
        );
        assert!((objective(&program) - (4.0 / 3.0 + 5.0)).abs() < 1e-6, "costs are raised by a share");
        // A variable that helps both rows for less.
        let z = program.add_col(0.0, 1.0, 1.0, &[(first, 2.0), (second, 2.0)]);
        assert_eq!(solved(&mut program), LpStatus::Optimal);
        assert!((program.value(z) - 1.0).abs() < 1e-12 && (objective(&program) - 4.0).abs() < 1e-6);
        // What no row needs goes, what binds stays.
        assert_eq!(program.drop_row(first), program.price(first) == 0.0);
        program.add_row(&[(x, 1.0), (y, 1.0), (z, 1.0)], 11.5);
        assert_eq!(solved(&mut program), LpStatus::Infeasible);
    }

    #[test]
    fn a_program_without_rows_stands_at_its_bounds() {
        let mut program = Simplex::default();
        assert_eq!(solved(&mut program), LpStatus::Optimal);
        program.add_col(-1.0, 2.0, 1.0, &[]);
        program.add_col(-1.0, 2.0, -1.0, &[]);
        assert_eq!(solved(&mut program), LpStatus::Optimal);
        assert_eq!((program.value(0), program.value(1)), (-1.0, 2.0));
    }

    #[test]
    fn a_stopped_program_goes_on_where_it_was() {
        let mut draw = Draw(5);
        let mut program = Simplex::default();
        for _ in 0..30 {
            program.add_col(0.0, 1.0, draw.unit(), &[]);
        }
        for _ in 0..30 {
            let entries = draw.entries(30, false);
            program.add_row(&entries, 1.0);
        }
        let mut anew = program.clone();
        assert_eq!(solved(&mut anew), LpStatus::Optimal);
        let (mut stops, mut steps) = (0, 0);
        while program
            .minimise(|| {
                steps += 1;
                if steps % 3 == 0 { Err(imbcore_base::Error::Cancelled) } else { Ok(()) }
            })
            .is_err()
        {
            stops += 1;
        }
        assert!(stops > 2, "{stops}");
        assert!((objective(&program) - objective(&anew)).abs() < 1e-12);
    }

    #[test]
    fn a_changed_program_has_the_answer_of_a_new_one() {
        let (mut optimal, mut impossible) = (0, 0);
        for seed in 0..300 {
            let mut draw = Draw(seed);
            let whole = seed % 2 == 0;
            let mut program = Simplex::default();
            for _ in 0..12 {
                for _ in 0..draw.below(4) {
                    let n = program.rows.len();
                    let mut entries = draw.entries(n, whole);
                    entries.retain(|(row, _)| program.of_row[*row] != VariablePlace::Gone);
                    let (a, b) = (draw.unit() * 2.0 - 1.0, draw.unit() * 2.0);
                    let cost = (4.0 * draw.unit() - 1.0).round();
                    program.add_col(a, a + b, cost, &entries);
                }
                for _ in 0..draw.below(4) {
                    let n = program.cost.len();
                    let (mut entries, most) = (draw.entries(n, whole), draw.unit() - 0.5);
                    entries.retain(|(col, _)| program.of_col[*col] != VariablePlace::Gone);
                    program.add_row(&entries, most);
                }
                if !program.rows.is_empty() {
                    program.drop_row(draw.below(program.rows.len()));
                }
                if !program.cost.is_empty() {
                    let (a, b) = (draw.unit() * 2.0 - 1.0, draw.unit());
                    let col = draw.below(program.cost.len());
                    if program.of_col[col] != VariablePlace::Gone
                        && !(draw.unit() < 0.1 && program.drop_col(col))
                    {
                        program.set_bounds(col, a, a + if b < 0.2 { 0.0 } else { b });
                    }
                }
                let status = solved(&mut program);
                let mut anew = program.clone();
                anew.restart();
                assert_eq!(status, solved(&mut anew), "{seed}");
                assert_ne!(status, LpStatus::Trouble, "{seed}");
                if status == LpStatus::Optimal {
                    optimal += 1;
                    assert!((objective(&program) - objective(&anew)).abs() < 1e-7, "{seed}");
                } else {
                    impossible += 1;
                    break;
                }
            }
        }
        assert!(optimal > 500 && impossible > 50, "{optimal} {impossible}");
    }
}
