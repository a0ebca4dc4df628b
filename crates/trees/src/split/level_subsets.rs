//! Candidate sets of levels for nominal splits.

use crate::masses::MOST_IN_TABLE;
use crate::rows::class_sums::ClassSums;
use crate::split::split_candidate::{ColumnSplit, SplitCandidate};

/// Maximum number of levels for which all sets are tried if there are more than two classes.
pub(crate) const MOST_LEVELS_FOR_ALL_SETS: usize = 10;

/// Class sums of the levels at a node; the last level may be the missing value.
///
/// Each level stores only the classes that occur in it, so that the memory of all levels together is linear
/// in the rows of the node.
#[derive(Default)]
pub(crate) struct LevelSums {
    pub(crate) codes: Vec<u32>,
    ends: Vec<usize>,
    /// Row counts and masses by class: all classes of the first level, then of the next level.
    cells: Vec<LevelClassCount>,
    n_classes: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelClassCount {
    pub(crate) class: usize,
    pub(crate) rows: u32,
    pub(crate) mass: f64,
}

impl LevelSums {
    pub(crate) fn new(n_classes: usize, n_levels: usize) -> Self {
        let (codes, ends) = (Vec::with_capacity(n_levels), Vec::with_capacity(n_levels));
        Self { codes, ends, cells: Vec::new(), n_classes }
    }

    pub(crate) fn add_level(&mut self, code: u32, sums: &ClassSums) {
        self.add_level_with_classes(code, sums, 0..sums.rows.len());
    }

    /// `classes` lists, in ascending order, all classes that occur in the level.
    pub(crate) fn add_level_with_classes(
        &mut self,
        code: u32,
        sums: &ClassSums,
        classes: impl IntoIterator<Item = usize>,
    ) {
        let cell = |class: usize| LevelClassCount { class, rows: sums.rows[class], mass: sums.mass[class] };
        self.cells.extend(classes.into_iter().map(cell).filter(|cell| cell.rows > 0));
        self.codes.push(code);
        self.ends.push(self.cells.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    pub(crate) fn level_class_counts(&self, place: usize) -> &[LevelClassCount] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.cells[start..self.ends[place]]
    }

    pub(crate) fn n_rows(&self, place: usize) -> usize {
        self.level_class_counts(place).iter().map(|cell| cell.rows as usize).sum()
    }

    pub(crate) fn total_mass(&self, place: usize) -> f64 {
        self.level_class_counts(place).iter().map(|cell| cell.mass).sum()
    }

    fn class_mass(&self, place: usize, class: usize) -> f64 {
        let cells = self.level_class_counts(place);
        cells.binary_search_by_key(&class, |cell| cell.class).map_or(0.0, |at| cells[at].mass)
    }

    pub(crate) fn write_mass_table(&self, table: &mut Vec<f64>) {
        table.clear();
        table.resize(self.len() * self.n_classes, 0.0);
        for (place, row) in table.chunks_exact_mut(self.n_classes).enumerate() {
            self.level_class_counts(place).iter().for_each(|cell| row[cell.class] = cell.mass);
        }
    }

    /// Adds the levels at `places`, except the missing value, to a split by levels.
    pub(crate) fn add_levels_to_split(
        &self,
        places: &[usize],
        n_levels: u32,
        best: &mut Option<SplitCandidate>,
    ) {
        if let Some(SplitCandidate { found: ColumnSplit::InLevels(codes), .. }) = best {
            codes.extend(places.iter().map(|&place| self.codes[place]).filter(|&code| code < n_levels));
            codes.sort_unstable();
        }
    }

    pub(crate) fn add_level_to_sums(&self, place: usize, sums: &mut ClassSums) {
        for cell in self.level_class_counts(place) {
            sums.rows[cell.class] += cell.rows;
            sums.mass[cell.class] += cell.mass;
        }
    }

    pub(crate) fn clear_sums_of_level_classes(&self, place: usize, sums: &mut ClassSums) {
        for cell in self.level_class_counts(place) {
            sums.rows[cell.class] = 0;
            sums.mass[cell.class] = 0.0;
        }
    }
}

/// Returns the order of levels whose prefixes are tried, or `None` if all sets are tried.
///
/// With two classes, levels are ordered by the proportion of the second class. The best set is then a prefix
/// of this order, for every concave impurity (Breiman et al. 1984, section 4.2.2) and for the Hellinger
/// distance. With more classes, levels are ordered by the first principal component of their class
/// proportions (Coppersmith, Hong and Hosking 1999). The best prefix is then only approximately the best set.
pub(crate) fn prefix_level_order(levels: &LevelSums, node: &ClassSums) -> Option<Vec<usize>> {
    let live: Vec<usize> = (0..node.rows.len()).filter(|&class| node.rows[class] > 0).collect();
    let mut order: Vec<usize> = (0..levels.len()).collect();
    if let [lower, higher] = live[..] {
        // Levels are compared by a single rounded number each. Comparisons of rounded cross products would
        // not be transitive. The sort is stable, so ties are ordered by level code.
        let odds = |place: usize| match (levels.class_mass(place, higher), levels.class_mass(place, lower)) {
            (0.0, _) => (0.0, place),
            (high, low) => (high / low, place),
        };
        let mut odds: Vec<(f64, usize)> = order.into_iter().map(odds).collect();
        odds.sort_by(|a, b| a.0.total_cmp(&b.0));
        return Some(odds.into_iter().map(|(_, place)| place).collect());
    }
    if levels.len() <= MOST_LEVELS_FOR_ALL_SETS {
        return None;
    }
    let scores = first_component_scores(levels, &live);
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    Some(order)
}

/// Projects the class proportions of the levels on their first principal component.
/// Levels are weighted by mass.
fn first_component_scores(levels: &LevelSums, live: &[usize]) -> Vec<f64> {
    /// Number of power iterations, far more than needed to separate different components.
    /// If components have equal variance, any of them may be used.
    const ROUNDS: usize = 200;
    let places = || 0..levels.len();
    let size: Vec<f64> = places().map(|place| levels.total_mass(place)).collect();
    let total: f64 = size.iter().sum();
    let mut sums = ClassSums::zero(levels.n_classes);
    places().for_each(|place| levels.add_level_to_sums(place, &mut sums));
    let mean: Vec<f64> = live.iter().map(|&class| sums.mass[class] / total).collect();
    let mut places_of_classes = vec![0; levels.n_classes];
    live.iter().zip(0..).for_each(|(&class, at)| places_of_classes[class] = at);
    let proportions: Vec<CenteredLevelProportions> = places()
        .zip(&size)
        .map(|(place, &size)| {
            CenteredLevelProportions::new(levels.level_class_counts(place), size, &places_of_classes, &mean)
        })
        .collect();
    let project = |direction: &[f64]| -> Vec<f64> {
        let of_mean = dot(&mean, direction);
        proportions.iter().map(|level| level.dot(direction, of_mean)).collect()
    };
    // The power iteration starts from the level with the largest mass times squared distance from the mean.
    let of_mean = dot(&mean, &mean);
    let reach: Vec<f64> = proportions
        .iter()
        .zip(&size)
        .map(|(level, size)| size * level.squared_norm(&mean, of_mean))
        .collect();
    let furthest = (0..levels.len()).reduce(|best, next| if reach[next] > reach[best] { next } else { best });
    let mut direction = vec![0.0; live.len()];
    let of_means = proportions[furthest.unwrap_or_default()].add_scaled(&mut direction, 1.0);
    subtract_scaled_mean(&mut direction, of_means, &mean);
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; live.len()];
        let mut of_means = 0.0;
        for ((level, size), score) in proportions.iter().zip(&size).zip(project(&direction)) {
            of_means += level.add_scaled(&mut next, size * score);
        }
        subtract_scaled_mean(&mut next, of_means, &mean);
        let length = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            break;
        }
        let turned: Vec<f64> = next.into_iter().map(|x| x / length).collect();
        if turned == direction {
            break;
        }
        direction = turned;
    }
    project(&direction)
}

fn subtract_scaled_mean(sum: &mut [f64], factor: f64, mean: &[f64]) {
    if factor != 0.0 {
        sum.iter_mut().zip(mean).for_each(|(sum, mean)| *sum -= factor * mean);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Class proportions of one level, from which their mean over all levels is subtracted.
enum CenteredLevelProportions {
    Centered(Vec<f64>),
    /// Proportions of only the classes that occur in the level, without subtraction of the mean.
    ///
    /// Callers subtract the mean separately, so that the time is linear in the rows of the node.
    Present(Vec<(u32, f64)>),
}

impl CenteredLevelProportions {
    /// `places` are the positions of the classes among the classes of the node.
    fn new(cells: &[LevelClassCount], size: f64, places: &[u32], mean: &[f64]) -> Self {
        let proportions = cells.iter().map(|cell| (places[cell.class], cell.mass / size));
        if mean.len() > MOST_IN_TABLE {
            return Self::Present(proportions.filter(|cell| cell.1 > 0.0).collect());
        }
        let mut centered: Vec<f64> = mean.iter().map(|mean| -mean).collect();
        proportions.for_each(|(at, x)| centered[at as usize] = x - mean[at as usize]);
        Self::Centered(centered)
    }

    /// Scalar product of (class proportions minus their mean over all levels) and `direction`.
    ///
    /// `of_mean` is the scalar product of the mean and `direction`.
    fn dot(&self, direction: &[f64], of_mean: f64) -> f64 {
        match self {
            Self::Centered(row) => dot(row, direction),
            Self::Present(row) => {
                row.iter().map(|&(at, x)| x * direction[at as usize]).sum::<f64>() - of_mean
            }
        }
    }

    /// Squared distance of the level's class proportions from their mean over all levels.
    ///
    /// `of_mean` is the squared length of the mean.
    fn squared_norm(&self, mean: &[f64], of_mean: f64) -> f64 {
        match self {
            Self::Centered(row) => dot(row, row),
            Self::Present(row) => {
                let moved = |&(at, x): &(u32, f64)| {
                    let mean = mean[at as usize];
                    (x - mean) * (x - mean) - mean * mean
                };
                row.iter().map(moved).sum::<f64>() + of_mean
            }
        }
    }

    /// Adds `factor` times the stored proportions to `sum`.
    ///
    /// Returns the factor of the mean that the caller must subtract from `sum`. It is 0 if the mean was
    /// already subtracted from the stored proportions.
    fn add_scaled(&self, sum: &mut [f64], factor: f64) -> f64 {
        match self {
            Self::Centered(row) => {
                sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += factor * x);
                0.0
            }
            Self::Present(row) => {
                for &(at, x) in row {
                    sum[at as usize] += factor * x;
                }
                factor
            }
        }
    }
}

/// Iterator over all nonempty sets of levels that do not contain the last level.
///
/// Their complements are left out, because a set and its complement give the same split. Sets are encoded as
/// bit masks. The class sums of a set are always sums over its levels, not differences, so no digits are lost
/// by cancellation.
pub(crate) struct LevelSubsets<'l> {
    levels: &'l LevelSums,
    code: usize,
    /// Entry `i` has the class sums of the set's `i + 1` levels with the highest positions.
    partial: Vec<ClassSums>,
}

impl<'l> LevelSubsets<'l> {
    pub(crate) fn new(levels: &'l LevelSums) -> Self {
        Self { levels, code: 0, partial: Vec::new() }
    }

    pub(crate) fn next(&mut self) -> Option<(usize, &ClassSums)> {
        self.code += 1;
        if self.code >= 1 << (self.levels.len() - 1) {
            return None;
        }
        let lowest = self.code.trailing_zeros() as usize;
        self.partial.truncate(self.partial.len() - lowest);
        let mut sums = ClassSums::zero(self.levels.n_classes);
        self.levels.add_level_to_sums(lowest, &mut sums);
        if let Some(higher) = self.partial.last() {
            sums.add(higher);
        }
        self.partial.push(sums);
        self.partial.last().map(|sums| (self.code, sums))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(masses: &[&[u32]]) -> (LevelSums, ClassSums) {
        let mut levels = LevelSums::new(masses[0].len(), masses.len());
        let mut all = ClassSums::zero(masses[0].len());
        for (&rows, code) in masses.iter().zip(0..) {
            let mass = rows.iter().map(|&n| f64::from(n)).collect();
            levels.add_level(code, &ClassSums { rows: rows.to_vec(), mass });
            levels.add_level_to_sums(code as usize, &mut all);
        }
        (levels, all)
    }

    #[test]
    fn every_set_comes_once_with_the_sums_of_its_members() {
        let (levels, _) = levels(&[&[1, 0], &[2, 5], &[4, 1], &[8, 3]]);
        let mut sets = LevelSubsets::new(&levels);
        let mut seen = Vec::new();
        while let Some((code, sums)) = sets.next() {
            let members = (0..4).filter(|place| code >> place & 1 == 1);
            let expected: f64 = members.map(|place| levels.class_mass(place, 0)).sum();
            assert_eq!((f64::from(sums.rows[0]), sums.mass[0]), (expected, expected));
            seen.push(code);
        }
        assert_eq!(seen, (1..8).collect::<Vec<_>>());
    }

    #[test]
    fn two_classes_are_ordered_by_share_and_ties_by_code() {
        let (levels, node) = levels(&[&[1, 3], &[2, 2], &[4, 0], &[1, 1]]);
        assert_eq!(prefix_level_order(&levels, &node), Some(vec![2, 1, 3, 0]));
    }

    #[test]
    fn many_levels_of_weighted_classes_are_ordered_by_share() {
        let mut state = 7_u32;
        let mut drawn = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            1 + (state >> 16) % 60
        };
        for weights in [[0.5 / 0.97, 0.5 / 0.03], [1.0 / 3.0, 0.7]] {
            let mut levels = LevelSums::new(2, 4000);
            for code in 0..4000 {
                let rows = vec![drawn(), drawn()];
                let mass = rows.iter().zip(weights).map(|(&n, weight)| f64::from(n) * weight).collect();
                levels.add_level(code, &ClassSums { rows, mass });
            }
            let order =
                prefix_level_order(&levels, &ClassSums { rows: vec![1, 1], mass: weights.to_vec() }).unwrap();
            for two in order.windows(2) {
                let [a, b] = [levels.level_class_counts(two[0]), levels.level_class_counts(two[1])];
                assert!(a[1].rows * b[0].rows <= b[1].rows * a[0].rows, "{a:?} before {b:?}");
            }
        }
    }

    #[test]
    fn the_principal_component_parts_two_clusters_of_levels() {
        let rows: Vec<Vec<u32>> =
            (0..12).map(|i| if i % 3 == 0 { vec![9, 1, i] } else { vec![1, 9, 12 - i] }).collect();
        let (levels, node) = levels(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let order = prefix_level_order(&levels, &node).unwrap();
        let mut ends: [Vec<usize>; 2] = [order[..4].to_vec(), order[8..].to_vec()];
        for end in &mut ends {
            end.sort_unstable();
        }
        assert!(ends.contains(&vec![0, 3, 6, 9]), "{order:?}");
    }
}
