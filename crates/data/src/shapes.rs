//! Simulated data of Goh and Rudin 2014: a rare class within simple shapes.
//!
//! The published points of corner, castle and diamond3D are reproduced exactly: the authors drew them from
//! the default random generator of MATLAB. The other shapes are reconstructed by analogy. Their numbers of
//! positive points agree with the numbers printed in the paper within sampling error.

use imbcore_core::{Error, Result, SeedKey, tags, uniform, unknown_name_error};

/// Maximum number of redraws to reach the number of positive points printed in the paper.
///
/// Usually, a few hundred redraws are enough.
const MOST_ATTEMPTS: u32 = 100_000;

/// Points with their classes; only points inside the shape can have class 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeData {
    /// Coordinates of every point, row-major.
    pub points: Vec<f64>,
    /// Number of coordinates of a point.
    pub n_features: usize,
    /// Class of every point.
    pub classes: Vec<u32>,
}

struct Shape {
    name: &'static str,
    n_points: usize,
    n_features: usize,
    /// Side length of the square or cube that contains all points.
    side: f64,
    /// Smallest coordinate of the square or cube, the same in every dimension.
    from: f64,
    rule: LabelingRule,
    /// Number of positive points printed in the paper.
    printed: usize,
    /// Number of MATLAB's random numbers before the published points; `None` if unknown.
    stream: Option<usize>,
}

#[derive(Clone, Copy)]
enum LabelingRule {
    /// A point is positive with probability 1/2 if its coordinates sum to more than this value.
    Corner(f64),
    /// A point is positive if its distance to the center is below `reach` (maximum norm).
    ///
    /// Points at distances from `reach` to `2 reach` are removed.
    Castle { center: f64, reach: f64 },
    /// A point is positive if its distance to one of two centers is below `reach`.
    /// All coordinates of the first center are `at`, and those of the second center are `-at`. If `coin` is
    /// true, each of these points is positive only with probability 1/2.
    Pair { at: f64, reach: f64, norm: Norm, coin: bool },
}

#[derive(Clone, Copy)]
enum Norm {
    Sum,
    Largest,
    Euclid,
}

impl Norm {
    fn distance(self, point: &[f64], center: f64) -> f64 {
        let parts = point.iter().map(|x| (x - center).abs());
        match self {
            Self::Sum => parts.sum(),
            Self::Largest => parts.fold(0.0, f64::max),
            Self::Euclid => parts.map(|d| d * d).sum::<f64>().sqrt(),
        }
    }
}

const fn two_center_rule(norm: Norm, reach: f64, coin: bool) -> LabelingRule {
    LabelingRule::Pair { at: 25.0, reach, norm, coin }
}

const fn shape_2d(name: &'static str, rule: LabelingRule, printed: usize) -> Shape {
    Shape { name, n_points: 10_000, n_features: 2, side: 100.0, from: -50.0, rule, printed, stream: None }
}

const fn shape_3d(name: &'static str, rule: LabelingRule, printed: usize) -> Shape {
    Shape { n_points: 1000, n_features: 3, ..shape_2d(name, rule, printed) }
}

const SHAPES: [Shape; 10] = [
    Shape { from: 0.0, stream: Some(0), ..shape_2d("corner", LabelingRule::Corner(180.0), 100) },
    Shape {
        from: 0.0,
        stream: Some(0),
        ..shape_2d("castle", LabelingRule::Castle { center: 50.0, reach: 10.0 }, 375)
    },
    shape_2d("diamond", two_center_rule(Norm::Sum, 10.0, false), 386),
    shape_2d("square", two_center_rule(Norm::Largest, 10.0, false), 819),
    shape_2d("flooded", two_center_rule(Norm::Euclid, 10.0, true), 311),
    shape_3d("corner3D", LabelingRule::Corner(75.0), 34),
    shape_3d("castle3D", LabelingRule::Castle { center: 0.0, reach: 20.0 }, 66),
    Shape { stream: Some(88_410), ..shape_3d("diamond3D", two_center_rule(Norm::Sum, 20.0, false), 29) },
    shape_3d("square3D", two_center_rule(Norm::Largest, 20.0, false), 125),
    shape_3d("flooded3D", two_center_rule(Norm::Euclid, 20.0, true), 36),
];

pub(crate) fn shape_names() -> Vec<&'static str> {
    SHAPES.iter().map(|shape| shape.name).collect()
}

/// Draws the points of a shape, or reproduces its published points.
///
/// If `key` is `None`, the published points are returned, if they are known. If `redraw` is true, the draw is
/// repeated until the number of positive points equals the number printed in the paper.
///
/// # Errors
/// [`Error::Unknown`] for an unknown shape; [`Error::Unsupported`] if `key` is `None` and no points were
/// published.
pub fn generate_shape_points(name: &str, key: Option<SeedKey>, redraw: bool) -> Result<ShapeData> {
    let Some(shape) = SHAPES.iter().find(|shape| shape.name == name) else {
        return Err(unknown_name_error("shape", name, shape_names()));
    };
    let Some(key) = key else {
        let Some(start) = shape.stream else {
            let message = format!("the points of {name} were not published; draw some with a seed");
            return Err(Error::Unsupported(message));
        };
        return Ok(shape.reproduce_published_points(start));
    };
    if !redraw {
        return Ok(shape.draw_points(key));
    }
    let positives = |found: &ShapeData| found.classes.iter().filter(|&&class| class == 1).count();
    let draws = (0..MOST_ATTEMPTS).map(|attempt| shape.draw_points(key.child(tags::made::ATTEMPT, attempt)));
    let found = draws.into_iter().find(|found| positives(found) == shape.printed);
    found.ok_or_else(|| Error::Internal(format!("no draw of {name} has {} positive points", shape.printed)))
}

impl Shape {
    /// The points published by the authors, reproduced from MATLAB's default generator.
    ///
    /// `start` outputs of the generator are skipped. The next outputs are the coordinates, column by column,
    /// and the outputs after them are the coin tosses.
    fn reproduce_published_points(&self, start: usize) -> ShapeData {
        let mut stream = MersenneTwister::new(5489);
        for _ in 0..start {
            stream.next_uniform();
        }
        let columns: Vec<f64> = (0..self.n_points * self.n_features).map(|_| stream.next_uniform()).collect();
        self.label_points(&columns, || stream.next_uniform())
    }

    fn draw_points(&self, key: SeedKey) -> ShapeData {
        let (mut points, mut coins) =
            (key.child(tags::made::POINTS, 0).rng(), key.child(tags::made::COINS, 0).rng());
        let columns: Vec<f64> = (0..self.n_points * self.n_features).map(|_| uniform(&mut points)).collect();
        self.label_points(&columns, || uniform(&mut coins))
    }

    /// Scales and labels points, and leaves out points that the rule of the shape removes.
    ///
    /// `columns` has the unscaled coordinates, column by column.
    fn label_points(&self, columns: &[f64], mut coin: impl FnMut() -> f64) -> ShapeData {
        let mut data = ShapeData { points: Vec::new(), n_features: self.n_features, classes: Vec::new() };
        let mut point = vec![0.0; self.n_features];
        for row in 0..self.n_points {
            for (axis, x) in point.iter_mut().enumerate() {
                *x = self.side * columns[axis * self.n_points + row] + self.from;
            }
            let class = match self.rule {
                LabelingRule::Corner(sum) => point.iter().sum::<f64>() > sum && coin() > 0.5,
                LabelingRule::Castle { center, reach } => {
                    let distance = Norm::Largest.distance(&point, center);
                    if (reach..2.0 * reach).contains(&distance) {
                        continue;
                    }
                    distance < reach
                }
                LabelingRule::Pair { at, reach, norm, coin: tossed } => {
                    let near = norm.distance(&point, at).min(norm.distance(&point, -at)) < reach;
                    near && (!tossed || coin() > 0.5)
                }
            };
            data.points.extend_from_slice(&point);
            data.classes.push(u32::from(class));
        }
        data
    }
}

/// Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), with MATLAB's seeding and output.
struct MersenneTwister {
    state: [u32; 624],
    next: usize,
}

impl MersenneTwister {
    fn new(seed: u32) -> Self {
        let mut state = [seed; 624];
        for i in 1..624 {
            let before = state[i - 1];
            state[i] = 1_812_433_253_u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(i as u32);
        }
        Self { state, next: 624 }
    }

    fn next_u32(&mut self) -> u32 {
        if self.next == 624 {
            for i in 0..624 {
                let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % 624] & 0x7fff_ffff);
                let twist = if y & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[i] = self.state[(i + 397) % 624] ^ (y >> 1) ^ twist;
            }
            self.next = 0;
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// A number in [0, 1) with 53 random bits.
    fn next_uniform(&mut self) -> f64 {
        let (high, low) = (f64::from(self.next_u32() >> 5), f64::from(self.next_u32() >> 6));
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_matches_matlab() {
        let mut stream = MersenneTwister::new(5489);
        // The first outputs of `rand` after MATLAB was started.
        for expected in [0.814_723_686_393_179, 0.905_791_937_075_619, 0.126_986_816_293_506] {
            assert!((stream.next_uniform() - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn published_counts_are_reproduced() {
        for (name, rows, positives) in
            [("corner", 10_000, 100), ("castle", 8716, 375), ("diamond3D", 1000, 29)]
        {
            let found = generate_shape_points(name, None, false).unwrap();
            assert_eq!(found.classes.len(), rows);
            assert_eq!(found.classes.iter().sum::<u32>(), positives, "{name}");
        }
        assert!(matches!(generate_shape_points("diamond", None, false), Err(Error::Unsupported(_))));
        assert!(matches!(generate_shape_points("dimond", None, false), Err(Error::Unknown { .. })));
    }

    #[test]
    fn draws_have_about_the_printed_counts_and_redraws_exactly() {
        for known in &SHAPES {
            let count = |key, redraw| {
                generate_shape_points(known.name, Some(SeedKey::root(key)), redraw)
                    .unwrap()
                    .classes
                    .iter()
                    .sum::<u32>() as usize
            };
            // The published number of positive points comes from a single random draw. So the tolerance is
            // four times the sum of the standard deviations of a Poisson count and of the mean of 20 counts.
            let mean = (0..20).map(|key| count(key, false)).sum::<usize>() as f64 / 20.0;
            let spread = (known.printed as f64).sqrt() * (1.0 + 1.0 / 20.0_f64.sqrt());
            assert!((mean - known.printed as f64).abs() < 4.0 * spread, "{}: {mean}", known.name);
            assert_eq!(count(1, true), known.printed, "{}", known.name);
        }
    }
}
