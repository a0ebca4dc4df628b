//! The program, its dictionary and its last solution.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SimplexVariable {
    Col(usize),
    Row(usize),
}

/// Position of a variable or slack in the table: its row if basic, else its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DictionaryPosition {
    Basic(usize),
    Nonbasic(usize),
    Gone,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) entries: Vec<(usize, f64)>,
    pub(super) at_least: f64,
}

/// A linear program, its dictionary and its last solution.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    pub(super) cost: Vec<f64>,
    pub(super) rows: Vec<Row>,
    pub(super) column_positions: Vec<DictionaryPosition>,
    pub(super) row_positions: Vec<DictionaryPosition>,
    pub(super) basic: Vec<SimplexVariable>,
    pub(super) nonbasic: Vec<SimplexVariable>,
    pub(super) table: Vec<Vec<f64>>,
    pub(super) constant: Vec<f64>,
    pub(super) reduced_costs: Vec<f64>,
    pub(super) nonbasic_values: Vec<f64>,
    pub(super) value: Vec<f64>,
    /// For each row of the table, its dual steepest edge weight: 1 plus its sum of squares.
    pub(super) row_weights: Vec<f64>,
    pub(super) perturbation: Option<f64>,
}

impl Simplex {
    /// Creates a program whose costs are increased by at most `perturbation * max(|cost|, 1)`.
    ///
    /// If the objective is large, a `perturbation` below the default gives dual values that prove a tighter
    /// bound.
    pub fn with_cost_perturbation(perturbation: f64) -> Self {
        Self { perturbation: Some(perturbation), ..Self::default() }
    }

    /// Value of a variable in the last solution.
    pub fn value(&self, col: usize) -> f64 {
        let value = match self.column_positions[col] {
            DictionaryPosition::Basic(slot) => self.value[slot],
            DictionaryPosition::Nonbasic(k) => self.nonbasic_values[k],
            DictionaryPosition::Gone => 0.0,
        };
        value.max(self.lower[col]).min(self.upper[col])
    }

    /// Whether a row is binding in the last solution.
    pub fn is_binding(&self, row: usize) -> bool {
        matches!(self.row_positions[row], DictionaryPosition::Nonbasic(_))
    }

    /// Dual value of a row in the last solution.
    ///
    /// It is the increase of the optimal objective per unit by which the lower bound of the row is raised.
    pub fn dual_value(&self, row: usize) -> f64 {
        match self.row_positions[row] {
            DictionaryPosition::Nonbasic(k) => self.reduced_costs[k].max(0.0),
            _ => 0.0,
        }
    }

    pub(super) fn position_mut(&mut self, var: SimplexVariable) -> &mut DictionaryPosition {
        match var {
            SimplexVariable::Col(col) => &mut self.column_positions[col],
            SimplexVariable::Row(row) => &mut self.row_positions[row],
        }
    }

    pub(super) fn variable_bounds(&self, var: SimplexVariable) -> (f64, f64) {
        match var {
            SimplexVariable::Col(col) => (self.lower[col], self.upper[col]),
            SimplexVariable::Row(_) => (0.0, f64::INFINITY),
        }
    }

    pub(super) fn largest_absolute_bound(&self) -> f64 {
        let bounds = self.lower.iter().chain(&self.upper).copied();
        bounds
            .chain(self.rows.iter().map(|row| row.at_least))
            .fold(f64::MIN_POSITIVE, |most, bound| most.max(bound.abs()))
    }
}
