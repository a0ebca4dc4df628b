//! Drawing rows and columns of bags.

use crate::sample::MaxSamples;
use imbcore_base::{Dataset, Error, Result, SeedKey, tags};
use imbcore_sample::{distinct, places, repeated};

/// Rows that may be drawn, those with weight, by class.
#[derive(Clone, Debug)]
pub(crate) struct Pools {
    by_class: Vec<Vec<u32>>,
    /// Place of each class in the order of their first rows.
    places: Vec<u32>,
}

impl Pools {
    /// The rows of `data` that have weight.
    pub(crate) fn of(data: &Dataset<'_>) -> Self {
        let mut by_class = vec![Vec::new(); data.n_classes()];
        for row in (0..data.n_rows()).filter(|&row| data.weight(row) > 0.0) {
            by_class[data.classes()[row] as usize].push(row as u32);
        }
        let places = places(by_class.iter().map(|rows| rows.first().copied()));
        Self { by_class, places }
    }

    /// Rows of a class, ascending.
    pub(crate) fn of_class(&self, class: u32) -> &[u32] {
        &self.by_class[class as usize]
    }

    /// Classes that have rows, ascending.
    pub(crate) fn classes(&self) -> impl Iterator<Item = u32> {
        (0..self.by_class.len() as u32).filter(|&class| !self.of_class(class).is_empty())
    }

    /// The class with the fewest rows, the lowest of equals.
    pub(crate) fn minority(&self) -> u32 {
        self.classes().min_by_key(|&class| self.of_class(class).len()).unwrap_or_default()
    }

    /// The class with the most rows, the lowest of equals.
    pub(crate) fn majority(&self) -> u32 {
        let classes: Vec<u32> = self.classes().collect();
        classes.into_iter().rev().max_by_key(|&class| self.of_class(class).len()).unwrap_or_default()
    }

    /// Rows of the smallest class.
    pub(crate) fn smallest(&self) -> usize {
        self.of_class(self.minority()).len()
    }

    /// Rows of the largest class.
    pub(crate) fn largest(&self) -> usize {
        self.of_class(self.majority()).len()
    }

    /// `n` rows of a class for the bag at `key`, in the order in which they are drawn; without `replacement` all of them
    /// where there are fewer.
    pub(crate) fn draw(&self, class: u32, n: usize, replacement: bool, key: SeedKey) -> Vec<u32> {
        let rows = self.of_class(class);
        // Not by its code: other names for the classes give the same bags.
        let mut rng = key.child(tags::bag::ROWS, self.places[class as usize]).rng();
        let draw = if replacement { repeated } else { distinct };
        let drawn = draw(&mut rng, rows.len(), n);
        drawn.into_iter().map(|place| rows[place as usize]).collect()
    }
}

/// How many columns each member sees, and how they are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    n_all: usize,
    n_seen: usize,
    bootstrap: bool,
}

impl Columns {
    /// So many of `n_columns`, or this share of them.
    ///
    /// # Errors
    /// [`Error::Parameter`] for more than there are.
    pub(crate) fn new(
        method: &str,
        max_features: &MaxSamples,
        bootstrap: bool,
        n_columns: usize,
    ) -> Result<Self> {
        #[allow(clippy::cast_sign_loss)] // Shares are positive.
        let n_seen = match *max_features {
            MaxSamples::Count(count) => count as usize,
            MaxSamples::Share(share) => ((share * n_columns as f64) as usize).max(1),
        };
        if n_seen > n_columns {
            let expected = format!("at most {n_columns}, the number of columns");
            return Err(Error::parameter(method, "max_features", &expected, n_seen));
        }
        Ok(Self { n_all: n_columns, n_seen, bootstrap })
    }

    /// The columns of the bag at `key`, ascending and each once, for a model gains nothing by a copy; empty for all.
    pub(crate) fn draw(self, key: SeedKey) -> Vec<u32> {
        let mut rng = key.child(tags::bag::COLUMNS, 0).rng();
        let mut seen = match self.bootstrap {
            true => repeated(&mut rng, self.n_all, self.n_seen),
            false if self.n_seen == self.n_all => return Vec::new(),
            false => distinct(&mut rng, self.n_all, self.n_seen),
        };
        seen.sort_unstable();
        seen.dedup();
        if seen.len() == self.n_all { Vec::new() } else { seen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_base::{Column, Frame};

    #[test]
    fn pools_leave_rows_without_weight_out() {
        let x = [0.0; 6];
        let frame = Frame::new(vec![Column::numeric(&x)]).unwrap();
        let weights = [1.0, 0.0, 2.0, 1.0, 0.5, 0.0];
        let data = Dataset::new(frame, &[0, 0, 2, 2, 2, 1], 3, Some(&weights)).unwrap();
        let pools = Pools::of(&data);
        assert_eq!((pools.minority(), pools.majority()), (0, 2));
        assert_eq!((pools.smallest(), pools.largest()), (1, 3));
        assert_eq!(pools.classes().collect::<Vec<_>>(), [0, 2]);
        let mut drawn = pools.draw(2, 9, false, SeedKey::root(1));
        drawn.sort_unstable();
        assert_eq!(drawn, [2, 3, 4]);
        assert_eq!(pools.draw(0, 4, true, SeedKey::root(1)), [0; 4]);
    }

    #[test]
    fn columns_are_some_or_all() {
        let draw = |share, bootstrap, seed| {
            let columns = Columns::new("test", &MaxSamples::Share(share), bootstrap, 8).unwrap();
            columns.draw(SeedKey::root(seed))
        };
        assert!(draw(1.0, false, 0).is_empty());
        for seed in 0..20 {
            let half = draw(0.5, false, seed);
            assert!(half.len() == 4 && half.is_sorted_by(|a, b| a < b) && half[3] < 8);
            assert!(draw(1.0, true, seed).len() <= 8);
        }
        assert_ne!(draw(0.5, false, 0), draw(0.5, false, 1));
        assert!(Columns::new("test", &MaxSamples::Count(9), false, 8).is_err());
    }
}
