//! Serialization of proofs.

use super::certificate::{BoxCertificate, PairDualEntry};
use super::problem::{BoxObjective, ScaledBox};
use super::proof::BoxProof;
use imbcore_core::{ArrayReader, ArrayWriter, Error, Result};

impl BoxProof {
    pub(crate) fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        let goal = &self.goal;
        file.write_json("exact.status", &self.status)?;
        file.write_json("exact.scale", &self.scaling)?;
        file.write_u32s("exact.counts", &[&[goal.n_boxes as u32], &self.counts[..]].concat());
        file.write_f64s("exact.value", &[self.objective, self.bound, self.rest]);
        let prices = [goal.majority_weight, goal.margin, goal.epsilon, goal.box_cost, goal.expand];
        file.write_f64s("exact.goal", &[&prices[..], &[goal.min_bound, goal.max_bound]].concat());
        file.write_f64s("exact.rates", &self.rates);
        let walls = |bounds: fn(&ScaledBox) -> &Vec<f64>| {
            self.walls.iter().flat_map(bounds).copied().collect::<Vec<f64>>()
        };
        file.write_f64s("exact.lower", &walls(|walls| &walls.lower));
        file.write_f64s("exact.upper", &walls(|walls| &walls.upper));
        let certificates = &self.certificates;
        file.write_u32s(
            "exact.priced_boxes",
            &certificates.iter().map(|one| one.n_boxes as u32).collect::<Vec<_>>(),
        );
        file.write_f64s(
            "exact.priced_bounds",
            &certificates.iter().flat_map(|one| [one.sigma, one.bound]).collect::<Vec<_>>(),
        );
        file.write_f64s(
            "exact.rewards",
            &certificates.iter().flat_map(|one| one.reward.iter().copied()).collect::<Vec<_>>(),
        );
        let prices: Vec<f64> = certificates.iter().flat_map(|one| one.price.iter().copied()).collect();
        file.write_f64s("exact.prices", &prices);
        let pairs = || certificates.iter().flat_map(|one| one.pairs.iter());
        file.write_u32s(
            "exact.n_pairs",
            &certificates.iter().map(|one| one.pairs.len() as u32).collect::<Vec<_>>(),
        );
        file.write_u32s(
            "exact.pairs",
            &pairs().flat_map(|pair| [pair.hit, pair.covered]).collect::<Vec<_>>(),
        );
        file.write_f64s("exact.pair_prices", &pairs().map(|pair| pair.price).collect::<Vec<_>>());
        Ok(())
    }

    /// Reads the proof of `n_boxes` boxes; the caller must validate it.
    pub(crate) fn read(n_boxes: usize, file: &ArrayReader<'_>) -> Result<Self> {
        let incomplete = || Error::damaged("the proof of the boxes is incomplete");
        let [allowed, covered, hit, used] = file.read_u32_array("exact.counts")?;
        let [objective, bound, rest] = file.read_f64_array("exact.value")?;
        let [majority_weight, margin, epsilon, box_cost, expand, low, high] =
            file.read_f64_array("exact.goal")?;
        let goal = BoxObjective {
            n_boxes: allowed as usize,
            majority_weight,
            margin,
            epsilon,
            box_cost,
            expand,
            min_bound: low,
            max_bound: high,
        };
        let (lower, upper) = (file.read_f64s("exact.lower")?, file.read_f64s("exact.upper")?);
        let priced = file.read_u32s("exact.priced_boxes")?;
        let (bounds, rewards) = (file.read_f64s("exact.priced_bounds")?, file.read_f64s("exact.rewards")?);
        let (bounds, odd) = bounds.as_chunks::<2>();
        if lower.len() != upper.len() || bounds.len() != priced.len() || !odd.is_empty() {
            return Err(incomplete());
        }
        let (lower, upper) =
            (split_into_equal_parts(&lower, n_boxes)?, split_into_equal_parts(&upper, n_boxes)?);
        let walls = lower.into_iter().zip(upper).map(|(lower, upper)| ScaledBox { lower, upper }).collect();
        let rewards = split_into_equal_parts(&rewards, priced.len())?;
        let prices = split_into_equal_parts(&file.read_f64s("exact.prices")?, priced.len())?;
        let mut pairs = read_pair_duals(file, priced.len())?.into_iter();
        let mut certificates = Vec::with_capacity(priced.len());
        for (((reward, price), &n_boxes), &[sigma, bound]) in
            rewards.into_iter().zip(prices).zip(&priced).zip(bounds)
        {
            let pairs = pairs.next().unwrap_or_default();
            certificates.push(BoxCertificate {
                n_boxes: n_boxes as usize,
                reward,
                price,
                pairs,
                sigma,
                bound,
            });
        }
        Ok(Self {
            status: file.read_json("exact.status")?,
            goal,
            scaling: file.read_json("exact.scale")?,
            objective,
            bound,
            counts: [covered, hit, used],
            walls,
            certificates,
            rates: file.read_f64s("exact.rates")?,
            rest,
        })
    }
}

fn read_pair_duals(file: &ArrayReader<'_>, n: usize) -> Result<Vec<Vec<PairDualEntry>>> {
    let wrong = || Error::damaged("the pairs of a proof are inconsistent");
    let (counts, rows) = (file.read_u32s("exact.n_pairs")?, file.read_u32s("exact.pairs")?);
    let prices = file.read_f64s("exact.pair_prices")?;
    let (rows, odd) = rows.as_chunks::<2>();
    if counts.len() != n || !odd.is_empty() || rows.len() != prices.len() {
        return Err(wrong());
    }
    let mut all =
        rows.iter().zip(prices).map(|(&[hit, covered], price)| PairDualEntry { hit, covered, price });
    let lists = counts.iter().map(|&count| all.by_ref().take(count as usize).collect::<Vec<_>>());
    let lists: Vec<Vec<PairDualEntry>> = lists.collect();
    let complete = lists.iter().zip(&counts).all(|(list, &count)| list.len() == count as usize);
    if complete && all.next().is_none() { Ok(lists) } else { Err(wrong()) }
}

fn split_into_equal_parts(values: &[f64], n: usize) -> Result<Vec<Vec<f64>>> {
    let length = values.len().checked_div(n).unwrap_or_default();
    if length * n != values.len() {
        return Err(Error::damaged("arrays of a proof have wrong lengths"));
    }
    Ok((0..n).map(|part| values[part * length..(part + 1) * length].to_vec()).collect())
}
