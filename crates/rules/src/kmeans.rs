//! Weighted k-means: seeding, Lloyd iterations and restarts, with a fixed order for ties.

use imbcore_core::{Error, MISSING, Result, RunContext, SeedKey, parallel, tags, uniform};

/// Initialization of the centers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// k-means++ (Arthur and Vassilvitskii 2007).
    ///
    /// The probability that a point becomes the next center is proportional to its weight times its squared
    /// distance to the nearest center.
    PlusPlus,
    /// Initialization of the program of Goh and Rudin (2014).
    ///
    /// The first center is a random point. Each further center is the point with the largest sum of distances
    /// to the centers chosen before.
    Farthest,
}

/// Parameters of k-means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KMeans {
    /// Maximum number of clusters; it is limited by the number of points.
    pub k: usize,
    /// Number of starts, of which the first with the smallest sum of squared distances is kept.
    pub n_init: u32,
    /// Maximum number of iterations per start.
    pub max_iter: u32,
    /// Initialization of each start.
    pub seeding: Seeding,
}

/// Distinct points with weights, stored row by row.
///
/// A nominal feature is treated as one coordinate per level: [`LEVEL`] for the level of the point and 0 for
/// all other levels. Only the level is stored, so time and memory are linear in the number of levels.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedPoints {
    /// Numeric values and levels, `n x width`; levels are encoded by [`encode_level`].
    pub values: Vec<f64>,
    /// Weight of every point, positive.
    pub weights: Vec<f64>,
    /// Number of features of a point.
    pub width: usize,
    /// Number of levels of every feature; 0 for a numeric feature.
    pub levels: Vec<u32>,
}

/// Value of the coordinate of the level that a point has.
///
/// With it, points of different levels are at distance 2, like the two ends of a scaled numeric feature.
const LEVEL: f64 = std::f64::consts::SQRT_2;

/// Encodes the code of a level as a number.
///
/// These numbers have the same sort order as the vectors of level coordinates.
pub(crate) fn encode_level(code: u32) -> f64 {
    -f64::from(code)
}

/// Decodes the number of a level; `None` if the level is missing.
fn decode_level(number: f64) -> Option<usize> {
    // A level code is below 2^32, so the conversion from the float is exact.
    #[allow(clippy::cast_sign_loss)]
    let code = -number as u32;
    (code != MISSING).then_some(code as usize)
}

impl WeightedPoints {
    /// Number of points.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether the number of points is 0.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    fn point(&self, index: usize) -> &[f64] {
        &self.values[index * self.width..(index + 1) * self.width]
    }

    fn squared_distance(&self, a: usize, b: usize) -> f64 {
        let squared_difference = |((&a, &b), &levels): ((&f64, &f64), &u32)| match levels {
            0 => (a - b) * (a - b),
            _ if a == b => 0.0,
            _ => [a, b].into_iter().filter_map(decode_level).map(|_| LEVEL * LEVEL).sum(),
        };
        self.point(a).iter().zip(self.point(b)).zip(&self.levels).map(squared_difference).sum()
    }

    /// Index of the first level of every feature in a joint list of the levels of all features.
    ///
    /// The last element is the number of all levels.
    fn level_offsets(&self) -> Vec<usize> {
        let mut first = vec![0];
        first.extend(self.levels.iter().scan(0, |end, &levels| {
            *end += levels as usize;
            Some(*end)
        }));
        first
    }
}

struct ClusterCenters {
    /// One number per cluster and feature, `k x width`.
    ///
    /// Coordinate of the center; for a nominal feature, sum of the squares of its coordinates in `levels`.
    numbers: Vec<f64>,
    /// Coordinates of all levels, `k x n_levels`.
    levels: Vec<f64>,
}

/// Clustering in which no cluster is empty, and its sum of squared distances.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterAssignment {
    /// Cluster of every point.
    pub of: Vec<u32>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// Weighted sum of the squared distances of the points to the centers of their clusters.
    ///
    /// It is not computed for a single cluster, and is then 0.
    pub inertia: f64,
}

impl KMeans {
    /// Clusters the points.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn fit(
        self,
        points: &WeightedPoints,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ClusterAssignment> {
        let k = self.k.min(points.len());
        if k <= 1 {
            return Ok(ClusterAssignment { of: vec![0; points.len()], n_clusters: k, inertia: 0.0 });
        }
        let table = TransposedPoints::new(points);
        let starts = parallel::try_map(0..self.n_init.max(1), |start| {
            let chosen =
                self.choose_initial_centers(points, k, key.child(tags::boxes::CENTERS, start), ctl)?;
            table.run_lloyd(&chosen, self, ctl)
        })?;
        // On ties `min_by` returns the first start.
        let best = starts.into_iter().min_by(|a, b| a.inertia.total_cmp(&b.inertia));
        best.ok_or_else(|| Error::Internal("k-means had no start".into()))
    }

    fn choose_initial_centers(
        self,
        points: &WeightedPoints,
        k: usize,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Vec<usize>> {
        let mut rng = key.rng();
        let n = points.len();
        let mut chosen = vec![draw_weighted_index(&points.weights, uniform(&mut rng))];
        let mut reach = vec![if self.seeding == Seeding::PlusPlus { f64::INFINITY } else { 0.0 }; n];
        while chosen.len() < k {
            ctl.check()?;
            let last = chosen[chosen.len() - 1];
            for (index, reach) in reach.iter_mut().enumerate() {
                let square = points.squared_distance(index, last);
                match self.seeding {
                    Seeding::PlusPlus => *reach = reach.min(square),
                    Seeding::Farthest => *reach += square.sqrt(),
                }
            }
            let next = match self.seeding {
                Seeding::PlusPlus => {
                    let chances: Vec<f64> = reach.iter().zip(&points.weights).map(|(r, w)| r * w).collect();
                    draw_weighted_index(&chances, uniform(&mut rng))
                }
                Seeding::Farthest => {
                    let free = (0..n).filter(|index| !chosen.contains(index));
                    free.fold(None, |best: Option<usize>, index| match best {
                        Some(best) if reach[best] >= reach[index] => Some(best),
                        _ => Some(index),
                    })
                    .unwrap_or_default()
                }
            };
            chosen.push(next);
        }
        Ok(chosen)
    }
}

/// Draws an index with a probability proportional to its number in `chances`.
///
/// `at` is the random number. If rounding leads beyond the last index, returns the last index with a positive
/// number.
fn draw_weighted_index(chances: &[f64], at: f64) -> usize {
    let total: f64 = chances.iter().sum();
    let mut left = at * total;
    let mut last = 0;
    for (index, &chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        last = index;
        if left < chance {
            return index;
        }
        left -= chance;
    }
    last
}

/// Points in blocks that are stored column by column, so that distance loops are vectorized.
struct TransposedPoints<'a> {
    points: &'a WeightedPoints,
    blocks: Vec<f64>,
    first_levels: Vec<usize>,
}

const SIDE: usize = 128;

impl<'a> TransposedPoints<'a> {
    fn new(points: &'a WeightedPoints) -> Self {
        let width = points.width;
        let mut blocks = vec![0.0; points.len().div_ceil(SIDE) * SIDE * width];
        for index in 0..points.len() {
            let (block, place) = (index / SIDE, index % SIDE);
            for (axis, &value) in points.point(index).iter().enumerate() {
                blocks[(block * width + axis) * SIDE + place] = value;
            }
        }
        Self { points, blocks, first_levels: points.level_offsets() }
    }

    /// Finds the nearest center of every point, and the squared distance to this center.
    ///
    /// On ties the first center is the nearest.
    fn assign_to_nearest_centers(&self, centers: &ClusterCenters, of: &mut [u32], nearest: &mut [f64]) {
        let (width, n_levels) = (self.points.width, self.n_levels());
        for (block, (of, nearest)) in of.chunks_mut(SIDE).zip(nearest.chunks_mut(SIDE)).enumerate() {
            nearest.fill(f64::INFINITY);
            for (number, center) in centers.numbers.chunks_exact(width).enumerate() {
                let mut squares = [0.0; SIDE];
                let of_levels = &centers.levels[number * n_levels..(number + 1) * n_levels];
                for (axis, &c) in center.iter().enumerate() {
                    let start = (block * width + axis) * SIDE;
                    let parts = squares.iter_mut().zip(&self.blocks[start..start + SIDE]);
                    if self.points.levels[axis] == 0 {
                        parts.for_each(|(square, x)| *square += (x - c) * (x - c));
                        continue;
                    }
                    let of_levels = &of_levels[self.first_levels[axis]..self.first_levels[axis + 1]];
                    for (square, &x) in parts {
                        // The point has the coordinate `LEVEL` for its level and 0 for all other levels. The
                        // number `c` is the sum of the squared level coordinates of the center.
                        *square += decode_level(x).map_or(c, |level| {
                            let own = of_levels[level];
                            c - own * own + (LEVEL - own) * (LEVEL - own)
                        });
                    }
                }
                for ((best, of), &square) in nearest.iter_mut().zip(of.iter_mut()).zip(&squares) {
                    if square < *best {
                        *best = square;
                        *of = number as u32;
                    }
                }
            }
        }
    }

    fn n_levels(&self) -> usize {
        self.first_levels[self.points.width]
    }

    fn run_lloyd(&self, chosen: &[usize], how: KMeans, ctl: RunContext<'_>) -> Result<ClusterAssignment> {
        let (n, k) = (self.points.len(), chosen.len());
        let mut centers = self.zero_centers(k);
        for (cluster, &index) in chosen.iter().enumerate() {
            self.set_center(index, cluster, &mut centers);
        }
        let (mut of, mut nearest) = (vec![0_u32; n], vec![0.0; n]);
        let mut before = Vec::new();
        for _ in 0..how.max_iter.max(1) {
            ctl.check()?;
            self.assign_to_nearest_centers(&centers, &mut of, &mut nearest);
            if how.seeding == Seeding::PlusPlus {
                fill_empty_clusters(k, &mut of, &mut nearest);
            }
            if of == before {
                break;
            }
            before.clone_from(&of);
            self.update_means(&mut of.iter().map(|&cluster| cluster as usize).enumerate(), &mut centers);
        }
        let inertia = nearest.iter().zip(&self.points.weights).map(|(square, weight)| square * weight).sum();
        Ok(remove_empty_clusters(of, k, inertia))
    }

    fn zero_centers(&self, k: usize) -> ClusterCenters {
        ClusterCenters { numbers: vec![0.0; k * self.points.width], levels: vec![0.0; k * self.n_levels()] }
    }

    /// Sets the center of a cluster to a point; the old coordinates of the center must be 0.
    fn set_center(&self, index: usize, cluster: usize, centers: &mut ClusterCenters) {
        let (width, n_levels) = (self.points.width, self.n_levels());
        for (axis, &value) in self.points.point(index).iter().enumerate() {
            let number = &mut centers.numbers[cluster * width + axis];
            if self.points.levels[axis] == 0 {
                *number = value;
            } else if let Some(level) = decode_level(value) {
                *number = LEVEL * LEVEL;
                centers.levels[cluster * n_levels + self.first_levels[axis] + level] = LEVEL;
            }
        }
    }

    /// Sets each center to the weighted mean of its points.
    ///
    /// The center of an empty cluster does not change.
    fn update_means(&self, of: &mut dyn Iterator<Item = (usize, usize)>, centers: &mut ClusterCenters) {
        let (width, n_levels) = (self.points.width, self.n_levels());
        let k = centers.numbers.len() / width;
        let (mut sums, mut weights) = (self.zero_centers(k), vec![0.0; k]);
        for (index, cluster) in of {
            let weight = self.points.weights[index];
            weights[cluster] += weight;
            for (axis, &value) in self.points.point(index).iter().enumerate() {
                if self.points.levels[axis] == 0 {
                    sums.numbers[cluster * width + axis] += weight * value;
                } else if let Some(level) = decode_level(value) {
                    sums.levels[cluster * n_levels + self.first_levels[axis] + level] += weight * LEVEL;
                }
            }
        }
        for (cluster, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            for level in cluster * n_levels..(cluster + 1) * n_levels {
                centers.levels[level] = sums.levels[level] / weight;
            }
            for axis in 0..width {
                let levels = cluster * n_levels + self.first_levels[axis]
                    ..cluster * n_levels + self.first_levels[axis + 1];
                centers.numbers[cluster * width + axis] = if levels.is_empty() {
                    sums.numbers[cluster * width + axis] / weight
                } else {
                    centers.levels[levels].iter().map(|value| value * value).sum()
                };
            }
        }
    }
}

/// Moves to each empty cluster the point that is farthest from the center of its own cluster.
///
/// A point that is alone in its cluster is not moved. On ties the first point is moved.
fn fill_empty_clusters(k: usize, of: &mut [u32], nearest: &mut [f64]) {
    let mut sizes = vec![0_usize; k];
    for &cluster in &*of {
        sizes[cluster as usize] += 1;
    }
    for cluster in 0..k {
        if sizes[cluster] > 0 {
            continue;
        }
        let movable = (0..of.len()).filter(|&index| sizes[of[index] as usize] > 1);
        let far = movable.fold(None, |best: Option<usize>, index| match best {
            Some(best) if nearest[best] >= nearest[index] => Some(best),
            _ => Some(index),
        });
        let Some(far) = far else { return };
        sizes[of[far] as usize] -= 1;
        sizes[cluster] = 1;
        (of[far], nearest[far]) = (cluster as u32, 0.0);
    }
}

fn remove_empty_clusters(mut of: Vec<u32>, k: usize, inertia: f64) -> ClusterAssignment {
    let mut number = vec![u32::MAX; k];
    for &cluster in &of {
        number[cluster as usize] = 0;
    }
    let mut n_clusters = 0;
    for slot in number.iter_mut().filter(|slot| **slot == 0) {
        *slot = n_clusters;
        n_clusters += 1;
    }
    for cluster in &mut of {
        *cluster = number[*cluster as usize];
    }
    ClusterAssignment { of, n_clusters: n_clusters as usize, inertia }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(values: &[f64], width: usize) -> WeightedPoints {
        let weights = vec![1.0; values.len() / width];
        WeightedPoints { values: values.to_vec(), weights, width, levels: vec![0; width] }
    }

    fn kmeans(k: usize, seeding: Seeding) -> KMeans {
        KMeans { k, n_init: 5, max_iter: 300, seeding }
    }

    #[test]
    fn both_seedings_find_separated_groups() {
        let found = points(&[0.0, 0.1, 5.0, 5.1, 9.0], 1);
        for seeding in [Seeding::PlusPlus, Seeding::Farthest] {
            let clusters = kmeans(3, seeding).fit(&found, SeedKey::root(1), RunContext::silent()).unwrap();
            let of = &clusters.of;
            assert!(of[0] == of[1] && of[2] == of[3] && of[0] != of[2] && of[4] != of[0] && of[4] != of[2]);
            assert!((clusters.inertia - 0.01).abs() < 1e-12);
        }
    }

    #[test]
    fn k_is_limited_by_the_number_of_points() {
        let clusters =
            kmeans(7, Seeding::PlusPlus).fit(&points(&[1.0, 2.0], 1), SeedKey::root(0), RunContext::silent());
        let clusters = clusters.unwrap();
        assert_eq!((clusters.n_clusters, clusters.inertia), (2, 0.0));
        let none = kmeans(3, Seeding::PlusPlus).fit(&points(&[], 1), SeedKey::root(0), RunContext::silent());
        assert_eq!(none.unwrap().n_clusters, 0);
    }

    proptest! {
        /// Invariant: a nominal feature gives the same clusters as one numeric coordinate per level.
        #[test]
        fn levels_are_coordinates(
            rows in prop::collection::vec((-9_i8..9, 0_u32..5, 0_u32..3, 0_usize..3), 3..200),
        ) {
            let level = |code: u32, levels: u32| if code + 1 == levels { MISSING } else { code };
            let coordinates = |code: u32, levels: u32| {
                (0..levels).map(move |at| if at == code { LEVEL } else { 0.0 })
            };
            let (mut values, mut dense) = (Vec::new(), Vec::new());
            for &(number, first, second, _) in &rows {
                let (first, second) = (level(first, 5), level(second, 3));
                values.extend([encode_level(first), f64::from(number), encode_level(second)]);
                dense.extend(coordinates(first, 4));
                dense.push(f64::from(number));
                dense.extend(coordinates(second, 2));
            }
            let points = WeightedPoints { levels: vec![4, 0, 2], ..points(&values, 3) };
            let dense = self::points(&dense, 7);
            let clusters = || rows.iter().map(|row| row.3).enumerate();
            let nearest = |points: &WeightedPoints| {
                let table = TransposedPoints::new(points);
                let mut centers = table.zero_centers(3);
                table.update_means(&mut clusters(), &mut centers);
                let (mut of, mut nearest) = (vec![0; points.len()], vec![0.0; points.len()]);
                table.assign_to_nearest_centers(&centers, &mut of, &mut nearest);
                nearest
            };
            for (a, b) in nearest(&points).into_iter().zip(nearest(&dense)) {
                prop_assert!((a - b).abs() < 1e-9);
            }
            for at in 1..points.len() {
                prop_assert!((points.squared_distance(0, at) - dense.squared_distance(0, at)).abs() < 1e-12);
                let order = |points: &WeightedPoints| {
                    let pairs = points.point(0).iter().zip(points.point(at));
                    pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne())
                };
                prop_assert_eq!(order(&points), order(&dense));
            }
        }

        #[test]
        fn no_point_is_nearer_to_another_mean_and_no_cluster_is_empty(
            values in prop::collection::vec(-9_i8..9, 8..120),
            k in 2..6_usize,
            seed in 0..99_u64,
        ) {
            let mut pairs: Vec<[i8; 2]> = values.as_chunks::<2>().0.to_vec();
            pairs.sort_unstable();
            pairs.dedup();
            let values: Vec<f64> = pairs.iter().flatten().map(|&v| f64::from(v)).collect();
            let points = points(&values, 2);
            let clusters = kmeans(k, Seeding::PlusPlus).fit(&points, SeedKey::root(seed), RunContext::silent()).unwrap();
            prop_assert_eq!(clusters.n_clusters, k.min(points.len()));
            let table = TransposedPoints::new(&points);
            let mut centers = table.zero_centers(clusters.n_clusters);
            table.update_means(&mut clusters.of.iter().map(|&cluster| cluster as usize).enumerate(), &mut centers);
            let centers = centers.numbers;
            let mut inertia = 0.0;
            for (index, &own) in clusters.of.iter().enumerate() {
                let to = |cluster: usize| {
                    let center = &centers[cluster * 2..cluster * 2 + 2];
                    points.point(index).iter().zip(center).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()
                };
                let least = (0..clusters.n_clusters).map(to).fold(f64::INFINITY, f64::min);
                prop_assert!(to(own as usize) <= least + 1e-9);
                inertia += to(own as usize);
            }
            prop_assert!((inertia - clusters.inertia).abs() < 1e-9);
        }
    }
}
