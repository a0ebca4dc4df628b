//! The program, its dictionary and its last solution.

/// A variable of the program, or the slack of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Var {
    Col(usize),
    Row(usize),
}

/// Position of a variable or slack in the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariablePlace {
    /// Basic, at this row of the table.
    Basic(usize),
    /// Nonbasic, at this column of the table.
    Nonbasic(usize),
    /// Removed.
    Gone,
}

/// A row of the program.
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
    pub(super) of_col: Vec<VariablePlace>,
    pub(super) of_row: Vec<VariablePlace>,
    pub(super) basic: Vec<Var>,
    pub(super) nonbasic: Vec<Var>,
    pub(super) table: Vec<Vec<f64>>,
    pub(super) constant: Vec<f64>,
    /// Reduced cost of the nonbasic variable of each column of the table.
    pub(super) reduced: Vec<f64>,
    /// Value of the nonbasic variable of each column of the table.
    pub(super) at: Vec<f64>,
    /// Value of the basic variable of each row of the table.
    pub(super) value: Vec<f64>,
    /// Weight of each row of the table for dual steepest edge: 1 plus its sum of squares.
    pub(super) length: Vec<f64>,
    /// Maximum relative perturbation of costs; `None` for the default.
    pub(super) raised: Option<f64>,
}

impl Simplex {
    /// Creates a program with a smaller perturbation of the costs than the default.
    ///
    /// If the objective is large, the dual values then prove a tighter bound on it.
    pub fn with_small_perturbation(perturbation: f64) -> Self {
        Self { raised: Some(perturbation), ..Self::default() }
    }

    /// Value of a variable in the last solution.
    pub fn value(&self, col: usize) -> f64 {
        let value = match self.of_col[col] {
            VariablePlace::Basic(slot) => self.value[slot],
            VariablePlace::Nonbasic(k) => self.at[k],
            VariablePlace::Gone => 0.0,
        };
        value.max(self.lower[col]).min(self.upper[col])
    }

    /// Whether a row is binding in the last solution.
    pub fn binds(&self, row: usize) -> bool {
        matches!(self.of_row[row], VariablePlace::Nonbasic(_))
    }

    /// Dual value of a row in the last solution.
    ///
    /// It is the increase of the optimal objective per unit by which the lower bound of the row is raised.
    pub fn price(&self, row: usize) -> f64 {
        match self.of_row[row] {
            VariablePlace::Nonbasic(k) => self.reduced[k].max(0.0),
            _ => 0.0,
        }
    }

    pub(super) fn place(&mut self, var: Var) -> &mut VariablePlace {
        match var {
            Var::Col(col) => &mut self.of_col[col],
            Var::Row(row) => &mut self.of_row[row],
        }
    }

    pub(super) fn bounds(&self, var: Var) -> (f64, f64) {
        match var {
            Var::Col(col) => (self.lower[col], self.upper[col]),
            Var::Row(_) => (0.0, f64::INFINITY),
        }
    }

    /// Largest absolute bound of all variables and rows; tolerances are multiples of it.
    pub(super) fn scale(&self) -> f64 {
        let bounds = self.lower.iter().chain(&self.upper).copied();
        bounds
            .chain(self.rows.iter().map(|row| row.at_least))
            .fold(f64::MIN_POSITIVE, |most, bound| most.max(bound.abs()))
    }
}
