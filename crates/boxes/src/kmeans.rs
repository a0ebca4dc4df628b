//! k-means on the minority class: seeding, Lloyd's steps and restarts, with every tie fixed.

use imbcore_base::{Error, Result, RunCtl, SeedKey, share, tags, uniform};

/// How the first centres are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// Arthur and Vassilvitskii 2007: drawn with chances proportional to the squared distance to the nearest centre.
    PlusPlus,
    /// The program of Goh and Rudin (2014): a random point, then always the point with the largest sum of distances to
    /// the chosen ones.
    Farthest,
}

/// What k-means is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KMeans {
    /// Number of clusters, cut to the number of points.
    pub k: usize,
    /// Number of starts, of which the lowest sum of squared distances is kept, the first of equals.
    pub n_init: u32,
    /// Most steps of one start.
    pub max_iter: u32,
    /// How starts are made.
    pub seeding: Seeding,
}

/// Distinct points with weights, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Coordinates, `n x width`.
    pub values: Vec<f64>,
    /// Weight of every point, positive.
    pub weights: Vec<f64>,
    /// Coordinates of a point.
    pub width: usize,
}

impl Points {
    /// Number of points.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    fn point(&self, index: usize) -> &[f64] {
        &self.values[index * self.width..(index + 1) * self.width]
    }
}

/// Cluster of every point, without empty clusters, and the weighted sum of squared distances to the centres.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    /// Cluster of every point.
    pub of: Vec<u32>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// Weighted sum of squared distances.
    pub inertia: f64,
}

impl KMeans {
    /// Clusters of the points.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn fit(self, points: &Points, key: SeedKey, ctl: RunCtl<'_>) -> Result<Clusters> {
        let k = self.k.min(points.len());
        if k <= 1 {
            return Ok(Clusters { of: vec![0; points.len()], n_clusters: k, inertia: 0.0 });
        }
        let table = Table::new(points);
        let starts = share::try_map(0..self.n_init.max(1), |start| {
            let centres = self.seed(points, k, key.child(tags::boxes::CENTRES, start), ctl)?;
            table.lloyd(centres, self, ctl)
        })?;
        // `min_by` keeps the first of equals.
        let best = starts.into_iter().min_by(|a, b| a.inertia.total_cmp(&b.inertia));
        best.ok_or_else(|| Error::Internal("k-means had no start".into()))
    }

    fn seed(self, points: &Points, k: usize, key: SeedKey, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let mut rng = key.rng();
        let n = points.len();
        let mut chosen = vec![draw(&points.weights, uniform(&mut rng))];
        let mut reach = vec![if self.seeding == Seeding::PlusPlus { f64::INFINITY } else { 0.0 }; n];
        while chosen.len() < k {
            ctl.check()?;
            let last = points.point(chosen[chosen.len() - 1]);
            for (index, reach) in reach.iter_mut().enumerate() {
                let square = distance(points.point(index), last);
                match self.seeding {
                    Seeding::PlusPlus => *reach = reach.min(square),
                    Seeding::Farthest => *reach += square.sqrt(),
                }
            }
            let next = match self.seeding {
                Seeding::PlusPlus => {
                    let chances: Vec<f64> = reach.iter().zip(&points.weights).map(|(r, w)| r * w).collect();
                    draw(&chances, uniform(&mut rng))
                }
                Seeding::Farthest => {
                    let free = (0..n).filter(|index| !chosen.contains(index));
                    // The first of the farthest.
                    free.fold(None, |best: Option<usize>, index| match best {
                        Some(best) if reach[best] >= reach[index] => Some(best),
                        _ => Some(index),
                    })
                    .unwrap_or_default()
                }
            };
            chosen.push(next);
        }
        Ok(chosen.iter().flat_map(|&index| points.point(index).to_vec()).collect())
    }
}

/// Index drawn with chances proportional to `chances`; the last possible one where rounding runs over the end.
fn draw(chances: &[f64], at: f64) -> usize {
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

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Points coordinate by coordinate in blocks, so that distances of neighbouring points are found side by side.
struct Table<'a> {
    points: &'a Points,
    blocks: Vec<f64>,
}

/// Points of a block.
const SIDE: usize = 128;

impl<'a> Table<'a> {
    fn new(points: &'a Points) -> Self {
        let width = points.width;
        let mut blocks = vec![0.0; points.len().div_ceil(SIDE) * SIDE * width];
        for index in 0..points.len() {
            let (block, place) = (index / SIDE, index % SIDE);
            for (axis, &value) in points.point(index).iter().enumerate() {
                blocks[(block * width + axis) * SIDE + place] = value;
            }
        }
        Self { points, blocks }
    }

    /// Nearest centre of every point, the lowest number of equals, and the squared distance to it.
    fn assign(&self, centres: &[f64], of: &mut [u32], nearest: &mut [f64]) {
        let width = self.points.width;
        for (block, (of, nearest)) in of.chunks_mut(SIDE).zip(nearest.chunks_mut(SIDE)).enumerate() {
            nearest.fill(f64::INFINITY);
            for (number, centre) in centres.chunks_exact(width).enumerate() {
                let mut squares = [0.0; SIDE];
                for (axis, &c) in centre.iter().enumerate() {
                    let start = (block * width + axis) * SIDE;
                    for (square, x) in squares.iter_mut().zip(&self.blocks[start..start + SIDE]) {
                        *square += (x - c) * (x - c);
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

    fn lloyd(&self, mut centres: Vec<f64>, how: KMeans, ctl: RunCtl<'_>) -> Result<Clusters> {
        let (n, width) = (self.points.len(), self.points.width);
        let k = centres.len() / width;
        let (mut of, mut nearest) = (vec![0_u32; n], vec![0.0; n]);
        let mut before = Vec::new();
        for _ in 0..how.max_iter.max(1) {
            ctl.check()?;
            self.assign(&centres, &mut of, &mut nearest);
            if how.seeding == Seeding::PlusPlus {
                fill_empty(k, &mut of, &mut nearest);
            }
            if of == before {
                break;
            }
            before.clone_from(&of);
            self.means(&of, &mut centres);
        }
        let inertia = nearest.iter().zip(&self.points.weights).map(|(square, weight)| square * weight).sum();
        Ok(without_empty(of, k, inertia))
    }

    /// Weighted means of the clusters; an empty cluster keeps its centre.
    fn means(&self, of: &[u32], centres: &mut [f64]) {
        let width = self.points.width;
        let k = centres.len() / width;
        let (mut sums, mut weights) = (vec![0.0; centres.len()], vec![0.0; k]);
        for (index, &cluster) in of.iter().enumerate() {
            let (cluster, weight) = (cluster as usize, self.points.weights[index]);
            weights[cluster] += weight;
            let sums = &mut sums[cluster * width..(cluster + 1) * width];
            for (sum, value) in sums.iter_mut().zip(self.points.point(index)) {
                *sum += weight * value;
            }
        }
        for (cluster, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            for axis in cluster * width..(cluster + 1) * width {
                centres[axis] = sums[axis] / weight;
            }
        }
    }
}

/// Gives every empty cluster the point farthest from its centre, the first of equals.
fn fill_empty(k: usize, of: &mut [u32], nearest: &mut [f64]) {
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

/// Clusters numbered anew, without empty ones.
fn without_empty(mut of: Vec<u32>, k: usize, inertia: f64) -> Clusters {
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
    Clusters { of, n_clusters: n_clusters as usize, inertia }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(values: &[f64], width: usize) -> Points {
        Points { values: values.to_vec(), weights: vec![1.0; values.len() / width], width }
    }

    fn kmeans(k: usize, seeding: Seeding) -> KMeans {
        KMeans { k, n_init: 5, max_iter: 300, seeding }
    }

    #[test]
    fn far_groups_are_found_by_either_seeding() {
        let found = points(&[0.0, 0.1, 5.0, 5.1, 9.0], 1);
        for seeding in [Seeding::PlusPlus, Seeding::Farthest] {
            let clusters = kmeans(3, seeding).fit(&found, SeedKey::root(1), RunCtl::silent()).unwrap();
            let of = &clusters.of;
            assert!(of[0] == of[1] && of[2] == of[3] && of[0] != of[2] && of[4] != of[0] && of[4] != of[2]);
            assert!((clusters.inertia - 0.01).abs() < 1e-12);
        }
    }

    #[test]
    fn k_is_cut_to_the_number_of_points() {
        let clusters =
            kmeans(7, Seeding::PlusPlus).fit(&points(&[1.0, 2.0], 1), SeedKey::root(0), RunCtl::silent());
        let clusters = clusters.unwrap();
        assert_eq!((clusters.n_clusters, clusters.inertia), (2, 0.0));
        let none = kmeans(3, Seeding::PlusPlus).fit(&points(&[], 1), SeedKey::root(0), RunCtl::silent());
        assert_eq!(none.unwrap().n_clusters, 0);
    }

    proptest! {
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
            let clusters = kmeans(k, Seeding::PlusPlus).fit(&points, SeedKey::root(seed), RunCtl::silent()).unwrap();
            prop_assert_eq!(clusters.n_clusters, k.min(points.len()));
            let mut centres = vec![0.0; clusters.n_clusters * 2];
            Table::new(&points).means(&clusters.of, &mut centres);
            let mut inertia = 0.0;
            for (index, &own) in clusters.of.iter().enumerate() {
                let to = |cluster: usize| distance(points.point(index), &centres[cluster * 2..cluster * 2 + 2]);
                let least = (0..clusters.n_clusters).map(to).fold(f64::INFINITY, f64::min);
                prop_assert!(to(own as usize) <= least + 1e-9);
                inertia += to(own as usize);
            }
            prop_assert!((inertia - clusters.inertia).abs() < 1e-9);
        }
    }
}
