//! Conditional probability tables.

use imbcore_base::{Error, Result};

/// Most cells of a table that is held whole; larger ones hold the rows they were given and are uniform elsewhere.
pub(crate) const DENSE_CELLS: u64 = 1 << 16;

/// P(child | parents): one row for every configuration of the parents, in mixed radix with the first (lowest) parent slowest.
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
    /// Ascending configurations, their rows one after the other, and the row of all others.
    Sparse {
        keys: Vec<u64>,
        p: Vec<f64>,
        uniform: Vec<f64>,
    },
}

impl Cpt {
    /// A table with a row for every configuration; rows must add up to 1 within 1e-6 and are normalised.
    ///
    /// # Errors
    /// [`Error::Data`] for a wrong number of cells, a cell outside [0, 1], or a row that does not add up to 1.
    pub fn dense(parents: Vec<u32>, parent_levels: Vec<u32>, levels: u32, mut p: Vec<f64>) -> Result<Self> {
        let q = configurations(&parent_levels)?;
        if q.checked_mul(u64::from(levels)) != Some(p.len() as u64) {
            let wanted = format!("{q} x {levels}");
            return Err(Error::Data(format!(
                "a probability table has {} cells instead of {wanted}",
                p.len()
            )));
        }
        normalise(&mut p, levels as usize, 1e-6)?;
        Ok(Self { parents, parent_levels, levels, rows: CptRows::Dense(p) })
    }

    /// A table with rows for the ascending configurations `keys`; all other rows are uniform.
    ///
    /// # Errors
    /// As [`Cpt::dense`], and for configurations out of order or outside those of the parents.
    pub fn sparse(
        parents: Vec<u32>,
        parent_levels: Vec<u32>,
        levels: u32,
        keys: Vec<u64>,
        mut p: Vec<f64>,
    ) -> Result<Self> {
        let q = configurations(&parent_levels)?;
        let ordered =
            keys.windows(2).all(|pair| pair[0] < pair[1]) && keys.last().is_none_or(|&last| last < q);
        if !ordered || p.len() != keys.len() * levels as usize {
            return Err(Error::Data("a probability table has rows out of order, or too few of them".into()));
        }
        normalise(&mut p, levels as usize, 1e-6)?;
        let uniform = vec![1.0 / f64::from(levels); levels as usize];
        Ok(Self { parents, parent_levels, levels, rows: CptRows::Sparse { keys, p, uniform } })
    }

    /// Parents, ascending.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Number of states of every parent.
    pub fn parent_levels(&self) -> &[u32] {
        &self.parent_levels
    }

    /// Number of states of the child.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// Number of parent configurations.
    pub fn n_rows(&self) -> u64 {
        self.parent_levels.iter().map(|&levels| u64::from(levels)).product()
    }

    /// Law of the child under parent configuration `configuration`.
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

    /// All cells row after row, where the table is held whole.
    pub fn cells(&self) -> Option<&[f64]> {
        match &self.rows {
            CptRows::Dense(p) => Some(p),
            CptRows::Sparse { .. } => None,
        }
    }

    /// All rows one after the other; none where the table has more than 2^24 cells and is not held whole.
    pub fn all_rows(&self) -> Option<impl Iterator<Item = &[f64]>> {
        let cells = self.n_rows().saturating_mul(u64::from(self.levels));
        (self.cells().is_some() || cells <= 1 << 24).then(|| (0..self.n_rows()).map(|row| self.row(row)))
    }

    /// The rows that are held: their configurations (all of them, ascending, without a list) and cells.
    pub fn held(&self) -> (Option<&[u64]>, &[f64]) {
        match &self.rows {
            CptRows::Dense(p) => (None, p),
            CptRows::Sparse { keys, p, .. } => (Some(keys), p),
        }
    }

    /// States of the parents in a configuration.
    pub(crate) fn states_of(&self, mut configuration: u64) -> Vec<u32> {
        let mut states = vec![0; self.parents.len()];
        for (state, &levels) in states.iter_mut().zip(&self.parent_levels).rev() {
            *state = (configuration % u64::from(levels)) as u32;
            configuration /= u64::from(levels);
        }
        states
    }

    /// Number of free parameters, `q (r - 1)`.
    pub fn dimension(&self) -> f64 {
        self.n_rows() as f64 * (f64::from(self.levels) - 1.0)
    }
}

fn configurations(levels: &[u32]) -> Result<u64> {
    let product = levels.iter().try_fold(1_u64, |q, &levels| q.checked_mul(u64::from(levels)));
    product.ok_or_else(|| Error::Data("a variable has too many parent configurations".into()))
}

/// Makes every row of `levels` cells add up to 1; a row that does so but for rounding stays as it is, so that a table which
/// is written and read keeps its bits.
///
/// # Errors
/// [`Error::Data`] for a cell outside [0, 1] or a row whose sum is off by more than `slack`.
pub(crate) fn normalise(p: &mut [f64], levels: usize, slack: f64) -> Result<()> {
    if levels == 0 {
        return Err(Error::Data("a probability table has no states".into()));
    }
    let rounding = levels as f64 * f64::EPSILON;
    for row in p.chunks_exact_mut(levels) {
        let sum: f64 = row.iter().sum();
        if let Some(cell) = row.iter().find(|&&cell| !(0.0..=1.0 + slack).contains(&cell)) {
            return Err(Error::Data(format!("{cell} is no probability")));
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
        let cpt = Cpt::sparse(vec![0, 1], vec![3, 2], 2, vec![1, 5], vec![0.25, 0.75, 1.0, 0.0]).unwrap();
        assert_eq!(
            (cpt.row(1), cpt.row(0), cpt.row(5)),
            (&[0.25, 0.75][..], &[0.5, 0.5][..], &[1.0, 0.0][..])
        );
        assert_eq!((cpt.n_rows(), cpt.dimension()), (6, 6.0));
    }

    #[test]
    fn broken_tables_are_refused() {
        assert!(Cpt::dense(vec![0], vec![2], 2, vec![0.5, 0.5]).is_err());
        assert!(Cpt::dense(vec![], vec![], 2, vec![0.5, 0.6]).is_err());
        assert!(Cpt::dense(vec![], vec![], 2, vec![1.5, -0.5]).is_err());
        assert!(Cpt::sparse(vec![0], vec![2], 2, vec![2], vec![0.5, 0.5]).is_err());
        assert!(Cpt::dense(vec![0; 9], vec![u32::MAX; 9], 2, vec![]).is_err());
    }
}
