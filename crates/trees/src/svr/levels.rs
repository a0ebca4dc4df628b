//! Ordering of the levels of a nominal column along a single axis.
//!
//! One axis per level needs as much time and memory as one numeric column per level. Columns with many levels
//! therefore have a single axis, on which the levels are ordered by their class proportions. A threshold on
//! this axis separates two sets of levels. With two classes, the set of levels with the largest gain at a
//! node is a prefix of the order at this node (Fisher's ordering; Breiman et al. 1984, section 4.2.2). The
//! order is computed only once per tree, because boxes need fixed coordinates.

use super::axes::SvrData;
use crate::rows::class_sums::ClassSums;
use crate::rows::train_column::row_of_entry;
use crate::split::level_subsets::{LevelSums, prefix_level_order};
use imbcore_core::MISSING;

/// Returns the coordinate of every level on the axis, starting at 0.
///
/// `drawn` contains the rows of the tree with their weights, and `class_units` the total weight of each
/// class. Before levels are ordered, each level gets one additional row of the rarest class, and additional
/// rows of all other classes in proportion to their weights. This smooths the class proportions of levels
/// with few rows. Levels with equal smoothed proportions have the same coordinate.
pub(super) fn level_coordinates(
    ground: &SvrData<'_>,
    (codes, levels): (&[u32], u32),
    drawn: impl Iterator<Item = (u32, f64)>,
    class_units: &[f64],
) -> Vec<f64> {
    let n_classes = class_units.len();
    let rarest = class_units.iter().copied().filter(|&units| units > 0.0).fold(f64::INFINITY, f64::min);
    let extra: Vec<f64> = class_units.iter().map(|units| units / rarest).collect();
    let mut units: Vec<f64> = extra.repeat(levels as usize);
    for (row, unit) in drawn {
        let code = codes[row_of_entry(row)];
        if code != MISSING {
            units[code as usize * n_classes + ground.table.class_of(row)] += unit;
        }
    }
    level_coordinates_from_weights(&units, class_units)
}

fn level_coordinates_from_weights(units: &[f64], class_units: &[f64]) -> Vec<f64> {
    let n_classes = class_units.len();
    let rows: Vec<u32> = class_units.iter().map(|&units| u32::from(units > 0.0)).collect();
    let mut sums = LevelSums::new(n_classes, units.len() / n_classes);
    for (code, mass) in (0..).zip(units.chunks_exact(n_classes)) {
        sums.add_level(code, &ClassSums { rows: rows.clone(), mass: mass.to_vec() });
    }
    let node = ClassSums { rows, mass: class_units.to_vec() };
    let order = prefix_level_order(&sums, &node).unwrap_or_else(|| (0..sums.len()).collect());
    let has_equal_proportions = |a: usize, b: usize| {
        let (of_a, of_b) = (sums.total_mass(a), sums.total_mass(b));
        // Proportions that should be equal may differ by a rounding error. All levels contain the same
        // classes, so their cells can be compared one by one.
        let cells = sums.level_class_counts(a).iter().zip(sums.level_class_counts(b));
        cells
            .map(|(a, b)| (a.mass * of_b - b.mass * of_a).abs())
            .all(|difference| difference <= 1e-12 * of_a * of_b)
    };
    let mut places = vec![0.0; sums.len()];
    for two in order.windows(2) {
        places[two[1]] = places[two[0]] + f64::from(u8::from(!has_equal_proportions(two[0], two[1])));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered_by_class_proportion() {
        // Each level gets three additional rows of class 0 and one of class 1. A level without other rows
        // thus has the same proportions as the level with the rows [6, 2].
        let more = |rows: [f64; 2]| [rows[0] + 3.0, rows[1] + 1.0];
        let levels = [[30.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 9.0], [6.0, 2.0], [1.0, 0.0]];
        let places = level_coordinates_from_weights(&levels.map(more).concat(), &[37.0, 12.0]);
        assert_eq!(places, [0.0, 2.0, 3.0, 4.0, 2.0, 1.0]);
    }

    #[test]
    fn more_classes_lie_by_their_first_component() {
        let rows = |level: u32| if level.is_multiple_of(2) { [9.0, 1.0, 2.0] } else { [1.0, 9.0, 2.0] };
        let places = level_coordinates_from_weights(
            &(0..40).flat_map(rows).collect::<Vec<_>>(),
            &[200.0, 200.0, 80.0],
        );
        assert_ne!(places[0], places[1]);
        assert!((0..40).all(|level| places[level] == places[level % 2]));
    }
}
