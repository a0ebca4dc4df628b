//! Builder that all readers use to make a network from the variables and tables of a file.

use super::NetworkWithWarnings;
use super::printed_digits::PrintedPrecision;
use crate::cpt::{Cpt, DENSE_CELLS};
use crate::network::{Network, Variable};
use crate::table::MISSING;
use imbcore_core::{Error, Result};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Maximum number of cells that a file may fill by default rows, over all its tables.
const FILLED_CELLS: u64 = 1 << 24;

fn format_error<T>(what: String) -> Result<T> {
    Err(Error::Format(what))
}

#[derive(Default)]
pub(super) struct NetworkBuilder {
    variables: Vec<Variable>,
    numbers: BTreeMap<String, u32>,
    codes: Vec<BTreeMap<String, u32>>,
    tables: Vec<Option<Cpt>>,
    filled: u64,
    warnings: Vec<String>,
}

/// Order of the cells in a file if a table lists all cells.
///
/// The state of the parent that the file lists last varies faster than the states of the other parents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CellOrder {
    /// The state of the child varies fastest, so the cells are listed row by row.
    ChildFastest,
    /// The state of the child varies slowest.
    ChildSlowest,
}

pub(super) struct FileFamily {
    child: u32,
    parents: Vec<u32>,
    levels: u32,
    radix: Vec<(u32, u64)>,
    rows: u64,
}

impl NetworkBuilder {
    pub(super) fn add_variable(&mut self, name: &str, states: Vec<String>) -> Result<()> {
        if states.is_empty() || states.len() >= usize::from(MISSING) {
            return format_error(format!(
                "variable `{name}` has {} states, which is not supported",
                states.len()
            ));
        }
        let mut codes = BTreeMap::new();
        for (code, state) in states.iter().enumerate() {
            if codes.insert(state.clone(), code as u32).is_some() {
                return format_error(format!("variable `{name}` has the state `{state}` twice"));
            }
        }
        if self.numbers.insert(name.to_owned(), self.variables.len() as u32).is_some() {
            return format_error(format!("variable `{name}` is declared twice"));
        }
        self.variables.push(Variable { name: name.to_owned(), states });
        self.codes.push(codes);
        self.tables.push(None);
        Ok(())
    }

    pub(super) fn find_variable(&self, name: &str) -> Result<u32> {
        match self.numbers.get(name) {
            Some(&number) => Ok(number),
            None => format_error(format!("no variable is named `{name}`")),
        }
    }

    pub(super) fn find_state(&self, variable: u32, name: &str) -> Option<u32> {
        self.codes[variable as usize].get(name).copied()
    }

    pub(super) fn is_state_prefix(&self, variable: u32, text: &str) -> bool {
        let next =
            self.codes[variable as usize].range::<str, _>((Bound::Included(text), Bound::Unbounded)).next();
        next.is_some_and(|(name, _)| name.starts_with(text))
    }

    pub(super) fn variable_name(&self, variable: u32) -> &str {
        &self.variables[variable as usize].name
    }

    pub(super) fn n_states(&self, variable: u32) -> u32 {
        self.variables[variable as usize].states.len() as u32
    }

    pub(super) fn prepare_family(&self, child: u32, parents: Vec<u32>) -> Result<FileFamily> {
        let name = self.variable_name(child);
        if self.tables[child as usize].is_some() {
            return format_error(format!("variable `{name}` has two tables"));
        }
        let mut order: Vec<usize> = (0..parents.len()).collect();
        order.sort_unstable_by_key(|&at| parents[at]);
        if let Some(pair) = order.windows(2).find(|pair| parents[pair[0]] == parents[pair[1]]) {
            return format_error(format!(
                "variable `{name}` has the parent `{}` twice",
                self.variable_name(parents[pair[0]])
            ));
        }
        if parents.contains(&child) {
            return format_error(format!("variable `{name}` is a parent of itself"));
        }
        let mut radix: Vec<(u32, u64)> = parents.iter().map(|&parent| (self.n_states(parent), 0)).collect();
        let levels = self.n_states(child);
        let mut rows = 1_u64;
        for &at in order.iter().rev() {
            radix[at].1 = rows;
            let product = rows.checked_mul(u64::from(radix[at].0));
            match product.filter(|rows| rows.checked_mul(u64::from(levels)).is_some()) {
                Some(product) => rows = product,
                None => return format_error(format!("variable `{name}` has too many parents for a table")),
            }
        }
        Ok(FileFamily { child, parents, levels, radix, rows })
    }

    pub(super) fn set_table(
        &mut self,
        family: &FileFamily,
        cells: &[f64],
        order: CellOrder,
        digits: &PrintedPrecision,
    ) -> Result<()> {
        let name = self.variable_name(family.child);
        let wanted = family.rows * u64::from(family.levels);
        if cells.len() as u64 != wanted {
            return format_error(format!(
                "the table of `{name}` has {} numbers instead of {wanted}",
                cells.len()
            ));
        }
        let mut ours = vec![0.0; cells.len()];
        let mut states = vec![0; family.parents.len()];
        let width = family.levels as usize;
        let rows = cells.len() / width;
        for at in 0..rows {
            let row = &mut ours[family.row_number(&states) as usize * width..][..width];
            for (state, cell) in row.iter_mut().enumerate() {
                *cell = cells
                    [if order == CellOrder::ChildSlowest { state * rows + at } else { at * width + state }];
            }
            family.advance_parent_states(&mut states);
        }
        self.set_dense_table(family, ours, digits)
    }

    /// The keys of `rows` are row numbers ([`FileFamily::row_number`]).
    pub(super) fn set_rows(
        &mut self,
        family: &FileFamily,
        mut rows: BTreeMap<u64, Vec<f64>>,
        default: Option<Vec<f64>>,
        digits: &PrintedPrecision,
    ) -> Result<()> {
        let name = self.variable_name(family.child);
        let width = family.levels as usize;
        if let Some(row) = rows.values().chain(&default).find(|row| row.len() != width) {
            return format_error(format!("a row of `{name}` has {} numbers instead of {width}", row.len()));
        }
        let default = match default {
            _ if rows.len() as u64 == family.rows => {
                return self.set_dense_table(family, rows.into_values().flatten().collect(), digits);
            }
            None => {
                let missing = family.rows - rows.len() as u64;
                return format_error(format!(
                    "in the table of `{name}`, {missing} of {} rows are missing",
                    family.rows
                ));
            }
            Some(default) => default,
        };
        let cells = family.rows * u64::from(family.levels);
        if cells > DENSE_CELLS && default.windows(2).all(|pair| pair[0] == pair[1]) {
            self.normalize_table(family, &mut default.clone(), digits)?;
            let keys = rows.keys().copied().collect();
            let mut cells: Vec<f64> = rows.into_values().flatten().collect();
            self.normalize_table(family, &mut cells, digits)?;
            let (parents, levels) = self.sorted_parents_and_n_states(family);
            let cpt = Cpt::from_sparse_rows(parents, levels, family.levels, keys, cells)?;
            self.tables[family.child as usize] = Some(cpt);
            return Ok(());
        }
        self.filled = self.filled.saturating_add(cells);
        if self.filled > FILLED_CELLS {
            let name = self.variable_name(family.child);
            return format_error(format!(
                "the default row of `{name}` applies to too many rows: {}",
                family.rows
            ));
        }
        let mut all = Vec::with_capacity(cells as usize);
        for number in 0..family.rows {
            match rows.remove(&number) {
                Some(row) => all.extend(row),
                None => all.extend_from_slice(&default),
            }
        }
        self.set_dense_table(family, all, digits)
    }

    fn set_dense_table(
        &mut self,
        family: &FileFamily,
        mut cells: Vec<f64>,
        digits: &PrintedPrecision,
    ) -> Result<()> {
        self.normalize_table(family, &mut cells, digits)?;
        let (parents, levels) = self.sorted_parents_and_n_states(family);
        self.tables[family.child as usize] =
            Some(Cpt::from_dense_cells(parents, levels, family.levels, cells)?);
        Ok(())
    }

    fn normalize_table(
        &mut self,
        family: &FileFamily,
        cells: &mut [f64],
        digits: &PrintedPrecision,
    ) -> Result<()> {
        let found = digits.normalize_rounded_rows(cells, family.levels as usize);
        if let Some(what) = found.map_err(|error| self.name_variable_in_error(family.child, error))? {
            self.warnings.push(format!("the table of `{}` {what}", self.variable_name(family.child)));
        }
        Ok(())
    }

    fn sorted_parents_and_n_states(&self, family: &FileFamily) -> (Vec<u32>, Vec<u32>) {
        let mut parents = family.parents.clone();
        parents.sort_unstable();
        let levels = parents.iter().map(|&parent| self.n_states(parent)).collect();
        (parents, levels)
    }

    fn name_variable_in_error(&self, variable: u32, error: Error) -> Error {
        match error {
            Error::Data(what) => {
                Error::Format(format!("the table of `{}`: {what}", self.variable_name(variable)))
            }
            other => other,
        }
    }

    pub(super) fn build(self) -> Result<NetworkWithWarnings> {
        if self.variables.is_empty() {
            return format_error("the file declares no variables".into());
        }
        let mut cpts = Vec::with_capacity(self.tables.len());
        for (variable, table) in self.variables.iter().zip(self.tables) {
            match table {
                Some(cpt) => cpts.push(cpt),
                None => {
                    return format_error(format!("variable `{}` has no probability table", variable.name));
                }
            }
        }
        let network = Network::new(self.variables, cpts).map_err(|error| match error {
            Error::Data(what) => Error::Format(what),
            other => other,
        })?;
        Ok((network, self.warnings))
    }
}

impl FileFamily {
    pub(super) fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Number of the row for these parent states, which are in the order of the file's parents.
    pub(super) fn row_number(&self, states: &[u32]) -> u64 {
        self.radix.iter().zip(states).map(|(&(_, step), &state)| step * u64::from(state)).sum()
    }

    fn advance_parent_states(&self, states: &mut [u32]) {
        for (state, &(levels, _)) in states.iter_mut().zip(&self.radix).rev() {
            *state += 1;
            if *state < levels {
                return;
            }
            *state = 0;
        }
    }
}
