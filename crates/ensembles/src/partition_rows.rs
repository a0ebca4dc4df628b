//! Branch-free partition of the rows of a node.

/// Moves the rows of the left child to the front, without branches; returns their number.
// The code does not call `swap`: `swap` would read `rows[place]` again, because a store may have changed it.
#[allow(clippy::manual_swap)]
pub(crate) fn partition_rows(rows: &mut [u32], is_left: impl Fn(u32) -> bool) -> usize {
    let mut n_left = 0;
    for place in 0..rows.len() {
        let row = rows[place];
        rows[place] = rows[n_left];
        rows[n_left] = row;
        n_left += usize::from(is_left(row));
    }
    n_left
}
