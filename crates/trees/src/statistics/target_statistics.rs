//! Ordered target statistics of training rows, and the choice of the prior strength.

use crate::statistics::row_order::{RowBlock, RowOrder};
use crate::statistics::statistic_table::TargetStatisticTable;
use imbcore_core::{MISSING, Result, RowDependence, RunContext, SeedKey, memory, parallel, tags};

/// Candidates for the prior strength, in units of a row of weight 1.
const STRENGTHS: [f64; 8] = [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0];

const STRETCH: usize = 1 << 14;

pub(crate) struct StatisticSample<'s> {
    pub(crate) rows: &'s [u32],
    pub(crate) classes: &'s [u32],
    pub(crate) n_classes: usize,
    pub(crate) weight: &'s (dyn Fn(usize) -> f64 + Sync),
    pub(crate) dependence: RowDependence<'s>,
    pub(crate) key: SeedKey,
    pub(crate) n_orders: usize,
}

pub(crate) struct EncodedColumn {
    pub(crate) tables: Vec<TargetStatisticTable>,
    /// Statistic by order, class and row of the data: `orders[order][class - 1][row]`.
    ///
    /// A row that is not a training row has the statistic of its level in the lookup tables.
    pub(crate) orders: Vec<Vec<Vec<f64>>>,
}

#[derive(Clone, Copy)]
struct LevelHistory<'h> {
    /// Total weight of each class among the rows of the history that have the row's level.
    level: &'h [f64],
    all: &'h [f64],
}

impl LevelHistory<'_> {
    /// Proportion of `class` in the level minus its proportion in all rows, shrunken toward 0.
    ///
    /// Both proportions are computed from the history. `a` is the prior strength.
    fn target_statistic(&self, class: usize, a: f64) -> f64 {
        let n: f64 = self.level.iter().sum();
        let total: f64 = self.all.iter().sum();
        if n > 0.0 { (self.level[class] - n * self.all[class] / total) / (n + a) } else { 0.0 }
    }

    fn smoothed_proportion(&self, class: usize) -> f64 {
        let total: f64 = self.all.iter().sum();
        (self.all[class] + 1.0 / self.all.len() as f64) / (total + 1.0)
    }

    /// Proportion of a class in the level, shrunken toward [`Self::smoothed_proportion`].
    ///
    /// `a` is the prior strength.
    fn shrunken_proportion(&self, class: usize, a: f64) -> f64 {
        let n: f64 = self.level.iter().sum();
        (self.level[class] + a * self.smoothed_proportion(class)) / (n + a)
    }
}

impl StatisticSample<'_> {
    /// Random orders of the training rows, or a single order by time if the rows have times.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn draw_row_orders(&self) -> Result<Vec<RowOrder>> {
        let n = if self.dependence.times().is_some() { 1 } else { self.n_orders };
        parallel::try_map(0..n as u32, |order| {
            RowOrder::new(self.rows, self.dependence, self.key.child(tags::statistics::ORDER, order))
        })
    }

    /// Encodes a nominal column; returns `None` if the statistic does not help.
    ///
    /// The statistic must predict rows from their histories better than class proportions do, by more than
    /// one standard error.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn encode(
        &self,
        column: u32,
        (codes, levels): (&[u32], u32),
        orders: &[RowOrder],
        ctl: RunContext<'_>,
    ) -> Result<Option<EncodedColumn>> {
        let cells = LevelCodesWithMissing { codes, levels };
        let Some(strength) = self.choose_prior_strength(cells, &orders[0], ctl)? else { return Ok(None) };
        let tables = self.statistic_tables(column, cells, strength);
        let orders = parallel::try_map(orders, |order| {
            let all_rows = |table: &TargetStatisticTable| {
                let mut values = memory::try_with_capacity(codes.len(), "target statistics")?;
                values.extend(codes.iter().map(|&code| table.value(code)));
                Ok(values)
            };
            let mut values: Vec<Vec<f64>> = tables.iter().map(all_rows).collect::<Result<_>>()?;
            self.visit_row_histories(cells, order, ctl, |row, history| {
                for (class, values) in (1..).zip(&mut values) {
                    values[row] = history.target_statistic(class, strength);
                }
            })?;
            Ok(values)
        })?;
        Ok(Some(EncodedColumn { tables, orders }))
    }

    fn visit_row_histories(
        &self,
        cells: LevelCodesWithMissing<'_>,
        order: &RowOrder,
        ctl: RunContext<'_>,
        mut visit: impl FnMut(usize, LevelHistory<'_>),
    ) -> Result<()> {
        let n = self.n_classes;
        let (mut levels, mut all) = (vec![0.0; cells.n_codes() * n], vec![0.0; n]);
        let mut own = order
            .left_out
            .as_ref()
            .map(|groups| GroupHistory::new(self.n_classes, (cells, groups), &order.rows))
            .transpose()?;
        let (mut added, mut start, mut visited) = (0, 0, 0);
        for &RowBlock { end, n_before } in &order.blocks {
            let (end, n_before) = (end as usize, n_before as usize);
            for &row in &order.rows[added..n_before] {
                let (row, class) = (row as usize, self.classes[row as usize] as usize);
                let weight = (self.weight)(row);
                levels[cells.code_of_row(row) * n + class] += weight;
                all[class] += weight;
                if let Some(own) = &mut own {
                    own.add_row(row, class, weight);
                }
            }
            added = n_before;
            for &row in &order.rows[start..end] {
                let row = row as usize;
                let level = &levels[cells.code_of_row(row) * n..][..n];
                match &mut own {
                    None => visit(row, LevelHistory { level, all: &all }),
                    Some(own) => {
                        visit(row, own.history_without_group_of_row(row, LevelHistory { level, all: &all }));
                    }
                }
            }
            visited += end - start;
            start = end;
            if visited >= STRETCH {
                ctl.check()?;
                visited = 0;
            }
        }
        Ok(())
    }

    /// Chooses the prior strength with the lowest log loss.
    ///
    /// The log loss is that of predicting each row from its history. A row is left out if no row in its
    /// history has the same level. `None` if no strength is better than class proportions by more than one
    /// standard error.
    fn choose_prior_strength(
        &self,
        cells: LevelCodesWithMissing<'_>,
        order: &RowOrder,
        ctl: RunContext<'_>,
    ) -> Result<Option<f64>> {
        // For each candidate strength: sum, and sum of squares, of the gains of the rows. A row's gain is the
        // decrease of its log loss compared with class proportions.
        let mut gains = [(0.0, 0.0); STRENGTHS.len()];
        self.visit_row_histories(cells, order, ctl, |row, history| {
            if history.level.iter().any(|&weight| weight > 0.0) {
                let (class, weight) = (self.classes[row] as usize, (self.weight)(row));
                let prior = history.smoothed_proportion(class).ln();
                for (&a, (sum, squares)) in STRENGTHS.iter().zip(&mut gains) {
                    let gain = weight * (history.shrunken_proportion(class, a).ln() - prior);
                    *sum += gain;
                    *squares += gain * gain;
                }
            }
        })?;
        let best = STRENGTHS
            .into_iter()
            .zip(gains)
            .reduce(|best, next| if next.1.0 > best.1.0 { next } else { best });
        Ok(best.filter(|(_, (sum, squares))| *sum > squares.sqrt()).map(|(a, _)| a))
    }

    fn statistic_tables(
        &self,
        column: u32,
        cells: LevelCodesWithMissing<'_>,
        strength: f64,
    ) -> Vec<TargetStatisticTable> {
        let n = self.n_classes;
        let (mut levels, mut all) = (vec![0.0; cells.n_codes() * n], vec![0.0; n]);
        for &row in self.rows {
            let (row, class) = (row as usize, self.classes[row as usize] as usize);
            levels[cells.code_of_row(row) * n + class] += (self.weight)(row);
            all[class] += (self.weight)(row);
        }
        let of_class = |class: usize| {
            let value = |level: &[f64]| LevelHistory { level, all: &all }.target_statistic(class, strength);
            TargetStatisticTable {
                column,
                class: class as u32,
                values: levels.chunks_exact(n).map(value).collect(),
            }
        };
        (1..n).map(of_class).collect()
    }
}

#[derive(Clone, Copy)]
struct LevelCodesWithMissing<'c> {
    codes: &'c [u32],
    levels: u32,
}

impl LevelCodesWithMissing<'_> {
    fn n_codes(self) -> usize {
        self.levels as usize + 1
    }

    #[inline]
    fn code_of_row(self, row: usize) -> usize {
        let code = self.codes[row];
        if code == MISSING { self.levels as usize } else { code as usize }
    }
}

/// Total weight of each class among the rows of each group that are already in the history.
///
/// To leave out the group of a row, the weights of this group are subtracted from the row's history.
struct GroupHistory {
    /// For each row, the index of its group, and the index of its pair of group and level.
    numbers: Vec<[u32; 2]>,
    groups: Vec<f64>,
    pairs: Vec<f64>,
    level: Vec<f64>,
    all: Vec<f64>,
}

impl GroupHistory {
    fn new(n: usize, (cells, groups): (LevelCodesWithMissing<'_>, &[u32]), rows: &[u32]) -> Result<Self> {
        let group = |row: u32| groups[row as usize];
        let pair = |row: u32| (group(row), cells.code_of_row(row as usize));
        let what = "target statistics";
        let mut rows = memory::collect(rows.iter().copied(), what)?;
        rows.sort_unstable_by_key(|&row| pair(row));
        let mut numbers = memory::filled(cells.codes.len(), [0; 2], what)?;
        let mut next = [0_u32; 2];
        for (place, &row) in rows.iter().enumerate() {
            if place > 0 {
                let before = rows[place - 1];
                next[0] += u32::from(group(before) != group(row));
                next[1] += u32::from(pair(before) != pair(row));
            }
            numbers[row as usize] = next;
        }
        let sums = |last: u32| memory::filled((last as usize + 1) * n, 0.0, what);
        let (groups, pairs) = (sums(next[0])?, sums(next[1])?);
        Ok(Self { numbers, groups, pairs, level: vec![0.0; n], all: vec![0.0; n] })
    }

    fn add_row(&mut self, row: usize, class: usize, weight: f64) {
        let n = self.all.len();
        let [group, pair] = self.numbers[row].map(|number| number as usize * n + class);
        self.groups[group] += weight;
        self.pairs[pair] += weight;
    }

    fn history_without_group_of_row(&mut self, row: usize, history: LevelHistory<'_>) -> LevelHistory<'_> {
        let n = self.all.len();
        let [group, pair] = self.numbers[row].map(|number| number as usize * n);
        let subtract = |out: &mut [f64], whole: &[f64], own: &[f64]| {
            for ((out, whole), own) in out.iter_mut().zip(whole).zip(own) {
                // If all weight is from the row's group, the difference should be 0, but rounding may leave a
                // tiny number.
                let rest = whole - own;
                *out = if rest > 1e-9 * whole { rest } else { 0.0 };
            }
        };
        subtract(&mut self.level, history.level, &self.pairs[pair..pair + n]);
        subtract(&mut self.all, history.all, &self.groups[group..group + n]);
        LevelHistory { level: &self.level, all: &self.all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{random_below, uniform};

    fn data(n: usize, levels: u32, seed: u32) -> (Vec<u32>, Vec<u32>) {
        let mut rng = SeedKey::root(seed.into()).rng();
        let codes: Vec<u32> = (0..n).map(|_| random_below(&mut rng, levels + 1)).collect();
        let codes: Vec<u32> = codes.iter().map(|&code| if code == levels { MISSING } else { code }).collect();
        let class = |&code: &u32| {
            u32::from(uniform(&mut rng) < if code == MISSING || code % 3 == 0 { 0.5 } else { 0.1 })
        };
        let classes = codes.iter().map(class).collect();
        (codes, classes)
    }

    fn sample<'s>(
        rows: &'s [u32],
        classes: &'s [u32],
        weight: &'s (dyn Fn(usize) -> f64 + Sync),
        dependence: RowDependence<'s>,
    ) -> StatisticSample<'s> {
        StatisticSample {
            rows,
            classes,
            n_classes: 2,
            weight,
            dependence,
            key: SeedKey::root(9),
            n_orders: 2,
        }
    }

    #[test]
    fn statistics_of_training_rows_use_allowed_labels_only() {
        let n = 400;
        let (codes, classes) = data(n, 20, 1);
        let rows: Vec<u32> = (0..n as u32).collect();
        let groups: Vec<u32> = rows.iter().map(|row| row % 150).collect();
        let times: Vec<f64> = rows.iter().map(|row| f64::from(row * 7 % 90)).collect();
        let weight = |row: usize| 1.0 + (row % 3) as f64;
        for (groups, times) in
            [(None, None), (Some(&groups), None), (None, Some(&times)), (Some(&groups), Some(&times))]
        {
            let dependence =
                RowDependence::new(groups.map(|g| &g[..]), times.map(|t| &t[..]), None, n).unwrap();
            let is_earlier = |other: usize, row: usize| times.is_none_or(|times| times[other] > times[row]);
            let values = |classes: &[u32]| {
                let sample = sample(&rows, classes, &weight, dependence);
                let cells = LevelCodesWithMissing { codes: &codes, levels: 20 };
                let of_order = |order: &RowOrder| {
                    let mut values = vec![0.0; n];
                    sample
                        .visit_row_histories(cells, order, RunContext::silent(), |row, history| {
                            values[row] = history.target_statistic(1, 10.0);
                        })
                        .unwrap();
                    values
                };
                sample.draw_row_orders().unwrap().iter().map(of_order).collect::<Vec<_>>()
            };
            let before = values(&classes);
            let mut changed = 0;
            for row in (0..n).step_by(7) {
                let mut flipped = classes.clone();
                flipped[row] = 1 - flipped[row];
                for (before, after) in before.iter().zip(values(&flipped)) {
                    for other in 0..n {
                        let allowed = other != row
                            && groups.is_none_or(|groups| groups[other] != groups[row])
                            && is_earlier(other, row);
                        let differs = (before[other] - after[other]).abs() > 1e-12;
                        assert!(allowed || !differs, "{row} {other}");
                        changed += usize::from(differs);
                    }
                }
            }
            assert!(changed > 1000);
        }
    }

    #[test]
    fn tables_are_shrunken_deviations_and_other_rows_use_them() {
        let codes = [0, 0, 0, 1, MISSING, 0, 2];
        let classes = [1, 0, 1, 0, 0, 0, 0];
        let weight = |row: usize| if row == 2 { 2.0 } else { 1.0 };
        let rows = [0, 1, 2, 3, 4];
        let sample = sample(&rows, &classes, &weight, RowDependence::default());
        let tables = sample.statistic_tables(0, LevelCodesWithMissing { codes: &codes, levels: 3 }, 4.0);
        // The total weight is 6, and half of it is positive.
        assert_eq!(tables.len(), 1);
        let expected = [(3.0 - 4.0 * 0.5) / 8.0, -0.5 / 5.0, 0.0, -0.5 / 5.0];
        assert!(
            tables[0].values.iter().zip(expected).all(|(value, expected)| (value - expected).abs() < 1e-12)
        );
    }

    #[test]
    fn columns_without_information_are_left_out() {
        let n = 2000;
        let rows: Vec<u32> = (0..n as u32).collect();
        let weight = |_: usize| 1.0;
        let encoded = |codes: &[u32], classes: &[u32]| {
            let sample = sample(&rows, classes, &weight, RowDependence::default());
            sample.encode(0, (codes, 100), &sample.draw_row_orders().unwrap(), RunContext::silent()).unwrap()
        };
        let (codes, classes) = data(n, 100, 2);
        let found = encoded(&codes, &classes).unwrap();
        assert_eq!((found.orders.len(), found.orders[0].len(), found.tables.len()), (2, 1, 1));
        let none = (0..20).filter(|&seed| {
            let random = data(n, 1, 100 + seed).1;
            encoded(&data(n, 100, seed).0, &random).is_none()
        });
        assert!(none.count() >= 16);
    }
}
