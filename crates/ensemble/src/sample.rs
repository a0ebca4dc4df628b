//! Which rows each tree sees.

use imbcore_base::{Dataset, Error, Label, Result, SeedKey, below, shuffle, tags};
use imbcore_sample::{Kind, Ratio, Strategy, Task};
use rand_chacha::ChaCha8Rng;
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
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Draw {
    /// All rows alike.
    Uniform,
    /// Each class by itself, by default as many rows as the smallest has (Chen, Liaw and Breiman 2004).
    Balanced(Balance),
}

/// How many rows of each class a tree sees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Balance {
    pub(crate) strategy: Strategy,
    pub(crate) ratio: Ratio,
    /// Whether the rows of a class are drawn with replacement.
    pub(crate) replacement: bool,
}

/// Rows from which some are drawn, or all taken once.
#[derive(Clone, Debug)]
struct Pool {
    rows: Vec<u32>,
    size: Option<usize>,
}

/// Draws the rows of trees.
#[derive(Debug)]
pub(crate) struct Sampler {
    /// Rows with positive weight: all together, or each class apart.
    pools: Vec<Pool>,
    /// Draws with replacement.
    replacement: bool,
    /// A sample of all rows that is drawn first and then balanced.
    first: Option<(Pool, Balance)>,
    method: &'static str,
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
        draw: &Draw,
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
        let mut sampler = Self {
            pools: Vec::new(),
            replacement: bootstrap,
            first: None,
            method,
            classes: data.classes().to_vec(),
            n_classes: data.n_classes(),
            n_present,
        };
        let together = |by_class: &[Vec<u32>]| {
            let mut rows = by_class.concat();
            rows.sort_unstable();
            rows
        };
        match draw {
            Draw::Uniform => {
                let rows = together(&by_class);
                let size = Some(sampler.size(max_samples, rows.len(), rows.len())?);
                sampler.pools = vec![Pool { rows, size }];
            }
            Draw::Balanced(balance) => {
                sampler.replacement = balance.replacement;
                if bootstrap {
                    let rows = together(&by_class);
                    let size = Some(portion(max_samples, rows.len()));
                    sampler.first = Some((Pool { rows, size }, balance.clone()));
                }
                let max_samples = max_samples.filter(|_| !bootstrap);
                sampler.pools = sampler.balanced(by_class, balance, max_samples)?;
            }
        }
        Ok(sampler)
    }

    /// Rows drawn from `n`, of which `usual` are drawn where nothing is asked for.
    fn size(&self, max_samples: Option<&MaxSamples>, usual: usize, n: usize) -> Result<usize> {
        let size = portion(max_samples, usual);
        if size > n && !self.replacement {
            let expected = format!("at most {n} when rows are drawn without replacement");
            return Err(Error::parameter(self.method, "max_samples", &expected, size));
        }
        Ok(size)
    }

    /// The classes apart, each with the number of rows that are drawn of it.
    fn balanced(
        &self,
        by_class: Vec<Vec<u32>>,
        balance: &Balance,
        max_samples: Option<&MaxSamples>,
    ) -> Result<Vec<Pool>> {
        let mut goal = Vec::new();
        if by_class.len() > 1 {
            let rows = by_class.iter().flatten();
            let classes: Vec<u32> = rows.map(|&row| self.classes[row as usize]).collect();
            let labels: Vec<Label> = (0..self.n_classes as u32).map(|code| Label::Int(code.into())).collect();
            let task = Task::new(None, &classes, &labels)?;
            goal = balance.strategy.goal(self.method, balance.ratio, Kind::Under, &task)?;
        }
        let pool = |rows: Vec<u32>| {
            let class = self.classes[rows[0] as usize];
            let kept = goal.iter().find(|(of, _)| *of == class);
            let size = kept.map(|&(_, n)| self.size(max_samples, n as usize, rows.len())).transpose()?;
            Ok(Pool { rows, size })
        };
        by_class.into_iter().map(pool).collect()
    }

    /// Rows of the data set, also of those that are never drawn.
    pub(crate) fn n_rows(&self) -> usize {
        self.classes.len()
    }

    /// Weight of each class in a sample, as it is to be expected, in some unit; `class_weight` multiplies the rows' own.
    pub(crate) fn class_masses(&self, data: &Dataset<'_>, class_weight: Option<&[f64]>) -> Vec<f64> {
        let drawn = |pool: &Pool| pool.size.unwrap_or(pool.rows.len()) as f64;
        let fewest = self.pools.iter().map(drawn).fold(f64::INFINITY, f64::min);
        let mut masses = vec![0.0; self.n_classes];
        for pool in &self.pools {
            let times = drawn(pool) / fewest;
            for &row in &pool.rows {
                let class = self.classes[row as usize] as usize;
                let weight = data.weight(row as usize) * class_weight.map_or(1.0, |weights| weights[class]);
                masses[class] += weight / pool.rows.len() as f64 * times;
            }
        }
        masses
    }

    /// All rows that may be drawn, ascending.
    pub(crate) fn all(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.pools.iter().flat_map(|pool| pool.rows.iter().copied()).collect();
        rows.sort_unstable();
        rows
    }

    /// Whether some rows stay out of some samples.
    pub(crate) fn leaves_out(&self) -> bool {
        let part = |pool: &Pool| pool.size.is_some_and(|size| self.replacement || size < pool.rows.len());
        self.first.is_some() || self.pools.iter().any(part)
    }

    /// The rows of the tree at `key`, ascending, a row drawn twice twice; none when each row is taken once.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a strategy that does not suit a sample that is drawn first.
    pub(crate) fn rows(&self, key: SeedKey) -> Result<Option<Vec<u32>>> {
        if !self.leaves_out() {
            return Ok(None);
        }
        let mut rows = Vec::new();
        for attempt in 0..DRAWS {
            rows.clear();
            self.draw(key.child(tags::tree::ROWS, attempt), &mut rows)?;
            if self.n_seen(&rows) == self.n_present {
                break;
            }
        }
        Ok(Some(self.ascending(rows)))
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

    fn draw(&self, key: SeedKey, rows: &mut Vec<u32>) -> Result<()> {
        let mut rng = key.rng();
        let Some((first, balance)) = &self.first else {
            for pool in &self.pools {
                pool.draw(self.replacement, &mut rng, rows);
            }
            return Ok(());
        };
        let mut sample = Vec::new();
        first.draw(true, &mut rng, &mut sample);
        let mut by_class = vec![Vec::new(); self.n_classes];
        for row in self.ascending(sample) {
            by_class[self.classes[row as usize] as usize].push(row);
        }
        by_class.retain(|rows| !rows.is_empty());
        by_class.sort_by_key(|rows| rows[0]);
        let pools = self.balanced(by_class, balance, None)?;
        for pool in &pools {
            pool.draw(self.replacement, &mut rng, rows);
        }
        Ok(())
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

impl Pool {
    /// Adds what is drawn to some rows.
    fn draw(&self, replacement: bool, rng: &mut ChaCha8Rng, rows: &mut Vec<u32>) {
        match self.size {
            None => rows.extend_from_slice(&self.rows),
            Some(size) if replacement => {
                rows.extend((0..size).map(|_| self.rows[below(rng, self.rows.len() as u32) as usize]));
            }
            Some(size) => {
                let mut order = self.rows.clone();
                shuffle(rng, &mut order);
                rows.extend_from_slice(&order[..size]);
            }
        }
    }
}

/// A number or share of rows, of which there are usually `usual`.
fn portion(max_samples: Option<&MaxSamples>, usual: usize) -> usize {
    match max_samples {
        None => usual,
        Some(&MaxSamples::Count(count)) => count as usize,
        #[allow(clippy::cast_sign_loss)] // Shares are positive.
        Some(&MaxSamples::Share(share)) => ((share * usual as f64) as usize).max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_base::{Column, Frame};
    use imbcore_sample::Which;

    fn balanced(strategy: Strategy) -> Draw {
        Draw::Balanced(Balance { strategy, ratio: Ratio::ToMajority, replacement: true })
    }

    fn sampler(classes: &[u32], weights: Option<&[f64]>, draw: &Draw, size: Option<&MaxSamples>) -> Sampler {
        let bootstrap = *draw == Draw::Uniform;
        let x: Vec<f64> = classes.iter().map(|&class| f64::from(class)).collect();
        let frame = Frame::new(vec![Column::numeric(&x)]).unwrap();
        let n_classes = *classes.iter().max().unwrap() as usize + 1;
        let data = Dataset::new(frame, classes, n_classes, weights).unwrap();
        Sampler::new(&data, None, draw, (size, bootstrap), "test").unwrap()
    }

    #[test]
    fn balanced_draws_hold_the_smallest_class_once_for_each() {
        let classes = [0, 0, 0, 0, 0, 1, 1, 2, 2, 2];
        let sampler = sampler(&classes, None, &balanced(Strategy::Named(Which::All)), None);
        for tree in 0..20 {
            let rows = sampler.rows(SeedKey::root(tree)).unwrap().unwrap();
            let count = |class| rows.iter().filter(|&&row| classes[row as usize] == class).count();
            assert_eq!([count(0), count(1), count(2)], [2, 2, 2]);
            assert!(rows.is_sorted());
        }
    }

    #[test]
    fn classes_outside_the_strategy_keep_their_rows_and_shares_follow() {
        let classes = [0, 0, 0, 0, 0, 1, 1, 2, 2, 2];
        let sampler = sampler(&classes, None, &balanced(Strategy::Counts([(0, 4)].into())), None);
        let rows = sampler.rows(SeedKey::root(1)).unwrap().unwrap();
        let of =
            |class| rows.iter().copied().filter(|&row| classes[row as usize] == class).collect::<Vec<u32>>();
        assert_eq!((of(0).len(), of(1), of(2)), (4, vec![5, 6], vec![7, 8, 9]));
        let x = [0.0; 10];
        let frame = Frame::new(vec![Column::numeric(&x)]).unwrap();
        let data = Dataset::new(frame, &classes, 3, None).unwrap();
        let masses = sampler.class_masses(&data, None);
        assert!((masses[0] / masses[1] - 2.0).abs() < 1e-14 && (masses[2] / masses[1] - 1.5).abs() < 1e-14);
    }

    #[test]
    fn a_bootstrap_sample_is_drawn_first_where_asked() {
        let mut classes = vec![0; 40];
        classes[30..].fill(1);
        let x = [0.0; 40];
        let frame = Frame::new(vec![Column::numeric(&x)]).unwrap();
        let data = Dataset::new(frame, &classes, 2, None).unwrap();
        let balance = Balance {
            strategy: Strategy::Named(Which::NotMinority),
            ratio: Ratio::ToMajority,
            replacement: false,
        };
        let draw = Draw::Balanced(balance);
        let sampler = Sampler::new(&data, None, &draw, (None, true), "test").unwrap();
        let sizes: Vec<(usize, usize)> = (0..20)
            .map(|tree| {
                let rows = sampler.rows(SeedKey::root(tree)).unwrap().unwrap();
                let rare = rows.iter().filter(|&&row| row >= 30).count();
                (rare, rows.len() - rare)
            })
            .collect();
        assert!(sizes.iter().all(|(rare, common)| rare == common));
        // How many rare rows a bootstrap sample holds differs from tree to tree.
        assert!(sizes.iter().any(|&size| size != sizes[0]));
    }

    #[test]
    fn a_draw_without_a_class_is_repeated() {
        let mut classes = vec![0; 50];
        classes[17] = 1;
        let all = sampler(&classes, None, &Draw::Uniform, None);
        // A single draw misses row 17 with probability 0.36.
        assert!((0..100).all(|tree| all.rows(SeedKey::root(tree)).unwrap().unwrap().contains(&17)));
        let one = sampler(&classes, None, &Draw::Uniform, Some(&MaxSamples::Count(1)));
        assert_eq!(one.rows(SeedKey::root(0)).unwrap().unwrap().len(), 1);
    }

    #[test]
    fn rows_without_weight_are_never_drawn() {
        let weights = [1.0, 0.0, 0.5, 3.0, 1.0, 0.0];
        let sampler = sampler(&[0, 0, 0, 1, 1, 1], Some(&weights), &Draw::Uniform, None);
        for tree in 0..50 {
            let rows = sampler.rows(SeedKey::root(tree)).unwrap().unwrap();
            assert_eq!(rows.len(), 4);
            assert!(rows.iter().all(|&row| weights[row as usize] > 0.0));
        }
    }
}
