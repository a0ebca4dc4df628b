//! Changes of a linear program between two solutions.
//!
//! The dictionary of the simplex method is updated, and stays dual feasible.

use super::program::{DictionaryPosition, Row, Simplex, SimplexVariable};

/// Default maximum increase of a cost, relative to the larger of its absolute value and 1.
const RAISED: f64 = 1e-7;

impl Simplex {
    /// Adds a variable; `entries` has its coefficients in existing rows.
    pub fn add_col(&mut self, lower: f64, upper: f64, cost: f64, entries: &[(usize, f64)]) -> usize {
        let col = self.cost.len();
        // The fractional parts of multiples of the golden ratio are well separated. Here they are mapped to
        // [1/2, 1) to give each cost its own perturbation.
        let perturbation =
            0.5 + ((col as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as f64 / 2.0_f64.powi(32);
        let cost = cost + self.perturbation.unwrap_or(RAISED) * perturbation * cost.abs().max(1.0);
        self.lower.push(lower);
        self.upper.push(upper);
        self.cost.push(cost);
        self.column_positions.push(DictionaryPosition::Nonbasic(self.nonbasic.len()));
        self.nonbasic.push(SimplexVariable::Col(col));
        self.table.iter_mut().for_each(|row| row.push(0.0));
        let mut reduced = cost;
        for &(row, weight) in entries {
            self.rows[row].entries.push((col, weight));
            match self.row_positions[row] {
                DictionaryPosition::Basic(slot) => {
                    if let Some(last) = self.table[slot].last_mut() {
                        *last += weight;
                    }
                }
                DictionaryPosition::Nonbasic(k) => {
                    // This row gets a term of the new variable, and the slack of the row is nonbasic. The
                    // table still uses the old slack, which is the new slack minus the term.
                    reduced -= weight * self.reduced_costs[k];
                    for line in &mut self.table {
                        let change = weight * line[k];
                        if let Some(last) = line.last_mut() {
                            *last -= change;
                        }
                    }
                }
                DictionaryPosition::Gone => {}
            }
        }
        self.reduced_costs.push(reduced);
        self.nonbasic_values.push(lower);
        col
    }

    /// Adds the row `entries >= at_least`.
    pub fn add_row(&mut self, entries: &[(usize, f64)], at_least: f64) -> usize {
        let row = self.rows.len();
        let mut line = vec![0.0; self.nonbasic.len()];
        let mut constant = -at_least;
        for &(col, weight) in entries {
            match self.column_positions[col] {
                DictionaryPosition::Nonbasic(k) => line[k] += weight,
                DictionaryPosition::Basic(slot) => {
                    constant += weight * self.constant[slot];
                    line.iter_mut().zip(&self.table[slot]).for_each(|(sum, entry)| *sum += weight * entry);
                }
                DictionaryPosition::Gone => {}
            }
        }
        self.rows.push(Row { entries: entries.to_vec(), at_least });
        self.row_positions.push(DictionaryPosition::Basic(self.basic.len()));
        self.basic.push(SimplexVariable::Row(row));
        self.table.push(line);
        self.constant.push(constant);
        self.value.push(0.0);
        self.row_weights.push(1.0);
        row
    }

    /// Removes a variable if it is nonbasic with the value 0.
    ///
    /// Returns whether the variable was removed.
    pub fn drop_col_if_nonbasic(&mut self, col: usize) -> bool {
        let DictionaryPosition::Nonbasic(k) = self.column_positions[col] else { return false };
        if self.nonbasic_values[k] != 0.0 {
            return false;
        }
        self.column_positions[col] = DictionaryPosition::Gone;
        (self.lower[col], self.upper[col], self.cost[col]) = (0.0, 0.0, 0.0);
        self.nonbasic.swap_remove(k);
        self.reduced_costs.swap_remove(k);
        self.nonbasic_values.swap_remove(k);
        for line in &mut self.table {
            line.swap_remove(k);
        }
        self.rows.iter_mut().for_each(|row| row.entries.retain(|entry| entry.0 != col));
        if let Some(&moved) = self.nonbasic.get(k) {
            *self.position_mut(moved) = DictionaryPosition::Nonbasic(k);
        }
        true
    }

    /// Removes a row if its slack is basic, that is, if the row does not bind.
    ///
    /// Returns whether the row was removed.
    pub fn drop_row_if_nonbinding(&mut self, row: usize) -> bool {
        let DictionaryPosition::Basic(slot) = self.row_positions[row] else { return false };
        self.row_positions[row] = DictionaryPosition::Gone;
        self.rows[row].entries = Vec::new();
        self.basic.swap_remove(slot);
        self.table.swap_remove(slot);
        self.constant.swap_remove(slot);
        self.value.swap_remove(slot);
        self.row_weights.swap_remove(slot);
        if let Some(&moved) = self.basic.get(slot) {
            *self.position_mut(moved) = DictionaryPosition::Basic(slot);
        }
        true
    }

    /// Changes the bounds of a variable.
    pub fn set_bounds(&mut self, col: usize, lower: f64, upper: f64) {
        (self.lower[col], self.upper[col]) = (lower, upper);
    }
}
