//! Which rows each tree sees.

use imbcore_base::{Dataset, Error, Result, SeedKey, below, shuffle, tags};
use serde::{Deserialize, Serialize};

/// A draw without some class is repeated this often, then kept.
const DRAWS: u32 = 100;

/// How many rows, or columns, a tree or another member sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MaxSamples {
    /// So many.
    Count(u32),
    /// This share of all.
    Share(f64),
}

impl MaxSamples {
    pub(crate) fn is_valid(&self) -> bool {
        match *self {
            Self::Count(count) => count >= 1,
            Self::Share(share) => share > 0.0 && share <= 1.0,
        }
    }
}

/// From what rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draw {
    /// All rows alike.
    Uniform,
    /// As many from each class, by default the size of the smallest (Chen, Liaw and Breiman 2004).
    Balanced,
}

/// Draws the rows of trees.
#[derive(Debug)]
pub(crate) struct Sampler {
    /// Rows with positive weight: all together, or each class apart.
    pools: Vec<Vec<u32>>,
    /// Rows drawn from each pool.
    size: usize,
    /// Draws with replacement.
    bootstrap: bool,
    classes: Vec<u32>,
    n_classes: usize,
    /// Classes that a sample should hold.
    n_present: usize,
}

impl Sampler {
    /// Over the rows of positive weight; `class_weight` multiplies the rows' own.
    pub(crate) fn new(
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
        draw: Draw,
        (max_samples, bootstrap): (Option<&MaxSamples>, bool),
        method: &'static str,
    ) -> Result<Self> {
        let class = |row: usize| data.classes()[row] as usize;
        let kept = |row: &usize| {
            data.weight(*row) > 0.0 && class_weight.is_none_or(|weights| weights[class(*row)] > 0.0)
        };
        let mut by_class = vec![Vec::new(); data.n_classes()];
        for row in (0..data.n_rows()).filter(kept) {
            by_class[class(row)].push(row as u32);
        }
        by_class.retain(|rows| !rows.is_empty());
        // By first row, not by code: other names of the classes give the same draws.
        by_class.sort_by_key(|rows| rows[0]);
        let n_present = by_class.len();
        let pools = match draw {
            Draw::Balanced => by_class,
            Draw::Uniform => {
                let mut rows = by_class.concat();
                rows.sort_unstable();
                vec![rows]
            }
        };
        let smallest = pools.iter().map(Vec::len).min().unwrap_or_default();
        #[allow(clippy::cast_sign_loss)] // Shares are positive.
        let size = match max_samples {
            None => smallest,
            Some(&MaxSamples::Count(count)) => count as usize,
            Some(&MaxSamples::Share(share)) => ((share * smallest as f64) as usize).max(1),
        };
        if size > smallest && !bootstrap {
            let expected = format!("at most {smallest} when rows are drawn without replacement");
            return Err(Error::parameter(method, "max_samples", &expected, size));
        }
        let (classes, n_classes) = (data.classes().to_vec(), data.n_classes());
        Ok(Self { pools, size, bootstrap, classes, n_classes, n_present })
    }

    /// Rows of the data set, also of those that are never drawn.
    pub(crate) fn n_rows(&self) -> usize {
        self.classes.len()
    }

    /// Weight of each class in a sample, as it is to be expected, in some unit; `class_weight` multiplies the rows' own.
    pub(crate) fn class_masses(&self, data: &Dataset<'_>, class_weight: Option<&[f64]>) -> Vec<f64> {
        let mut masses = vec![0.0; self.n_classes];
        for pool in &self.pools {
            for &row in pool {
                let class = self.classes[row as usize] as usize;
                let weight = data.weight(row as usize) * class_weight.map_or(1.0, |weights| weights[class]);
                masses[class] += weight / pool.len() as f64;
            }
        }
        masses
    }

    /// All rows that may be drawn, ascending.
    pub(crate) fn all(&self) -> Vec<u32> {
        let mut rows = self.pools.concat();
        rows.sort_unstable();
        rows
    }

    /// Whether some rows stay out of some samples.
    pub(crate) fn leaves_out(&self) -> bool {
        self.bootstrap || self.pools.iter().any(|pool| self.size < pool.len())
    }

    /// The rows of the tree at `key`, ascending, a row drawn twice twice; none when each row is taken once.
    pub(crate) fn rows(&self, key: SeedKey) -> Option<Vec<u32>> {
        if !self.leaves_out() {
            return None;
        }
        let mut rows = Vec::new();
        for attempt in 0..DRAWS {
            rows.clear();
            self.draw(key.child(tags::tree::ROWS, attempt), &mut rows);
            if self.n_seen(&rows) == self.n_present {
                break;
            }
        }
        Some(self.ascending(rows))
    }

    fn ascending(&self, mut rows: Vec<u32>) -> Vec<u32> {
        let n_rows = self.classes.len();
        if rows.len() < n_rows / 8 {
            rows.sort_unstable();
            return rows;
        }
        // Counting beats sorting once the draws are many.
        let mut times = vec![0_u32; n_rows];
        for &row in &rows {
            times[row as usize] += 1;
        }
        rows.clear();
        for (row, &times) in (0..).zip(&times) {
            rows.extend(std::iter::repeat_n(row, times as usize));
        }
        rows
    }

    fn draw(&self, key: SeedKey, rows: &mut Vec<u32>) {
        let mut rng = key.rng();
        for pool in &self.pools {
            if self.bootstrap {
                rows.extend((0..self.size).map(|_| pool[below(&mut rng, pool.len() as u32) as usize]));
            } else {
                let mut order = pool.clone();
                shuffle(&mut rng, &mut order);
                rows.extend_from_slice(&order[..self.size]);
            }
        }
    }

    fn n_seen(&self, rows: &[u32]) -> usize {
        let mut seen = vec![false; self.n_classes];
        let mut n_seen = 0;
        for &row in rows {
            if !std::mem::replace(&mut seen[self.classes[row as usize] as usize], true) {
                n_seen += 1;
                if n_seen == self.n_present {
                    break;
                }
            }
        }
        n_seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_base::{Column, Frame};

    fn sampler(classes: &[u32], weights: Option<&[f64]>, draw: Draw, size: Option<&MaxSamples>) -> Sampler {
        let x: Vec<f64> = classes.iter().map(|&class| f64::from(class)).collect();
        let frame = Frame::new(vec![Column::numeric(&x)]).unwrap();
        let n_classes = *classes.iter().max().unwrap() as usize + 1;
        let data = Dataset::new(frame, classes, n_classes, weights).unwrap();
        Sampler::new(&data, None, draw, (size, true), "test").unwrap()
    }

    #[test]
    fn balanced_draws_hold_the_smallest_class_once_for_each() {
        let classes = [0, 0, 0, 0, 0, 1, 1, 2, 2, 2];
        let sampler = sampler(&classes, None, Draw::Balanced, None);
        for tree in 0..20 {
            let rows = sampler.rows(SeedKey::root(tree)).unwrap();
            let count = |class| rows.iter().filter(|&&row| classes[row as usize] == class).count();
            assert_eq!([count(0), count(1), count(2)], [2, 2, 2]);
            assert!(rows.is_sorted());
        }
    }

    #[test]
    fn a_draw_without_a_class_is_repeated() {
        let mut classes = vec![0; 50];
        classes[17] = 1;
        let all = sampler(&classes, None, Draw::Uniform, None);
        // A single draw misses row 17 with probability 0.36.
        assert!((0..100).all(|tree| all.rows(SeedKey::root(tree)).unwrap().contains(&17)));
        let one = sampler(&classes, None, Draw::Uniform, Some(&MaxSamples::Count(1)));
        assert_eq!(one.rows(SeedKey::root(0)).unwrap().len(), 1);
    }

    #[test]
    fn rows_without_weight_are_never_drawn() {
        let weights = [1.0, 0.0, 0.5, 3.0, 1.0, 0.0];
        let sampler = sampler(&[0, 0, 0, 1, 1, 1], Some(&weights), Draw::Uniform, None);
        for tree in 0..50 {
            let rows = sampler.rows(SeedKey::root(tree)).unwrap();
            assert_eq!(rows.len(), 4);
            assert!(rows.iter().all(|&row| weights[row as usize] > 0.0));
        }
    }
}
