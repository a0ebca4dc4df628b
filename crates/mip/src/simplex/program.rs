//! The program, its dictionary and its last answer.

/// A variable of the program, or what a row has above its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Var {
    Col(usize),
    Row(usize),
}

/// Where a variable stands in the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariablePlace {
    /// Row of the table.
    Basic(usize),
    /// Column of the table.
    Nonbasic(usize),
    /// Not at all: a row that was taken out.
    Gone,
}

/// A row of the program.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) entries: Vec<(usize, f64)>,
    pub(super) at_least: f64,
}

/// The program, its dictionary and its last answer.
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
    /// Reduced cost of each column of the table.
    pub(super) reduced: Vec<f64>,
    /// Value of each column of the table.
    pub(super) at: Vec<f64>,
    /// Value of each row of the table.
    pub(super) value: Vec<f64>,
    /// One and the sum of squares of each row of the table.
    pub(super) length: Vec<f64>,
    /// Share by which costs are raised, where it is not the usual one.
    pub(super) raised: Option<f64>,
}

impl Simplex {
    /// A program whose costs are raised by less than usual: its prices prove more of a large objective.
    pub fn raising(share: f64) -> Self {
        Self { raised: Some(share), ..Self::default() }
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

    /// Largest bound of a variable or row: what rounding is measured by.
    pub(super) fn scale(&self) -> f64 {
        let bounds = self.lower.iter().chain(&self.upper).copied();
        bounds
            .chain(self.rows.iter().map(|row| row.at_least))
            .fold(f64::MIN_POSITIVE, |most, of| most.max(of.abs()))
    }
}
