//! Stable in-place partition of row lists among the branches of a split.

use crate::rows::train_column::{FlaggedRow, row_of_entry};

/// Partitions `order`; bit `row` of `right` is set for rows of the right branch.
///
/// A branch whose rows are not wanted gets an empty list.
pub(crate) fn partition_in_place<'o>(
    spare: &mut Vec<FlaggedRow>,
    order: &'o mut [FlaggedRow],
    right: &[u64],
    sizes: [usize; 2],
    wanted: [bool; 2],
) -> (&'o mut [FlaggedRow], &'o mut [FlaggedRow]) {
    match wanted {
        [false, false] => (&mut order[..0], [].as_mut_slice()),
        [true, false] => (move_side_to_front(order, right, 0, sizes[0]), [].as_mut_slice()),
        [false, true] => ([].as_mut_slice(), move_side_to_front(order, right, 1, sizes[1])),
        [true, true] => partition_sides(order, spare, sizes[1] > sizes[0], |row| side_of_row(row, right)),
    }
}

#[inline]
fn side_of_row(row: usize, right: &[u64]) -> usize {
    (right[row / 64] >> (row % 64) & 1) as usize
}

/// Moves the `size` rows of one side to the front, stably, and returns them.
///
/// Rows of the other side may be overwritten.
fn move_side_to_front<'o>(
    order: &'o mut [FlaggedRow],
    right: &[u64],
    side: usize,
    size: usize,
) -> &'o mut [FlaggedRow] {
    let mut end = 0;
    for place in 0..order.len() {
        let entry = order[place];
        order[end.min(place)] = entry;
        end += usize::from(side_of_row(row_of_entry(entry), right) == side);
    }
    &mut order[..size]
}

/// Number of rows per block; after each block, the rows of the right branch are buffered.
const BLOCK: usize = 1 << 10;

/// Minimum length of lists for which only the rows of the smaller branch are buffered.
///
/// In shorter lists, the rows of the right branch are always buffered.
const LARGE: usize = 1 << 20;

/// Moves the rows of the left branch to the front, and buffers the rows of one branch.
///
/// The left branch is buffered if `more_right` is true (the right branch is larger) and the list has at least
/// [`LARGE`] rows; otherwise, the right branch is buffered.
pub(crate) fn partition_sides<'o>(
    order: &'o mut [FlaggedRow],
    spare: &mut Vec<FlaggedRow>,
    more_right: bool,
    side_of: impl Fn(usize) -> usize,
) -> (&'o mut [FlaggedRow], &'o mut [FlaggedRow]) {
    if order.len() >= LARGE {
        // Memory is reserved in one step. A growing vector would leave its former allocations behind.
        spare.clear();
        spare.reserve(order.len() / 2);
    }
    if order.len() < LARGE || !more_right {
        let n_left = move_left_to_front(order, spare, side_of);
        return order.split_at_mut(n_left);
    }
    // In the reversed list, the rows of the right branch are moved to the front, and those of the left branch
    // are buffered.
    order.reverse();
    let n_right = move_left_to_front(order, spare, |row| 1 - side_of(row));
    order.reverse();
    order.split_at_mut(order.len() - n_right)
}

/// The loop has no conditional jump, because the processor cannot predict the side of a row.
fn move_left_to_front(
    order: &mut [FlaggedRow],
    spare: &mut Vec<FlaggedRow>,
    side_of: impl Fn(usize) -> usize,
) -> usize {
    spare.clear();
    let mut to_left = 0;
    let mut aside = [0; BLOCK];
    for first in (0..order.len()).step_by(BLOCK) {
        let mut n_aside = 0;
        for place in first..order.len().min(first + BLOCK) {
            let entry = order[place];
            let side = side_of(row_of_entry(entry));
            // The index is masked to avoid a bounds check. It is always below `BLOCK`, because fewer rows are
            // buffered than processed.
            aside[n_aside & (BLOCK - 1)] = entry;
            n_aside += side;
            order[to_left] = entry;
            to_left += side ^ 1;
        }
        spare.extend_from_slice(&aside[..n_aside]);
    }
    order[to_left..].copy_from_slice(spare);
    to_left
}

pub(crate) fn partition_into_branches<'o>(
    order: &'o mut [FlaggedRow],
    branch: impl Fn(usize) -> usize,
    sizes: &[usize],
) -> Vec<&'o mut [FlaggedRow]> {
    let spare = order.to_vec();
    let mut starts: Vec<usize> = sizes
        .iter()
        .scan(0, |sum, &size| {
            *sum += size;
            Some(*sum - size)
        })
        .collect();
    for entry in spare {
        let start = &mut starts[branch(row_of_entry(entry))];
        order[*start] = entry;
        *start += 1;
    }
    let mut rest = order;
    let mut parts = Vec::with_capacity(sizes.len());
    for &size in sizes {
        let (part, tail) = rest.split_at_mut(size);
        parts.push(part);
        rest = tail;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_keep_the_order_of_their_rows() {
        for n in [0, 1, 5, LARGE + 3] {
            for parts in [2, 3, 7] {
                let rows: Vec<FlaggedRow> = (0..n as FlaggedRow).collect();
                let is_right = |row: usize| usize::from(!row.is_multiple_of(parts));
                let (mut order, mut spare) = (rows.clone(), Vec::new());
                let (left, right) = partition_sides(&mut order, &mut spare, true, is_right);
                assert!(left.iter().copied().eq(rows.iter().copied().filter(|row| row % parts as u32 == 0)));
                assert!(right.iter().copied().eq(rows.iter().copied().filter(|row| row % parts as u32 > 0)));
                let (left, right) = (left.to_vec(), right.to_vec());
                assert!(n < LARGE || spare.len() == left.len());
                let mut order = rows;
                assert_eq!(
                    partition_sides(&mut order, &mut spare, false, is_right),
                    (&mut left.clone()[..], &mut right.clone()[..])
                );
            }
        }
    }
}
