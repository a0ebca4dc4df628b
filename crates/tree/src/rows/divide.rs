//! Dividing lists of rows among the branches of a split, stably and in place.

use crate::rows::entry::{Entry, row_of};

/// Divides a list in two, stably and in place.
pub(crate) fn halve<'o>(
    spare: &mut Vec<Entry>,
    order: &'o mut [Entry],
    right: &[u64],
    sizes: [usize; 2],
    wanted: [bool; 2],
) -> (&'o mut [Entry], &'o mut [Entry]) {
    match wanted {
        [false, false] => (&mut order[..0], [].as_mut_slice()),
        [true, false] => (keep_side(order, right, 0, sizes[0]), [].as_mut_slice()),
        [false, true] => ([].as_mut_slice(), keep_side(order, right, 1, sizes[1])),
        [true, true] => both_sides(order, spare, |row| side_of(row, right)),
    }
}

#[inline]
fn side_of(row: usize, right: &[u64]) -> usize {
    (right[row / 64] >> (row % 64) & 1) as usize
}

/// Moves the entries of one side to the front.
fn keep_side<'o>(order: &'o mut [Entry], right: &[u64], side: usize, size: usize) -> &'o mut [Entry] {
    let mut end = 0;
    for place in 0..order.len() {
        let entry = order[place];
        order[end.min(place)] = entry;
        end += usize::from(side_of(row_of(entry), right) == side);
    }
    &mut order[..size]
}

/// Left entries to the front, right ones behind them; written without a branch, since sides alternate at random.
pub(crate) fn both_sides<'o>(
    order: &'o mut [Entry],
    spare: &mut Vec<Entry>,
    mut side_of: impl FnMut(usize) -> usize,
) -> (&'o mut [Entry], &'o mut [Entry]) {
    if spare.len() < order.len() {
        spare.resize(order.len(), 0);
    }
    let mut to_left = 0;
    for place in 0..order.len() {
        let entry = order[place];
        let side = side_of(row_of(entry));
        // All that came before is on one side or the other.
        spare[place - to_left] = entry;
        order[to_left] = entry;
        to_left += side ^ 1;
    }
    let (left, rest) = order.split_at_mut(to_left);
    rest.copy_from_slice(&spare[..rest.len()]);
    (left, rest)
}

/// Divides a list into one piece a branch, stably.
pub(crate) fn cut_up<'o>(
    order: &'o mut [Entry],
    branch: impl Fn(usize) -> usize,
    sizes: &[usize],
) -> Vec<&'o mut [Entry]> {
    let spare = order.to_vec();
    let mut starts: Vec<usize> = sizes
        .iter()
        .scan(0, |sum, &size| {
            *sum += size;
            Some(*sum - size)
        })
        .collect();
    for entry in spare {
        let start = &mut starts[branch(row_of(entry))];
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
