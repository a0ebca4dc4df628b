//! Groups of rows that agree on some columns; groups are refined column by column.

use crate::table::DiscreteTable;

/// Groups of rows; the rows of all groups are concatenated, with the end of each group.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowGroups {
    rows: Vec<u32>,
    ends: Vec<u32>,
}

pub(crate) struct CodeColumns {
    columns: Vec<Vec<u16>>,
    pub(crate) levels: Vec<u32>,
}

impl CodeColumns {
    pub(crate) fn from_table(table: &DiscreteTable) -> Self {
        let columns = (0..table.n_columns()).map(|column| table.codes(column).into_owned()).collect();
        Self { columns, levels: table.n_states_by_column().to_vec() }
    }

    pub(crate) fn single_group(&self) -> RowGroups {
        let n = self.columns.first().map_or(0, Vec::len) as u32;
        RowGroups { rows: (0..n).collect(), ends: if n == 0 { Vec::new() } else { vec![n] } }
    }

    /// Splits each group of rows by the column `by`.
    ///
    /// If `mixed` is true, only groups in which the child has several states are kept.
    pub(crate) fn split_groups_by_column(
        &self,
        groups: &RowGroups,
        by: u32,
        child: u32,
        mixed: bool,
        into: &mut RowGroups,
    ) {
        let (codes, levels) = (&self.columns[by as usize], self.levels[by as usize] as usize);
        let target = &self.columns[child as usize];
        into.rows.clear();
        into.ends.clear();
        let mut count = vec![0_u32; levels];
        let mut from = 0;
        for &end in &groups.ends {
            let rows = &groups.rows[from as usize..end as usize];
            from = end;
            count.fill(0);
            for &row in rows {
                count[usize::from(codes[row as usize])] += 1;
            }
            let first = into.rows.len();
            let mut next = first as u32;
            let ends = into.ends.len();
            for slot in &mut count {
                let own = *slot;
                *slot = next;
                next += own;
                if own > 0 {
                    into.ends.push(next);
                }
            }
            into.rows.resize(next as usize, 0);
            for &row in rows {
                let slot = &mut count[usize::from(codes[row as usize])];
                into.rows[*slot as usize] = row;
                *slot += 1;
            }
            if mixed {
                remove_pure_groups(into, first, ends, target);
            }
        }
    }

    /// For each nonempty group of rows, counts the states of the child.
    ///
    /// If `by` is given, the rows of a group are counted separately for each state of the column `by`.
    pub(crate) fn count_child_states(
        &self,
        groups: &RowGroups,
        by: Option<u32>,
        child: u32,
        into: &mut Vec<u32>,
    ) {
        let levels = self.levels[child as usize] as usize;
        let target = &self.columns[child as usize];
        let splits = by.map(|by| (&self.columns[by as usize], self.levels[by as usize] as usize));
        let mut count = vec![0_u32; levels * splits.map_or(1, |(_, states)| states)];
        into.clear();
        let mut from = 0;
        for &end in &groups.ends {
            count.fill(0);
            for &row in &groups.rows[from as usize..end as usize] {
                let row = row as usize;
                let first = splits.map_or(0, |(codes, _)| usize::from(codes[row]) * levels);
                count[first + usize::from(target[row])] += 1;
            }
            from = end;
            for own in count.chunks(levels).filter(|own| own.iter().any(|&n| n > 0)) {
                into.extend_from_slice(own);
            }
        }
    }
}

/// Removes each group whose rows all have the same code in `codes`.
///
/// Only groups with an index of at least `ends` are considered. The rows of group `ends` start at index
/// `first`.
fn remove_pure_groups(groups: &mut RowGroups, first: usize, ends: usize, codes: &[u16]) {
    let (mut from, mut to, mut kept) = (first, first, ends);
    for at in ends..groups.ends.len() {
        let end = groups.ends[at] as usize;
        let code = codes[groups.rows[from] as usize];
        if groups.rows[from..end].iter().any(|&row| codes[row as usize] != code) {
            groups.rows.copy_within(from..end, to);
            to += end - from;
            groups.ends[kept] = to as u32;
            kept += 1;
        }
        from = end;
    }
    groups.rows.truncate(to);
    groups.ends.truncate(kept);
}
