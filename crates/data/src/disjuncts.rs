//! Two classes in Gaussian clusters on the squares of a checkerboard (small disjuncts).
//!
//! Morán Jiménez 2018, section 9.2, after Japkowicz 2001.

use imbcore_core::memory::try_with_capacity;
use imbcore_core::{Error, Result, RunContext, SeedKey, random_below, tags, uniform};
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

/// Size distribution of the minority's clusters.
///
/// Cluster `c = 1, 2, ...` has a probability proportional to the formula of the variant; `d` is
/// [`CheckerboardParams::interclass`].
///
/// There are variants because the thesis (Morán Jiménez 2018) contradicts itself. It prints the formula
/// `1.75 (d - 1)^c`. There, 1.75 has no effect, and `d = 1` gives 0. Its text states that all clusters are
/// equally likely at `d = 1`, and more uneven for larger `d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClusterSizeDistribution {
    /// Cluster number c has a probability proportional to `1.75^((d - 1) c)`.
    ///
    /// `d` is [`CheckerboardParams::interclass`]. The formula agrees with the text of the thesis (Morán
    /// Jiménez 2018) and uses its constant 1.75.
    Power,
    /// Cluster number c has a probability proportional to `d^c`.
    ///
    /// `d` is [`CheckerboardParams::interclass`]. The formula agrees with the text of the thesis (Morán
    /// Jiménez 2018) but does not use its constant 1.75.
    Shifted,
    /// Cluster number c has a probability proportional to `(d - 1)^c`.
    ///
    /// `d` is [`CheckerboardParams::interclass`]. The thesis (Morán Jiménez 2018) prints this formula. The
    /// clusters are equally likely at `d = 2`.
    Literal,
}

/// Whether `2^complexity` is the number of clusters of each class or of both together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClusterCountScope {
    /// There are `2^complexity` clusters in each class.
    PerClass,
    /// There are `2^complexity` clusters in both classes together.
    Total,
}

/// Parameters of the checkerboard data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckerboardParams {
    /// Base-2 logarithm of the number of clusters, as [`ClusterCountScope`] counts them.
    pub complexity: u32,
    /// Whether the number of clusters is for each class or for both classes together.
    pub clusters: ClusterCountScope,
    /// Width of the whole board.
    pub width: f64,
    /// Class of the lower left square.
    pub lower_left: u32,
    /// Proportion of the minority class.
    pub minority_fraction: f64,
    /// Parameter d in [`ClusterSizeDistribution`]; it determines how unequal sizes are.
    pub interclass: f64,
    /// Overlap of the clusters.
    ///
    /// The standard deviation of a cluster is the side length of a square divided by `6 - overlap`.
    pub overlap: f64,
    /// Formula for the sizes of the minority's clusters.
    pub variant: ClusterSizeDistribution,
}

/// Points with their classes and clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct DisjunctData {
    /// Coordinates x, y of every point, row-major.
    pub points: Vec<f64>,
    /// Class of every point, 1 for the minority.
    pub classes: Vec<u32>,
    /// Cluster of every point, numbered from 0 in its class.
    ///
    /// The number is an index into [`CheckerboardParams::cluster_centers`] of the class.
    pub clusters: Vec<u32>,
}

impl CheckerboardParams {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self) -> Result<()> {
        let fail = |name: &str, expected: &str, got: &dyn std::fmt::Display| {
            Err(Error::parameter("make_disjunct_grid", name, expected, got))
        };
        if self.complexity > 16 {
            return fail("complexity", "a whole number from 0 to 16", &self.complexity);
        }
        if self.clusters == ClusterCountScope::Total && self.complexity == 0 {
            return fail(
                "complexity",
                "at least 1 for clusters=\"total\", which gives one cluster per class",
                &0,
            );
        }
        if !(self.width > 0.0 && self.width.is_finite()) {
            return fail("width", "a number above 0", &self.width);
        }
        if !(0.0..=1.0).contains(&self.minority_fraction) {
            return fail("minority_fraction", "in [0, 1]", &self.minority_fraction);
        }
        if !(self.interclass.is_finite() && self.interclass >= 1.0) {
            return fail("interclass", "finite and at least 1", &self.interclass);
        }
        if self.variant == ClusterSizeDistribution::Literal && self.interclass == 1.0 {
            return fail(
                "interclass",
                "above 1 for variant=\"literal\", which is 0/0 at 1",
                &self.interclass,
            );
        }
        if !(self.overlap.is_finite() && self.overlap < 6.0) {
            return fail("overlap", "finite and below 6", &self.overlap);
        }
        Ok(())
    }

    /// Number of columns and number of rows of the checkerboard.
    fn board_shape(&self) -> (u32, u32) {
        let squares = self.complexity + u32::from(self.clusters == ClusterCountScope::PerClass);
        (1 << squares.div_ceil(2), 1 << (squares / 2))
    }

    /// Side length of a square.
    pub fn square_side_length(&self) -> f64 {
        self.width / f64::from(self.board_shape().0)
    }

    /// Standard deviation of a cluster along both axes.
    pub fn cluster_standard_deviation(&self) -> f64 {
        self.square_side_length() / (6.0 - self.overlap)
    }

    /// Centers of the clusters of a class, row by row from the lower left.
    ///
    /// The lower left square has the class [`CheckerboardParams::lower_left`].
    pub fn cluster_centers(&self, class: u32) -> Vec<[f64; 2]> {
        let (columns, rows) = self.board_shape();
        let coordinate = |index: u32, count: u32| {
            (f64::from(index) - f64::from(count - 1) / 2.0) * self.square_side_length()
        };
        let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        squares
            .filter(|(column, row)| (column + row + self.lower_left) % 2 == class)
            .map(|(column, row)| [coordinate(column, columns), coordinate(row, rows)])
            .collect()
    }

    /// Probability of each cluster for a point of the minority class.
    pub fn minority_cluster_probabilities(&self) -> Vec<f64> {
        let d = self.interclass;
        let log_base = match self.variant {
            ClusterSizeDistribution::Power => (d - 1.0) * 1.75_f64.ln(),
            ClusterSizeDistribution::Shifted => d.ln(),
            ClusterSizeDistribution::Literal => (d - 1.0).ln(),
        };
        // Powers are divided by the power of the most likely cluster, so that no power overflows.
        let (columns, rows) = self.board_shape();
        let n = columns * rows / 2;
        let likeliest = if log_base < 0.0 { 1 } else { n };
        let powers: Vec<f64> =
            (1..=n).map(|c| (log_base * (f64::from(c) - f64::from(likeliest))).exp()).collect();
        let sum: f64 = powers.iter().sum();
        powers.iter().map(|power| power / sum).collect()
    }

    /// Draws `n_rows` points, the points of the majority class first.
    ///
    /// `round(minority_fraction n_rows)` points belong to the minority class. A point of the majority class
    /// comes from each cluster of this class with equal probability. The points of a class depend only on the
    /// seed and the class. So the number of points of one class does not affect the points of the other
    /// class.
    ///
    /// # Errors
    /// Same errors as [`CheckerboardParams::check`]; [`Error::Data`] for 2^31 points or more;
    /// [`Error::Memory`]; [`Error::Cancelled`].
    pub fn draw_points(&self, n_rows: u32, key: SeedKey, ctl: RunContext<'_>) -> Result<DisjunctData> {
        self.check()?;
        if n_rows >= 1 << 31 {
            let most = i32::MAX;
            return Err(Error::Data(format!("{n_rows} points were requested; at most {most} are supported")));
        }
        let sum_up = |sum: &mut f64, p: f64| {
            *sum += p;
            Some(*sum)
        };
        let cumulated: Vec<f64> =
            self.minority_cluster_probabilities().into_iter().scan(0.0, sum_up).collect();
        // The product is not negative, and it is at most `n_rows`.
        #[allow(clippy::cast_sign_loss)]
        let minority = (self.minority_fraction * f64::from(n_rows)).round() as u32;
        let n = n_rows as usize;
        let (classes, clusters) = (try_with_capacity(n, "points")?, try_with_capacity(n, "points")?);
        let mut found = DisjunctData { points: try_with_capacity(2 * n, "points")?, classes, clusters };
        for (class, n) in [(0, n_rows - minority), (1, minority)] {
            let mut rng = key.child(tags::made::DISJUNCTS, class).rng();
            let centers = self.cluster_centers(class);
            for drawn in 0..n {
                ctl.check_periodically(drawn as usize)?;
                let cluster = if class == 0 {
                    random_below(&mut rng, centers.len() as u32)
                } else {
                    let u = uniform(&mut rng);
                    cumulated.partition_point(|&sum| sum <= u).min(centers.len() - 1) as u32
                };
                for middle in centers[cluster as usize] {
                    let normal: f64 = StandardNormal.sample(&mut rng);
                    found.points.push(middle + self.cluster_standard_deviation() * normal);
                }
                found.classes.push(class);
                found.clusters.push(cluster);
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: CheckerboardParams = CheckerboardParams {
        complexity: 2,
        clusters: ClusterCountScope::PerClass,
        width: 2.0,
        lower_left: 1,
        minority_fraction: 0.25,
        interclass: 2.0,
        overlap: 1.0,
        variant: ClusterSizeDistribution::Power,
    };

    #[test]
    fn points_follow_their_distributions() {
        let n = 80_000;
        let found = GRID.draw_points(n, SeedKey::root(3), RunContext::silent()).unwrap();
        assert_eq!(found.classes.iter().sum::<u32>(), 20_000);
        let distributions = [vec![0.25; 4], GRID.minority_cluster_probabilities()];
        for class in 0..2 {
            let centers = GRID.cluster_centers(class);
            for (cluster, p) in distributions[class as usize].iter().enumerate() {
                let rows: Vec<usize> = (0..n as usize)
                    .filter(|&row| found.classes[row] == class && found.clusters[row] == cluster as u32)
                    .collect();
                let own = if class == 1 { 20_000.0 } else { 60_000.0 };
                let count = rows.len() as f64;
                // The tolerances are five standard deviations of a binomial count, and five standard errors
                // of a mean and of a variance.
                assert!((count - own * p).abs() < 5.0 * (own * p * (1.0 - p)).sqrt(), "{class} {cluster}");
                for (axis, center) in centers[cluster].iter().enumerate() {
                    let values: Vec<f64> = rows.iter().map(|&row| found.points[2 * row + axis]).collect();
                    let mean = values.iter().sum::<f64>() / count;
                    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
                    let expected = GRID.cluster_standard_deviation().powi(2);
                    assert!((mean - center).abs() < 5.0 * GRID.cluster_standard_deviation() / count.sqrt());
                    assert!((variance - expected).abs() < 5.0 * expected * (2.0 / count).sqrt());
                }
            }
        }
    }

    #[test]
    fn classes_have_separate_streams() {
        let draw = |minority_fraction, n| {
            CheckerboardParams { minority_fraction, ..GRID }
                .draw_points(n, SeedKey::root(5), RunContext::silent())
                .unwrap()
                .points
        };
        assert_eq!(draw(0.5, 10)[10..], draw(1.0, 5)[..]);
        assert_eq!(draw(0.5, 10)[..10], draw(0.0, 5)[..]);
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let message = |grid: CheckerboardParams| {
            grid.draw_points(10, SeedKey::root(0), RunContext::silent()).unwrap_err().to_string()
        };
        assert!(message(CheckerboardParams { complexity: 17, ..GRID }).contains("complexity"));
        assert!(
            message(CheckerboardParams { minority_fraction: f64::NAN, ..GRID }).contains("minority_fraction")
        );
        assert!(message(CheckerboardParams { interclass: 0.5, ..GRID }).contains("interclass"));
        for overlap in [6.0, f64::NEG_INFINITY, f64::NAN] {
            assert!(message(CheckerboardParams { overlap, ..GRID }).contains("overlap"));
        }
        let narrow = CheckerboardParams { overlap: -4.0, ..GRID };
        narrow.check().unwrap();
        assert_eq!(narrow.cluster_standard_deviation(), narrow.square_side_length() / 10.0);
        let literal =
            CheckerboardParams { interclass: 1.0, variant: ClusterSizeDistribution::Literal, ..GRID };
        assert!(message(literal).contains("literal"));
        assert!(message(CheckerboardParams { width: 0.0, ..GRID }).contains("width"));
        let one = CheckerboardParams { clusters: ClusterCountScope::Total, complexity: 0, ..GRID };
        assert!(message(one).contains("total"));
    }
}
