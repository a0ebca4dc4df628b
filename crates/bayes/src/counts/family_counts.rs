//! Counts of one family (a variable with its parents) in one pass over the rows.
//!
//! Searches count through `CodeTableForCounting` instead, which shares work between families. The tests of
//! `CodeTableForCounting` use the counts of this module as a reference.

use crate::cpt::DENSE_CELLS;
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::{Error, Result};
use multiversion::multiversion;

/// Counts `N_ijk` of variable i: weight of rows with parent configuration `j` and state `k`.
///
/// Rows in which the variable or a parent is missing do not count. A configuration is numbered in mixed
/// radix: the state of the first parent varies slowest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FamilyCounts {
    levels: usize,
    configurations: u64,
    /// Configurations whose counts are stored, ascending; `None` if all are stored.
    keys: Option<Vec<u64>>,
    cells: Vec<f64>,
}

impl FamilyCounts {
    /// Counts `child` under the ascending `parents`.
    ///
    /// # Errors
    /// [`Error::Data`] if the parent configurations are too many to be numbered.
    pub(crate) fn from_table(table: &DiscreteTable, child: u32, parents: &[u32]) -> Result<Self> {
        let levels = table.n_states_by_column()[child as usize] as usize;
        let radix =
            |q: u64, &parent: &u32| q.checked_mul(u64::from(table.n_states_by_column()[parent as usize]));
        let Some(configurations) = parents.iter().try_fold(1, radix) else {
            return Err(Error::Data(format!("variable {child} has too many parent configurations")));
        };
        let dense = configurations.checked_mul(levels as u64).is_some_and(|cells| cells <= DENSE_CELLS);
        if dense {
            let cells = count_into_dense_table(table, child, parents, configurations as usize * levels);
            return Ok(Self { levels, configurations, keys: None, cells });
        }
        let keys = row_configurations(table, child, parents);
        let codes = table.codes(child as usize);
        let weight = |row: usize| table.weights().map_or(1.0, |weights| weights[row]);
        let mut rows: Vec<(u64, usize)> =
            keys.into_iter().enumerate().filter_map(|(row, key)| Some((key?, row))).collect();
        rows.sort_unstable();
        let (mut held, mut cells): (Vec<u64>, Vec<f64>) = (Vec::new(), Vec::new());
        for (key, row) in rows {
            if held.last() != Some(&key) {
                held.push(key);
                cells.resize(held.len() * levels, 0.0);
            }
            cells[(held.len() - 1) * levels + usize::from(codes[row])] += weight(row);
        }
        Ok(Self { levels, configurations, keys: Some(held), cells })
    }

    pub(crate) fn n_child_states(&self) -> usize {
        self.levels
    }

    pub(crate) fn n_configurations(&self) -> u64 {
        self.configurations
    }

    /// Parent configurations that occur, ascending, each with the row weight per child state.
    pub(crate) fn counts_by_configuration(&self) -> impl Iterator<Item = (u64, &[f64])> + Clone {
        let number = |at: usize| self.keys.as_ref().map_or(at as u64, |keys| keys[at]);
        let rows = self.cells.chunks_exact(self.levels).enumerate();
        rows.filter(|(_, row)| row.iter().any(|&cell| cell > 0.0)).map(move |(at, row)| (number(at), row))
    }
}

const UNKNOWN: u32 = u32::MAX;

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2", "x86_64+avx2", "x86_64+sse4.2"))]
fn append_mixed_radix_digit(places: &mut [u32], codes: &[u16], levels: u32) {
    for (place, &code) in places.iter_mut().zip(codes) {
        let known = *place != UNKNOWN && code != MISSING;
        *place = if known { place.wrapping_mul(levels).wrapping_add(u32::from(code)) } else { UNKNOWN };
    }
}

fn count_into_dense_table(table: &DiscreteTable, child: u32, parents: &[u32], size: usize) -> Vec<f64> {
    const ROWS: usize = 1024;
    /// A table of counts with at most this many cells is kept in four copies.
    ///
    /// Successive rows increment different copies, so that an increment need not wait for the one before.
    const APART: usize = 2048;
    let levels = |v: u32| table.n_states_by_column()[v as usize];
    let stride = if size <= APART { size + 1 } else { 0 };
    let (mut counts, mut masses) = match table.weights() {
        None => (vec![0_u32; 3 * stride + size + 1], Vec::new()),
        Some(_) => (Vec::new(), vec![0.0; size + 1]),
    };
    let mut places = [0_u32; ROWS];
    for start in (0..table.n_rows()).step_by(ROWS) {
        let end = table.n_rows().min(start + ROWS);
        let places = &mut places[..end - start];
        places.fill(0);
        for &member in parents.iter().chain([&child]) {
            append_mixed_radix_digit(
                places,
                &table.codes_in_rows(member as usize, start..end),
                levels(member),
            );
        }
        let at = |place: u32| (place as usize).min(size);
        if let Some(weights) = table.weights() {
            for (&place, weight) in places.iter().zip(&weights[start..end]) {
                masses[at(place)] += weight;
            }
        } else {
            let (fours, rest) = places.as_chunks::<4>();
            for &[a, b, c, d] in fours {
                counts[at(a)] += 1;
                counts[stride + at(b)] += 1;
                counts[2 * stride + at(c)] += 1;
                counts[3 * stride + at(d)] += 1;
            }
            for &place in rest {
                counts[at(place)] += 1;
            }
        }
    }
    if table.weights().is_none() {
        let parts = if stride > 0 { 4 } else { 1 };
        let total = |cell: usize| (0..parts).map(|part| f64::from(counts[part * stride + cell])).sum();
        return (0..size).map(total).collect();
    }
    masses.truncate(size);
    masses
}

fn row_configurations(table: &DiscreteTable, child: u32, parents: &[u32]) -> Vec<Option<u64>> {
    let present = |&code: &u16| (code != MISSING).then_some(0_u64);
    let mut keys: Vec<Option<u64>> = table.codes(child as usize).iter().map(present).collect();
    for &parent in parents {
        let levels = u64::from(table.n_states_by_column()[parent as usize]);
        for (key, &code) in keys.iter_mut().zip(&*table.codes(parent as usize)) {
            *key = key.filter(|_| code != MISSING).map(|key| key * levels + u64::from(code));
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{SeedKey, random_below};

    #[test]
    fn rows_with_a_missing_member_do_not_count() {
        let columns = vec![vec![0, 1, 1, MISSING, 1], vec![1, 0, MISSING, 1, 0], vec![1, 1, 0, 0, 2]];
        let table = DiscreteTable::new(columns, vec![2, 2, 3]).unwrap();
        let counts = FamilyCounts::from_table(&table, 2, &[0, 1]).unwrap();
        let rows: Vec<_> = counts.counts_by_configuration().collect();
        assert_eq!(rows, [(1, &[0.0, 1.0, 0.0][..]), (2, &[0.0, 1.0, 1.0][..])]);
        assert_eq!(
            (
                counts.counts_by_configuration().flat_map(|(_, row)| row).sum::<f64>(),
                counts.n_configurations()
            ),
            (3.0, 4)
        );
        let weighted =
            FamilyCounts::from_table(&table.with_weights(vec![0.5, 1.0, 1.0, 1.0, 2.0]), 2, &[]).unwrap();
        assert_eq!(weighted.counts_by_configuration().next(), Some((0, &[2.0, 1.5, 2.0][..])));
    }

    #[test]
    fn few_cells_and_many_are_counted_alike() {
        // The row count 2607 is a multiple neither of the block size nor of four. The columns with 30, 20 and
        // 5 states have too many joint states for four copies of the table of counts.
        let column = |(levels, seed): (u32, u64)| -> Vec<u16> {
            let mut rng = SeedKey::root(seed).rng();
            let codes = (0..2_607).map(|_| random_below(&mut rng, levels + 1));
            codes.map(|code| if code == levels { MISSING } else { code as u16 }).collect()
        };
        for levels in [[3, 4, 2], [30, 20, 5]] {
            let columns: Vec<Vec<u16>> = levels.into_iter().zip(0..).map(column).collect();
            let table = DiscreteTable::new(columns.clone(), levels.to_vec()).unwrap();
            let mut slow = vec![0.0; levels.iter().product::<u32>() as usize];
            for row in 0..2_607 {
                let codes: Vec<u16> = columns.iter().map(|column| column[row]).collect();
                if !codes.contains(&MISSING) {
                    let at = codes.iter().zip(levels).fold(0, |at, (&code, n)| at * n + u32::from(code));
                    slow[at as usize] += 1.0;
                }
            }
            assert_eq!(FamilyCounts::from_table(&table, 2, &[0, 1]).unwrap().cells, slow);
            let ones = table.with_weights(vec![1.0; 2_607]);
            assert_eq!(FamilyCounts::from_table(&ones, 2, &[0, 1]).unwrap().cells, slow);
        }
    }

    #[test]
    fn large_families_hold_what_occurs() {
        let codes = vec![299, 0, 299, 7];
        let table = DiscreteTable::new(vec![codes.clone(), codes], vec![300, 300]).unwrap();
        let counts = FamilyCounts::from_table(&table, 0, &[1]).unwrap();
        let found: Vec<(u64, f64)> =
            counts.counts_by_configuration().map(|(key, row)| (key, row[key as usize])).collect();
        assert_eq!(found, [(0, 1.0), (7, 1.0), (299, 2.0)]);
    }
}
