//! Weighted quantiles of the distinct values of a column.
//!
//! A value with at least a fraction `1 / most` of the total mass is *heavy* and gets its own bin, where
//! `most` is the maximum number of bins. The other (light) values are added to a bin in ascending order until
//! the bin reaches its target mass, or until a heavy value follows. The target is the mass of the light
//! values that are not yet in a bin, divided by the number of bins left for them. Repeating a row has the
//! same effect as doubling its weight.
//!
//! The values are not fully sorted: splitters from a sample partition them into buckets, and only buckets
//! that contain a bin boundary are sorted.

use crate::binned::bin_edges::BinEdges;
use imbcore_core::{Result, RunContext, memory};

pub(super) const SAMPLE: &str = "sampled rows of columns";

const SPLITTERS: usize = 1023;

const STRETCH: usize = 1 << 16;

/// Value of a row, encoded as an integer key, with a weight.
///
/// A key without a stored weight has weight 1.
pub(crate) trait WeightedKey: Copy + Default {
    /// Returns an integer key that is ordered like the value; see [`order_preserving_key`].
    fn key(self) -> u64;
    fn mass(self) -> f64;
}

impl WeightedKey for u64 {
    #[inline]
    fn key(self) -> u64 {
        self
    }

    #[inline]
    fn mass(self) -> f64 {
        1.0
    }
}

impl WeightedKey for (u64, f64) {
    #[inline]
    fn key(self) -> u64 {
        self.0
    }

    #[inline]
    fn mass(self) -> f64 {
        self.1
    }
}

/// Computes at most `most` bins of a nonempty list of values.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
pub(crate) fn quantile_bin_edges<I: WeightedKey>(
    items: &[I],
    most: usize,
    ctl: RunContext<'_>,
) -> Result<BinEdges> {
    let mut grouped = Vec::new();
    let mut buckets = partition_into_buckets(items, &mut grouped, ctl)?;
    let total: f64 = buckets.iter().map(|bucket| bucket.mass).sum();
    let is_heavy = |mass: f64| mass * most as f64 >= total;
    let mut heavy = Vec::new();
    for bucket in buckets.iter_mut().filter(|bucket| is_heavy(bucket.mass)) {
        heavy.extend(bucket.distinct_values_with_mass().map(|(_, mass)| mass).filter(|&mass| is_heavy(mass)));
    }
    let light = total - heavy.iter().sum::<f64>();
    let mut gather = BinAccumulator::new(light, most - heavy.len().min(most), most);
    for bucket in &mut buckets {
        ctl.check()?;
        if is_heavy(bucket.mass) || !gather.add_bucket(bucket) {
            bucket
                .distinct_values_with_mass()
                .for_each(|(value, mass)| gather.add_value(value, mass, is_heavy(mass)));
        }
    }
    Ok(gather.edges)
}

struct BinAccumulator {
    edges: BinEdges,
    most: usize,
    light_mass: f64,
    light_bins: usize,
    /// State of the current bin: mass, target mass, and whether it contains a heavy value.
    mass: f64,
    share: f64,
    heavy: bool,
}

impl BinAccumulator {
    fn new(light_mass: f64, light_bins: usize, most: usize) -> Self {
        let light_bins = light_bins.max(1);
        let share = light_mass / light_bins as f64;
        Self { edges: BinEdges::default(), most, light_mass, light_bins, mass: 0.0, share, heavy: false }
    }

    fn add_value(&mut self, value: f64, mass: f64, heavy: bool) {
        let full = self.heavy || heavy || self.mass >= self.share;
        let n_bins = self.edges.len();
        match self.edges.high.last_mut() {
            Some(high) if !full || n_bins == self.most => *high = value,
            _ => {
                if !self.heavy && n_bins > 0 {
                    self.light_mass -= self.mass;
                    self.light_bins = (self.light_bins - 1).max(1);
                }
                (self.mass, self.share) = (0.0, self.light_mass / self.light_bins as f64);
                self.edges.low.push(value);
                self.edges.high.push(value);
            }
        }
        self.mass += mass;
        self.heavy = heavy;
    }

    /// Adds all values of a bucket of light values at once, if no bin begins or ends in it.
    /// Returns whether the values were added.
    fn add_bucket<I: WeightedKey>(&mut self, bucket: &Bucket<'_, I>) -> bool {
        let fits = !self.heavy && self.mass + bucket.mass < self.share;
        match (self.edges.high.last_mut(), bucket.items.iter().map(|item| item.key()).max()) {
            (Some(high), Some(largest)) if fits => *high = value_of_order_preserving_key(largest),
            _ => return false,
        }
        self.mass += bucket.mass;
        true
    }
}

/// Values between two splitters, in row order until they are sorted.
struct Bucket<'g, I> {
    items: &'g mut [I],
    mass: f64,
}

impl<I: WeightedKey> Bucket<'_, I> {
    fn distinct_values_with_mass(&mut self) -> impl Iterator<Item = (f64, f64)> + '_ {
        // The sort is stable, so that the weights of equal values are added in row order.
        self.items.sort_by_key(|item| item.key());
        let runs = self.items.chunk_by(|a, b| a.key() == b.key());
        runs.map(|run| {
            (value_of_order_preserving_key(run[0].key()), run.iter().map(|item| item.mass()).sum())
        })
    }
}

fn partition_into_buckets<'g, I: WeightedKey>(
    items: &[I],
    grouped: &'g mut Vec<I>,
    ctl: RunContext<'_>,
) -> Result<Vec<Bucket<'g, I>>> {
    let step = items.len() / SPLITTERS + 1;
    let mut splitters: Vec<u64> = items.iter().step_by(step).map(|item| item.key()).collect();
    splitters.sort_unstable();
    splitters.dedup();
    splitters.resize(SPLITTERS + 1, u64::MAX);
    let bucket_of = |key: u64| {
        // As in `BinEdges::bin_codes_of_values`, the search has no branches, so that the processor overlaps
        // the searches of neighboring items.
        let mut bucket = 0;
        for step in [512, 256, 128, 64, 32, 16, 8, 4, 2, 1] {
            bucket += if splitters[(bucket + step - 1) & SPLITTERS] <= key { step } else { 0 };
        }
        bucket
    };
    let mut bucket_of_item = memory::try_with_capacity(items.len(), SAMPLE)?;
    let mut sizes = vec![0_usize; SPLITTERS + 1];
    let mut masses = vec![0.0; SPLITTERS + 1];
    for stretch in items.chunks(STRETCH) {
        ctl.check()?;
        for item in stretch {
            let bucket = bucket_of(item.key());
            bucket_of_item.push(bucket as u16);
            sizes[bucket] += 1;
            masses[bucket] += item.mass();
        }
    }
    let mut starts: Vec<usize> =
        sizes.iter().scan(0, |sum, &size| Some(std::mem::replace(sum, *sum + size))).collect();
    memory::reserve_exact(grouped, items.len(), SAMPLE)?;
    grouped.resize(items.len(), I::default());
    for (stretch, buckets) in items.chunks(STRETCH).zip(bucket_of_item.chunks(STRETCH)) {
        ctl.check()?;
        for (&item, &bucket) in stretch.iter().zip(buckets) {
            let start = &mut starts[bucket as usize];
            grouped[*start] = item;
            *start += 1;
        }
    }
    let mut rest = &mut **grouped;
    let mut buckets = Vec::new();
    for (size, mass) in sizes.into_iter().zip(masses).filter(|&(size, _)| size > 0) {
        let items = rest.split_off_mut(..size).unwrap_or_default();
        buckets.push(Bucket { items, mass });
    }
    Ok(buckets)
}

/// Returns an integer with the same order as the value; both zeros map to one integer.
pub(crate) fn order_preserving_key(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn value_of_order_preserving_key(number: u64) -> f64 {
    f64::from_bits(if number >> 63 == 1 { number & !(1 << 63) } else { !number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(values: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
        let items: Vec<(u64, f64)> =
            values.iter().map(|&(x, mass)| (order_preserving_key(x), mass)).collect();
        let edges = quantile_bin_edges(&items, most, RunContext::silent()).unwrap();
        edges.low.into_iter().zip(edges.high).collect()
    }

    #[test]
    fn equal_masses_make_bins_of_equal_size() {
        let values: Vec<(f64, f64)> = (0..12).map(|value| (f64::from(value), 1.0)).collect();
        assert_eq!(bins(&values, 4), [(0.0, 2.0), (3.0, 5.0), (6.0, 8.0), (9.0, 11.0)]);
        // The total is 12. The target of the first bin is 12 / 5 = 2.4, so three values fill it; the targets
        // of the next bins are 9 / 4, 6 / 3, 4 / 2 and 2 / 1.
        assert_eq!(bins(&values, 5), [(0.0, 2.0), (3.0, 5.0), (6.0, 7.0), (8.0, 9.0), (10.0, 11.0)]);
    }

    #[test]
    fn heavy_value_has_its_own_bin() {
        let mut values: Vec<(f64, f64)> = (0..9).map(|value| (f64::from(value), 1.0)).collect();
        values[4].1 = 1000.0;
        assert_eq!(bins(&values, 5), [(0.0, 1.0), (2.0, 3.0), (4.0, 4.0), (5.0, 6.0), (7.0, 8.0)]);
    }

    #[test]
    fn number_of_bins_is_at_most_the_maximum() {
        let values = [(0.0, 1.0), (1.0, 40.0), (2.0, 1.0), (3.0, 40.0), (4.0, 1.0)];
        assert_eq!(bins(&values, 3), [(0.0, 0.0), (1.0, 1.0), (2.0, 4.0)]);
        assert_eq!(bins(&values, 2).len(), 2);
    }

    #[test]
    fn bucketed_quantiles_match_value_by_value_algorithm() {
        let scrambled = |i: u32| i.wrapping_mul(2_654_435_761) >> 12;
        for (distinct, most) in [(60_000, 255), (900, 255), (70_000, 2), (3000, 17)] {
            let numbers: Vec<u64> = (0..80_000_u32)
                .map(|i| if i % 3 == 0 { 77.0 } else { f64::from(scrambled(i) % distinct).sqrt() })
                .map(order_preserving_key)
                .collect();
            let found = quantile_bin_edges(&numbers, most, RunContext::silent()).unwrap();
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            let runs: Vec<(f64, f64)> = sorted
                .chunk_by(|a, b| a == b)
                .map(|run| (value_of_order_preserving_key(run[0]), run.len() as f64))
                .collect();
            let is_heavy = |mass: f64| mass * most as f64 >= 80_000.0;
            let heavy: Vec<f64> = runs.iter().map(|run| run.1).filter(|&mass| is_heavy(mass)).collect();
            let light = 80_000.0 - heavy.iter().sum::<f64>();
            let mut gather = BinAccumulator::new(light, most - heavy.len(), most);
            for (value, mass) in runs {
                gather.add_value(value, mass, is_heavy(mass));
            }
            assert_eq!(found, gather.edges, "{distinct} {most}");
            assert!(found.len() <= most && found.len() + 2 >= most.min(distinct as usize));
            // A third of all rows has one value, which gets its own bin if there are at least three bins.
            assert!(most < 3 || found.low.contains(&77.0) && found.high.contains(&77.0));
        }
    }

    #[test]
    fn ordered_bits_keep_order_and_are_invertible() {
        let values = [f64::MIN, -2.0, -5e-324, 0.0, 5e-324, 2.0, f64::MAX];
        assert!(values.windows(2).all(|two| order_preserving_key(two[0]) < order_preserving_key(two[1])));
        assert!(values.iter().all(|&x| value_of_order_preserving_key(order_preserving_key(x)) == x));
        assert_eq!(order_preserving_key(-0.0), order_preserving_key(0.0));
    }
}
