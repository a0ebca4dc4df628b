//! Conditional probability tables.

use imbcore_core::{Error, Result};

/// Maximum number of cells of a dense probability table.
///
/// A larger table stores only the rows of some parent configurations; all other rows are uniform.
pub(crate) const DENSE_CELLS: u64 = 1 << 16;

/// `P(child | parents)`: one row per parent configuration.
///
/// Configurations are numbered in mixed radix; the first (lowest) parent varies slowest.
#[derive(Clone, Debug, PartialEq)]
pub struct Cpt {
    parents: Vec<u32>,
    parent_levels: Vec<u32>,
    levels: u32,
    rows: CptRows,
}

#[derive(Clone, Debug, PartialEq)]
enum CptRows {
    Dense(Vec<f64>),
    /// Sparse table: only the parent configurations `keys`, ascending, have a stored row.
    ///
    /// `p` concatenates these rows; every other configuration has the row `uniform`.
    Sparse {
        keys: Vec<u64>,
        p: Vec<f64>,
        uniform: Vec<f64>,
    },
}

impl Cpt {
    /// Builds a table with a row for each configuration.
    ///
    /// Rows must sum to 1 within 1e-6 and are normalized.
    ///
    /// # Errors
    /// [`Error::Data`] for a wrong number of cells, a cell outside [0, 1], or a row that does not
    /// sum to 1.
    pub fn from_dense_cells(
        parents: Vec<u32>,
        parent_levels: Vec<u32>,
        levels: u32,
        mut p: Vec<f64>,
    ) -> Result<Self> {
        let q = n_configurations(&parent_levels)?;
        if q.checked_mul(u64::from(levels)) != Some(p.len() as u64) {
            let wanted = format!("{q} x {levels}");
            return Err(Error::Data(format!(
                "a probability table has {} cells instead of {wanted}",
                p.len()
            )));
        }
        normalize_rows(&mut p, levels as usize, 1e-6)?;
        Ok(Self { parents, parent_levels, levels, rows: CptRows::Dense(p) })
    }

    /// Builds a table that stores rows only for the ascending configurations `keys`.
    ///
    /// All other rows are uniform.
    ///
    /// # Errors
    /// [`Error::Data`] as in [`Cpt::from_dense_cells`], and for configurations that are out of order or
    /// outside the range of the parents.
    pub fn from_sparse_rows(
        parents: Vec<u32>,
        parent_levels: Vec<u32>,
        levels: u32,
        keys: Vec<u64>,
        mut p: Vec<f64>,
    ) -> Result<Self> {
        let q = n_configurations(&parent_levels)?;
        let ordered =
            keys.windows(2).all(|pair| pair[0] < pair[1]) && keys.last().is_none_or(|&last| last < q);
        if !ordered || p.len() != keys.len() * levels as usize {
            return Err(Error::Data("a probability table has rows out of order or too few rows".into()));
        }
        normalize_rows(&mut p, levels as usize, 1e-6)?;
        let uniform = vec![1.0 / f64::from(levels); levels as usize];
        Ok(Self { parents, parent_levels, levels, rows: CptRows::Sparse { keys, p, uniform } })
    }

    /// Parents, ascending.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Number of states of each parent.
    pub fn n_states_by_parent(&self) -> &[u32] {
        &self.parent_levels
    }

    /// Number of states of the child.
    pub fn n_child_states(&self) -> u32 {
        self.levels
    }

    /// Number of parent configurations.
    pub fn n_rows(&self) -> u64 {
        self.parent_levels.iter().map(|&levels| u64::from(levels)).product()
    }

    /// Distribution of the child under parent configuration `configuration`.
    #[inline]
    pub fn row(&self, configuration: u64) -> &[f64] {
        let r = self.levels as usize;
        match &self.rows {
            CptRows::Dense(p) => &p[configuration as usize * r..][..r],
            CptRows::Sparse { keys, p, uniform } => match keys.binary_search(&configuration) {
                Ok(at) => &p[at * r..][..r],
                Err(_) => uniform,
            },
        }
    }

    /// All cells in row-major order, if the table is dense.
    pub fn cells(&self) -> Option<&[f64]> {
        match &self.rows {
            CptRows::Dense(p) => Some(p),
            CptRows::Sparse { .. } => None,
        }
    }

    /// Iterates over all rows; `None` if the table is sparse and has more than 2^24 cells.
    pub fn all_rows(&self) -> Option<impl Iterator<Item = &[f64]>> {
        let cells = self.n_rows().saturating_mul(u64::from(self.levels));
        (self.cells().is_some() || cells <= 1 << 24).then(|| (0..self.n_rows()).map(|row| self.row(row)))
    }

    /// Numbers of the parent configurations with a stored row, and the cells of the stored rows.
    ///
    /// The numbers are `None` for a dense table, in which every configuration has a stored row.
    pub(crate) fn stored_rows(&self) -> (Option<&[u64]>, &[f64]) {
        match &self.rows {
            CptRows::Dense(p) => (None, p),
            CptRows::Sparse { keys, p, .. } => (Some(keys), p),
        }
    }

    pub(crate) fn parent_states_of_configuration(&self, mut configuration: u64) -> Vec<u32> {
        let mut states = vec![0; self.parents.len()];
        for (state, &levels) in states.iter_mut().zip(&self.parent_levels).rev() {
            *state = (configuration % u64::from(levels)) as u32;
            configuration /= u64::from(levels);
        }
        states
    }

    /// Number of free parameters: `q (r - 1)` for q parent configurations and r child states.
    pub fn n_free_parameters(&self) -> f64 {
        self.n_rows() as f64 * (f64::from(self.levels) - 1.0)
    }
}

fn n_configurations(levels: &[u32]) -> Result<u64> {
    let product = levels.iter().try_fold(1_u64, |q, &levels| q.checked_mul(u64::from(levels)));
    product.ok_or_else(|| Error::Data("a variable has too many parent configurations".into()))
}

/// Normalizes each row to the sum 1; a row has `levels` cells.
///
/// A row whose sum differs from 1 only by rounding is not changed. A table therefore keeps its bits when it
/// is written and read again.
///
/// # Errors
/// [`Error::Data`] for a cell outside [0, 1] or a row whose sum is off by more than `slack`.
pub(crate) fn normalize_rows(p: &mut [f64], levels: usize, slack: f64) -> Result<()> {
    if levels == 0 {
        return Err(Error::Data("a probability table has no states".into()));
    }
    let rounding = levels as f64 * f64::EPSILON;
    for row in p.chunks_exact_mut(levels) {
        let sum: f64 = row.iter().sum();
        if let Some(cell) = row.iter().find(|&&cell| !(0.0..=1.0 + slack).contains(&cell)) {
            return Err(Error::Data(format!("{cell} is not a probability; it must be in [0, 1]")));
        }
        if (sum - 1.0).abs() > slack {
            return Err(Error::Data(format!("a row of probabilities adds up to {sum} instead of 1")));
        }
        if (sum - 1.0).abs() > rounding {
            for cell in row {
                *cell /= sum;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_not_held_are_uniform() {
        let cpt =
            Cpt::from_sparse_rows(vec![0, 1], vec![3, 2], 2, vec![1, 5], vec![0.25, 0.75, 1.0, 0.0]).unwrap();
        assert_eq!(
            (cpt.row(1), cpt.row(0), cpt.row(5)),
            (&[0.25, 0.75][..], &[0.5, 0.5][..], &[1.0, 0.0][..])
        );
        assert_eq!((cpt.n_rows(), cpt.n_free_parameters()), (6, 6.0));
    }

    #[test]
    fn broken_tables_are_refused() {
        assert!(Cpt::from_dense_cells(vec![0], vec![2], 2, vec![0.5, 0.5]).is_err());
        assert!(Cpt::from_dense_cells(vec![], vec![], 2, vec![0.5, 0.6]).is_err());
        assert!(Cpt::from_dense_cells(vec![], vec![], 2, vec![1.5, -0.5]).is_err());
        assert!(Cpt::from_sparse_rows(vec![0], vec![2], 2, vec![2], vec![0.5, 0.5]).is_err());
        assert!(Cpt::from_dense_cells(vec![0; 9], vec![u32::MAX; 9], 2, vec![]).is_err());
    }
}
